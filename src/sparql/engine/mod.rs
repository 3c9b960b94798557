//! Evaluates queries over columns of term numbers. `plan` says which queries those are; all others are `spareval`'s.
//!
//! A pattern becomes a table, column by column. What no part of the query asks for gets no column, and terms are made of
//! numbers when a solution is shown. `basic_graph_pattern` finds triples, `join` rows that go together, `conditions` and `values`
//! evaluate expressions, `group` and `order` do what their names say.

mod accumulators;
mod answer;
mod basic_graph_pattern;
mod closure;
mod conditions;
mod context;
mod cores;
mod data;
mod distinct;
mod equality;
mod estimates;
mod exists;
mod given;
mod graphs;
mod group;
mod join;
mod labels;
mod limits;
mod node;
mod order;
mod parts;
mod path;
mod plan;
mod quad_pattern;
mod run;
mod seeds;
mod service;
mod steps;
mod table;
mod values;

use std::rc::Rc;
use std::sync::Arc;

use oxrdf::{Term, Variable};
use spareval::QuerySolution;
use spargebra::Query;

use super::construct::{Template, Terms, Triples, makes_each_once};
use super::environment::{Environment, EvaluationError};
use super::evaluate::{Evaluation, Evaluator, ExecuteOptions, QueryResults, Solutions};
use super::graph_triples::GraphTriples;
use super::point::{DescribedTriples, Queryable};
use crate::store::{DatasetView, TermId};
use answer::Answer;
use data::Data;
use plan::Plan;
use steps::Steps;

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
    let Some(mut answer) = answer(query, dataset, options, &evaluation, None)? else { return Ok(None) };
    Ok(Some(match query {
        Query::Select { .. } => {
            let variables: Arc<[Variable]> = answer.plan.columns.as_slice().into();
            let columns = Arc::clone(&variables);
            let solutions = std::iter::from_fn(move || {
                let row = answer.next_row().transpose()?;
                Some(row.map(|row| QuerySolution::from((Arc::clone(&columns), answer.terms(row)))))
            });
            QueryResults::Solutions(Solutions::new(variables, evaluation.limited(solutions)))
        }
        Query::Ask { .. } => QueryResults::Boolean(answer.next_row()?.is_some()),
        Query::Construct { template, pattern, .. } => {
            let is_once = makes_each_once(template, pattern);
            let view = answer.data.view.clone();
            let template = Template::new(template, &answer.plan.columns, &view)?;
            let rows =
                std::iter::from_fn(move || {
                    let row = answer.next_row().transpose()?;
                    Some(row.map(|row| {
                        answer.numbers(row).map(|number| Some(number).filter(|n| *n > 0)).collect()
                    }))
                });
            let triples = Triples::new(template, rows, evaluation.deadline.clone());
            let triples = GraphTriples::filled(triples, view).each_once(is_once);
            QueryResults::Graph(triples.limited(evaluation.limit))
        }
        Query::Describe { .. } => {
            let mut nodes = Vec::new();
            while let Some(row) = answer.next_row()? {
                nodes.extend(answer.numbers(row).filter_map(TermId::of_number));
            }
            let triples = DescribedTriples::of_nodes(nodes, &answer.data.view);
            QueryResults::Graph(GraphTriples::new(evaluation.limited(triples.map(Ok))))
        }
    }))
}

impl Terms for DatasetView<'_> {
    fn id_of_constant(&self, term: Term) -> Result<u32, EvaluationError> {
        Ok(self.intern(term).number())
    }

    fn term(&self, id: u32) -> Result<Term, EvaluationError> {
        Ok(DatasetView::term(self, TermId::from_index(id as usize)))
    }
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
    let steps = Rc::new(Steps::default());
    let answer = answer(query, dataset, options, &evaluation, Some(Rc::clone(&steps)))?;
    let Some(mut answer) = answer else { return Ok(None) };
    let mut rows = 0;
    while answer.next_row()?.is_some() {
        rows += 1;
    }
    Ok(Some((rows, steps.text())))
}

fn answer<'a, D: Queryable<'a>>(
    query: &Query,
    dataset: &D,
    options: ExecuteOptions,
    evaluation: &Evaluation,
    steps: Option<Rc<Steps>>,
) -> Result<Option<Answer<'a>>, EvaluationError> {
    if options.evaluator == Evaluator::Solutions {
        return Ok(None);
    }
    let Some(data) = Data::of(dataset) else { return Ok(None) };
    let data = match query.dataset() {
        Some(graphs) => data.of_graphs(graphs),
        None => data,
    };
    let Some(mut plan) = Plan::of(query, &data)? else { return Ok(None) };
    if matches!(query, Query::Select { .. }) {
        // Of triples, solutions do not say how many there are.
        plan.length = Some(plan.length.unwrap_or(usize::MAX).min(evaluation.limit));
    }
    Answer::of(plan, data, query.base_iri(), evaluation, steps)
}
