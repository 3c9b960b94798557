//! The numbers with which rules compare: those of the document, unless the user gives others.

use super::super::figures;
use super::super::task_types::TaskTypes;
use crate::checking::settings_reader::{FromZero, SettingsReader};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, TokenId};
use std::ops::RangeInclusive;

/// Ranges and lengths, and the task types with their fields.
#[derive(Debug, Clone, PartialEq)]
pub struct RlcfRuleSettings {
    /// The task types.
    pub task_types: TaskTypes,
    /// The range of feedback scores.
    pub scores: RangeInclusive<f64>,
    /// The range of confidence.
    pub confidence: RangeInclusive<f64>,
    /// The range of `helpfulness_score`.
    pub helpfulness: RangeInclusive<i64>,
    /// The range of `track_record_score`.
    pub track_record: RangeInclusive<f64>,
    /// The allowed number of characters in a username.
    pub username: RangeInclusive<usize>,
    /// The allowed number of characters in the reasoning of feedback.
    pub reasoning: RangeInclusive<usize>,
    /// The allowed number of characters in a question.
    pub question: RangeInclusive<usize>,
    /// The allowed difference between the sum of authority weights and 1.
    pub weight_tolerance: f64,
}

impl Default for RlcfRuleSettings {
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

impl RlcfRuleSettings {
    /// Reads settings from an object. `scores`, `confidence`, `helpfulness`, `track_record`, `username`, `reasoning`
    /// and `question` are ranges, each `[least, most]`; `weight_tolerance` is a number; `task_types` has the form of a
    /// task configuration. Missing settings keep their defaults.
    ///
    /// # Errors
    /// `rlcf::settings` or `rlcf::task-config` with the place of the value that does not fit.
    pub fn read(document: &JsonDocument) -> Result<Self, Box<Diagnostic>> {
        let mut settings = Self::default();
        // The same file may contain settings of the figures. No rule uses them, but mistakes in them are reported.
        let mut figures = figures::FigureSettings::default();
        let mut task_types: Option<TokenId> = None;
        SettingsReader { document, code: "rlcf::settings" }.read(&mut [
            ("scores", &mut settings.scores),
            ("confidence", &mut settings.confidence),
            ("helpfulness", &mut settings.helpfulness),
            ("track_record", &mut settings.track_record),
            ("username", &mut settings.username),
            ("reasoning", &mut settings.reasoning),
            ("question", &mut settings.question),
            ("weight_tolerance", &mut FromZero(&mut settings.weight_tolerance)),
            ("task_types", &mut task_types),
            ("authority_weights", &mut figures.authority_weights),
            ("thresholds", &mut figures.thresholds),
            ("baseline_credentials", &mut figures.credential_types),
        ])?;
        if task_types.is_some() {
            settings.task_types = TaskTypes::read(document)?;
        }
        Ok(settings)
    }
}
