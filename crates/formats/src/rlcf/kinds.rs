//! The kinds of records in RLCF's API and files, and the keys of each.
//!
//! Names are those of the schema document. Where the document and the shipped models differ, a field says which of them
//! requires it. [`record_kind_finder`](super::record_kind_finder) finds the kind of a record.

use super::shapes::{self, shipped_task_types};
use crate::records::RecordShape;
use std::fmt;

/// The kind of value that a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RlcfFieldType {
    /// The number of the record itself.
    Id,
    /// The number of a record of another kind.
    Reference(RecordKind),
    /// A string.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A time, as a string.
    Timestamp,
    /// An object with free keys, or with keys of another table.
    Object,
    /// An array of strings.
    Texts,
    /// An array of records.
    Records(RecordKind),
    /// Anything.
    Any,
}

/// The sources that require a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldRequirement {
    /// The document and the shipped models.
    Always,
    /// Only the document.
    BySeed,
    /// Only the shipped models.
    ByShipped,
    /// Neither of them: the field may be missing.
    Never,
}

/// A key of a kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RlcfField {
    /// The key.
    pub key: &'static str,
    /// The type of its value.
    pub value: RlcfFieldType,
    /// The sources that require it.
    pub asked: FieldRequirement,
    /// `true` if it may be null.
    pub nullable: bool,
}

use FieldRequirement::{Always, BySeed, ByShipped, Never};
use RecordKind as K;
use RlcfFieldType::{Any, Boolean, Id, Integer, Number, Object, Records, Reference, Text, Texts, Timestamp};

const fn field(key: &'static str, value: RlcfFieldType, asked: FieldRequirement) -> RlcfField {
    RlcfField { key, value, asked, nullable: false }
}

const fn nullable(key: &'static str, value: RlcfFieldType) -> RlcfField {
    RlcfField { key, value, asked: Never, nullable: true }
}

/// The field for the number of tasks of a type.
macro_rules! count {
    ($task_type:literal) => {
        field($task_type, Integer, Never)
    };
}

/// A signature that consists of one key.
macro_rules! alone {
    ($key:literal) => {
        &[$key] as &[&str]
    };
}

const ID: RlcfField = field("id", Id, Always);
const USER_ID: RlcfField = field("user_id", Reference(K::User), Always);
const TASK_ID: RlcfField = field("task_id", Reference(K::LegalTask), Always);

const USER: [RlcfField; 6] = [
    ID,
    field("username", Text, Always),
    field("authority_score", Number, Never),
    field("track_record_score", Number, Never),
    field("baseline_credential_score", Number, Never),
    field("credentials", Records(K::Credential), Never),
];
const USER_CREATE: [RlcfField; 4] = [
    field("username", Text, Always),
    field("authority_score", Number, Never),
    field("track_record_score", Number, Never),
    field("baseline_credential_score", Number, Never),
];
const BULK_USER_CREATE: [RlcfField; 2] =
    [field("usernames", Texts, BySeed), field("users", Records(K::UserCreate), Never)];
const CREDENTIAL: [RlcfField; 5] =
    [ID, USER_ID, field("type", Text, Always), field("value", Text, Always), field("weight", Number, Always)];
const CREDENTIAL_CREATE: [RlcfField; 3] =
    [field("type", Text, Always), field("value", Text, Always), field("weight", Number, Always)];
const LEGAL_TASK: [RlcfField; 7] = [
    ID,
    field("task_type", Text, Always),
    field("input_data", Object, Always),
    nullable("ground_truth_data", Object),
    field("created_at", Timestamp, Always),
    field("status", Text, Always),
    field("responses", Records(K::Response), Never),
];
const LEGAL_TASK_CREATE: [RlcfField; 3] = [
    field("task_type", Text, Always),
    field("input_data", Object, Always),
    nullable("ground_truth_data", Object),
];
const YAML_TASK: [RlcfField; 4] = [
    field("task_type", Text, Always),
    field("input_data", Object, Always),
    nullable("ground_truth_data", Object),
    nullable("ai_response", Object),
];
const TASK_STATUS_UPDATE: [RlcfField; 1] = [field("status", Text, Always)];
const RESPONSE: [RlcfField; 6] = [
    ID,
    TASK_ID,
    field("output_data", Object, Always),
    field("model_version", Text, Always),
    field("generated_at", Timestamp, Always),
    field("feedback", Records(K::Feedback), Never),
];
const RESPONSE_CREATE: [RlcfField; 2] =
    [field("output_data", Object, Always), field("model_version", Text, Always)];
const FEEDBACK: [RlcfField; 14] = [
    ID,
    USER_ID,
    field("response_id", Reference(K::Response), Always),
    field("is_blind_phase", Boolean, Always),
    field("accuracy_score", Number, Always),
    field("utility_score", Number, Always),
    field("transparency_score", Number, Always),
    field("feedback_data", Object, Always),
    field("community_helpfulness_rating", Integer, Never),
    nullable("consistency_score", Number),
    nullable("correctness_score", Number),
    nullable("metadata", Object),
    field("submitted_at", Timestamp, Always),
    field("ratings", Records(K::FeedbackRating), Never),
];
const FEEDBACK_CREATE: [RlcfField; 7] = [
    USER_ID,
    field("response_id", Reference(K::Response), Never),
    field("accuracy_score", Number, Always),
    field("utility_score", Number, Always),
    field("transparency_score", Number, Always),
    field("feedback_data", Object, Always),
    nullable("metadata", Object),
];
const FEEDBACK_RATING: [RlcfField; 6] = [
    ID,
    USER_ID,
    field("feedback_id", Reference(K::Feedback), Always),
    // A separate rule checks its range.
    field("helpfulness_score", Any, Always),
    nullable("reasoning", Text),
    field("created_at", Timestamp, Never),
];
const FEEDBACK_RATING_CREATE: [RlcfField; 3] =
    [USER_ID, field("helpfulness_score", Any, Always), nullable("reasoning", Text)];
const TASK_ASSIGNMENT: [RlcfField; 6] = [
    field("id", Id, BySeed),
    TASK_ID,
    USER_ID,
    field("role", Text, BySeed),
    field("is_devils_advocate", Boolean, Never),
    field("assigned_at", Timestamp, Always),
];
const TASK_ASSIGNMENT_CREATE: [RlcfField; 3] =
    [USER_ID, field("role", Text, Never), field("is_devils_advocate", Boolean, Never)];
const DEVILS_ADVOCATE: [RlcfField; 5] =
    [ID, TASK_ID, USER_ID, field("instructions", Text, Always), field("assigned_at", Timestamp, Always)];
const ACCOUNTABILITY_REPORT: [RlcfField; 5] = [
    ID,
    field("cycle_start", Timestamp, Always),
    field("cycle_end", Timestamp, Always),
    field("report_data", Object, Always),
    field("published_at", Timestamp, Never),
];
const BIAS_REPORT: [RlcfField; 8] = [
    ID,
    TASK_ID,
    USER_ID,
    field("bias_type", Text, Always),
    field("bias_score", Number, Always),
    field("calculated_at", Timestamp, BySeed),
    field("created_at", Timestamp, ByShipped),
    nullable("analysis_details", Object),
];
const EXPORT_REQUEST: [RlcfField; 2] =
    [field("task_type", Text, Always), field("export_format", Text, Always)];
const SYSTEM_METRICS: [RlcfField; 6] = [
    field("totalTasks", Integer, Always),
    field("totalUsers", Integer, Always),
    field("totalFeedback", Integer, Always),
    field("averageConsensus", Number, Always),
    field("activeEvaluations", Integer, Always),
    field("completionRate", Number, Always),
];
/// Each key is a task type of the shipped enumeration.
const TASK_DISTRIBUTION: [RlcfField; 17] = shipped_task_types!(count);
const YAML_CONTENT_REQUEST: [RlcfField; 1] = [field("yaml_content", Text, Always)];
const AI_MODEL_CONFIG: [RlcfField; 4] = [
    field("name", Text, Always),
    // A secret: any type is allowed.
    nullable("api_key", Any),
    nullable("temperature", Number),
    nullable("max_tokens", Integer),
];
const MODEL_CONFIG: [RlcfField; 4] = [
    field("authority_weights", Object, Always),
    field("track_record", Object, Always),
    field("thresholds", Object, Always),
    field("baseline_credentials", Object, Always),
];
const TASK_CONFIG: [RlcfField; 1] = [field("task_types", Object, Always)];
const ERROR_REPLY: [RlcfField; 3] =
    [field("detail", Any, Always), field("error_code", Text, Never), field("timestamp", Timestamp, Never)];
/// The keys of all dataset files. A key means the same in all of them.
const DATASET_ROW: [RlcfField; 21] = [
    field("id", Any, Never),
    field("text", Text, Never),
    field("unit", Text, Never),
    field("facts", Text, Never),
    field("question", Text, Never),
    field("source", Text, Never),
    field("task", Text, Never),
    field("instruction", Text, Never),
    field("tokens", Texts, Never),
    field("premise", Text, Never),
    field("hypothesis", Text, Never),
    field("document", Text, Never),
    field("labels", Texts, Never),
    field("risk_labels", Texts, Never),
    field("severity", Any, Never),
    field("label", Text, Never),
    field("rationale", Text, Never),
    field("tags", Texts, Never),
    field("target", Text, Never),
    field("summary", Text, Never),
    field("outcome", Text, Never),
];

/// Makes the table of kinds: the name of the table of keys and of the shape; the words for its records in statistics,
/// in JSON and for readers; and the combinations of keys that no other kind has.
macro_rules! record_kinds {
    ($($(#[$doc:meta])* $kind:ident = $table:ident, $key:literal, $label:literal, $signatures:expr;)*) => {
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

            /// Returns its keys, in the order of the schema document.
            pub const fn fields(self) -> &'static [RlcfField] {
                match self { $(Self::$kind => &$table,)* }
            }

            /// Returns the table of its records. Rows of dataset files have a table for each file.
            pub const fn shape(self) -> &'static RecordShape {
                match self { $(Self::$kind => &shapes::$table,)* }
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
    User = USER, "users", "users", &[&["id", "username"]];
    /// A request for a user.
    UserCreate = USER_CREATE, "userRequests", "requests for users", &[&["username"]];
    /// A request for many users.
    BulkUserCreate = BULK_USER_CREATE, "bulkUserRequests", "requests for many users", &[&["usernames"]];
    /// A qualification of a user: a degree, years of experience.
    Credential = CREDENTIAL, "credentials", "credentials", &[&["user_id", "type", "value"]];
    /// A request for a credential.
    CredentialCreate = CREDENTIAL_CREATE, "credentialRequests", "requests for credentials",
        &[&["type", "value", "weight"]];
    /// A question or other problem to be solved.
    LegalTask = LEGAL_TASK, "tasks", "tasks", &[&["id", "task_type", "input_data"]];
    /// A request for a task.
    LegalTaskCreate = LEGAL_TASK_CREATE, "taskRequests", "requests for tasks",
        &[&["task_type", "input_data"]];
    /// A task as YAML files have it, with or without the answer of a model.
    YamlTask = YAML_TASK, "yamlTasks", "tasks of YAML", &[&["task_type", "input_data", "ai_response"]];
    /// A request to change the status of a task.
    TaskStatusUpdate = TASK_STATUS_UPDATE, "statusUpdates", "updates of a status", &[&["status"]];
    /// An answer of a model to a task.
    Response = RESPONSE, "responses", "responses", &[&["task_id", "output_data"]];
    /// A response that has no id yet.
    ResponseCreate = RESPONSE_CREATE, "responseRequests", "requests for responses",
        &[&["output_data", "model_version"]];
    /// A user's evaluation of a response.
    Feedback = FEEDBACK, "feedback", "feedback", &[&["id", "feedback_data"]];
    /// A request for feedback.
    FeedbackCreate = FEEDBACK_CREATE, "feedbackRequests", "requests for feedback",
        &[&["user_id", "feedback_data"]];
    /// A user's evaluation of another user's feedback.
    FeedbackRating = FEEDBACK_RATING, "ratings", "ratings", &[&["feedback_id", "helpfulness_score"]];
    /// A request for a rating.
    FeedbackRatingCreate = FEEDBACK_RATING_CREATE, "ratingRequests", "requests for ratings",
        &[&["user_id", "helpfulness_score"]];
    /// A task given to a user.
    TaskAssignment = TASK_ASSIGNMENT, "assignments", "assignments", &[
        &["task_id", "user_id", "role"],
        &["task_id", "user_id", "is_devils_advocate"],
        &["task_id", "user_id", "assigned_at"],
    ];
    /// A request for an assignment.
    TaskAssignmentCreate = TASK_ASSIGNMENT_CREATE, "assignmentRequests", "requests for assignments",
        &[&["user_id", "role"], &["user_id", "is_devils_advocate"]];
    /// A task given to a user whose role is to object.
    DevilsAdvocateAssignment = DEVILS_ADVOCATE, "devilsAdvocates", "devil's advocates",
        &[&["task_id", "user_id", "instructions"], &["task_id", "user_id", "assigned_at"]];
    /// A published report on a training cycle.
    AccountabilityReport = ACCOUNTABILITY_REPORT, "accountabilityReports", "accountability reports",
        &[&["cycle_start", "cycle_end"]];
    /// A measured bias.
    BiasReport = BIAS_REPORT, "biasReports", "bias reports", &[&["bias_type", "bias_score"]];
    /// A request for an export.
    ExportRequest = EXPORT_REQUEST, "exportRequests", "requests for exports",
        &[&["task_type", "export_format"]];
    /// The figures about the entire system.
    SystemMetrics = SYSTEM_METRICS, "systemMetrics", "system metrics", &[&["totalTasks", "totalUsers"]];
    /// The number of tasks of each type.
    TaskDistribution = TASK_DISTRIBUTION, "taskDistributions", "counts of tasks by type",
        &shipped_task_types!(alone);
    /// A request with tasks as YAML.
    YamlContentRequest = YAML_CONTENT_REQUEST, "yamlRequests", "requests with YAML", &[&["yaml_content"]];
    /// The model that answers, and its API key.
    AIModelConfig = AI_MODEL_CONFIG, "modelConfigurations", "models",
        &[&["name", "api_key"], &["name", "temperature", "max_tokens"], &["name", "max_tokens"]];
    /// Weights, thresholds and scoring functions.
    ModelConfig = MODEL_CONFIG, "scoringConfigurations", "scoring configurations",
        &[&["authority_weights"], &["baseline_credentials"]];
    /// The task types with their fields.
    TaskConfig = TASK_CONFIG, "taskConfigurations", "task configurations", &[&["task_types"]];
    /// A row of one of the dataset files, which mixes input and ground truth.
    DatasetRow = DATASET_ROW, "datasetRows", "rows", &[];
    /// The error reply of the API.
    ErrorReply = ERROR_REPLY, "errorReplies", "error replies", &[&["detail"]];
}

impl RecordKind {
    /// Returns the kind with this name. Case, hyphens and underscores do not matter.
    pub fn of_name(name: &str) -> Option<Self> {
        let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
        Self::ALL.into_iter().find(|kind| plain(kind.name()) == plain(name))
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
