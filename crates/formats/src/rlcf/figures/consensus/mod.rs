//! The consensus of the experts on a task, weighed by their authority: one way of counting for each
//! task type.
//!
//! The results have the keys of RLCF's task handlers. Where a handler would divide by a weight of
//! zero, there is no consensus, and the error gives the reason.

mod answers;
mod labels;
mod ratings;
mod saying;
mod tags;

use super::joined::Opinion;
use super::settings::Settings;
pub(in crate::rlcf) use saying::texts_of;
pub use saying::{Consensus, NoConsensus};
pub(super) use saying::{labels_of, normalized, text_of};

/// Returns the consensus of the experts on a task.
///
/// # Errors
/// The reason why there is no consensus.
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
