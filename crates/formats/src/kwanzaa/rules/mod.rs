//! The rules for Kwanzaa's dataset files. They form profiles, because their sources contradict each other.
//!
//! `seed` has the rules of the documents, `code` those of the shipped code. `contract` applies the contract of answers
//! to each `expected_output`, with the rules of Kwanzaa's answer checker.

mod answer_rules;
pub(super) mod class_rules;
mod dataset_rules;
pub(super) mod kwanzaa_profile;
mod sample_rules;
pub(super) mod string_forms;

use super::answer_fields::{CODE_ANSWER_JSON, CONTRACT_ANSWER_JSON, SEED_ANSWER_JSON};
use super::kwanzaa_settings::KwanzaaSettings;
use super::samples::TrainingSample;
use super::statistics::SampleStatistics;
use crate::checking::schema::{CoercionMode, check_object};
use crate::checking::{FindingCollector, FormatRule};
use dataset_rules::{SeenOnce, check_dataset};
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::JsonDocument;
pub use kwanzaa_profile::KwanzaaProfile;
use string_forms::CODE;

/// The texts that explain the rules.
pub(super) const EXPLANATIONS: &[&str] =
    &[include_str!("explained/fields.md"), include_str!("explained/samples.md")];

impl KwanzaaProfile {
    /// Returns the rules for a file with one answer and no sample around it.
    pub fn answer_rules(self) -> Vec<FormatRule> {
        match self {
            Self::Seed => class_rules::OF_OUTLINE.to_vec(),
            Self::Code => class_rules::OF_CODE.to_vec(),
            Self::Contract => class_rules::OF_CONTRACT.iter().chain(&answer_rules::ALONE).copied().collect(),
        }
    }

    /// Returns the rules in the order of the report.
    pub fn rules(self) -> Vec<FormatRule> {
        let (fields, answers): (&[FormatRule], &[FormatRule]) = match self {
            Self::Seed => (&class_rules::OF_DATASETS, &class_rules::OF_OUTLINE),
            Self::Code => (&class_rules::OF_DATASETS, &class_rules::OF_CODE),
            Self::Contract => (&class_rules::OF_CONTRACT, &answer_rules::RULES),
        };
        let numbered = dataset_rules::rules(self).iter().chain(sample_rules::rules(self));
        let mut rules: Vec<FormatRule> = fields.iter().chain(answers).chain(numbered).copied().collect();
        rules.sort_by_key(|rule| number_of(rule.id));
        rules
    }
}

/// Returns the number in a rule's id. Rules without a number come first, in the order of their table.
fn number_of(id: &str) -> Option<u32> {
    id.strip_prefix("W-")?.parse().ok()
}

/// Checks several files by the rules of one profile. Ids and questions must be unique across all files, and all files
/// together need samples of every kind.
#[derive(Debug)]
pub struct KwanzaaValidator {
    profile: KwanzaaProfile,
    settings: KwanzaaSettings,
    once: SeenOnce,
    statistics: SampleStatistics,
}

impl KwanzaaValidator {
    /// Creates a validator that has not checked any file.
    pub fn new(profile: KwanzaaProfile, settings: KwanzaaSettings) -> Self {
        Self { profile, settings, once: SeenOnce::default(), statistics: SampleStatistics::new(settings) }
    }

    /// Checks a file by all rules except those about all files together.
    pub fn validate(&mut self, document: &JsonDocument) -> RuleReport {
        let mut checker = FindingCollector::new(document, self.profile.name(), self.profile.rules());
        self.check(&mut checker);
        checker.finish()
    }

    /// Returns the findings of the rules about all files together.
    ///
    /// The results have no place, since a missing sample is in no file.
    pub fn finish(&self) -> RuleReport {
        dataset_rules::coverage_report(self.profile, &self.statistics, &self.settings)
    }

    fn check(&mut self, checker: &mut FindingCollector<'_>) {
        self.statistics.add(checker.document());
        check_dataset(checker, self.profile, &mut self.once);
        sample_rules::check(checker, self.profile, &self.settings);
    }
}

/// Checks one file, which is an entire dataset, by the rules of a profile.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::kwanzaa::{KwanzaaSettings, rules};
///
/// let text = r#"{"dataset_version": "1", "created_at": "2026-01-31T09:00:00Z", "samples": []}"#;
/// let document = parse("empty.json", text.to_owned(), Limits::default())?;
/// let report = rules::validate(&document, rules::KwanzaaProfile::Seed, &KwanzaaSettings::default());
/// let messages: Vec<&str> = report.results.iter().map(|result| result.message.as_str()).collect();
/// assert_eq!(messages[0], "`dataset_version` is `\"1\"`, not a version such as 1.0.0");
/// assert_eq!(messages[1], "`samples` is an array of 0, but must have at least 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(document: &JsonDocument, profile: KwanzaaProfile, settings: &KwanzaaSettings) -> RuleReport {
    let mut validator = KwanzaaValidator::new(profile, *settings);
    let mut checker = FindingCollector::new(document, profile.name(), profile.rules());
    validator.check(&mut checker);
    dataset_rules::check_coverage(&mut checker, profile, &validator.statistics, settings);
    checker.finish()
}

/// Corrects the `statistics` of a dataset and returns its text, or `None` if they are correct or missing.
pub fn right_statistics(document: &JsonDocument) -> Option<String> {
    let given = document.get(document.root(), "statistics").filter(|&given| document.is_object(given))?;
    let mut checker =
        FindingCollector::new(document, KwanzaaProfile::Seed.name(), KwanzaaProfile::Seed.rules());
    dataset_rules::check_statistics(&mut checker, document.root());
    if checker.finish().results.is_empty() {
        return None;
    }
    let mut counted = SampleStatistics::new(KwanzaaSettings::default());
    counted.add(document);
    let bytes = document.bytes(given);
    let text = document.text();
    Some(format!("{}{}{}", &text[..bytes.start], counted.to_json(), &text[bytes.end..]))
}

/// Checks a file with one answer and no sample around it, by a profile's rules for answers. No rule checks the persona
/// or a refusal, which only a sample states.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_formats::kwanzaa::rules::{KwanzaaProfile, validate_answer};
///
/// let text = r#"{"version": "kwanzaa.answer.v1", "answer": {"text": "Three, by the report [1]."}}"#;
/// let document = parse("answer.json", text.to_owned(), Limits::default())?;
/// let report = validate_answer(&document, KwanzaaProfile::Contract);
/// assert_eq!(report.results[0].message, "`sources` is missing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate_answer(document: &JsonDocument, profile: KwanzaaProfile) -> RuleReport {
    let rules = profile.answer_rules();
    let (class, mode) = match profile {
        KwanzaaProfile::Seed => (&SEED_ANSWER_JSON, CoercionMode::Schema),
        KwanzaaProfile::Code => (&CODE_ANSWER_JSON, CODE),
        KwanzaaProfile::Contract => (&CONTRACT_ANSWER_JSON, CoercionMode::Schema),
    };
    let mut checker = FindingCollector::new(document, profile.name(), rules);
    let answer = TrainingSample { document, token: document.root() };
    checker.subjects += 1;
    check_object(&mut checker, answer.token, class, mode);
    if profile == KwanzaaProfile::Contract {
        answer_rules::check_answer(&mut checker, &answer, false);
    }
    checker.finish()
}
