//! Rules about credentials, exports and the configuration of weights.

use super::super::kinds::RecordKind;
use super::rlcf_checker::RlcfChecker;
use super::rlcf_rule_table::{R_12, R_13, R_14};
use super::visited_records::VisitedRecord;
use crate::checking::schema::listed;
use evalgraph_json::{JsonKind, TokenId};

/// The types of credentials.
const TYPES: [&str; 5] =
    ["ACADEMIC_DEGREE", "PROFESSIONAL_EXPERIENCE", "PUBLICATION", "INSTITUTIONAL_ROLE", "PROFESSIONAL_FIELD"];
/// The types whose value is a number in a string.
const COUNTED: [&str; 2] = ["PROFESSIONAL_EXPERIENCE", "PUBLICATION"];
/// The types whose value is one of several words.
const NAMED: [(&str, &[&str]); 2] = [
    ("ACADEMIC_DEGREE", &["Bachelor", "LLM", "JD", "PhD"]),
    ("INSTITUTIONAL_ROLE", &["Junior", "Senior", "Partner"]),
];

pub(super) fn check(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    match record.kind {
        RecordKind::Credential | RecordKind::CredentialCreate if checker.profile.has(&R_12) => {
            credential(checker, record);
        }
        RecordKind::ExportRequest => {
            let is_format = |format: &str| ["sft", "preference"].contains(&format);
            checker.word(&R_13, record, "export_format", is_format, "is neither `sft` nor `preference`");
        }
        RecordKind::ModelConfig if checker.profile.has(&R_14) => weights(checker, record),
        _ => {}
    }
}

fn credential(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let is_known = |name: &str| TYPES.contains(&name);
    let name = checker.word(&R_12, record, "type", is_known, "is not a type of credential");
    let (Some(name), Some((value, text))) = (name, checker.string(record.value, "value")) else { return };
    let words = NAMED.iter().find(|(known, _)| *known == name).map(|(_, words)| *words);
    let message = if COUNTED.contains(&name.as_ref()) {
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
