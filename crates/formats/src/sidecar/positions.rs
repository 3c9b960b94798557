//! Finds the nodes that need a position: those in arrays whose order does not follow from names and ids.

use super::merged_order::is_increasing;
use super::signatures::SignatureTable;
use crate::rewriting::{KeyId, NodePlanner};
use evalgraph_rdf::quad_buffer::BufferTermId;

/// The maximum number of nodes in an array whose names are learned.
const FEW: usize = 64;

/// The arrays of nodes of a document.
#[derive(Debug)]
pub(super) struct NodeArrays {
    /// The names in short arrays whose nodes have the same class and different names.
    pub(super) names: SignatureTable<BufferTermId>,
    all: Vec<NodeArray>,
    nodes: Vec<BufferTermId>,
    buffer: Vec<BufferTermId>,
}

#[derive(Debug)]
struct NodeArray {
    key: KeyId,
    /// The end of its nodes in the list of all nodes.
    end: usize,
    /// The number of its signature of names, if it has one.
    names: Option<u32>,
}

/// The number of arrays and nodes at some point in time.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArrayMark {
    all: usize,
    nodes: usize,
}

impl NodeArrays {
    pub(super) fn new() -> Self {
        Self { names: SignatureTable::new(), all: Vec::new(), nodes: Vec::new(), buffer: Vec::new() }
    }

    /// Adds an array, with its nodes in the order of the file.
    pub(super) fn add(&mut self, planner: &mut NodePlanner<'_, '_>, key: KeyId, nodes: &[BufferTermId]) {
        self.nodes.extend_from_slice(nodes);
        self.buffer.clear();
        self.buffer.extend(nodes.iter().map_while(|&node| planner.name_term(node)));
        let mut names = None;
        // This takes quadratic time, so the condition below tests the number of nodes first.
        let is_distinct =
            || self.buffer.iter().enumerate().all(|(at, name)| !self.buffer[..at].contains(name));
        if self.buffer.len() == nodes.len() && nodes.len() <= FEW && is_distinct() {
            let class = planner.class(nodes[0]);
            if nodes.iter().all(|&node| planner.class(node) == class) {
                names = Some(self.names.add((key, class), &self.buffer));
            }
        }
        self.all.push(NodeArray { key, end: self.nodes.len(), names });
    }

    pub(super) fn mark(&self) -> ArrayMark {
        ArrayMark { all: self.all.len(), nodes: self.nodes.len() }
    }

    /// Removes the arrays added since a mark. Their names may still be used.
    pub(super) fn take_back(&mut self, mark: ArrayMark) {
        self.all.truncate(mark.all);
        self.nodes.truncate(mark.nodes);
    }
}

/// Returns the nodes that need a position, each with the position. The planner already has the learned order of names.
pub(super) fn needed(mut planner: NodePlanner<'_, '_>, arrays: &NodeArrays) -> Vec<(BufferTermId, u64)> {
    let mut follows: Vec<Option<bool>> = vec![None; arrays.names.all().len()];
    let mut needed = Vec::new();
    let mut start = 0;
    for array in &arrays.all {
        let nodes = &arrays.nodes[start..array.end];
        start = array.end;
        // Equal signatures have the same distinct names in the same order, so the first array answers for all.
        let known = array.names.and_then(|number| follows[number as usize]);
        // The array is sorted if its nodes are in the order in which they would be written, without ties.
        let standings = nodes.iter().map(|&node| planner.standing(array.key, node));
        let is_sorted = known.unwrap_or_else(|| is_increasing(standings));
        if let Some(number) = array.names {
            follows[number as usize] = Some(is_sorted);
        }
        if !is_sorted {
            needed.extend(nodes.iter().copied().zip(0..));
        }
    }
    needed
}
