//! Names of files, REST paths and arrays, and the kinds that may stand there.

use RecordKind as K;

use super::kinds::RecordKind;

/// A name of a file, a REST path or an array, and the kinds that may stand there, the likeliest first.
pub(super) struct Family {
    pub(super) names: &'static [&'static str],
    pub(super) kinds: &'static [RecordKind],
}

pub(super) const FAMILIES: [Family; 19] = [
    Family { names: &["users", "user", "leaderboard"], kinds: &[K::User, K::UserCreate] },
    Family { names: &["bulk", "bulk_users"], kinds: &[K::BulkUserCreate, K::User] },
    Family { names: &["credentials", "credential"], kinds: &[K::Credential, K::CredentialCreate, K::User] },
    Family {
        names: &["tasks", "task", "legal_tasks", "legal_task"],
        kinds: &[K::LegalTask, K::LegalTaskCreate, K::YamlTask, K::TaskStatusUpdate],
    },
    Family { names: &["responses", "response"], kinds: &[K::Response, K::ResponseCreate] },
    Family { names: &["feedback", "feedbacks"], kinds: &[K::Feedback, K::FeedbackCreate] },
    Family {
        names: &["ratings", "rating", "feedback_ratings", "feedback_rating", "rate"],
        kinds: &[K::FeedbackRating, K::FeedbackRatingCreate],
    },
    Family {
        names: &["assignments", "assignment", "task_assignments", "task_assignment", "assignees", "assign"],
        kinds: &[K::TaskAssignment, K::TaskAssignmentCreate],
    },
    Family {
        names: &["devils_advocates", "devils_advocate", "devils_advocate_assignments"],
        kinds: &[K::DevilsAdvocateAssignment],
    },
    Family { names: &["accountability_reports", "accountability_report"], kinds: &[K::AccountabilityReport] },
    Family { names: &["bias_reports", "bias_report"], kinds: &[K::BiasReport] },
    Family { names: &["export_requests", "export_request"], kinds: &[K::ExportRequest] },
    Family { names: &["metrics", "system_metrics", "analytics/system"], kinds: &[K::SystemMetrics] },
    Family { names: &["task_distribution", "analytics/task_distribution"], kinds: &[K::TaskDistribution] },
    Family {
        names: &["yaml_requests", "yaml_content", "batch_from_yaml"],
        kinds: &[K::YamlContentRequest, K::LegalTask],
    },
    Family {
        names: &["ai_models", "ai_model_config", "ai_model_configs", "ai_models_config"],
        kinds: &[K::AIModelConfig],
    },
    Family { names: &["model_config", "config/model"], kinds: &[K::ModelConfig] },
    Family { names: &["task_config", "config/tasks"], kinds: &[K::TaskConfig] },
    Family { names: &["status_updates", "status_update"], kinds: &[K::TaskStatusUpdate] },
];

/// The family of that name.
pub(super) fn family(name: &str) -> Option<&'static Family> {
    const ALL: &[Family] = &FAMILIES;
    ALL.iter().find(|family| family.names.contains(&name))
}
