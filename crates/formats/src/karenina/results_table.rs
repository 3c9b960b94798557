//! Karenina's verification results as a table with one result per row, with the columns of both of the library's
//! exporters: the results manager and the verification job.

use crate::records::{
    FileShape, MemberCondition, MemberForm, ObjectIdentity, RecordPlacement, RecordShape, is_date_time,
    member,
};
use evalgraph_json::{JsonDocument, TokenId};

/// How a table of results is read.
pub(super) const FILE: FileShape =
    FileShape { root: &TABLE, records: RecordPlacement::Items("eg:result", &ROW) };

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

/// The conditions under which the time of a result is valid. Today the library writes a blank between day and time,
/// which is neither ISO 8601 nor schema.org's form.
pub(super) const MADE_AT_A_TIME: &[MemberCondition] =
    &[MemberCondition { key: "timestamp", admits: is_date_time }];

const TABLE: RecordShape = RecordShape {
    name: "results table",
    node: "Dataset+eg:ResultsTable",
    identity: ObjectIdentity::Blank,
    members: &[],
};

const ROW: RecordShape = RecordShape {
    name: "result",
    node: "Review+eg:VerificationRow",
    identity: ObjectIdentity::Record { kind: "result", key: "row_index" },
    members: &[
        member("row_index", "eg:rowIndex", MemberForm::Value),
        member("question_id", QUESTION_ID, MemberForm::Value),
        member("question_text", QUESTION_TEXT, MemberForm::Value),
        member("keywords", QUESTION_KEYWORDS, MemberForm::Value),
        member("raw_llm_response", GENERATED_TEXT, MemberForm::Value),
        member("timestamp", "dateCreated", MemberForm::Where(MADE_AT_A_TIME, &MemberForm::DateTime)),
        member("timestamp", "eg:timestamp", MemberForm::Value),
        member("success", "eg:success", MemberForm::Value),
        member("error", "eg:error", MemberForm::Value),
        member("failure_category", "eg:failureCategory", MemberForm::Value),
        member("failure_group", "eg:failureGroup", MemberForm::Value),
        member("failure_stage", "eg:failureStage", MemberForm::Value),
        member("failure_reason", "eg:failureReason", MemberForm::Value),
        member("failure_details_json", "eg:failureDetailsText", MemberForm::Value),
        member("caveats", "eg:caveats", MemberForm::Value),
        member("parsed_gt_response", "eg:parsedGroundTruth", MemberForm::Value),
        member("parsed_llm_response", "eg:parsedResponse", MemberForm::Value),
        member("template_verification_performed", "eg:templateVerificationPerformed", MemberForm::Value),
        member("verify_result", "eg:verifyResult", MemberForm::Value),
        member("verify_granular_result", "eg:verifyGranularResult", MemberForm::Value),
        member("rubric_evaluation_performed", "eg:rubricEvaluationPerformed", MemberForm::Value),
        member("question_specific_rubrics", "eg:questionSpecificRubrics", MemberForm::Value),
        member("rubric_summary", "eg:rubricSummary", MemberForm::Value),
        member("answering_model", "eg:answeringModel", MemberForm::Value),
        member("parsing_model", "eg:parsingModel", MemberForm::Value),
        member("replicate", "eg:replicate", MemberForm::Value),
        member("execution_time", "eg:executionTime", MemberForm::Value),
        member("answering_system_prompt", "eg:answeringSystemPrompt", MemberForm::Value),
        member("parsing_system_prompt", "eg:parsingSystemPrompt", MemberForm::Value),
        member("run_name", "eg:runName", MemberForm::Value),
        member("export_timestamp", "eg:exportTimestamp", MemberForm::Value),
        member("karenina_version", "eg:kareninaVersion", MemberForm::Value),
        member("job_id", "eg:jobId", MemberForm::Value),
        member("embedding_check_performed", "eg:embeddingCheckPerformed", MemberForm::Value),
        member("embedding_similarity_score", "eg:embeddingSimilarity", MemberForm::Value),
        member("embedding_override_applied", "eg:embeddingOverrideApplied", MemberForm::Value),
        member("embedding_model_used", "eg:embeddingModel", MemberForm::Value),
        member("answering_mcp_servers", "eg:answeringMcpServers", MemberForm::Value),
        member("deep_judgment_mode", "eg:deepJudgmentMode", MemberForm::Value),
        member("deep_judgment_performed", "eg:deepJudgmentPerformed", MemberForm::Value),
        member("extracted_excerpts", "eg:extractedExcerpts", MemberForm::Value),
        member("attribute_reasoning", "eg:attributeReasoning", MemberForm::Value),
        member("deep_judgment_stages_completed", "eg:deepJudgmentStages", MemberForm::Value),
        member("deep_judgment_model_calls", "eg:deepJudgmentModelCalls", MemberForm::Value),
        member("deep_judgment_excerpt_retry_count", "eg:deepJudgmentExcerptRetries", MemberForm::Value),
        member("attributes_without_excerpts", "eg:attributesWithoutExcerpts", MemberForm::Value),
        member("deep_judgment_search_enabled", "eg:deepJudgmentSearchEnabled", MemberForm::Value),
        member("hallucination_risk_assessment", "eg:hallucinationRisk", MemberForm::Value),
        member("deep_judgment_rubric_performed", "eg:deepJudgmentRubricPerformed", MemberForm::Value),
        member("extracted_rubric_excerpts", "eg:extractedRubricExcerpts", MemberForm::Value),
        member("rubric_trait_reasoning", "eg:rubricTraitReasoning", MemberForm::Value),
        member("deep_judgment_rubric_scores", "eg:deepJudgmentRubricScores", MemberForm::Value),
        member("standard_rubric_scores", "eg:standardRubricScores", MemberForm::Value),
        member("trait_metadata", "eg:traitMetadata", MemberForm::Value),
        member("traits_without_valid_excerpts", "eg:traitsWithoutExcerpts", MemberForm::Value),
        member("rubric_hallucination_risk_assessment", "eg:rubricHallucinationRisk", MemberForm::Value),
        member("total_deep_judgment_model_calls", "eg:deepJudgmentModelCallsOfTraits", MemberForm::Value),
        member("total_traits_evaluated", "eg:traitsEvaluated", MemberForm::Value),
        member("total_excerpt_retries", "eg:excerptRetriesOfTraits", MemberForm::Value),
        member("metric_trait_confusion_lists", "eg:metricTraitConfusionLists", MemberForm::Value),
        member("metric_trait_metrics", "eg:metricTraitMetrics", MemberForm::Value),
        member("usage_metadata", "eg:usageMetadata", MemberForm::Value),
        member("agent_metrics", "eg:agentMetrics", MemberForm::Value),
        member("", "position", MemberForm::Position),
    ],
};

/// Returns whether an object is a row of such a table.
pub(super) fn is_row(document: &JsonDocument, row: TokenId) -> bool {
    let has = |key| document.get(row, key).is_some();
    has("question_id") && has("question_text") && has("answering_model") && has("parsing_model")
}
