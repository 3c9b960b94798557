//! Karenina's verification results as a table, one result a row, with the columns of both exporters of the
//! library: that of the results manager and that of the verification job.

use crate::records::{Condition, FileShape, Form, Identity, RecordShape, Records, is_date_time, member};
use evalgraph_json::{Document, TokenId};

/// How a table of results is read.
pub(super) const FILE: FileShape = FileShape { root: &TABLE, records: Records::Items("eg:result", &ROW) };

/// The id of the judged question.
pub(super) const QUESTION_ID: &str =
    "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(question_id)/identifier";
/// The text of the judged question.
pub(super) const QUESTION_TEXT: &str =
    "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(question_id)/text";
/// The keywords of the judged question.
pub(super) const QUESTION_KEYWORDS: &str =
    "itemReviewed:Answer+eg:GeneratedAnswer#answer/parentItem:Question@question(question_id)/keywords";
/// The answer of the model.
pub(super) const GENERATED_TEXT: &str = "itemReviewed:Answer+eg:GeneratedAnswer#answer/text";

/// Where the time of a result is a time: the library writes a blank between day and time today, so that what it writes is
/// neither of ISO 8601 nor of schema.org.
pub(super) const MADE_AT_A_TIME: &[Condition] = &[Condition { key: "timestamp", admits: is_date_time }];

const TABLE: RecordShape = RecordShape {
    name: "results table",
    node: "Dataset+eg:ResultsTable",
    identity: Identity::Blank,
    members: &[],
};

const ROW: RecordShape = RecordShape {
    name: "result",
    node: "Review+eg:VerificationRow",
    identity: Identity::Record { kind: "result", key: "row_index" },
    members: &[
        member("row_index", "eg:rowIndex", Form::Value),
        member("question_id", QUESTION_ID, Form::Value),
        member("question_text", QUESTION_TEXT, Form::Value),
        member("keywords", QUESTION_KEYWORDS, Form::Value),
        member("raw_llm_response", GENERATED_TEXT, Form::Value),
        member("timestamp", "dateCreated", Form::Where(MADE_AT_A_TIME, &Form::DateTime)),
        member("timestamp", "eg:timestamp", Form::Value),
        member("success", "eg:success", Form::Value),
        member("error", "eg:error", Form::Value),
        member("failure_category", "eg:failureCategory", Form::Value),
        member("failure_group", "eg:failureGroup", Form::Value),
        member("failure_stage", "eg:failureStage", Form::Value),
        member("failure_reason", "eg:failureReason", Form::Value),
        member("failure_details_json", "eg:failureDetailsText", Form::Value),
        member("caveats", "eg:caveats", Form::Value),
        member("parsed_gt_response", "eg:parsedGroundTruth", Form::Value),
        member("parsed_llm_response", "eg:parsedResponse", Form::Value),
        member("template_verification_performed", "eg:templateVerificationPerformed", Form::Value),
        member("verify_result", "eg:verifyResult", Form::Value),
        member("verify_granular_result", "eg:verifyGranularResult", Form::Value),
        member("rubric_evaluation_performed", "eg:rubricEvaluationPerformed", Form::Value),
        member("question_specific_rubrics", "eg:questionSpecificRubrics", Form::Value),
        member("rubric_summary", "eg:rubricSummary", Form::Value),
        member("answering_model", "eg:answeringModel", Form::Value),
        member("parsing_model", "eg:parsingModel", Form::Value),
        member("replicate", "eg:replicate", Form::Value),
        member("execution_time", "eg:executionTime", Form::Value),
        member("answering_system_prompt", "eg:answeringSystemPrompt", Form::Value),
        member("parsing_system_prompt", "eg:parsingSystemPrompt", Form::Value),
        member("run_name", "eg:runName", Form::Value),
        member("export_timestamp", "eg:exportTimestamp", Form::Value),
        member("karenina_version", "eg:kareninaVersion", Form::Value),
        member("job_id", "eg:jobId", Form::Value),
        member("embedding_check_performed", "eg:embeddingCheckPerformed", Form::Value),
        member("embedding_similarity_score", "eg:embeddingSimilarity", Form::Value),
        member("embedding_override_applied", "eg:embeddingOverrideApplied", Form::Value),
        member("embedding_model_used", "eg:embeddingModel", Form::Value),
        member("answering_mcp_servers", "eg:answeringMcpServers", Form::Value),
        member("deep_judgment_mode", "eg:deepJudgmentMode", Form::Value),
        member("deep_judgment_performed", "eg:deepJudgmentPerformed", Form::Value),
        member("extracted_excerpts", "eg:extractedExcerpts", Form::Value),
        member("attribute_reasoning", "eg:attributeReasoning", Form::Value),
        member("deep_judgment_stages_completed", "eg:deepJudgmentStages", Form::Value),
        member("deep_judgment_model_calls", "eg:deepJudgmentModelCalls", Form::Value),
        member("deep_judgment_excerpt_retry_count", "eg:deepJudgmentExcerptRetries", Form::Value),
        member("attributes_without_excerpts", "eg:attributesWithoutExcerpts", Form::Value),
        member("deep_judgment_search_enabled", "eg:deepJudgmentSearchEnabled", Form::Value),
        member("hallucination_risk_assessment", "eg:hallucinationRisk", Form::Value),
        member("deep_judgment_rubric_performed", "eg:deepJudgmentRubricPerformed", Form::Value),
        member("extracted_rubric_excerpts", "eg:extractedRubricExcerpts", Form::Value),
        member("rubric_trait_reasoning", "eg:rubricTraitReasoning", Form::Value),
        member("deep_judgment_rubric_scores", "eg:deepJudgmentRubricScores", Form::Value),
        member("standard_rubric_scores", "eg:standardRubricScores", Form::Value),
        member("trait_metadata", "eg:traitMetadata", Form::Value),
        member("traits_without_valid_excerpts", "eg:traitsWithoutExcerpts", Form::Value),
        member("rubric_hallucination_risk_assessment", "eg:rubricHallucinationRisk", Form::Value),
        member("total_deep_judgment_model_calls", "eg:deepJudgmentModelCallsOfTraits", Form::Value),
        member("total_traits_evaluated", "eg:traitsEvaluated", Form::Value),
        member("total_excerpt_retries", "eg:excerptRetriesOfTraits", Form::Value),
        member("metric_trait_confusion_lists", "eg:metricTraitConfusionLists", Form::Value),
        member("metric_trait_metrics", "eg:metricTraitMetrics", Form::Value),
        member("usage_metadata", "eg:usageMetadata", Form::Value),
        member("agent_metrics", "eg:agentMetrics", Form::Value),
        member("", "position", Form::Position),
    ],
};

/// Columns whose cells are numbers.
const NUMBERS: [&str; 10] = [
    "row_index",
    "replicate",
    "execution_time",
    "embedding_similarity_score",
    "verify_granular_result",
    "deep_judgment_model_calls",
    "deep_judgment_excerpt_retry_count",
    "total_deep_judgment_model_calls",
    "total_traits_evaluated",
    "total_excerpt_retries",
];

/// Columns whose cells are true or false.
const BOOLEANS: [&str; 9] = [
    "success",
    "verify_result",
    "template_verification_performed",
    "rubric_evaluation_performed",
    "embedding_check_performed",
    "embedding_override_applied",
    "deep_judgment_performed",
    "deep_judgment_search_enabled",
    "deep_judgment_rubric_performed",
];

/// Tells whether the cells of a column are numbers.
pub(crate) fn has_numbers(column: &str) -> bool {
    NUMBERS.contains(&column)
}

/// Tells whether the cells of a column are true or false.
pub(crate) fn has_booleans(column: &str) -> bool {
    BOOLEANS.contains(&column)
}

/// Tells whether an object is a row of such a table.
pub(super) fn is_row(document: &Document, row: TokenId) -> bool {
    let has = |key| document.get(row, key).is_some();
    has("question_id") && has("question_text") && has("answering_model") && has("parsing_model")
}
