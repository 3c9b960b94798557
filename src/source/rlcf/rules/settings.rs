//! The numbers that rules compare with: those of the document, unless others are given.

use super::super::task_types::TaskTypes;
use crate::diagnostic::Diagnostic;
use crate::json::{Document, TokenId};
use std::ops::RangeInclusive;

/// Ranges and lengths, and the task types with their fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The task types.
    pub task_types: TaskTypes,
    /// Where feedback scores lie.
    pub scores: RangeInclusive<f64>,
    /// Where confidence lies.
    pub confidence: RangeInclusive<f64>,
    /// Where `helpfulness_score` lies.
    pub helpfulness: RangeInclusive<i64>,
    /// Where `track_record_score` lies.
    pub track_record: RangeInclusive<f64>,
    /// How many characters a username has.
    pub username: RangeInclusive<usize>,
    /// How many characters the reasoning of feedback has.
    pub reasoning: RangeInclusive<usize>,
    /// How many characters a question has.
    pub question: RangeInclusive<usize>,
    /// How far the sum of authority weights may be from 1.
    pub weight_tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            task_types: TaskTypes::own(),
            scores: 0.0..=10.0,
            confidence: 0.0..=1.0,
            helpfulness: 1..=5,
            track_record: 0.0..=1.0,
            username: 3..=50,
            reasoning: 10..=5000,
            question: 10..=2000,
            weight_tolerance: 1e-9,
        }
    }
}

impl Settings {
    /// Reads settings: an object with any of `scores`, `confidence`, `helpfulness`, `track_record`,
    /// `username`, `reasoning` and `question`, each `[least, most]`, `weight_tolerance`, a number, and
    /// `task_types` as in a task configuration. What it does not say stays as it is.
    ///
    /// # Errors
    /// `rlcf::settings` or `rlcf::task-config` with the place of what is none.
    pub fn read(document: &Document) -> Result<Self, Box<Diagnostic>> {
        let mut settings = Self::default();
        for member in document.members(document.root()) {
            let value = member.value;
            match document.symbol_text(member.symbol) {
                "scores" => settings.scores = range(document, value)?,
                "confidence" => settings.confidence = range(document, value)?,
                "track_record" => settings.track_record = range(document, value)?,
                "helpfulness" => settings.helpfulness = range(document, value)?,
                "username" => settings.username = range(document, value)?,
                "reasoning" => settings.reasoning = range(document, value)?,
                "question" => settings.question = range(document, value)?,
                "weight_tolerance" => settings.weight_tolerance = number(document, value)?,
                "task_types" => settings.task_types = TaskTypes::read(document)?,
                // Settings of the figures stand in the same file.
                "authority_weights" | "thresholds" | "baseline_credentials" => {}
                key => {
                    let fault = Diagnostic::error("rlcf::settings", format!("`{key}` is no setting of RLCF"));
                    return Err(Box::new(fault.at(document.place(member.key))));
                }
            }
        }
        Ok(settings)
    }
}

fn range<T: std::str::FromStr>(
    document: &Document,
    value: TokenId,
) -> Result<RangeInclusive<T>, Box<Diagnostic>> {
    let bounds: Vec<TokenId> = document.items(value).collect();
    let &[least, most] = bounds.as_slice() else { return Err(fault(document, value)) };
    Ok(number(document, least)?..=number(document, most)?)
}

fn number<T: std::str::FromStr>(document: &Document, value: TokenId) -> Result<T, Box<Diagnostic>> {
    let number = document.number(value).and_then(|number| number.parse().ok());
    number.ok_or_else(|| fault(document, value))
}

fn fault(document: &Document, value: TokenId) -> Box<Diagnostic> {
    let message = "a setting is a number, or the least and the most in an array";
    Box::new(Diagnostic::error("rlcf::settings", message).at(document.place(value)))
}
