//! Rules about tasks and the feedback on them: task types and their fields, status, lengths of texts.

use super::super::dataset_files::DatasetFile;
use super::super::kinds::RecordKind;
use super::super::known_values::{BLIND_EVALUATION, FEEDBACK_WORDS, OPEN};
use super::super::rlcf_profile::RlcfProfile;
use super::super::task_types::{TaskField, ValueType};
use super::register::{TaskFacts, text_of};
use super::rlcf_checker::RlcfChecker;
use super::rlcf_rule_table::{R_1, R_2, R_3, R_4, R_10, R_17};
use super::visited_records::VisitedRecord;
use crate::checking::FormatRule;
use crate::checking::schema::listed;
use evalgraph_json::{JsonKind, TokenId};
use std::ops::RangeInclusive;

pub(super) fn check(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    match record.kind {
        RecordKind::LegalTask | RecordKind::LegalTaskCreate | RecordKind::YamlTask => task(checker, record),
        RecordKind::ExportRequest => task_type(checker, record),
        RecordKind::Feedback | RecordKind::FeedbackCreate => feedback(checker, record),
        _ => {}
    }
}

fn task_type(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let (settings, profile) = (checker.settings, checker.profile);
    let is_known = |name: &str| {
        settings.task_types.get(name).is_some()
            || profile == RlcfProfile::Shipped && DatasetFile::of_task_type(name).is_some()
    };
    checker.word(&R_1, record, "task_type", is_known, || "is not a task type".to_owned());
}

fn task(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    task_type(checker, record);
    let Some(input) = object(checker, record, "input_data") else { return };
    let settings = checker.settings;
    length(checker, record, input, "question", &settings.question);
    let name = text_of(checker.document, record.value, "task_type").unwrap_or_default();
    let fields = settings.task_types.get(&name).and_then(|task_type| task_type.input_data.as_ref());
    let Some(fields) = fields else { return };
    checker.look(&R_2);
    let is_empty = checker.document.members(input).next().is_none();
    if checker.profile == RlcfProfile::Shipped && is_empty {
        return;
    }
    for field in fields {
        self::field(checker, &R_2, record, "input_data", input, field);
    }
}

fn feedback(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let document = checker.document;
    let register = checker.register;
    let task = text_of(document, record.value, "response_id").and_then(|id| register.task_of_response(&id));
    if let Some(task) = task {
        phase(checker, record, task);
    }
    let Some(data) = object(checker, record, "feedback_data") else { return };
    let settings = checker.settings;
    length(checker, record, data, "reasoning", &settings.reasoning);
    let task_type = task.and_then(|task| settings.task_types.get(&task.task_type));
    let fields = task_type.and_then(|task_type| task_type.feedback_data.as_ref());
    words(checker, record, data, fields.map_or(&[], Vec::as_slice));
    let Some(fields) = fields else { return };
    if !checker.profile.has(&R_3) {
        return;
    }
    checker.look(&R_3);
    for field in fields {
        self::field(checker, &R_3, record, "feedback_data", data, field);
    }
}

/// Checks the fields that must be one of several words, unless the task type gives the field other words.
fn words(checker: &mut RlcfChecker<'_>, record: VisitedRecord, data: TokenId, fields: &[TaskField]) {
    if !checker.profile.has(&R_17) {
        return;
    }
    for (key, words) in FEEDBACK_WORDS {
        let has_others = |field: &TaskField| field.key == key && matches!(field.value, ValueType::Literal(_));
        let Some((value, word)) = checker.string(data, key) else { continue };
        if fields.iter().any(has_others) {
            continue;
        }
        checker.look(&R_17);
        if !words.contains(&word.as_ref()) {
            let message = format!("`{key}` is {}, not one of {}", checker.show(value), listed(words));
            checker.found(&R_17, record.value, Some("feedback_data"), Some(value), message);
        }
    }
}

/// Checks the status of a task. A request for feedback needs a task in blind evaluation; existing feedback only needs a
/// task that is no longer open.
fn phase(checker: &mut RlcfChecker<'_>, record: VisitedRecord, task: &TaskFacts) {
    checker.look(&R_4);
    let is_allowed = match record.kind {
        RecordKind::FeedbackCreate => task.status == BLIND_EVALUATION,
        _ => task.status != OPEN,
    };
    if !is_allowed {
        let value = checker.document.get(record.value, "response_id");
        let message = format!("feedback on a task whose status is `{}`", task.status);
        checker.found(&R_4, record.value, Some("response_id"), value, message);
    }
}

fn object(checker: &RlcfChecker<'_>, record: VisitedRecord, key: &str) -> Option<TokenId> {
    checker.document.get(record.value, key).filter(|&value| checker.document.is_object(value))
}

fn field(
    checker: &mut RlcfChecker<'_>,
    rule: &FormatRule,
    record: VisitedRecord,
    path: &'static str,
    data: TokenId,
    field: &TaskField,
) {
    let document = checker.document;
    let value = document.get(data, &field.key);
    let is_null = value.is_some_and(|value| document.kind(value) == JsonKind::Null);
    let Some(value) = value.filter(|_| !is_null || checker.profile == RlcfProfile::Shipped) else {
        if field.required {
            let message = format!("`{}` is {}", field.key, if is_null { "null" } else { "missing" });
            checker.found(rule, record.value, Some(path), value.or(Some(data)), message);
        }
        return;
    };
    // The shipped program checks only the keys.
    if checker.profile == RlcfProfile::Shipped {
        return;
    }
    if let Some(misfit) = field.value.misfit(document, value) {
        let message = format!("`{}` should be {}", field.key, field.value.describe());
        checker.found(rule, record.value, Some(path), Some(misfit), message);
    }
}

fn length(
    checker: &mut RlcfChecker<'_>,
    record: VisitedRecord,
    object: TokenId,
    key: &'static str,
    lengths: &RangeInclusive<usize>,
) {
    if !checker.profile.has(&R_10) {
        return;
    }
    let Some((value, text)) = checker.string(object, key) else { return };
    checker.look(&R_10);
    let length = text.chars().count();
    if !lengths.contains(&length) {
        let (least, most) = (lengths.start(), lengths.end());
        let message = format!("a {key} of {length} characters, where {least} to {most} are allowed");
        checker.found(&R_10, record.value, Some(key), Some(value), message);
    }
}
