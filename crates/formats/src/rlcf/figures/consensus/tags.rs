//! The consensus on tags of tokens: a vote at each position of the sequence.

use serde_json::{Map, Value, json};

use super::expert_consensus::{ExpertConsensus, NoConsensus, details, texts_of};
use crate::rlcf::figures::arithmetic::{mean, round_scaled};
use crate::rlcf::figures::joined_records::ExpertOpinion;
use crate::rlcf::figures::weights::ChoiceWeights;

/// Returns the consensus on named entities: the tag with the most authority at each position, or `O` if no tag has any
/// authority.
pub(super) fn sequences(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    let mut positions: Vec<ChoiceWeights<String>> = Vec::new();
    for opinion in opinions {
        for (at, tag) in texts_of(&opinion.feedback.feedback_data, "validated_tags").into_iter().enumerate() {
            if at == positions.len() {
                positions.push(ChoiceWeights::default());
            }
            positions[at].add(tag, opinion.authority);
        }
    }
    if positions.is_empty() {
        return Err(NoConsensus::NothingValid("no valid tags found"));
    }
    let chosen: Vec<(String, f64)> = positions.iter().map(chosen).collect();
    let confidences: Vec<f64> = chosen.iter().map(|(_, confidence)| *confidence).collect();
    let tags: Vec<&str> = chosen.iter().map(|(tag, _)| tag.as_str()).collect();
    let confidence = round_scaled(mean(&confidences).unwrap_or(0.0), 3);
    let all = positions.iter().enumerate().map(|(at, tags)| (at.to_string(), details(tags, Clone::clone)));
    let all: Map<String, Value> = all.collect();
    let mut consensus = Map::new();
    consensus.insert("consensus_answer".to_owned(), Value::from(format!("NER tags: {}", tags.join(" "))));
    consensus.insert("confidence".to_owned(), Value::from(confidence));
    consensus.insert("consensus_tags".to_owned(), json!(tags));
    consensus.insert("position_confidence".to_owned(), json!(confidences));
    consensus.insert("details".to_owned(), Value::from(all));
    Ok(consensus)
}

fn chosen(tags: &ChoiceWeights<String>) -> (String, f64) {
    let total = tags.total();
    match tags.heaviest() {
        Some((tag, weight)) if total > 0.0 => (tag.clone(), weight / total),
        _ => ("O".to_owned(), 0.0),
    }
}
