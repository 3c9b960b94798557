//! Croissant: its rules over documents of our own, the metadata of real datasets, and its own program beside them.

pub(crate) mod changes;
pub(crate) mod metadata;
pub(crate) mod peer;
pub(crate) mod rules;

use super::lines_of;
use super::places::placed;
use evalgraph::diagnostic::SourcePlace;
use evalgraph::schema_org::SchemaOrgFinding;
use serde_json::Value;

/// The base of the documents.
const BASE: &str = "https://example.org/doc";

/// What is found in a document, each with its place.
pub(crate) fn found(document: &Value) -> Vec<(SchemaOrgFinding, Option<SourcePlace>)> {
    placed(&serde_json::to_string_pretty(document).expect("it is JSON"), Some(BASE))
}

/// What is found in a document: each finding in a line, with `@` and the pointer of its place, sorted.
pub(crate) fn rows(document: &Value) -> Vec<String> {
    let row = |(finding, place): (SchemaOrgFinding, Option<SourcePlace>)| {
        let line = lines_of(&[finding])[0].replace("https://example.org/", "");
        let pointer = place.and_then(|place| place.pointer);
        format!("{line} @ {}", pointer.unwrap_or_else(|| "nowhere".to_owned()))
    };
    let mut rows: Vec<String> = found(document).into_iter().map(row).collect();
    rows.sort();
    rows
}
