//! The quads that a query is evaluated over: those of a dataset with the changes of a revision, or those of the graphs
//! that FROM or USING names (SPARQL 1.1, section 13.2).

use std::ops::ControlFlow;
use std::rc::Rc;

use oxrdf::NamedNode;
use spargebra::algebra::QueryDataset;

use crate::sparql_dataset::SparqlDataset;
use evalgraph_rdf::vocabulary::evaluator;
use evalgraph_store::{DatasetView, PatternTriples, RevisionView, TermId};

/// A dataset, or a revision of one.
#[derive(Clone)]
pub(crate) struct QueryableDataset<'d> {
    pub(super) view: DatasetView<'d>,
    /// The revision, unless nothing has changed.
    changed: Option<RevisionView<'d>>,
    /// The graph that replaces the default graph, and the only named graphs, if the query names them.
    default: Option<TermId>,
    named: Option<Rc<[TermId]>>,
}

/// The known terms of a triple.
type PartialTriple = [Option<TermId>; 3];

/// The default graph, a named one, or any named one.
pub(super) type GraphSelector = Option<Option<TermId>>;

impl<'d> QueryableDataset<'d> {
    /// The data of a dataset.
    pub(crate) fn new(dataset: SparqlDataset<'d>) -> Self {
        Self { view: dataset.view, changed: dataset.changed, default: None, named: None }
    }

    /// Only the graphs that a query names in FROM and FROM NAMED, or an update in USING. Several default graphs become
    /// one.
    pub(super) fn of_graphs(self, graphs: &QueryDataset) -> Self {
        let id = |name: &NamedNode| self.view.intern_named(name.clone().into());
        let default = match graphs.default.as_slice() {
            [one] => id(one),
            // No IRI has a space.
            several => id(&NamedNode::new_unchecked(
                several
                    .iter()
                    .fold(evaluator::UNION_OF.to_owned(), |name, graph| name + " " + graph.as_str()),
            )),
        };
        let named = graphs.named.as_ref().map(|names| {
            let mut names: Vec<TermId> = names.iter().map(id).collect();
            names.sort_unstable();
            names.dedup();
            names.into()
        });
        Self { default: Some(default), named, ..self }
    }

    /// The names of the named graphs.
    pub(super) fn named_graphs(&self) -> Vec<TermId> {
        match (&self.named, self.changed) {
            (Some(named), _) => named.to_vec(),
            (None, Some(revision)) => revision.named_graphs(),
            (None, None) => self.view.named_graphs().collect(),
        }
    }

    /// Returns whether there is a named graph of that name.
    pub(super) fn has_graph(&self, name: TermId) -> bool {
        match (&self.named, self.changed) {
            (Some(named), _) => named.contains(&name),
            (None, Some(revision)) => revision.contains_graph(name),
            (None, None) => self.view.contains_graph(name),
        }
    }

    /// The graph in the dataset, or `None` if the query does not see it.
    fn place(&self, graph: GraphSelector) -> Option<GraphSelector> {
        match (graph, &self.named) {
            (None, _) => Some(self.default.map(Some)),
            (Some(Some(name)), Some(named)) if !named.contains(&name) => None,
            _ => Some(graph),
        }
    }

    /// An upper bound for the number of triples with these terms.
    pub(super) fn count_at_most(&self, triple: PartialTriple, graph: GraphSelector) -> usize {
        if let (Some(None), Some(named)) = (graph, &self.named) {
            return named.iter().map(|name| self.count_at_most(triple, Some(Some(*name)))).sum();
        }
        let Some(graph) = self.place(graph) else { return 0 };
        let added = self.changed.map_or(0, |revision| revision.added_at_most(triple));
        self.view.count_at_most(triple, graph) + added
    }

    /// Returns whether a graph has a triple with these terms.
    pub(super) fn contains(&self, triple: PartialTriple, graph: GraphSelector) -> bool {
        self.for_each(triple, graph, |_, _| ControlFlow::Break(())).is_break()
    }

    /// How many triples have these terms, or `None` if the triples have to be found to count them.
    pub(super) fn count_exactly(&self, triple: PartialTriple, graph: GraphSelector) -> Option<usize> {
        let is_one = graph != Some(None) || self.named.is_none();
        if self.changed.is_some() || !is_one {
            None
        } else {
            self.view.count_exactly(triple, self.place(graph)?)
        }
    }

    /// Returns whether triples are returned in the order of the store.
    pub(super) fn is_sorted(&self) -> bool {
        self.changed.is_none()
    }

    /// The triples with these terms. If they may be in any named graph, each comes with the name of its graph.
    pub(super) fn walk(&self, triple: PartialTriple, graph: GraphSelector) -> TripleWalk<'d> {
        if let (Some(None), Some(named)) = (graph, &self.named) {
            let (data, names) = (self.clone(), Rc::clone(named));
            let quads = move |place: usize| data.quads_of(triple, names[place]);
            return TripleWalk::Quads(Box::new((0..named.len()).flat_map(quads)));
        }
        let Some(graph) = self.place(graph) else { return TripleWalk::Quads(Box::new(std::iter::empty())) };
        match (self.changed, graph) {
            (Some(revision), _) => TripleWalk::Quads(Box::new(revision.quads(triple, graph))),
            (None, Some(None)) => {
                let quads = self.view.named_quads(triple);
                TripleWalk::Quads(Box::new(quads.map(|(triple, graph)| (triple, Some(graph)))))
            }
            (None, _) => TripleWalk::Triples(self.view.triples_of(triple, graph.flatten())),
        }
    }

    /// The triples of a graph with these terms, each with the name of the graph.
    fn quads_of(&self, triple: PartialTriple, graph: TermId) -> QuadWalk<'d> {
        match self.changed {
            Some(revision) => {
                let quads = revision.quads(triple, Some(Some(graph)));
                Box::new(quads.map(move |(triple, _)| (triple, Some(graph))))
            }
            None => {
                let triples = self.view.triples_of(triple, Some(graph));
                Box::new(triples.map(move |triple| (triple, Some(graph))))
            }
        }
    }

    /// Calls `found` for each triple with these terms until it stops the walk. If the triple may be in any named graph,
    /// it comes with the name of its graph.
    pub(super) fn for_each<B>(
        &self,
        triple: PartialTriple,
        graph: GraphSelector,
        found: impl FnMut(&[TermId; 3], Option<TermId>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(triple, graph).visit(found)
    }
}

/// A walk over triples.
pub(super) enum TripleWalk<'d> {
    Triples(PatternTriples<'d>),
    Quads(QuadWalk<'d>),
}

type QuadWalk<'d> = Box<dyn Iterator<Item = ([TermId; 3], Option<TermId>)> + 'd>;

impl TripleWalk<'_> {
    /// The next triple.
    pub(super) fn next_triple(&mut self) -> Option<[TermId; 3]> {
        match self {
            Self::Triples(triples) => triples.next(),
            Self::Quads(quads) => quads.next().map(|(triple, _)| triple),
        }
    }

    /// Calls `found` for each triple until it stops the walk. A later call continues after that triple.
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

    /// Calls `found` for each subject with the number of its triples, like [`PatternTriples::visit_subjects`].
    pub(super) fn visit_subjects<B>(
        &mut self,
        most: usize,
        found: impl FnMut(TermId, usize) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        match self {
            Self::Triples(triples) => triples.visit_subjects(most, found),
            Self::Quads(_) => None,
        }
    }

    /// Skips triples whose term at `place` is outside the bounds, but maybe not all of them. The triples must be sorted
    /// by that term.
    pub(super) fn narrow(&mut self, place: usize, bounds: [TermId; 2]) {
        if let Self::Triples(triples) = self {
            triples.narrow(place, bounds);
        }
    }
}

/// Some of the triples of a pattern.
pub(super) struct TriplePart<'d> {
    /// The triples from the start on, or `None` if they have to be found again.
    pub(super) walk: Option<TripleWalk<'d>>,
    /// How many triples come before it.
    pub(super) start: usize,
    pub(super) length: usize,
}
