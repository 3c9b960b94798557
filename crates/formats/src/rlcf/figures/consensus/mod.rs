//! The consensus of the experts on a task, weighed by their authority. Each task type has its method of counting.
//!
//! The results have the keys of RLCF's task handlers. Where a handler would divide by a weight of zero, there is no
//! consensus, and the error gives the reason.

mod answers;
mod expert_consensus;
mod labels;
mod rating_consensus;
mod tags;

use super::figure_settings::FigureSettings;
use super::joined_records::ExpertOpinion;
pub(in crate::rlcf) use expert_consensus::texts_of;
pub use expert_consensus::{ExpertConsensus, NoConsensus};
pub(super) use expert_consensus::{labels_of, normalized, text_of};

/// Returns the consensus of the experts on a task.
///
/// # Errors
/// The reason why there is no consensus.
pub fn consensus(
    task_type: &str,
    opinions: &[ExpertOpinion<'_>],
    settings: &FigureSettings,
) -> Result<ExpertConsensus, NoConsensus> {
    if opinions.is_empty() {
        return Err(NoConsensus::NoFeedback);
    }
    match task_type {
        "QA" => answers::plain(opinions),
        "STATUTORY_RULE_QA" => answers::statutory(opinions),
        "CLASSIFICATION" => labels::sets(opinions),
        "SUMMARIZATION" => rating_consensus::rated(opinions, &rating_consensus::SUMMARIES, settings),
        "PREDICTION" => labels::outcomes(opinions),
        "NLI" => labels::relationships(opinions),
        "NER" => tags::sequences(opinions),
        "DRAFTING" => rating_consensus::rated(opinions, &rating_consensus::DRAFTS, settings),
        "RISK_SPOTTING" => labels::risks(opinions),
        "DOCTRINE_APPLICATION" => labels::doctrines(opinions),
        _ => Err(NoConsensus::UnknownType),
    }
}
