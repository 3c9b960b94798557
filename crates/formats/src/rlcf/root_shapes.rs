//! The nodes of files: an array of records, a single record, or an object with named arrays.

use super::kinds::RecordKind as K;
use crate::records::{MemberForm, ObjectIdentity, RecordMember, RecordShape, member};
use MemberForm::{Node, Nodes};

/// The property that leads from the node of a file to its records.
pub(super) const PROPERTY: &str = "dataFeedElement";

const fn file(name: &'static str, node: &'static str, members: &'static [RecordMember]) -> RecordShape {
    RecordShape { name, node, identity: ObjectIdentity::Blank, members }
}

/// A file with an array of records, or with a record on each line.
pub(super) static ROOT_OF_MANY: RecordShape = file("file", "DataFeed+eg:RlcfRecords", &[]);

/// A file with one record.
pub(super) static ROOT_OF_ONE: RecordShape = file("file", "DataFeed+eg:RlcfRecord", &[]);

/// A file with tasks, as in YAML.
pub(super) static YAML_TASKS: RecordShape =
    file("tasks", "DataFeed+eg:RlcfTasks", &[member("tasks", PROPERTY, Nodes(K::YamlTask.shape()))]);

/// A file with named arrays and configurations.
pub(super) static EXPORT: RecordShape = file("export", "DataFeed+eg:RlcfExport", &NAMED);

const NAMED: [RecordMember; 22] = [
    member("users", PROPERTY, Nodes(K::User.shape())),
    member("credentials", PROPERTY, Nodes(K::Credential.shape())),
    member("tasks", PROPERTY, Nodes(K::LegalTask.shape())),
    member("legal_tasks", "eg:legalTasks", Nodes(K::LegalTask.shape())),
    member("responses", PROPERTY, Nodes(K::Response.shape())),
    member("feedback", PROPERTY, Nodes(K::Feedback.shape())),
    member("ratings", PROPERTY, Nodes(K::FeedbackRating.shape())),
    // A second key for the same records has its own property, which restores the key.
    member("feedback_ratings", "eg:feedbackRatings", Nodes(K::FeedbackRating.shape())),
    member("assignments", PROPERTY, Nodes(K::TaskAssignment.shape())),
    member("task_assignments", "eg:taskAssignments", Nodes(K::TaskAssignment.shape())),
    member("devils_advocates", PROPERTY, Nodes(K::DevilsAdvocateAssignment.shape())),
    member(
        "devils_advocate_assignments",
        "eg:devilsAdvocateAssignments",
        Nodes(K::DevilsAdvocateAssignment.shape()),
    ),
    member("accountability_reports", PROPERTY, Nodes(K::AccountabilityReport.shape())),
    member("bias_reports", PROPERTY, Nodes(K::BiasReport.shape())),
    member("export_requests", PROPERTY, Nodes(K::ExportRequest.shape())),
    member("ai_models", PROPERTY, Nodes(K::AIModelConfig.shape())),
    member("ai_model_configs", "eg:aiModelConfigs", Nodes(K::AIModelConfig.shape())),
    member("ai_model_config", "eg:aiModelConfig", Node(K::AIModelConfig.shape())),
    member("metrics", PROPERTY, Node(K::SystemMetrics.shape())),
    member("system_metrics", "eg:systemMetrics", Node(K::SystemMetrics.shape())),
    member("model_config", PROPERTY, Node(K::ModelConfig.shape())),
    member("task_config", PROPERTY, Node(K::TaskConfig.shape())),
];

/// Returns whether this is a key of objects with named arrays.
pub(super) fn is_named_array(key: &str) -> bool {
    EXPORT.members.iter().any(|member| member.key == key)
}
