//! Metadata of a dataset or question that some dialects store in properties, because they have no key for it.
//!
//! `CheckpointReader` is defined in `checkpoint_reader.rs` and `PlacedValue` in `value.rs`.

use super::checkpoint_reader::CheckpointReader;
use super::{Checkpoint, CheckpointQuestion, KeywordValues, PlacedValue};
use crate::checkpoint::dialect::CheckpointDialect;
use evalgraph_diagnostics::FindingSeverity;
use evalgraph_json::{Limits, parse};

/// Properties of the root that say in which format the file is written.
pub(in crate::checkpoint) const FORMAT_TAGS: [&str; 2] =
    ["checkpoint_format_version", "benchmark_format_version"];

impl<'d> CheckpointReader<'d> {
    /// Drops the format tags, and takes version and creator from properties if the keys could not hold them.
    pub(super) fn take_metadata(&mut self, checkpoint: &mut Checkpoint<'d>) {
        let is_tag = |version: &PlacedValue<'_>| version.as_str().is_some_and(|text| text.contains("jsonld"));
        checkpoint.properties.retain(|property| !FORMAT_TAGS.contains(&property.name.as_str()));
        let has_tag = matches!(
            checkpoint.dialect,
            CheckpointDialect::S0 | CheckpointDialect::S0b | CheckpointDialect::S0c
        );
        if has_tag && checkpoint.version.as_ref().is_some_and(is_tag) {
            checkpoint.version = take(checkpoint, "version");
        }
        let creator = checkpoint.property("creator").and_then(|property| property.value.as_ref());
        if let Some(whole) = creator.and_then(PlacedValue::inner_json).filter(PlacedValue::is_object) {
            take(checkpoint, "creator");
            checkpoint.creator = Some(whole);
        }
    }

    /// Takes the keywords from a property, which is where the first specification stores them.
    pub(super) fn take_keywords(&mut self, question: &mut CheckpointQuestion<'d>) {
        if question.keywords.is_some() {
            return;
        }
        let Some(at) = question.properties.iter().position(|property| property.name == "keywords") else {
            return;
        };
        let Some(value) = &question.properties[at].value else { return };
        let origin = value.origin;
        let Some(list) = value.inner_json().filter(PlacedValue::is_array) else {
            let message = "`keywords` is not a string with a JSON list; it stays a property".to_owned();
            self.find(FindingSeverity::Warning, "karenina::no-json", message, origin.token);
            return;
        };
        let Ok(inner) = parse("keywords", list.as_json().to_owned(), Limits::default()) else { return };
        let here = |token| PlacedValue::json(PlacedValue::at(&inner, token).as_json().to_owned(), origin);
        let values = inner.items(inner.root()).map(here).collect();
        question.keywords = Some(KeywordValues { origin, values });
        question.properties.remove(at);
    }
}

/// Removes the first property of a name and returns its value.
fn take<'d>(checkpoint: &mut Checkpoint<'d>, name: &str) -> Option<PlacedValue<'d>> {
    let at = checkpoint.properties.iter().position(|property| property.name == name)?;
    checkpoint.properties.remove(at).value
}

impl<'d> PlacedValue<'d> {
    /// Returns the value if it is an object or list; a string is parsed as JSON first.
    pub(in crate::checkpoint) fn inner_json(&self) -> Option<PlacedValue<'d>> {
        let inner = parse("text", self.shown().into_owned(), Limits::default()).ok()?;
        let found = PlacedValue::at(&inner, inner.root()).as_json().to_owned();
        found.starts_with(['[', '{']).then(|| PlacedValue::json(found, self.origin))
    }
}
