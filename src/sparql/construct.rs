//! The triples of CONSTRUCT: each solution is put into the template, and each triple is returned once.
//! Solutions are numbers of terms, so a repeated triple needs no new terms.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use oxrdf::{BlankNode, NamedNode, NamedOrBlankNode, Term, Triple, Variable};
use spareval::QueryableDataset;
use spargebra::term::{TermPattern, TriplePattern};

use super::deadline::Deadline;
use super::environment::{EvaluationError, dataset_error};
use super::late_terms::{LateTerms, TermId};

/// One place of a template.
#[derive(Debug, Clone, Copy)]
enum Slot {
    /// The same term in each triple.
    Constant(TermId),
    /// The value of a column.
    Column(usize),
    /// A blank node that is new for each solution.
    Blank(usize),
    /// A variable that nothing binds; the template gives no triple.
    Unbound,
}

/// The terms behind the numbers of solutions.
pub(super) trait Terms {
    /// The number of a term that the query itself names.
    fn id_of_constant(&self, term: Term) -> Result<TermId, EvaluationError>;

    /// The term of a number.
    fn term(&self, id: TermId) -> Result<Term, EvaluationError>;
}

impl<'a, D: QueryableDataset<'a>> Terms for LateTerms<'a, D> {
    fn id_of_constant(&self, term: Term) -> Result<TermId, EvaluationError> {
        LateTerms::id_of_constant(self, term).map_err(dataset_error)
    }

    fn term(&self, id: TermId) -> Result<Term, EvaluationError> {
        LateTerms::term(self, id).map_err(dataset_error)
    }
}

/// The triples of a template, whose variables are columns of the solutions.
pub(super) struct Template {
    triples: Vec<[Slot; 3]>,
    blank_nodes: usize,
}

impl Template {
    pub(super) fn new(
        template: &[TriplePattern],
        columns: &[Variable],
        terms: &impl Terms,
    ) -> Result<Self, EvaluationError> {
        let mut labels = HashMap::new();
        let column = |variable: &Variable| {
            columns.iter().position(|known| known == variable).map_or(Slot::Unbound, Slot::Column)
        };
        let mut term = |term: &TermPattern| -> Result<Slot, EvaluationError> {
            Ok(match term {
                TermPattern::Variable(variable) => column(variable),
                TermPattern::BlankNode(node) => {
                    let next = labels.len();
                    Slot::Blank(*labels.entry(node.clone()).or_insert(next))
                }
                TermPattern::NamedNode(node) => Slot::Constant(terms.id_of_constant(node.clone().into())?),
                TermPattern::Literal(literal) => {
                    Slot::Constant(terms.id_of_constant(literal.clone().into())?)
                }
            })
        };
        let mut triples = Vec::new();
        for triple in template {
            let predicate = term(&triple.predicate.clone().into())?;
            triples.push([term(&triple.subject)?, predicate, term(&triple.object)?]);
        }
        let blank_nodes = labels.len();
        Ok(Self { triples, blank_nodes })
    }
}

/// The value of a slot in one solution.
#[derive(Clone)]
enum Filled {
    Id(TermId),
    Blank(BlankNode),
}

/// The triples of the answer, each made when it is read.
pub(super) struct Triples<T, R> {
    template: Template,
    rows: R,
    terms: T,
    deadline: Deadline,
    seen: HashSet<[TermId; 3], RandomState>,
    row: Vec<Option<TermId>>,
    blank_nodes: Vec<BlankNode>,
    next: usize,
    has_failed: bool,
}

impl<T, R> Triples<T, R>
where
    T: Terms,
    R: Iterator<Item = Result<Vec<Option<TermId>>, EvaluationError>>,
{
    pub(super) fn new(template: Template, rows: R, terms: T, deadline: Deadline) -> Self {
        let next = template.triples.len();
        Self {
            template,
            rows,
            terms,
            deadline,
            seen: HashSet::default(),
            row: Vec::new(),
            blank_nodes: Vec::new(),
            next,
            has_failed: false,
        }
    }

    fn filled(&self, slot: Slot) -> Option<Filled> {
        match slot {
            Slot::Constant(id) => Some(Filled::Id(id)),
            Slot::Column(column) => self.row[column].map(Filled::Id),
            Slot::Blank(number) => Some(Filled::Blank(self.blank_nodes[number].clone())),
            Slot::Unbound => None,
        }
    }

    /// Fills one triple of the template; none where the terms form no triple, or one that was returned before.
    fn triple(&mut self, slots: [Slot; 3]) -> Result<Option<Triple>, EvaluationError> {
        let (Some(subject), Some(predicate), Some(object)) =
            (self.filled(slots[0]), self.filled(slots[1]), self.filled(slots[2]))
        else {
            return Ok(None);
        };
        if let (Filled::Id(subject), Filled::Id(predicate), Filled::Id(object)) =
            (&subject, &predicate, &object)
            && !self.seen.insert([*subject, *predicate, *object])
        {
            return Ok(None);
        }
        let Ok(subject) = NamedOrBlankNode::try_from(self.term(subject)?) else { return Ok(None) };
        let Ok(predicate) = NamedNode::try_from(self.term(predicate)?) else { return Ok(None) };
        Ok(Some(Triple { subject, predicate, object: self.term(object)? }))
    }

    fn term(&self, filled: Filled) -> Result<Term, EvaluationError> {
        match filled {
            Filled::Id(id) => self.terms.term(id),
            Filled::Blank(node) => Ok(node.into()),
        }
    }

    fn advance(&mut self) -> Result<Option<Triple>, EvaluationError> {
        loop {
            while self.next < self.template.triples.len() {
                let slots = self.template.triples[self.next];
                self.next += 1;
                if let Some(triple) = self.triple(slots)? {
                    return Ok(Some(triple));
                }
            }
            self.deadline.check()?;
            let Some(row) = self.rows.next() else { return Ok(None) };
            self.row = row?;
            self.blank_nodes = (0..self.template.blank_nodes).map(|_| BlankNode::default()).collect();
            self.next = 0;
        }
    }
}

impl<T, R> Iterator for Triples<T, R>
where
    T: Terms,
    R: Iterator<Item = Result<Vec<Option<TermId>>, EvaluationError>>,
{
    type Item = Result<Triple, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let result = self.advance().transpose();
        self.has_failed = matches!(result, Some(Err(_)));
        result
    }
}
