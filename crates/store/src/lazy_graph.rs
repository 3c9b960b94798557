//! A graph in memory, or in a file that it shares with others. A query reads few of a hundred thousand small graphs, so
//! a graph in a shared file is built on first use.

use std::sync::{Arc, OnceLock};

use super::dictionary::TermId;
use super::disk::{SectionedFile, graph_of, may_have};
use super::graph_index::GraphIndex;
use super::triples::EncodedTriplePattern;

/// A graph that is built on first use.
#[derive(Debug)]
pub(super) struct LazyGraph {
    graph: OnceLock<Box<GraphIndex>>,
    /// The file and the row of the graph in it; none for a graph that was built in memory.
    stored: Option<Box<StoredGraphRow>>,
}

#[derive(Debug)]
struct StoredGraphRow {
    file: Arc<SectionedFile>,
    row: [u32; 16],
}

impl From<GraphIndex> for LazyGraph {
    fn from(graph: GraphIndex) -> Self {
        Self { graph: OnceLock::from(Box::new(graph)), stored: None }
    }
}

impl LazyGraph {
    /// A graph of a file, described by its row there.
    pub(super) fn of_file(file: &Arc<SectionedFile>, row: [u32; 16]) -> Self {
        let stored = StoredGraphRow { file: Arc::clone(file), row };
        Self { graph: OnceLock::new(), stored: Some(Box::new(stored)) }
    }

    /// The graph.
    #[inline]
    pub(super) fn get(&self) -> &GraphIndex {
        self.graph.get_or_init(|| {
            let made = self.stored.as_ref().map(|stored| graph_of(&stored.file, &stored.row));
            Box::new(made.expect("a graph without a file is built in memory"))
        })
    }

    /// Returns whether the graph may have triples that match a pattern, without building the graph.
    #[inline]
    pub(super) fn may_match(&self, pattern: EncodedTriplePattern) -> bool {
        let Some(stored) = &self.stored else { return true };
        let may_have = |order, key: Option<TermId>| key.is_none_or(|key| may_have(&stored.row, order, key));
        may_have(0, pattern.subject) && may_have(1, pattern.predicate) && may_have(2, pattern.object)
    }
}
