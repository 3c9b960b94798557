//! Evaluates queries over columns of term numbers.
//!
//! The algebra becomes a plan of nodes (`query_plan`, `node`), with a number for each variable. A node becomes a
//! [`SolutionTable`](solution_table::SolutionTable): a column of term numbers for each variable that a node above it
//! needs, with 0 for a missing value. Numbers become terms when a solution is shown.
//!
//! ```text
//! SELECT ?q ?n { ?q s:text ?t . ?q s:answerCount ?n FILTER(STRLEN(?t) > 20) } ORDER BY ?n LIMIT 2
//!
//! LIMIT 2              ?q 7 3      ?n 41 42           the two first rows
//!   ORDER BY ?n        ?q 7 3 9    ?n 41 42 45        places of the distinct values, then of the rows
//!     FILTER           ?q 3 7 9    ?n 42 41 45        each distinct ?t is tested once; its column ends here
//!       ?q s:text ?t   ?q 3 5 7 9  ?t 11 12 13 14     a walk over the triples of one property
//!       … ?n           ?n 42 40 41 45                 looked up for each ?q, or walked over, whichever is less work
//! ```
//!
//! - **Patterns.** `basic_graph_pattern` joins one triple pattern after another; the next one is always the pattern
//!   that leaves the fewest rows. `join` finds the compatible rows of two tables; the values that one side has found
//!   narrow the other side (`seeds`). `closure` follows paths of any length, `graphs` goes from graph to graph,
//!   `plan_substitution` puts values in place of variables (EXISTS, LATERAL).
//! - **Expressions.** `row_conditions` decides conditions on numbers and stored strings. For everything else,
//!   `table_expressions` uses [`expression`](super::expression), once for each distinct combination of values.
//! - **Parts.** Tables stay small: `parts` takes some triples of the first pattern at a time. If one triple has too
//!   many solutions with the second pattern, `division` divides that pattern, too. Groups, DISTINCT and ORDER BY
//!   accumulate part by part, and ORDER BY writes many rows to a temporary file (`sorted_runs`). A step that cannot be
//!   divided ends with `limit::rows`.
//! - **Limits.** Each loop counts its work in [`CancellationTicker`](limits::CancellationTicker), which checks the
//!   cancellation every few thousand numbers.

mod accumulators;
mod answer;
mod basic_graph_pattern;
mod closure;
mod cores;
mod describe;
mod distinct;
mod division;
mod equality;
mod estimates;
mod exists;
mod folded_expressions;
mod given_values;
mod graphs;
mod group_by;
mod join;
mod labels;
mod lateral;
mod limits;
mod node;
mod order_by;
mod partly_bound;
mod parts;
mod path_plans;
mod plan_evaluator;
mod plan_substitution;
pub(super) mod point;
mod quad_pattern;
mod query_plan;
mod queryable_dataset;
mod row_conditions;
mod run;
mod seeds;
mod service;
mod solution_table;
mod sorted_runs;
mod steps;
mod table_expressions;

use std::rc::Rc;
use std::sync::Arc;

use oxrdf::Variable;
use sparesults::QuerySolution;
use spargebra::Query;

use super::environment::{EvaluationEnvironment, EvaluationError};
use super::evaluate::{ExecuteOptions, LimitedEvaluation, QueryResults, SolutionSequence};
use super::results::construct::{ConstructTemplate, ConstructedTriples, makes_each_once};
use super::results::graph_triples::QueryTriples;
use super::sparql_dataset::SparqlDataset;
use answer::NumberedSolutions;
pub(super) use describe::DescriptionTriples;
use evalgraph_store::TermId;
use query_plan::QueryPlan;
pub(super) use queryable_dataset::QueryableDataset;
use steps::ExplanationSteps;

/// Evaluates a query over a dataset.
///
/// # Errors
///
/// The time limit, and errors of the evaluation.
pub(super) fn execute<'a>(
    query: &Query,
    dataset: SparqlDataset<'a>,
    options: ExecuteOptions,
    environment: &EvaluationEnvironment,
) -> Result<QueryResults<'a>, EvaluationError> {
    let evaluation = LimitedEvaluation::new(options, environment);
    let mut answer = answer(query, dataset, &evaluation, None)?;
    Ok(match query {
        Query::Select { .. } => {
            let variables: Arc<[Variable]> = answer.plan.columns.as_slice().into();
            let columns = Arc::clone(&variables);
            let solutions = std::iter::from_fn(move || {
                let row = answer.next_row().transpose()?;
                Some(row.map(|row| QuerySolution::from((Arc::clone(&columns), answer.terms(row)))))
            });
            QueryResults::Solutions(SolutionSequence::new(variables, evaluation.limited(solutions)))
        }
        Query::Ask { .. } => QueryResults::Boolean(answer.next_row()?.is_some()),
        Query::Construct { template, pattern, .. } => {
            let is_once = makes_each_once(template, pattern);
            let view = answer.data.view.clone();
            let template = ConstructTemplate::new(template, &answer.plan.columns, &view);
            let rows =
                std::iter::from_fn(move || {
                    let row = answer.next_row().transpose()?;
                    Some(row.map(|row| {
                        answer.numbers(row).map(|number| Some(number).filter(|n| *n > 0)).collect()
                    }))
                });
            let triples = ConstructedTriples::new(template, rows, evaluation.deadline.clone());
            let triples = QueryTriples::filled(triples, view).each_once(is_once);
            QueryResults::Graph(triples.limited(evaluation.limit))
        }
        Query::Describe { .. } => {
            let mut nodes = Vec::new();
            while let Some(row) = answer.next_row()? {
                nodes.extend(answer.numbers(row).filter_map(TermId::of_number));
            }
            let triples = DescriptionTriples::of_nodes(nodes, answer.data);
            QueryResults::Graph(QueryTriples::new(evaluation.limited(triples.map(Ok))))
        }
    })
}

/// Evaluates a query and explains how: the number of solutions, and the steps.
///
/// # Errors
///
/// The errors of [`execute`].
pub(super) fn explain(
    query: &Query,
    dataset: SparqlDataset<'_>,
    options: ExecuteOptions,
    environment: &EvaluationEnvironment,
) -> Result<(usize, String), EvaluationError> {
    let evaluation = LimitedEvaluation::new(options, environment);
    let steps = Rc::new(ExplanationSteps::default());
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
    evaluation: &LimitedEvaluation,
    steps: Option<Rc<ExplanationSteps>>,
) -> Result<NumberedSolutions<'a>, EvaluationError> {
    let data = QueryableDataset::new(dataset);
    let data = match query.dataset() {
        Some(graphs) => data.of_graphs(graphs),
        None => data,
    };
    let mut plan = QueryPlan::from_query(query, &data)?;
    if matches!(query, Query::Select { .. }) {
        // The number of solutions does not tell the number of triples.
        plan.length = Some(plan.length.unwrap_or(usize::MAX).min(evaluation.limit));
    }
    NumberedSolutions::new(plan, data, query.base_iri(), evaluation, steps)
}
