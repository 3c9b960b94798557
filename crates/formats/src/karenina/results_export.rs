//! Karenina's verification results: judgements on the answers of models to the questions of a checkpoint. They come as
//! an export of format 2.2, as the array of results that the library writes, and as the tables of its two exporters.
//!
//! A judged question is one node, shared by all results about it. It has the same id and text as the question of the
//! checkpoint.

use super::results_table;
use crate::records::{
    FileShape, MemberCondition, MemberForm, ObjectIdentity, RecognisedRecords, RecognitionCertainty,
    RecordMember, RecordPlacement, RecordShape, is_date_time, member,
};
use crate::rewriting::IndexedGraph;
use crate::system_name::SystemName;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::BufferTermId;
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// How many results of a file are examined to recognise it.
const LOOKED_AT: usize = 8;

const FILE: FileShape = FileShape { root: &EXPORT, records: RecordPlacement::InRoot };

/// The bare array of results.
const LIST_FILE: FileShape = FileShape { root: &LIST, records: RecordPlacement::Items("eg:result", &RESULT) };

/// The conditions under which the time of an export is valid; see [`results_table::MADE_AT_A_TIME`].
const EXPORTED_AT_A_TIME: &[MemberCondition] =
    &[MemberCondition { key: "export_timestamp", admits: is_date_time }];

const EXPORT: RecordShape = RecordShape {
    name: "results export",
    node: "Dataset+eg:ResultsExport",
    identity: ObjectIdentity::Blank,
    members: &[
        member("format_version", "version", MemberForm::Value),
        member(
            "metadata",
            "",
            MemberForm::Group(&[
                member(
                    "export_timestamp",
                    "dateCreated",
                    MemberForm::Where(EXPORTED_AT_A_TIME, &MemberForm::DateTime),
                ),
                member("export_timestamp", "eg:exportTimestamp", MemberForm::Value),
                member("karenina_version", "eg:kareninaVersion", MemberForm::Value),
                member("job_id", "identifier", MemberForm::Value),
                member("verification_config", "eg:verificationConfig", MemberForm::Json),
                member("job_summary", "eg:jobSummary", MemberForm::Json),
            ]),
        ),
        member("shared_data", "eg:sharedData", MemberForm::Json),
        member("results", "eg:result", MemberForm::Nodes(&RESULT)),
        member("scenario_results", "eg:scenarioResults", MemberForm::Json),
    ],
};

const LIST: RecordShape = RecordShape {
    name: "results list",
    node: "Dataset+eg:ResultsList",
    identity: ObjectIdentity::Blank,
    members: &[],
};

const RESULT: RecordShape = RecordShape {
    name: "result",
    node: "Review+eg:VerificationResult",
    identity: ObjectIdentity::Record { kind: "result", key: "result_id" },
    members: &[
        member("metadata", "", MemberForm::Group(METADATA)),
        member("template", "eg:templateResult", MemberForm::Json),
        member(
            "template",
            "",
            MemberForm::Group(&[
                member("verify_result", "eg:verifyResult", MemberForm::Derived(&MemberForm::Value)),
                member(
                    "raw_llm_response",
                    results_table::GENERATED_TEXT,
                    MemberForm::Derived(&MemberForm::Value),
                ),
            ]),
        ),
        member("rubric", "eg:rubricResult", MemberForm::Json),
        member("deep_judgment", "eg:deepJudgment", MemberForm::Json),
        member("deep_judgment_rubric", "eg:deepJudgmentRubric", MemberForm::Json),
        member("evaluation_input", "eg:evaluationInput", MemberForm::Value),
        member("used_full_trace", "eg:usedFullTrace", MemberForm::Value),
        member("trace_extraction_error", "eg:traceExtractionError", MemberForm::Value),
        member("row_index", "eg:rowIndex", MemberForm::Value),
        member("success", "eg:success", MemberForm::Value),
        member("", "position", MemberForm::Position),
    ],
};

const METADATA: &[RecordMember] = &[
    member("question_id", results_table::QUESTION_ID, MemberForm::Value),
    member("template_id", "eg:templateId", MemberForm::Value),
    member(
        "failure",
        "",
        MemberForm::Group(&[
            member("category", "eg:failureCategory", MemberForm::Value),
            member("group", "eg:failureGroup", MemberForm::Value),
            member("stage", "eg:failureStage", MemberForm::Value),
            member("reason", "eg:failureReason", MemberForm::Value),
            member("details", "eg:failureDetails", MemberForm::Json),
        ]),
    ),
    member("caveats", "eg:caveat", MemberForm::Values),
    member("warnings", "eg:warning", MemberForm::Values),
    member("partial_content", "eg:partialContent", MemberForm::Value),
    member("retry_counts", "eg:retryCounts", MemberForm::Json),
    member("question_text", results_table::QUESTION_TEXT, MemberForm::Value),
    // The answer in the checkpoint.
    member(
        "raw_answer",
        "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(question_id)\
         /acceptedAnswer:Answer@answer(question_id)/text",
        MemberForm::Value,
    ),
    member("keywords", results_table::QUESTION_KEYWORDS, MemberForm::Values),
    member(
        "answering",
        "",
        MemberForm::Group(&[
            member("interface", "eg:answeringInterface", MemberForm::Value),
            member("model_name", "eg:answeringModel", MemberForm::Value),
            member("tools", "eg:answeringTools", MemberForm::Values),
            member("config_id", "eg:answeringConfiguration", MemberForm::Value),
        ]),
    ),
    member(
        "parsing",
        "",
        MemberForm::Group(&[
            member("interface", "eg:parsingInterface", MemberForm::Value),
            member("model_name", "eg:parsingModel", MemberForm::Value),
            member("tools", "eg:parsingTools", MemberForm::Values),
            member("config_id", "eg:parsingConfiguration", MemberForm::Value),
        ]),
    ),
    member("answering_system_prompt", "eg:answeringSystemPrompt", MemberForm::Value),
    member("parsing_system_prompt", "eg:parsingSystemPrompt", MemberForm::Value),
    member("execution_time", "eg:executionTime", MemberForm::Value),
    member(
        "timestamp",
        "dateCreated",
        MemberForm::Where(results_table::MADE_AT_A_TIME, &MemberForm::DateTime),
    ),
    member("timestamp", "eg:timestamp", MemberForm::Value),
    member("result_id", "identifier", MemberForm::Value),
    member("run_name", "eg:runName", MemberForm::Value),
    member("replicate", "eg:replicate", MemberForm::Value),
    member("few_shot_enabled", "eg:fewShotEnabled", MemberForm::Value),
    member("few_shot_example_count", "eg:fewShotExampleCount", MemberForm::Value),
    member("evaluation_mode", "eg:evaluationMode", MemberForm::Value),
    member("scenario_id", "eg:scenarioId", MemberForm::Value),
    member("scenario_node", "eg:scenarioNode", MemberForm::Value),
    member("scenario_turn", "eg:scenarioTurn", MemberForm::Value),
    // The path records the order of the nodes.
    member("scenario_path", "eg:scenarioPath", MemberForm::Json),
];

/// Recognises a document as a results file.
pub fn recognise(document: &JsonDocument) -> Option<RecognisedRecords> {
    let root = document.root();
    let found = |kind: &'static str, shape: FileShape, why: &'static str| RecognisedRecords {
        system: SystemName::JSON_LD,
        kind: kind.into(),
        shape,
        certainty: RecognitionCertainty::Sure,
        why: why.into(),
    };
    if document.is_array(root) {
        let results = first_objects(document, root);
        let any = |is: fn(&JsonDocument, TokenId) -> bool| results.iter().any(|&result| is(document, result));
        if any(is_whole_result) {
            return Some(found("results list", LIST_FILE, "its objects have `metadata` with `result_id`"));
        }
        let why = "its rows have `question_id`, `answering_model` and `parsing_model`";
        return any(results_table::is_row).then(|| found("results table", results_table::FILE, why));
    }
    let results = document.get(root, "results").filter(|&results| document.is_array(results))?;
    document.get(root, "format_version")?;
    // The first result must have Karenina's own part `metadata`.
    let results = first_objects(document, results);
    let is_result = |&result: &TokenId| document.get(result, "metadata").is_some();
    let is_known = results.is_empty() || results.iter().any(is_result);
    is_known.then(|| found("results export", FILE, "it has `format_version` and `results`"))
}

fn first_objects(document: &JsonDocument, list: TokenId) -> Vec<TokenId> {
    document.items(list).filter(|&item| document.is_object(item)).take(LOOKED_AT).collect()
}

/// Returns whether an object is a result in the library's in-memory form.
fn is_whole_result(document: &JsonDocument, result: TokenId) -> bool {
    let metadata = document.get(result, "metadata");
    let has = |key| metadata.is_some_and(|metadata| document.get(metadata, key).is_some());
    has("result_id") && has("question_id") && has("answering")
}

/// Returns the shape of the file from which the node `root` of a graph was made.
pub fn file_shape(graph: &IndexedGraph<'_>, root: BufferTermId) -> Option<FileShape> {
    let files = [("ResultsExport", FILE), ("ResultsList", LIST_FILE), ("ResultsTable", results_table::FILE)];
    let rdf_type = graph.rdf_type()?;
    let is_of = |class: &str| {
        let class = graph.quads().find_iri(&format!("{EVALGRAPH}{class}"));
        class.is_some_and(|class| graph.objects(root, rdf_type).any(|found| found == class))
    };
    files.into_iter().find(|(class, _)| is_of(class)).map(|(_, shape)| shape)
}
