//! The records from which figures are computed, as plain structs with RLCF's field names.
//!
//! The readers of files and graphs fill them. Records are in the order of their ids, which is the order of RLCF's
//! database.

use chrono::NaiveDateTime;
use serde_json::{Map, Value};

/// A JSON object that RLCF keeps as it is.
pub type FreeFormData = Map<String, Value>;

/// All records of one RLCF dataset.
#[derive(Debug, Clone, Default)]
pub struct RlcfDataset {
    /// The experts.
    pub users: Vec<ExpertUser>,
    /// The tasks.
    pub tasks: Vec<LegalTask>,
    /// The answers of models.
    pub responses: Vec<ModelResponse>,
    /// The feedback of users on answers.
    pub feedback: Vec<Feedback>,
    /// The ratings of feedback by users.
    pub ratings: Vec<FeedbackRating>,
}

/// An expert.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExpertUser {
    /// The id, as text.
    pub id: String,
    /// The name.
    pub username: String,
    /// The stored authority.
    pub authority_score: f64,
    /// The stored track record.
    pub track_record_score: f64,
    /// The stored score of the credentials.
    pub baseline_credential_score: f64,
    /// The credentials in their order.
    pub credentials: Vec<Credential>,
}

/// A qualification of an expert. RLCF stores a weight with it, which no formula uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credential {
    /// The id, as text; empty if there is none.
    pub id: String,
    /// The type, such as `ACADEMIC_DEGREE`.
    pub credential_type: String,
    /// The value as a string, even if it is a number.
    pub value: String,
}

/// A task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LegalTask {
    /// The id, as text.
    pub id: String,
    /// The type, such as `QA`.
    pub task_type: String,
    /// The question or other problem.
    pub input_data: FreeFormData,
    /// The ground truth.
    pub ground_truth_data: Option<FreeFormData>,
    /// The status.
    pub status: Option<String>,
}

/// An answer of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelResponse {
    /// The id, as text.
    pub id: String,
    /// The task that it answers.
    pub task_id: String,
    /// The answer.
    pub output_data: FreeFormData,
    /// The model that gave the answer.
    pub model_version: String,
}

impl ModelResponse {
    /// Returns whether the response is a placeholder. RLCF marks placeholders in one of two places.
    pub fn is_placeholder(&self) -> bool {
        let is_marked = self.output_data.get("is_placeholder").and_then(Value::as_bool) == Some(true);
        let version = self.model_version.as_str();
        is_marked
            || ["placeholder-", "dummy-", "csv-upload-placeholder-"]
                .iter()
                .any(|mark| version.starts_with(mark))
    }
}

/// An expert's evaluation of an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Feedback {
    /// The id, as text.
    pub id: String,
    /// The expert.
    pub user_id: String,
    /// The response.
    pub response_id: String,
    /// The correctness of the answer, from 0 to 10.
    pub accuracy_score: Option<f64>,
    /// The community's opinion of the feedback, from 0 to 5. 0 means no opinion.
    pub community_helpfulness_rating: f64,
    /// The stored consistency with other feedback, if any.
    pub consistency_score: Option<f64>,
    /// The evaluation itself.
    pub feedback_data: FreeFormData,
    /// The time, converted to UTC if it has a zone.
    pub submitted_at: Option<NaiveDateTime>,
}

/// A rating of a feedback's helpfulness.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedbackRating {
    /// The feedback.
    pub feedback_id: String,
    /// The score, from 1 to 5.
    pub helpfulness_score: f64,
}

impl RlcfDataset {
    /// Sorts every list by id. Numbers come first, in numeric order.
    pub fn sort(&mut self) {
        self.users.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        self.tasks.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        self.responses.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        self.feedback.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        for user in &mut self.users {
            user.credentials.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        }
    }

    /// Returns whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.users.is_empty()
            && self.tasks.is_empty()
            && self.responses.is_empty()
            && self.feedback.is_empty()
    }
}

/// Returns the sort key of an id. Numbers come first, in numeric order.
pub fn id_order(id: &str) -> (u64, &str) {
    (id.parse().unwrap_or(u64::MAX), id)
}
