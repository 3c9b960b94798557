//! What the members of each kind of record become in the graph: schema.org's words where it has them,
//! our own where it has none.
//!
//! What RLCF leaves free (input, output, feedback and ground truth) stays whole as JSON, and the keys
//! with a known meaning are said a second time in words that a query can ask for.

use crate::source::records::{Form, Identity, Member, RecordShape, member};
use Form::{DateTime, Derived, Group, Json, Nodes, Reference, Text, Value, Values};

/// How many tasks there are of a type.
macro_rules! task_count {
    ($task_type:literal) => {
        member(
            $task_type,
            concat!("eg:taskCount:Observation{variableMeasured=", $task_type, "}/value"),
            Value,
        )
    };
}

/// A kind of record, its class and the segment of its IRIs.
const fn shape(
    name: &'static str,
    node: &'static str,
    kind: &'static str,
    members: &'static [Member],
) -> RecordShape {
    RecordShape { name, node, identity: Identity::Record { kind, key: "id" }, members }
}

/// A key of what stays whole as JSON, said once more.
const fn lifted(key: &'static str, path: &'static str) -> Member {
    member(key, path, Derived(&Value))
}

const ID: Member = member("id", "identifier", Text);
const AUTHOR: Member = member("user_id", "author", Reference("user"));

const USER_MEMBERS: [Member; 6] = [
    ID,
    member("username", "name", Value),
    member("authority_score", "eg:observation:Observation{variableMeasured=authority_score}/value", Value),
    member(
        "track_record_score",
        "eg:observation:Observation{variableMeasured=track_record_score}/value",
        Value,
    ),
    member(
        "baseline_credential_score",
        "eg:observation:Observation{variableMeasured=baseline_credential_score}/value",
        Value,
    ),
    member("credentials", "hasCredential", Nodes(&CREDENTIAL)),
];
/// A user.
pub static USER: RecordShape = shape("User", "Person+eg:User", "user", &USER_MEMBERS);
/// A request for a user.
pub static USER_CREATE: RecordShape =
    shape("UserCreate", "Person+eg:UserCreate", "user-create", &USER_MEMBERS);
/// A request for many users.
pub static BULK_USER_CREATE: RecordShape = shape(
    "BulkUserCreate",
    "CreateAction+eg:BulkUserCreate",
    "bulk-user-create",
    &[member("usernames", "eg:usernames", Values), member("users", "eg:userToCreate", Nodes(&USER_CREATE))],
);

const CREDENTIAL_MEMBERS: [Member; 5] = [
    ID,
    member("user_id", "eg:holder", Reference("user")),
    member("type", "credentialCategory", Value),
    member("value", "name", Value),
    member("weight", "eg:weight", Value),
];
/// A credential.
pub static CREDENTIAL: RecordShape =
    shape("Credential", "EducationalOccupationalCredential+eg:Credential", "credential", &CREDENTIAL_MEMBERS);
/// A request for a credential.
pub static CREDENTIAL_CREATE: RecordShape = shape(
    "CredentialCreate",
    "EducationalOccupationalCredential+eg:CredentialCreate",
    "credential-create",
    &CREDENTIAL_MEMBERS,
);

const INPUT: Member = member(
    "input_data",
    "",
    Group(&[
        lifted("question", "text"),
        lifted("text", "text"),
        lifted("document", "text"),
        lifted("source", "text"),
        lifted("facts", "eg:facts"),
        lifted("premise", "eg:premise"),
        lifted("hypothesis", "eg:hypothesis"),
        lifted("instruction", "eg:instruction"),
        lifted("context", "isBasedOn:CreativeWork#context/text"),
        lifted("context_full", "isBasedOn:CreativeWork#context/text"),
        lifted("rule_id", "eg:ruleId"),
        lifted("relevant_articles", "citation"),
        lifted("category", "genre"),
        lifted("tags", "keywords"),
    ]),
);
/// The words of the configuration for what is right, and those of the correctness score.
const GROUND_TRUTH: Member = member(
    "ground_truth_data",
    "",
    Group(&[
        lifted("validated_answer", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("answer_text", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("answer", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("chosen_label", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("chosen_outcome", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("revised_summary", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("revised_target", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("label", "acceptedAnswer:Answer#ground-truth/text"),
        lifted("target", "acceptedAnswer:Answer#ground-truth/text"),
    ]),
);
const AI_RESPONSE: Member =
    member("ai_response", "", Group(&[lifted("message", "suggestedAnswer:Answer#ai-response/text")]));
const TASK_MEMBERS: [Member; 11] = [
    ID,
    member("task_type", "additionalType", Value),
    member("input_data", "eg:inputData", Json),
    INPUT,
    member("ground_truth_data", "eg:groundTruthData", Json),
    GROUND_TRUTH,
    member("created_at", "dateCreated", DateTime),
    member("status", "creativeWorkStatus", Value),
    member("ai_response", "eg:aiResponse", Json),
    AI_RESPONSE,
    member("responses", "suggestedAnswer", Nodes(&RESPONSE)),
];
/// A task.
pub static LEGAL_TASK: RecordShape = shape("LegalTask", "Question+eg:LegalTask", "task", &TASK_MEMBERS);
/// A request for a task.
pub static LEGAL_TASK_CREATE: RecordShape =
    shape("LegalTaskCreate", "Question+eg:LegalTaskCreate", "task-create", &TASK_MEMBERS);
/// A task of a YAML file.
pub static YAML_TASK: RecordShape = shape("YamlTask", "Question+eg:YamlTask", "yaml-task", &TASK_MEMBERS);
/// A request for another status.
pub static TASK_STATUS_UPDATE: RecordShape = shape(
    "TaskStatusUpdate",
    "UpdateAction+eg:TaskStatusUpdate",
    "task-status-update",
    &[member("status", "eg:status", Value)],
);

const OUTPUT: Member = member(
    "output_data",
    "",
    Group(&[
        lifted("message", "text"),
        lifted("answer", "text"),
        lifted("target", "text"),
        lifted("summary", "text"),
        lifted("is_placeholder", "eg:isPlaceholder"),
        lifted("confidence", "eg:confidence"),
    ]),
);
const RESPONSE_MEMBERS: [Member; 7] = [
    ID,
    member("task_id", "parentItem", Reference("task")),
    member("output_data", "eg:outputData", Json),
    OUTPUT,
    member("model_version", "eg:modelVersion", Value),
    member("generated_at", "dateCreated", DateTime),
    member("feedback", "review", Nodes(&FEEDBACK)),
];
/// A response.
pub static RESPONSE: RecordShape = shape("Response", "Answer+eg:Response", "response", &RESPONSE_MEMBERS);
/// A response without an id.
pub static RESPONSE_CREATE: RecordShape =
    shape("ResponseCreate", "Answer+eg:ResponseCreate", "response-create", &RESPONSE_MEMBERS);

const FEEDBACK_DATA: Member = member(
    "feedback_data",
    "",
    Group(&[
        lifted("reasoning", "reviewBody"),
        lifted("position", "eg:feedbackPosition"),
        lifted("validated_answer", "eg:validatedAnswer:Answer#validated-answer/text"),
        lifted("revised_target", "eg:validatedAnswer:Answer#validated-answer/text"),
        lifted("revised_summary", "eg:validatedAnswer:Answer#validated-answer/text"),
        lifted("chosen_label", "eg:validatedAnswer:Answer#validated-answer/text"),
        lifted("chosen_outcome", "eg:validatedAnswer:Answer#validated-answer/text"),
        lifted("confidence", "eg:confidence"),
        lifted("rating", "eg:rating"),
    ]),
);
const FEEDBACK_MEMBERS: [Member; 15] = [
    ID,
    AUTHOR,
    member("response_id", "itemReviewed", Reference("response")),
    member("is_blind_phase", "eg:isBlindPhase", Value),
    member(
        "accuracy_score",
        "reviewRating:Rating{reviewAspect=accuracy,worstRating=0,bestRating=10}/ratingValue",
        Value,
    ),
    member(
        "utility_score",
        "reviewRating:Rating{reviewAspect=utility,worstRating=0,bestRating=10}/ratingValue",
        Value,
    ),
    member(
        "transparency_score",
        "reviewRating:Rating{reviewAspect=transparency,worstRating=0,bestRating=10}/ratingValue",
        Value,
    ),
    member("feedback_data", "eg:feedbackData", Json),
    FEEDBACK_DATA,
    member(
        "community_helpfulness_rating",
        "aggregateRating:AggregateRating{reviewAspect=helpfulness}/ratingValue",
        Value,
    ),
    member("consistency_score", "eg:consistencyScore", Value),
    member("correctness_score", "eg:correctnessScore", Value),
    member("metadata", "eg:metadata", Json),
    member("submitted_at", "dateCreated", DateTime),
    member("ratings", "review", Nodes(&FEEDBACK_RATING)),
];
/// Feedback.
pub static FEEDBACK: RecordShape = shape("Feedback", "Review+eg:Feedback", "feedback", &FEEDBACK_MEMBERS);
/// A request for feedback.
pub static FEEDBACK_CREATE: RecordShape =
    shape("FeedbackCreate", "Review+eg:FeedbackCreate", "feedback-create", &FEEDBACK_MEMBERS);

const RATING_MEMBERS: [Member; 6] = [
    ID,
    AUTHOR,
    member("feedback_id", "itemReviewed", Reference("feedback")),
    member(
        "helpfulness_score",
        "reviewRating:Rating{reviewAspect=helpfulness,worstRating=1,bestRating=5}/ratingValue",
        Value,
    ),
    member("reasoning", "reviewBody", Value),
    member("created_at", "dateCreated", DateTime),
];
/// A rating of feedback.
pub static FEEDBACK_RATING: RecordShape =
    shape("FeedbackRating", "Review+eg:FeedbackRating", "rating", &RATING_MEMBERS);
/// A request for a rating.
pub static FEEDBACK_RATING_CREATE: RecordShape =
    shape("FeedbackRatingCreate", "Review+eg:FeedbackRatingCreate", "rating-create", &RATING_MEMBERS);

const ASSIGNMENT_MEMBERS: [Member; 7] = [
    ID,
    member("task_id", "object", Reference("task")),
    member("user_id", "participant", Reference("user")),
    member("role", "eg:role", Value),
    member("is_devils_advocate", "eg:isDevilsAdvocate", Value),
    member("instructions", "description", Value),
    member("assigned_at", "startTime", DateTime),
];
/// An assignment.
pub static TASK_ASSIGNMENT: RecordShape =
    shape("TaskAssignment", "AssignAction+eg:TaskAssignment", "assignment", &ASSIGNMENT_MEMBERS);
/// A request for an assignment.
pub static TASK_ASSIGNMENT_CREATE: RecordShape = shape(
    "TaskAssignmentCreate",
    "AssignAction+eg:TaskAssignmentCreate",
    "assignment-create",
    &ASSIGNMENT_MEMBERS,
);
/// The assignment of a devil's advocate.
pub static DEVILS_ADVOCATE: RecordShape = shape(
    "DevilsAdvocateAssignment",
    "AssignAction+eg:DevilsAdvocateAssignment",
    "devils-advocate",
    &ASSIGNMENT_MEMBERS,
);

/// A report about a training cycle.
pub static ACCOUNTABILITY_REPORT: RecordShape = shape(
    "AccountabilityReport",
    "Report+eg:AccountabilityReport",
    "accountability-report",
    &[
        ID,
        member("cycle_start", "eg:cycleStart", DateTime),
        member("cycle_end", "eg:cycleEnd", DateTime),
        member("report_data", "eg:reportData", Json),
        member("published_at", "datePublished", DateTime),
    ],
);
/// A bias that was measured.
pub static BIAS_REPORT: RecordShape = shape(
    "BiasReport",
    "Observation+eg:BiasReport",
    "bias-report",
    &[
        ID,
        member("task_id", "observationAbout", Reference("task")),
        member("user_id", "eg:aboutUser", Reference("user")),
        member("bias_type", "variableMeasured", Value),
        member("bias_score", "value", Value),
        member("calculated_at", "observationDate", DateTime),
        member("created_at", "eg:createdAt", DateTime),
        member("analysis_details", "eg:analysisDetails", Json),
    ],
);
/// A request for an export.
pub static EXPORT_REQUEST: RecordShape = shape(
    "ExportRequest",
    "Action+eg:ExportRequest",
    "export-request",
    &[member("task_type", "additionalType", Value), member("export_format", "eg:exportFormat", Value)],
);
/// Figures of the whole system.
pub static SYSTEM_METRICS: RecordShape = shape(
    "SystemMetrics",
    "Intangible+eg:SystemMetrics",
    "system-metrics",
    &[
        member("totalTasks", "eg:totalTasks", Value),
        member("totalUsers", "eg:totalUsers", Value),
        member("totalFeedback", "eg:totalFeedback", Value),
        member("averageConsensus", "eg:averageConsensus", Value),
        member("activeEvaluations", "eg:activeEvaluations", Value),
        member("completionRate", "eg:completionRate", Value),
    ],
);
/// How many tasks there are of each type.
pub static TASK_DISTRIBUTION: RecordShape = shape(
    "TaskDistribution",
    "Intangible+eg:TaskDistribution",
    "task-distribution",
    &[
        task_count!("SUMMARIZATION"),
        task_count!("CLASSIFICATION"),
        task_count!("QA"),
        task_count!("PREDICTION"),
        task_count!("NLI"),
        task_count!("NER"),
        task_count!("DRAFTING"),
        task_count!("RISK_SPOTTING"),
        task_count!("DOCTRINE_APPLICATION"),
        task_count!("COMPLIANCE_RISK_SPOTTING"),
        task_count!("DOC_CLAUSE_CLASSIFICATION"),
        task_count!("DRAFTING_GENERATION_PARALLEL"),
        task_count!("NAMED_ENTITY_BIO"),
        task_count!("NLI_ENTAILMENT"),
        task_count!("STATUTORY_RULE_QA"),
        task_count!("SUMMARIZATION_PAIRS"),
        task_count!("VIOLATION_OUTCOME_PREDICTION"),
    ],
);
/// A request with tasks as YAML.
pub static YAML_CONTENT_REQUEST: RecordShape = shape(
    "YamlContentRequest",
    "CreateAction+eg:YamlContentRequest",
    "yaml-content",
    &[member("yaml_content", "eg:yamlContent", Value)],
);
/// A model; its `api_key` is in no table.
pub static AI_MODEL_CONFIG: RecordShape = shape(
    "AIModelConfig",
    "SoftwareApplication+eg:AIModelConfig",
    "ai-model-config",
    &[
        member("name", "name", Value),
        member("temperature", "eg:temperature", Value),
        member("max_tokens", "eg:maxTokens", Value),
    ],
);
/// Weights, thresholds and scoring functions.
pub static MODEL_CONFIG: RecordShape = shape(
    "ModelConfig",
    "CreativeWork+eg:ModelConfig",
    "model-config",
    &[
        member("authority_weights", "eg:authorityWeights", Json),
        member("track_record", "eg:trackRecord", Json),
        member("thresholds", "eg:thresholds", Json),
        member("baseline_credentials", "eg:baselineCredentials", Json),
    ],
);
/// The task types.
pub static TASK_CONFIG: RecordShape = shape(
    "TaskConfig",
    "CreativeWork+eg:TaskConfig",
    "task-config",
    &[member("task_types", "eg:taskTypes", Json)],
);
/// A reply that something is wrong.
pub static ERROR_REPLY: RecordShape = shape(
    "ErrorReply",
    "Message+eg:ErrorReply",
    "error-reply",
    &[
        // A sentence, or a list of what is wrong with the request: no text of schema.org.
        member("detail", "eg:detail", Value),
        member("error_code", "eg:errorCode", Value),
        member("timestamp", "dateCreated", DateTime),
    ],
);
