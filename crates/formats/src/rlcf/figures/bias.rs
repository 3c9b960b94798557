//! The bias of the opinions on a task in six dimensions, and its total.
//!
//! Each dimension compares positions: who takes the same position, when, and after whom. Feedback without a position is
//! left out.

use std::collections::HashMap;

use chrono::NaiveDateTime;

use super::arithmetic::mean;
use super::figure_settings::FigureSettings;
use super::joined_records::{ExpertOpinion, JoinedRecords};
use super::model::{ExpertUser, LegalTask};
use super::position::PositionKey;
use super::weights::ChoiceWeights;
use crate::rlcf::known_values::PROFESSIONAL_EXPERIENCE;

/// The bias of a task.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TaskBias {
    /// How far experts with similar experience agree: the mean of the largest shares in their groups.
    pub demographic: f64,
    /// 1 if the first expert departs from the majority of the same profession, otherwise 0.
    pub professional: f64,
    /// How far the second half of the opinions differs from the first half.
    pub temporal: f64,
    /// Like `demographic`, but by professional field, which RLCF uses instead of the location.
    pub geographic: f64,
    /// How often experts repeat their earlier positions on tasks of the same type.
    pub confirmation: f64,
    /// The share of later opinions that follow the first three.
    pub anchoring: f64,
}

/// The strength of a bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BiasLevel {
    /// Weak.
    Low,
    /// Medium.
    Medium,
    /// Strong.
    High,
}

impl BiasLevel {
    /// Returns RLCF's word for the level.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl TaskBias {
    /// Returns the dimensions with RLCF's names, in its order.
    pub fn dimensions(&self) -> [(&'static str, f64); 6] {
        [
            ("demographic", self.demographic),
            ("professional", self.professional),
            ("temporal", self.temporal),
            ("geographic", self.geographic),
            ("confirmation", self.confirmation),
            ("anchoring", self.anchoring),
        ]
    }

    /// Returns the total: the length of the vector of all six dimensions.
    pub fn total(&self) -> f64 {
        self.dimensions().iter().map(|(_, bias)| bias * bias).sum::<f64>().sqrt()
    }

    /// Returns the level of the total.
    pub fn level(&self, settings: &FigureSettings) -> BiasLevel {
        match self.total() {
            total if total > settings.thresholds.bias_high => BiasLevel::High,
            total if total > settings.thresholds.bias_medium => BiasLevel::Medium,
            _ => BiasLevel::Low,
        }
    }

    /// Returns the three largest dimensions. Equal ones are in RLCF's order.
    pub fn dominant(&self) -> [(&'static str, f64); 3] {
        let mut dimensions = self.dimensions();
        dimensions.sort_by(|a, b| b.1.total_cmp(&a.1));
        let [first, second, third, ..] = dimensions;
        [first, second, third]
    }
}

/// Records how far each opinion repeats its author's earlier positions on tasks of the same type.
#[derive(Debug)]
pub struct PositionHistory<'r> {
    /// The share of earlier opinions with the same position, by the id of the feedback. Feedback without earlier
    /// opinions is not in it.
    repeated: HashMap<&'r str, f64>,
}

impl<'r> PositionHistory<'r> {
    /// Compares each user's positions with the earlier positions of the same user. Feedback without a time is left out.
    pub fn new(joined: &JoinedRecords<'r>, key: PositionKey) -> Self {
        let mut held: HashMap<_, Vec<(NaiveDateTime, String, &'r str)>> = HashMap::new();
        for (task, opinions) in joined.tasks() {
            for opinion in opinions {
                let position = key.position_of(&task.task_type, &opinion.feedback.feedback_data);
                if let Some((position, time)) = position.zip(opinion.feedback.submitted_at) {
                    let whose = (opinion.author.id.as_str(), task.task_type.as_str());
                    held.entry(whose).or_default().push((time, position, &opinion.feedback.id));
                }
            }
        }
        let mut repeated = HashMap::new();
        for mut opinions in held.into_values() {
            opinions.sort();
            let mut earlier: HashMap<&str, usize> = HashMap::new();
            let mut count = 0;
            // Opinions of the same time are not earlier than one another.
            for together in opinions.chunk_by(|a, b| a.0 == b.0) {
                for (_, position, id) in together.iter().filter(|_| count > 0) {
                    let same = earlier.get(position.as_str()).copied().unwrap_or(0);
                    repeated.insert(*id, same as f64 / count as f64);
                }
                for (_, position, _) in together {
                    *earlier.entry(position).or_default() += 1;
                }
                count += together.len();
            }
        }
        Self { repeated }
    }
}

/// An opinion with its position.
struct TakenPosition<'o, 'r> {
    opinion: &'o ExpertOpinion<'r>,
    position: String,
}

/// Computes the bias of a task.
pub fn bias(
    task: &LegalTask,
    opinions: &[ExpertOpinion<'_>],
    key: PositionKey,
    history: &PositionHistory<'_>,
) -> TaskBias {
    let taken: Vec<TakenPosition<'_, '_>> = opinions
        .iter()
        .filter_map(|opinion| {
            let position = key.position_of(&task.task_type, &opinion.feedback.feedback_data)?;
            Some(TakenPosition { opinion, position })
        })
        .collect();
    let mut by_time: Vec<&TakenPosition<'_, '_>> = taken.iter().collect();
    // Feedback without a time comes first, as nulls do in RLCF's database.
    by_time.sort_by_key(|one| one.opinion.feedback.submitted_at);
    let repeated: Vec<f64> = taken
        .iter()
        .filter_map(|one| history.repeated.get(one.opinion.feedback.id.as_str()).copied())
        .collect();
    TaskBias {
        demographic: homogeneity(&taken, experience),
        professional: leaves_profession(&taken),
        temporal: drift(&by_time),
        geographic: homogeneity(&taken, field),
        confirmation: mean(&repeated).unwrap_or(0.0),
        anchoring: following(&by_time),
    }
}

/// Returns the mean of the largest share of a position in each group, over groups of more than one.
fn homogeneity(taken: &[TakenPosition<'_, '_>], group: impl Fn(&ExpertUser) -> Option<String>) -> f64 {
    let mut names: ChoiceWeights<String> = ChoiceWeights::default();
    let mut groups: Vec<ChoiceWeights<&str>> = Vec::new();
    for one in taken {
        let Some(name) = group(one.opinion.author) else { continue };
        let place = names.add(name, 1.0);
        if place == groups.len() {
            groups.push(ChoiceWeights::default());
        }
        groups[place].add(&one.position, 1.0);
    }
    let several = names.entries().iter().zip(&groups).filter(|((_, members), _)| *members > 1.0);
    let largest = several
        .map(|((_, members), positions)| positions.heaviest().map_or(0.0, |(_, count)| count / members));
    mean(&largest.collect::<Vec<_>>()).unwrap_or(0.0)
}

fn credential<'u>(user: &'u ExpertUser, credential_type: &str) -> Option<&'u str> {
    let mut credentials = user.credentials.iter();
    let found = credentials.find(|credential| credential.credential_type == credential_type)?;
    Some(&found.value)
}

/// Returns the group of a user by years of experience.
fn experience(user: &ExpertUser) -> Option<String> {
    let years: f64 = credential(user, PROFESSIONAL_EXPERIENCE)?.trim().parse().ok()?;
    let group = match years {
        years if years < 5.0 => "junior",
        years if years < 15.0 => "mid",
        _ => "senior",
    };
    Some(group.to_owned())
}

fn field(user: &ExpertUser) -> Option<String> {
    credential(user, "PROFESSIONAL_FIELD").map(str::to_owned)
}

/// Returns 1 if the first expert departs from the majority of the same field and others in the field gave feedback,
/// otherwise 0.
fn leaves_profession(taken: &[TakenPosition<'_, '_>]) -> f64 {
    let Some(first) = taken.first() else { return 0.0 };
    let Some(own) = field(first.opinion.author) else { return 0.0 };
    let mut group: ChoiceWeights<&str> = ChoiceWeights::default();
    let (mut members, mut position) = (0, None);
    for one in taken.iter().filter(|one| field(one.opinion.author).as_ref() == Some(&own)) {
        members += 1;
        group.add(&one.position, 1.0);
        if one.opinion.author.id == first.opinion.author.id {
            position = position.or(Some(one.position.as_str()));
        }
    }
    let held = group.heaviest().map(|(held, _)| *held);
    if members < 2 || position == held { 0.0 } else { 1.0 }
}

/// Returns half the difference between the shares of positions in the first and in the second half of the opinions;
/// 0 for fewer than four opinions.
fn drift(by_time: &[&TakenPosition<'_, '_>]) -> f64 {
    if by_time.len() < 4 {
        return 0.0;
    }
    let half = by_time.len() / 2;
    let (mut first, mut second): (ChoiceWeights<&str>, ChoiceWeights<&str>) = Default::default();
    for (at, one) in by_time.iter().enumerate() {
        first.add(&one.position, if at < half { 1.0 } else { 0.0 });
        second.add(&one.position, if at < half { 0.0 } else { 1.0 });
    }
    let (first_count, second_count) = (half as f64, (by_time.len() - half) as f64);
    let shares = first.values().into_iter().zip(second.values());
    shares.map(|(one, other)| (one / first_count - other / second_count).abs()).sum::<f64>() / 2.0
}

/// Returns the share of later opinions that follow the majority of the first three; 0 for fewer than five opinions.
fn following(by_time: &[&TakenPosition<'_, '_>]) -> f64 {
    if by_time.len() < 5 {
        return 0.0;
    }
    let (anchor, later) = by_time.split_at(3);
    let mut positions: ChoiceWeights<&str> = ChoiceWeights::default();
    for one in anchor {
        positions.add(&one.position, 1.0);
    }
    let held = positions.heaviest().map(|(held, _)| *held);
    let followers = later.iter().filter(|one| Some(one.position.as_str()) == held).count();
    followers as f64 / later.len() as f64
}
