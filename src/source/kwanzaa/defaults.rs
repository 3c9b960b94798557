//! What a sample gets that must be there and that the data it is made of do not say. Each use is
//! counted, so that a person can be told.

use crate::source::rewriting::StyledJson;
use std::collections::BTreeMap;

/// The version of a dataset that was made.
pub(super) const DATASET_VERSION: &str = "1.0.0";
/// Whom an answer is for.
pub(super) const PERSONA: &str = "educator";
/// What stands for a text that is not known.
pub(super) const UNKNOWN: &str = "unknown";

/// What was said of the data without their saying it, with how often.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Defaults {
    counts: BTreeMap<String, u64>,
}

impl Defaults {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn add(&mut self, what: &str) {
        match self.counts.get_mut(what) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(what.to_owned(), 1)),
        }
    }

    /// Each with how often, in the order of the alphabet.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(what, count)| (what.as_str(), *count))
    }
}

/// Writes the `metadata` of a sample that nobody has looked at.
pub(super) fn write_metadata(json: &mut StyledJson, defaults: &mut Defaults) {
    json.open('{');
    json.key("difficulty");
    json.string("medium");
    json.key("principle_focus");
    json.open_array(true);
    json.item();
    json.string("Imani");
    json.close(']');
    json.key("quality_score");
    json.scalar("0.0");
    json.close('}');
    defaults
        .add("`difficulty` is medium, `principle_focus` Imani, `quality_score` 0, which asks for a review");
}
