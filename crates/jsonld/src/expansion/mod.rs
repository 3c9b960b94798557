//! Expansion Algorithm (section 5.1): elements, arrays and objects.
//!
//! `entry_expansion.rs` expands the entries of an object, `map_expansion.rs` its maps, `value_object.rs` the value
//! objects.

pub(super) mod entry_expansion;
pub(super) mod frames;
pub(super) mod iri_expansion;
pub(super) mod map_expansion;
pub(super) mod value_expansion;
pub(super) mod value_object;

use crate::context::context_processor::ContextProcessor;
use crate::context::relative::RelativeIriRule;
use crate::context::term_creation::ContextCall;
use crate::context::{ActiveContext, KeyMeaning, LocalContext, TermDefinition};
use crate::expanded_arena::{
    ArenaMark, ExpandedArena, ExpandedElement, IdEntry, NO_DATATYPE, NONE, NodeEntries, PropertyEntry,
    ValueObject,
};
use crate::json_ld_options::{JsonLdOptions, LoadMode};
use crate::name_interner::Keyword;
use crate::to_rdf::scene::ExpansionView;
use crate::warning::WarningCode;
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{self, JsonDocument, JsonKind, JsonMember, KeySymbol, Limits, TokenId, write_string};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// The active property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ActiveProperty {
    /// Null: the top of the document.
    Null,
    /// A keyword: `@graph` or `@reverse`.
    Keyword(Keyword),
    /// A key of the document.
    Term(KeySymbol),
}

impl ActiveProperty {
    /// Returns whether nothing points to the elements under this property.
    pub(crate) fn is_top(self) -> bool {
        matches!(self, Self::Null | Self::Keyword(Keyword::Graph))
    }
}

/// The number of elements that an expansion left on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ElementCount {
    /// Nothing, or only the mark of a dropped null.
    Null,
    /// One element.
    One,
    /// An array of any number of elements.
    Array,
}

/// The result of an object while its entries are read.
pub(crate) struct ObjectExpansion {
    pub(crate) object: TokenId,
    pub(crate) property: ActiveProperty,
    /// The first of the object's properties on the stack.
    pub(crate) properties: usize,
    /// The keywords seen so far, as bits.
    pub(crate) seen: u32,
    pub(crate) id: Option<IdEntry>,
    pub(crate) index: Option<TokenId>,
    pub(crate) value: Option<TokenId>,
    pub(crate) language: Option<TokenId>,
    pub(crate) direction: Option<crate::context::BaseDirection>,
    pub(crate) direction_token: Option<TokenId>,
    pub(crate) list: Option<std::ops::Range<u32>>,
    pub(crate) set: Option<ElementCount>,
    pub(crate) type_is_array: bool,
    /// The lengths of the arena's arrays when the object began.
    mark: ArenaMark,
    /// The context without those of the types. `@type` values are expanded with it.
    pub(crate) type_context: Rc<ActiveContext>,
}

impl ObjectExpansion {
    pub(crate) fn has(&self, keyword: Keyword) -> bool {
        self.seen & keyword.bit() != 0
    }

    /// Returns whether only these keywords were seen. `@reverse` and `@nest` do not count: their contents count as
    /// entries of the object, and without contents they leave nothing in the result.
    pub(crate) fn only(&self, keywords: &[Keyword]) -> bool {
        let seen = self.seen & !(Keyword::Reverse.bit() | Keyword::Nest.bit());
        seen & !keywords.iter().fold(0, |bits, keyword| bits | keyword.bit()) == 0
    }
}

/// Receives nodes as soon as they are expanded, so they need not be kept.
pub(crate) trait NodeTaker {
    /// Returns whether the receiver takes nodes.
    fn takes(&self) -> bool;

    /// Takes a node of the default graph with all nodes below it, and returns a number for it.
    fn take(&mut self, scene: &mut ExpansionView<'_>, node: NodeEntries<'_>) -> JsonLdOutcome<u32>;
}

/// A receiver that takes no nodes, so every node is kept.
pub(crate) struct KeepAll;

impl NodeTaker for KeepAll {
    fn takes(&self) -> bool {
        false
    }

    fn take(&mut self, _scene: &mut ExpansionView<'_>, _node: NodeEntries<'_>) -> JsonLdOutcome<u32> {
        unreachable!("`takes` is checked before this")
    }
}

/// Returns the context that a server names for a document. The context is in no text, so a text is made that messages
/// can point to.
fn named_by_server(url: &str, document: &JsonDocument) -> LocalContext {
    let mut text = String::new();
    write_string(url, &mut text);
    let name = format!("{} (Link header)", document.name());
    let document = evalgraph_json::parse(name, text, Limits::default()).map(Arc::new);
    let document = document.expect("a string that was just written is JSON");
    LocalContext { value: document.root(), document, base_url: Some(url.into()) }
}

/// A running expansion.
///
/// Other methods are in `entry_expansion.rs`, `frames.rs`, `map_expansion.rs`, `value_expansion.rs` and
/// `value_object.rs`.
pub(crate) struct ExpansionAlgorithm<'p, 'l, T> {
    pub(crate) taker: &'p mut T,
    /// `true` if the current element certainly belongs to the default graph, and will not change after it is finished.
    pub(crate) may_take: bool,
    pub(crate) contexts: &'p mut ContextProcessor<'l>,
    pub(crate) document: &'p Arc<JsonDocument>,
    pub(crate) arena: ExpandedArena,
    pub(crate) elements: Vec<ExpandedElement>,
    pub(crate) properties: Vec<PropertyEntry>,
    pub(crate) buffer: String,
    options: &'p JsonLdOptions,
    pub(crate) mode: &'p LoadMode,
    pub(crate) ordered: bool,
    /// `frameExpansion`: `true` if a frame is expanded.
    pub(crate) framing: bool,
    /// The number of the document in the contexts' tables of meanings.
    serial: u64,
    /// The base of relative contexts of the document.
    pub(crate) context_base: Option<Rc<str>>,
    /// The key `@context`, and its last token.
    context_key: Option<(KeySymbol, TokenId)>,
}

impl<'p, 'l, T: NodeTaker> ExpansionAlgorithm<'p, 'l, T> {
    pub(crate) fn new(
        contexts: &'p mut ContextProcessor<'l>,
        document: &'p Arc<JsonDocument>,
        options: &'p JsonLdOptions,
        mode: &'p LoadMode,
        taker: &'p mut T,
    ) -> Self {
        let context_base =
            options.context_base.as_ref().or(options.document_url.as_ref()).or(options.base.as_ref());
        let serial = contexts.serial();
        Self {
            may_take: taker.takes(),
            taker,
            contexts,
            document,
            arena: ExpandedArena::default(),
            elements: Vec::new(),
            properties: Vec::new(),
            buffer: String::new(),
            options,
            mode,
            ordered: options.ordered,
            framing: false,
            serial,
            context_base: context_base.map(|url| url.as_str().into()),
            context_key: document.find_symbol("@context").map(|symbol| (symbol, document.last_key(symbol))),
        }
    }

    /// The `expand` operation (section 9.2, `expand()`, steps 5 to 8): fills the arena.
    pub(crate) fn run(mut self) -> JsonLdOutcome<ExpandedArena> {
        let shape = self.expand_document()?;
        // If the result has only `@graph`, the contents of `@graph` replace it.
        if let (ElementCount::One, Some(&ExpandedElement::Node(node))) = (shape, self.elements.last())
            && self.arena.node(node).id.is_none()
            && self.arena.node(node).index.is_none()
            && self.arena.is_graph_object(node)
        {
            let lost: Vec<PropertyEntry> = self
                .arena
                .properties(node)
                .iter()
                .filter(|property| property.lost != NONE)
                .copied()
                .collect();
            let graph = self.arena.properties(node).iter().find(|property| property.lost == NONE).copied();
            let mut top = graph.map(|graph| self.arena.values(&graph).to_vec()).unwrap_or_default();
            if !lost.is_empty() {
                // The losses of the wrapper still have to be counted.
                let token = self.arena.node(node).token;
                top.push(ExpandedElement::Phantom(self.arena.add_node(token, None, None, &lost)));
            }
            self.arena.top = top;
        } else {
            self.arena.top = self.elements;
        }
        Ok(self.arena)
    }

    /// Expands the whole document under the context of the options. The result is on the stack.
    pub(crate) fn expand_document(&mut self) -> JsonLdOutcome<ElementCount> {
        let context = self.initial_context()?;
        self.expand_element(&context, ActiveProperty::Null, self.document.root(), false)
    }

    /// Returns the active context of the options, before any context of the document.
    pub(crate) fn initial_context(&mut self) -> JsonLdOutcome<Rc<ActiveContext>> {
        let options = self.options;
        let base = options.base.as_ref().or(options.document_url.as_ref());
        let base: Option<Rc<str>> = base.map(|base| base.as_str().into());
        let mut context = Rc::new(ActiveContext::initial(self.contexts.serial(), base.clone()));
        if let Some(document) = &options.expand_context {
            let root = document.root();
            let value = document.get(root, "@context").unwrap_or(root);
            let base_url = base.or_else(|| self.context_base.clone());
            let local = LocalContext { document: Arc::clone(document), value, base_url };
            context = self.contexts.process(&context, &local, ContextCall::default())?;
        }
        if let Some(url) = &options.context_url {
            context = self.contexts.process(
                &context,
                &named_by_server(url, self.document),
                ContextCall::default(),
            )?;
        }
        Ok(context)
    }

    pub(crate) fn error(
        &self,
        code: JsonLdErrorCode,
        token: TokenId,
        message: impl Into<String>,
    ) -> Box<JsonLdError> {
        JsonLdError::new(code, message, self.document, token)
    }

    /// Records a loss and returns its number.
    pub(crate) fn warn(&mut self, code: WarningCode, token: TokenId) -> u32 {
        self.contexts.warn(code, self.document, token);
        // Every warning is about one or two tokens of a document below 4 GiB.
        (self.contexts.warnings.len() - 1) as u32
    }

    /// Returns a value as written, shortened for messages.
    pub(crate) fn shown(&self, token: TokenId) -> String {
        crate::warning::shorten(self.document.raw(token))
    }

    /// Returns the meaning of a key.
    #[inline]
    pub(crate) fn meaning(&mut self, context: &ActiveContext, symbol: KeySymbol) -> KeyMeaning {
        match context.meaning(self.serial, symbol) {
            KeyMeaning::Unknown => {
                let meaning = self.look_up(context, symbol);
                context.set_meaning(self.serial, symbol, meaning);
                meaning
            }
            known => known,
        }
    }

    /// Expansion 13.2 and 13.3.
    fn look_up(&mut self, context: &ActiveContext, symbol: KeySymbol) -> KeyMeaning {
        let text = self.document.symbol_text(symbol);
        let expanded = self.contexts.expand_iri(context, text, RelativeIriRule::Vocab);
        let definition = self.contexts.names.find(text).and_then(|name| context.definition_id(name));
        match expanded {
            Some(name) => match self.contexts.names.keyword(name) {
                Some(keyword) => KeyMeaning::Keyword(keyword),
                None if self.contexts.names.text(name).contains(':') => {
                    KeyMeaning::Property(name, definition)
                }
                None => KeyMeaning::Dropped(definition),
            },
            None => KeyMeaning::Dropped(definition),
        }
    }

    /// Returns the term definition of the active property.
    #[inline]
    pub(crate) fn definition<'c>(
        &mut self,
        context: &'c ActiveContext,
        property: ActiveProperty,
    ) -> Option<&'c Rc<TermDefinition>> {
        let ActiveProperty::Term(symbol) = property else { return None };
        match self.meaning(context, symbol) {
            KeyMeaning::Property(_, definition) | KeyMeaning::Dropped(definition) => {
                definition.map(|id| context.definition(id))
            }
            _ => None,
        }
    }

    /// Returns the active context after the property-scoped context of a term, if the term has one.
    fn property_scoped(
        &mut self,
        context: &Rc<ActiveContext>,
        definition: Option<&Rc<TermDefinition>>,
    ) -> JsonLdOutcome<Option<Rc<ActiveContext>>> {
        let Some(local) = definition.and_then(|definition| definition.context.as_ref()) else {
            return Ok(None);
        };
        let call = ContextCall { override_protected: true, ..ContextCall::default() };
        self.contexts.process(context, local, call).map(Some)
    }

    /// Expansion 1 to 6: one element of any kind. The result is left on the stack.
    pub(crate) fn expand_element(
        &mut self,
        context: &Rc<ActiveContext>,
        property: ActiveProperty,
        element: TokenId,
        from_map: bool,
    ) -> JsonLdOutcome<ElementCount> {
        match self.document.kind(element) {
            JsonKind::Null => {
                if matches!(property, ActiveProperty::Term(_)) {
                    let cause = self.warn(WarningCode::NullValue, element);
                    self.elements.push(ExpandedElement::Missing { cause });
                }
                Ok(ElementCount::Null)
            }
            JsonKind::Object => self.expand_object(context, property, element, from_map),
            JsonKind::Array => self.expand_array(context, property, element, from_map),
            _ => self.expand_scalar(context, property, element),
        }
    }

    /// Expansion 4: a scalar.
    #[inline]
    fn expand_scalar(
        &mut self,
        context: &Rc<ActiveContext>,
        property: ActiveProperty,
        element: TokenId,
    ) -> JsonLdOutcome<ElementCount> {
        if property.is_top() {
            self.warn(WarningCode::FreeFloatingValue, element);
            return Ok(ElementCount::Null);
        }
        let definition = self.definition(context, property);
        let value = match self.property_scoped(context, definition)? {
            Some(scoped) => {
                let definition = self.definition(&scoped, property);
                self.expand_value(&scoped, definition.map(AsRef::as_ref), element)
            }
            None => self.expand_value(context, definition.map(AsRef::as_ref), element),
        };
        self.elements.push(value);
        Ok(ElementCount::One)
    }

    /// Expansion 5: an array.
    fn expand_array(
        &mut self,
        context: &Rc<ActiveContext>,
        property: ActiveProperty,
        array: TokenId,
        from_map: bool,
    ) -> JsonLdOutcome<ElementCount> {
        let in_list = self
            .definition(context, property)
            .is_some_and(|definition| definition.container.has(Keyword::List));
        for item in self.document.items(array) {
            let start = self.elements.len();
            if !self.mode.json_values.is_empty() && self.mode.json_values.contains(&item) {
                self.elements.push(Self::json_value(item));
                continue;
            }
            let shape = self.expand_element(context, property, item, from_map)?;
            // Expansion 5.2.2: an array inside a list container becomes an inner list.
            if in_list && shape == ElementCount::Array {
                self.refuse_list_of_lists(item)?;
                self.wrap_list(start);
            }
        }
        Ok(ElementCount::Array)
    }

    pub(crate) fn refuse_list_of_lists(&self, token: TokenId) -> JsonLdOutcome {
        if self.contexts.is_1_0() {
            let message = "a list inside a list belongs to JSON-LD 1.1, but the processing mode is 1.0";
            return Err(self.error(JsonLdErrorCode::ListOfLists, token, message));
        }
        Ok(())
    }

    /// Makes one list object from the elements from `start` on.
    pub(crate) fn wrap_list(&mut self, start: usize) {
        let items = self.arena.add_elements(self.elements.drain(start..));
        let list = self.arena.add_list(items, None);
        self.elements.push(list);
    }

    /// Expansion 6 to 20: an object.
    fn expand_object(
        &mut self,
        context: &Rc<ActiveContext>,
        property: ActiveProperty,
        object: TokenId,
        from_map: bool,
    ) -> JsonLdOutcome<ElementCount> {
        let mut context = Rc::clone(context);
        // The definition is looked up before the previous context is restored (Expansion 3).
        let scoped = match property {
            ActiveProperty::Term(_) => {
                self.definition(&context, property).filter(|definition| definition.context.is_some()).cloned()
            }
            _ => None,
        };
        // Expansion 7: a context that is not propagated ends here.
        if !from_map
            && let Some(previous) = context.previous.clone()
            && !self.keeps_previous_context(&context, object)
        {
            context = previous;
        }
        // Expansion 8.
        if let Some(inner) = self.property_scoped(&context, scoped.as_ref())? {
            context = inner;
        }
        // Expansion 9.
        if let Some((symbol, last)) = self.context_key
            && object < last
            && let Some(local) = self.document.members(object).find(|member| member.symbol == symbol)
        {
            let base_url = self.context_base.clone();
            let local = LocalContext { document: Arc::clone(self.document), value: local.value, base_url };
            context = self.contexts.process(&context, &local, ContextCall::default())?;
        }
        // Expansion 10 and 11.
        let type_context = Rc::clone(&context);
        if context.has_scoped_contexts {
            context = self.type_scoped(&context, object)?;
        }
        let mut frame = ObjectExpansion {
            object,
            property,
            properties: self.properties.len(),
            seen: 0,
            id: None,
            index: None,
            value: None,
            language: None,
            direction: None,
            direction_token: None,
            list: None,
            set: None,
            type_is_array: false,
            mark: self.arena.mark(),
            type_context,
        };
        let elements = self.elements.len();
        self.expand_entries(&context, &mut frame, object)?;
        self.finish(&frame, elements)
    }

    /// Passes on the node of an object, straight from the stack of properties.
    fn hand_over(&mut self, frame: &ObjectExpansion) -> JsonLdOutcome<ExpandedElement> {
        let properties = &self.properties[frame.properties..];
        let node = NodeEntries { token: frame.object, id: frame.id, index: frame.index, properties };
        let ContextProcessor { names, warnings, .. } = &mut *self.contexts;
        let mut scene = ExpansionView::new(&self.arena, names, warnings);
        let number = self.taker.take(&mut scene, node)?;
        // The node was converted with everything below it, so the next one can use the memory of its parts.
        self.arena.forget(&frame.mark);
        Ok(ExpandedElement::Taken { number, token: frame.object })
    }

    /// Expansion 7: value objects and references keep a context that is not propagated.
    fn keeps_previous_context(&mut self, context: &ActiveContext, object: TokenId) -> bool {
        let mut count = 0;
        let mut only_id = true;
        for member in self.document.members(object) {
            count += 1;
            match self.meaning(context, member.symbol) {
                KeyMeaning::Keyword(Keyword::Value) => return true,
                KeyMeaning::Keyword(Keyword::Id) => {}
                _ => only_id = false,
            }
        }
        count == 1 && only_id
    }

    /// Expansion 11: the contexts of the types, in the order of their names.
    fn type_scoped(
        &mut self,
        type_context: &Rc<ActiveContext>,
        object: TokenId,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        let mut context = Rc::clone(type_context);
        for member in self.type_members(type_context, object) {
            let mut terms = self.strings(member.value);
            terms.sort_unstable();
            for term in terms {
                let name = self.contexts.names.find(&term);
                // Expansion 11.2 looks the terms up in the context before all types, not in that of the last one.
                let definition = name.and_then(|name| type_context.term(name)).cloned();
                if let Some(local) = definition.as_ref().and_then(|definition| definition.context.as_ref()) {
                    let call = ContextCall { propagate: false, ..ContextCall::default() };
                    context = self.contexts.process(&context, local, call)?;
                }
            }
        }
        Ok(context)
    }

    /// Returns the members whose key expands to `@type`, in the order of their keys.
    fn type_members(&mut self, context: &ActiveContext, object: TokenId) -> Vec<JsonMember> {
        let document = self.document;
        let mut members: Vec<JsonMember> = document
            .members(object)
            .filter(|member| {
                matches!(self.meaning(context, member.symbol), KeyMeaning::Keyword(Keyword::Type))
            })
            .collect();
        members.sort_by_key(|member| document.symbol_text(member.symbol));
        members
    }

    /// Returns the strings of a value that is a string or an array of strings.
    fn strings(&self, value: TokenId) -> Vec<Cow<'p, str>> {
        let document = self.document;
        let single = (!document.is_array(value)).then_some(value);
        single.into_iter().chain(document.items(value)).filter_map(|item| document.string(item)).collect()
    }

    /// Expansion 12: returns whether the last value of the first `@type` entry is `@json`.
    pub(crate) fn input_type_is_json(&mut self, context: &ActiveContext, object: TokenId) -> bool {
        let Some(first) = self.type_members(context, object).first().copied() else { return false };
        let Some(last) = self.strings(first.value).pop() else { return false };
        self.contexts.expand_iri(context, &last, RelativeIriRule::VocabThenDocument)
            == Some(Keyword::Json.name())
    }

    /// Expansion 15 to 20: makes an element from the entries.
    fn finish(&mut self, frame: &ObjectExpansion, elements: usize) -> JsonLdOutcome<ElementCount> {
        if frame.has(Keyword::Value) && !self.framing {
            let shape = self.finish_value(frame);
            self.properties.truncate(frame.properties);
            return shape;
        }
        if let Some(shape) = frame.set {
            self.check_only(frame, &[Keyword::Set, Keyword::Index])?;
            self.properties.truncate(frame.properties);
            return Ok(shape);
        }
        self.elements.truncate(elements);
        if let Some(items) = &frame.list {
            self.check_only(frame, &[Keyword::List, Keyword::Index])?;
            self.properties.truncate(frame.properties);
            if frame.property.is_top() {
                self.warn(WarningCode::FreeFloatingValue, frame.object);
                return Ok(ElementCount::Null);
            }
            let list = self.arena.add_list(items.clone(), frame.index);
            self.elements.push(list);
            return Ok(ElementCount::One);
        }
        let properties = &self.properties[frame.properties..];
        // Expansion 18: a language without a value. Expansion 19: an element without entries that nothing points to,
        // except in a frame, where it is a pattern.
        let is_language = frame.has(Keyword::Language) && frame.only(&[Keyword::Language]);
        let is_alone = frame.property.is_top() && !self.framing && frame.only(&[Keyword::Id]);
        if (is_language || is_alone) && properties.iter().all(|property| property.lost != NONE) {
            if is_language && !self.framing {
                let cause = self.warn(WarningCode::TagWithoutValue, frame.language.unwrap_or(frame.object));
                if matches!(frame.property, ActiveProperty::Term(_)) {
                    self.elements.push(ExpandedElement::Missing { cause });
                }
            }
            let properties = &self.properties[frame.properties..];
            if frame.property.is_top() && !properties.is_empty() {
                let phantom = self.arena.add_node(frame.object, frame.id, frame.index, properties);
                self.elements.push(ExpandedElement::Phantom(phantom));
            }
            self.properties.truncate(frame.properties);
            return Ok(ElementCount::Null);
        }
        self.keep_tags(frame);
        let properties = &self.properties[frame.properties..];
        let may_take = self.may_take
            && matches!(frame.property, ActiveProperty::Term(_) | ActiveProperty::Keyword(Keyword::Graph));
        let node = if may_take {
            self.hand_over(frame)?
        } else {
            ExpandedElement::Node(self.arena.add_node(frame.object, frame.id, frame.index, properties))
        };
        self.properties.truncate(frame.properties);
        self.elements.push(node);
        Ok(ElementCount::One)
    }

    /// Expansion 13.4.17: keeps a language or direction, although it has no meaning for a node.
    fn keep_tags(&mut self, frame: &ObjectExpansion) {
        if self.framing || !(frame.has(Keyword::Language) || frame.has(Keyword::Direction)) {
            return;
        }
        let tags = [(Keyword::Language, frame.language), (Keyword::Direction, frame.direction_token)];
        for (keyword, token) in tags {
            let Some(token) = token else { continue };
            let text = ExpandedElement::Value(ValueObject { token, datatype: NO_DATATYPE, extra: NONE });
            let property = self.arena.add_single(keyword.name(), token, text);
            self.properties.push(property);
        }
    }

    /// Expansion 17.1: checks that there is only `@index` besides `@set` or `@list`.
    fn check_only(&self, frame: &ObjectExpansion, keywords: &[Keyword]) -> JsonLdOutcome {
        let mut properties = self.properties[frame.properties..].iter();
        if frame.only(keywords) && properties.all(|property| property.lost != NONE) {
            return Ok(());
        }
        let message =
            format!("an object with `{}` has entries that do not belong there", keywords[0].as_str());
        Err(self.error(JsonLdErrorCode::InvalidSetOrListObject, frame.object, message))
    }
}
