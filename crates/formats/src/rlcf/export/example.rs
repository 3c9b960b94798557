//! A record of an export, its source, and the reasons for leaving feedback out.

use crate::rlcf::figures::model::{Feedback, FreeFormData, LegalTask, ModelResponse};
use crate::rlcf::figures::python_text;
use serde_json::Value;

/// A record of an export: three members in order. A missing text is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingExample {
    /// The keys with their texts.
    pub members: [(&'static str, Option<String>); 3],
}

/// The reason why feedback is not exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportOmission {
    /// Tasks of this type are not exported in this format.
    TaskType(String),
    /// A text of the record is null; in a pair, an empty text counts as null.
    Null(&'static str),
    /// The answer of the model is a placeholder, or has no text.
    NoResponseText,
    /// The expert prefers neither text.
    NoPreference,
    /// The program exports only the first response to a task.
    LaterResponse,
}

impl ExportOmission {
    /// Describes the reason for a report.
    pub fn describe(&self) -> String {
        match self {
            Self::TaskType(task_type) => {
                format!("tasks of type `{task_type}` are not exported in this format")
            }
            Self::Null(key) => format!("there is no `{key}`"),
            Self::NoResponseText => "the answer of the model is missing or a placeholder".to_owned(),
            Self::NoPreference => "the expert prefers neither text".to_owned(),
            Self::LaterResponse => "only the first response of a task is exported".to_owned(),
        }
    }
}

/// Feedback with its task and response.
#[derive(Clone, Copy)]
pub(super) struct FeedbackSource<'r> {
    pub(super) task: &'r LegalTask,
    pub(super) response: &'r ModelResponse,
    pub(super) feedback: &'r Feedback,
}

/// Returns a text of an object, or `None` if it is missing or null.
pub(super) fn text_of(data: &FreeFormData, key: &str) -> Option<String> {
    data.get(key).filter(|value| !value.is_null()).map(python_text::text)
}

/// Returns a text for use inside a sentence. A missing text is shown as the program shows it.
pub(super) fn quoted(data: &FreeFormData, key: &str) -> String {
    text_of(data, key).unwrap_or_else(|| python_text::text(&Value::Null))
}
