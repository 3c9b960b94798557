//! The nodes of files: an array of records, a single record, or an object with named arrays.

use super::shapes;
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
    file("tasks", "DataFeed+eg:RlcfTasks", &[member("tasks", PROPERTY, Nodes(&shapes::YAML_TASK))]);

/// A file with named arrays and configurations.
pub(super) static EXPORT: RecordShape = file("export", "DataFeed+eg:RlcfExport", &NAMED);

const NAMED: [RecordMember; 22] = [
    member("users", PROPERTY, Nodes(&shapes::USER)),
    member("credentials", PROPERTY, Nodes(&shapes::CREDENTIAL)),
    member("tasks", PROPERTY, Nodes(&shapes::LEGAL_TASK)),
    member("legal_tasks", "eg:legalTasks", Nodes(&shapes::LEGAL_TASK)),
    member("responses", PROPERTY, Nodes(&shapes::RESPONSE)),
    member("feedback", PROPERTY, Nodes(&shapes::FEEDBACK)),
    member("ratings", PROPERTY, Nodes(&shapes::FEEDBACK_RATING)),
    // A second key for the same records has its own property, which restores the key.
    member("feedback_ratings", "eg:feedbackRatings", Nodes(&shapes::FEEDBACK_RATING)),
    member("assignments", PROPERTY, Nodes(&shapes::TASK_ASSIGNMENT)),
    member("task_assignments", "eg:taskAssignments", Nodes(&shapes::TASK_ASSIGNMENT)),
    member("devils_advocates", PROPERTY, Nodes(&shapes::DEVILS_ADVOCATE)),
    member("devils_advocate_assignments", "eg:devilsAdvocateAssignments", Nodes(&shapes::DEVILS_ADVOCATE)),
    member("accountability_reports", PROPERTY, Nodes(&shapes::ACCOUNTABILITY_REPORT)),
    member("bias_reports", PROPERTY, Nodes(&shapes::BIAS_REPORT)),
    member("export_requests", PROPERTY, Nodes(&shapes::EXPORT_REQUEST)),
    member("ai_models", PROPERTY, Nodes(&shapes::AI_MODEL_CONFIG)),
    member("ai_model_configs", "eg:aiModelConfigs", Nodes(&shapes::AI_MODEL_CONFIG)),
    member("ai_model_config", "eg:aiModelConfig", Node(&shapes::AI_MODEL_CONFIG)),
    member("metrics", PROPERTY, Node(&shapes::SYSTEM_METRICS)),
    member("system_metrics", "eg:systemMetrics", Node(&shapes::SYSTEM_METRICS)),
    member("model_config", PROPERTY, Node(&shapes::MODEL_CONFIG)),
    member("task_config", PROPERTY, Node(&shapes::TASK_CONFIG)),
];

/// Returns whether this is a key of objects with named arrays.
pub(super) fn is_named_array(key: &str) -> bool {
    EXPORT.members.iter().any(|member| member.key == key)
}
