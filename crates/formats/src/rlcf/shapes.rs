//! The tables of each kind of record: in the terms of schema.org if it has them, otherwise in our own.
//!
//! Objects that RLCF leaves free (input, output, feedback and ground truth) become JSON literals. Their keys with a
//! known meaning also become plain literals, for queries.

use crate::records::{MemberForm, ObjectIdentity, RecordMember, RecordShape, member};
use MemberForm::{DateTime, Derived, Group, Json, Nodes, Reference, Text, Value, Values};

/// The task types of the shipped enumeration. The given macro makes a row of each.
macro_rules! shipped_task_types {
    ($row:ident) => {
        shipped_task_types!(
            $row: "SUMMARIZATION" "CLASSIFICATION" "QA" "PREDICTION" "NLI" "NER" "DRAFTING" "RISK_SPOTTING"
            "DOCTRINE_APPLICATION" "COMPLIANCE_RISK_SPOTTING" "DOC_CLAUSE_CLASSIFICATION"
            "DRAFTING_GENERATION_PARALLEL" "NAMED_ENTITY_BIO" "NLI_ENTAILMENT" "STATUTORY_RULE_QA"
            "SUMMARIZATION_PAIRS" "VIOLATION_OUTCOME_PREDICTION"
        )
    };
    ($row:ident: $($task_type:literal)*) => { [$($row!($task_type)),*] };
}
pub(super) use shipped_task_types;

/// The row for the number of tasks of a type.
macro_rules! task_count {
    ($task_type:literal) => {
        member(
            $task_type,
            concat!("eg:taskCount:Observation{variableMeasured=", $task_type, "}/value"),
            Value,
        )
    };
}

/// A figure about a user, stored under its own name.
macro_rules! observation {
    ($key:literal) => {
        member($key, concat!("eg:observation:Observation{variableMeasured=", $key, "}/value"), Value)
    };
}

/// A score, followed by its aspect, the worst and the best value.
macro_rules! rating {
    ($key:literal, $is_said:literal) => {
        member($key, concat!("reviewRating:Rating{reviewAspect=", $is_said, "}/ratingValue"), Value)
    };
}

/// Makes the table of kinds of records: the class of schema.org, the name of the kind and of its own class, the segment
/// of its IRIs, and its members.
macro_rules! shapes {
    ($($shape:ident = $class:literal, $name:literal, $segment:literal, $members:expr;)*) => {
        $(pub(super) static $shape: RecordShape = RecordShape {
            name: $name,
            node: concat!($class, "+eg:", $name),
            identity: ObjectIdentity::Record { kind: $segment, key: "id" },
            members: $members,
        };)*
    };
}

/// A key of an object that is a JSON literal, whose value also becomes a plain literal.
const fn lifted(key: &'static str, path: &'static str) -> RecordMember {
    member(key, path, Derived(&Value))
}

const ID: RecordMember = member("id", "identifier", Text);
const AUTHOR: RecordMember = member("user_id", "author", Reference("user"));

const USER_MEMBERS: [RecordMember; 6] = [
    ID,
    member("username", "name", Value),
    observation!("authority_score"),
    observation!("track_record_score"),
    observation!("baseline_credential_score"),
    member("credentials", "hasCredential", Nodes(&CREDENTIAL)),
];

const CREDENTIAL_MEMBERS: [RecordMember; 5] = [
    ID,
    member("user_id", "eg:holder", Reference("user")),
    member("type", "credentialCategory", Value),
    member("value", "name", Value),
    member("weight", "eg:weight", Value),
];

const INPUT: RecordMember = member(
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
/// The keys of the right answer: those of the task configuration, and those that the correctness score reads.
const GROUND_TRUTH: RecordMember = member(
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
const AI_RESPONSE: RecordMember =
    member("ai_response", "", Group(&[lifted("message", "suggestedAnswer:Answer#ai-response/text")]));
const TASK_MEMBERS: [RecordMember; 11] = [
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

const OUTPUT: RecordMember = member(
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
const RESPONSE_MEMBERS: [RecordMember; 7] = [
    ID,
    member("task_id", "parentItem", Reference("task")),
    member("output_data", "eg:outputData", Json),
    OUTPUT,
    member("model_version", "eg:modelVersion", Value),
    member("generated_at", "dateCreated", DateTime),
    member("feedback", "review", Nodes(&FEEDBACK)),
];

const FEEDBACK_DATA: RecordMember = member(
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
const FEEDBACK_MEMBERS: [RecordMember; 15] = [
    ID,
    AUTHOR,
    member("response_id", "itemReviewed", Reference("response")),
    member("is_blind_phase", "eg:isBlindPhase", Value),
    rating!("accuracy_score", "accuracy,worstRating=0,bestRating=10"),
    rating!("utility_score", "utility,worstRating=0,bestRating=10"),
    rating!("transparency_score", "transparency,worstRating=0,bestRating=10"),
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

const RATING_MEMBERS: [RecordMember; 6] = [
    ID,
    AUTHOR,
    member("feedback_id", "itemReviewed", Reference("feedback")),
    rating!("helpfulness_score", "helpfulness,worstRating=1,bestRating=5"),
    member("reasoning", "reviewBody", Value),
    member("created_at", "dateCreated", DateTime),
];

const ASSIGNMENT_MEMBERS: [RecordMember; 7] = [
    ID,
    member("task_id", "object", Reference("task")),
    member("user_id", "participant", Reference("user")),
    member("role", "eg:role", Value),
    member("is_devils_advocate", "eg:isDevilsAdvocate", Value),
    member("instructions", "description", Value),
    member("assigned_at", "startTime", DateTime),
];

shapes! {
    USER = "Person", "User", "user", &USER_MEMBERS;
    USER_CREATE = "Person", "UserCreate", "user-create", &USER_MEMBERS;
    BULK_USER_CREATE = "CreateAction", "BulkUserCreate", "bulk-user-create", &[
        member("usernames", "eg:usernames", Values),
        member("users", "eg:userToCreate", Nodes(&USER_CREATE)),
    ];
    CREDENTIAL = "EducationalOccupationalCredential", "Credential", "credential", &CREDENTIAL_MEMBERS;
    CREDENTIAL_CREATE = "EducationalOccupationalCredential", "CredentialCreate", "credential-create",
        &CREDENTIAL_MEMBERS;
    LEGAL_TASK = "Question", "LegalTask", "task", &TASK_MEMBERS;
    LEGAL_TASK_CREATE = "Question", "LegalTaskCreate", "task-create", &TASK_MEMBERS;
    YAML_TASK = "Question", "YamlTask", "yaml-task", &TASK_MEMBERS;
    TASK_STATUS_UPDATE = "UpdateAction", "TaskStatusUpdate", "task-status-update", &[
        member("status", "eg:status", Value),
    ];
    RESPONSE = "Answer", "Response", "response", &RESPONSE_MEMBERS;
    RESPONSE_CREATE = "Answer", "ResponseCreate", "response-create", &RESPONSE_MEMBERS;
    FEEDBACK = "Review", "Feedback", "feedback", &FEEDBACK_MEMBERS;
    FEEDBACK_CREATE = "Review", "FeedbackCreate", "feedback-create", &FEEDBACK_MEMBERS;
    FEEDBACK_RATING = "Review", "FeedbackRating", "rating", &RATING_MEMBERS;
    FEEDBACK_RATING_CREATE = "Review", "FeedbackRatingCreate", "rating-create", &RATING_MEMBERS;
    TASK_ASSIGNMENT = "AssignAction", "TaskAssignment", "assignment", &ASSIGNMENT_MEMBERS;
    TASK_ASSIGNMENT_CREATE = "AssignAction", "TaskAssignmentCreate", "assignment-create", &ASSIGNMENT_MEMBERS;
    DEVILS_ADVOCATE = "AssignAction", "DevilsAdvocateAssignment", "devils-advocate", &ASSIGNMENT_MEMBERS;
    ACCOUNTABILITY_REPORT = "Report", "AccountabilityReport", "accountability-report", &[
        ID,
        member("cycle_start", "eg:cycleStart", DateTime),
        member("cycle_end", "eg:cycleEnd", DateTime),
        member("report_data", "eg:reportData", Json),
        member("published_at", "datePublished", DateTime),
    ];
    BIAS_REPORT = "Observation", "BiasReport", "bias-report", &[
        ID,
        member("task_id", "observationAbout", Reference("task")),
        member("user_id", "eg:aboutUser", Reference("user")),
        member("bias_type", "variableMeasured", Value),
        member("bias_score", "value", Value),
        member("calculated_at", "observationDate", DateTime),
        member("created_at", "eg:createdAt", DateTime),
        member("analysis_details", "eg:analysisDetails", Json),
    ];
    EXPORT_REQUEST = "Action", "ExportRequest", "export-request", &[
        member("task_type", "additionalType", Value),
        member("export_format", "eg:exportFormat", Value),
    ];
    SYSTEM_METRICS = "Intangible", "SystemMetrics", "system-metrics", &[
        member("totalTasks", "eg:totalTasks", Value),
        member("totalUsers", "eg:totalUsers", Value),
        member("totalFeedback", "eg:totalFeedback", Value),
        member("averageConsensus", "eg:averageConsensus", Value),
        member("activeEvaluations", "eg:activeEvaluations", Value),
        member("completionRate", "eg:completionRate", Value),
    ];
    TASK_DISTRIBUTION = "Intangible", "TaskDistribution", "task-distribution",
        &shipped_task_types!(task_count);
    YAML_CONTENT_REQUEST = "CreateAction", "YamlContentRequest", "yaml-content", &[
        member("yaml_content", "eg:yamlContent", Value),
    ];
    AI_MODEL_CONFIG = "SoftwareApplication", "AIModelConfig", "ai-model-config", &[
        member("name", "name", Value),
        member("temperature", "eg:temperature", Value),
        member("max_tokens", "eg:maxTokens", Value),
    ];
    MODEL_CONFIG = "CreativeWork", "ModelConfig", "model-config", &[
        member("authority_weights", "eg:authorityWeights", Json),
        member("track_record", "eg:trackRecord", Json),
        member("thresholds", "eg:thresholds", Json),
        member("baseline_credentials", "eg:baselineCredentials", Json),
    ];
    TASK_CONFIG = "CreativeWork", "TaskConfig", "task-config", &[member("task_types", "eg:taskTypes", Json)];
    ERROR_REPLY = "Message", "ErrorReply", "error-reply", &[
        // A sentence, or a list of faults in the request, so schema.org's `text` does not fit.
        member("detail", "eg:detail", Value),
        member("error_code", "eg:errorCode", Value),
        member("timestamp", "dateCreated", DateTime),
    ];
    // Each file of rows has its own members.
    DATASET_ROW = "Question", "DatasetRow", "row", &[];
}
