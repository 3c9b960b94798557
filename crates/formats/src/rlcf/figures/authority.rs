//! The weight of an expert's opinions: credentials, quality of feedback, track record, authority.
//!
//! The formulas are RLCF's Dynamic Authority Scoring Model, as the program computes it. The accuracy score, which has a
//! maximum of 10, is divided by 5, so a quality may exceed 1.

use super::arithmetic::mean;
use super::expression::ExpressionError;
use super::figure_settings::{FigureSettings, ScoringFunction};
use super::model::{Credential, ExpertUser, Feedback};

/// A credential that scores 0 because its formula has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnscoredCredential {
    /// The user who has the credential.
    pub user_id: String,
    /// The type of the credential.
    pub credential_type: String,
    /// The value of the credential.
    pub value: String,
    /// The reason why the formula has no value.
    pub reason: String,
}

/// Returns the baseline credentials of a user, B: the sum of weight times score over the credentials whose type has a
/// rule. A credential without a score counts 0, and is added to `unscored`.
pub fn baseline_credentials(
    user: &ExpertUser,
    settings: &FigureSettings,
    unscored: &mut Vec<UnscoredCredential>,
) -> f64 {
    let mut total = 0.0;
    for credential in &user.credentials {
        let rules = &settings.credential_types;
        let Some(rule) = rules.iter().find(|rule| rule.name == credential.credential_type) else { continue };
        let score = score(credential, &rule.scoring_function).unwrap_or_else(|reason| {
            unscored.push(UnscoredCredential {
                user_id: user.id.clone(),
                credential_type: credential.credential_type.clone(),
                value: credential.value.clone(),
                reason,
            });
            0.0
        });
        total += rule.weight * score;
    }
    total
}

fn score(credential: &Credential, function: &ScoringFunction) -> Result<f64, String> {
    match function {
        ScoringFunction::Map { values, default } => {
            let score = values.iter().find(|(value, _)| *value == credential.value);
            Ok(score.map_or(*default, |&(_, score)| score))
        }
        ScoringFunction::Formula(expression) => {
            let expression = expression.as_ref().map_err(ToString::to_string)?;
            let value = credential.value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
            let value = value.ok_or_else(|| "the value is not a number".to_owned())?;
            expression.evaluate(value).map_err(|reason: ExpressionError| reason.to_string())
        }
    }
}

/// Returns the quality of a feedback, Q: the mean of peer ratings, accuracy, consistency and the community's opinion,
/// or `None` if the accuracy is missing.
pub fn quality(feedback: &Feedback, ratings: &[f64]) -> Option<f64> {
    let peers = mean(ratings).map_or(0.5, |mean| mean / 5.0);
    let accuracy = feedback.accuracy_score? / 5.0;
    let consistency = feedback.consistency_score.unwrap_or(0.5);
    let community = match feedback.community_helpfulness_rating {
        0.0 => peers,
        rating => rating / 5.0,
    };
    Some((peers + accuracy + consistency + community) / 4.0)
}

/// Returns the track record, T, after one more feedback.
pub fn updated_track_record(track_record: f64, quality: f64, settings: &FigureSettings) -> f64 {
    (1.0 - settings.update_factor) * track_record + settings.update_factor * quality
}

/// Returns the authority, A, from its three parts.
pub fn authority(
    baseline: f64,
    track_record: f64,
    recent_performance: f64,
    settings: &FigureSettings,
) -> f64 {
    let weights = &settings.authority_weights;
    weights.baseline_credentials * baseline
        + weights.track_record * track_record
        + weights.recent_performance * recent_performance
}
