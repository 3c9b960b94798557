//! Rules about the fields of every record: presence, types, ids and references, times, usernames.

use super::super::kinds::RecordKind;
use super::super::known_values::RECORD_ID;
use super::super::rlcf_profile::RlcfProfile;
use super::register::{identity, names_of, text_of};
use super::rlcf_checker::RlcfChecker;
use super::rlcf_rule_table::{R_8, R_9, R_11, REPLY, SCHEMA};
use super::visited_records::VisitedRecord;
use crate::checking::schema::{CoercionMode, SchemaField, SchemaFieldType, expected_words, is_of_type};
use evalgraph_diagnostics::article::with_article;
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
    for field in record.kind.class(checker.profile).fields() {
        check_field(checker, record, field);
    }
    check_words(checker, record);
    check_own_id(checker, record, ids);
    check_username(checker, record);
    true
}

fn check_error_reply(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    let detail = checker.document.get(record.value, "detail");
    let code = checker.document.get(record.value, "error_code");
    let shown = code.map(|code| format!(" ({})", checker.show(code))).unwrap_or_default();
    let message = format!("the file contains an API error{shown}, not data");
    checker.found(&REPLY, record.value, Some("detail"), detail, message);
    if code.is_some() {
        check_words(checker, record);
    }
}

/// Checks the fields that have one of several words. Another type than a string is a matter of the field.
fn check_words(checker: &mut RlcfChecker<'_>, record: VisitedRecord) {
    for field in record.kind.class(checker.profile).fields() {
        if let SchemaFieldType::Words(list) = field.holds
            && checker.profile.has(list.rule)
        {
            let is_known = |word: &str| list.words.contains(&word);
            checker.word(list.rule, record, field.key, is_known, || (list.otherwise)(list.words));
        }
    }
}

fn check_field(checker: &mut RlcfChecker<'_>, record: VisitedRecord, field: &'static SchemaField) {
    let document = checker.document;
    let Some(value) = document.get(record.value, field.key) else {
        if field.is_required() && !has_another_form(checker, record) {
            let message = format!("`{}` is missing", field.key);
            checker.found(&SCHEMA, record.value, Some(field.key), None, message);
        }
        return;
    };
    let is_null = document.kind(value) == JsonKind::Null;
    if is_null && field.is_nullable() {
        return;
    }
    let rule = match field.holds {
        SchemaFieldType::Form(_) if is_id(field) => &R_8,
        SchemaFieldType::Form(_) => &R_11,
        _ => &SCHEMA,
    };
    if *rule != SCHEMA {
        checker.look(rule);
    }
    if !is_of_type(document, CoercionMode::Written, value, &field.holds) {
        let expected =
            if is_null && *rule == SCHEMA { "allowed here".into() } else { expected_words(&field.holds) };
        let message = format!("{} is not {expected}", checker.show(value));
        checker.found(rule, record.value, Some(field.key), Some(value), message);
    }
    if is_id(field)
        && let Some(id) = document.number(value)
        && let Some(kind) = record.kind.of_field(field.key)
        && checker.register.has(kind, id) == Some(false)
    {
        let message = format!("there is no {kind} with the id `{id}`");
        checker.found(&R_8, record.value, Some(field.key), Some(value), message);
    }
}

/// Returns whether the value of a field is the number of a record: of the record itself, or of another one.
fn is_id(field: &SchemaField) -> bool {
    matches!(field.holds, SchemaFieldType::Form(form) if std::ptr::eq(form, &raw const RECORD_ID))
}

/// Returns whether a request for many users has the form that contains complete users.
fn has_another_form(checker: &RlcfChecker<'_>, record: VisitedRecord) -> bool {
    record.kind == RecordKind::BulkUserCreate && checker.document.get(record.value, "users").is_some()
}

/// Checks that an id occurs only once in a list. Another list may contain the same record again.
fn check_own_id(checker: &mut RlcfChecker<'_>, record: VisitedRecord, ids: &mut RecordIdSet) {
    let fields = record.kind.class(checker.profile).fields();
    let has_id = fields.iter().any(|field| field.key == "id" && is_id(field));
    let Some(id) = text_of(checker.document, record.value, "id").filter(|_| has_id) else { return };
    let message = format!("the id `{id}` occurs twice");
    if !ids.0.insert((record.list, record.kind, id.into_owned())) {
        let value = checker.document.get(record.value, "id");
        checker.found(&R_8, record.value, Some("id"), value, message);
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
