//! Recognises the two kinds of files by their keys.

use super::{LM_EVAL, results_shapes, row_shapes};
use crate::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// How many rows are read.
const LOOKED_AT: usize = 8;

/// Recognises a file of which at least half of the rows are samples, or the results of a run.
pub(super) fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    let root = document.root();
    if document.is_object(root) {
        let is_map = |key| document.get(root, key).is_some_and(|value| document.is_object(value));
        let has = |key| document.get(root, key).is_some();
        let is_run = is_map("results") && is_map("configs") && (has("versions") || has("n-shot"));
        return is_run.then(|| results("it has `results` and `configs` of tasks"));
    }
    let objects = document.items(root).filter(|&item| document.is_object(item));
    let objects: Vec<TokenId> = objects.take(LOOKED_AT).collect();
    let is_row = |&&row: &&TokenId| {
        let has = |key| document.get(row, key).is_some();
        has("doc_id") && has("doc") && (has("resps") || has("filtered_resps"))
    };
    let count = objects.iter().filter(is_row).count();
    (count > 0 && 2 * count >= objects.len()).then(|| samples("its objects have `doc_id`, `doc` and `resps`"))
}

/// Takes a file as one of this system, because the user says so.
pub(super) fn assumed(document: &JsonDocument) -> RecognisedRecords {
    match document.is_object(document.root()) {
        true => results("it was named"),
        false => samples("it was named"),
    }
}

/// Returns the shape of a file by its node in a graph.
pub(super) fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    graph.objects(root, graph.rdf_type()?).find_map(|class| {
        let TermRef::Iri(iri) = graph.quads().term(class) else { return None };
        match iri.strip_prefix(EVALGRAPH)? {
            "TaskSamples" => Some(row_shapes::SAMPLES),
            "HarnessResults" => Some(results_shapes::RESULTS),
            _ => None,
        }
    })
}

fn samples(why: &'static str) -> RecognisedRecords {
    found("samples", row_shapes::SAMPLES, why)
}

fn results(why: &'static str) -> RecognisedRecords {
    found("results", results_shapes::RESULTS, why)
}

fn found(kind: &'static str, shape: FileShape, why: &'static str) -> RecognisedRecords {
    let certainty = RecognitionCertainty::Sure;
    RecognisedRecords { system: LM_EVAL, kind: kind.into(), shape, certainty, why: why.into() }
}
