//! The node map (section 7.2): for every graph of a document its nodes, each with all that is said
//! about it in that graph.
//!
//! How it comes about is left to [`node_map_generation`](super::node_map_generation) and
//! [`merge_node_maps`](super::merge_node_maps).

use super::expanded::{Arena, Id};
use super::names::NameId;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The number of the graph `@default`.
pub(super) const DEFAULT_GRAPH: u32 = 0;

/// The graphs of a document and their nodes.
#[derive(Default)]
pub(super) struct NodeMap {
    /// Holds the nodes; what they point to are references.
    pub(super) arena: Arena,
    /// The graphs, the default graph first, then in the order in which they were met.
    pub(super) graphs: Vec<Graph>,
    /// The nodes of all graphs by their numbers.
    pub(super) subjects: Vec<Subject>,
    pub(super) numbers: SubjectNumbers,
    pub(super) graph_numbers: HashMap<NameId, u32, FixedState>,
}

/// One graph.
#[derive(Default)]
pub(super) struct Graph {
    /// Its name and where that is written; none for the default graph.
    pub(super) id: Option<Id>,
    /// The numbers of its nodes, in the order in which they were met.
    pub(super) subjects: Vec<u32>,
}

/// A node of a graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) id: NameId,
    /// Its node object in the arena.
    pub(super) node: u32,
}

/// Finds a node by its graph and id.
#[derive(Default)]
pub(super) struct SubjectNumbers {
    /// For the default graph, which holds nearly everything: by the number of the name, one more
    /// than the number of the subject.
    default: Vec<u32>,
    others: HashMap<(u32, NameId), u32, FixedState>,
}

impl SubjectNumbers {
    #[inline]
    pub(super) fn get(&self, graph: u32, id: NameId) -> Option<u32> {
        if graph == DEFAULT_GRAPH {
            return self.default.get(id.index()).and_then(|number| number.checked_sub(1));
        }
        self.others.get(&(graph, id)).copied()
    }

    pub(super) fn insert(&mut self, graph: u32, id: NameId, subject: u32) {
        if graph != DEFAULT_GRAPH {
            self.others.insert((graph, id), subject);
            return;
        }
        if self.default.len() <= id.index() {
            self.default.resize((id.index() + 1).next_power_of_two(), 0);
        }
        self.default[id.index()] = subject + 1;
    }
}

impl Graph {
    /// None for the default graph.
    pub(super) fn name(&self) -> Option<NameId> {
        self.id.and_then(|id| id.name)
    }
}

impl NodeMap {
    /// Whether a node has entries beside its id.
    pub(super) fn says_something(&self, subject: u32) -> bool {
        let node = self.subjects[subject as usize].node;
        self.arena.node(node).index.is_some() || !self.arena.properties(node).is_empty()
    }
}
