//! The triples of one subject, for callers that need several of its predicates.

use super::graph_index::{TermIdPair, with_first};
use super::term::TermId;

/// The predicates and objects of a subject, sorted, each pair once.
#[derive(Debug)]
pub struct SubjectRun<'d>(SubjectPairs<'d>);

#[derive(Debug)]
enum SubjectPairs<'d> {
    /// The pairs as stored, if only one graph has the subject.
    OfGraph(&'d [TermIdPair]),
    /// The merged pairs of several graphs.
    Merged(Vec<TermIdPair>),
}

impl<'d> SubjectRun<'d> {
    /// The triples of a subject that no graph has.
    pub fn none() -> Self {
        Self(SubjectPairs::OfGraph(&[]))
    }

    /// The pairs of one graph.
    pub(super) fn of_graph(pairs: &'d [TermIdPair]) -> Self {
        Self(SubjectPairs::OfGraph(pairs))
    }

    /// The pairs of several graphs as a set.
    pub(super) fn of_graphs(runs: impl Iterator<Item = &'d [TermIdPair]>) -> Self {
        let mut runs = runs.filter(|run| !run.is_empty());
        let Some(first) = runs.next() else { return Self::none() };
        let Some(second) = runs.next() else { return Self(SubjectPairs::OfGraph(first)) };
        let mut pairs = [first, second].concat();
        runs.for_each(|run| pairs.extend_from_slice(run));
        pairs.sort_unstable();
        pairs.dedup();
        Self(SubjectPairs::Merged(pairs))
    }

    #[inline]
    fn pairs(&self) -> &[TermIdPair] {
        match &self.0 {
            SubjectPairs::OfGraph(pairs) => pairs,
            SubjectPairs::Merged(pairs) => pairs,
        }
    }

    /// The objects of a predicate.
    #[inline]
    pub fn objects(&self, predicate: TermId) -> impl ExactSizeIterator<Item = TermId> + '_ {
        with_first(self.pairs(), predicate).iter().map(|pair| TermId::from_number(pair[1]))
    }
}
