//! Checkpoints for the commands that work on the checkpoint model. Inputs in any dialect, of version 2.0, or as a graph
//! become documents that a checkpoint can be read from.

use std::sync::Arc;

use super::arrival::report_unwritten;
use super::document_graphs::{DocumentGraphs, is_document};
use super::items::questions;
use super::written_files::parsed;
use crate::input::input_options::RunInputs;
use crate::input::origin::{DocumentOrigin, stem};
use crate::input::source::{InputSource, RawInput};
use crate::load::read_session::JsonLd;
use crate::load::recognised_document::DocumentContent;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, codes};
use evalgraph_formats::karenina::{CheckpointSurvey, checkpoint_of_items};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::registry::is_of_records;
use evalgraph_formats::rewriting::{self, IndexedGraph};
use evalgraph_formats::sidecar::DocumentSidecars;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::{QuadBuffer, RdfFormat};

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
    json_ld: &JsonLd,
    report: &mut RunReport,
) -> Result<Vec<CheckpointDocument>, RunFailure> {
    let progress = input.reading.watch.begin("reading", sources.iter().map(|source| source.size()).sum());
    let mut read = Vec::new();
    for source in sources {
        if let Some((found, format)) = json_ld.input_of(source, report) {
            read.extend(documents_in(found, format, json_ld, report));
        }
        progress.advance(source.size());
    }
    input.check(report)?;
    Ok(read)
}

/// Returns the checkpoints of an input: one, or one per document graph if there are sidecars.
fn documents_in(
    input: RawInput,
    format: RdfFormat,
    json_ld: &JsonLd,
    report: &mut RunReport,
) -> Vec<CheckpointDocument> {
    let stored = input.origin.stored.as_ref().map(|stored| stored.dataset.clone());
    let stem = stem(&input.origin);
    if format == RdfFormat::JsonLd {
        let document = of_json(input, json_ld, report).map(|document| named(document, stem));
        let named = document
            .map(|document| CheckpointDocument { dataset: stored.unwrap_or(document.dataset), ..document });
        return named.into_iter().collect();
    }
    let mut quads = QuadBuffer::new();
    if json_ld.read_other(&input, format, &mut quads, report).is_none() {
        return Vec::new();
    }
    let datasets = DocumentSidecars::new(&quads);
    let graphs: Vec<&str> = datasets.names().collect();
    if graphs.is_empty() {
        let document = of_graph(&quads, &input.origin.name, report);
        return document.map(|document| named(document, stem)).into_iter().collect();
    }
    let is_alone = graphs.len() == 1;
    let documents = DocumentGraphs::from_quads(&quads);
    let restored = graphs.into_iter().filter_map(|graph| {
        let of_document = documents.graph(quads.find_iri(graph));
        let document = if is_of_records(&of_document) {
            of_items(&of_document, &input.origin.name, &documents.stem_of(graph), report)?
        } else {
            of_sidecar(&datasets, graph, &input.origin.name, report)?
        };
        let stem = if is_alone { stem.clone() } else { documents.stem_of(graph) };
        Some(named(document, stem))
    });
    restored.collect()
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
) -> Option<Arc<JsonDocument>> {
    let restored = report.told(datasets.restore(graph))?;
    report.add_all(&restored.findings);
    report_unwritten(datasets, &restored, &restored.text, name, report);
    as_checkpoint(name, restored.text, report)
}

/// Parses a text that was made from an input.
fn as_checkpoint(name: &str, text: String, report: &mut RunReport) -> Option<Arc<JsonDocument>> {
    report.told(parsed(format!("{name} (as a checkpoint)"), text)).map(Arc::new)
}

/// Takes a file in a dialect as it is. Converts any other JSON-LD through its graph.
fn of_json(input: RawInput, json_ld: &JsonLd, report: &mut RunReport) -> Option<Arc<JsonDocument>> {
    let opened = json_ld.opened_as_it_is(input, RdfFormat::JsonLd, report)?;
    let (document, survey, detection) = match &opened.content {
        DocumentContent::Json { document, survey, detection, .. } => (document, survey, detection),
        DocumentContent::Records { file, recognised, .. } => {
            return of_records(file, recognised, &opened.origin, json_ld, report);
        }
        DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) | DocumentContent::Other(_) => {
            return None;
        }
    };
    if detection.dialect.has_questions() {
        return Some(Arc::clone(document));
    }
    let mode = survey.adapt(document, "document").load_mode;
    let mut quads = QuadBuffer::new();
    json_ld.convert_into(document, &opened.origin, mode, &mut quads, report)?;
    of_graph(&quads, document.name(), report)
}

/// Converts a file of another system through its graph: its questions, as far as checkpoints can express them.
fn of_records(
    file: &JsonDocument,
    recognised: &RecognisedRecords,
    origin: &DocumentOrigin,
    json_ld: &JsonLd,
    report: &mut RunReport,
) -> Option<Arc<JsonDocument>> {
    let mut quads = QuadBuffer::new();
    quads.keep_places();
    json_ld.read_records(file, recognised, origin, &mut quads, report)?;
    let dataset = origin.stored.as_ref().map_or_else(|| stem(origin), |stored| stored.dataset.clone());
    of_items(&IndexedGraph::new(&quads, None), file.name(), &dataset, report)
}

/// Makes a checkpoint from the questions of a graph. Reports everything that no checkpoint can express.
fn of_items(
    graph: &IndexedGraph<'_>,
    name: &str,
    dataset: &str,
    report: &mut RunReport,
) -> Option<Arc<JsonDocument>> {
    let items = questions(graph, "karenina", name, report);
    if items.items.is_empty() {
        report.add(&Diagnostic::error("convert::no-questions", format!("`{name}` has no questions")));
        return None;
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
fn of_graph(quads: &QuadBuffer, name: &str, report: &mut RunReport) -> Option<Arc<JsonDocument>> {
    let of_documents = quads.quads().iter().filter(|quad| is_document(quads, quad.graph));
    let graph = IndexedGraph::with_quads(quads, of_documents);
    if is_of_records(&graph) {
        return of_items(&graph, name, name, report);
    }
    let rewritten = report.told(rewriting::checkpoint(&graph))?;
    report.add_all(&rewritten.findings);
    as_checkpoint(name, rewritten.text, report)
}
