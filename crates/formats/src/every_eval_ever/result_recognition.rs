//! Recognises files by the keys that the schema requires of them.

use super::{EVERY_EVAL_EVER, instance_shapes, run_shapes};
use crate::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// How many records are read.
const LOOKED_AT: usize = 8;

/// A kind of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvaluationFileKind {
    /// Aggregated results.
    Run,
    /// Results on single samples.
    Samples,
    /// An index of files.
    Index,
}

impl EvaluationFileKind {
    /// The kind of a recognised file.
    pub(super) fn from_recognised(recognised: &RecognisedRecords) -> Self {
        match &*recognised.kind {
            "run" => Self::Run,
            "run index" => Self::Index,
            _ => Self::Samples,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Samples => "sample results",
            Self::Index => "run index",
        }
    }
}

/// Recognises a file of which at least half of the records have the keys of a kind.
pub(super) fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    use EvaluationFileKind::{Index, Run, Samples};
    let root = document.root();
    if document.is_object(root) {
        return match kind_of(document, root)? {
            Run => Some(found(Run, run_shapes::RUN, "it has `evaluation_id` and `evaluation_results`")),
            Samples => Some(found(Samples, instance_shapes::ONE_RESULT, SAMPLE_KEYS)),
            Index => None,
        };
    }
    let objects = document.items(root).filter(|&item| document.is_object(item));
    let objects: Vec<TokenId> = objects.take(LOOKED_AT).collect();
    let is_mostly = |kind| {
        let count = objects.iter().filter(|&&object| kind_of(document, object) == Some(kind)).count();
        count > 0 && 2 * count >= objects.len()
    };
    if is_mostly(Samples) {
        return Some(found(Samples, instance_shapes::RESULTS, SAMPLE_KEYS));
    }
    let why = "its objects have `eval_schema_version` and `object_path`";
    is_mostly(Index).then(|| found(Index, run_shapes::INDEX, why))
}

/// Takes a file as one of this system, because the user says so.
pub(super) fn assumed(document: &JsonDocument) -> RecognisedRecords {
    let root = document.root();
    let (kind, shape) = match document.is_object(root) {
        true if document.get(root, "sample_id").is_some() => {
            (EvaluationFileKind::Samples, instance_shapes::ONE_RESULT)
        }
        true => (EvaluationFileKind::Run, run_shapes::RUN),
        false => (EvaluationFileKind::Samples, instance_shapes::RESULTS),
    };
    found(kind, shape, "it was named")
}

/// Returns the shape of a file by its node in a graph.
pub(super) fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    graph.objects(root, graph.rdf_type()?).find_map(|class| {
        let TermRef::Iri(iri) = graph.quads().term(class) else { return None };
        match iri.strip_prefix(EVALGRAPH)? {
            "InstanceResults" => Some(instance_shapes::RESULTS),
            "SingleInstanceResult" => Some(instance_shapes::ONE_RESULT),
            "AggregatedRun" => Some(run_shapes::RUN),
            "RunIndex" => Some(run_shapes::INDEX),
            _ => None,
        }
    })
}

const SAMPLE_KEYS: &str = "it has `evaluation_id`, `sample_id` and `model_id`";

fn found(kind: EvaluationFileKind, shape: FileShape, why: &'static str) -> RecognisedRecords {
    RecognisedRecords {
        system: EVERY_EVAL_EVER,
        kind: kind.name().into(),
        shape,
        certainty: RecognitionCertainty::Sure,
        why: why.into(),
    }
}

fn kind_of(document: &JsonDocument, object: TokenId) -> Option<EvaluationFileKind> {
    let has = |key| document.get(object, key).is_some();
    if has("evaluation_id") && has("evaluation_results") && (has("model_info") || has("schema_version")) {
        Some(EvaluationFileKind::Run)
    } else if has("evaluation_id") && has("sample_id") && has("model_id") {
        Some(EvaluationFileKind::Samples)
    } else if has("eval_schema_version") && has("object_path") {
        Some(EvaluationFileKind::Index)
    } else {
        None
    }
}
