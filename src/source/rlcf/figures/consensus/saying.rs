//! What experts say together, and what they say one by one.

use std::fmt;

use serde_json::{Map, Value};

use crate::source::rlcf::figures::arithmetic::round;
use crate::source::rlcf::figures::model::Data;
use crate::source::rlcf::figures::python_text;
use crate::source::rlcf::figures::weights::Weights;

/// What the experts say together, by RLCF's keys; `consensus_answer` is always there.
pub type Consensus = Map<String, Value>;

/// Tells why experts say nothing together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoConsensus {
    /// Nobody has said anything.
    NoFeedback,
    /// Somebody has, and nothing that counts: what is missing.
    NothingValid(&'static str),
    /// All who said something have an authority of 0.
    NoWeight,
    /// There is no way of counting for the type of the task.
    UnknownType,
}

impl NoConsensus {
    /// The word for it in RLCF's error objects.
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
            Self::UnknownType => "no way of counting is known for the type of the task",
        })
    }
}

/// A text among what an expert says; none where it is missing, null or empty. What is no string is
/// taken as Python writes it.
pub(in crate::source::rlcf::figures) fn text_of(data: &Data, key: &str) -> Option<String> {
    let value = data.get(key).filter(|value| !value.is_null())?;
    Some(python_text::text(value)).filter(|text| !text.is_empty())
}

/// A list of texts among what an expert says; a single text is a list of one.
pub(in crate::source::rlcf) fn texts_of(data: &Data, key: &str) -> Vec<String> {
    match data.get(key) {
        Some(Value::Array(items)) => items.iter().map(python_text::text).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(value) => vec![python_text::text(value)],
    }
}

/// A set of labels, as a sorted list.
pub(in crate::source::rlcf::figures) fn labels_of(data: &Data, key: &str) -> Vec<String> {
    let mut labels = texts_of(data, key);
    labels.sort_unstable();
    labels
}

/// An answer as it is compared: without white space around it, in lower case.
pub(in crate::source::rlcf::figures) fn normalized(answer: &str) -> String {
    answer.trim().to_lowercase()
}

/// Each choice with its weight, as JSON.
pub(super) fn details<K: Clone + Eq + std::hash::Hash>(
    weights: &Weights<K>,
    key: impl Fn(&K) -> String,
) -> Value {
    let entries = weights.entries().iter();
    entries.map(|(choice, weight)| (key(choice), Value::from(*weight))).collect::<Map<_, _>>().into()
}

/// Each choice with its share of the weight in percent.
pub(super) fn percentages(weights: &Weights<String>, total: f64) -> Value {
    let entries = weights.entries().iter();
    let shares = entries.map(|(choice, weight)| (choice.clone(), Value::from(percent(*weight, total))));
    shares.collect::<Map<_, _>>().into()
}

/// A share in percent, with one place.
pub(super) fn percent(weight: f64, total: f64) -> f64 {
    round(weight / total * 100.0, 1)
}
