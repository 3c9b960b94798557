//! The focus nodes that share their key with others.

use std::collections::{HashMap, HashSet};

use super::ids::ShapeId;
use evalgraph_store::TermId;

/// The focus nodes that share a key with another focus node, by shape and constraint.
#[derive(Debug, Default)]
pub(super) struct DuplicateFocusNodes(HashMap<(ShapeId, usize), HashSet<TermId>>);

impl DuplicateFocusNodes {
    pub(super) fn contains(&self, shape: ShapeId, constraint: usize, node: TermId) -> bool {
        self.0.get(&(shape, constraint)).is_some_and(|nodes| nodes.contains(&node))
    }

    pub(super) fn add(&mut self, shape: ShapeId, constraint: usize, nodes: HashSet<TermId>) {
        self.0.insert((shape, constraint), nodes);
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}
