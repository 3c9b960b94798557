//! Expansion Algorithm, steps 13 and 14: the entries of an object.
//!
//! `ExpansionAlgorithm` is defined in `expansion/mod.rs`.

use crate::context::relative::RelativeIriRule;
use crate::context::term_creation::ContextCall;
use crate::context::{ActiveContext, BaseDirection, KeyMeaning, TermDefinition, TypeMapping};
use crate::expanded_arena::{ExpandedElement, IdEntry, NONE, ValueObject};
use crate::expansion::{ActiveProperty, ElementCount, ExpansionAlgorithm, NodeTaker, ObjectExpansion};
use crate::name_interner::{InternedName, Keyword};
use crate::warning::WarningCode;
use crate::{JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{JsonKind, JsonMember, TokenId};
use std::rc::Rc;

/// Keys for statements about triples, in drafts of JSON-LD for RDF 1.2. JSON-LD 1.1 would ignore them like anything
/// that looks like a keyword, and lose their content.
const RDF_1_2_KEYS: [&str; 3] = ["@annotation", "@reifies", "@triple"];

impl<T: NodeTaker> ExpansionAlgorithm<'_, '_, T> {
    /// Expansion 13 and 14 for an object, or for an object that is nested in it.
    pub(crate) fn expand_entries(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &mut ObjectExpansion,
        object: TokenId,
    ) -> JsonLdOutcome {
        let mut nests: Vec<JsonMember> = Vec::new();
        let document = self.document;
        if self.ordered {
            let mut members: Vec<JsonMember> = document.members(object).collect();
            members.sort_by_key(|member| document.symbol_text(member.symbol));
            for member in members {
                self.expand_entry(context, frame, member, &mut nests)?;
            }
        } else {
            for member in document.members(object) {
                self.expand_entry(context, frame, member, &mut nests)?;
            }
        }
        // Expansion 14: nested objects come after all other entries.
        nests.into_iter().try_for_each(|nest| self.expand_nest(context, frame, nest))
    }

    #[inline]
    fn expand_entry(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &mut ObjectExpansion,
        member: JsonMember,
        nests: &mut Vec<JsonMember>,
    ) -> JsonLdOutcome {
        match self.meaning(context, member.symbol) {
            KeyMeaning::Keyword(Keyword::Nest) => {
                self.refuse_in_reverse(frame, member)?;
                nests.push(member);
                Ok(())
            }
            KeyMeaning::Keyword(Keyword::Context) => Ok(()),
            KeyMeaning::Keyword(keyword) => self.expand_keyword(context, frame, keyword, member),
            KeyMeaning::Property(name, definition) => {
                let definition = definition.map(|id| context.definition(id).as_ref());
                self.expand_property(context, frame, name, definition, member)
            }
            KeyMeaning::Dropped(_) | KeyMeaning::Unknown => self.expand_lost(context, frame, member),
        }
    }

    /// Expands the value of a key that maps to nothing, only to count the losses.
    fn expand_lost(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &mut ObjectExpansion,
        member: JsonMember,
    ) -> JsonLdOutcome {
        let key = self.document.symbol_text(member.symbol);
        if RDF_1_2_KEYS.contains(&key) {
            let message = format!("RDF 1.2 is not read: `{key}` says something about a triple");
            return Err(self.error(JsonLdErrorCode::Rdf12, member.key, message));
        }
        let cause = self.warn(WarningCode::UnmappedKey, member.key);
        let (elements, properties) = (self.elements.len(), self.properties.len());
        // The value is lost with its key, so its nodes must not be converted like those that stay.
        let may_take = std::mem::replace(&mut self.may_take, false);
        let outcome = self.expand_element(context, ActiveProperty::Term(member.symbol), member.value, false);
        self.may_take = may_take;
        // An error inside a dropped value is ignored.
        if outcome.is_err() {
            self.elements.truncate(elements);
            self.properties.truncate(properties);
            self.elements.push(ExpandedElement::Missing { cause });
        }
        let name = self.contexts.names.intern(self.document.symbol_text(member.symbol));
        self.add_property(frame, name, member.key, elements);
        if let Some(property) = self.properties.last_mut() {
            property.lost = cause;
        }
        Ok(())
    }

    /// Makes the elements from `start` on the values of a property.
    pub(crate) fn add_property(
        &mut self,
        frame: &ObjectExpansion,
        name: InternedName,
        key: TokenId,
        start: usize,
    ) {
        debug_assert!(self.properties.len() >= frame.properties);
        let values = self.arena.add_elements(self.elements.drain(start..));
        let property = self.arena.add_property(name, key, values);
        self.properties.push(property);
    }

    fn refuse_in_reverse(&self, frame: &ObjectExpansion, member: JsonMember) -> JsonLdOutcome {
        if frame.property == ActiveProperty::Keyword(Keyword::Reverse) {
            let message =
                format!("`{}` cannot be in a reverse map", self.document.symbol_text(member.symbol));
            return Err(self.error(JsonLdErrorCode::InvalidReversePropertyMap, member.key, message));
        }
        Ok(())
    }

    /// Expansion 13.4: a key that is a keyword or an alias of one.
    fn expand_keyword(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &mut ObjectExpansion,
        keyword: Keyword,
        member: JsonMember,
    ) -> JsonLdOutcome {
        self.refuse_in_reverse(frame, member)?;
        let repeatable = matches!(keyword, Keyword::Included | Keyword::Type) && !self.contexts.is_1_0();
        if frame.has(keyword) && !repeatable {
            let message = format!("a second key means `{}`", keyword.as_str());
            return Err(self.error(JsonLdErrorCode::CollidingKeywords, member.key, message));
        }
        if self.framing && self.expand_frame_keyword(context, frame, keyword, member)? {
            frame.seen |= keyword.bit();
            return Ok(());
        }
        let value = member.value;
        match keyword {
            Keyword::Id => self.expand_id(context, frame, value)?,
            Keyword::Type => self.expand_types(frame, member)?,
            Keyword::Graph => {
                let start = self.elements.len();
                let may_take = self.may_take;
                self.may_take &= self.is_graph_of_document(frame, member);
                self.expand_element(context, ActiveProperty::Keyword(Keyword::Graph), value, false)?;
                self.may_take = may_take;
                self.add_property(frame, Keyword::Graph.name(), member.key, start);
            }
            Keyword::Included if self.contexts.is_1_0() => return Ok(()),
            Keyword::Included => self.expand_included(context, frame, member)?,
            Keyword::Value => self.expand_value_entry(context, frame, member)?,
            Keyword::Language => {
                let code = JsonLdErrorCode::InvalidLanguageTaggedString;
                frame.language = Some(self.string_entry(value, code, "a language tag")?);
            }
            Keyword::Direction if self.contexts.is_1_0() => return Ok(()),
            Keyword::Direction => {
                let direction = self.document.string(value).and_then(|text| BaseDirection::from_text(&text));
                if direction.is_none() {
                    let message = format!("`{}` is not `ltr` or `rtl`", self.shown(value));
                    return Err(self.error(JsonLdErrorCode::InvalidBaseDirection, value, message));
                }
                (frame.direction, frame.direction_token) = (direction, Some(value));
            }
            Keyword::Index => {
                frame.index =
                    Some(self.string_entry(value, JsonLdErrorCode::InvalidIndexValue, "an index")?);
            }
            Keyword::List => {
                if frame.property.is_top() {
                    self.warn(WarningCode::FreeFloatingValue, value);
                    return Ok(());
                }
                let start = self.elements.len();
                self.expand_element(context, frame.property, value, false)?;
                frame.list = Some(self.arena.add_elements(self.elements.drain(start..)));
            }
            Keyword::Set => frame.set = Some(self.expand_element(context, frame.property, value, false)?),
            Keyword::Reverse => self.expand_reverse(context, value)?,
            // The keywords of contexts and frames have no meaning in a document.
            _ => return Ok(()),
        }
        frame.seen |= keyword.bit();
        Ok(())
    }

    /// Returns whether `@graph` is the default graph of the document: it is at the top, and there is only a context
    /// beside it. Elsewhere the name of the graph may still follow.
    fn is_graph_of_document(&self, frame: &ObjectExpansion, graph: JsonMember) -> bool {
        let document = self.document;
        frame.object == document.root()
            && document
                .members(frame.object)
                .all(|member| member.key == graph.key || document.symbol_text(member.symbol) == "@context")
    }

    fn string_entry(&self, value: TokenId, code: JsonLdErrorCode, what: &str) -> JsonLdOutcome<TokenId> {
        if self.document.is_string(value) {
            return Ok(value);
        }
        Err(self.error(
            code,
            value,
            format!("`{}` is not a string, but {what} must be one", self.shown(value)),
        ))
    }

    /// Expansion 13.4.3: `@id`.
    fn expand_id(
        &mut self,
        context: &ActiveContext,
        frame: &mut ObjectExpansion,
        value: TokenId,
    ) -> JsonLdOutcome {
        let token =
            self.string_entry(value, JsonLdErrorCode::InvalidIdValue, "an `@id`").map_err(|mut error| {
                if self.document.is_object(value) {
                    error.help.push("an embedded node is a triple of RDF 1.2, which is not read".into());
                }
                error
            })?;
        let name = match self.mode.replaced_ids.get(&token) {
            Some(replacement) => self.contexts.expand_iri(context, replacement, RelativeIriRule::Document),
            None => self.expand_token_iri(context, token, RelativeIriRule::Document),
        };
        frame.id = Some(IdEntry { name, token });
        Ok(())
    }

    /// Expansion 13.4.4: `@type`.
    fn expand_types(&mut self, frame: &mut ObjectExpansion, member: JsonMember) -> JsonLdOutcome {
        let document = self.document;
        let start = self.elements.len();
        if document.is_array(member.value) {
            frame.type_is_array = true;
            for item in document.items(member.value) {
                self.expand_type(frame, item)?;
            }
        } else {
            self.expand_type(frame, member.value)?;
        }
        self.add_property(frame, Keyword::Type.name(), member.key, start);
        Ok(())
    }

    pub(crate) fn expand_type(&mut self, frame: &ObjectExpansion, token: TokenId) -> JsonLdOutcome {
        if !self.document.is_string(token) {
            let message = format!("`{}` is not a type: types are strings", self.shown(token));
            return Err(self.error(JsonLdErrorCode::InvalidTypeValue, token, message));
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = self.document.string_with(token, &mut buffer);
        let key = self.contexts.names.intern(text);
        let known = frame.type_context.expanded_type(key);
        let name = known.or_else(|| {
            let name =
                self.contexts.expand_iri(&frame.type_context, text, RelativeIriRule::VocabThenDocument)?;
            frame.type_context.set_expanded_type(key, name);
            Some(name)
        });
        self.buffer = buffer;
        match name {
            Some(name) => self.elements.push(ExpandedElement::Type { name, token }),
            None => {
                self.warn(WarningCode::KeywordLike, token);
            }
        }
        Ok(())
    }

    /// Expansion 13.4.6: `@included`. Its nodes are like those at the top of the document: nothing points to them, and
    /// nodes without entries are dropped.
    fn expand_included(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &mut ObjectExpansion,
        member: JsonMember,
    ) -> JsonLdOutcome {
        let start = self.elements.len();
        let warnings = self.contexts.warnings.len();
        let shape = self.expand_element(context, ActiveProperty::Null, member.value, false)?;
        let is_node = |element: &ExpandedElement| {
            matches!(element, ExpandedElement::Node(_) | ExpandedElement::Phantom(_))
        };
        let is_null = self.document.kind(member.value) == JsonKind::Null;
        let is_value = || {
            self.contexts.warnings[warnings..]
                .iter()
                .any(|warning| warning.code == WarningCode::FreeFloatingValue)
        };
        let is_other = shape == ElementCount::Null && (is_null || is_value());
        if is_other || !self.elements[start..].iter().all(is_node) {
            let message = "`@included` can only contain nodes";
            return Err(self.error(JsonLdErrorCode::InvalidIncludedValue, member.value, message));
        }
        self.add_property(frame, Keyword::Included.name(), member.key, start);
        Ok(())
    }

    /// Expansion 13.4.7: `@value`.
    fn expand_value_entry(
        &mut self,
        context: &ActiveContext,
        frame: &mut ObjectExpansion,
        member: JsonMember,
    ) -> JsonLdOutcome {
        let value = member.value;
        let fail =
            |message: String| Err(self.error(JsonLdErrorCode::InvalidValueObjectValue, value, message));
        let is_scalar = !self.document.is_object(value) && !self.document.is_array(value);
        if !is_scalar {
            let shown = self.shown(value);
            if self.contexts.is_1_0() {
                return fail(format!("`{shown}` is not a scalar"));
            }
            if !self.input_type_is_json(context, frame.object) {
                let message = format!("`{shown}` is neither a string, number or boolean nor null");
                return Err(self
                    .error(JsonLdErrorCode::InvalidValueObjectValue, value, message)
                    .with_help("add `\"@type\": \"@json\"` to keep it as JSON"));
            }
        }
        frame.value = Some(value);
        Ok(())
    }

    /// Expansion 13.4.13: `@reverse`.
    fn expand_reverse(&mut self, context: &Rc<ActiveContext>, value: TokenId) -> JsonLdOutcome {
        if !self.document.is_object(value) {
            let message = format!("`{}` is not an object", self.shown(value));
            return Err(self.error(JsonLdErrorCode::InvalidReverseValue, value, message));
        }
        let start = self.elements.len();
        self.expand_element(context, ActiveProperty::Keyword(Keyword::Reverse), value, false)?;
        let maps: Vec<ExpandedElement> = self.elements.drain(start..).collect();
        for map in maps {
            let ExpandedElement::Node(node) = map else { continue };
            for mut property in self.arena.properties(node).to_vec() {
                // The reverse of a reverse property points forwards again (13.4.13.3).
                property.reverse = !property.reverse;
                let values = self.arena.values(&property).to_vec();
                if property.reverse && property.lost == NONE {
                    self.check_reverse_values(&values, property.key)?;
                } else if property.lost == NONE && values.iter().all(|value| !value.is_kept()) {
                    // Values are added one by one, so no property without values is added.
                    let Some(&ExpandedElement::Missing { cause }) = values.first() else { continue };
                    property.lost = cause;
                }
                self.properties.push(property);
            }
        }
        Ok(())
    }

    /// Checks that all values are nodes, because only nodes can point back.
    fn check_reverse_values(&self, values: &[ExpandedElement], key: TokenId) -> JsonLdOutcome {
        if values.iter().all(|value| {
            matches!(
                value,
                ExpandedElement::Node(_) | ExpandedElement::Taken { .. } | ExpandedElement::Missing { .. }
            )
        }) {
            return Ok(());
        }
        let message = format!(
            "the reverse property `{}` can only have nodes as values",
            self.shown(key).trim_matches('"')
        );
        Err(self.error(JsonLdErrorCode::InvalidReversePropertyValue, key, message))
    }

    /// Expansion 13.5 to 13.14: a key that is a property.
    #[inline]
    fn expand_property(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &mut ObjectExpansion,
        name: InternedName,
        definition: Option<&TermDefinition>,
        member: JsonMember,
    ) -> JsonLdOutcome {
        let start = self.elements.len();
        let property = ActiveProperty::Term(member.symbol);
        if !self.mode.json_values.is_empty() && self.mode.json_values.contains(&member.value) {
            self.elements.push(Self::json_value(member.value));
            self.add_property(frame, name, member.key, start);
            return Ok(());
        }
        if self.is_plain_scalar(definition, member.value) {
            let value = self.expand_value(context, definition, member.value);
            let property = self.arena.add_single(name, member.key, value);
            self.properties.push(property);
            return Ok(());
        }
        let Some(definition) = definition else {
            let shape = self.expand_element(context, property, member.value, false)?;
            return self.keep(frame, name, member, shape, start);
        };
        let is_object = self.document.is_object(member.value);
        let container = definition.container;
        // The values of maps and graph containers change after they are expanded.
        let keyed = [Keyword::Index, Keyword::Type, Keyword::Id, Keyword::Graph];
        let changes = !container.is_plain() && keyed.iter().any(|&keyword| container.has(keyword));
        let may_take = self.may_take;
        self.may_take &= !changes;
        let shape = if definition.type_mapping == Some(TypeMapping::Json) {
            self.elements.push(Self::json_value(member.value));
            ElementCount::One
        } else if is_object && container.has(Keyword::Language) {
            self.expand_language_map(context, definition, member.value)?
        } else if is_object
            && [Keyword::Index, Keyword::Type, Keyword::Id].iter().any(|&keyword| container.has(keyword))
        {
            self.expand_index_map(context, definition, property, member.value)?
        } else {
            self.expand_element(context, property, member.value, false)?
        };
        self.may_take = may_take;
        if shape != ElementCount::Null && !container.is_plain() {
            // Expansion 13.11: the values of a list container form one list.
            if container.has(Keyword::List) && !self.is_list_object(shape, start) {
                self.wrap_list(start);
            }
            // Expansion 13.12.
            if container.has(Keyword::Graph) && !container.has(Keyword::Id) && !container.has(Keyword::Index)
            {
                for at in start..self.elements.len() {
                    self.elements[at] = self.graph_object(self.elements[at], member.value);
                }
            }
        }
        if definition.reverse && shape != ElementCount::Null {
            self.check_reverse_values(&self.elements[start..], member.key)?;
        }
        self.keep(frame, name, member, shape, start)?;
        if definition.reverse
            && let Some(property) = self.properties.last_mut()
        {
            property.reverse = true;
        }
        Ok(())
    }

    /// Returns whether a value is a scalar that only needs value expansion, like nearly all values.
    #[inline]
    fn is_plain_scalar(&self, definition: Option<&TermDefinition>, value: TokenId) -> bool {
        !matches!(self.document.kind(value), JsonKind::Null | JsonKind::Array | JsonKind::Object)
            && definition.is_none_or(|definition| {
                definition.context.is_none() && definition.container.is_plain() && !definition.reverse
            })
    }

    /// Expansion 13.10 and 13.14: adds the property, or marks it as lost if its value was null.
    #[inline]
    fn keep(
        &mut self,
        frame: &mut ObjectExpansion,
        name: InternedName,
        member: JsonMember,
        shape: ElementCount,
        start: usize,
    ) -> JsonLdOutcome {
        self.add_property(frame, name, member.key, start);
        if shape == ElementCount::Null
            && let Some(property) = self.properties.last_mut()
        {
            // A null leaves a mark with its warning. Such a property has no other values.
            match self.arena.values(property).first() {
                Some(&ExpandedElement::Missing { cause }) => property.lost = cause,
                _ => {
                    self.properties.pop();
                }
            }
        }
        Ok(())
    }

    fn is_list_object(&self, shape: ElementCount, start: usize) -> bool {
        shape == ElementCount::One && matches!(self.elements[start..], [ExpandedElement::List(_)])
    }

    pub(crate) fn json_value(token: TokenId) -> ExpandedElement {
        ExpandedElement::Value(ValueObject { token, datatype: Keyword::Json.name(), extra: NONE })
    }

    /// Returns a graph object around an element.
    pub(crate) fn graph_object(&mut self, element: ExpandedElement, token: TokenId) -> ExpandedElement {
        if matches!(element, ExpandedElement::Missing { .. }) {
            return element;
        }
        let values = self.arena.add_elements(std::iter::once(element));
        let graph = self.arena.add_property(Keyword::Graph.name(), token, values);
        ExpandedElement::Node(self.arena.add_node(token, None, None, &[graph]))
    }

    /// Expansion 14: the entries of nested objects belong to the outer object.
    fn expand_nest(
        &mut self,
        context: &Rc<ActiveContext>,
        frame: &mut ObjectExpansion,
        nest: JsonMember,
    ) -> JsonLdOutcome {
        let document = self.document;
        let key = self.contexts.names.find(document.symbol_text(nest.symbol));
        let definition = key.and_then(|key| context.term(key)).cloned();
        let scoped = match definition.as_ref().and_then(|definition| definition.context.as_ref()) {
            Some(local) => {
                let call = ContextCall { override_protected: true, ..ContextCall::default() };
                self.contexts.process(context, local, call)?
            }
            None => Rc::clone(context),
        };
        let single = (!document.is_array(nest.value)).then_some(nest.value);
        for object in single.into_iter().chain(document.items(nest.value)) {
            let is_value = |expander: &mut Self| {
                document.members(object).any(|member| {
                    matches!(expander.meaning(&scoped, member.symbol), KeyMeaning::Keyword(Keyword::Value))
                })
            };
            if !document.is_object(object) || is_value(self) {
                let message = format!("`{}` is nested but not an object with properties", self.shown(object));
                return Err(self.error(JsonLdErrorCode::InvalidNestValue, object, message));
            }
            self.expand_entries(&scoped, frame, object)?;
        }
        Ok(())
    }
}
