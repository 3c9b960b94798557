//! What the experts of one task say together, weighed by their authority: one way of counting for each
//! type of task.
//!
//! The results have the keys of RLCF's task handlers. Where a handler would divide by a weight of
//! zero, there is no consensus, and the reason is said.

mod answers;
mod labels;
mod ratings;
mod saying;
mod tags;

use super::joined::Opinion;
use super::settings::Settings;
pub(in crate::source::rlcf) use saying::texts_of;
pub use saying::{Consensus, NoConsensus};
pub(super) use saying::{labels_of, normalized, text_of};

/// Returns what the experts of a task say together.
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
        "SUMMARIZATION" => ratings::rated(opinions, &ratings::SUMMARIES, settings),
        "PREDICTION" => labels::outcomes(opinions),
        "NLI" => labels::relationships(opinions),
        "NER" => tags::sequences(opinions),
        "DRAFTING" => ratings::rated(opinions, &ratings::DRAFTS, settings),
        "RISK_SPOTTING" => labels::risks(opinions),
        "DOCTRINE_APPLICATION" => labels::doctrines(opinions),
        _ => Err(NoConsensus::UnknownType),
    }
}
