//! Checkpoints for the commands that work on the checkpoint model. Inputs in any dialect, of version 2.0, or as a graph
//! become documents that a checkpoint can be read from.

use std::sync::Arc;

use crate::input::input_options::RunInputs;
use crate::input::origin::stem;
use crate::input::source::InputSource;
use crate::load::document::{Document, DocumentContent};
use crate::load::document_quads::{QuadChanges, QuadRules};
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, ReportedResult, RunFailure, RunReport, codes};
use evalgraph_formats::checkpoint::writer::CheckpointForm;
use evalgraph_formats::checkpoint::{CheckpointSurvey, checkpoint_of_items};
use evalgraph_formats::registry::is_of_records;
use evalgraph_formats::rewriting::{self, IndexedGraph};
use evalgraph_formats::sidecar::DocumentSidecars;
use evalgraph_formats::writing::document_graphs::{DocumentGraphs, is_document};
use evalgraph_formats::writing::parsed;
use evalgraph_formats::writing::unwritten_statements::report_unwritten;
use evalgraph_formats::writing::written_questions::questions;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::QuadBuffer;

/// A document that a checkpoint can be read from.
pub struct CheckpointDocument {
    /// The file, as it was read or made from a graph.
    pub document: Arc<JsonDocument>,
    /// The name of its dataset: the root's `@id`, or else the file's stem.
    pub dataset: String,
    /// The stem of the file.
    pub stem: String,
}

/// Reads all inputs. Invalid inputs are reported and left out.
///
/// # Errors
///
/// An invalid input, unless `keep_going` is set. All inputs are read first.
pub(crate) fn checkpoint_documents(
    sources: &[InputSource],
    input: &RunInputs,
    session: &ReadSession,
    report: &mut RunReport,
) -> Result<Vec<CheckpointDocument>, RunFailure> {
    let progress = input.reading.watch.begin("reading", sources.iter().map(|source| source.size()).sum());
    let mut read = Vec::new();
    for source in sources {
        progress.at(&source.name());
        read.extend(documents_in(source, session, report).into_iter().flatten());
        progress.advance(source.size());
    }
    input.check(report)?;
    Ok(read)
}

/// Returns the checkpoints of an input: one, or one per document graph if there are sidecars.
fn documents_in(
    source: &InputSource,
    session: &ReadSession,
    report: &mut RunReport,
) -> ReportedResult<Vec<CheckpointDocument>> {
    let (input, format) = session.input_of(source, report)?;
    let read = Document::from_input(input, format, session, report)?;
    let origin = &read.origin;
    let stem = stem(origin);
    if !matches!(read.content, DocumentContent::Other(_)) {
        let document = named(of_json(&read, session, report)?, stem);
        let stored = origin.stored.as_ref().map(|stored| stored.dataset.clone());
        return Ok(vec![CheckpointDocument { dataset: stored.unwrap_or(document.dataset), ..document }]);
    }
    let mut quads = QuadBuffer::new();
    read.quads_into(QuadRules::new(QuadChanges::Nothing), session, &mut quads, report)?;
    let datasets = DocumentSidecars::new(&quads);
    let graphs: Vec<&str> = datasets.names().collect();
    if graphs.is_empty() {
        return Ok(vec![named(of_graph(&quads, &origin.name, report)?, stem)]);
    }
    let is_alone = graphs.len() == 1;
    let documents = DocumentGraphs::from_quads(&quads);
    let restored = graphs.into_iter().filter_map(|graph| {
        let of_document = documents.graph(quads.find_iri(graph));
        let document = if is_of_records(&of_document) {
            of_items(&of_document, &origin.name, &documents.stem_of(graph), report)
        } else {
            of_sidecar(&datasets, graph, &origin.name, report)
        };
        let stem = if is_alone { stem.clone() } else { documents.stem_of(graph) };
        Some(named(document.ok()?, stem))
    });
    Ok(restored.collect())
}

fn named(document: Arc<JsonDocument>, stem: String) -> CheckpointDocument {
    let id = CheckpointSurvey::from_document(&document).root_id.and_then(|id| document.string(id));
    let dataset = id.filter(|id| !id.is_empty()).map_or_else(|| stem.clone(), |id| id.into_owned());
    CheckpointDocument { document, dataset, stem }
}

/// Returns the file that a graph with a sidecar was read from, with the changes of the graph.
fn of_sidecar(
    datasets: &DocumentSidecars<'_>,
    graph: &str,
    name: &str,
    report: &mut RunReport,
) -> ReportedResult<Arc<JsonDocument>> {
    let restored = report.ok_or_report(datasets.restore(graph))?;
    report.add_all(&restored.findings);
    report_unwritten(datasets, &restored, &restored.text, name, report);
    as_checkpoint(name, restored.text, report)
}

/// Parses a text that was made from an input.
fn as_checkpoint(name: &str, text: String, report: &mut RunReport) -> ReportedResult<Arc<JsonDocument>> {
    report.ok_or_report(parsed(format!("{name} (as a checkpoint)"), text)).map(Arc::new)
}

/// Takes a file in a dialect as it is. Converts any other file through its graph: the questions of another system as far
/// as checkpoints can express them.
fn of_json(
    read: &Document,
    session: &ReadSession,
    report: &mut RunReport,
) -> ReportedResult<Arc<JsonDocument>> {
    let mut quads = QuadBuffer::new();
    if let DocumentContent::Json { document, detection, .. } = &read.content {
        if detection.dialect.has_questions() {
            return Ok(Arc::clone(document));
        }
        let changes = QuadChanges::Loading { are_reported: false };
        let rules = QuadRules { dataset: Some(("document", None)), changes };
        read.quads_into(rules, session, &mut quads, report)?;
        return of_graph(&quads, document.name(), report);
    }
    let origin = &read.origin;
    quads.keep_places();
    read.quads_into(QuadRules::new(QuadChanges::Nothing), session, &mut quads, report)?;
    let dataset = origin.stored.as_ref().map_or_else(|| stem(origin), |stored| stored.dataset.clone());
    of_items(&IndexedGraph::new(&quads, None), &origin.name, &dataset, report)
}

/// Makes a checkpoint from the questions of a graph. Reports everything that no checkpoint can express.
fn of_items(
    graph: &IndexedGraph<'_>,
    name: &str,
    dataset: &str,
    report: &mut RunReport,
) -> ReportedResult<Arc<JsonDocument>> {
    let items = questions(graph, CheckpointForm::Library.name(), name, report);
    if items.items.is_empty() {
        let fault = Diagnostic::error("convert::no-questions", format!("`{name}` has no questions"));
        return Err(report.reported([&fault]));
    }
    let unanswered = items.items.iter().filter(|item| item.answer.is_none());
    report.add_all(&empty_answers(unanswered.filter(|item| item.no_answer.is_none()).count(), name));
    as_checkpoint(name, checkpoint_of_items(&items, dataset), report)
}

fn empty_answers(count: usize, name: &str) -> Option<Diagnostic> {
    let message = match count {
        0 => return None,
        1 => format!("one question of `{name}` has no answer: it gets an empty one"),
        _ => format!("{count} questions of `{name}` have no answer: they get empty ones"),
    };
    Some(Diagnostic::new(FindingSeverity::Note, codes::CONVERT_DEFAULT, message))
}

/// Makes a checkpoint from a graph, ignoring the sidecars and the catalog that evalgraph keeps beside documents.
fn of_graph(quads: &QuadBuffer, name: &str, report: &mut RunReport) -> ReportedResult<Arc<JsonDocument>> {
    let of_documents = quads.quads().iter().filter(|quad| is_document(quads, quad.graph));
    let graph = IndexedGraph::with_quads(quads, of_documents);
    if is_of_records(&graph) {
        return of_items(&graph, name, name, report);
    }
    let rewritten = report.ok_or_report(rewriting::checkpoint(&graph))?;
    report.add_all(&rewritten.findings);
    as_checkpoint(name, rewritten.text, report)
}
