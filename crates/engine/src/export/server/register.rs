//! The register of staging graphs: a small graph on the server that records which graphs are being sent, and which are
//! already in place. A later run reads from it what an earlier one has left, without searching all graphs of the
//! server. Rows are written before quads are sent, are updated when graphs are put in place, and are deleted when the
//! export has ended.

use oxrdf::{NamedOrBlankNode, Term, Triple};

use super::place_addresses::StagingMove;
use super::requests::ServerRequests;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_rdf::minted::STAGING_GRAPH;
use evalgraph_rdf::vocabulary::evalgraph;

/// How many rows are written at once: servers accept forms of about 200,000 bytes.
const ROWS: usize = 100;

/// A row of the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RegisterRow {
    pub(super) graph: String,
    pub(super) staging: String,
    pub(super) state: StagingState,
}

/// The state of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StagingState {
    /// The graph is being sent to its staging graph.
    Staged,
    /// The graph is in place.
    Placed,
}

impl StagingState {
    fn property(self) -> &'static str {
        match self {
            Self::Staged => evalgraph::STAGED_IN,
            Self::Placed => evalgraph::PLACED_FROM,
        }
    }
}

/// Reads the register. Empty if the server has no updates.
pub(super) fn read(requests: &ServerRequests) -> Result<Vec<RegisterRow>, RunFailure> {
    if requests.remote.update.is_none() {
        return Ok(Vec::new());
    }
    requests
        .graph(STAGING_GRAPH, |triples| triples.filter_map(|triple| triple.map(row).transpose()).collect())
}

/// The row that a triple of the register represents.
fn row(triple: Triple) -> Option<RegisterRow> {
    let state = match triple.predicate.as_str() {
        evalgraph::STAGED_IN => StagingState::Staged,
        evalgraph::PLACED_FROM => StagingState::Placed,
        _ => return None,
    };
    match (triple.subject, triple.object) {
        (NamedOrBlankNode::NamedNode(graph), Term::NamedNode(staging)) => {
            Some(RegisterRow { graph: graph.into_string(), staging: staging.into_string(), state })
        }
        _ => None,
    }
}

/// Adds rows.
pub(super) fn add(requests: &ServerRequests, rows: &[RegisterRow]) -> Result<(), Box<Diagnostic>> {
    rows.chunks(ROWS).try_for_each(|rows| requests.update(&inserted(rows), true))
}

/// Removes rows, and the staging graphs of those that are being sent. If the server may have stopped between updating
/// the row and dropping the staging graph, removes the other staging graphs as well.
pub(super) fn remove(requests: &ServerRequests, rows: &[RegisterRow]) -> Result<(), Box<Diagnostic>> {
    let all = requests.remote.moving == StagingMove::ByOneOperation;
    for rows in rows.chunks(ROWS) {
        let staged = rows.iter().filter(|row| all || row.state == StagingState::Staged);
        let dropped: String = staged.map(|row| format!("{} ;\n", dropped(&row.staging))).collect();
        requests.update(&format!("{dropped}{}", deleted(rows)), true)?;
    }
    Ok(())
}

/// The operation that drops a staging graph.
pub(super) fn dropped(staging: &str) -> String {
    format!("DROP SILENT GRAPH <{staging}>")
}

/// The operation that adds rows.
pub(super) fn inserted(rows: &[RegisterRow]) -> String {
    format!("INSERT DATA {{ GRAPH <{STAGING_GRAPH}> {{ {}}} }}", triples(rows))
}

/// The operation that removes rows.
pub(super) fn deleted(rows: &[RegisterRow]) -> String {
    format!("DELETE DATA {{ GRAPH <{STAGING_GRAPH}> {{ {}}} }}", triples(rows))
}

/// The operation that replaces a row.
pub(super) fn replaced(row: &RegisterRow, by: &RegisterRow) -> String {
    let [old, new] = [row, by].map(|row| {
        let triple = triples(std::slice::from_ref(row));
        format!("{{ GRAPH <{STAGING_GRAPH}> {{ {triple}}} }}")
    });
    format!("DELETE {old} INSERT {new} WHERE {old}")
}

fn triples(rows: &[RegisterRow]) -> String {
    let triple = |RegisterRow { graph, staging, state }: &RegisterRow| {
        format!("<{graph}> <{}> <{staging}> . ", state.property())
    };
    rows.iter().map(triple).collect()
}
