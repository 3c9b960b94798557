//! Rules about the values of credentials and the configuration of weights.

use super::super::kinds::RecordKind;
use super::super::known_values::{COUNTED_CREDENTIALS, CREDENTIAL_TYPE, NAMED_CREDENTIALS};
use super::rlcf_checker::RlcfChecker;
use super::rlcf_rule_table::{R_12, R_14};
use super::visited_records::VisitedRecord;
use crate::checking::schema::listed;
use evalgraph_json::{JsonKind, TokenId};

pub(super) fn check(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    match record.kind {
        RecordKind::Credential | RecordKind::CredentialCreate if checker.profile.has(&R_12) => {
            credential(checker, record);
        }
        RecordKind::ModelConfig if checker.profile.has(&R_14) => weights(checker, record),
        _ => {}
    }
}

fn credential(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let Some((_, name)) = checker.string(record.value, "type") else { return };
    let Some((value, text)) = checker.string(record.value, "value") else { return };
    if !CREDENTIAL_TYPE.words.contains(&name.as_ref()) {
        return;
    }
    let words = NAMED_CREDENTIALS.iter().find(|(known, _)| *known == name).map(|(_, words)| *words);
    let message = if COUNTED_CREDENTIALS.contains(&name.as_ref()) {
        let is_count = text.trim().parse::<f64>().is_ok_and(|number| number.is_finite() && number >= 0.0);
        (!is_count).then(|| format!("{} is not a number, which `{name}` needs", checker.show(value)))
    } else if text.trim().is_empty() {
        Some(format!("the value of `{name}` is empty"))
    } else {
        let words = words.filter(|words| !words.contains(&text.as_ref()));
        words.map(|words| format!("{} is not a value of `{name}`: {}", checker.show(value), listed(words)))
    };
    if let Some(message) = message {
        checker.found(&R_12, record.value, Some("value"), Some(value), message);
    }
}

fn weights(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    checker.look(&R_14);
    let document = checker.document;
    let weights = document.get(record.value, "authority_weights").filter(|&value| document.is_object(value));
    let Some(weights) = weights else { return };
    let values: Vec<TokenId> = document.members(weights).map(|member| member.value).collect();
    if let Some(&value) = values.iter().find(|&&value| document.kind(value) != JsonKind::Number) {
        let message = format!("the weight {} is not a number", checker.show(value));
        checker.found(&R_14, record.value, Some("authority_weights"), Some(value), message);
        return;
    }
    let number = |value: TokenId| document.number(value)?.parse::<f64>().ok();
    if let Some(&value) = values.iter().find(|&&value| number(value).is_some_and(|number| number < 0.0)) {
        let message = format!("the weight {} is below 0", checker.show(value));
        checker.found(&R_14, record.value, Some("authority_weights"), Some(value), message);
        return;
    }
    let sum: f64 = values.iter().filter_map(|&value| number(value)).sum();
    if (sum - 1.0).abs() > checker.settings.weight_tolerance {
        let message = format!("the weights add up to {sum}");
        checker.found(&R_14, record.value, Some("authority_weights"), Some(weights), message);
    }
}
