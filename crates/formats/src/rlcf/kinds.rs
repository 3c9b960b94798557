//! The kinds of records in RLCF's API and files, and the fields of each: where its value goes in the graph, and what
//! the schema document (profile `seed`) and the shipped models require of it.
//!
//! Names are those of the schema document, paths in terms of schema.org if it has them, otherwise in our own. Objects
//! that RLCF leaves free (input, output, feedback and ground truth) become JSON literals. Their keys with a known meaning
//! also become plain literals, for queries. [`record_kind_finder`](super::record_kind_finder) finds the kind of a record.

use super::known_values::{CREDENTIAL_TYPE, ERROR_CODE, EXPORT_FORMAT, ISO_TIME, RECORD_ID, TASK_STATUS};
use super::rlcf_profile::RlcfProfile;
use super::task_types::each_task_type;
use crate::checking::schema::SchemaFieldType::{
    AnyArray, AnyObject, Array, Boolean, Form, Integer, Json, Number, Text, Words,
};
use crate::checking::schema::{ObjectSchema, SchemaFieldType};
use crate::field_table::{
    FieldRow, class_of, may, may_not_null, members_of, must, object, row, scalar, unmapped,
};
use crate::records::MemberForm::{
    DateTime, Derived, Json as AsJson, Nodes, Reference, Text as AsText, Value, Values,
};
use crate::records::{ObjectIdentity, RecordMember, RecordShape, member, record};
use RecordKind as K;
use std::fmt;

/// A field of up to three kinds of records whose values have the same places in the graph, with what the document and
/// the shipped models ask of each kind.
type RlcfField = FieldRow<6>;

/// The kind of a table that is a record itself.
const RECORD: usize = 0b11;
/// The kind that is a request for a record.
const REQUEST: usize = 0b11 << 2;
/// The task of a YAML file, and the assignment of a devil's advocate.
const OTHER: usize = 0b11 << 4;
/// The document's requirements of all kinds of a table.
const SEED: usize = 0b01_01_01;
/// The shipped models' requirements of all kinds of a table.
const SHIPPED: usize = SEED << 1;

const ID: SchemaFieldType = Form(&RECORD_ID);
const TIME: SchemaFieldType = Form(&ISO_TIME);
const TEXTS: SchemaFieldType = Array(&Text);

/// Makes the field with the number of the record itself.
const fn own_id(kinds: usize) -> RlcfField {
    row("id", "identifier", AsText).by(kinds, must(ID))
}

/// Makes a field with an array of records.
const fn records(key: &'static str, path: &'static str, kind: RecordKind) -> RlcfField {
    row(key, path, Nodes(kind.shape()))
}

/// A key of an object that is a JSON literal, whose value also becomes a plain literal.
const fn lifted(key: &'static str, path: &'static str) -> RecordMember {
    member(key, path, Derived(&Value))
}

/// A figure about a user, stored under its own name.
macro_rules! observation {
    ($key:literal) => {
        scalar($key, concat!("eg:observation:Observation{variableMeasured=", $key, "}/value"))
    };
}

/// A score, followed by its aspect, the worst and the best value.
macro_rules! rating {
    ($key:literal, $is_said:literal) => {
        scalar($key, concat!("reviewRating:Rating{reviewAspect=", $is_said, "}/ratingValue"))
    };
}

/// The number of tasks of a type.
macro_rules! task_count {
    ($task_type:literal $($rest:tt)*) => {
        scalar($task_type, concat!("eg:taskCount:Observation{variableMeasured=", $task_type, "}/value"))
            .by(RECORD, may_not_null(Integer))
    };
}

/// A signature that consists of one key.
macro_rules! alone {
    ($key:literal $($rest:tt)*) => {
        &[$key] as &[&str]
    };
}

const USER: &[RlcfField] = &[
    own_id(RECORD),
    scalar("username", "name").by(RECORD | REQUEST, must(Text)),
    observation!("authority_score").by(RECORD | REQUEST, may_not_null(Number)),
    observation!("track_record_score").by(RECORD | REQUEST, may_not_null(Number)),
    observation!("baseline_credential_score").by(RECORD | REQUEST, may_not_null(Number)),
    records("credentials", "hasCredential", K::Credential).by(RECORD, may_not_null(AnyArray)),
];
/// A request has either names, or complete users.
const BULK_USERS: &[RlcfField] = &[
    row("usernames", "eg:usernames", Values)
        .by(REQUEST & SEED, must(TEXTS))
        .by(REQUEST & SHIPPED, may_not_null(TEXTS)),
    records("users", "eg:userToCreate", K::UserCreate).by(REQUEST, may_not_null(AnyArray)),
];
const CREDENTIAL: &[RlcfField] = &[
    own_id(RECORD),
    row("user_id", "eg:holder", Reference("user")).by(RECORD, must(ID)),
    scalar("type", "credentialCategory").by(RECORD | REQUEST, must(Words(&CREDENTIAL_TYPE))),
    scalar("value", "name").by(RECORD | REQUEST, must(Text)),
    scalar("weight", "eg:weight").by(RECORD | REQUEST, must(Number)),
];

const TASK: &[RlcfField] = &[
    own_id(RECORD),
    scalar("task_type", "additionalType").by(RECORD | REQUEST | OTHER, must(Text)),
    row("input_data", "eg:inputData", AsJson).by(RECORD | REQUEST | OTHER, must(AnyObject)),
    object("input_data", INPUT),
    row("ground_truth_data", "eg:groundTruthData", AsJson).by(RECORD | REQUEST | OTHER, may(AnyObject)),
    object("ground_truth_data", GROUND_TRUTH),
    row("created_at", "dateCreated", DateTime).by(RECORD, must(TIME)),
    scalar("status", "creativeWorkStatus").by(RECORD, must(Words(&TASK_STATUS))),
    row("ai_response", "eg:aiResponse", AsJson).by(OTHER, may(AnyObject)),
    object("ai_response", &[lifted("message", "suggestedAnswer:Answer#ai-response/text")]),
    records("responses", "suggestedAnswer", K::Response).by(RECORD, may_not_null(AnyArray)),
];
const INPUT: &[RecordMember] = &[
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
];
/// The keys of the right answer: those of the task configuration, and those that the correctness score reads.
const GROUND_TRUTH: &[RecordMember] = &[
    lifted("validated_answer", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("answer_text", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("answer", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("chosen_label", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("chosen_outcome", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("revised_summary", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("revised_target", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("label", "acceptedAnswer:Answer#ground-truth/text"),
    lifted("target", "acceptedAnswer:Answer#ground-truth/text"),
];
const TASK_STATUS_UPDATE: &[RlcfField] =
    &[scalar("status", "eg:status").by(REQUEST, must(Words(&TASK_STATUS)))];

const RESPONSE: &[RlcfField] = &[
    own_id(RECORD),
    row("task_id", "parentItem", Reference("task")).by(RECORD, must(ID)),
    row("output_data", "eg:outputData", AsJson).by(RECORD | REQUEST, must(AnyObject)),
    object(
        "output_data",
        &[
            lifted("message", "text"),
            lifted("answer", "text"),
            lifted("target", "text"),
            lifted("summary", "text"),
            lifted("is_placeholder", "eg:isPlaceholder"),
            lifted("confidence", "eg:confidence"),
        ],
    ),
    scalar("model_version", "eg:modelVersion").by(RECORD | REQUEST, must(Text)),
    row("generated_at", "dateCreated", DateTime).by(RECORD, must(TIME)),
    records("feedback", "review", K::Feedback).by(RECORD, may_not_null(AnyArray)),
];

const FEEDBACK: &[RlcfField] = &[
    own_id(RECORD),
    row("user_id", "author", Reference("user")).by(RECORD | REQUEST, must(ID)),
    row("response_id", "itemReviewed", Reference("response"))
        .by(RECORD, must(ID))
        .by(REQUEST, may_not_null(ID)),
    scalar("is_blind_phase", "eg:isBlindPhase").by(RECORD, must(Boolean)),
    rating!("accuracy_score", "accuracy,worstRating=0,bestRating=10").by(RECORD | REQUEST, must(Number)),
    rating!("utility_score", "utility,worstRating=0,bestRating=10").by(RECORD | REQUEST, must(Number)),
    rating!("transparency_score", "transparency,worstRating=0,bestRating=10")
        .by(RECORD | REQUEST, must(Number)),
    row("feedback_data", "eg:feedbackData", AsJson).by(RECORD | REQUEST, must(AnyObject)),
    object(
        "feedback_data",
        &[
            lifted("reasoning", "reviewBody"),
            lifted("position", "eg:feedbackPosition"),
            lifted("validated_answer", "eg:validatedAnswer:Answer#validated-answer/text"),
            lifted("revised_target", "eg:validatedAnswer:Answer#validated-answer/text"),
            lifted("revised_summary", "eg:validatedAnswer:Answer#validated-answer/text"),
            lifted("chosen_label", "eg:validatedAnswer:Answer#validated-answer/text"),
            lifted("chosen_outcome", "eg:validatedAnswer:Answer#validated-answer/text"),
            lifted("confidence", "eg:confidence"),
            lifted("rating", "eg:rating"),
        ],
    ),
    scalar(
        "community_helpfulness_rating",
        "aggregateRating:AggregateRating{reviewAspect=helpfulness}/ratingValue",
    )
    .by(RECORD, may_not_null(Integer)),
    scalar("consistency_score", "eg:consistencyScore").by(RECORD, may(Number)),
    scalar("correctness_score", "eg:correctnessScore").by(RECORD, may(Number)),
    row("metadata", "eg:metadata", AsJson).by(RECORD | REQUEST, may(AnyObject)),
    row("submitted_at", "dateCreated", DateTime).by(RECORD, must(TIME)),
    records("ratings", "review", K::FeedbackRating).by(RECORD, may_not_null(AnyArray)),
];
const RATING: &[RlcfField] = &[
    own_id(RECORD),
    row("user_id", "author", Reference("user")).by(RECORD | REQUEST, must(ID)),
    row("feedback_id", "itemReviewed", Reference("feedback")).by(RECORD, must(ID)),
    // A separate rule checks its range.
    rating!("helpfulness_score", "helpfulness,worstRating=1,bestRating=5").by(RECORD | REQUEST, must(Json)),
    scalar("reasoning", "reviewBody").by(RECORD | REQUEST, may(Text)),
    row("created_at", "dateCreated", DateTime).by(RECORD, may(TIME)),
];

const ASSIGNMENT: &[RlcfField] = &[
    own_id(RECORD | OTHER).by(RECORD & SHIPPED, may_not_null(ID)),
    row("task_id", "object", Reference("task")).by(RECORD | OTHER, must(ID)),
    row("user_id", "participant", Reference("user")).by(RECORD | REQUEST | OTHER, must(ID)),
    scalar("role", "eg:role").by(RECORD | REQUEST, may_not_null(Text)).by(RECORD & SEED, must(Text)),
    scalar("is_devils_advocate", "eg:isDevilsAdvocate").by(RECORD | REQUEST, may_not_null(Boolean)),
    scalar("instructions", "description").by(OTHER, must(Text)),
    row("assigned_at", "startTime", DateTime).by(RECORD | OTHER, must(TIME)),
];

const ACCOUNTABILITY_REPORT: &[RlcfField] = &[
    own_id(RECORD),
    row("cycle_start", "eg:cycleStart", DateTime).by(RECORD, must(TIME)),
    row("cycle_end", "eg:cycleEnd", DateTime).by(RECORD, must(TIME)),
    row("report_data", "eg:reportData", AsJson).by(RECORD, must(AnyObject)),
    row("published_at", "datePublished", DateTime).by(RECORD, may(TIME)),
];
const BIAS_REPORT: &[RlcfField] = &[
    own_id(RECORD),
    row("task_id", "observationAbout", Reference("task")).by(RECORD, must(ID)),
    row("user_id", "eg:aboutUser", Reference("user")).by(RECORD, must(ID)),
    scalar("bias_type", "variableMeasured").by(RECORD, must(Text)),
    scalar("bias_score", "value").by(RECORD, must(Number)),
    row("calculated_at", "observationDate", DateTime)
        .by(RECORD & SEED, must(TIME))
        .by(RECORD & SHIPPED, may_not_null(TIME)),
    row("created_at", "eg:createdAt", DateTime)
        .by(RECORD & SEED, may_not_null(TIME))
        .by(RECORD & SHIPPED, must(TIME)),
    row("analysis_details", "eg:analysisDetails", AsJson).by(RECORD, may(AnyObject)),
];
const EXPORT_REQUEST: &[RlcfField] = &[
    scalar("task_type", "additionalType").by(REQUEST, must(Text)),
    scalar("export_format", "eg:exportFormat").by(REQUEST, must(Words(&EXPORT_FORMAT))),
];
const SYSTEM_METRICS: &[RlcfField] = &[
    scalar("totalTasks", "eg:totalTasks").by(RECORD, must(Integer)),
    scalar("totalUsers", "eg:totalUsers").by(RECORD, must(Integer)),
    scalar("totalFeedback", "eg:totalFeedback").by(RECORD, must(Integer)),
    scalar("averageConsensus", "eg:averageConsensus").by(RECORD, must(Number)),
    scalar("activeEvaluations", "eg:activeEvaluations").by(RECORD, must(Integer)),
    scalar("completionRate", "eg:completionRate").by(RECORD, must(Number)),
];
const TASK_DISTRIBUTION: &[RlcfField] = &each_task_type!(task_count);
const YAML_CONTENT: &[RlcfField] = &[scalar("yaml_content", "eg:yamlContent").by(REQUEST, must(Text))];
const AI_MODEL_CONFIG: &[RlcfField] = &[
    scalar("name", "name").by(RECORD, must(Text)),
    // A secret: any type is allowed, and no graph has it.
    unmapped("api_key").by(RECORD, may(Json)),
    scalar("temperature", "eg:temperature").by(RECORD, may(Number)),
    scalar("max_tokens", "eg:maxTokens").by(RECORD, may(Integer)),
];
const MODEL_CONFIG: &[RlcfField] = &[
    row("authority_weights", "eg:authorityWeights", AsJson).by(RECORD, must(AnyObject)),
    row("track_record", "eg:trackRecord", AsJson).by(RECORD, must(AnyObject)),
    row("thresholds", "eg:thresholds", AsJson).by(RECORD, must(AnyObject)),
    row("baseline_credentials", "eg:baselineCredentials", AsJson).by(RECORD, must(AnyObject)),
];
const TASK_CONFIG: &[RlcfField] = &[row("task_types", "eg:taskTypes", AsJson).by(RECORD, must(AnyObject))];
const ERROR_REPLY: &[RlcfField] = &[
    // A sentence, or a list of faults in the request, so schema.org's `text` does not fit.
    scalar("detail", "eg:detail").by(RECORD, must(Json)),
    scalar("error_code", "eg:errorCode").by(RECORD, may_not_null(Words(&ERROR_CODE))),
    row("timestamp", "dateCreated", DateTime).by(RECORD, may(TIME)),
];
/// The keys of all dataset files. A key means the same in all of them, but each file has its own places in the graph.
const DATASET_ROW: &[RlcfField] = &[
    unmapped("id").by(RECORD, may_not_null(Json)),
    unmapped("text").by(RECORD, may_not_null(Text)),
    unmapped("unit").by(RECORD, may_not_null(Text)),
    unmapped("facts").by(RECORD, may_not_null(Text)),
    unmapped("question").by(RECORD, may_not_null(Text)),
    unmapped("source").by(RECORD, may_not_null(Text)),
    unmapped("task").by(RECORD, may_not_null(Text)),
    unmapped("instruction").by(RECORD, may_not_null(Text)),
    unmapped("tokens").by(RECORD, may_not_null(TEXTS)),
    unmapped("premise").by(RECORD, may_not_null(Text)),
    unmapped("hypothesis").by(RECORD, may_not_null(Text)),
    unmapped("document").by(RECORD, may_not_null(Text)),
    unmapped("labels").by(RECORD, may_not_null(TEXTS)),
    unmapped("risk_labels").by(RECORD, may_not_null(TEXTS)),
    unmapped("severity").by(RECORD, may_not_null(Json)),
    unmapped("label").by(RECORD, may_not_null(Text)),
    unmapped("rationale").by(RECORD, may_not_null(Text)),
    unmapped("tags").by(RECORD, may_not_null(TEXTS)),
    unmapped("target").by(RECORD, may_not_null(Text)),
    unmapped("summary").by(RECORD, may_not_null(Text)),
    unmapped("outcome").by(RECORD, may_not_null(Text)),
];

/// Makes the table of kinds: the table of fields, and which of its kinds this is; the class of schema.org, and the
/// segment of its IRIs; the words for its records in statistics, in JSON and for readers; and the combinations of keys
/// that no other kind has.
macro_rules! record_kinds {
    ($($(#[$doc:meta])* $kind:ident = $table:ident[$which:expr], $class:literal, $segment:literal, $key:literal,
        $label:literal, $signatures:expr;)*) => {
        /// A kind of record.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RecordKind {
            $($(#[$doc])* $kind,)*
        }

        impl RecordKind {
            /// All kinds, in the order in which messages list them.
            pub const ALL: [Self; 29] = [$(Self::$kind,)*];

            /// Returns its name in the schema document, which is also the name of its class in our vocabulary.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind),)* }
            }

            /// Returns the fields that a profile knows, in the order of the schema document.
            pub fn class(self, profile: RlcfProfile) -> &'static ObjectSchema {
                match self {
                    $(Self::$kind => {
                        static CLASSES: [ObjectSchema; 2] =
                            [class_of!($table, $which & SEED), class_of!($table, $which & SHIPPED)];
                        &CLASSES[profile as usize]
                    })*
                }
            }

            /// Returns the table of its records. Rows of dataset files have a table for each file.
            pub const fn shape(self) -> &'static RecordShape {
                match self {
                    $(Self::$kind => {
                        static SHAPE: RecordShape = record(
                            stringify!($kind),
                            concat!($class, "+eg:", stringify!($kind)),
                            ObjectIdentity::Record { kind: $segment, key: "id" },
                            members_of!($table),
                        );
                        &SHAPE
                    })*
                }
            }

            /// Returns the words for its records in JSON and for readers.
            pub(super) const fn called(self) -> (&'static str, &'static str) {
                match self { $(Self::$kind => ($key, $label),)* }
            }

            /// Returns the combinations of keys that no other kind has. A record with all keys of one of them may be of
            /// this kind.
            pub(super) const fn signatures(self) -> &'static [&'static [&'static str]] {
                match self { $(Self::$kind => $signatures,)* }
            }
        }
    };
}

record_kinds! {
    /// A person who evaluates.
    User = USER[RECORD], "Person", "user", "users", "users", &[&["id", "username"]];
    /// A request for a user.
    UserCreate = USER[REQUEST], "Person", "user-create", "userRequests", "requests for users", &[&["username"]];
    /// A request for many users.
    BulkUserCreate = BULK_USERS[REQUEST], "CreateAction", "bulk-user-create", "bulkUserRequests", "requests for many users", &[&["usernames"]];
    /// A qualification of a user: a degree, years of experience.
    Credential = CREDENTIAL[RECORD], "EducationalOccupationalCredential", "credential", "credentials", "credentials", &[&["user_id", "type", "value"]];
    /// A request for a credential.
    CredentialCreate = CREDENTIAL[REQUEST], "EducationalOccupationalCredential", "credential-create", "credentialRequests", "requests for credentials",
        &[&["type", "value", "weight"]];
    /// A question or other problem to be solved.
    LegalTask = TASK[RECORD], "Question", "task", "tasks", "tasks", &[&["id", "task_type", "input_data"]];
    /// A request for a task.
    LegalTaskCreate = TASK[REQUEST], "Question", "task-create", "taskRequests", "requests for tasks",
        &[&["task_type", "input_data"]];
    /// A task as YAML files have it, with or without the answer of a model.
    YamlTask = TASK[OTHER], "Question", "yaml-task", "yamlTasks", "tasks of YAML", &[&["task_type", "input_data", "ai_response"]];
    /// A request to change the status of a task.
    TaskStatusUpdate = TASK_STATUS_UPDATE[REQUEST], "UpdateAction", "task-status-update", "statusUpdates", "updates of a status", &[&["status"]];
    /// An answer of a model to a task.
    Response = RESPONSE[RECORD], "Answer", "response", "responses", "responses", &[&["task_id", "output_data"]];
    /// A response that has no id yet.
    ResponseCreate = RESPONSE[REQUEST], "Answer", "response-create", "responseRequests", "requests for responses",
        &[&["output_data", "model_version"]];
    /// A user's evaluation of a response.
    Feedback = FEEDBACK[RECORD], "Review", "feedback", "feedback", "feedback", &[&["id", "feedback_data"]];
    /// A request for feedback.
    FeedbackCreate = FEEDBACK[REQUEST], "Review", "feedback-create", "feedbackRequests", "requests for feedback",
        &[&["user_id", "feedback_data"]];
    /// A user's evaluation of another user's feedback.
    FeedbackRating = RATING[RECORD], "Review", "rating", "ratings", "ratings", &[&["feedback_id", "helpfulness_score"]];
    /// A request for a rating.
    FeedbackRatingCreate = RATING[REQUEST], "Review", "rating-create", "ratingRequests", "requests for ratings",
        &[&["user_id", "helpfulness_score"]];
    /// A task given to a user.
    TaskAssignment = ASSIGNMENT[RECORD], "AssignAction", "assignment", "assignments", "assignments", &[
        &["task_id", "user_id", "role"],
        &["task_id", "user_id", "is_devils_advocate"],
        &["task_id", "user_id", "assigned_at"],
    ];
    /// A request for an assignment.
    TaskAssignmentCreate = ASSIGNMENT[REQUEST], "AssignAction", "assignment-create", "assignmentRequests", "requests for assignments",
        &[&["user_id", "role"], &["user_id", "is_devils_advocate"]];
    /// A task given to a user whose role is to object.
    DevilsAdvocateAssignment = ASSIGNMENT[OTHER], "AssignAction", "devils-advocate", "devilsAdvocates", "devil's advocates",
        &[&["task_id", "user_id", "instructions"], &["task_id", "user_id", "assigned_at"]];
    /// A published report on a training cycle.
    AccountabilityReport = ACCOUNTABILITY_REPORT[RECORD], "Report", "accountability-report", "accountabilityReports", "accountability reports",
        &[&["cycle_start", "cycle_end"]];
    /// A measured bias.
    BiasReport = BIAS_REPORT[RECORD], "Observation", "bias-report", "biasReports", "bias reports", &[&["bias_type", "bias_score"]];
    /// A request for an export.
    ExportRequest = EXPORT_REQUEST[REQUEST], "Action", "export-request", "exportRequests", "requests for exports",
        &[&["task_type", "export_format"]];
    /// The figures about the entire system.
    SystemMetrics = SYSTEM_METRICS[RECORD], "Intangible", "system-metrics", "systemMetrics", "system metrics", &[&["totalTasks", "totalUsers"]];
    /// The number of tasks of each type.
    TaskDistribution = TASK_DISTRIBUTION[RECORD], "Intangible", "task-distribution", "taskDistributions", "counts of tasks by type",
        &each_task_type!(alone);
    /// A request with tasks as YAML.
    YamlContentRequest = YAML_CONTENT[REQUEST], "CreateAction", "yaml-content", "yamlRequests", "requests with YAML", &[&["yaml_content"]];
    /// The model that answers, and its API key.
    AIModelConfig = AI_MODEL_CONFIG[RECORD], "SoftwareApplication", "ai-model-config", "modelConfigurations", "models",
        &[&["name", "api_key"], &["name", "temperature", "max_tokens"], &["name", "max_tokens"]];
    /// Weights, thresholds and scoring functions.
    ModelConfig = MODEL_CONFIG[RECORD], "CreativeWork", "model-config", "scoringConfigurations", "scoring configurations",
        &[&["authority_weights"], &["baseline_credentials"]];
    /// The task types with their fields.
    TaskConfig = TASK_CONFIG[RECORD], "CreativeWork", "task-config", "taskConfigurations", "task configurations", &[&["task_types"]];
    /// A row of one of the dataset files, which mixes input and ground truth.
    DatasetRow = DATASET_ROW[RECORD], "Question", "row", "datasetRows", "rows", &[];
    /// The error reply of the API.
    ErrorReply = ERROR_REPLY[RECORD], "Message", "error-reply", "errorReplies", "error replies", &[&["detail"]];
}

impl RecordKind {
    /// Returns the kind with this name. Case, hyphens and underscores do not matter.
    pub fn of_name(name: &str) -> Option<Self> {
        let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
        Self::ALL.into_iter().find(|kind| plain(kind.name()) == plain(name))
    }

    /// Returns the kind of the records to which a field refers, or which it contains, by the form of the field.
    pub fn of_field(self, key: &str) -> Option<Self> {
        self.shape().members.iter().filter(|member| member.key == key).find_map(|member| {
            match member.form {
            Nodes(shape) => Self::ALL.into_iter().find(|kind| kind.name() == shape.name),
            Reference(segment) => Self::ALL.into_iter().find(|kind| {
                matches!(kind.shape().identity, ObjectIdentity::Record { kind, .. } if kind == segment)
            }),
            _ => None,
        }
        })
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
