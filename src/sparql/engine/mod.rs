//! Evaluates queries over columns of term numbers. `plan` says which queries those are; all others are `spareval`'s.
//!
//! A pattern becomes a table, column by column. What no part of the query asks for gets no column, and terms are made of
//! numbers when a solution is shown. `basic_graph_pattern` finds triples, `join` rows that go together, `values` evaluates
//! expressions, `group` and `order` do what their names say.

mod basic_graph_pattern;
mod conditions;
mod distinct;
mod group;
mod join;
mod numerals;
mod order;
mod plan;
mod run;
mod steps;
mod table;
mod values;

use std::cell::Cell;
use std::sync::Arc;

use oxiri::Iri;
use oxrdf::{Term, Variable};
use spareval::{QuerySolution, QueryableDataset};
use spargebra::Query;

use super::environment::Cancellation;
use super::evaluate::{Evaluation, EvaluationError};
use crate::store::{DatasetView, TermId};
use plan::Plan;
use steps::Steps;
use table::{Table, Var, Vars};

/// The most rows of a table; `spareval`, which holds one row at a time, evaluates what would have more.
const MOST_ROWS: usize = 1 << 27;

/// How much work is done between two looks at the cancellation.
const WORK: usize = 1 << 16;

/// The reason why there is no table.
#[derive(Debug)]
enum Unfit {
    /// It would be too large.
    TooLarge,
    /// An expression that the plan has not foreseen.
    NotTaken,
    /// The evaluation has failed, or was told to end.
    Failed(EvaluationError),
}

impl From<EvaluationError> for Unfit {
    fn from(error: EvaluationError) -> Self {
        Self::Failed(error)
    }
}

/// Looks at the cancellation now and then.
struct Ticks<'e> {
    cancellation: &'e Cancellation,
    left: Cell<usize>,
}

impl Ticks<'_> {
    /// Notes that so much work was done.
    #[inline]
    fn tick(&self, work: usize) -> Result<(), Unfit> {
        match self.left.get().checked_sub(work) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => self.look(),
        }
    }

    #[cold]
    fn look(&self) -> Result<(), Unfit> {
        self.left.set(WORK);
        Ok(self.cancellation.check()?)
    }

    /// Fails where a table has become too large.
    #[inline]
    fn grown(&self, rows: usize) -> Result<(), Unfit> {
        if rows > MOST_ROWS { Err(Unfit::TooLarge) } else { Ok(()) }
    }
}

/// One evaluation.
struct Engine<'e, 'd> {
    view: &'e DatasetView<'d>,
    evaluation: &'e Evaluation,
    names: &'e [Variable],
    /// The IRI that expressions resolve others against.
    base: Option<&'e Iri<String>>,
    ticks: Ticks<'e>,
    /// The steps, where they are to be shown.
    steps: Option<&'e Steps>,
}

/// The solutions of a query, whose terms are numbers until they are shown.
pub(super) struct Answer<'d> {
    pub(super) variables: Arc<[Variable]>,
    view: DatasetView<'d>,
    columns: Vec<Var>,
    table: Table,
    next: usize,
}

/// Answers a query; none where `spareval` has to.
///
/// # Errors
///
/// The end of its time, and errors of the evaluation.
pub(super) fn answer<'d>(
    query: &Query,
    view: &DatasetView<'d>,
    evaluation: &Evaluation,
) -> Result<Option<Answer<'d>>, EvaluationError> {
    evaluate(query, view, evaluation, None)
}

/// Answers a query and says how; none where `spareval` has to.
///
/// # Errors
///
/// As [`answer`].
pub(super) fn explain(
    query: &Query,
    view: &DatasetView<'_>,
    evaluation: &Evaluation,
) -> Result<Option<(usize, String)>, EvaluationError> {
    let steps = Steps::default();
    let answer = evaluate(query, view, evaluation, Some(&steps))?;
    Ok(answer.map(|answer| (answer.table.rows, steps.text())))
}

fn evaluate<'d>(
    query: &Query,
    view: &DatasetView<'d>,
    evaluation: &Evaluation,
    steps: Option<&Steps>,
) -> Result<Option<Answer<'d>>, EvaluationError> {
    let Some(plan) = Plan::of(query, view) else { return Ok(None) };
    let cancellation = &evaluation.deadline.cancellation;
    let ticks = Ticks { cancellation, left: Cell::new(0) };
    let engine = Engine { view, evaluation, names: &plan.names, base: query.base_iri(), ticks, steps };
    match engine.run(&plan.root, Vars::of(plan.vars.iter().copied())) {
        Ok(table) => Ok(Some(Answer {
            variables: plan.columns.into(),
            view: view.clone(),
            columns: plan.vars,
            table,
            next: 0,
        })),
        Err(Unfit::TooLarge | Unfit::NotTaken) => Ok(None),
        Err(Unfit::Failed(error)) => Err(error),
    }
}

/// The number of a term of a query; a new one if the dataset does not have it.
fn known(view: &DatasetView<'_>, term: Term) -> TermId {
    let Ok(id) = view.internalize_term(term);
    id
}

impl Iterator for Answer<'_> {
    type Item = QuerySolution;

    fn next(&mut self) -> Option<QuerySolution> {
        let row = self.next;
        if row >= self.table.rows {
            return None;
        }
        self.next += 1;
        let value = |var: &Var| {
            let id = TermId::of_number(self.table.numbers(*var)?[row])?;
            Some(self.view.term(id))
        };
        let values: Vec<Option<Term>> = self.columns.iter().map(value).collect();
        Some((Arc::clone(&self.variables), values).into())
    }
}
