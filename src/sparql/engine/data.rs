//! The quads that a query is evaluated over: those of a dataset, with the changes of a revision.

use std::ops::ControlFlow;

use crate::sparql::point::Queryable;
use crate::store::{DatasetView, RevisionView, TermId};

/// A dataset as it is, or as a revision has it.
#[derive(Clone)]
pub(super) struct Data<'d> {
    pub(super) view: DatasetView<'d>,
    /// The revision, unless nothing has changed.
    changed: Option<RevisionView<'d>>,
}

/// The terms of a triple, as far as they are known.
type Triple = [Option<TermId>; 3];

/// The default graph, a named one, or any named one.
type Graph = Option<Option<TermId>>;

impl<'d> Data<'d> {
    /// The data of a dataset; none of one that is not of the store.
    pub(super) fn of<D: Queryable<'d>>(dataset: &D) -> Option<Self> {
        if let Some(view) = dataset.as_view() {
            return Some(Self { view: view.clone(), changed: None });
        }
        let revision = dataset.as_revision()?;
        Some(Self {
            view: revision.terms(),
            changed: Some(revision).filter(|revision| revision.is_changed()),
        })
    }

    /// How many triples have these terms, or more.
    pub(super) fn count_at_most(&self, triple: Triple, graph: Graph) -> usize {
        let added = self.changed.map_or(0, |revision| revision.added_at_most(triple));
        self.view.count_at_most(triple, graph) + added
    }

    /// Whether the default graph has a triple with these terms.
    pub(super) fn contains(&self, triple: Triple) -> bool {
        self.for_each(triple, None, |_, _| ControlFlow::Break(())).is_break()
    }

    /// How many triples have these terms; none where they have to be found for that.
    pub(super) fn count_exactly(&self, triple: Triple, graph: Graph) -> Option<usize> {
        if self.changed.is_some() { None } else { self.view.count_exactly(triple, graph) }
    }

    /// Whether triples come in the order of the store.
    pub(super) fn is_sorted(&self) -> bool {
        self.changed.is_none()
    }

    /// Calls for each triple with these terms, until told to stop; with the name of its graph where that may be any.
    pub(super) fn for_each<B>(
        &self,
        triple: Triple,
        graph: Graph,
        mut found: impl FnMut(&[TermId; 3], Option<TermId>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match (self.changed, graph) {
            (Some(revision), _) => {
                revision.quads(triple, graph).try_for_each(|(triple, graph)| found(&triple, graph))
            }
            (None, Some(None)) => {
                self.view.named_quads(triple).try_for_each(|(triple, graph)| found(&triple, Some(graph)))
            }
            (None, _) => self.view.triples_of(triple, graph.flatten()).visit(|triple| found(&triple, None)),
        }
    }
}
