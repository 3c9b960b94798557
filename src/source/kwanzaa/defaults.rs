//! What a sample gets that must be there and that the data it is made of do not say. Each use is
//! counted, so that a person can be told.

use crate::source::counts::Counts;
use crate::source::rewriting::StyledJson;

/// Whom an answer is for.
pub(super) const PERSONA: &str = "educator";
/// What stands for a text that is not known.
pub(super) const UNKNOWN: &str = "unknown";

/// Begins a dataset that is made at a time.
pub(super) fn open_dataset(json: &mut StyledJson, defaults: &mut Counts, time: &str) {
    json.open('{').key("dataset_version").string("1.0.0");
    json.key("created_at").string(time);
    defaults.add("`dataset_version` is 1.0.0, `created_at` the time of the conversion");
}

/// Begins the `metadata` of a sample that nobody has looked at; `remark` ends what is told of it.
pub(super) fn open_metadata(json: &mut StyledJson, defaults: &mut Counts, remark: &str) {
    json.key("metadata").open('{').key("difficulty").string("medium");
    json.key("principle_focus").open('[').item().string("Imani");
    json.close(']');
    json.key("quality_score").scalar("0.0");
    defaults.add(&format!("`difficulty` is medium, `principle_focus` Imani, `quality_score` 0, {remark}"));
}
