//! Evaluates queries over columns of term numbers. `plan` says which queries those are; all others are `spareval`'s.
//!
//! A pattern becomes a table, column by column. What no part of the query asks for gets no column, and terms are made of
//! numbers when a solution is shown. `basic_graph_pattern` finds triples, `join` rows that go together, `conditions` and `values`
//! evaluate expressions, `group` and `order` do what their names say.

mod basic_graph_pattern;
mod closure;
mod conditions;
mod context;
mod distinct;
mod equality;
mod estimates;
mod group;
mod join;
mod labels;
mod limits;
mod node;
mod numerals;
mod order;
mod path;
mod plan;
mod quad_pattern;
mod run;
mod seeds;
mod steps;
mod table;
mod values;

use std::sync::Arc;

use oxrdf::{Term, Variable};
use spareval::QuerySolution;
use spargebra::Query;

use super::environment::{Environment, EvaluationError};
use super::evaluate::{Evaluation, Evaluator, ExecuteOptions, QueryResults, Solutions};
use super::point::Queryable;
use crate::store::{DatasetView, TermId};
use context::Engine;
use limits::{Ticks, Unfit};
use plan::Plan;
use steps::Steps;
use table::{Table, Var, Vars};

/// The solutions of a query, whose terms are numbers until they are shown.
struct Answer<'d> {
    variables: Arc<[Variable]>,
    view: DatasetView<'d>,
    columns: Vec<Var>,
    table: Table,
    next: usize,
}

/// Evaluates a query over a dataset; none where `spareval` has to.
///
/// # Errors
///
/// The end of its time, and errors of the evaluation.
pub(super) fn execute<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: &D,
    options: ExecuteOptions,
    environment: &Environment,
) -> Result<Option<QueryResults<'a>>, EvaluationError> {
    let evaluation = Evaluation::new(options, environment, false);
    let Some(answer) = answer(query, dataset, options, &evaluation, None)? else { return Ok(None) };
    let variables = Arc::clone(&answer.variables);
    Ok(Some(QueryResults::Solutions(Solutions::new(variables, evaluation.guard(answer.map(Ok))))))
}

/// Evaluates a query and says how: the number of solutions, and the steps; none where `spareval` has to.
///
/// # Errors
///
/// As [`execute`].
pub(super) fn explain<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: &D,
    options: ExecuteOptions,
    environment: &Environment,
) -> Result<Option<(usize, String)>, EvaluationError> {
    let evaluation = Evaluation::new(options, environment, false);
    let steps = Steps::default();
    let answer = answer(query, dataset, options, &evaluation, Some(&steps))?;
    Ok(answer.map(|answer| (answer.table.rows, steps.text())))
}

fn answer<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: &D,
    options: ExecuteOptions,
    evaluation: &Evaluation,
    steps: Option<&Steps>,
) -> Result<Option<Answer<'a>>, EvaluationError> {
    let Some(view) = dataset.as_view().filter(|_| options.evaluator == Evaluator::Columns) else {
        return Ok(None);
    };
    let Some(plan) = Plan::of(query, view) else { return Ok(None) };
    let ticks = Ticks::of(&evaluation.deadline.cancellation);
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
