//! Point lookups of the triples of one node, without the evaluator, whose setup takes longer than the lookup:
//! DESCRIBE of given nodes, and SELECT of one triple pattern with a given subject.

use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use oxrdf::{NamedNode, NamedOrBlankNode, Term, Triple, Variable};
use spareval::{QuerySolution, QueryableDataset};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::store::{Damage, DatasetView, RevisionView, TermId, Triples, Written};

/// A dataset that queries run over. A view of the store answers point lookups directly.
pub trait Queryable<'a>: QueryableDataset<'a> {
    /// The dataset as a view of the store, if it is one.
    fn as_view(&self) -> Option<&DatasetView<'a>> {
        None
    }

    /// The dataset as a revision of one of the store, if it is one.
    fn as_revision(&self) -> Option<RevisionView<'a>> {
        None
    }

    /// The notes on damage of the dataset's files, if it has files.
    fn damage(&self) -> Option<Damage> {
        None
    }

    /// Tells whether the dataset knows graphs by name that are the union of other graphs.
    fn has_unions(&self) -> bool {
        false
    }

    /// The notes on the terms that an evaluation looks at, if the dataset keeps them.
    fn written(&self) -> Option<Arc<Written>> {
        None
    }

    /// Tells whether the dataset takes an IRI that is written as a blank node, `_:b0`, for that node. No
    /// query has such an IRI.
    fn names_blank_nodes(&self) -> bool {
        false
    }
}

impl<'a> Queryable<'a> for DatasetView<'a> {
    fn as_view(&self) -> Option<&DatasetView<'a>> {
        Some(self)
    }

    fn damage(&self) -> Option<Damage> {
        DatasetView::damage(self)
    }

    fn has_unions(&self) -> bool {
        true
    }

    fn written(&self) -> Option<Arc<Written>> {
        Some(DatasetView::written(self))
    }

    fn names_blank_nodes(&self) -> bool {
        true
    }
}

impl<'a> Queryable<'a> for &'a oxrdf::Dataset {}

impl<'a> Queryable<'a> for RevisionView<'a> {
    fn as_revision(&self) -> Option<RevisionView<'a>> {
        Some(*self)
    }

    fn has_unions(&self) -> bool {
        true
    }

    fn written(&self) -> Option<Arc<Written>> {
        Some(RevisionView::written(*self))
    }

    fn names_blank_nodes(&self) -> bool {
        true
    }
}

/// The answer to a point lookup.
pub(super) enum Point<'a> {
    Solutions(Arc<[Variable]>, SelectedRows<'a>),
    Graph(DescribedTriples<'a>),
}

/// Answers a query that is a point lookup. Returns none for a query of another form.
pub(super) fn look_up<'a>(query: &Query, view: &DatasetView<'a>) -> Option<Point<'a>> {
    match query {
        Query::Select { dataset: None, pattern: GraphPattern::Project { inner, variables }, .. } => {
            let GraphPattern::Bgp { patterns } = &**inner else { return None };
            let [pattern] = &patterns[..] else { return None };
            let columns: Arc<[Variable]> = variables.as_slice().into();
            let rows = SelectedRows::new(pattern, Arc::clone(&columns), view)?;
            Some(Point::Solutions(columns, rows))
        }
        Query::Describe { dataset: None, pattern, .. } => {
            DescribedTriples::new(pattern, view).map(Point::Graph)
        }
        _ => None,
    }
}

/// The solutions of one triple pattern with a given subject.
pub(super) struct SelectedRows<'a> {
    view: DatasetView<'a>,
    triples: Triples<'a>,
    columns: Arc<[Variable]>,
    /// The place in a triple of each column: the predicate is 1, the object 2.
    places: Vec<Option<usize>>,
    /// Whether predicate and object are the same variable.
    same_twice: bool,
}

impl<'a> SelectedRows<'a> {
    fn new(pattern: &TriplePattern, columns: Arc<[Variable]>, view: &DatasetView<'a>) -> Option<Self> {
        let subject = given(&pattern.subject, view)?;
        let predicate = match &pattern.predicate {
            NamedNodePattern::NamedNode(node) => view.internalize_term(node.clone().into()).ok(),
            NamedNodePattern::Variable(_) => None,
        };
        let object = given(&pattern.object, view);
        let places = columns.iter().map(|variable| place_of(variable, pattern)).collect();
        let triples = view.default_triples(Some(subject), predicate, object);
        Some(Self { view: view.clone(), triples, columns, places, same_twice: is_same_variable(pattern) })
    }
}

impl Iterator for SelectedRows<'_> {
    type Item = QuerySolution;

    fn next(&mut self) -> Option<QuerySolution> {
        let same_twice = self.same_twice;
        let triple = self.triples.find(|triple| !same_twice || triple[1] == triple[2])?;
        let value = |place: &Option<usize>| place.map(|place| self.view.term(triple[place]));
        let values: Vec<Option<Term>> = self.places.iter().map(value).collect();
        Some((Arc::clone(&self.columns), values).into())
    }
}

/// The number of a constant of the pattern; none for a variable or a blank node of the query.
fn given(term: &TermPattern, view: &DatasetView<'_>) -> Option<TermId> {
    match term {
        TermPattern::NamedNode(node) => view.internalize_term(node.clone().into()).ok(),
        TermPattern::Literal(literal) => Some(view.intern(literal.clone().into())),
        TermPattern::BlankNode(_) | TermPattern::Variable(_) => None,
    }
}

fn is_same_variable(pattern: &TriplePattern) -> bool {
    matches!(
        (&pattern.predicate, &pattern.object),
        (NamedNodePattern::Variable(predicate), TermPattern::Variable(object)) if predicate == object
    )
}

fn place_of(variable: &Variable, pattern: &TriplePattern) -> Option<usize> {
    if matches!(&pattern.predicate, NamedNodePattern::Variable(predicate) if predicate == variable) {
        return Some(1);
    }
    matches!(&pattern.object, TermPattern::Variable(object) if object == variable).then_some(2)
}

/// The triples of a DESCRIBE query, each once: those with a described node as subject, and those of the blank
/// nodes that are reached from there.
pub(super) struct DescribedTriples<'a> {
    view: DatasetView<'a>,
    triples: Triples<'a>,
    to_describe: Vec<TermId>,
    /// The nodes that are described, or will be: no node is described twice.
    seen: HashSet<TermId, RandomState>,
}

impl<'a> DescribedTriples<'a> {
    fn new(pattern: &GraphPattern, view: &DatasetView<'a>) -> Option<Self> {
        let mut nodes = Vec::new();
        given_nodes(pattern, view, &mut nodes).then(|| Self::of_nodes(nodes, view))
    }

    /// The triples of these nodes.
    pub(super) fn of_nodes(mut nodes: Vec<TermId>, view: &DatasetView<'a>) -> Self {
        let mut seen = HashSet::default();
        nodes.retain(|node| seen.insert(*node));
        nodes.reverse();
        Self { view: view.clone(), triples: Triples::none(), to_describe: nodes, seen }
    }

    fn next_ids(&mut self) -> Option<[TermId; 3]> {
        loop {
            if let Some(triple) = self.triples.next() {
                if self.view.is_blank_node(triple[2]) && self.seen.insert(triple[2]) {
                    self.to_describe.push(triple[2]);
                }
                return Some(triple);
            }
            let node = self.to_describe.pop()?;
            self.triples = self.view.default_triples(Some(node), None, None);
        }
    }
}

impl Iterator for DescribedTriples<'_> {
    type Item = Triple;

    fn next(&mut self) -> Option<Triple> {
        loop {
            let [subject, predicate, object] = self.next_ids()?.map(|id| self.view.term(id));
            if let (Ok(subject), Ok(predicate)) =
                (NamedOrBlankNode::try_from(subject), NamedNode::try_from(predicate))
            {
                return Some(Triple { subject, predicate, object });
            }
        }
    }
}

/// Collects the nodes of a pattern of constant nodes; returns whether the pattern is one.
fn given_nodes(pattern: &GraphPattern, view: &DatasetView<'_>, nodes: &mut Vec<TermId>) -> bool {
    match pattern {
        GraphPattern::Project { inner, .. } => given_nodes(inner, view, nodes),
        GraphPattern::Extend { inner, expression: Expression::NamedNode(node), .. } => {
            let is_given = given_nodes(inner, view, nodes);
            nodes.push(view.intern(Term::from(node.clone())));
            is_given
        }
        GraphPattern::Bgp { patterns } => patterns.is_empty(),
        _ => false,
    }
}
