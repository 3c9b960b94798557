//! Names of files, REST paths and arrays, and the kinds of records that may occur under them.

use RecordKind as K;

use super::kinds::RecordKind;

/// Names of a file, a REST path or an array, and the kinds that may occur under them, the likeliest first.
pub(super) struct RecordKindFamily {
    pub(super) names: &'static [&'static str],
    pub(super) kinds: &'static [RecordKind],
}

const fn named(names: &'static [&'static str], kinds: &'static [RecordKind]) -> RecordKindFamily {
    RecordKindFamily { names, kinds }
}

pub(super) static FAMILIES: [RecordKindFamily; 19] = [
    named(&["users", "user", "leaderboard"], &[K::User, K::UserCreate]),
    named(&["bulk", "bulk_users"], &[K::BulkUserCreate, K::User]),
    named(&["credentials", "credential"], &[K::Credential, K::CredentialCreate, K::User]),
    named(
        &["tasks", "task", "legal_tasks", "legal_task"],
        &[K::LegalTask, K::LegalTaskCreate, K::YamlTask, K::TaskStatusUpdate],
    ),
    named(&["responses", "response"], &[K::Response, K::ResponseCreate]),
    named(&["feedback", "feedbacks"], &[K::Feedback, K::FeedbackCreate]),
    named(
        &["ratings", "rating", "feedback_ratings", "feedback_rating", "rate"],
        &[K::FeedbackRating, K::FeedbackRatingCreate],
    ),
    named(
        &["assignments", "assignment", "task_assignments", "task_assignment", "assignees", "assign"],
        &[K::TaskAssignment, K::TaskAssignmentCreate],
    ),
    named(
        &["devils_advocates", "devils_advocate", "devils_advocate_assignments"],
        &[K::DevilsAdvocateAssignment],
    ),
    named(&["accountability_reports", "accountability_report"], &[K::AccountabilityReport]),
    named(&["bias_reports", "bias_report"], &[K::BiasReport]),
    named(&["export_requests", "export_request"], &[K::ExportRequest]),
    named(&["metrics", "system_metrics", "analytics/system"], &[K::SystemMetrics]),
    named(&["task_distribution", "analytics/task_distribution"], &[K::TaskDistribution]),
    named(&["yaml_requests", "yaml_content", "batch_from_yaml"], &[K::YamlContentRequest, K::LegalTask]),
    named(&["ai_models", "ai_model_config", "ai_model_configs", "ai_models_config"], &[K::AIModelConfig]),
    named(&["model_config", "config/model"], &[K::ModelConfig]),
    named(&["task_config", "config/tasks"], &[K::TaskConfig]),
    named(&["status_updates", "status_update"], &[K::TaskStatusUpdate]),
];

/// Returns the family with this name.
pub(super) fn family(name: &str) -> Option<&'static RecordKindFamily> {
    FAMILIES.iter().find(|family| family.names.contains(&name))
}
