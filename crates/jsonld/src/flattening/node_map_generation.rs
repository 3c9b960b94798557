//! Node Map Generation (section 7.2): collects the entries of an expanded document for each node of each graph.
//!
//! Recurses by level of the document, which the JSON parser limits.

use crate::context::context_processor::ContextProcessor;
use crate::expanded_arena::{ExpandedArena, ExpandedElement, IdEntry, NONE, PropertyEntry};
use crate::flattening::blank_node_identifiers::{BlankNodeIdentifiers, is_blank};
use crate::flattening::node_map::DEFAULT_GRAPH;
use crate::flattening::node_map_entries::NodeMapEntries;
use crate::name_interner::{InternedName, Keyword};
use crate::warning::WarningCode;
use crate::{JsonLdError, JsonLdErrorCode, JsonLdOutcome};
use evalgraph_json::{JsonDocument, TokenId};
use std::sync::Arc;

/// The role of an element: the active subject, active property and list of the specification.
#[derive(Clone, Copy)]
enum ElementRole {
    /// It is at the top: nothing points to it.
    Free,
    /// It is a value of a property of a subject.
    Value { subject: u32, name: InternedName, key: TokenId },
    /// It points to the node with this id, by a reverse property.
    Reverse { target: IdEntry, name: InternedName, key: TokenId },
    /// It is an item of the list that is being collected.
    Item,
}

/// A running generation.
pub(crate) struct NodeMapGeneration<'g, 'd, 'l> {
    contexts: &'g mut ContextProcessor<'l>,
    document: &'d Arc<JsonDocument>,
    source: &'g ExpandedArena,
    identifiers: BlankNodeIdentifiers,
    entries: NodeMapEntries<'d>,
    /// The items of the lists that are being collected.
    items: Vec<ExpandedElement>,
    /// The places of the properties of the open nodes, in the order of their names.
    order: Vec<usize>,
    /// The rank of each property name among all of them, by the number of the name.
    ranks: Vec<u32>,
}

/// Generates the node map of an expanded document. The map is not finished, so graphs can still be merged.
///
/// # Errors
/// `conflicting indexes`.
pub(crate) fn generate<'d>(
    contexts: &mut ContextProcessor<'_>,
    document: &'d Arc<JsonDocument>,
    source: &mut ExpandedArena,
) -> JsonLdOutcome<NodeMapEntries<'d>> {
    let entries = NodeMapEntries::new(ExpandedArena::with_extras_of(source), document);
    let ranks = ranks(contexts, source);
    let mut generation = NodeMapGeneration {
        contexts,
        document,
        source,
        identifiers: BlankNodeIdentifiers::default(),
        entries,
        items: Vec::new(),
        order: Vec::new(),
        ranks,
    };
    generation.elements(DEFAULT_GRAPH, &source.top, ElementRole::Free)?;
    Ok(generation.entries)
}

/// Ranks the names of properties, because properties are processed in order and numbers are cheaper to compare.
fn ranks(contexts: &ContextProcessor<'_>, source: &ExpandedArena) -> Vec<u32> {
    let names = &contexts.names;
    let mut ranks = vec![NONE; names.len()];
    let mut met: Vec<InternedName> = Vec::new();
    for name in source.property_names() {
        if std::mem::replace(&mut ranks[name.index()], 0) == NONE {
            met.push(name);
        }
    }
    met.sort_unstable_by_key(|&name| names.text(name));
    for (rank, name) in (0_u32..).zip(met) {
        ranks[name.index()] = rank;
    }
    ranks
}

impl NodeMapGeneration<'_, '_, '_> {
    /// Node Map Generation 1: an array.
    fn elements(&mut self, graph: u32, elements: &[ExpandedElement], place: ElementRole) -> JsonLdOutcome {
        elements.iter().try_for_each(|&element| self.element(graph, element, place))
    }

    fn element(&mut self, graph: u32, element: ExpandedElement, place: ElementRole) -> JsonLdOutcome {
        match element {
            ExpandedElement::Node(node) => self.node(graph, node, place),
            ExpandedElement::List(list) => self.list(graph, list, place),
            // Node Map Generation 4: a value object.
            ExpandedElement::Value(_) => {
                self.put(element, place);
                Ok(())
            }
            // Dropped elements are not part of the expanded document.
            _ => Ok(()),
        }
    }

    /// Puts an element where it belongs; the caller handles reverse properties.
    fn put(&mut self, element: ExpandedElement, place: ElementRole) {
        match place {
            ElementRole::Value { subject, name, key } => {
                let entry = self.entries.property(subject, name, key, &self.contexts.names);
                self.entries.add(entry, element);
            }
            ElementRole::Item => self.items.push(element),
            ElementRole::Free | ElementRole::Reverse { .. } => {}
        }
    }

    /// Node Map Generation 5: a list object. Its index is not kept.
    fn list(&mut self, graph: u32, list: u32, place: ElementRole) -> JsonLdOutcome {
        let source = self.source;
        let start = self.items.len();
        self.elements(graph, source.items(source.list(list)), ElementRole::Item)?;
        let arena = &mut self.entries.map.arena;
        let items = arena.add_elements(self.items.drain(start..));
        let list = arena.add_list(items, None);
        self.put(list, place);
        Ok(())
    }

    /// Node Map Generation 6: a node object.
    fn node(&mut self, graph: u32, node: u32, place: ElementRole) -> JsonLdOutcome {
        let source = self.source;
        let properties = source.properties(node);
        let types =
            properties.iter().find(|property| property.name == Keyword::Type.name() && property.lost == NONE);
        // Node Map Generation 3: blank node types get labels before the node does.
        for element in types.map(|types| source.values(types)).unwrap_or_default() {
            if let ExpandedElement::Type { name, .. } = element {
                self.relabelled(*name);
            }
        }
        let Some(id) = self.id(node) else { return Ok(()) };
        let Some(name) = id.name else { return Ok(()) };
        let subject = self.entries.subject(graph, name, id.token);
        // Node Map Generation 6.5 and 6.6.
        match place {
            ElementRole::Reverse { target, name, key } => {
                let reference = self.reference(target);
                self.put(reference, ElementRole::Value { subject, name, key });
            }
            ElementRole::Free => {}
            ElementRole::Value { .. } | ElementRole::Item => {
                let reference = self.reference(id);
                self.put(reference, place);
            }
        }
        if let Some(index) = source.node(node).index {
            self.index(subject, name, index)?;
        }
        if properties.is_empty() {
            return Ok(());
        }
        if let Some(types) = types {
            self.types(subject, types);
        }
        self.keywords_and_reverse(graph, id, properties)?;
        self.properties(graph, subject, properties)
    }

    /// Node Map Generation 6.1 and 6.2. A node whose `@id` expanded to null is not in the map.
    fn id(&mut self, node: u32) -> Option<IdEntry> {
        let source = self.source.node(node);
        match source.id {
            Some(IdEntry { name: Some(name), token }) => {
                Some(IdEntry { name: Some(self.relabelled(name)), token })
            }
            Some(IdEntry { name: None, token }) => {
                self.contexts.warn(WarningCode::InvalidIri, self.document, token);
                None
            }
            None => {
                let fresh = self.identifiers.fresh(&mut self.contexts.names);
                Some(IdEntry { name: Some(fresh), token: source.token })
            }
        }
    }

    fn relabelled(&mut self, name: InternedName) -> InternedName {
        if is_blank(self.contexts.names.text(name)) {
            return self.identifiers.relabel(&mut self.contexts.names, name);
        }
        name
    }

    fn reference(&mut self, id: IdEntry) -> ExpandedElement {
        ExpandedElement::Node(self.entries.map.arena.add_node(id.token, Some(id), None, &[]))
    }

    /// Node Map Generation 6.7.
    fn types(&mut self, subject: u32, types: &PropertyEntry) {
        let source = self.source;
        let entry = self.entries.property(subject, types.name, types.key, &self.contexts.names);
        for &element in source.values(types) {
            if let ExpandedElement::Type { name, token } = element {
                let name = self.relabelled(name);
                self.entries.add(entry, ExpandedElement::Type { name, token });
            }
        }
    }

    /// Node Map Generation 6.8: a node has only one index.
    fn index(&mut self, subject: u32, name: InternedName, index: TokenId) -> JsonLdOutcome {
        let Some(earlier) = self.entries.index(subject) else {
            self.entries.set_index(subject, index);
            return Ok(());
        };
        if self.document.string(earlier) == self.document.string(index) {
            return Ok(());
        }
        let message = format!(
            "`{}` has the index `{}` here and another one elsewhere",
            self.contexts.names.text(name),
            self.document.string(index).unwrap_or_default()
        );
        Err(JsonLdError::new(JsonLdErrorCode::ConflictingIndexes, message, self.document, index))
    }

    /// Node Map Generation 6.9 to 6.11: `@reverse`, `@graph` and `@included`.
    fn keywords_and_reverse(
        &mut self,
        graph: u32,
        id: IdEntry,
        properties: &[PropertyEntry],
    ) -> JsonLdOutcome {
        let source = self.source;
        let kept = || properties.iter().filter(|property| property.lost == NONE);
        if kept().any(|property| property.reverse) {
            let mut reverse: Vec<&PropertyEntry> = kept().filter(|property| property.reverse).collect();
            reverse.sort_unstable_by_key(|property| self.ranks[property.name.index()]);
            for property in reverse {
                let name = self.relabelled(property.name);
                let place = ElementRole::Reverse { target: id, name, key: property.key };
                self.elements(graph, source.values(property), place)?;
            }
        }
        for keyword in [Keyword::Graph, Keyword::Included] {
            let Some(property) = kept().find(|property| property.name == keyword.name() && !property.reverse)
            else {
                continue;
            };
            let inner = match (keyword, id.name) {
                (Keyword::Graph, Some(name)) => self.entries.graph(name, id.token),
                _ => graph,
            };
            self.elements(inner, source.values(property), ElementRole::Free)?;
        }
        Ok(())
    }

    /// Node Map Generation 6.12: the properties, in the order of their names.
    fn properties(&mut self, graph: u32, subject: u32, properties: &[PropertyEntry]) -> JsonLdOutcome {
        let source = self.source;
        let start = self.order.len();
        let is_kept = |property: &PropertyEntry| {
            property.lost == NONE && !property.reverse && self.contexts.names.keyword(property.name).is_none()
        };
        let kept = (0..properties.len()).filter(|&at| is_kept(&properties[at]));
        self.order.extend(kept);
        let ranks = &self.ranks;
        self.order[start..].sort_unstable_by_key(|&at| ranks[properties[at].name.index()]);
        for at in start..self.order.len() {
            let property = &properties[self.order[at]];
            let name = self.relabelled(property.name);
            // A property without values is still a property.
            self.entries.property(subject, name, property.key, &self.contexts.names);
            let place = ElementRole::Value { subject, name, key: property.key };
            self.elements(graph, source.values(property), place)?;
        }
        self.order.truncate(start);
        Ok(())
    }
}
