//! The consensus on free-text answers: the answer with the most authority, and the most supported alternatives.

use serde_json::{Map, Value, json};

use super::expert_consensus::{ExpertConsensus, NoConsensus, details, normalized, percent, text_of};
use crate::rlcf::figures::arithmetic::round;
use crate::rlcf::figures::joined_records::ExpertOpinion;
use crate::rlcf::figures::weights::ChoiceWeights;
use crate::rlcf::known_values::POSITIONS;

const CONFIDENCES: [&str; 3] = ["high", "medium", "low"];

/// The supporters of an answer.
#[derive(Debug, Default)]
struct AnswerSupporters {
    /// The answer as its first supporter wrote it.
    answer: String,
    count: usize,
    /// The first reasoning of a supporter.
    reasoning: Option<String>,
    confidences: [u64; 3],
    positions: [u64; 3],
}

#[derive(Debug, Default)]
struct WeightedAnswers {
    weights: ChoiceWeights<String>,
    /// The supporters of each answer, in the order of the weights.
    supporters: Vec<AnswerSupporters>,
}

impl WeightedAnswers {
    fn add(&mut self, answer: &str, weight: f64, opinion: &ExpertOpinion<'_>) -> &mut AnswerSupporters {
        let place = self.weights.add(normalized(answer), weight);
        if place == self.supporters.len() {
            self.supporters
                .push(AnswerSupporters { answer: answer.to_owned(), ..AnswerSupporters::default() });
        }
        let supporters = &mut self.supporters[place];
        supporters.count += 1;
        if supporters.reasoning.is_none() && opinion.feedback.feedback_data.contains_key("reasoning") {
            supporters.reasoning = text_of(&opinion.feedback.feedback_data, "reasoning");
        }
        supporters
    }

    fn supporters_of(&self, key: &str) -> &AnswerSupporters {
        &self.supporters[self.weights.place(key).unwrap_or_default()]
    }

    /// Returns the heaviest answer, and up to `most_alternatives` others. For questions on statutes, also counts the
    /// experts' levels of confidence and their positions on the model's answer.
    fn consensus(
        &self,
        evaluators: usize,
        most_alternatives: usize,
        is_of_statutes: bool,
    ) -> Result<ExpertConsensus, NoConsensus> {
        let total = self.weights.total();
        let ranked = self.weights.descending();
        let &[(best, best_weight), ref others @ ..] = ranked.as_slice() else {
            return Err(NoConsensus::NothingValid("no valid answers found"));
        };
        if total == 0.0 {
            return Err(NoConsensus::NoWeight);
        }
        let alternatives = others.iter().take(most_alternatives).map(|(key, weight)| {
            let supporters = self.supporters_of(key);
            let mut alternative = json!({
                "answer": supporters.answer,
                "support_percentage": percent(*weight, total),
                "supporter_count": supporters.count,
            });
            if is_of_statutes {
                alternative["confidence_distribution"] = distribution(&supporters.confidences, &CONFIDENCES);
            }
            alternative["top_reasoning"] = supporters.reasoning.as_deref().unwrap_or_default().into();
            alternative
        });
        let supporters = self.supporters_of(best);
        let mut consensus = Map::new();
        consensus.insert("consensus_answer".to_owned(), supporters.answer.as_str().into());
        consensus.insert("confidence".to_owned(), round(best_weight / total, 3).into());
        consensus.insert("support_percentage".to_owned(), percent(*best_weight, total).into());
        consensus.insert("alternative_answers".to_owned(), alternatives.collect());
        consensus.insert("total_evaluators".to_owned(), evaluators.into());
        if is_of_statutes {
            let (confidences, positions) = (&supporters.confidences, &supporters.positions);
            consensus.insert("confidence_distribution".to_owned(), distribution(confidences, &CONFIDENCES));
            consensus.insert("position_distribution".to_owned(), distribution(positions, &POSITIONS));
        }
        consensus.insert("details".to_owned(), details(&self.weights, Clone::clone));
        Ok(consensus)
    }
}

/// Returns the consensus on a question. Answers that differ only in case and outer white space are the same.
pub(super) fn plain(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    let mut answers = WeightedAnswers::default();
    for opinion in opinions {
        if let Some(answer) = text_of(&opinion.feedback.feedback_data, "validated_answer") {
            answers.add(&answer, opinion.authority, opinion);
        }
    }
    answers.consensus(opinions.len(), 3, false)
}

/// Returns the consensus on a question on statutes. Confidence and position scale the authority.
pub(super) fn statutory(opinions: &[ExpertOpinion<'_>]) -> Result<ExpertConsensus, NoConsensus> {
    let mut answers = WeightedAnswers::default();
    for opinion in opinions {
        let data = &opinion.feedback.feedback_data;
        let Some(answer) = text_of(data, "validated_answer") else { continue };
        let confidence = text_of(data, "confidence").unwrap_or_else(|| "medium".to_owned());
        let position = text_of(data, "position").unwrap_or_else(|| "correct".to_owned());
        let by_confidence = match confidence.as_str() {
            "high" => 1.0,
            "low" => 0.4,
            _ => 0.7,
        };
        let by_position = match position.as_str() {
            "correct" => 1.0,
            "partially_correct" => 0.7,
            _ => 0.3,
        };
        let weight = opinion.authority * by_confidence * by_position;
        let supporters = answers.add(&answer, weight, opinion);
        count(&mut supporters.confidences, &CONFIDENCES, &confidence);
        count(&mut supporters.positions, &POSITIONS, &position);
    }
    answers.consensus(opinions.len(), 2, true)
}

/// Counts a word if it is one of the known words.
fn count(counts: &mut [u64; 3], words: &[&str; 3], word: &str) {
    if let Some(at) = words.iter().position(|known| *known == word) {
        counts[at] += 1;
    }
}

fn distribution(counts: &[u64; 3], words: &[&str; 3]) -> Value {
    let pairs = words.iter().zip(counts).map(|(word, count)| ((*word).to_owned(), Value::from(*count)));
    pairs.collect::<Map<_, _>>().into()
}
