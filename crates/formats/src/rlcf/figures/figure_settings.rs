//! The weights and thresholds of the figures: from the documents, from the program as shipped, or from a file in the
//! form of RLCF's `model_config`.

use super::expression::{CredentialFormula, ExpressionError};
use crate::checking::settings_reader::{SettingGroup, SettingValue, SettingsReader};
use crate::rlcf::rlcf_profile::RlcfProfile;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, TokenId};

/// The weight of each part of an expert's authority.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuthorityWeights {
    /// The weight of the credentials.
    pub baseline_credentials: f64,
    /// The weight of the track record.
    pub track_record: f64,
    /// The weight of recent performance.
    pub recent_performance: f64,
}

/// The thresholds above which figures report something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureThresholds {
    /// A task with a disagreement above this is contested.
    pub disagreement: f64,
    /// A field with an entropy above this, in nats, is a point of contention.
    pub contention: f64,
    /// A summary or draft is accepted unchanged if more than this percentage of the weight accepts it.
    pub rating_majority: f64,
    /// The bias of a task is high if its total is above this.
    pub bias_high: f64,
    /// The bias of a task is medium if its total is above this.
    pub bias_medium: f64,
}

/// The rule by which credentials of a type are scored.
#[derive(Debug, Clone, PartialEq)]
pub struct CredentialRule {
    /// The type.
    pub name: String,
    /// The factor of the score.
    pub weight: f64,
    /// The function from a value to its score.
    pub scoring_function: ScoringFunction,
}

/// The function from a credential's value to its score.
#[derive(Debug, Clone, PartialEq)]
pub enum ScoringFunction {
    /// A score for each listed value, and one for all others.
    Map {
        /// Values with their scores.
        values: Vec<(String, f64)>,
        /// The score of any other value.
        default: f64,
    },
    /// A formula over the value as a number, or the reason why it cannot be read.
    Formula(Result<CredentialFormula, ExpressionError>),
}

/// All weights and thresholds.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureSettings {
    /// The parts of an authority.
    pub authority_weights: AuthorityWeights,
    /// The weight of one feedback in the track record.
    pub update_factor: f64,
    /// The track record of an expert without any feedback.
    pub initial_track_record: f64,
    /// The thresholds above which figures report something.
    pub thresholds: FigureThresholds,
    /// The types of credentials that count.
    pub credential_types: Vec<CredentialRule>,
    /// `true` if ground truth is also read under the keys of the task configuration. The program reads only other keys.
    pub reads_configured_truth: bool,
}

impl Default for FigureSettings {
    fn default() -> Self {
        Self::from_profile(RlcfProfile::Seed)
    }
}

impl FigureSettings {
    /// Returns the settings of a profile.
    pub fn from_profile(profile: RlcfProfile) -> Self {
        let degree =
            map("ACADEMIC_DEGREE", 0.3, &[("Bachelor", 1.0), ("LLM", 1.1), ("JD", 1.2), ("PhD", 1.5)]);
        let thresholds = FigureThresholds {
            disagreement: 0.4,
            contention: 0.5,
            rating_majority: 60.0,
            bias_high: 1.0,
            bias_medium: 0.5,
        };
        let weights = |baseline_credentials, track_record, recent_performance| AuthorityWeights {
            baseline_credentials,
            track_record,
            recent_performance,
        };
        match profile {
            RlcfProfile::Seed => Self {
                authority_weights: weights(0.3, 0.5, 0.2),
                update_factor: 0.05,
                initial_track_record: 0.5,
                thresholds,
                credential_types: vec![
                    degree,
                    formula("PROFESSIONAL_EXPERIENCE", 0.4, "0.5 + 0.2 * sqrt(value)"),
                    formula("PUBLICATION", 0.2, "min(0.8 + 0.1 * value, 1.4)"),
                    map("INSTITUTIONAL_ROLE", 0.1, &[("Junior", 0.7), ("Senior", 1.1), ("Partner", 1.4)]),
                ],
                reads_configured_truth: true,
            },
            RlcfProfile::Shipped => Self {
                authority_weights: weights(0.4, 0.4, 0.2),
                update_factor: 0.05,
                initial_track_record: 0.0,
                thresholds: FigureThresholds { disagreement: 0.3, ..thresholds },
                credential_types: vec![degree],
                reads_configured_truth: false,
            },
        }
    }

    /// Replaces settings by those of a document in the form of `model_config`. The types of credentials are replaced
    /// all together.
    ///
    /// # Errors
    /// `rlcf::config` with the place of an unknown key, of a value that is not a number, or of a formula that
    /// cannot be parsed.
    pub fn with(mut self, document: &JsonDocument) -> Result<Self, Box<Diagnostic>> {
        SettingsReader { document, code: "rlcf::config" }.read(&mut [
            ("authority_weights", &mut self.authority_weights),
            (
                "track_record",
                &mut SettingGroup(&mut [
                    ("update_factor", &mut self.update_factor),
                    ("initial", &mut self.initial_track_record),
                ]),
            ),
            ("thresholds", &mut self.thresholds),
            ("baseline_credentials", &mut self.credential_types),
        ])?;
        Ok(self)
    }
}

fn map(name: &str, weight: f64, values: &[(&str, f64)]) -> CredentialRule {
    let values = values.iter().map(|&(value, score)| (value.to_owned(), score)).collect();
    CredentialRule {
        name: name.to_owned(),
        weight,
        scoring_function: ScoringFunction::Map { values, default: 0.0 },
    }
}

fn formula(name: &str, weight: f64, expression: &str) -> CredentialRule {
    let scoring_function = ScoringFunction::Formula(CredentialFormula::parse(expression));
    CredentialRule { name: name.to_owned(), weight, scoring_function }
}

impl SettingValue for AuthorityWeights {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        SettingGroup(&mut [
            ("baseline_credentials", &mut self.baseline_credentials),
            ("track_record", &mut self.track_record),
            ("recent_performance", &mut self.recent_performance),
        ])
        .set(reader, key, value)
    }
}

impl SettingValue for FigureThresholds {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        SettingGroup(&mut [
            ("disagreement", &mut self.disagreement),
            ("contention", &mut self.contention),
            ("rating_majority", &mut self.rating_majority),
            ("bias_high", &mut self.bias_high),
            ("bias_medium", &mut self.bias_medium),
        ])
        .set(reader, key, value)
    }
}

/// Reads the form of `model_config`: an object `types` with a rule for each name.
impl SettingValue for Vec<CredentialRule> {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        let mut types: Option<TokenId> = None;
        SettingGroup(&mut [("types", &mut types)]).set(reader, key, value)?;
        if let Some(types) = types {
            *self = reader.each("types", types, |name, value| rule(reader, name, value))?;
        }
        Ok(())
    }
}

impl SettingValue for Vec<(String, f64)> {
    fn set(&mut self, reader: &SettingsReader<'_>, key: &str, value: TokenId) -> Result<(), Box<Diagnostic>> {
        *self = reader.each(key, value, |name, value| {
            let mut score = 0.0;
            score.set(reader, name, value)?;
            Ok((name.to_owned(), score))
        })?;
        Ok(())
    }
}

fn rule(reader: &SettingsReader<'_>, name: &str, value: TokenId) -> Result<CredentialRule, Box<Diagnostic>> {
    let (mut weight, mut function): (Option<f64>, Option<TokenId>) = (None, None);
    SettingGroup(&mut [("weight", &mut weight), ("scoring_function", &mut function)])
        .set(reader, name, value)?;
    let weight = weight.ok_or_else(|| missing(reader, value, "weight", name))?;
    let function = function.ok_or_else(|| missing(reader, value, "scoring_function", name))?;
    let scoring_function = scoring_function(reader, name, function)?;
    Ok(CredentialRule { name: name.to_owned(), weight, scoring_function })
}

fn scoring_function(
    reader: &SettingsReader<'_>,
    name: &str,
    value: TokenId,
) -> Result<ScoringFunction, Box<Diagnostic>> {
    let (mut kind, mut expression): (Option<TokenId>, Option<TokenId>) = (None, None);
    let (mut values, mut default) = (Vec::<(String, f64)>::new(), 0.0);
    SettingGroup(&mut [
        ("type", &mut kind),
        ("values", &mut values),
        ("default", &mut default),
        ("expression", &mut expression),
    ])
    .set(reader, "scoring_function", value)?;
    let kind = kind.ok_or_else(|| missing(reader, value, "type", name))?;
    match reader.document.string(kind).as_deref() {
        Some("map") => Ok(ScoringFunction::Map { values, default }),
        Some("formula") => {
            let token = expression.ok_or_else(|| missing(reader, value, "expression", name))?;
            let text = reader.document.string(token);
            let parsed =
                CredentialFormula::parse(&text.ok_or_else(|| reader.fault(token, "a formula is expected"))?);
            if let Err(fault) = &parsed {
                return Err(reader.fault(token, format!("the formula cannot be read: {fault}")));
            }
            Ok(ScoringFunction::Formula(parsed))
        }
        _ => Err(reader.fault(kind, "`map` or `formula` is expected")),
    }
}

fn missing(reader: &SettingsReader<'_>, object: TokenId, key: &str, name: &str) -> Box<Diagnostic> {
    reader.fault(object, format!("`{key}` of credential type `{name}` is missing"))
}
