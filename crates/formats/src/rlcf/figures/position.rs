//! The position of an expert. Two opinions with the same position count as the same.

use super::consensus::{labels_of, normalized, text_of, texts_of};
use super::model::FreeFormData;
use super::python_text;

/// The part of a feedback that counts as its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PositionKey {
    /// The answer: the value on which the consensus of the task type is computed. Feedback without an answer takes no
    /// position.
    #[default]
    Answer,
    /// The entire feedback, as in the program: two experts with the same answer and different reasons have different
    /// positions. The order of the keys makes no difference.
    Feedback,
}

impl PositionKey {
    /// Both keys.
    pub const ALL: [Self; 2] = [Self::Answer, Self::Feedback];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Feedback => "feedback",
        }
    }

    /// Returns the position of a feedback on a task of a type, or `None` if it takes none.
    pub fn position_of(self, task_type: &str, data: &FreeFormData) -> Option<String> {
        match self {
            Self::Feedback => Some(python_text::sorted_items(data)),
            Self::Answer => answer(task_type, data),
        }
    }
}

fn answer(task_type: &str, data: &FreeFormData) -> Option<String> {
    match task_type {
        "QA" | "STATUTORY_RULE_QA" => {
            Some(normalized(&text_of(data, "validated_answer")?)).filter(|answer| !answer.is_empty())
        }
        "CLASSIFICATION" => listed(&labels_of(data, "validated_labels")),
        "RISK_SPOTTING" => listed(&labels_of(data, "validated_risk_labels")),
        "NER" => listed(&texts_of(data, "validated_tags")),
        "SUMMARIZATION" | "DRAFTING" => text_of(data, "rating"),
        "PREDICTION" => text_of(data, "chosen_outcome"),
        "NLI" | "DOCTRINE_APPLICATION" => text_of(data, "chosen_label"),
        // For an unknown type, it is not known which key has the answer.
        _ => Some(python_text::sorted_items(data)),
    }
}

/// Joins texts, or returns `None` if there are none. A JSON array distinguishes a comma in a label from one between
/// labels.
fn listed(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| serde_json::json!(texts).to_string())
}
