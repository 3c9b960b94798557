//! Point lookups of the triples of one node, without the evaluator, whose setup takes longer than the lookup:
//! DESCRIBE of given nodes, and SELECT of one triple pattern with a given subject.

use std::sync::Arc;

use oxrdf::{Term, Variable};
use sparesults::QuerySolution;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::engine::{DescriptionTriples, QueryableDataset};
use evalgraph_store::{DatasetView, PatternTriples, TermId};

/// The answer to a point lookup.
pub(crate) enum PointLookupAnswer<'a> {
    Solutions(Arc<[Variable]>, SelectedRows<'a>),
    Graph(DescriptionTriples<'a>),
}

/// Answers a query that is a point lookup. Returns `None` for a query of another form.
pub(crate) fn look_up<'a>(query: &Query, view: &DatasetView<'a>) -> Option<PointLookupAnswer<'a>> {
    match query {
        Query::Select { dataset: None, pattern: GraphPattern::Project { inner, variables }, .. } => {
            let GraphPattern::Bgp { patterns } = &**inner else { return None };
            let [pattern] = &patterns[..] else { return None };
            let columns: Arc<[Variable]> = variables.as_slice().into();
            let rows = SelectedRows::new(pattern, Arc::clone(&columns), view)?;
            Some(PointLookupAnswer::Solutions(columns, rows))
        }
        Query::Describe { dataset: None, pattern, .. } => {
            let mut nodes = Vec::new();
            let is_given = given_nodes(pattern, view, &mut nodes);
            is_given.then(|| {
                PointLookupAnswer::Graph(DescriptionTriples::of_nodes(
                    nodes,
                    QueryableDataset::new(view.clone().into()),
                ))
            })
        }
        _ => None,
    }
}

/// The solutions of one triple pattern with a given subject.
pub(crate) struct SelectedRows<'a> {
    view: DatasetView<'a>,
    triples: PatternTriples<'a>,
    columns: Arc<[Variable]>,
    /// For each column, its place in a triple: the predicate is 1, the object 2.
    places: Vec<Option<usize>>,
    /// `true` if predicate and object are the same variable.
    same_twice: bool,
}

impl<'a> SelectedRows<'a> {
    fn new(pattern: &TriplePattern, columns: Arc<[Variable]>, view: &DatasetView<'a>) -> Option<Self> {
        let subject = given(&pattern.subject, view)?;
        let predicate = match &pattern.predicate {
            NamedNodePattern::NamedNode(node) => Some(view.intern_named(node.clone().into())),
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

/// The number of a constant of the pattern, or `None` for a variable or a blank node of the query.
fn given(term: &TermPattern, view: &DatasetView<'_>) -> Option<TermId> {
    match term {
        TermPattern::NamedNode(node) => Some(view.intern_named(node.clone().into())),
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

/// Collects the nodes of a pattern of constant nodes; returns whether the pattern is one.
fn given_nodes(pattern: &GraphPattern, view: &DatasetView<'_>, nodes: &mut Vec<TermId>) -> bool {
    match pattern {
        GraphPattern::Project { inner, .. } => given_nodes(inner, view, nodes),
        GraphPattern::Extend { inner, expression: Expression::NamedNode(node), .. } => {
            let is_given = given_nodes(inner, view, nodes);
            nodes.push(view.intern_named(Term::from(node.clone())));
            is_given
        }
        GraphPattern::Bgp { patterns } => patterns.is_empty(),
        _ => false,
    }
}
