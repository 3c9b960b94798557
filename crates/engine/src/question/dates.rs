//! The SPARQL updates of the dates when a question and its dataset were last changed. Only existing dates are updated,
//! and they keep their spelling.

use chrono::{DateTime, Utc};
use oxrdf::{Literal, Term};

use super::question_named::QuestionNamed;
use super::question_update_writer::operation;
use super::scope::QuestionScope;
use evalgraph_diagnostics::RunFailure;
use evalgraph_formats::checking::IsoTimestamp;

/// The dataset of a graph: the one that nothing refers to.
const DATASET: &str =
    "?list a ?class . VALUES ?class { s:DataFeed s:Dataset }\n  FILTER NOT EXISTS { ?other ?property ?list }";

/// Returns the update that sets the date of a graph's dataset to the time of the run, or an empty string if it has no
/// date.
///
/// # Errors
///
/// If the environment gives a wrong time, or if the store is damaged.
pub fn dataset_modified(scope: QuestionScope<'_>, graph: &str) -> Result<String, RunFailure> {
    becomes_now(scope, graph, scope.clock.now()?, ["?list", DATASET])
}

/// Returns the update that sets the dates of a question, or of its item, and of its dataset to the time of the run. No
/// dates are added.
///
/// # Errors
///
/// The errors of [`dataset_modified`].
pub fn question_modified(scope: QuestionScope<'_>, named: &QuestionNamed) -> Result<String, RunFailure> {
    let mut dates = vec![item_modified(scope, named)?, dataset_modified(scope, &named.graph)?];
    dates.retain(|date| !date.is_empty());
    Ok(dates.join(" ;\n"))
}

/// Returns the SPARQL update that sets the date of a question, or of its item, to the time of the run, or an empty string
/// if it has no date.
///
/// # Errors
///
/// The errors of [`dataset_modified`].
pub fn item_modified(scope: QuestionScope<'_>, named: &QuestionNamed) -> Result<String, RunFailure> {
    let (item, binding) = named.outermost();
    becomes_now(scope, &named.graph, scope.clock.now()?, [item, &binding])
}

/// Returns the update of the only date of a node. If the node is a variable, the pattern binds it.
fn becomes_now(
    scope: QuestionScope<'_>,
    graph: &str,
    now: DateTime<Utc>,
    [node, binding]: [&str; 2],
) -> Result<String, RunFailure> {
    let said = format!("{node} s:dateModified ?modified");
    let rows = scope.rows(graph, &format!("{binding} {said} ."), &["modified"])?;
    let date = match rows.first().map(|row| &row[0]) {
        Some(Some(Term::Literal(date))) if rows.len() == 1 && date.language().is_none() => date,
        _ => return Ok(String::new()),
    };
    let Some(now) = IsoTimestamp::spelled_like(date.value(), now) else { return Ok(String::new()) };
    let insert = format!("{node} s:dateModified {}", Literal::new_typed_literal(now, date.datatype()));
    Ok(operation(graph, [&said, &insert], &[binding, &format!("{said} .")]))
}
