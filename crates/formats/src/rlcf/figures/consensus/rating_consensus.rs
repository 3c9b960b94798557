//! The consensus on summaries and drafts: most of the authority accepts the text of the model, or else the best
//! revision counts.

use serde_json::{Map, Value, json};

use super::expert_consensus::{ExpertConsensus, NoConsensus, details, text_of};
use crate::rlcf::figures::arithmetic::round;
use crate::rlcf::figures::figure_settings::FigureSettings;
use crate::rlcf::figures::joined_records::ExpertOpinion;
use crate::rlcf::figures::weights::ChoiceWeights;

/// The names for a kind of text in feedback and results.
pub(super) struct RatingVocabulary {
    /// The rating that accepts a text, and the one that refuses it.
    ratings: [&'static str; 2],
    revision_key: &'static str,
    percentage_keys: [&'static str; 2],
    revisions_key: &'static str,
    text_key: &'static str,
    accepted: &'static str,
    refused: &'static str,
    has_reasoning: bool,
}

pub(super) const SUMMARIES: RatingVocabulary = RatingVocabulary {
    ratings: ["good", "bad"],
    revision_key: "revised_summary",
    percentage_keys: ["good_percentage", "bad_percentage"],
    revisions_key: "revised_summaries",
    text_key: "summary",
    accepted: "Summary quality acceptable",
    refused: "Summary needs improvement",
    has_reasoning: false,
};

pub(super) const DRAFTS: RatingVocabulary = RatingVocabulary {
    ratings: ["better", "worse"],
    revision_key: "revised_target",
    percentage_keys: ["better_percentage", "worse_percentage"],
    revisions_key: "revised_drafts",
    text_key: "draft",
    accepted: "Draft quality is acceptable",
    refused: "Draft needs significant improvement",
    has_reasoning: true,
};

/// Returns the text of the model if most of the authority accepts it, otherwise the best revision.
pub(super) fn rated(
    opinions: &[ExpertOpinion<'_>],
    words: &RatingVocabulary,
    settings: &FigureSettings,
) -> Result<ExpertConsensus, NoConsensus> {
    let mut weights = ChoiceWeights::default();
    for rating in words.ratings {
        weights.add(rating.to_owned(), 0.0);
    }
    let [accepting, _] = words.ratings;
    let (mut has_rating, mut revisions) = (false, Vec::new());
    for opinion in opinions {
        let data = &opinion.feedback.feedback_data;
        let rating = text_of(data, "rating");
        if let Some(rating) = rating.as_ref().filter(|rating| words.ratings.contains(&rating.as_str())) {
            has_rating = true;
            weights.add(rating.clone(), opinion.authority);
        }
        let revision = text_of(data, words.revision_key);
        if let Some(revision) = revision.filter(|_| rating.as_deref() == Some(accepting)) {
            revisions.push((revision, opinion));
        }
    }
    let total = weights.total();
    if total == 0.0 {
        let reason = NoConsensus::NothingValid("no valid ratings found");
        return Err(if has_rating { NoConsensus::NoWeight } else { reason });
    }
    revisions.sort_by(|a, b| b.1.authority.total_cmp(&a.1.authority));
    let accepted = weights.weight_of(accepting) / total * 100.0;
    let answer = match revisions.first() {
        _ if accepted > settings.thresholds.rating_majority => words.accepted,
        Some((revision, _)) => revision,
        None => words.refused,
    };
    let [accepted_key, refused_key] = words.percentage_keys;
    let best: Vec<Value> =
        revisions.iter().take(3).map(|(text, opinion)| revised(text, opinion, words)).collect();
    let mut consensus = Map::new();
    consensus.insert("consensus_answer".to_owned(), Value::from(answer));
    consensus.insert("confidence".to_owned(), Value::from((accepted - 50.0).abs() / 50.0));
    let assessment = json!({accepted_key: round(accepted, 1), refused_key: round(100.0 - accepted, 1)});
    consensus.insert("quality_assessment".to_owned(), assessment);
    consensus.insert(words.revisions_key.to_owned(), Value::from(best));
    consensus.insert("details".to_owned(), details(&weights, Clone::clone));
    Ok(consensus)
}

fn revised(text: &str, opinion: &ExpertOpinion<'_>, words: &RatingVocabulary) -> Value {
    let mut revision = json!({
        words.text_key: text,
        "author": opinion.author.username,
        "authority": opinion.authority,
        "rating": words.ratings[0],
    });
    if words.has_reasoning {
        let reasoning = text_of(&opinion.feedback.feedback_data, "reasoning");
        revision["reasoning"] = Value::from(reasoning.unwrap_or_default());
    }
    revision
}
