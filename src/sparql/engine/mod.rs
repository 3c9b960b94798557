//! Evaluates queries over columns of term numbers.
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
mod describe;
mod distinct;
mod division;
mod equality;
mod estimates;
mod exists;
mod given;
mod graphs;
mod group;
mod join;
mod labels;
mod lateral;
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

use oxrdf::Variable;
use sparesults::QuerySolution;
use spargebra::Query;

use super::construct::{Template, Triples, makes_each_once};
use super::dataset::SparqlDataset;
use super::environment::{Environment, EvaluationError};
use super::evaluate::{Evaluation, ExecuteOptions, QueryResults, Solutions};
use super::graph_triples::GraphTriples;
use crate::store::TermId;
use answer::Answer;
pub(super) use data::Data;
pub(super) use describe::Description;
use plan::Plan;
use steps::Steps;

/// Evaluates a query over a dataset.
///
/// # Errors
///
/// The end of its time, and errors of the evaluation.
pub(super) fn execute<'a>(
    query: &Query,
    dataset: SparqlDataset<'a>,
    options: ExecuteOptions,
    environment: &Environment,
) -> Result<QueryResults<'a>, EvaluationError> {
    let evaluation = Evaluation::new(options, environment);
    let mut answer = answer(query, dataset, &evaluation, None)?;
    Ok(match query {
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
            let template = Template::new(template, &answer.plan.columns, &view);
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
            let triples = Description::of_nodes(nodes, answer.data);
            QueryResults::Graph(GraphTriples::new(evaluation.limited(triples.map(Ok))))
        }
    })
}

/// Evaluates a query and says how: the number of solutions, and the steps.
///
/// # Errors
///
/// As [`execute`].
pub(super) fn explain(
    query: &Query,
    dataset: SparqlDataset<'_>,
    options: ExecuteOptions,
    environment: &Environment,
) -> Result<(usize, String), EvaluationError> {
    let evaluation = Evaluation::new(options, environment);
    let steps = Rc::new(Steps::default());
    let mut answer = answer(query, dataset, &evaluation, Some(Rc::clone(&steps)))?;
    let mut rows = 0;
    while answer.next_row()?.is_some() {
        rows += 1;
    }
    Ok((rows, steps.text()))
}

fn answer<'a>(
    query: &Query,
    dataset: SparqlDataset<'a>,
    evaluation: &Evaluation,
    steps: Option<Rc<Steps>>,
) -> Result<Answer<'a>, EvaluationError> {
    let data = Data::of(dataset);
    let data = match query.dataset() {
        Some(graphs) => data.of_graphs(graphs),
        None => data,
    };
    let mut plan = Plan::of(query, &data)?;
    if matches!(query, Query::Select { .. }) {
        // Of triples, solutions do not say how many there are.
        plan.length = Some(plan.length.unwrap_or(usize::MAX).min(evaluation.limit));
    }
    Answer::of(plan, data, query.base_iri(), evaluation, steps)
}
