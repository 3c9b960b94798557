//! The cost of a lookup, estimated from a sample of the data: the number of solutions that a triple pattern
//! has for each binding of its known terms.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use oxrdf::{NamedNode, Term, Variable};
use spareval::QueryableDataset;
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

/// How many triples of a property are looked at. Enough to tell a few from many.
const SAMPLE: usize = 1_000;
/// The numbers of solutions assumed for lookups that cannot be sampled.
const FEW: f64 = 10.0;
const ALL: f64 = 1e9;

/// How often a property repeats its subjects and its objects.
#[derive(Debug, Clone, Copy, Default)]
struct Repetition {
    objects_of_a_subject: f64,
    subjects_of_an_object: f64,
}

type Sampler<'s> = Box<dyn Fn(&NamedNode, Option<Term>) -> (usize, Repetition) + 's>;

/// Samples of a dataset's default graph, each property sampled once.
pub(super) struct Statistics<'s> {
    sampler: Sampler<'s>,
    properties: RefCell<HashMap<NamedNode, Repetition>>,
    counts: RefCell<HashMap<(NamedNode, Term), usize>>,
}

impl<'s> Statistics<'s> {
    /// Statistics of a dataset, sampled when they are needed.
    pub(super) fn of<'a: 's, D: QueryableDataset<'a>>(dataset: &'s D) -> Self {
        let sampler = move |property: &NamedNode, object: Option<Term>| {
            sample(dataset, property, object).unwrap_or_default()
        };
        Self { sampler: Box::new(sampler), properties: RefCell::default(), counts: RefCell::default() }
    }

    /// Tells how many solutions a single lookup has where the variables in `bound` have values.
    pub(super) fn fan_out(&self, lookup: &GraphPattern, bound: &HashSet<Variable>) -> f64 {
        match lookup {
            GraphPattern::Bgp { patterns } => match patterns.as_slice() {
                [triple] => self.triple_fan_out(triple, bound),
                _ => ALL,
            },
            GraphPattern::Path { subject, object, .. } => {
                let ends = [subject, object].into_iter().filter(|end| is_known(end, bound)).count();
                [ALL, FEW, 1.0][ends]
            }
            GraphPattern::Graph { inner, .. } => self.fan_out(inner, bound),
            GraphPattern::Values { bindings, .. } => bindings.len() as f64,
            _ => ALL,
        }
    }

    fn triple_fan_out(&self, triple: &TriplePattern, bound: &HashSet<Variable>) -> f64 {
        let TriplePattern { subject, predicate, object } = triple;
        let NamedNodePattern::NamedNode(property) = predicate else {
            return if is_known(subject, bound) { FEW } else { ALL };
        };
        match (is_known(subject, bound), is_known(object, bound)) {
            (true, true) => 1.0,
            (true, false) => self.repetition(property).objects_of_a_subject,
            (false, true) => match object {
                TermPattern::NamedNode(node) => self.count(property, node.clone().into()),
                TermPattern::Literal(literal) => self.count(property, literal.clone().into()),
                _ => self.repetition(property).subjects_of_an_object,
            },
            (false, false) => ALL,
        }
    }

    fn repetition(&self, property: &NamedNode) -> Repetition {
        if let Some(&known) = self.properties.borrow().get(property) {
            return known;
        }
        let (_, repetition) = (self.sampler)(property, None);
        self.properties.borrow_mut().insert(property.clone(), repetition);
        repetition
    }

    fn count(&self, property: &NamedNode, object: Term) -> f64 {
        let key = (property.clone(), object);
        if let Some(&known) = self.counts.borrow().get(&key) {
            return known as f64;
        }
        let (count, _) = (self.sampler)(property, Some(key.1.clone()));
        self.counts.borrow_mut().insert(key, count);
        count as f64
    }
}

fn is_known(term: &TermPattern, bound: &HashSet<Variable>) -> bool {
    match term {
        TermPattern::Variable(variable) => bound.contains(variable),
        TermPattern::BlankNode(_) => false,
        TermPattern::NamedNode(_) | TermPattern::Literal(_) => true,
    }
}

fn sample<'a, D: QueryableDataset<'a>>(
    dataset: &D,
    property: &NamedNode,
    object: Option<Term>,
) -> Result<(usize, Repetition), D::Error> {
    let property = dataset.internalize_term(property.clone().into())?;
    let object = object.map(|object| dataset.internalize_term(object)).transpose()?;
    let mut subjects = HashSet::new();
    let mut objects = HashSet::new();
    let mut triples = 0usize;
    let found = dataset.internal_quads_for_pattern(None, Some(&property), object.as_ref(), Some(None));
    for quad in found.take(SAMPLE) {
        let quad = quad?;
        triples += 1;
        subjects.insert(quad.subject);
        objects.insert(quad.object);
    }
    let each = |distinct: usize| triples as f64 / distinct.max(1) as f64;
    let repetition =
        Repetition { objects_of_a_subject: each(subjects.len()), subjects_of_an_object: each(objects.len()) };
    Ok((triples, repetition))
}
