//! What a sample gets that must be there and that the data it is made of do not say. Each use is
//! counted, so that a person can be told.

use crate::source::counts::Counts;
use crate::source::rewriting::StyledJson;

/// The version of a dataset that was made.
pub(super) const DATASET_VERSION: &str = "1.0.0";
/// Whom an answer is for.
pub(super) const PERSONA: &str = "educator";
/// What stands for a text that is not known.
pub(super) const UNKNOWN: &str = "unknown";

/// Writes the `metadata` of a sample that nobody has looked at.
pub(super) fn write_metadata(json: &mut StyledJson, defaults: &mut Counts) {
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
