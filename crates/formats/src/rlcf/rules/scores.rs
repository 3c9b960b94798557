//! Rules about numbers: scores and their ranges, helpfulness, confidence.

use super::super::kinds::RecordKind;
use super::super::rlcf_profile::RlcfProfile;
use super::rlcf_checker::RlcfChecker;
use super::rlcf_rule_settings::RlcfRuleSettings;
use super::rlcf_rule_table::{R_5, R_6, R_7, R_15};
use super::visited_records::VisitedRecord;
use crate::checking::FormatRule;
use evalgraph_json::number::is_integer;
use evalgraph_json::{JsonKind, TokenId};
use std::ops::RangeInclusive;

/// The range of a score without a maximum in the document: the document only says that scores are not negative.
const FROM_ZERO: RangeInclusive<f64> = 0.0..=f64::INFINITY;
/// The range of a share of the whole.
const SHARE: RangeInclusive<f64> = 0.0..=1.0;

/// Returns the scores of a kind of record, each with its range in the document. Feedback scores have a separate rule.
fn ranges(kind: RecordKind, settings: &RlcfRuleSettings) -> Vec<(&'static str, RangeInclusive<f64>)> {
    match kind {
        RecordKind::User | RecordKind::UserCreate => vec![
            ("authority_score", FROM_ZERO),
            ("track_record_score", settings.track_record.clone()),
            ("baseline_credential_score", FROM_ZERO),
        ],
        RecordKind::Credential | RecordKind::CredentialCreate => vec![("weight", FROM_ZERO)],
        RecordKind::Feedback => vec![
            ("community_helpfulness_rating", FROM_ZERO),
            ("consistency_score", SHARE),
            ("correctness_score", SHARE),
        ],
        RecordKind::BiasReport => vec![("bias_score", FROM_ZERO)],
        RecordKind::SystemMetrics => vec![
            ("totalTasks", FROM_ZERO),
            ("totalUsers", FROM_ZERO),
            ("totalFeedback", FROM_ZERO),
            ("averageConsensus", SHARE),
            ("activeEvaluations", FROM_ZERO),
            ("completionRate", SHARE),
        ],
        _ => Vec::new(),
    }
}

pub(super) fn check(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let (document, settings) = (checker.document, checker.settings);
    let value = |key: &str| document.get(record.value, key);
    for (key, range) in ranges(record.kind, settings) {
        number(checker, &R_15, record, key, value(key), &range);
    }
    match record.kind {
        RecordKind::FeedbackRating | RecordKind::FeedbackRatingCreate => helpfulness(checker, record),
        RecordKind::Feedback | RecordKind::FeedbackCreate => {
            for key in ["accuracy_score", "utility_score", "transparency_score"] {
                number(checker, &R_6, record, key, value(key), &settings.scores);
            }
            confidence(checker, record, value("feedback_data"));
        }
        RecordKind::Response | RecordKind::ResponseCreate => {
            confidence(checker, record, value("output_data"));
        }
        _ => {}
    }
}

fn helpfulness(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    checker.look(&R_5);
    let Some(value) = checker.document.get(record.value, "helpfulness_score") else { return };
    let number = checker.document.number(value);
    let mut integer = number.filter(|number| is_integer(number)).and_then(|number| number.parse().ok());
    if checker.profile == RlcfProfile::Shipped {
        // `4.0` counts as 4.
        let whole =
            number.and_then(|number| number.parse::<f64>().ok()).filter(|number| number.fract() == 0.0);
        integer = integer.or(whole.map(|number| number as i64));
    }
    let range = &checker.settings.helpfulness;
    if !integer.is_some_and(|integer: i64| range.contains(&integer)) {
        let shown = checker.show(value);
        let message = format!("{shown} is not an integer from {} to {}", range.start(), range.end());
        checker.found(&R_5, record.value, Some("helpfulness_score"), Some(value), message);
    }
}

/// Checks the range of confidence. In some task types, confidence is a word, which has no range.
fn confidence(checker: &mut RlcfChecker<'_>, record: VisitedRecord, data: Option<TokenId>) {
    let (document, range) = (checker.document, &checker.settings.confidence);
    let Some(data) = data else { return };
    number(checker, &R_7, record, "confidence", document.get(data, "confidence"), range);
    let Some(labels) = document.get(data, "confidence_per_label") else { return };
    for member in document.members(labels) {
        number(checker, &R_7, record, "confidence_per_label", Some(member.value), range);
    }
}

fn number(
    checker: &mut RlcfChecker<'_>,
    rule: &FormatRule,
    record: VisitedRecord,
    key: &'static str,
    value: Option<TokenId>,
    range: &RangeInclusive<f64>,
) {
    let value = value.filter(|&value| checker.document.kind(value) == JsonKind::Number);
    let Some(value) = value.filter(|_| checker.profile.has(rule)) else { return };
    checker.look(rule);
    let number = checker.document.number(value).and_then(|number| number.parse::<f64>().ok());
    if !number.is_some_and(|number| range.contains(&number)) {
        let shown = checker.show(value);
        let (least, most) = (range.start(), range.end());
        let message = if most.is_infinite() {
            format!("{shown} is below {least}")
        } else {
            format!("{shown} does not lie between {least} and {most}")
        };
        checker.found(rule, record.value, Some(key), Some(value), message);
    }
}
