//! One line of `stats` about a file: a figure and its name.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::diagnostic::thousands;

/// A figure: its key in JSON, its label for people, and its value for both.
pub(super) struct Fact {
    pub(super) key: &'static str,
    pub(super) label: String,
    pub(super) shown: String,
    pub(super) value: Value,
}

/// Makes a figure.
pub(super) fn fact(
    key: &'static str,
    label: impl Into<String>,
    shown: impl Into<String>,
    value: impl Into<Value>,
) -> Fact {
    Fact { key, label: label.into(), shown: shown.into(), value: value.into() }
}

/// Makes a figure that is a count.
pub(super) fn count(key: &'static str, label: &'static str, count: u64) -> Fact {
    fact(key, label, thousands(count), count)
}

/// Makes a figure of counts by a value.
pub(super) fn by_value(key: &'static str, label: &'static str, counts: &BTreeMap<String, u64>) -> Fact {
    let shown: Vec<String> =
        counts.iter().map(|(value, count)| format!("{value} {}", thousands(*count))).collect();
    fact(key, label, shown.join(", "), json!(counts))
}
