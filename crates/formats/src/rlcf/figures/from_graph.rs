//! Reads the records of a graph, with the same tables that turn RLCF's files into graphs. So figures describe the
//! current graph, even if it was changed or comes from another store.
//!
//! `RecordGatherer` is defined in `record_gatherer.rs`.

use std::collections::HashMap;

use serde_json::Value;

use super::record_gatherer::{RecordGatherer, id_of};
use super::{FigureMethod, RlcfFigures, TaskFigures};
use crate::records::decompose_nodes;
use crate::rewriting::IndexedGraph;
use crate::rlcf::RecordKind;
use crate::rlcf::records_of_graph::nodes_of;
use crate::task_finding::TaskFinding;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, TokenId, parse};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};

/// The kinds from which figures are computed. Containers come first, so a record inside another is seen there before it
/// is seen on its own.
const KINDS: [RecordKind; 6] = [
    RecordKind::LegalTask,
    RecordKind::Response,
    RecordKind::Feedback,
    RecordKind::FeedbackRating,
    RecordKind::User,
    RecordKind::Credential,
];

/// The number of records that are turned into JSON at a time, which bounds the memory.
const AT_ONCE: usize = 10_000;

impl RecordGatherer {
    /// Adds the records of a graph, whatever files they come from.
    ///
    /// # Errors
    /// A diagnostic if a JSON literal nests deeper than the limit.
    pub fn add_graph(&mut self, graph: &IndexedGraph<'_>, limits: Limits) -> Result<(), Box<Diagnostic>> {
        for kind in KINDS {
            each_record(graph, kind, limits, |document, value, _| self.add_value(document, value, kind))?;
        }
        Ok(())
    }
}

/// Returns the results for the tasks of a graph, in the order of their IRIs. Tasks without a consensus are left out.
///
/// # Errors
/// The errors of [`RecordGatherer::add_graph`].
pub fn task_findings(
    graph: &IndexedGraph<'_>,
    method: &FigureMethod,
    limits: Limits,
) -> Result<Vec<TaskFinding>, Box<Diagnostic>> {
    let mut nodes = Vec::new();
    each_record(graph, RecordKind::LegalTask, limits, |document, value, node| {
        nodes.extend(id_of(document, value).map(|id| (node, id)));
    })?;
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let mut gathering = RecordGatherer::default();
    gathering.add_graph(graph, limits)?;
    let (records, _) = gathering.finish();
    let figures = RlcfFigures::compute(&records, method);
    let tasks = figures.tasks.iter();
    let by_id: HashMap<&str, &TaskFigures<'_>> = tasks.map(|one| (one.task.id.as_str(), one)).collect();
    let findings = nodes.into_iter().filter_map(|(node, id)| {
        let aggregation = by_id.get(id.as_str())?.aggregation.as_ref().ok()?;
        let answer = aggregation.consensus.get("consensus_answer");
        Some(TaskFinding {
            node,
            disagreement: aggregation.disagreement,
            is_contested: aggregation.is_contested,
            consensus_answer: answer.and_then(Value::as_str).map(str::to_owned),
        })
    });
    Ok(findings.collect())
}

/// Visits the records of a kind, each with its node.
fn each_record(
    graph: &IndexedGraph<'_>,
    kind: RecordKind,
    limits: Limits,
    mut take: impl FnMut(&JsonDocument, TokenId, BufferTermId),
) -> Result<(), Box<Diagnostic>> {
    for nodes in sorted_nodes(graph, kind).chunks(AT_ONCE) {
        let json = decompose_nodes(graph, nodes, kind.shape()).json;
        let document = parse("the graph", json, Limits { size: u64::MAX, ..limits })?;
        for (value, &node) in document.items(document.root()).zip(nodes) {
            take(&document, value, node);
        }
    }
    Ok(())
}

/// Returns the nodes of a kind in the order of their IRIs.
fn sorted_nodes(graph: &IndexedGraph<'_>, kind: RecordKind) -> Vec<BufferTermId> {
    let mut nodes = nodes_of(graph, kind);
    let name = |node: BufferTermId| match graph.quads().term(node) {
        TermRef::Iri(iri) => iri,
        _ => "",
    };
    nodes.sort_by(|&a, &b| name(a).cmp(name(b)));
    nodes
}
