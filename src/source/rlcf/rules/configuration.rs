//! Rules about credentials, exports and the configuration of weights.

use super::super::kinds::RecordKind;
use super::checker::Checker;
use super::table::{R_12, R_13, R_14};
use super::visited::Visited;
use crate::json::{Kind, TokenId};

/// The types of credentials.
const TYPES: [&str; 5] =
    ["ACADEMIC_DEGREE", "PROFESSIONAL_EXPERIENCE", "PUBLICATION", "INSTITUTIONAL_ROLE", "PROFESSIONAL_FIELD"];
/// Those whose value is a number, in a string.
const COUNTED: [&str; 2] = ["PROFESSIONAL_EXPERIENCE", "PUBLICATION"];

pub(super) fn check(checker: &mut Checker<'_>, record: Visited) {
    match record.kind {
        RecordKind::Credential | RecordKind::CredentialCreate if checker.profile.has(&R_12) => {
            credential(checker, record);
        }
        RecordKind::ExportRequest => export_format(checker, record),
        RecordKind::ModelConfig if checker.profile.has(&R_14) => weights(checker, record),
        _ => {}
    }
}

fn credential(checker: &mut Checker<'_>, record: Visited) {
    checker.look(&R_12);
    let document = checker.document;
    let string = |key: &str| document.get(record.value, key).filter(|&value| document.is_string(value));
    let Some(of_type) = string("type") else { return };
    let name = document.string(of_type).unwrap_or_default();
    if !TYPES.contains(&name.as_ref()) {
        let message = format!("{} is no type of credential", checker.show(of_type));
        checker.found(&R_12, record.value, Some("type"), Some(of_type), message);
        return;
    }
    let Some(value) = string("value").filter(|_| COUNTED.contains(&name.as_ref())) else { return };
    let text = document.string(value).unwrap_or_default();
    let is_count = text.trim().parse::<f64>().is_ok_and(|number| number.is_finite() && number >= 0.0);
    if !is_count {
        let message = format!("{} is no number, which `{name}` has", checker.show(value));
        checker.found(&R_12, record.value, Some("value"), Some(value), message);
    }
}

fn export_format(checker: &mut Checker<'_>, record: Visited) {
    checker.look(&R_13);
    let document = checker.document;
    let value = document.get(record.value, "export_format").filter(|&value| document.is_string(value));
    let Some(value) = value else { return };
    if !document.string(value).is_some_and(|format| ["sft", "preference"].contains(&format.as_ref())) {
        let message = format!("{} is neither `sft` nor `preference`", checker.show(value));
        checker.found(&R_13, record.value, Some("export_format"), Some(value), message);
    }
}

fn weights(checker: &mut Checker<'_>, record: Visited) {
    checker.look(&R_14);
    let document = checker.document;
    let weights = document.get(record.value, "authority_weights").filter(|&value| document.is_object(value));
    let Some(weights) = weights else { return };
    let values: Vec<TokenId> = document.members(weights).map(|member| member.value).collect();
    if let Some(&value) = values.iter().find(|&&value| document.kind(value) != Kind::Number) {
        let message = format!("the weight {} is no number", checker.show(value));
        checker.found(&R_14, record.value, Some("authority_weights"), Some(value), message);
        return;
    }
    let numbers = values.iter().filter_map(|&value| document.number(value)?.parse::<f64>().ok());
    let sum: f64 = numbers.sum();
    if (sum - 1.0).abs() > checker.settings.weight_tolerance {
        let message = format!("the weights add up to {sum}");
        checker.found(&R_14, record.value, Some("authority_weights"), Some(weights), message);
    }
}
