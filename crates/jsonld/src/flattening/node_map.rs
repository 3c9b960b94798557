//! The node map (section 7.2). For each graph of a document, it has the nodes of the graph, each with all entries that
//! it has there.
//!
//! The modules [`node_map_generation`](crate::flattening::node_map_generation) and
//! [`merge_node_maps`](crate::flattening::merge_node_maps) build it.

use crate::expanded_arena::{ExpandedArena, IdEntry};
use crate::name_interner::InternedName;
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// The number of the graph `@default`.
pub(crate) const DEFAULT_GRAPH: u32 = 0;

/// The graphs of a document and their nodes.
#[derive(Default)]
pub(crate) struct NodeMap {
    /// The nodes; their values are references to other nodes.
    pub(crate) arena: ExpandedArena,
    /// The graphs: the default graph first, then in order of first occurrence.
    pub(crate) graphs: Vec<NodeMapGraph>,
    /// The nodes of all graphs by their numbers.
    pub(crate) subjects: Vec<NodeMapSubject>,
    pub(crate) numbers: SubjectNumbers,
    pub(crate) graph_numbers: HashMap<InternedName, u32, FixedState>,
}

/// One graph.
#[derive(Default)]
pub(crate) struct NodeMapGraph {
    /// Its name and the place of the name; `None` for the default graph.
    pub(crate) id: Option<IdEntry>,
    /// The numbers of its nodes, in order of first occurrence.
    pub(crate) subjects: Vec<u32>,
}

/// A node of a graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeMapSubject {
    pub(crate) id: InternedName,
    /// Its node object in the arena.
    pub(crate) node: u32,
}

/// Finds a node by graph and id.
///
/// Names and nodes are both numbered in order of first use. So arrays indexed by the number of the name are walked from
/// one end to the other, while lookups in a hash table of all nodes would be scattered.
#[derive(Default)]
pub(crate) struct SubjectNumbers {
    /// For the default graph: the number of the subject plus one.
    default: Vec<u32>,
    /// For the first other graph with the name: the graph, and the number plus one.
    first: Vec<(u32, u32)>,
    /// For further graphs with the name.
    others: HashMap<(u32, InternedName), u32, FixedState>,
}

impl SubjectNumbers {
    #[inline]
    pub(crate) fn get(&self, graph: u32, id: InternedName) -> Option<u32> {
        if graph == DEFAULT_GRAPH {
            return self.default.get(id.index()).and_then(|number| number.checked_sub(1));
        }
        let (first, number) = *self.first.get(id.index())?;
        let number = number.checked_sub(1)?;
        if first == graph { Some(number) } else { self.others.get(&(graph, id)).copied() }
    }

    pub(crate) fn insert(&mut self, graph: u32, id: InternedName, subject: u32) {
        if graph == DEFAULT_GRAPH {
            *slot(&mut self.default, id) = subject + 1;
            return;
        }
        let first = slot(&mut self.first, id);
        if first.1 == 0 || first.0 == graph {
            *first = (graph, subject + 1);
        } else {
            self.others.insert((graph, id), subject);
        }
    }
}

/// Returns the place of a name in an array.
fn slot<T: Clone + Default>(slots: &mut Vec<T>, id: InternedName) -> &mut T {
    if slots.len() <= id.index() {
        slots.resize((id.index() + 1).next_power_of_two(), T::default());
    }
    &mut slots[id.index()]
}

impl NodeMapGraph {
    /// Returns the name; `None` for the default graph.
    pub(crate) fn name(&self) -> Option<InternedName> {
        self.id.and_then(|id| id.name)
    }
}

impl NodeMap {
    /// Returns whether a node has other entries than its id.
    pub(crate) fn says_something(&self, subject: u32) -> bool {
        let node = self.subjects[subject as usize].node;
        self.arena.node(node).index.is_some() || !self.arena.properties(node).is_empty()
    }
}
