//! Recognises JSON documents of this system by the keys of their first records.

use super::{TRAIN, shapes};
use crate::records::{FileShape, RecognisedRecords, RecognitionCertainty};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::{BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;
use std::borrow::Cow;

/// The kind of the evaluator's records.
pub(super) const EVALUATION_DATA_KIND: &str = "evaluation data";
/// The kind of the figures by row.
pub(super) const EVALUATION_RESULTS_KIND: &str = "evaluation results";

/// The number of records that are read.
const LOOKED_AT: usize = 8;

/// Keys of records with questions and answers in other formats.
const OTHERS: [&str; 12] = [
    "task_type",
    "input_data",
    "ground_truth_data",
    "sample_id",
    "user_query",
    "expected_output",
    "messages",
    "task_id",
    "response_id",
    "user_id",
    "is_correct",
    "checkpoint",
];

/// Recognises a document of this system.
///
/// Rows with only questions and answers may come from many programs. Contexts with files, or `is_impossible`, show
/// that they are rows of this system.
pub fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    let root = document.root();
    if document.is_object(root) {
        return evaluation_object(document, root);
    }
    if !document.is_array(root) {
        return None;
    }
    let rows: Vec<TokenId> =
        document.items(root).filter(|&row| document.is_object(row)).take(LOOKED_AT).collect();
    let has = |row: TokenId, key: &str| document.get(row, key).is_some();
    let foreign = |row: TokenId| {
        document.members(row).any(|member| {
            let key = document.symbol_text(member.symbol);
            key.starts_with('@') || OTHERS.contains(&key)
        })
    };
    // One row with the key of another format does not mean that all rows belong to that format.
    let foreign = rows.iter().filter(|&&row| foreign(row)).count();
    if 2 * foreign >= rows.len() {
        return None;
    }
    let any = |keys: &[&'static str]| keys.iter().copied().find(|key| rows.iter().any(|&row| has(row, key)));
    if let Some(key) = any(&["generated_answer", "retrieved_docs", "generated_contexts"]) {
        let shape = shapes::EVALUATION_DATA;
        return any(&["question"])
            .map(|_| found(EVALUATION_DATA_KIND, shape, RecognitionCertainty::Sure, &[key]));
    }
    let [question, answer] = [any(&["question"])?, any(&["answer"])?];
    let sure = any(&["is_impossible"])
        .or_else(|| rows.iter().any(|&row| names_files(document, row)).then_some("contexts"));
    Some(match sure {
        Some(key) => found("rows", shapes::ROWS, RecognitionCertainty::Sure, &[question, answer, key]),
        None => found("rows", shapes::ROWS, RecognitionCertainty::Likely, &[question, answer]),
    })
}

/// Returns the result for a file of which the user says that it has rows.
pub(super) fn assumed() -> RecognisedRecords {
    let why = Cow::Borrowed("named by the user");
    let (kind, shape) = ("rows".into(), shapes::ROWS);
    RecognisedRecords { system: TRAIN, kind, shape, certainty: RecognitionCertainty::Likely, why }
}

/// Returns the shape of a file, given its node in a graph.
pub(super) fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    graph.objects(root, graph.rdf_type()?).find_map(|class| {
        let TermRef::Iri(iri) = graph.quads().term(class) else { return None };
        Some(match iri.strip_prefix(EVALGRAPH)? {
            "TrainDataset" => shapes::ROWS,
            "EvaluationData" => shapes::EVALUATION_DATA,
            "EvaluationResults" => shapes::EVALUATION_RESULTS,
            "EvaluationSummary" => shapes::EVALUATION_SUMMARY,
            "EvaluationMetrics" => shapes::EVALUATION_METRICS,
            _ => return None,
        })
    })
}

/// Returns whether a row has contexts that name files.
fn names_files(document: &JsonDocument, row: TokenId) -> bool {
    let contexts = document.get(row, "contexts");
    contexts.is_some_and(|contexts| {
        document.items(contexts).any(|context| document.get(context, "filename").is_some())
    })
}

fn evaluation_object(document: &JsonDocument, root: TokenId) -> Option<RecognisedRecords> {
    let has = |key: &&'static str| document.get(root, key).is_some();
    let kinds: [(&str, FileShape, &[&'static str]); 3] = [
        (
            EVALUATION_RESULTS_KIND,
            shapes::EVALUATION_RESULTS,
            &["nv_accuracy", "nv_context_relevance", "nv_response_groundedness"],
        ),
        (
            "evaluation summary",
            shapes::EVALUATION_SUMMARY,
            &["nv_accuracy_mean", "nv_context_relevance_mean", "nv_response_groundedness_mean"],
        ),
        ("evaluation metrics", shapes::EVALUATION_METRICS, &["ingestion_metrics_list"]),
    ];
    kinds.into_iter().find_map(|(kind, shape, keys)| {
        let key = keys.iter().copied().find(|key| has(key))?;
        Some(found(kind, shape, RecognitionCertainty::Sure, &[key]))
    })
}

fn found(
    kind: &'static str,
    shape: FileShape,
    certainty: RecognitionCertainty,
    keys: &[&str],
) -> RecognisedRecords {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let why = match kind {
        "rows" | EVALUATION_DATA_KIND => format!("its objects have {}", keys.join(", ")),
        _ => format!("it has {}", keys.join(", ")),
    };
    RecognisedRecords { system: TRAIN, kind: kind.into(), shape, certainty, why: Cow::Owned(why) }
}
