//! Expansion Algorithm, steps 13.7 and 13.8: language, index, id, type and graph maps.
//!
//! `ExpansionAlgorithm` is defined in `expansion/mod.rs`.

use crate::context::relative::RelativeIriRule;
use crate::context::term_creation::ContextCall;
use crate::context::{ActiveContext, TermDefinition};
use crate::expanded_arena::{ExpandedElement, IdEntry, NO_DATATYPE, ValueExtra, ValueObject};
use crate::expansion::{ActiveProperty, ElementCount, ExpansionAlgorithm, NodeTaker};
use crate::name_interner::{InternedName, Keyword};
use crate::warning::WarningCode;
use crate::{JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{JsonKind, JsonMember, TokenId};
use std::rc::Rc;

impl<T: NodeTaker> ExpansionAlgorithm<'_, '_, T> {
    fn map_members(&self, map: TokenId) -> Vec<JsonMember> {
        let mut members: Vec<JsonMember> = self.document.members(map).collect();
        if self.ordered {
            members.sort_by_key(|member| self.document.symbol_text(member.symbol));
        }
        members
    }

    /// Expansion 13.7: a language map.
    pub(crate) fn expand_language_map(
        &mut self,
        context: &ActiveContext,
        definition: &TermDefinition,
        map: TokenId,
    ) -> JsonLdOutcome<ElementCount> {
        let direction = definition.direction.unwrap_or(context.direction);
        let document = self.document;
        for member in self.map_members(map) {
            let text = document.symbol_text(member.symbol);
            let expanded = self.contexts.expand_iri(context, text, RelativeIriRule::Vocab);
            let is_none = expanded == Some(Keyword::None.name());
            let language = (!is_none).then(|| self.contexts.names.intern(text));
            let language_token = (!is_none).then_some(member.key);
            let single = (!document.is_array(member.value)).then_some(member.value);
            for item in single.into_iter().chain(document.items(member.value)) {
                if document.kind(item) == JsonKind::Null {
                    let cause = self.warn(WarningCode::NullValue, item);
                    self.elements.push(ExpandedElement::Missing { cause });
                    continue;
                }
                if !document.is_string(item) {
                    let message = format!("`{}` is in a language map, but is not a string", self.shown(item));
                    return Err(self.error(JsonLdErrorCode::InvalidLanguageMapValue, item, message));
                }
                let extra =
                    self.arena.add_extra(ValueExtra { language, language_token, direction, index: None });
                self.elements.push(ExpandedElement::Value(ValueObject {
                    token: item,
                    datatype: NO_DATATYPE,
                    extra,
                }));
            }
        }
        Ok(ElementCount::Array)
    }

    /// Expansion 13.8: an index, id or type map, of graphs or of other values.
    pub(crate) fn expand_index_map(
        &mut self,
        context: &Rc<ActiveContext>,
        definition: &TermDefinition,
        property: ActiveProperty,
        map: TokenId,
    ) -> JsonLdOutcome<ElementCount> {
        let container = definition.container;
        for member in self.map_members(map) {
            let map_context = self.map_context(context, definition, member)?;
            let index = self.document.symbol_text(member.symbol);
            let expanded = self.contexts.expand_iri(context, index, RelativeIriRule::Vocab);
            let is_none = expanded == Some(Keyword::None.name());
            let start = self.elements.len();
            self.expand_element(&map_context, property, member.value, true)?;
            for at in start..self.elements.len() {
                let mut item = self.elements[at];
                if container.has(Keyword::Graph) && !self.is_graph(item) {
                    item = self.graph_object(item, member.value);
                    self.elements[at] = item;
                }
                if is_none {
                    continue;
                }
                // A key without an IRI, such as a term that maps to null, is still an index.
                if container.has(Keyword::Index) {
                    self.add_index(context, definition, item, member)?;
                } else if container.has(Keyword::Id) {
                    self.add_id(context, item, member)?;
                } else if let Some(expanded) = expanded {
                    self.add_type(item, expanded, member)?;
                }
                // An index changes the entries of a value object, so the element is replaced.
                if let (ExpandedElement::Value(_), true) = (item, container.has(Keyword::Index)) {
                    self.elements[at] = self.indexed_value(item, member);
                }
            }
        }
        Ok(ElementCount::Array)
    }

    /// Expansion 13.8.3.1 to 13.8.3.3: the context for the values under one key of the map.
    fn map_context(
        &mut self,
        context: &Rc<ActiveContext>,
        definition: &TermDefinition,
        member: JsonMember,
    ) -> JsonLdOutcome<Rc<ActiveContext>> {
        let container = definition.container;
        if !container.has(Keyword::Id) && !container.has(Keyword::Type) {
            return Ok(Rc::clone(context));
        }
        let map_context = context.previous.as_ref().unwrap_or(context);
        if container.has(Keyword::Type) {
            let index = self.contexts.names.find(self.document.symbol_text(member.symbol));
            let definition = index.and_then(|index| map_context.term(index)).cloned();
            if let Some(local) = definition.as_ref().and_then(|definition| definition.context.as_ref()) {
                let call = ContextCall { propagate: false, ..ContextCall::default() };
                return self.contexts.process(map_context, local, call);
            }
        }
        Ok(Rc::clone(map_context))
    }

    fn is_graph(&self, element: ExpandedElement) -> bool {
        matches!(element, ExpandedElement::Node(node) if self.arena.is_graph_object(node))
    }

    /// Expansion 13.8.3.7.2 and 13.8.3.7.3: adds the index as `@index`, or as a property.
    fn add_index(
        &mut self,
        context: &Rc<ActiveContext>,
        definition: &TermDefinition,
        item: ExpandedElement,
        member: JsonMember,
    ) -> JsonLdOutcome {
        let index_key = definition.index.filter(|&key| key != Keyword::Index.name());
        let Some(index_key) = index_key else {
            match item {
                ExpandedElement::Node(node) => {
                    self.arena.nodes[node as usize].index.get_or_insert(member.key);
                }
                ExpandedElement::List(list) => self.arena.set_list_index(list, member.key),
                _ => {}
            }
            return Ok(());
        };
        let ExpandedElement::Node(node) = item else {
            return self.refuse_key_of(item, member, "a property");
        };
        let key_definition = context.term(index_key).cloned();
        let value = self.expand_value(context, key_definition.as_deref(), member.key);
        let key_text = self.contexts.names.text(index_key).to_owned();
        if let Some(name) = self.contexts.expand_iri(context, &key_text, RelativeIriRule::Vocab) {
            let values = self.arena.add_elements(std::iter::once(value));
            let property = self.arena.add_property(name, member.key, values);
            self.arena.prepend_property(node, property);
        }
        Ok(())
    }

    fn indexed_value(&mut self, item: ExpandedElement, member: JsonMember) -> ExpandedElement {
        let ExpandedElement::Value(mut value) = item else { return item };
        let mut extra = self.arena.extra(&value);
        extra.index.get_or_insert(member.key);
        value.extra = self.arena.add_extra(extra);
        ExpandedElement::Value(value)
    }

    /// Expansion 13.8.3.7.4.
    fn add_id(
        &mut self,
        context: &ActiveContext,
        item: ExpandedElement,
        member: JsonMember,
    ) -> JsonLdOutcome {
        let ExpandedElement::Node(node) = item else { return self.refuse_key_of(item, member, "an id") };
        if self.arena.node(node).id.is_none() {
            let name = self.expand_token_iri(context, member.key, RelativeIriRule::Document);
            self.arena.nodes[node as usize].id = Some(IdEntry { name, token: member.key });
        }
        Ok(())
    }

    /// Expansion 13.8.3.7.5.
    fn add_type(&mut self, item: ExpandedElement, name: InternedName, member: JsonMember) -> JsonLdOutcome {
        let ExpandedElement::Node(node) = item else { return self.refuse_key_of(item, member, "a type") };
        let values =
            self.arena.add_elements(std::iter::once(ExpandedElement::Type { name, token: member.key }));
        let property = self.arena.add_property(Keyword::Type.name(), member.key, values);
        self.arena.prepend_property(node, property);
        Ok(())
    }

    /// Refuses a map key that only a node can have: with it, a value or list would no longer be one.
    fn refuse_key_of(&self, item: ExpandedElement, member: JsonMember, entry: &str) -> JsonLdOutcome {
        let (code, kind) = match item {
            ExpandedElement::Value(_) => (JsonLdErrorCode::InvalidValueObject, "a value"),
            ExpandedElement::List(_) => (JsonLdErrorCode::InvalidSetOrListObject, "a list"),
            _ => return Ok(()),
        };
        let value = self.shown(member.value);
        let message = format!("`{value}` gets {entry} from the key of its map, but {kind} cannot have one");
        Err(self.error(code, member.value, message))
    }
}
