//! The consensus of experts, and access to the values of their feedback.

use std::fmt;

use serde_json::{Map, Value};

use crate::rlcf::figures::arithmetic::round;
use crate::rlcf::figures::model::FreeFormData;
use crate::rlcf::figures::python_text;
use crate::rlcf::figures::weights::ChoiceWeights;

/// The consensus of experts, with RLCF's keys. `consensus_answer` is always present.
pub type ExpertConsensus = Map<String, Value>;

/// The reason why there is no consensus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoConsensus {
    /// There is no feedback.
    NoFeedback,
    /// No feedback has a valid value. The string describes the missing values.
    NothingValid(&'static str),
    /// All experts with a valid value have an authority of 0.
    NoWeight,
    /// No method of counting is known for the task type.
    UnknownType,
}

impl NoConsensus {
    /// Returns the word for the reason in RLCF's error objects.
    pub fn error_type(self) -> &'static str {
        match self {
            Self::NoFeedback => "NoFeedback",
            Self::NothingValid(_) => "NothingValid",
            Self::NoWeight => "NoWeight",
            Self::UnknownType => "UnknownType",
        }
    }
}

impl fmt::Display for NoConsensus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoFeedback => "no feedback found for this task",
            Self::NothingValid(what) => what,
            Self::NoWeight => "all who gave feedback have an authority of 0",
            Self::UnknownType => "no method of counting is known for the task type",
        })
    }
}

/// Returns a text in an expert's feedback, or `None` if it is missing, null or empty. A value that is not a string is
/// converted as in Python.
pub(in crate::rlcf::figures) fn text_of(data: &FreeFormData, key: &str) -> Option<String> {
    let value = data.get(key).filter(|value| !value.is_null())?;
    Some(python_text::text(value)).filter(|text| !text.is_empty())
}

/// Returns a list of texts in an expert's feedback. A single text counts as a list of one.
pub(in crate::rlcf) fn texts_of(data: &FreeFormData, key: &str) -> Vec<String> {
    match data.get(key) {
        Some(Value::Array(items)) => items.iter().map(python_text::text).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(value) => vec![python_text::text(value)],
    }
}

/// Returns a set of labels as a sorted list.
pub(in crate::rlcf::figures) fn labels_of(data: &FreeFormData, key: &str) -> Vec<String> {
    let mut labels = texts_of(data, key);
    labels.sort_unstable();
    labels
}

/// Returns an answer in the form for comparison: without outer white space, in lower case.
pub(in crate::rlcf::figures) fn normalized(answer: &str) -> String {
    answer.trim().to_lowercase()
}

/// Returns each choice with its weight, as JSON.
pub(super) fn details<K: Clone + Eq + std::hash::Hash>(
    weights: &ChoiceWeights<K>,
    key: impl Fn(&K) -> String,
) -> Value {
    let entries = weights.entries().iter();
    entries.map(|(choice, weight)| (key(choice), Value::from(*weight))).collect::<Map<_, _>>().into()
}

/// Returns each choice with its share of the weight in percent.
pub(super) fn percentages(weights: &ChoiceWeights<String>, total: f64) -> Value {
    let entries = weights.entries().iter();
    let shares = entries.map(|(choice, weight)| (choice.clone(), Value::from(percent(*weight, total))));
    shares.collect::<Map<_, _>>().into()
}

/// Returns a share in percent, with one decimal place.
pub(super) fn percent(weight: f64, total: f64) -> f64 {
    round(weight / total * 100.0, 1)
}
