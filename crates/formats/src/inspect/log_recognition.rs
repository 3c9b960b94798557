//! Recognises logs by what they say about their run.

use super::{INSPECT, log_shapes};
use crate::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use crate::rewriting::IndexedGraph;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// Recognises an object with `eval`, in which the task and the model are, and another part of a log.
pub(super) fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    let root = document.root();
    let run = document.is_object(root).then(|| document.get(root, "eval")).flatten()?;
    let has = |key| document.is_object(run) && document.get(run, key).is_some();
    let beside = ["plan", "results", "samples", "status", "version"];
    let is_whole = beside.iter().any(|key| document.get(root, key).is_some());
    (has("task") && has("model") && is_whole).then(|| found("it has `eval` with a `task` and a `model`"))
}

/// Takes a file as a log, because the user says so.
pub(super) fn assumed() -> RecognisedRecords {
    found("it was named")
}

/// Returns the shape of a file by its node in a graph.
pub(super) fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    let is_log = |class| match graph.quads().term(class) {
        TermRef::Iri(iri) => iri.strip_prefix(EVALGRAPH) == Some("EvaluationLog"),
        _ => false,
    };
    graph.objects(root, graph.rdf_type()?).any(is_log).then_some(log_shapes::LOG)
}

fn found(why: &'static str) -> RecognisedRecords {
    RecognisedRecords {
        system: INSPECT,
        kind: "log".into(),
        shape: log_shapes::LOG,
        certainty: RecognitionCertainty::Sure,
        why: why.into(),
    }
}
