//! Plans how a node is written: its members, each with its values.
//!
//! Files are read and written along the same plan. A sidecar has what a file contains beyond the plan.

use super::compaction_forms::{CompactionForms, CompactionKind, KeyId, KeyValueForm};
use super::indexed_graph::IndexedGraph;
use super::key_rules::{KeyRules, UNRANKED};
use super::layout::{DocumentLayout, NodeLayout};
use super::tree_findings::TreeFindings;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// The maximum nesting depth of nodes: a node takes two levels of JSON, and 512 levels are read by default.
const DEEPEST: usize = 250;

/// How many nodes may be written again for another parent: this number plus the number of all nodes.
const COPIES: usize = 1000;

/// One value of a member.
#[derive(Debug, Clone)]
pub(crate) struct PlannedEntry {
    /// The rank of the key.
    pub rank: u32,
    pub(crate) key: KeyId,
    pub(crate) value: PlannedValue,
}

/// The kinds of planned values.
#[derive(Debug, Clone)]
pub(crate) enum PlannedValue {
    /// The node's own id.
    Id(BufferTermId),
    /// A class.
    Type(BufferTermId),
    /// An object of a statement.
    Object { predicate: BufferTermId, object: BufferTermId, shape: CompactionKind, form: Rc<KeyValueForm> },
    /// A member of the layout that is not in the graph, by its number.
    Raw(usize),
}

impl PlannedEntry {
    /// Returns the node, if it is written out here.
    pub(crate) fn node(&self) -> Option<BufferTermId> {
        match self.value {
            PlannedValue::Object { object, shape: CompactionKind::Node, .. } => Some(object),
            _ => None,
        }
    }

    /// Returns whether the context puts such a value into an array even if it is the only one.
    pub(crate) fn is_in_array(&self) -> bool {
        matches!(&self.value, PlannedValue::Object { form, .. } if form.in_array)
    }
}

/// How far the writing of a node has progressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeProgress {
    New,
    /// It is being written.
    Open,
    Written,
}

/// Makes the plans of the nodes of a graph.
///
/// Other methods are in `content.rs`.
pub(crate) struct NodePlanner<'g, 'q> {
    pub(crate) graph: &'g IndexedGraph<'q>,
    pub(crate) forms: CompactionForms<'q>,
    pub(crate) layout: &'g DocumentLayout,
    pub(crate) findings: TreeFindings,
    /// The places met so far, by key and class.
    places: HashMap<(KeyId, Option<BufferTermId>), Rc<KeyRules>, foldhash::fast::FixedState>,
    states: Vec<NodeProgress>,
    /// The nodes that were written, in order.
    written: Vec<BufferTermId>,
    copies_left: usize,
    depth: usize,
    root: BufferTermId,
    labels: HashMap<BufferTermId, usize>,
    /// The hashes of nodes that were the only value of a member.
    pub(super) node_hashes: HashMap<BufferTermId, String>,
    /// The sizes of nodes' contents by depth, and the digests of contents that are too large.
    pub(super) content_sizes: HashMap<(BufferTermId, usize), usize>,
    pub(super) content_digests: HashMap<(BufferTermId, usize), String>,
    /// `true` if a member was written from JSON in the layout, so the nodes in it were not visited.
    pub has_skipped: bool,
    rdf_type: Option<BufferTermId>,
    name: Vec<BufferTermId>,
}

impl<'g, 'q> NodePlanner<'g, 'q> {
    pub(crate) fn new(
        graph: &'g IndexedGraph<'q>,
        root: BufferTermId,
        forms: CompactionForms<'q>,
        layout: &'g DocumentLayout,
    ) -> Self {
        Self {
            graph,
            forms,
            layout,
            findings: TreeFindings::default(),
            places: HashMap::default(),
            states: vec![NodeProgress::New; graph.slot_count()],
            written: Vec::new(),
            copies_left: COPIES + graph.subjects().len(),
            depth: 0,
            root,
            labels: HashMap::new(),
            node_hashes: HashMap::new(),
            content_sizes: HashMap::new(),
            content_digests: HashMap::new(),
            has_skipped: false,
            rdf_type: graph.rdf_type(),
            name: graph.schema_org("name"),
        }
    }

    /// Returns the rules of the place of a node under a key.
    pub(crate) fn place(&mut self, key: KeyId, node: BufferTermId) -> Rc<KeyRules> {
        let class = self.class(node);
        let Self { places, layout, forms, .. } = self;
        let place = places.entry((key, class));
        Rc::clone(place.or_insert_with(|| Rc::new(KeyRules::of_place(layout, forms, key, class))))
    }

    /// Returns the class of a node that selects its place; if there are several, the first in the written order.
    pub(crate) fn class(&mut self, node: BufferTermId) -> Option<BufferTermId> {
        let mut classes = self.graph.objects(node, self.rdf_type?);
        let first = classes.next()?;
        let Some(second) = classes.next() else { return Some(first) };
        let all: Vec<BufferTermId> = [first, second].into_iter().chain(classes).collect();
        all.into_iter().min_by_key(|&class| self.forms.type_text(class))
    }

    /// Returns the layout of a node.
    pub(crate) fn node_layout(&self, node: BufferTermId) -> Option<&'g NodeLayout> {
        if self.layout.nodes.is_empty() { None } else { self.layout.nodes.get(&node) }
    }

    /// Begins to write a node.
    pub(crate) fn enter(&mut self, node: BufferTermId) {
        if self.state(node) == NodeProgress::Written {
            self.copies_left = self.copies_left.saturating_sub(1);
            self.findings.copies.add(node);
        }
        self.set(node, NodeProgress::Open);
        self.depth += 1;
    }

    /// Finishes a node that was written.
    pub(crate) fn leave(&mut self, node: BufferTermId) {
        self.set(node, NodeProgress::Written);
        self.written.push(node);
        self.depth -= 1;
    }

    /// Abandons a node that was begun.
    pub(crate) fn give_up(&mut self, node: BufferTermId) {
        self.set(node, NodeProgress::New);
        self.depth -= 1;
    }

    fn state(&self, node: BufferTermId) -> NodeProgress {
        self.graph.slot(node).map_or(NodeProgress::New, |slot| self.states[slot])
    }

    fn set(&mut self, node: BufferTermId, state: NodeProgress) {
        if let Some(slot) = self.graph.slot(node) {
            self.states[slot] = state;
        }
    }

    /// Returns how many nodes were written.
    pub(crate) fn written_count(&self) -> usize {
        self.written.len()
    }

    /// Undoes the writing of all nodes except the first `written`.
    pub(crate) fn take_back(&mut self, written: usize) {
        for node in self.written.split_off(written) {
            self.set(node, NodeProgress::New);
        }
    }

    /// Returns whether a node has been neither written nor begun.
    pub(crate) fn is_new(&self, node: BufferTermId) -> bool {
        self.state(node) == NodeProgress::New
    }

    /// Returns whether some nodes with statements were not written.
    pub(crate) fn has_unwritten(&self) -> bool {
        self.graph.subjects().iter().any(|node| self.is_new(*node))
    }

    /// Returns the nodes with statements that were left out.
    pub(crate) fn unreached(&self) -> Vec<BufferTermId> {
        let subjects = self.graph.subjects().iter().copied();
        let unwritten: Vec<BufferTermId> = subjects.filter(|node| self.is_new(*node)).collect();
        if unwritten.is_empty() {
            return unwritten;
        }
        // Nodes inside JSON of the layout were not visited.
        let raw = self.layout.nodes.iter().filter(|(_, layout)| layout.is_raw);
        let skipped = self.has_skipped.then_some(self.root);
        let mut is_reached = vec![false; self.states.len()];
        for node in raw.map(|(node, _)| *node).chain(skipped) {
            self.graph.reach(node, &mut is_reached);
        }
        unwritten
            .into_iter()
            .filter(|node| !self.graph.slot(*node).is_some_and(|slot| is_reached[slot]))
            .collect()
    }

    /// Appends the values of a node, in arbitrary order.
    pub(crate) fn plan(&mut self, node: BufferTermId, planned: &mut Vec<PlannedEntry>) {
        let layout = self.node_layout(node);
        if self.has_id(node) {
            planned.push(PlannedEntry { rank: UNRANKED, key: KeyId::ID, value: PlannedValue::Id(node) });
        }
        let graph = self.graph;
        // The file has only references under these keys, although the plan would write the nodes out.
        let references = layout.into_iter().flat_map(|layout| &layout.references);
        let references: HashSet<KeyId> = references.map(|key| self.forms.key(key)).collect();
        for &(predicate, object) in graph.statements(node) {
            if Some(predicate) == self.rdf_type && matches!(graph.quads().term(object), TermRef::Iri(_)) {
                let value = PlannedValue::Type(object);
                planned.push(PlannedEntry { rank: UNRANKED, key: KeyId::TYPE, value });
                continue;
            }
            let mut shape = self.shape(object);
            let mut form = self.forms.form(predicate, shape);
            if shape == CompactionKind::Node && references.contains(&form.key) {
                shape = CompactionKind::Reference;
                form = self.forms.form(predicate, shape);
            }
            let key = form.key;
            let value = PlannedValue::Object { predicate, object, shape, form };
            planned.push(PlannedEntry { rank: UNRANKED, key, value });
        }
    }

    /// Returns the shape of an object; a node is written out if possible.
    fn shape(&mut self, object: BufferTermId) -> CompactionKind {
        let is_blank = match self.graph.quads().term(object) {
            TermRef::Literal { lexical, kind } => {
                let shape = self.forms.literal_shape(object, lexical, kind);
                if self.forms.is_broken_json(shape) {
                    self.findings.invalid_json.add(object);
                }
                return shape;
            }
            TermRef::Iri(_) => false,
            TermRef::BlankNode => true,
        };
        if !is_blank && !self.graph.is_subject(object) {
            return CompactionKind::Reference;
        }
        match self.state(object) {
            NodeProgress::New if self.depth < DEEPEST => CompactionKind::Node,
            NodeProgress::New => {
                self.findings.too_deep.add(object);
                CompactionKind::Reference
            }
            // An open node contains this place, so writing it out here would never end.
            NodeProgress::Open => {
                self.findings.cycles.add(object);
                CompactionKind::Reference
            }
            // Without this budget, nodes that share nodes at each level would be written exponentially often.
            NodeProgress::Written if self.copies_left > 0 && self.depth < DEEPEST => CompactionKind::Node,
            NodeProgress::Written => CompactionKind::Reference,
        }
    }

    /// Returns whether a node is written with its id: this applies to IRIs, and to blank nodes that are mentioned
    /// again.
    fn has_id(&self, node: BufferTermId) -> bool {
        match self.graph.quads().term(node) {
            // The label is needed only for a mention other than the one by the parent. The root has no parent.
            TermRef::BlankNode => self.graph.mentions(node) > u32::from(node != self.root),
            _ => true,
        }
    }

    /// Returns the id of a node as it is written.
    pub(crate) fn id_text(&mut self, node: BufferTermId) -> String {
        let id = self.unshortened_id(node);
        if matches!(self.graph.quads().term(node), TermRef::BlankNode) { id } else { self.forms.id_text(id) }
    }

    /// Returns the string for a reference under a property.
    pub(crate) fn reference_text(&mut self, predicate: BufferTermId, node: BufferTermId) -> String {
        let id = self.unshortened_id(node);
        if matches!(self.graph.quads().term(node), TermRef::BlankNode) {
            return id;
        }
        self.forms.reference_text(predicate, id)
    }

    fn unshortened_id(&mut self, node: BufferTermId) -> String {
        if let TermRef::BlankNode = self.graph.quads().term(node) {
            let next = self.labels.len();
            return format!("_:b{}", self.labels.entry(node).or_insert(next));
        }
        let id = self.forms.iri_text(node);
        match self.layout.renamed.get(&id) {
            Some(original) => original.clone(),
            None => id,
        }
    }

    /// Returns the name of a node, which decides its position among others.
    pub(crate) fn name(&self, node: BufferTermId) -> Option<&'q str> {
        self.graph.string(node, &self.name)
    }

    /// Returns the literal of the name, if a node has exactly one name.
    pub(crate) fn name_term(&self, node: BufferTermId) -> Option<BufferTermId> {
        let statements = self.graph.statements(node).iter();
        let mut names =
            statements.filter(|statement| self.name.contains(&statement.0)).map(|statement| statement.1);
        let name = names.next().filter(|_| names.next().is_none())?;
        let term = self.graph.quads().term(name);
        matches!(term, TermRef::Literal { kind: BufferLiteralKind::String, .. }).then_some(name)
    }

    /// Returns the standing of a node among the others in an array, without regard to its content.
    pub(crate) fn standing(&mut self, key: KeyId, node: BufferTermId) -> ArrayStanding<'q> {
        let name = self.name(node);
        let rank = match name {
            Some(name) => self.place(key, node).name_rank(name),
            None => UNRANKED,
        };
        let iri = self.graph.iri(node).unwrap_or_default();
        let position = self.node_layout(node).and_then(|layout| layout.position);
        ArrayStanding { position: position.unwrap_or(u64::MAX), rank, name, iri, content: None }
    }

    /// Sorts the values of an array of nodes. Nodes of equal standing are sorted by their contents.
    pub(crate) fn sort_nodes(&mut self, key: KeyId, nodes: &mut [PlannedEntry]) {
        let standing = |planned: &PlannedEntry| Some((self.standing(key, planned.node()?), planned.clone()));
        let mut sorted: Vec<(ArrayStanding<'q>, PlannedEntry)> = nodes.iter().filter_map(standing).collect();
        sorted.sort_by(|left, right| left.0.cmp(&right.0));
        // A content may have many kilobytes, so it is made only for nodes that are tied without it.
        for tied in sorted.chunk_by_mut(|left, right| left.0 == right.0).filter(|tied| tied.len() > 1) {
            for (standing, planned) in tied.iter_mut() {
                standing.content = planned.node().map(|node| self.content(node));
            }
            tied.sort_by(|left, right| left.0.cmp(&right.0));
        }
        for (place, (_, planned)) in nodes.iter_mut().zip(sorted) {
            *place = planned;
        }
    }
}

/// The standing of a node in an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ArrayStanding<'q> {
    position: u64,
    rank: u32,
    name: Option<&'q str>,
    iri: &'q str,
    content: Option<String>,
}
