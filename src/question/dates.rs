//! The SPARQL updates that say when a question, and the dataset that lists it, was last changed: where a date says
//! so already, and in its spelling.

use chrono::{DateTime, Utc};
use oxrdf::{Literal, Term};

use super::named::QuestionNamed;
use super::scope::Scope;
use super::update::operation;
use crate::diagnostic::Failure;
use crate::source::checking::Timestamp;

/// The dataset of a graph: what nothing refers to.
const DATASET: &str =
    "?list a ?class . VALUES ?class { s:DataFeed s:Dataset }\n  FILTER NOT EXISTS { ?other ?property ?list }";

/// The date of the dataset of a graph becomes the time of the run; empty where it has none.
///
/// # Errors
///
/// A time of the environment that is none, a store that is damaged.
pub(crate) fn dataset_modified(scope: Scope<'_>, graph: &str) -> Result<String, Failure> {
    becomes_now(scope, graph, scope.clock.now()?, ["?list", DATASET])
}

/// The dates of a question, or of its item, and of its dataset become the time of the run; those that are not
/// there stay away.
///
/// # Errors
///
/// Those of [`dataset_modified`].
pub(crate) fn question_modified(scope: Scope<'_>, named: &QuestionNamed) -> Result<String, Failure> {
    let (item, binding) = named.outermost();
    let now = scope.clock.now()?;
    let of = |node| becomes_now(scope, &named.graph, now, node);
    let mut dates = vec![of([item, &binding])?, of(["?list", DATASET])?];
    dates.retain(|date| !date.is_empty());
    Ok(dates.join(" ;\n"))
}

/// The update of the one date of a node, which a pattern binds where it is a variable.
fn becomes_now(
    scope: Scope<'_>,
    graph: &str,
    now: DateTime<Utc>,
    [node, binding]: [&str; 2],
) -> Result<String, Failure> {
    let said = format!("{node} s:dateModified ?modified");
    let rows = scope.rows(graph, &format!("{binding} {said} ."), &["modified"])?;
    let date = match rows.first().map(|row| &row[0]) {
        Some(Some(Term::Literal(date))) if rows.len() == 1 && date.language().is_none() => date,
        _ => return Ok(String::new()),
    };
    let Some(now) = Timestamp::spelled_like(date.value(), now) else { return Ok(String::new()) };
    let insert = format!("{node} s:dateModified {}", Literal::new_typed_literal(now, date.datatype()));
    Ok(operation(graph, [&said, &insert], &[binding, &format!("{said} .")]))
}
