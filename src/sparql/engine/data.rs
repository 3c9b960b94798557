//! The quads that a query is evaluated over: those of a dataset, with the changes of a revision.

use std::ops::ControlFlow;

use crate::sparql::point::Queryable;
use crate::store::{DatasetView, RevisionView, TermId, Triples};

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

    /// The triples with these terms; with the names of their graphs where these may be any.
    pub(super) fn walk(&self, triple: Triple, graph: Graph) -> Walk<'d> {
        match (self.changed, graph) {
            (Some(revision), _) => Walk::Quads(Box::new(revision.quads(triple, graph))),
            (None, Some(None)) => {
                let quads = self.view.named_quads(triple);
                Walk::Quads(Box::new(quads.map(|(triple, graph)| (triple, Some(graph)))))
            }
            (None, _) => Walk::Triples(self.view.triples_of(triple, graph.flatten())),
        }
    }

    /// Calls for each triple with these terms, until told to stop; with the name of its graph where that may be any.
    pub(super) fn for_each<B>(
        &self,
        triple: Triple,
        graph: Graph,
        found: impl FnMut(&[TermId; 3], Option<TermId>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(triple, graph).visit(found)
    }
}

/// Triples on the way, one after the other.
pub(super) enum Walk<'d> {
    Triples(Triples<'d>),
    Quads(Box<dyn Iterator<Item = ([TermId; 3], Option<TermId>)> + 'd>),
}

impl Walk<'_> {
    /// Calls for each triple, until told to stop; what comes behind that is left.
    #[inline]
    pub(super) fn visit<B>(
        &mut self,
        mut found: impl FnMut(&[TermId; 3], Option<TermId>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::Triples(triples) => triples.visit(|triple| found(&triple, None)),
            Self::Quads(quads) => quads.try_for_each(|(triple, graph)| found(&triple, graph)),
        }
    }

    /// Leaves out triples whose term at a place, by which they ascend, is not between two others; maybe not all.
    pub(super) fn narrow(&mut self, place: usize, bounds: [TermId; 2]) {
        if let Self::Triples(triples) = self {
            triples.narrow(place, bounds);
        }
    }
}

/// Some of the triples of a pattern.
pub(super) struct Part<'d> {
    /// The triples from the start on; none where they have to be found again.
    pub(super) walk: Option<Walk<'d>>,
    /// How many triples come before it.
    pub(super) start: usize,
    pub(super) length: usize,
}
