//! Named figures about files of records.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde_json::{Value, json};

use super::corpus::{Corpus, GoldDocuments};
use evalgraph_diagnostics::thousands;
use evalgraph_json::JsonDocument;

/// Counts the records of a file, which may be read in parts.
pub trait RecordTally: Debug + Send + Sync {
    /// Counts the records of a document. Evaluations are measured by the documents that rows name, which `gold` has.
    fn add(&mut self, document: &JsonDocument, gold: &GoldDocuments);

    /// Returns the figures. For rows, `corpus` is the corpus next to them, which has figures too.
    fn facts(&self, corpus: Option<&Corpus>) -> Vec<NamedFigure>;
}

/// A figure.
#[derive(Debug, Clone)]
pub struct NamedFigure {
    /// Its key in JSON.
    pub key: &'static str,
    /// Its name for readers.
    pub label: String,
    /// Its value for readers.
    pub shown: String,
    /// Its value in JSON.
    pub value: Value,
}

/// Makes a figure.
pub fn fact(
    key: &'static str,
    label: impl Into<String>,
    shown: impl Into<String>,
    value: impl Into<Value>,
) -> NamedFigure {
    NamedFigure { key, label: label.into(), shown: shown.into(), value: value.into() }
}

/// Makes a figure that is a count.
pub fn count(key: &'static str, label: &'static str, count: u64) -> NamedFigure {
    fact(key, label, thousands(count), count)
}

/// Makes a figure of counts by value.
pub fn by_value(key: &'static str, label: &'static str, counts: &BTreeMap<String, u64>) -> NamedFigure {
    let shown: Vec<String> =
        counts.iter().map(|(value, count)| format!("{value} {}", thousands(*count))).collect();
    fact(key, label, shown.join(", "), json!(counts))
}
