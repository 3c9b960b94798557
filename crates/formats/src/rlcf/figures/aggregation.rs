//! The aggregation that preserves uncertainty: a consensus if experts agree; if they disagree, also their positions,
//! the points of contention and their ways of reasoning.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::arithmetic::{round_scaled, sum};
use super::consensus::{ExpertConsensus, NoConsensus, consensus, text_of};
use super::disagreement::{disagreement, entropy};
use super::figure_settings::FigureSettings;
use super::joined_records::ExpertOpinion;
use super::model::LegalTask;
use super::position::PositionKey;
use super::python_text;
use super::weights::ChoiceWeights;

/// The result of aggregating the opinions on a task.
#[derive(Debug, Clone)]
pub struct OpinionAggregation {
    /// The joint answer of the experts.
    pub consensus: ExpertConsensus,
    /// Their disagreement, from 0 to 1.
    pub disagreement: f64,
    /// `true` if the disagreement is above the threshold.
    pub is_contested: bool,
    /// The positions, the heaviest first.
    pub positions: Vec<SupportedPosition>,
    /// The number of experts who gave feedback.
    pub evaluators: usize,
    /// The number of feedback records that take no position.
    pub without_position: usize,
    /// The fields in which all experts who fill them in agree.
    pub consensus_areas: Vec<String>,
    /// The fields in which experts disagree, the most contested first.
    pub contention_points: Vec<ContentionPoint>,
    /// The ways of reasoning, each with the experts who use it.
    pub reasoning_patterns: Vec<(&'static str, Vec<String>)>,
}

/// A position and its supporters.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportedPosition {
    /// The text of the position.
    pub position: String,
    /// The authority behind it.
    pub weight: f64,
    /// The usernames of all its supporters.
    pub supporters: Vec<String>,
    /// The reasoning of the first supporter.
    pub reasoning: String,
}

/// A field that experts fill in differently.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentionPoint {
    /// The field.
    pub aspect: String,
    /// Its values with the authority behind each.
    pub positions: Vec<(String, f64)>,
    /// Their entropy in nats.
    pub disagreement_level: f64,
}

/// Aggregates the opinions on a task.
///
/// # Errors
/// The errors of [`consensus`].
pub fn aggregate(
    task: &LegalTask,
    opinions: &[ExpertOpinion<'_>],
    key: PositionKey,
    settings: &FigureSettings,
) -> Result<OpinionAggregation, NoConsensus> {
    let consensus = consensus(&task.task_type, opinions, settings)?;
    let (positions, weights) = positions(&task.task_type, opinions, key);
    let disagreement = disagreement(&weights);
    let (consensus_areas, contention_points) = areas(opinions, settings);
    Ok(OpinionAggregation {
        consensus,
        disagreement,
        is_contested: disagreement > settings.thresholds.disagreement,
        evaluators: opinions.len(),
        without_position: opinions.len() - positions.iter().map(|one| one.supporters.len()).sum::<usize>(),
        positions,
        consensus_areas,
        contention_points,
        reasoning_patterns: reasoning_patterns(opinions),
    })
}

/// Returns the positions, the heaviest first, and their weights in the order of first mention, which is the order of
/// summation.
fn positions(
    task_type: &str,
    opinions: &[ExpertOpinion<'_>],
    key: PositionKey,
) -> (Vec<SupportedPosition>, Vec<f64>) {
    let mut weights: ChoiceWeights<String> = ChoiceWeights::default();
    let mut positions: Vec<SupportedPosition> = Vec::new();
    for opinion in opinions {
        let data = &opinion.feedback.feedback_data;
        let Some(position) = key.position_of(task_type, data) else { continue };
        let place = weights.add(position.clone(), opinion.authority);
        if place == positions.len() {
            let reasoning = text_of(data, "reasoning").unwrap_or_default();
            positions.push(SupportedPosition { position, weight: 0.0, supporters: Vec::new(), reasoning });
        }
        positions[place].supporters.push(opinion.author.username.clone());
    }
    let values = weights.values();
    for (position, weight) in positions.iter_mut().zip(&values) {
        position.weight = *weight;
    }
    positions.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    (positions, values)
}

fn areas(opinions: &[ExpertOpinion<'_>], settings: &FigureSettings) -> (Vec<String>, Vec<ContentionPoint>) {
    // Sorted by key, because the order of keys may differ from that of the file.
    let mut fields: BTreeMap<&str, ChoiceWeights<String>> = BTreeMap::new();
    for opinion in opinions {
        for (key, value) in &opinion.feedback.feedback_data {
            fields.entry(key).or_default().add(python_text::text(value), opinion.authority);
        }
    }
    let (mut agreed, mut contested) = (Vec::new(), Vec::new());
    for (key, values) in &fields {
        if let [(value, _)] = values.entries() {
            agreed.push(format!("{key}: {value}"));
            continue;
        }
        let total = values.total();
        if total == 0.0 {
            // All these experts have an authority of 0, so there are no shares.
            continue;
        }
        let shares: Vec<f64> = values.values().iter().map(|weight| weight / total).collect();
        let disagreement_level = entropy(&shares);
        if disagreement_level > settings.thresholds.contention {
            let positions = values.entries().to_vec();
            let aspect = (*key).to_owned();
            contested.push(ContentionPoint { aspect, positions, disagreement_level });
        }
    }
    contested.sort_by(|a, b| b.disagreement_level.total_cmp(&a.disagreement_level));
    (agreed, contested)
}

/// Words that reveal a way of reasoning.
const PATTERNS: [(&str, [&str; 2]); 3] = [
    ("precedent-based", ["precedent", "case law"]),
    ("principle-based", ["principle", "fundamental"]),
    ("pragmatic", ["practical", "consequence"]),
];

fn reasoning_patterns(opinions: &[ExpertOpinion<'_>]) -> Vec<(&'static str, Vec<String>)> {
    let mut patterns: Vec<(&'static str, Vec<String>)> = Vec::new();
    for opinion in opinions {
        let Some(reasoning) = opinion.feedback.feedback_data.get("reasoning") else { continue };
        let reasoning = python_text::text(reasoning).to_lowercase();
        let pattern = PATTERNS.iter().find(|(_, words)| words.iter().any(|word| reasoning.contains(word)));
        let name = pattern.map_or("other", |(name, _)| name);
        let user = opinion.author.id.clone();
        match patterns.iter_mut().find(|(known, _)| *known == name) {
            Some((_, users)) => users.push(user),
            None => patterns.push((name, vec![user])),
        }
    }
    patterns
}

impl OpinionAggregation {
    /// Returns how certain the consensus is.
    pub fn confidence_level(&self) -> f64 {
        round_scaled(1.0 - self.disagreement, 2)
    }

    /// Returns the authority of all positions together.
    pub fn total_authority_weight(&self) -> f64 {
        sum(self.positions.iter().map(|position| position.weight))
    }

    /// Returns the share of the authority behind a position, in percent.
    pub fn support(&self, position: &SupportedPosition) -> f64 {
        let total = self.total_authority_weight();
        if total == 0.0 { 0.0 } else { position.weight / total * 100.0 }
    }

    /// Returns the result with RLCF's keys.
    pub fn to_json(&self) -> Value {
        let answer = self.consensus.get("consensus_answer").cloned().unwrap_or_default();
        let disagreement_score = round_scaled(self.disagreement, 3);
        if !self.is_contested {
            return json!({
                "consensus_answer": answer,
                "confidence_level": self.confidence_level(),
                "transparency_metrics": {
                    "evaluator_count": self.evaluators,
                    "consensus_strength": "high",
                    "disagreement_score": disagreement_score,
                },
            });
        }
        let total = self.total_authority_weight();
        let alternatives = self.positions.iter().skip(1).map(|one| {
            json!({
                "position": one.position,
                "support": format!("{:.1}%", self.support(one)),
                "supporters": one.supporters.iter().take(3).collect::<Vec<_>>(),
                "reasoning": one.reasoning,
            })
        });
        let research = self.contention_points.iter().take(3).map(|point| {
            let (aspect, level) = (&point.aspect, point.disagreement_level);
            format!("Further investigate {aspect} - disagreement level: {level:.2}")
        });
        json!({
            "primary_answer": answer,
            "confidence_level": self.confidence_level(),
            "alternative_positions": alternatives.collect::<Vec<_>>(),
            "expert_disagreement": {
                "consensus_areas": self.consensus_areas,
                "contention_points": self.contention_points.iter().map(ContentionPoint::to_json).collect::<Vec<_>>(),
                "reasoning_patterns": self.patterns_to_json(),
            },
            "epistemic_metadata": {
                "uncertainty_sources": ["expert_disagreement", "multiple_valid_interpretations"],
                "suggested_research": research.collect::<Vec<_>>(),
            },
            "transparency_metrics": {
                "evaluator_count": self.evaluators,
                "total_authority_weight": total,
                "disagreement_score": disagreement_score,
            },
        })
    }

    fn patterns_to_json(&self) -> Value {
        let patterns = self.reasoning_patterns.iter();
        let patterns = patterns.map(|(name, users)| {
            let users: Vec<Value> = users.iter().map(|user| id_to_json(user)).collect();
            ((*name).to_owned(), Value::from(users))
        });
        patterns.collect::<Map<_, _>>().into()
    }
}

impl ContentionPoint {
    fn to_json(&self) -> Value {
        let positions = self.positions.iter().map(|(value, weight)| (value.clone(), Value::from(*weight)));
        json!({
            "aspect": self.aspect,
            "positions": positions.collect::<Map<_, _>>(),
            "disagreement_level": self.disagreement_level,
        })
    }
}

/// Returns an id as RLCF writes it: as a number if it is one.
pub fn id_to_json(id: &str) -> Value {
    let number = id.parse::<u64>().ok().filter(|number| number.to_string() == id);
    number.map_or_else(|| Value::from(id), Value::from)
}
