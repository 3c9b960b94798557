//! Rules about numbers: scores, helpfulness, confidence, the track record.

use super::super::kinds::RecordKind;
use super::super::profile::Profile;
use super::checker::Checker;
use super::table::{R_5, R_6, R_7, R_15};
use super::visited::Visited;
use crate::json::number::is_integer;
use crate::json::{Kind, TokenId};
use crate::source::checking::Rule;
use std::ops::RangeInclusive;

pub(super) fn check(checker: &mut Checker<'_>, record: Visited) {
    let (document, settings) = (checker.document, checker.settings);
    let value = |key: &str| document.get(record.value, key);
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
        RecordKind::User => {
            let key = "track_record_score";
            number(checker, &R_15, record, key, value(key), &settings.track_record);
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
        // `4.0` counts as 4.
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

/// Confidence in words, as in some task types, has no range.
fn confidence(checker: &mut Checker<'_>, record: Visited, data: Option<TokenId>) {
    let (document, range) = (checker.document, &checker.settings.confidence);
    let Some(data) = data else { return };
    number(checker, &R_7, record, "confidence", document.get(data, "confidence"), range);
    let Some(labels) = document.get(data, "confidence_per_label") else { return };
    for member in document.members(labels) {
        number(checker, &R_7, record, "confidence_per_label", Some(member.value), range);
    }
}

fn number(
    checker: &mut Checker<'_>,
    rule: &Rule,
    record: Visited,
    key: &'static str,
    value: Option<TokenId>,
    range: &RangeInclusive<f64>,
) {
    let value = value.filter(|&value| checker.document.kind(value) == Kind::Number);
    let Some(value) = value.filter(|_| checker.profile.has(rule)) else { return };
    checker.look(rule);
    let number = checker.document.number(value).and_then(|number| number.parse::<f64>().ok());
    if !number.is_some_and(|number| range.contains(&number)) {
        let shown = checker.show(value);
        let message = format!("{shown} does not lie between {} and {}", range.start(), range.end());
        checker.found(rule, record.value, Some(key), Some(value), message);
    }
}
