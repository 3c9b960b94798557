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
    Date { scope, graph, now: scope.clock.now()? }.becomes_now("?list", DATASET)
}

/// The dates of a question, or of its item, and of its dataset become the time of the run; those that are not
/// there stay away.
///
/// # Errors
///
/// Those of [`dataset_modified`].
pub(crate) fn question_modified(scope: Scope<'_>, named: &QuestionNamed) -> Result<String, Failure> {
    let (item, binding) = named.outermost();
    let date = Date { scope, graph: &named.graph, now: scope.clock.now()? };
    let dates = [date.becomes_now(item, &binding)?, date.becomes_now("?list", DATASET)?];
    let dates: Vec<&str> = dates.iter().map(String::as_str).filter(|date| !date.is_empty()).collect();
    Ok(dates.join(" ;\n"))
}

/// The date of a change in a graph.
struct Date<'d> {
    scope: Scope<'d>,
    graph: &'d str,
    now: DateTime<Utc>,
}

impl Date<'_> {
    /// The update of the one date of a node, which a pattern binds where it is a variable.
    fn becomes_now(&self, node: &str, binding: &str) -> Result<String, Failure> {
        let said = format!("{node} s:dateModified ?modified");
        let rows = self.scope.rows(self.graph, &format!("{binding} {said} ."), &["modified"])?;
        let date = match rows.first().map(|row| &row[0]) {
            Some(Some(Term::Literal(date))) if rows.len() == 1 && date.language().is_none() => date,
            _ => return Ok(String::new()),
        };
        let Some(now) = Timestamp::spelled_like(date.value(), self.now) else { return Ok(String::new()) };
        let insert = format!("{node} s:dateModified {}", Literal::new_typed_literal(now, date.datatype()));
        Ok(operation(self.graph, [&said, &insert], &[binding, &format!("{said} .")]))
    }
}
