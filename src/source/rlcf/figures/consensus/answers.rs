//! Answers in words: the one with the most authority behind it, and the best alternatives.

use serde_json::{Map, Value, json};

use super::saying::{Consensus, NoConsensus, details, normalized, percent, text_of};
use crate::source::rlcf::figures::arithmetic::round;
use crate::source::rlcf::figures::joined::Opinion;
use crate::source::rlcf::figures::weights::Weights;

const CONFIDENCES: [&str; 3] = ["high", "medium", "low"];
const POSITIONS: [&str; 3] = ["correct", "partially_correct", "incorrect"];

/// Those who give one answer.
#[derive(Debug, Default)]
struct Supporters {
    /// The answer as the first of them wrote it.
    answer: String,
    count: usize,
    /// The reasoning of the first who gave one.
    reasoning: Option<String>,
    confidences: [u64; 3],
    positions: [u64; 3],
}

#[derive(Debug, Default)]
struct Answers {
    weights: Weights<String>,
    /// In the order of the weights.
    supporters: Vec<Supporters>,
}

impl Answers {
    fn add(&mut self, answer: &str, weight: f64, opinion: &Opinion<'_>) -> &mut Supporters {
        let key = normalized(answer);
        let known = self.weights.len();
        self.weights.add(key.clone(), weight);
        if self.weights.len() > known {
            self.supporters.push(Supporters { answer: answer.to_owned(), ..Supporters::default() });
        }
        let place = self.place(&key);
        let supporters = &mut self.supporters[place];
        supporters.count += 1;
        if supporters.reasoning.is_none() && opinion.feedback.feedback_data.contains_key("reasoning") {
            supporters.reasoning = text_of(&opinion.feedback.feedback_data, "reasoning");
        }
        supporters
    }

    fn place(&self, key: &str) -> usize {
        self.weights.place(key).unwrap_or_default()
    }

    fn of(&self, key: &str) -> &Supporters {
        &self.supporters[self.place(key)]
    }

    /// The total weight, where anything can be divided by it.
    fn total(&self) -> Result<f64, NoConsensus> {
        if self.weights.is_empty() {
            return Err(NoConsensus::NothingValid("no valid answers found"));
        }
        Some(self.weights.total()).filter(|total| *total != 0.0).ok_or(NoConsensus::NoWeight)
    }
}

/// Questions: answers that differ only in case and outer white space are one.
pub(super) fn plain(opinions: &[Opinion<'_>]) -> Result<Consensus, NoConsensus> {
    let mut answers = Answers::default();
    for opinion in opinions {
        if let Some(answer) = text_of(&opinion.feedback.feedback_data, "validated_answer") {
            answers.add(&answer, opinion.authority, opinion);
        }
    }
    let total = answers.total()?;
    let ranked = answers.weights.descending();
    let (best, best_weight) = ranked[0];
    let alternatives = ranked[1..].iter().take(3).map(|(key, weight)| {
        let supporters = answers.of(key);
        json!({
            "answer": supporters.answer,
            "support_percentage": percent(*weight, total),
            "supporter_count": supporters.count,
            "top_reasoning": supporters.reasoning.as_deref().unwrap_or_default(),
        })
    });
    Ok(members(json!({
        "consensus_answer": answers.of(best).answer,
        "confidence": round(best_weight / total, 3),
        "support_percentage": percent(*best_weight, total),
        "alternative_answers": alternatives.collect::<Vec<_>>(),
        "total_evaluators": opinions.len(),
        "details": details(&answers.weights, Clone::clone),
    })))
}

/// Questions on statutes: confidence and position scale the authority.
pub(super) fn statutory(opinions: &[Opinion<'_>]) -> Result<Consensus, NoConsensus> {
    let mut answers = Answers::default();
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
    let total = answers.total()?;
    let ranked = answers.weights.descending();
    let (best, best_weight) = ranked[0];
    let alternatives = ranked[1..].iter().take(2).map(|(key, weight)| {
        let supporters = answers.of(key);
        json!({
            "answer": supporters.answer,
            "support_percentage": percent(*weight, total),
            "supporter_count": supporters.count,
            "confidence_distribution": distribution(&supporters.confidences, &CONFIDENCES),
            "top_reasoning": supporters.reasoning.as_deref().unwrap_or_default(),
        })
    });
    let supporters = answers.of(best);
    Ok(members(json!({
        "consensus_answer": supporters.answer,
        "confidence": round(best_weight / total, 3),
        "support_percentage": percent(*best_weight, total),
        "alternative_answers": alternatives.collect::<Vec<_>>(),
        "total_evaluators": opinions.len(),
        "confidence_distribution": distribution(&supporters.confidences, &CONFIDENCES),
        "position_distribution": distribution(&supporters.positions, &POSITIONS),
        "details": details(&answers.weights, Clone::clone),
    })))
}

/// Counts a word; what is none of the known words is not counted.
fn count(counts: &mut [u64; 3], words: &[&str; 3], word: &str) {
    if let Some(at) = words.iter().position(|known| *known == word) {
        counts[at] += 1;
    }
}

fn distribution(counts: &[u64; 3], words: &[&str; 3]) -> Value {
    let pairs = words.iter().zip(counts).map(|(word, count)| ((*word).to_owned(), Value::from(*count)));
    pairs.collect::<Map<_, _>>().into()
}

fn members(value: Value) -> Consensus {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
