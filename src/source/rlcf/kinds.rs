//! The kinds of records that RLCF's API and files have, and the keys of each.
//!
//! Names are those of the schema document. Where its words and the shipped models differ, a field says
//! whose it is. How the kind of a record is told is for [`telling`](super::telling).

use std::fmt;

/// A kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordKind {
    /// A person who evaluates.
    User,
    /// A request for a user.
    UserCreate,
    /// A request for many users.
    BulkUserCreate,
    /// What a user brings along: a degree, years of experience.
    Credential,
    /// A request for a credential.
    CredentialCreate,
    /// What is to be answered.
    LegalTask,
    /// A request for a task.
    LegalTaskCreate,
    /// A task as a YAML file has it, with the answer of a model or without.
    YamlTask,
    /// A request for another status of a task.
    TaskStatusUpdate,
    /// An answer of a model to a task.
    Response,
    /// A response that has no id yet.
    ResponseCreate,
    /// What a user says of a response.
    Feedback,
    /// A request for feedback.
    FeedbackCreate,
    /// What a user says of the feedback of another.
    FeedbackRating,
    /// A request for a rating.
    FeedbackRatingCreate,
    /// A task given to a user.
    TaskAssignment,
    /// A request for an assignment.
    TaskAssignmentCreate,
    /// A task given to a user who is to object.
    DevilsAdvocateAssignment,
    /// What was published about a training cycle.
    AccountabilityReport,
    /// A bias that was measured.
    BiasReport,
    /// A request for an export.
    ExportRequest,
    /// The figures of the whole system.
    SystemMetrics,
    /// How many tasks there are of each type.
    TaskDistribution,
    /// A request with tasks as YAML.
    YamlContentRequest,
    /// Which model answers, and with which key.
    AIModelConfig,
    /// Weights, thresholds and scoring functions.
    ModelConfig,
    /// The task types with their fields.
    TaskConfig,
    /// A row of one of the dataset files, which mixes input and ground truth.
    DatasetRow,
    /// The reply of the API that something is wrong.
    ErrorReply,
}

/// Tells what a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
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
    /// An object whose keys are free or another table's business.
    Object,
    /// An array of strings.
    Texts,
    /// An array of records.
    Records(RecordKind),
    /// Anything.
    Any,
}

/// Tells who asks for a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The document and the shipped models.
    Always,
    /// The document alone.
    BySeed,
    /// The shipped models alone.
    ByShipped,
    /// Nobody: it may be missing.
    Never,
}

/// A key of a kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What its value is.
    pub value: FieldType,
    /// Who asks for it.
    pub asked: Asked,
    /// Whether it may be null.
    pub nullable: bool,
}

use Asked::{Always, BySeed, ByShipped, Never};
use FieldType::{Any, Boolean, Id, Integer, Number, Object, Records, Reference, Text, Texts, Timestamp};
use RecordKind as K;

const fn field(key: &'static str, value: FieldType, asked: Asked) -> Field {
    Field { key, value, asked, nullable: false }
}

const fn nullable(key: &'static str, value: FieldType) -> Field {
    Field { key, value, asked: Never, nullable: true }
}

const ID: Field = field("id", Id, Always);
const USER_ID: Field = field("user_id", Reference(K::User), Always);
const TASK_ID: Field = field("task_id", Reference(K::LegalTask), Always);

const USER: [Field; 6] = [
    ID,
    field("username", Text, Always),
    field("authority_score", Number, Never),
    field("track_record_score", Number, Never),
    field("baseline_credential_score", Number, Never),
    field("credentials", Records(K::Credential), Never),
];
const USER_CREATE: [Field; 4] = [
    field("username", Text, Always),
    field("authority_score", Number, Never),
    field("track_record_score", Number, Never),
    field("baseline_credential_score", Number, Never),
];
const BULK_USER_CREATE: [Field; 2] =
    [field("usernames", Texts, BySeed), field("users", Records(K::UserCreate), Never)];
const CREDENTIAL: [Field; 5] =
    [ID, USER_ID, field("type", Text, Always), field("value", Text, Always), field("weight", Number, Always)];
const CREDENTIAL_CREATE: [Field; 3] =
    [field("type", Text, Always), field("value", Text, Always), field("weight", Number, Always)];
const LEGAL_TASK: [Field; 7] = [
    ID,
    field("task_type", Text, Always),
    field("input_data", Object, Always),
    nullable("ground_truth_data", Object),
    field("created_at", Timestamp, Always),
    field("status", Text, Always),
    field("responses", Records(K::Response), Never),
];
const LEGAL_TASK_CREATE: [Field; 3] = [
    field("task_type", Text, Always),
    field("input_data", Object, Always),
    nullable("ground_truth_data", Object),
];
const YAML_TASK: [Field; 4] = [
    field("task_type", Text, Always),
    field("input_data", Object, Always),
    nullable("ground_truth_data", Object),
    nullable("ai_response", Object),
];
const TASK_STATUS_UPDATE: [Field; 1] = [field("status", Text, Always)];
const RESPONSE: [Field; 6] = [
    ID,
    TASK_ID,
    field("output_data", Object, Always),
    field("model_version", Text, Always),
    field("generated_at", Timestamp, Always),
    field("feedback", Records(K::Feedback), Never),
];
const RESPONSE_CREATE: [Field; 2] =
    [field("output_data", Object, Always), field("model_version", Text, Always)];
const FEEDBACK: [Field; 14] = [
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
const FEEDBACK_CREATE: [Field; 7] = [
    USER_ID,
    field("response_id", Reference(K::Response), Never),
    field("accuracy_score", Number, Always),
    field("utility_score", Number, Always),
    field("transparency_score", Number, Always),
    field("feedback_data", Object, Always),
    nullable("metadata", Object),
];
const FEEDBACK_RATING: [Field; 6] = [
    ID,
    USER_ID,
    field("feedback_id", Reference(K::Feedback), Always),
    // Its range is a rule of its own.
    field("helpfulness_score", Any, Always),
    nullable("reasoning", Text),
    field("created_at", Timestamp, Never),
];
const FEEDBACK_RATING_CREATE: [Field; 3] =
    [USER_ID, field("helpfulness_score", Any, Always), nullable("reasoning", Text)];
const TASK_ASSIGNMENT: [Field; 6] = [
    field("id", Id, BySeed),
    TASK_ID,
    USER_ID,
    field("role", Text, BySeed),
    field("is_devils_advocate", Boolean, Never),
    field("assigned_at", Timestamp, Always),
];
const TASK_ASSIGNMENT_CREATE: [Field; 3] =
    [USER_ID, field("role", Text, Never), field("is_devils_advocate", Boolean, Never)];
const DEVILS_ADVOCATE: [Field; 5] =
    [ID, TASK_ID, USER_ID, field("instructions", Text, Always), field("assigned_at", Timestamp, Always)];
const ACCOUNTABILITY_REPORT: [Field; 5] = [
    ID,
    field("cycle_start", Timestamp, Always),
    field("cycle_end", Timestamp, Always),
    field("report_data", Object, Always),
    field("published_at", Timestamp, Never),
];
const BIAS_REPORT: [Field; 8] = [
    ID,
    TASK_ID,
    USER_ID,
    field("bias_type", Text, Always),
    field("bias_score", Number, Always),
    field("calculated_at", Timestamp, BySeed),
    field("created_at", Timestamp, ByShipped),
    nullable("analysis_details", Object),
];
const EXPORT_REQUEST: [Field; 2] = [field("task_type", Text, Always), field("export_format", Text, Always)];
const SYSTEM_METRICS: [Field; 6] = [
    field("totalTasks", Integer, Always),
    field("totalUsers", Integer, Always),
    field("totalFeedback", Integer, Always),
    field("averageConsensus", Number, Always),
    field("activeEvaluations", Integer, Always),
    field("completionRate", Number, Always),
];
/// Each key is a task type that the shipped enumeration has.
const TASK_DISTRIBUTION: [Field; 17] = [
    field("SUMMARIZATION", Integer, Never),
    field("CLASSIFICATION", Integer, Never),
    field("QA", Integer, Never),
    field("PREDICTION", Integer, Never),
    field("NLI", Integer, Never),
    field("NER", Integer, Never),
    field("DRAFTING", Integer, Never),
    field("RISK_SPOTTING", Integer, Never),
    field("DOCTRINE_APPLICATION", Integer, Never),
    field("COMPLIANCE_RISK_SPOTTING", Integer, Never),
    field("DOC_CLAUSE_CLASSIFICATION", Integer, Never),
    field("DRAFTING_GENERATION_PARALLEL", Integer, Never),
    field("NAMED_ENTITY_BIO", Integer, Never),
    field("NLI_ENTAILMENT", Integer, Never),
    field("STATUTORY_RULE_QA", Integer, Never),
    field("SUMMARIZATION_PAIRS", Integer, Never),
    field("VIOLATION_OUTCOME_PREDICTION", Integer, Never),
];
const YAML_CONTENT_REQUEST: [Field; 1] = [field("yaml_content", Text, Always)];
const AI_MODEL_CONFIG: [Field; 4] = [
    field("name", Text, Always),
    // Whatever it is, it is a secret.
    nullable("api_key", Any),
    nullable("temperature", Number),
    nullable("max_tokens", Integer),
];
const MODEL_CONFIG: [Field; 4] = [
    field("authority_weights", Object, Always),
    field("track_record", Object, Always),
    field("thresholds", Object, Always),
    field("baseline_credentials", Object, Always),
];
const TASK_CONFIG: [Field; 1] = [field("task_types", Object, Always)];
const ERROR_REPLY: [Field; 3] =
    [field("detail", Any, Always), field("error_code", Text, Never), field("timestamp", Timestamp, Never)];
/// The keys of all dataset files: one name has one meaning in all of them.
const DATASET_ROW: [Field; 21] = [
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

impl RecordKind {
    /// All of them, in the order in which messages list them.
    pub const ALL: [Self; 29] = [
        K::User,
        K::UserCreate,
        K::BulkUserCreate,
        K::Credential,
        K::CredentialCreate,
        K::LegalTask,
        K::LegalTaskCreate,
        K::YamlTask,
        K::TaskStatusUpdate,
        K::Response,
        K::ResponseCreate,
        K::Feedback,
        K::FeedbackCreate,
        K::FeedbackRating,
        K::FeedbackRatingCreate,
        K::TaskAssignment,
        K::TaskAssignmentCreate,
        K::DevilsAdvocateAssignment,
        K::AccountabilityReport,
        K::BiasReport,
        K::ExportRequest,
        K::SystemMetrics,
        K::TaskDistribution,
        K::YamlContentRequest,
        K::AIModelConfig,
        K::ModelConfig,
        K::TaskConfig,
        K::DatasetRow,
        K::ErrorReply,
    ];

    /// Its name in the schema document, which is also that of its class in our vocabulary.
    pub const fn name(self) -> &'static str {
        match self {
            K::User => "User",
            K::UserCreate => "UserCreate",
            K::BulkUserCreate => "BulkUserCreate",
            K::Credential => "Credential",
            K::CredentialCreate => "CredentialCreate",
            K::LegalTask => "LegalTask",
            K::LegalTaskCreate => "LegalTaskCreate",
            K::YamlTask => "YamlTask",
            K::TaskStatusUpdate => "TaskStatusUpdate",
            K::Response => "Response",
            K::ResponseCreate => "ResponseCreate",
            K::Feedback => "Feedback",
            K::FeedbackCreate => "FeedbackCreate",
            K::FeedbackRating => "FeedbackRating",
            K::FeedbackRatingCreate => "FeedbackRatingCreate",
            K::TaskAssignment => "TaskAssignment",
            K::TaskAssignmentCreate => "TaskAssignmentCreate",
            K::DevilsAdvocateAssignment => "DevilsAdvocateAssignment",
            K::AccountabilityReport => "AccountabilityReport",
            K::BiasReport => "BiasReport",
            K::ExportRequest => "ExportRequest",
            K::SystemMetrics => "SystemMetrics",
            K::TaskDistribution => "TaskDistribution",
            K::YamlContentRequest => "YamlContentRequest",
            K::AIModelConfig => "AIModelConfig",
            K::ModelConfig => "ModelConfig",
            K::TaskConfig => "TaskConfig",
            K::DatasetRow => "DatasetRow",
            K::ErrorReply => "ErrorReply",
        }
    }

    /// The kind of that name; capitals, hyphens and underscores do not matter.
    pub fn of_name(name: &str) -> Option<Self> {
        let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
        Self::ALL.into_iter().find(|kind| plain(kind.name()) == plain(name))
    }

    /// Its keys, in the order of the schema document.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            K::User => &USER,
            K::UserCreate => &USER_CREATE,
            K::BulkUserCreate => &BULK_USER_CREATE,
            K::Credential => &CREDENTIAL,
            K::CredentialCreate => &CREDENTIAL_CREATE,
            K::LegalTask => &LEGAL_TASK,
            K::LegalTaskCreate => &LEGAL_TASK_CREATE,
            K::YamlTask => &YAML_TASK,
            K::TaskStatusUpdate => &TASK_STATUS_UPDATE,
            K::Response => &RESPONSE,
            K::ResponseCreate => &RESPONSE_CREATE,
            K::Feedback => &FEEDBACK,
            K::FeedbackCreate => &FEEDBACK_CREATE,
            K::FeedbackRating => &FEEDBACK_RATING,
            K::FeedbackRatingCreate => &FEEDBACK_RATING_CREATE,
            K::TaskAssignment => &TASK_ASSIGNMENT,
            K::TaskAssignmentCreate => &TASK_ASSIGNMENT_CREATE,
            K::DevilsAdvocateAssignment => &DEVILS_ADVOCATE,
            K::AccountabilityReport => &ACCOUNTABILITY_REPORT,
            K::BiasReport => &BIAS_REPORT,
            K::ExportRequest => &EXPORT_REQUEST,
            K::SystemMetrics => &SYSTEM_METRICS,
            K::TaskDistribution => &TASK_DISTRIBUTION,
            K::YamlContentRequest => &YAML_CONTENT_REQUEST,
            K::AIModelConfig => &AI_MODEL_CONFIG,
            K::ModelConfig => &MODEL_CONFIG,
            K::TaskConfig => &TASK_CONFIG,
            K::DatasetRow => &DATASET_ROW,
            K::ErrorReply => &ERROR_REPLY,
        }
    }

    /// The keys that only this kind has together: where all of a set are there, the record may be one.
    pub(super) const fn signatures(self) -> &'static [&'static [&'static str]] {
        match self {
            K::User => &[&["id", "username"]],
            K::UserCreate => &[&["username"]],
            K::BulkUserCreate => &[&["usernames"]],
            K::Credential => &[&["user_id", "type", "value"]],
            K::CredentialCreate => &[&["type", "value", "weight"]],
            K::LegalTask => &[&["id", "task_type", "input_data"]],
            K::LegalTaskCreate => &[&["task_type", "input_data"]],
            K::YamlTask => &[&["task_type", "input_data", "ai_response"]],
            K::TaskStatusUpdate => &[&["status"]],
            K::Response => &[&["task_id", "output_data"]],
            K::ResponseCreate => &[&["output_data", "model_version"]],
            K::Feedback => &[&["id", "feedback_data"]],
            K::FeedbackCreate => &[&["user_id", "feedback_data"]],
            K::FeedbackRating => &[&["feedback_id", "helpfulness_score"]],
            K::FeedbackRatingCreate => &[&["user_id", "helpfulness_score"]],
            K::TaskAssignment => &[
                &["task_id", "user_id", "role"],
                &["task_id", "user_id", "is_devils_advocate"],
                &["task_id", "user_id", "assigned_at"],
            ],
            K::TaskAssignmentCreate => &[&["user_id", "role"], &["user_id", "is_devils_advocate"]],
            K::DevilsAdvocateAssignment => {
                &[&["task_id", "user_id", "instructions"], &["task_id", "user_id", "assigned_at"]]
            }
            K::AccountabilityReport => &[&["cycle_start", "cycle_end"]],
            K::BiasReport => &[&["bias_type", "bias_score"]],
            K::ExportRequest => &[&["task_type", "export_format"]],
            K::SystemMetrics => &[&["totalTasks", "totalUsers"]],
            K::TaskDistribution => &[
                &["SUMMARIZATION"],
                &["CLASSIFICATION"],
                &["QA"],
                &["PREDICTION"],
                &["NLI"],
                &["NER"],
                &["DRAFTING"],
                &["RISK_SPOTTING"],
                &["DOCTRINE_APPLICATION"],
                &["COMPLIANCE_RISK_SPOTTING"],
                &["DOC_CLAUSE_CLASSIFICATION"],
                &["DRAFTING_GENERATION_PARALLEL"],
                &["NAMED_ENTITY_BIO"],
                &["NLI_ENTAILMENT"],
                &["STATUTORY_RULE_QA"],
                &["SUMMARIZATION_PAIRS"],
                &["VIOLATION_OUTCOME_PREDICTION"],
            ],
            K::YamlContentRequest => &[&["yaml_content"]],
            K::AIModelConfig => {
                &[&["name", "api_key"], &["name", "temperature", "max_tokens"], &["name", "max_tokens"]]
            }
            K::ModelConfig => &[&["authority_weights"], &["baseline_credentials"]],
            K::TaskConfig => &[&["task_types"]],
            K::ErrorReply => &[&["detail"]],
            K::DatasetRow => &[],
        }
    }

    /// Returns what stands in the IRI of a record between the dataset and the id, or the index of a record
    /// that has none.
    pub const fn segment(self) -> &'static str {
        match self {
            K::User => "user",
            K::UserCreate => "user-create",
            K::BulkUserCreate => "bulk-user-create",
            K::Credential => "credential",
            K::CredentialCreate => "credential-create",
            K::LegalTask => "task",
            K::LegalTaskCreate => "task-create",
            K::YamlTask => "yaml-task",
            K::TaskStatusUpdate => "task-status-update",
            K::Response => "response",
            K::ResponseCreate => "response-create",
            K::Feedback => "feedback",
            K::FeedbackCreate => "feedback-create",
            K::FeedbackRating => "rating",
            K::FeedbackRatingCreate => "rating-create",
            K::TaskAssignment => "assignment",
            K::TaskAssignmentCreate => "assignment-create",
            K::DevilsAdvocateAssignment => "devils-advocate",
            K::AccountabilityReport => "accountability-report",
            K::BiasReport => "bias-report",
            K::ExportRequest => "export-request",
            K::SystemMetrics => "system-metrics",
            K::TaskDistribution => "task-distribution",
            K::YamlContentRequest => "yaml-content",
            K::AIModelConfig => "ai-model-config",
            K::ModelConfig => "model-config",
            K::TaskConfig => "task-config",
            K::DatasetRow => "row",
            K::ErrorReply => "error-reply",
        }
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
