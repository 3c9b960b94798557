//! Karenina's verification results: judgements on answers that models have given to the questions of a
//! checkpoint. They come as an export of format 2.2, as the array of results that the library writes, and as
//! the tables of its two exporters.
//!
//! A judged question is one node for all results about it. It shares its id and its text with the
//! question of the checkpoint.

use super::results_table;
use crate::records::{
    Certainty, Condition, FileShape, Form, Identity, Member, Recognised, RecordShape, Records, is_date_time,
    member,
};
use crate::rewriting::Graph;
use crate::system::System;
use evalgraph_json::{Document, TokenId};
use evalgraph_rdf::quad_buffer::TermId;
use evalgraph_rdf::vocabulary::EVALGRAPH;

/// How many results of a file are examined to recognise it.
const LOOKED_AT: usize = 8;

const FILE: FileShape = FileShape { root: &EXPORT, records: Records::InRoot };

/// The bare array of results.
const LIST_FILE: FileShape = FileShape { root: &LIST, records: Records::Items("eg:result", &RESULT) };

/// Where the time of an export is a time; see [`results_table::MADE_AT_A_TIME`].
const EXPORTED_AT_A_TIME: &[Condition] = &[Condition { key: "export_timestamp", admits: is_date_time }];

const EXPORT: RecordShape = RecordShape {
    name: "results export",
    node: "Dataset+eg:ResultsExport",
    identity: Identity::Blank,
    members: &[
        member("format_version", "version", Form::Value),
        member(
            "metadata",
            "",
            Form::Group(&[
                member("export_timestamp", "dateCreated", Form::Where(EXPORTED_AT_A_TIME, &Form::DateTime)),
                member("export_timestamp", "eg:exportTimestamp", Form::Value),
                member("karenina_version", "eg:kareninaVersion", Form::Value),
                member("job_id", "identifier", Form::Value),
                member("verification_config", "eg:verificationConfig", Form::Json),
                member("job_summary", "eg:jobSummary", Form::Json),
            ]),
        ),
        member("shared_data", "eg:sharedData", Form::Json),
        member("results", "eg:result", Form::Nodes(&RESULT)),
        member("scenario_results", "eg:scenarioResults", Form::Json),
    ],
};

const LIST: RecordShape = RecordShape {
    name: "results list",
    node: "Dataset+eg:ResultsList",
    identity: Identity::Blank,
    members: &[],
};

const RESULT: RecordShape = RecordShape {
    name: "result",
    node: "Review+eg:VerificationResult",
    identity: Identity::Record { kind: "result", key: "result_id" },
    members: &[
        member("metadata", "", Form::Group(METADATA)),
        member("template", "eg:templateResult", Form::Json),
        member(
            "template",
            "",
            Form::Group(&[
                member("verify_result", "eg:verifyResult", Form::Derived(&Form::Value)),
                member("raw_llm_response", results_table::GENERATED_TEXT, Form::Derived(&Form::Value)),
            ]),
        ),
        member("rubric", "eg:rubricResult", Form::Json),
        member("deep_judgment", "eg:deepJudgment", Form::Json),
        member("deep_judgment_rubric", "eg:deepJudgmentRubric", Form::Json),
        member("evaluation_input", "eg:evaluationInput", Form::Value),
        member("used_full_trace", "eg:usedFullTrace", Form::Value),
        member("trace_extraction_error", "eg:traceExtractionError", Form::Value),
        member("row_index", "eg:rowIndex", Form::Value),
        member("success", "eg:success", Form::Value),
        member("", "position", Form::Position),
    ],
};

const METADATA: &[Member] = &[
    member("question_id", results_table::QUESTION_ID, Form::Value),
    member("template_id", "eg:templateId", Form::Value),
    member(
        "failure",
        "",
        Form::Group(&[
            member("category", "eg:failureCategory", Form::Value),
            member("group", "eg:failureGroup", Form::Value),
            member("stage", "eg:failureStage", Form::Value),
            member("reason", "eg:failureReason", Form::Value),
            member("details", "eg:failureDetails", Form::Json),
        ]),
    ),
    member("caveats", "eg:caveat", Form::Values),
    member("warnings", "eg:warning", Form::Values),
    member("partial_content", "eg:partialContent", Form::Value),
    member("retry_counts", "eg:retryCounts", Form::Json),
    member("question_text", results_table::QUESTION_TEXT, Form::Value),
    // The answer that the checkpoint gives.
    member(
        "raw_answer",
        "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(question_id)\
         /acceptedAnswer:Answer@answer(question_id)/text",
        Form::Value,
    ),
    member("keywords", results_table::QUESTION_KEYWORDS, Form::Values),
    member(
        "answering",
        "",
        Form::Group(&[
            member("interface", "eg:answeringInterface", Form::Value),
            member("model_name", "eg:answeringModel", Form::Value),
            member("tools", "eg:answeringTools", Form::Values),
            member("config_id", "eg:answeringConfiguration", Form::Value),
        ]),
    ),
    member(
        "parsing",
        "",
        Form::Group(&[
            member("interface", "eg:parsingInterface", Form::Value),
            member("model_name", "eg:parsingModel", Form::Value),
            member("tools", "eg:parsingTools", Form::Values),
            member("config_id", "eg:parsingConfiguration", Form::Value),
        ]),
    ),
    member("answering_system_prompt", "eg:answeringSystemPrompt", Form::Value),
    member("parsing_system_prompt", "eg:parsingSystemPrompt", Form::Value),
    member("execution_time", "eg:executionTime", Form::Value),
    member("timestamp", "dateCreated", Form::Where(results_table::MADE_AT_A_TIME, &Form::DateTime)),
    member("timestamp", "eg:timestamp", Form::Value),
    member("result_id", "identifier", Form::Value),
    member("run_name", "eg:runName", Form::Value),
    member("replicate", "eg:replicate", Form::Value),
    member("few_shot_enabled", "eg:fewShotEnabled", Form::Value),
    member("few_shot_example_count", "eg:fewShotExampleCount", Form::Value),
    member("evaluation_mode", "eg:evaluationMode", Form::Value),
    member("scenario_id", "eg:scenarioId", Form::Value),
    member("scenario_node", "eg:scenarioNode", Form::Value),
    member("scenario_turn", "eg:scenarioTurn", Form::Value),
    // The path gives the order of the nodes.
    member("scenario_path", "eg:scenarioPath", Form::Json),
];

/// Recognises a document as one of the files of results.
pub fn recognise(document: &Document) -> Option<Recognised> {
    let root = document.root();
    let found = |kind: &'static str, shape: FileShape, why: &'static str| Recognised {
        system: System::Karenina,
        kind: kind.into(),
        shape,
        certainty: Certainty::Sure,
        why: why.into(),
    };
    if document.is_array(root) {
        let results = first_objects(document, root);
        let any = |is: fn(&Document, TokenId) -> bool| results.iter().any(|&result| is(document, result));
        if any(is_whole_result) {
            return Some(found("results list", LIST_FILE, "its objects have `metadata` with `result_id`"));
        }
        let why = "its rows have `question_id`, `answering_model` and `parsing_model`";
        return any(results_table::is_row).then(|| found("results table", results_table::FILE, why));
    }
    let results = document.get(root, "results").filter(|&results| document.is_array(results))?;
    document.get(root, "format_version")?;
    // If there is a result, it must have Karenina's own part `metadata`.
    let results = first_objects(document, results);
    let is_result = |&result: &TokenId| document.get(result, "metadata").is_some();
    let is_known = results.is_empty() || results.iter().any(is_result);
    is_known.then(|| found("results export", FILE, "it has `format_version` and `results`"))
}

fn first_objects(document: &Document, list: TokenId) -> Vec<TokenId> {
    document.items(list).filter(|&item| document.is_object(item)).take(LOOKED_AT).collect()
}

/// Tells whether an object is a result as the library has it in memory.
fn is_whole_result(document: &Document, result: TokenId) -> bool {
    let metadata = document.get(result, "metadata");
    let has = |key| metadata.is_some_and(|metadata| document.get(metadata, key).is_some());
    has("result_id") && has("question_id") && has("answering")
}

/// Returns the shape of the file from which the node `root` of a graph was made.
pub fn file_shape(graph: &Graph<'_>, root: TermId) -> Option<FileShape> {
    let files = [("ResultsExport", FILE), ("ResultsList", LIST_FILE), ("ResultsTable", results_table::FILE)];
    let rdf_type = graph.rdf_type()?;
    let is_of = |class: &str| {
        let class = graph.quads().find_iri(&format!("{EVALGRAPH}{class}"));
        class.is_some_and(|class| graph.objects(root, rdf_type).any(|found| found == class))
    };
    files.into_iter().find(|(class, _)| is_of(class)).map(|(_, shape)| shape)
}
