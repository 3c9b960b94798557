//! CONSTRUCT over numbers: the pattern is evaluated as a SELECT of the template's variables, and
//! triples are told apart by three numbers instead of three owned terms. SPARQL 1.1, section 16.2.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use oxrdf::{Term, Triple, Variable};
use spareval::{QueryEvaluationError, QueryEvaluator, QueryResults, QuerySolutionIter};
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

use crate::store::{DatasetView, TermId};

/// The distinct triples of a CONSTRUCT query, by number.
pub struct ConstructedTriples<'d> {
    view: DatasetView<'d>,
    solutions: QuerySolutionIter<'d>,
    template: Vec<[Position; 3]>,
    seen: HashSet<[TermId; 3], RandomState>,
    /// Triples of the solution at hand that are still to be given, the last first.
    ready: Vec<[TermId; 3]>,
    /// The blank nodes that the template's labels stand for in the solution at hand.
    blank_nodes: HashMap<usize, TermId, RandomState>,
}

/// A position of the template.
#[derive(Debug, Clone, Copy)]
enum Position {
    Constant(TermId),
    Variable(usize),
    BlankNode(usize),
}

impl<'d> ConstructedTriples<'d> {
    /// Evaluates a CONSTRUCT query. Gives nothing where the query is of another form.
    ///
    /// # Errors
    /// Where the evaluation cannot begin; see [`QueryEvaluator`].
    pub fn evaluate(
        evaluator: &QueryEvaluator,
        query: &Query,
        view: &DatasetView<'d>,
    ) -> Result<Option<Self>, QueryEvaluationError> {
        let Query::Construct { template, dataset, pattern, base_iri } = query else { return Ok(None) };
        let mut names = TemplateNames::default();
        let positions = template.iter().map(|triple| names.positions(triple, view)).collect();
        let select = Query::Select {
            dataset: dataset.clone(),
            pattern: GraphPattern::Project { inner: Box::new(pattern.clone()), variables: names.variables },
            base_iri: base_iri.clone(),
        };
        let results = evaluator.prepare(&select).execute(view.with_handles())?;
        let QueryResults::Solutions(solutions) = results else { return Ok(None) };
        Ok(Some(Self {
            view: view.clone(),
            solutions,
            template: positions,
            seen: HashSet::default(),
            ready: Vec::new(),
            blank_nodes: HashMap::default(),
        }))
    }

    /// The view that reads the numbers.
    pub fn view(&self) -> &DatasetView<'d> {
        &self.view
    }

    /// A triple as oxrdf has it.
    pub fn triple(&self, [subject, predicate, object]: [TermId; 3]) -> Option<Triple> {
        let Term::NamedNode(predicate) = self.view.term(predicate) else { return None };
        let subject = match self.view.term(subject) {
            Term::NamedNode(node) => node.into(),
            Term::BlankNode(node) => node.into(),
            Term::Literal(_) => return None,
        };
        Some(Triple { subject, predicate, object: self.view.term(object) })
    }
}

impl Iterator for ConstructedTriples<'_> {
    type Item = Result<[TermId; 3], QueryEvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(triple) = self.ready.pop() {
                return Some(Ok(triple));
            }
            match self.solutions.next()? {
                Ok(solution) => self.instantiate(solution.values()),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl ConstructedTriples<'_> {
    /// The triples of one solution. One that has an unbound term, or a literal where none may be,
    /// is left out, as the specification says.
    fn instantiate(&mut self, values: &[Option<Term>]) {
        self.blank_nodes.clear();
        for position in (0..self.template.len()).rev() {
            let [subject, predicate, object] = self.template[position];
            let (Some(subject), Some(predicate), Some(object)) =
                (self.term(subject, values), self.term(predicate, values), self.term(object, values))
            else {
                continue;
            };
            let is_triple = self.view.is_subject(subject) && self.view.is_predicate(predicate);
            if is_triple && self.seen.insert([subject, predicate, object]) {
                self.ready.push([subject, predicate, object]);
            }
        }
    }

    fn term(&mut self, position: Position, values: &[Option<Term>]) -> Option<TermId> {
        match position {
            Position::Constant(id) => Some(id),
            Position::Variable(place) => DatasetView::id_of_handle(values.get(place)?.as_ref()?),
            Position::BlankNode(place) => {
                let view = &self.view;
                Some(*self.blank_nodes.entry(place).or_insert_with(|| view.fresh_blank_node()))
            }
        }
    }
}

/// The variables and blank node labels of a template, by their place of first use.
#[derive(Default)]
struct TemplateNames {
    variables: Vec<Variable>,
    labels: Vec<String>,
}

impl TemplateNames {
    fn positions(&mut self, triple: &TriplePattern, view: &DatasetView<'_>) -> [Position; 3] {
        let predicate = match &triple.predicate {
            NamedNodePattern::NamedNode(node) => Position::Constant(view.intern(node.clone().into())),
            NamedNodePattern::Variable(variable) => self.variable(variable),
        };
        [self.position(&triple.subject, view), predicate, self.position(&triple.object, view)]
    }

    fn position(&mut self, term: &TermPattern, view: &DatasetView<'_>) -> Position {
        match term {
            TermPattern::NamedNode(node) => Position::Constant(view.intern(node.clone().into())),
            TermPattern::Literal(literal) => Position::Constant(view.intern(literal.clone().into())),
            TermPattern::Variable(variable) => self.variable(variable),
            TermPattern::BlankNode(node) => {
                Position::BlankNode(place_of(&mut self.labels, node.as_str().to_owned()))
            }
        }
    }

    fn variable(&mut self, variable: &Variable) -> Position {
        Position::Variable(place_of(&mut self.variables, variable.clone()))
    }
}

fn place_of<T: PartialEq>(known: &mut Vec<T>, wanted: T) -> usize {
    known.iter().position(|other| *other == wanted).unwrap_or_else(|| {
        known.push(wanted);
        known.len() - 1
    })
}
