//! Point lookups: what one node says, without the evaluator, whose setting up takes longer than
//! the lookup. DESCRIBE of given nodes, and SELECT of one triple pattern with a given subject.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::RandomState;
use oxrdf::{Term, Variable};
use spareval::{QueryEvaluationError, QueryEvaluator, QueryResults, QuerySolutionIter};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::store::{DatasetView, DefaultTriples, TermId};

/// Evaluates a SELECT query whose WHERE is one triple pattern with a given subject. Gives nothing
/// where the query is of another form.
pub fn select<'d>(query: &Query, view: &DatasetView<'d>) -> Option<QuerySolutionIter<'d>> {
    let Query::Select { dataset: None, pattern: GraphPattern::Project { inner, variables }, .. } = query
    else {
        return None;
    };
    let GraphPattern::Bgp { patterns } = &**inner else { return None };
    let [pattern] = &patterns[..] else { return None };
    let subject = given(&pattern.subject, view)?;
    let predicate = match &pattern.predicate {
        NamedNodePattern::NamedNode(node) => Some(view.intern(node.clone().into())),
        NamedNodePattern::Variable(_) => None,
    };
    let object = given(&pattern.object, view);
    let same_twice = predicate.is_none() && object.is_none() && is_same_variable(pattern);
    // Places of a triple: the predicate is 1, the object 2.
    let places: Vec<Option<usize>> = variables.iter().map(|variable| place_of(variable, pattern)).collect();
    let view = view.clone();
    let tuples = view
        .default_triples(Some(subject), predicate, object)
        .filter(move |triple| !same_twice || triple[1] == triple[2])
        .map(move |triple| {
            Ok(places.iter().map(|place| place.map(|place| view.term(triple[place]))).collect())
        });
    let variables: Arc<[Variable]> = variables.as_slice().into();
    Some(QuerySolutionIter::from_tuples(variables, tuples))
}

/// The number of a term that the pattern gives.
fn given(term: &TermPattern, view: &DatasetView<'_>) -> Option<TermId> {
    match term {
        TermPattern::NamedNode(node) => Some(view.intern(node.clone().into())),
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

/// The triples of a DESCRIBE query, by number: those whose subject is a node asked for, and those of
/// the blank nodes that these lead to.
pub struct DescribedTriples<'d> {
    view: DatasetView<'d>,
    triples: DefaultTriples<'d>,
    to_describe: Vec<TermId>,
    seen: HashSet<TermId, RandomState>,
}

impl<'d> DescribedTriples<'d> {
    /// Evaluates a DESCRIBE query. Gives nothing where the query is of another form.
    ///
    /// # Errors
    /// Where the evaluation of its pattern fails; see [`QueryEvaluator`].
    pub fn evaluate(
        evaluator: &QueryEvaluator,
        query: &Query,
        view: &DatasetView<'d>,
    ) -> Result<Option<Self>, QueryEvaluationError> {
        let Query::Describe { dataset: None, pattern, base_iri } = query else { return Ok(None) };
        let mut nodes = Vec::new();
        if !given_nodes(pattern, view, &mut nodes) {
            nodes.clear();
            let select =
                Query::Select { dataset: None, pattern: pattern.clone(), base_iri: base_iri.clone() };
            let results = evaluator.prepare(&select).execute(view.with_handles())?;
            let QueryResults::Solutions(solutions) = results else { return Ok(None) };
            for solution in solutions {
                let solution = solution?;
                nodes.extend(solution.values().iter().flatten().filter_map(DatasetView::id_of_handle));
            }
        }
        let mut seen = HashSet::default();
        nodes.retain(|node| seen.insert(*node));
        nodes.reverse();
        Ok(Some(Self { view: view.clone(), triples: DefaultTriples::none(), to_describe: nodes, seen }))
    }

    /// The view that reads the numbers.
    pub fn view(&self) -> &DatasetView<'d> {
        &self.view
    }
}

impl Iterator for DescribedTriples<'_> {
    type Item = [TermId; 3];

    fn next(&mut self) -> Option<[TermId; 3]> {
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

/// Collects the nodes of a pattern that gives nothing but nodes.
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
