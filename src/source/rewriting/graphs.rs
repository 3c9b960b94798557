//! The graphs of a buffer: which quads are in each, found once for all of them.

use super::graph::Graph;
use crate::rdf::QuadBuffer;
use crate::rdf::quad_buffer::{Quad, TermId};
use hashbrown::HashMap;
use std::ops::Range;

/// The quads of a buffer by graph.
#[derive(Debug)]
pub struct Graphs<'q> {
    quads: &'q QuadBuffer,
    /// Quads of one graph mostly come one after the other: they are kept as runs.
    runs: HashMap<Option<TermId>, Vec<Range<u32>>>,
    /// The graphs in the order in which they came.
    names: Vec<Option<TermId>>,
}

impl<'q> Graphs<'q> {
    /// Sorts quads by graph.
    pub fn of(quads: &'q QuadBuffer) -> Self {
        let mut runs: HashMap<Option<TermId>, Vec<Range<u32>>> = HashMap::new();
        let mut names = Vec::new();
        let mut start = 0;
        for run in quads.quads().chunk_by(|left, right| left.graph == right.graph) {
            // A buffer counts its quads in 32 bits.
            let end = start + run.len() as u32;
            let of_graph = runs.entry(run[0].graph).or_default();
            if of_graph.is_empty() {
                names.push(run[0].graph);
            }
            of_graph.push(start..end);
            start = end;
        }
        Self { quads, runs, names }
    }

    /// The buffer.
    pub fn quads(&self) -> &'q QuadBuffer {
        self.quads
    }

    /// The names of the graphs in the order in which they came; none is the default graph.
    pub fn names(&self) -> &[Option<TermId>] {
        &self.names
    }

    /// The quads of a graph, in the order in which they came.
    pub fn quads_of(&self, name: Option<TermId>) -> impl Iterator<Item = &'q Quad> + Clone + '_ {
        let quads = self.quads.quads();
        let runs = self.runs.get(&name).into_iter().flatten();
        runs.flat_map(move |run| &quads[run.start as usize..run.end as usize])
    }

    /// The statements of a graph.
    pub fn graph(&self, name: Option<TermId>) -> Graph<'q> {
        Graph::with_quads(self.quads, self.quads_of(name))
    }
}
