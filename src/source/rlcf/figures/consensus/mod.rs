//! What the experts of one task say together, weighed by their authority: one way of counting for each
//! type of task.
//!
//! The results have the keys of RLCF's task handlers. Where a handler would divide by a weight of
//! zero, there is no consensus, and the reason is said.

mod answers;
mod labels;
mod ratings;
mod tags;

use std::fmt;

use serde_json::{Map, Value};

use super::joined::Opinion;
use super::model::Data;
use super::python_text;
use super::settings::Settings;

/// The types of tasks that have a way of counting.
pub const TASK_TYPES: [&str; 10] = [
    "QA",
    "STATUTORY_RULE_QA",
    "CLASSIFICATION",
    "SUMMARIZATION",
    "PREDICTION",
    "NLI",
    "NER",
    "DRAFTING",
    "RISK_SPOTTING",
    "DOCTRINE_APPLICATION",
];

/// What the experts say together, by RLCF's keys; `consensus_answer` is always there.
pub type Consensus = Map<String, Value>;

/// Why experts say nothing together.
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

/// What the experts of a task say together.
///
/// # Errors
/// Where nothing follows from what they say.
pub fn consensus(
    task_type: &str,
    opinions: &[Opinion<'_>],
    settings: &Settings,
) -> Result<Consensus, NoConsensus> {
    if opinions.is_empty() {
        return Err(NoConsensus::NoFeedback);
    }
    match task_type {
        "QA" => answers::plain(opinions),
        "STATUTORY_RULE_QA" => answers::statutory(opinions),
        "CLASSIFICATION" => labels::sets(opinions),
        "SUMMARIZATION" => ratings::summaries(opinions, settings),
        "PREDICTION" => labels::outcomes(opinions),
        "NLI" => labels::relationships(opinions),
        "NER" => tags::sequences(opinions),
        "DRAFTING" => ratings::drafts(opinions, settings),
        "RISK_SPOTTING" => labels::risks(opinions),
        "DOCTRINE_APPLICATION" => labels::doctrines(opinions),
        _ => Err(NoConsensus::UnknownType),
    }
}

/// A text among what an expert says; none where it is missing, null or empty. What is no string is
/// taken as Python writes it.
pub(super) fn text_of(data: &Data, key: &str) -> Option<String> {
    let value = data.get(key).filter(|value| !value.is_null())?;
    Some(python_text::text(value)).filter(|text| !text.is_empty())
}

/// A list of texts among what an expert says; a single text is a list of one.
pub(super) fn texts_of(data: &Data, key: &str) -> Vec<String> {
    match data.get(key) {
        Some(Value::Array(items)) => items.iter().map(python_text::text).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(value) => vec![python_text::text(value)],
    }
}

/// A set of labels, as a sorted list.
pub(super) fn labels_of(data: &Data, key: &str) -> Vec<String> {
    let mut labels = texts_of(data, key);
    labels.sort_unstable();
    labels
}

/// An answer as it is compared: without white space around it, in lower case.
pub(super) fn normalized(answer: &str) -> String {
    answer.trim().to_lowercase()
}

/// Each choice with its weight, as JSON.
fn details<K: Clone + Eq + std::hash::Hash>(
    weights: &super::weights::Weights<K>,
    key: impl Fn(&K) -> String,
) -> Value {
    let entries = weights.entries().iter();
    entries.map(|(choice, weight)| (key(choice), Value::from(*weight))).collect::<Map<_, _>>().into()
}

/// Each choice with its share of the weight in percent.
fn percentages(weights: &super::weights::Weights<String>, total: f64) -> Value {
    let entries = weights.entries().iter();
    let shares = entries.map(|(choice, weight)| (choice.clone(), Value::from(percent(*weight, total))));
    shares.collect::<Map<_, _>>().into()
}

/// A share in percent, with one place.
fn percent(weight: f64, total: f64) -> f64 {
    super::arithmetic::round(weight / total * 100.0, 1)
}
