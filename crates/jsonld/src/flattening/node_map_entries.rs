//! The entries of a node map while it grows: the values of every property of every node, as sets.

use crate::arena_sources::ArenaSources;
use crate::expanded_arena::{ExpandedArena, ExpandedElement, IdEntry, PropertyEntry, ValueObject};
use crate::flattening::node_map::{NodeMap, NodeMapGraph, NodeMapSubject};
use crate::name_interner::{InternedName, NameInterner};
use evalgraph_json::{JsonDocument, TokenId};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// The end of a chain.
const END: u32 = u32::MAX;

/// Up to this many properties of a node, or values of a property, are searched one by one; more are hashed.
const FEW: u32 = 16;

/// A node of a graph.
struct GrowingNode {
    id: IdEntry,
    index: Option<TokenId>,
    /// Its properties, as a chain.
    first: u32,
    last: u32,
    count: u32,
    /// `true` if properties were not added in the order of their names.
    is_unordered: bool,
}

/// A property of a node.
#[derive(Clone, Copy)]
struct GrowingProperty {
    name: InternedName,
    key: TokenId,
    next: u32,
    /// Its values, as a chain.
    first: u32,
    last: u32,
    count: u32,
}

#[derive(Clone, Copy)]
struct ElementLink {
    element: ExpandedElement,
    next: u32,
}

/// The entries while they grow, with the arena that already has the references and lists.
pub(crate) struct NodeMapEntries<'d> {
    pub(crate) map: NodeMap,
    document: &'d Arc<JsonDocument>,
    nodes: Vec<GrowingNode>,
    entries: Vec<GrowingProperty>,
    links: Vec<ElementLink>,
    /// The properties of nodes with more than a few.
    wide: HashMap<(u32, InternedName), u32, FixedState>,
    /// The values of properties that have more than a few, as pairs of entry and link.
    seen: HashTable<(u32, u32)>,
    hasher: FixedState,
}

/// Numbers are below 2^32, because every entry comes from one or two tokens of a document below 4 GiB.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a document below 4 GiB has fewer entries than u32 counts")
}

impl<'d> NodeMapEntries<'d> {
    /// Starts with the empty default graph.
    pub(crate) fn new(arena: ExpandedArena, document: &'d Arc<JsonDocument>) -> Self {
        let map = NodeMap { arena, graphs: vec![NodeMapGraph::default()], ..NodeMap::default() };
        Self {
            map,
            document,
            nodes: Vec::new(),
            entries: Vec::new(),
            links: Vec::new(),
            wide: HashMap::default(),
            seen: HashTable::new(),
            hasher: FixedState::default(),
        }
    }

    /// Returns the number of the graph with this name; the token is the place of the name.
    pub(crate) fn graph(&mut self, name: InternedName, token: TokenId) -> u32 {
        let graphs = &mut self.map.graphs;
        *self.map.graph_numbers.entry(name).or_insert_with(|| {
            graphs.push(NodeMapGraph { id: Some(IdEntry { name: Some(name), token }), subjects: Vec::new() });
            number(graphs.len() - 1)
        })
    }

    /// Returns the number of a node of a graph.
    pub(crate) fn subject(&mut self, graph: u32, id: InternedName, token: TokenId) -> u32 {
        if let Some(subject) = self.map.numbers.get(graph, id) {
            return subject;
        }
        let subject = number(self.nodes.len());
        let id_entry = IdEntry { name: Some(id), token };
        self.nodes.push(GrowingNode {
            id: id_entry,
            index: None,
            first: END,
            last: END,
            count: 0,
            is_unordered: false,
        });
        self.map.subjects.push(NodeMapSubject { id, node: END });
        self.map.graphs[graph as usize].subjects.push(subject);
        self.map.numbers.insert(graph, id, subject);
        subject
    }

    pub(crate) fn index(&self, subject: u32) -> Option<TokenId> {
        self.nodes[subject as usize].index
    }

    pub(crate) fn set_index(&mut self, subject: u32, index: TokenId) {
        self.nodes[subject as usize].index = Some(index);
    }

    /// Adds a property to a node if it lacks it, and returns its number.
    pub(crate) fn property(
        &mut self,
        subject: u32,
        name: InternedName,
        key: TokenId,
        names: &NameInterner,
    ) -> u32 {
        let GrowingNode { first, last, count, .. } = self.nodes[subject as usize];
        let known = if count <= FEW {
            let mut at = first;
            while at != END && self.entries[at as usize].name != name {
                at = self.entries[at as usize].next;
            }
            (at != END).then_some(at)
        } else {
            self.wide.get(&(subject, name)).copied()
        };
        if let Some(known) = known {
            return known;
        }
        let entry = number(self.entries.len());
        self.entries.push(GrowingProperty { name, key, next: END, first: END, last: END, count: 0 });
        let node = &mut self.nodes[subject as usize];
        if last == END {
            node.first = entry;
        } else {
            let previous = self.entries[last as usize].name;
            node.is_unordered |= names.text(previous) > names.text(name);
            self.entries[last as usize].next = entry;
        }
        node.last = entry;
        node.count += 1;
        match node.count.cmp(&(FEW + 1)) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => self.hash_properties(subject),
            std::cmp::Ordering::Greater => {
                self.wide.insert((subject, name), entry);
            }
        }
        entry
    }

    fn hash_properties(&mut self, subject: u32) {
        let mut at = self.nodes[subject as usize].first;
        while at != END {
            let GrowingProperty { name, next, .. } = self.entries[at as usize];
            self.wide.insert((subject, name), at);
            at = next;
        }
    }

    /// Adds a value to a property unless the property has it already. Lists are always added.
    pub(crate) fn add(&mut self, entry: u32, element: ExpandedElement) {
        if matches!(element, ExpandedElement::List(_)) {
            self.push(entry, element);
            return;
        }
        let GrowingProperty { first, count, .. } = self.entries[entry as usize];
        if count > FEW {
            self.add_hashed(entry, element);
            return;
        }
        let mut at = first;
        while at != END {
            let link = self.links[at as usize];
            if self.is_same(link.element, element) {
                return;
            }
            at = link.next;
        }
        self.push(entry, element);
        if count == FEW {
            self.hash_values(entry);
        }
    }

    fn push(&mut self, entry: u32, element: ExpandedElement) {
        let link = number(self.links.len());
        self.links.push(ElementLink { element, next: END });
        let entry = &mut self.entries[entry as usize];
        if entry.last == END {
            entry.first = link;
        } else {
            self.links[entry.last as usize].next = link;
        }
        entry.last = link;
        entry.count += 1;
    }

    fn add_hashed(&mut self, entry: u32, element: ExpandedElement) {
        let hash = self.hash(entry, element);
        let is_known = self.seen.find(hash, |&(other, link)| {
            other == entry && self.is_same(self.links[link as usize].element, element)
        });
        if is_known.is_none() {
            self.push(entry, element);
            self.hash_value(entry, number(self.links.len() - 1));
        }
    }

    /// Hashes the values of a property when there are more than a few.
    fn hash_values(&mut self, entry: u32) {
        let mut at = self.entries[entry as usize].first;
        while at != END {
            self.hash_value(entry, at);
            at = self.links[at as usize].next;
        }
    }

    fn hash_value(&mut self, entry: u32, link: u32) {
        let hash = self.hash(entry, self.links[link as usize].element);
        // The table needs the hashes of its values to grow, and these need the entries.
        let mut seen = std::mem::take(&mut self.seen);
        seen.insert_unique(hash, (entry, link), |&(entry, link)| {
            self.hash(entry, self.links[link as usize].element)
        });
        self.seen = seen;
    }

    /// Hashes a value; equal values have equal hashes.
    fn hash(&self, entry: u32, element: ExpandedElement) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        entry.hash(&mut hasher);
        match element {
            ExpandedElement::Node(node) => self.id(node).hash(&mut hasher),
            ExpandedElement::Type { name, .. } => name.hash(&mut hasher),
            ExpandedElement::Value(value) => self.hash_scalar(&value, &mut hasher),
            _ => {}
        }
        hasher.finish()
    }

    fn hash_scalar(&self, value: &ValueObject, hasher: &mut impl Hasher) {
        value.datatype.hash(hasher);
        self.map.arena.extra(value).language.hash(hasher);
        // Numbers are equal by value, so the hash must not depend on their spelling.
        if let Some(number) = self.document.number(value.token) {
            number.parse::<f64>().unwrap_or_default().to_bits().hash(hasher);
        } else if let Some(text) = self.document.string(value.token) {
            text.hash(hasher);
        } else {
            self.document.kind(value.token).hash(hasher);
        }
    }

    fn id(&self, node: u32) -> Option<InternedName> {
        self.map.arena.node(node).id.and_then(|id| id.name)
    }

    fn is_same(&self, left: ExpandedElement, right: ExpandedElement) -> bool {
        match (left, right) {
            (ExpandedElement::Node(left), ExpandedElement::Node(right)) => self.id(left) == self.id(right),
            (ExpandedElement::Type { name: left, .. }, ExpandedElement::Type { name: right, .. }) => {
                left == right
            }
            (ExpandedElement::Value(left), ExpandedElement::Value(right)) => {
                ArenaSources::one(self.document).same_value(&self.map.arena, &left, &right)
            }
            _ => false,
        }
    }

    /// Copies all entries of a node to another one.
    pub(crate) fn merge(&mut self, from: u32, to: u32, names: &NameInterner) {
        if let Some(index) = self.nodes[from as usize].index {
            self.nodes[to as usize].index = Some(index);
        }
        let mut at = self.nodes[from as usize].first;
        while at != END {
            let GrowingProperty { name, key, next, first, .. } = self.entries[at as usize];
            let entry = self.property(to, name, key, names);
            let mut value = first;
            while value != END {
                let link = self.links[value as usize];
                self.add(entry, link.element);
                value = link.next;
            }
            at = next;
        }
    }

    /// Returns the id of a node, and where it is written.
    pub(crate) fn id_of(&self, subject: u32) -> IdEntry {
        self.nodes[subject as usize].id
    }

    /// Finishes the node map. The properties of every node are sorted by name.
    pub(crate) fn finish(mut self, names: &NameInterner) -> NodeMap {
        let mut properties: Vec<PropertyEntry> = Vec::new();
        for (subject, node) in self.nodes.iter().enumerate() {
            properties.clear();
            let mut at = node.first;
            while at != END {
                let GrowingProperty { name, key, next, first, .. } = self.entries[at as usize];
                let mut value = first;
                let links = &self.links;
                let values = self.map.arena.add_elements(std::iter::from_fn(|| {
                    let link = (value != END).then(|| links[value as usize])?;
                    value = link.next;
                    Some(link.element)
                }));
                properties.push(self.map.arena.add_property(name, key, values));
                at = next;
            }
            if node.is_unordered {
                properties.sort_by_key(|property| names.text(property.name));
            }
            let id = node.id;
            self.map.subjects[subject].node =
                self.map.arena.add_node(id.token, Some(id), node.index, &properties);
        }
        self.map
    }
}
