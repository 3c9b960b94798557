//! The records that figures are computed from, as plain structs with RLCF's own field names.
//!
//! Where they come from, files or a graph, is left to the readers. Records stand in the order of their
//! ids, which is the order that RLCF's database gives them in.

use chrono::NaiveDateTime;
use serde_json::{Map, Value};

/// A JSON object that RLCF keeps as it is.
pub type Data = Map<String, Value>;

/// All records of one RLCF dataset.
#[derive(Debug, Clone, Default)]
pub struct Records {
    /// Who gives feedback.
    pub users: Vec<User>,
    /// What is asked.
    pub tasks: Vec<LegalTask>,
    /// What models answer.
    pub responses: Vec<Response>,
    /// What users say of answers.
    pub feedback: Vec<Feedback>,
    /// What users say of feedback.
    pub ratings: Vec<FeedbackRating>,
}

/// An expert.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct User {
    /// The id, as text.
    pub id: String,
    /// The name.
    pub username: String,
    /// The authority that is stored.
    pub authority_score: f64,
    /// The track record that is stored.
    pub track_record_score: f64,
    /// The score of the credentials that is stored.
    pub baseline_credential_score: f64,
    /// The credentials in their order.
    pub credentials: Vec<Credential>,
}

/// Holds what an expert has to show. RLCF stores a weight beside it, which no formula uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credential {
    /// The id, as text; empty where there is none.
    pub id: String,
    /// The type, such as `ACADEMIC_DEGREE`.
    pub credential_type: String,
    /// The value, a text even where it is a number.
    pub value: String,
}

/// A task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LegalTask {
    /// The id, as text.
    pub id: String,
    /// The type, such as `QA`.
    pub task_type: String,
    /// What is asked.
    pub input_data: Data,
    /// What is known to be right.
    pub ground_truth_data: Option<Data>,
    /// Where the task stands.
    pub status: Option<String>,
}

/// An answer of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Response {
    /// The id, as text.
    pub id: String,
    /// The task that it answers.
    pub task_id: String,
    /// The answer.
    pub output_data: Data,
    /// The model that gave it.
    pub model_version: String,
}

impl Response {
    /// Tells whether it stands for an answer that no model has given: RLCF marks such, in one of two places.
    pub fn is_placeholder(&self) -> bool {
        let is_marked = self.output_data.get("is_placeholder").and_then(Value::as_bool) == Some(true);
        let version = self.model_version.as_str();
        is_marked
            || ["placeholder-", "dummy-", "csv-upload-placeholder-"]
                .iter()
                .any(|mark| version.starts_with(mark))
    }
}

/// Holds what an expert says of an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Feedback {
    /// The id, as text.
    pub id: String,
    /// Who says it.
    pub user_id: String,
    /// Of which answer.
    pub response_id: String,
    /// How right the answer is, 0 to 10.
    pub accuracy_score: Option<f64>,
    /// What the community thinks of the feedback, 0 to 5; 0 is no opinion.
    pub community_helpfulness_rating: f64,
    /// How far it agrees with the others, where that is stored.
    pub consistency_score: Option<f64>,
    /// What the expert says.
    pub feedback_data: Data,
    /// When, in UTC where the text has a zone.
    pub submitted_at: Option<NaiveDateTime>,
}

/// Tells how helpful a feedback is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedbackRating {
    /// The feedback.
    pub feedback_id: String,
    /// 1 to 5.
    pub helpfulness_score: f64,
}

impl Records {
    /// Puts every list in the order of the ids: numbers by value, before anything else.
    pub fn sort(&mut self) {
        self.users.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        self.tasks.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        self.responses.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        self.feedback.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        for user in &mut self.users {
            user.credentials.sort_by(|a, b| id_order(&a.id).cmp(&id_order(&b.id)));
        }
    }

    /// Tells whether there is no record at all.
    pub fn is_empty(&self) -> bool {
        self.users.is_empty()
            && self.tasks.is_empty()
            && self.responses.is_empty()
            && self.feedback.is_empty()
    }
}

/// Returns what ids are ordered by: numbers first, by value.
pub fn id_order(id: &str) -> (u64, &str) {
    (id.parse().unwrap_or(u64::MAX), id)
}
