//! Defaults for required members of a sample that its source does not have. Each use is counted, and the counts are
//! reported.

use crate::counts::ConversionCounts;
use crate::rewriting::StyledJson;

/// The default persona.
pub(super) const PERSONA: &str = "educator";
/// The value of an unknown string.
pub(super) const UNKNOWN: &str = "unknown";

/// Begins a dataset with its time of creation.
pub(super) fn open_dataset(json: &mut StyledJson, defaults: &mut ConversionCounts, time: &str) {
    json.open('{').key("dataset_version").string("1.0.0");
    json.key("created_at").string(time);
    defaults.add("`dataset_version` is 1.0.0, `created_at` the time of the conversion");
}

/// Begins the `metadata` of an unreviewed sample; `remark` ends the note on its defaults.
pub(super) fn open_metadata(json: &mut StyledJson, defaults: &mut ConversionCounts, remark: &str) {
    json.key("metadata").open('{').key("difficulty").string("medium");
    json.key("principle_focus").open('[').item().string("Imani");
    json.close(']');
    json.key("quality_score").scalar("0.0");
    defaults.add(&format!("`difficulty` is medium, `principle_focus` Imani, `quality_score` 0, {remark}"));
}
