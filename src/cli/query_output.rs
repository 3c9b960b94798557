//! How the command line shows the results of queries.

use super::CommandStop;
use super::output::terminal_width;
use evalgraph_engine::workspace::preferences::UserPreferences;
use evalgraph_rdf::QuadBuffer;
use evalgraph_sparql::{Query, QueryTriples, TableForm, TableLayout};

/// How many rows of a table a terminal shows, unless preferences say otherwise.
const SHOWN_ROWS: u64 = 1_000;

/// The layout of a table on a terminal, if the output goes to one. `help` says how to see what is left out.
pub(super) fn layout<'q>(
    query: &'q Query,
    form: Option<TableForm>,
    preferences: &UserPreferences,
    help: &'q str,
) -> TableLayout<'q> {
    let width = terminal_width();
    let form = form.or(preferences.table).unwrap_or_default();
    let shown = width.map(|_| preferences.rows.unwrap_or(SHOWN_ROWS));
    TableLayout { width, form, shown, help, ..TableLayout::new(query.prefixes()) }
}

/// The triples of a graph, with the prefixes of the query.
///
/// # Errors
///
/// Errors of the evaluation.
pub(super) fn quads_of(triples: QueryTriples<'_>, query: &Query) -> Result<QuadBuffer, CommandStop> {
    let mut quads = QuadBuffer::new();
    triples.copy_into(&mut quads)?;
    for (name, namespace) in query.prefixes().iter() {
        quads.declare_prefix(name, namespace);
    }
    Ok(quads)
}
