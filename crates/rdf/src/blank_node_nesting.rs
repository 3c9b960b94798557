//! Groups the quads of a [`QuadBuffer`] by graph and subject, and finds the blank nodes that
//! Turtle can write in place: as `[ … ]`, or as a collection `( … )`.
//!
//! A blank node is nested if it is the object of exactly one quad, in its only graph, and not its own ancestor. Nesting
//! is cut off at a fixed depth, so writing needs only a bounded stack.

use super::grouping::{GraphGroup, QuadGrouping, SubjectGroup};
use super::quad_buffer::{BufferTermId, QuadBuffer};
use super::vocabulary::rdf;

/// How deep blank nodes are nested; deeper ones get a label.
const MAX_DEPTH: u32 = 16;

/// The quads in the order of writing, and the facts of each blank node.
#[derive(Debug)]
pub(super) struct BlankNodeNesting {
    grouping: QuadGrouping,
    nodes: Vec<BlankNodeFacts>,
    rdf_type: Option<BufferTermId>,
    nil: Option<BufferTermId>,
}

/// The references, statements and form of one blank node.
#[derive(Debug, Clone, Default)]
struct BlankNodeFacts {
    graph: Option<Option<BufferTermId>>,
    references: u32,
    parent: Option<BufferTermId>,
    statements: Option<SubjectGroup>,
    is_labelled: bool,
    cell: Option<CollectionCell>,
    is_collection: bool,
    depth: Option<u32>,
}

impl BlankNodeFacts {
    fn is_nested(&self) -> bool {
        !self.is_labelled && self.references == 1
    }
}

/// A node of a list: exactly one `rdf:first`, one `rdf:rest`, nothing else.
#[derive(Debug, Clone, Copy)]
struct CollectionCell {
    first: BufferTermId,
    rest: BufferTermId,
}

impl BlankNodeNesting {
    pub(super) fn from_quads(quads: &QuadBuffer) -> Self {
        let rdf_type = quads.find_iri(rdf::TYPE);
        let grouping = QuadGrouping::from_quads(quads, rdf_type);
        let nil = quads.find_iri(rdf::NIL);
        let mut nesting = Self { grouping, nodes: Vec::new(), rdf_type, nil };
        nesting.count_references(quads);
        // Cycles are broken first, since `limit_depth` climbs to the outermost parent. It comes last: the tail of a
        // collection is not deeper than its head.
        nesting.label_cycles(quads);
        nesting.find_cells(quads);
        nesting.find_collections(quads);
        nesting.limit_depth(quads);
        nesting
    }

    /// The graphs with their subjects in the order of writing, the default graph first.
    pub(super) fn graphs(&self) -> impl Iterator<Item = (Option<BufferTermId>, &[SubjectGroup])> {
        let subjects = |graph: &GraphGroup| &self.grouping.subjects()[graph.subjects.clone()];
        self.grouping.graphs().iter().map(move |graph| (graph.name, subjects(graph)))
    }

    /// The quads of a subject, grouped by predicate.
    pub(super) fn by_predicate(
        &self,
        quads: &QuadBuffer,
        subject: SubjectGroup,
    ) -> impl Iterator<Item = &[u32]> {
        let predicate = |at: u32| quads.quads()[at as usize].predicate;
        let statements = self.grouping.statements(subject);
        statements.chunk_by(move |&left, &right| predicate(left) == predicate(right))
    }

    /// Returns whether a term is written where it is used.
    pub(super) fn is_nested(&self, quads: &QuadBuffer, id: BufferTermId) -> bool {
        self.node(quads, id).is_some_and(BlankNodeFacts::is_nested)
    }

    /// Returns whether a subject needs no label because nothing refers to it.
    pub(super) fn is_anonymous(&self, quads: &QuadBuffer, id: BufferTermId) -> bool {
        self.node(quads, id).is_some_and(|node| !node.is_labelled && node.references == 0)
    }

    /// Returns whether a nested blank node is a well-formed list.
    pub(super) fn is_collection(&self, quads: &QuadBuffer, id: BufferTermId) -> bool {
        self.node(quads, id).is_some_and(|node| node.is_nested() && node.is_collection)
    }

    /// The items of a collection.
    pub(super) fn items(&self, quads: &QuadBuffer, head: BufferTermId) -> Vec<BufferTermId> {
        let mut items = Vec::new();
        let mut at = head;
        while let Some(cell) = self.node(quads, at).and_then(|node| node.cell) {
            items.push(cell.first);
            at = cell.rest;
        }
        items
    }

    /// The statements about a nested blank node, if there are any.
    pub(super) fn statements(&self, quads: &QuadBuffer, id: BufferTermId) -> Option<SubjectGroup> {
        self.node(quads, id)?.statements
    }

    pub(super) fn is_type(&self, predicate: BufferTermId) -> bool {
        self.rdf_type == Some(predicate)
    }

    pub(super) fn is_nil(&self, object: BufferTermId) -> bool {
        self.nil == Some(object)
    }

    fn node(&self, quads: &QuadBuffer, id: BufferTermId) -> Option<&BlankNodeFacts> {
        self.nodes.get(quads.blank_node_number(id)? as usize)
    }

    fn count_references(&mut self, quads: &QuadBuffer) {
        let mut nodes: Vec<BlankNodeFacts> = Vec::new();
        let mut change = |id: BufferTermId, change: &mut dyn FnMut(&mut BlankNodeFacts)| {
            if let Some(number) = quads.blank_node_number(id) {
                let number = number as usize;
                if nodes.len() <= number {
                    nodes.resize_with(number + 1, BlankNodeFacts::default);
                }
                change(&mut nodes[number]);
            }
        };
        for quad in quads.quads() {
            let stands_in = |node: &mut BlankNodeFacts| {
                node.is_labelled |= node.graph.replace(quad.graph).is_some_and(|graph| graph != quad.graph);
            };
            change(quad.subject, &mut |node| stands_in(node));
            change(quad.object, &mut |node| {
                stands_in(node);
                node.references += 1;
                node.parent = Some(quad.subject);
            });
            change(quad.predicate, &mut |node| node.is_labelled = true);
            if let Some(graph) = quad.graph {
                change(graph, &mut |node| node.is_labelled = true);
            }
        }
        for group in self.grouping.subjects() {
            change(group.subject, &mut |node| node.statements = Some(*group));
        }
        self.nodes = nodes;
    }

    /// The blank node that a nested node is nested in.
    fn parent_number(&self, quads: &QuadBuffer, number: usize) -> Option<usize> {
        let parent = quads.blank_node_number(self.nodes[number].parent?)?;
        Some(parent as usize)
    }

    /// A node that is its own ancestor would never be written, so one node of each cycle gets a label.
    fn label_cycles(&mut self, quads: &QuadBuffer) {
        #[derive(Clone, Copy, PartialEq)]
        enum NestingVisit {
            New,
            OnPath,
            Done,
        }
        // A nested node has one parent, and each node is visited once, so this takes linear time.
        let mut visits = vec![NestingVisit::New; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut path = Vec::new();
            let mut at = Some(start);
            while let Some(number) = at
                && self.nodes[number].is_nested()
                && visits[number] == NestingVisit::New
            {
                visits[number] = NestingVisit::OnPath;
                path.push(number);
                at = self.parent_number(quads, number);
            }
            if let Some(number) = at
                && visits[number] == NestingVisit::OnPath
            {
                self.nodes[number].is_labelled = true;
            }
            for number in path {
                visits[number] = NestingVisit::Done;
            }
        }
    }

    fn find_cells(&mut self, quads: &QuadBuffer) {
        let (Some(first), Some(rest)) = (quads.find_iri(rdf::FIRST), quads.find_iri(rdf::REST)) else {
            return;
        };
        for node in &mut self.nodes {
            let Some([one, two]) = node.statements.map(|group| self.grouping.statements(group)) else {
                continue;
            };
            let (one, two) = (quads.quads()[*one as usize], quads.quads()[*two as usize]);
            node.cell = match (one.predicate, two.predicate) {
                (left, right) if left == first && right == rest => {
                    Some(CollectionCell { first: one.object, rest: two.object })
                }
                (left, right) if left == rest && right == first => {
                    Some(CollectionCell { first: two.object, rest: one.object })
                }
                _ => None,
            };
        }
    }

    /// A node is a collection if its rest is `rdf:nil` or a nested collection.
    fn find_collections(&mut self, quads: &QuadBuffer) {
        let mut is_known = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            let mut path = Vec::new();
            let mut at = start;
            let is_collection = loop {
                if is_known[at] {
                    break self.nodes[at].is_collection;
                }
                is_known[at] = true;
                let Some(cell) = self.nodes[at].cell else {
                    break false;
                };
                path.push(at);
                if self.is_nil(cell.rest) {
                    break true;
                }
                match quads.blank_node_number(cell.rest).map(|rest| rest as usize) {
                    Some(rest) if self.nodes[rest].is_nested() => at = rest,
                    _ => break false,
                }
            };
            for number in path {
                self.nodes[number].is_collection = is_collection;
            }
        }
    }

    /// Gives a label to nodes that would be nested too deeply. The tail of a collection is as deep as its head.
    fn limit_depth(&mut self, quads: &QuadBuffer) {
        for start in 0..self.nodes.len() {
            let mut path = Vec::new();
            let mut at = Some(start);
            while let Some(number) = at
                && self.nodes[number].is_nested()
                && self.nodes[number].depth.is_none()
            {
                path.push(number);
                at = self.parent_number(quads, number);
            }
            for number in path.into_iter().rev() {
                let depth = self.depth_below_parent(quads, number);
                self.nodes[number].is_labelled |= depth > MAX_DEPTH;
                self.nodes[number].depth = Some(if depth > MAX_DEPTH { 0 } else { depth });
            }
        }
    }

    fn depth_below_parent(&self, quads: &QuadBuffer, number: usize) -> u32 {
        let Some(parent) = self.parent_number(quads, number).map(|parent| &self.nodes[parent]) else {
            return 1;
        };
        let depth = parent.depth.unwrap_or(0);
        let is_rest = |cell: CollectionCell| quads.blank_node_number(cell.rest) == u32::try_from(number).ok();
        let is_tail = parent.is_nested() && parent.is_collection && parent.cell.is_some_and(is_rest);
        if is_tail { depth } else { depth + 1 }
    }
}
