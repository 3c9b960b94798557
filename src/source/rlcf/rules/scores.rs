//! Rules about numbers: scores, helpfulness, confidence, the track record.

use super::super::kinds::RecordKind;
use super::checker::Checker;
use super::table::{Profile, R_5, R_6, R_7, R_15};
use super::visited::Visited;
use crate::json::number::is_integer;
use crate::json::{Kind, TokenId};
use crate::source::checking::Rule;
use std::ops::RangeInclusive;

pub(super) fn check(checker: &mut Checker<'_>, record: Visited) {
    match record.kind {
        RecordKind::FeedbackRating | RecordKind::FeedbackRatingCreate => helpfulness(checker, record),
        RecordKind::Feedback | RecordKind::FeedbackCreate => {
            let scores = checker.settings.scores.clone();
            for key in ["accuracy_score", "utility_score", "transparency_score"] {
                range(checker, &R_6, record.value, record.value, key, &scores);
            }
            confidence(checker, record, "feedback_data");
        }
        RecordKind::Response | RecordKind::ResponseCreate => confidence(checker, record, "output_data"),
        RecordKind::User => {
            let track_record = checker.settings.track_record.clone();
            range(checker, &R_15, record.value, record.value, "track_record_score", &track_record);
        }
        _ => {}
    }
}

fn helpfulness(checker: &mut Checker<'_>, record: Visited) {
    checker.look(&R_5);
    let Some(value) = checker.document.get(record.value, "helpfulness_score") else { return };
    let number = checker.document.number(value);
    let mut integer = number.filter(|number| is_integer(number)).and_then(|number| number.parse().ok());
    if checker.profile == Profile::Shipped {
        // `4.0` is taken for 4.
        let whole =
            number.and_then(|number| number.parse::<f64>().ok()).filter(|number| number.fract() == 0.0);
        integer = integer.or(whole.map(|number| number as i64));
    }
    let range = &checker.settings.helpfulness;
    if !integer.is_some_and(|integer: i64| range.contains(&integer)) {
        let shown = checker.show(value);
        let message = format!("{shown} is no integer from {} to {}", range.start(), range.end());
        checker.found(&R_5, record.value, Some("helpfulness_score"), Some(value), message);
    }
}

/// Confidence in words, as some task types have it, has no range.
fn confidence(checker: &mut Checker<'_>, record: Visited, key: &'static str) {
    let Some(data) = checker.document.get(record.value, key) else { return };
    let confidence = checker.settings.confidence.clone();
    range(checker, &R_7, record.value, data, "confidence", &confidence);
    let Some(labels) = checker.document.get(data, "confidence_per_label") else { return };
    let values: Vec<TokenId> = checker.document.members(labels).map(|member| member.value).collect();
    for value in values {
        number(checker, &R_7, record.value, "confidence_per_label", value, &confidence);
    }
}

fn range(
    checker: &mut Checker<'_>,
    rule: &Rule,
    focus: TokenId,
    object: TokenId,
    key: &'static str,
    range: &RangeInclusive<f64>,
) {
    if let Some(value) = checker.document.get(object, key) {
        number(checker, rule, focus, key, value, range);
    }
}

fn number(
    checker: &mut Checker<'_>,
    rule: &Rule,
    focus: TokenId,
    key: &'static str,
    value: TokenId,
    range: &RangeInclusive<f64>,
) {
    if !checker.profile.has(rule) || checker.document.kind(value) != Kind::Number {
        return;
    }
    checker.look(rule);
    let number = checker.document.number(value).and_then(|number| number.parse::<f64>().ok());
    if !number.is_some_and(|number| range.contains(&number)) {
        let shown = checker.show(value);
        let message = format!("{shown} does not lie between {} and {}", range.start(), range.end());
        checker.found(rule, focus, Some(key), Some(value), message);
    }
}
