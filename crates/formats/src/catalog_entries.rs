//! Finds the catalog's entries for a graph: its questions, the documents that their answers rest on, and the finding
//! on each task that follows from the experts' opinions.

use crate::items::{QuestionItem, questions_of};
use crate::registry::task_findings;
use crate::rewriting::IndexedGraph;
use crate::task_finding::TaskFinding;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::Limits;
use evalgraph_rdf::quad_buffer::BufferTermId;
use evalgraph_text_keys::document_key;
use std::collections::{BTreeSet, HashMap};

/// The catalog's entries for a graph.
#[derive(Debug)]
pub struct CatalogEntries {
    /// The questions, of any system.
    pub questions: Vec<QuestionItem>,
    /// The documents with the keys of their names and addresses.
    pub documents: Vec<(BufferTermId, String)>,
    /// The tasks on which experts have given opinions.
    pub tasks: Vec<TaskFinding>,
}

impl CatalogEntries {
    /// Finds the entries of a graph. The opinions of experts are weighed by the default profile. If the graph is a part
    /// of a dataset, `whole` has the findings from the whole dataset.
    ///
    /// # Errors
    ///
    /// The errors of [`task_findings`].
    pub fn from_graph(
        graph: &IndexedGraph<'_>,
        whole: Option<&TasksOfDataset>,
        limits: Limits,
    ) -> Result<Self, Box<Diagnostic>> {
        let questions = questions_of(graph);
        let tasks = match whole {
            Some(whole) => whole.in_graph(graph),
            None => task_findings(graph, limits)?,
        };
        Ok(Self { questions, documents: documents_of(graph), tasks })
    }
}

/// The findings on the tasks of a dataset whose parts are separate graphs.
#[derive(Debug, Default)]
pub struct TasksOfDataset {
    /// The findings by the IRI of their task.
    findings: HashMap<String, TaskFinding>,
}

impl TasksOfDataset {
    /// Finds them in the graph that all parts form together.
    ///
    /// # Errors
    ///
    /// The errors of [`task_findings`].
    pub fn from_graph(whole: &IndexedGraph<'_>, limits: Limits) -> Result<Self, Box<Diagnostic>> {
        let findings = task_findings(whole, limits)?.into_iter();
        let by_iri = |finding: TaskFinding| Some((whole.iri(finding.node)?.to_owned(), finding));
        Ok(Self { findings: findings.filter_map(by_iri).collect() })
    }

    /// Returns the findings on the nodes of a part.
    fn in_graph(&self, graph: &IndexedGraph<'_>) -> Vec<TaskFinding> {
        let finding =
            |&node: &BufferTermId| Some(TaskFinding { node, ..self.findings.get(graph.iri(node)?)?.clone() });
        graph.subjects().iter().filter_map(finding).collect()
    }
}

/// The documents that contain nodes, or that nodes rest on or cite, each with its keys.
fn documents_of(graph: &IndexedGraph<'_>) -> Vec<(BufferTermId, String)> {
    let terms = |names: &[&str]| -> Vec<BufferTermId> {
        names.iter().flat_map(|name| graph.schema_org(name)).collect()
    };
    let links = terms(&["isPartOf", "isBasedOn", "citation"]);
    let classes = terms(&["DigitalDocument", "DataDownload", "CreativeWork"]);
    let Some(rdf_type) = graph.rdf_type() else { return Vec::new() };
    let statements = || graph.subjects().iter().flat_map(|&node| graph.statements(node));
    let linked: BTreeSet<BufferTermId> =
        statements().filter(|(predicate, _)| links.contains(predicate)).map(|&(_, object)| object).collect();
    let is_document =
        |node: &&BufferTermId| graph.objects(**node, rdf_type).any(|class| classes.contains(&class));
    let names = terms(&["name", "url"]);
    let mut keyed = Vec::new();
    for &document in linked.iter().filter(is_document) {
        let found = graph.statements(document).iter().filter(|(predicate, _)| names.contains(predicate));
        let keys: BTreeSet<String> = found
            .filter_map(|&(_, name)| graph.iri(name).or_else(|| graph.lexical(name)).map(document_key))
            .filter(|key| !key.is_empty())
            .collect();
        keyed.extend(keys.into_iter().map(|key| (document, key)));
    }
    keyed
}
