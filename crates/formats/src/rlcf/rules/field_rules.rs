//! Rules about the fields of every record: presence, types, ids and references, times, usernames.

use super::super::kinds::{FieldRequirement, RecordKind, RlcfField, RlcfFieldType};
use super::super::rlcf_profile::RlcfProfile;
use super::register::{identity, names_of, text_of};
use super::rlcf_checker::RlcfChecker;
use super::rlcf_rule_table::{R_8, R_9, R_11, R_19, REPLY, SCHEMA};
use super::visited_records::VisitedRecord;
use crate::checking::IsoTimestamp;
use crate::checking::schema::listed;
use evalgraph_diagnostics::article::with_article;
use evalgraph_json::number::is_integer;
use evalgraph_json::{JsonKind, TokenId};
use std::collections::HashSet;

/// The ids seen so far in each list of a file.
#[derive(Debug, Default)]
pub(super) struct RecordIdSet(HashSet<(usize, RecordKind, String)>);

/// Checks the fields of a record, and returns whether other rules can check the record.
pub(super) fn check(checker: &mut RlcfChecker<'_>, record: VisitedRecord, ids: &mut RecordIdSet) -> bool {
    checker.look(&SCHEMA);
    checker.look(&REPLY);
    if !checker.document.is_object(record.value) {
        let message =
            format!("{} is not {}", checker.show(record.value), with_article(&record.kind.to_string()));
        checker.found(&SCHEMA, record.value, None, None, message);
        return false;
    }
    if record.kind == RecordKind::ErrorReply {
        check_error_reply(checker, record);
        return false;
    }
    for field in record.kind.fields() {
        check_field(checker, record, field);
    }
    check_own_id(checker, record, ids);
    check_username(checker, record);
    true
}

/// The codes of errors in the document (section "Error Response Schema").
const ERROR_CODES: [&str; 5] =
    ["VALIDATION_ERROR", "NOT_FOUND", "PERMISSION_DENIED", "CONFLICT", "INTERNAL_ERROR"];

fn check_error_reply(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let detail = checker.document.get(record.value, "detail");
    let code = checker.document.get(record.value, "error_code");
    let shown = code.map(|code| format!(" ({})", checker.show(code))).unwrap_or_default();
    let message = format!("the file contains an API error{shown}, not data");
    checker.found(&REPLY, record.value, Some("detail"), detail, message);
    if checker.profile.has(&R_19) && code.is_some() {
        let otherwise = format!("is not an error code; there are {}", listed(&ERROR_CODES));
        checker.word(&R_19, record, "error_code", |word| ERROR_CODES.contains(&word), &otherwise);
    }
}

fn check_field(checker: &mut RlcfChecker<'_>, record: VisitedRecord, field: &'static RlcfField) {
    let Some(value) = checker.document.get(record.value, field.key) else {
        let is_asked = match field.asked {
            FieldRequirement::Always => true,
            FieldRequirement::BySeed => {
                checker.profile == RlcfProfile::Seed && !has_another_form(checker, record)
            }
            FieldRequirement::ByShipped => checker.profile == RlcfProfile::Shipped,
            FieldRequirement::Never => false,
        };
        if is_asked {
            let message = format!("`{}` is missing", field.key);
            checker.found(&SCHEMA, record.value, Some(field.key), None, message);
        }
        return;
    };
    match field.value {
        RlcfFieldType::Id => check_number(checker, record, field.key, value),
        RlcfFieldType::Reference(kind) => {
            check_number(checker, record, field.key, value);
            check_reference(checker, record, field.key, kind, value);
        }
        RlcfFieldType::Timestamp => check_timestamp(checker, record, field, value),
        value_type => {
            if let Some(expected) = misfit(checker, value_type, field.nullable, value) {
                let message = format!("{} is not {expected}", checker.show(value));
                checker.found(&SCHEMA, record.value, Some(field.key), Some(value), message);
            }
        }
    }
}

/// Returns whether a request for many users has the form that contains complete users.
fn has_another_form(checker: &RlcfChecker<'_>, record: VisitedRecord) -> bool {
    record.kind == RecordKind::BulkUserCreate && checker.document.get(record.value, "users").is_some()
}

/// Returns a description of the expected value, if the value does not fit.
fn misfit(
    checker: &RlcfChecker<'_>,
    value_type: RlcfFieldType,
    nullable: bool,
    value: TokenId,
) -> Option<&'static str> {
    let document = checker.document;
    let kind = document.kind(value);
    if kind == JsonKind::Null {
        let may_be_null = nullable || value_type == RlcfFieldType::Any;
        return (!may_be_null).then_some("allowed here");
    }
    let (fits, expected) = match value_type {
        RlcfFieldType::Text => (document.is_string(value), "a string"),
        RlcfFieldType::Integer => (document.number(value).is_some_and(is_integer), "an integer"),
        RlcfFieldType::Number => (kind == JsonKind::Number, "a number"),
        RlcfFieldType::Boolean => (matches!(kind, JsonKind::True | JsonKind::False), "true or false"),
        RlcfFieldType::Object => (kind == JsonKind::Object, "an object"),
        RlcfFieldType::Records(_) => (kind == JsonKind::Array, "an array"),
        RlcfFieldType::Texts => {
            let all = document.items(value).all(|item| document.is_string(item));
            (kind == JsonKind::Array && all, "an array of strings")
        }
        RlcfFieldType::Id | RlcfFieldType::Reference(_) | RlcfFieldType::Timestamp | RlcfFieldType::Any => {
            (true, "")
        }
    };
    (!fits).then_some(expected)
}

fn check_number(checker: &mut RlcfChecker<'_>, record: VisitedRecord, key: &'static str, value: TokenId) {
    checker.look(&R_8);
    let digits = checker.document.number(value).filter(|number| is_integer(number));
    let is_positive = digits.is_some_and(|digits| digits.bytes().any(|byte| (b'1'..=b'9').contains(&byte)))
        && !digits.is_some_and(|digits| digits.starts_with('-'));
    if !is_positive {
        let message = format!("{} is not a positive integer", checker.show(value));
        checker.found(&R_8, record.value, Some(key), Some(value), message);
    }
}

fn check_reference(
    checker: &mut RlcfChecker<'_>,
    record: VisitedRecord,
    key: &'static str,
    kind: RecordKind,
    value: TokenId,
) {
    let Some(id) = checker.document.number(value) else { return };
    if checker.register.has(kind, id) == Some(false) {
        let message = format!("there is no {kind} with the id `{id}`");
        checker.found(&R_8, record.value, Some(key), Some(value), message);
    }
}

/// Checks that an id occurs only once in a list. Another list may contain the same record again.
fn check_own_id(checker: &mut RlcfChecker<'_>, record: VisitedRecord, ids: &mut RecordIdSet) {
    let has_id = record.kind.fields().iter().any(|field| field.value == RlcfFieldType::Id);
    let Some(id) = text_of(checker.document, record.value, "id").filter(|_| has_id) else { return };
    let message = format!("the id `{id}` occurs twice");
    if !ids.0.insert((record.list, record.kind, id.into_owned())) {
        let value = checker.document.get(record.value, "id");
        checker.found(&R_8, record.value, Some("id"), value, message);
    }
}

fn check_timestamp(
    checker: &mut RlcfChecker<'_>,
    record: VisitedRecord,
    field: &'static RlcfField,
    value: TokenId,
) {
    let document = checker.document;
    if document.kind(value) == JsonKind::Null && (field.nullable || field.asked == FieldRequirement::Never) {
        return;
    }
    checker.look(&R_11);
    if document.string(value).is_none_or(|text| IsoTimestamp::parse(&text).is_none()) {
        let message = format!("{} is not a time in ISO 8601", checker.show(value));
        checker.found(&R_11, record.value, Some(field.key), Some(value), message);
    }
}

fn check_username(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let document = checker.document;
    let names: Vec<(TokenId, &'static str, String)> = match record.kind {
        RecordKind::User | RecordKind::UserCreate => {
            let name = document.get(record.value, "username").filter(|&name| document.is_string(name));
            let identity = identity(document, record.value);
            name.map(|name| (name, "username", identity)).into_iter().collect()
        }
        RecordKind::BulkUserCreate => {
            let names = names_of(document, record.value).into_iter();
            names.map(|name| (name, "usernames", identity(document, name))).collect()
        }
        _ => Vec::new(),
    };
    for (name, key, identity) in names {
        checker.look(&R_9);
        let text = document.string(name).unwrap_or_default();
        let length = text.chars().count();
        let lengths = &checker.settings.username;
        if checker.profile == RlcfProfile::Seed && !lengths.contains(&length) {
            let message = format!(
                "a username of {length} characters, where {} to {} are allowed",
                lengths.start(),
                lengths.end()
            );
            checker.found(&R_9, record.value, Some(key), Some(name), message);
        }
        if checker.register.is_taken(&text, &identity) {
            let message = format!("the username {} belongs to another user", checker.show(name));
            checker.found(&R_9, record.value, Some(key), Some(name), message);
        }
    }
}
