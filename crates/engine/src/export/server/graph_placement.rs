//! The decisive step: puts staging graphs in place, in one request.

use super::place_addresses::StagingMove;
use super::register::{RegisterRow, StagingState, deleted, dropped, inserted, replaced};
use super::server_export_form::ExistingGraphPolicy;

/// The update that puts staging graphs in place. An earlier request of this kind may still be running, and nothing may
/// be dropped for a staging graph that is gone. So the update starts with operations that fail on a missing graph and
/// abort the transaction: ADD fails on Fuseki, although it would add nothing here, and DROP fails on Oxigraph.
///
/// TDB2 5.6.0 loses triples with ADD, COPY and MOVE, because they read an index while they change it. With INSERT …
/// WHERE, all solutions are complete before anything changes.
pub(super) fn update(rows: &[RegisterRow], existing: ExistingGraphPolicy, moving: StagingMove) -> String {
    if moving == StagingMove::ByOneOperation {
        return rows.iter().map(|row| one_by_one(row, existing)).collect::<Vec<_>>().join(" ;\n");
    }
    let operations = |RegisterRow { graph, staging, .. }: &RegisterRow| {
        let drop = match existing {
            ExistingGraphPolicy::Extended => String::new(),
            _ => format!("DROP SILENT GRAPH <{graph}> ;\n"),
        };
        let (is_there, added) =
            (format!("ADD GRAPH <{staging}> TO GRAPH <{staging}>"), added(staging, graph));
        format!("{is_there} ;\n{drop}{added} ;\nDROP GRAPH <{staging}> ;\n")
    };
    let moved: String = rows.iter().map(operations).collect();
    let placed: Vec<RegisterRow> = rows.iter().map(placed).collect();
    format!("{moved}{} ;\n{}", deleted(rows), inserted(&placed))
}

/// Operations for a server that may stop after any of them. The first operation can be repeated until the row says that
/// the graph is in place, and the staging graph is dropped only after that. Repeating it for a graph that is extended
/// would duplicate blank nodes.
fn one_by_one(row: &RegisterRow, existing: ExistingGraphPolicy) -> String {
    let RegisterRow { graph, staging, .. } = row;
    let moved = match existing {
        ExistingGraphPolicy::Extended => added(staging, graph),
        _ => replaced_at_once(staging, graph),
    };
    format!("{moved} ;\n{} ;\n{}", replaced(row, &placed(row)), dropped(staging))
}

fn placed(row: &RegisterRow) -> RegisterRow {
    RegisterRow { state: StagingState::Placed, ..row.clone() }
}

fn added(staging: &str, graph: &str) -> String {
    format!("INSERT {{ GRAPH <{graph}> {{ ?s ?p ?o }} }} WHERE {{ GRAPH <{staging}> {{ ?s ?p ?o }} }}")
}

/// The operation that makes a graph equal to its staging graph. It never removes a triple that it adds: after a crash,
/// Virtuoso 7.2.5 replays its log and loses triples that MOVE and COPY remove and add again. The subquery yields one
/// row while the staging graph exists; EXISTS would be evaluated for each triple.
fn replaced_at_once(staging: &str, graph: &str) -> String {
    format!(
        "DELETE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }} INSERT {{ GRAPH <{graph}> {{ ?a ?b ?c }} }} WHERE {{
  {{ {{ SELECT ?x WHERE {{ GRAPH <{staging}> {{ ?x ?y ?z }} }} LIMIT 1 }}
    GRAPH <{graph}> {{ ?s ?p ?o }} FILTER NOT EXISTS {{ GRAPH <{staging}> {{ ?s ?p ?o }} }} }}
  UNION {{ GRAPH <{staging}> {{ ?a ?b ?c }} }} }}"
    )
}

#[test]
fn each_change_of_place_is_sparql() {
    let row = RegisterRow {
        graph: "urn:g".to_owned(),
        staging: "urn:staging".to_owned(),
        state: StagingState::Staged,
    };
    for existing in [ExistingGraphPolicy::Kept, ExistingGraphPolicy::Replaced, ExistingGraphPolicy::Extended]
    {
        for moving in [StagingMove::InOneRequest, StagingMove::ByOneOperation] {
            let text = update(&[row.clone(), row.clone()], existing, moving);
            let parsed = spargebra::SparqlParser::new().parse_update(&text);
            assert!(parsed.is_ok(), "{text}\n{parsed:?}");
        }
    }
}
