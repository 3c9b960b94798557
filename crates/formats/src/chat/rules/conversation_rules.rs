//! The rules about a conversation and about the order of its messages: C-1, C-2, C-6 to C-9 and C-12.

use super::chat_rule_table::{ASSISTANT, CALL, COUNT, LAST, MESSAGES, ORDER, RECORD};
use super::{ChatProfile, message_rules};
use crate::chat::chat_messages::{records, role_of};
use crate::checking::FindingCollector;
use evalgraph_json::{JsonDocument, TokenId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The fewest examples of a file that OpenAI takes.
const FEWEST: usize = 10;

pub(super) fn check(checker: &mut FindingCollector<'_>, profile: ChatProfile) {
    let document = checker.document();
    let records = records(document);
    for &record in &records {
        checker.look(&RECORD);
        if !document.is_object(record) {
            let message = format!("the conversation is {}, not an object", checker.show(record));
            checker.found(&RECORD, record, None, Some(record), message);
            continue;
        }
        checker.subjects += 1;
        check_conversation(checker, record, profile);
    }
    if profile == ChatProfile::Seed {
        checker.look(&COUNT);
        if records.len() < FEWEST {
            let message = format!("the file has {} of at least {FEWEST} conversations", records.len());
            checker.found(&COUNT, document.root(), None, None, message);
        }
    }
}

fn check_conversation(checker: &mut FindingCollector<'_>, record: TokenId, profile: ChatProfile) {
    let document = checker.document();
    checker.look(&MESSAGES);
    let messages = document.get(record, "messages").filter(|&messages| document.is_array(messages));
    let Some(messages) = messages else {
        checker.found_other(&MESSAGES, record, "messages", "not a list");
        return;
    };
    let messages: Vec<TokenId> = document.items(messages).collect();
    let Some(&last) = messages.last() else {
        checker.found_at(&MESSAGES, record, "messages", "the conversation has no messages");
        return;
    };
    for &message in &messages {
        message_rules::check(checker, message, profile == ChatProfile::Seed);
    }
    check_order(checker, record, &messages, last);
    if profile == ChatProfile::Seed {
        check_calls(checker, &messages);
    }
}

fn check_order(checker: &mut FindingCollector<'_>, record: TokenId, messages: &[TokenId], last: TokenId) {
    let document = checker.document();
    let is_of = |message: TokenId, role: &str| role_of(document, message).is_some_and(|own| own == role);
    let first = messages.iter().position(|&message| is_of(message, "assistant"));
    checker.look(&ASSISTANT);
    let Some(first) = first else {
        checker.found_at(&ASSISTANT, record, "messages", "the assistant says nothing");
        return;
    };
    checker.look(&LAST);
    if let Some(who) = role_of(document, last).filter(|role| role != "assistant") {
        let message = format!("the conversation ends with a message of `{who}`");
        checker.found(&LAST, last, None, Some(last), message);
    }
    checker.look(&ORDER);
    if !messages[..first].iter().any(|&message| is_of(message, "user")) {
        let message = "the assistant answers before the user has said anything";
        checker.found(&ORDER, messages[first], None, Some(messages[first]), message);
    }
}

/// Checks that each message of a tool answers a call.
fn check_calls(checker: &mut FindingCollector<'_>, messages: &[TokenId]) {
    let document = checker.document();
    let mut calls: BTreeSet<Cow<'_, str>> = BTreeSet::new();
    for &message in messages {
        calls.extend(ids_of_calls(document, message));
        if role_of(document, message).is_none_or(|role| role != "tool") {
            continue;
        }
        checker.look(&CALL);
        match checker.text(message, "tool_call_id") {
            None => checker.found_other(&CALL, message, "tool_call_id", "not a string"),
            Some(id) if !calls.contains(&id) => {
                let why = format!("no earlier message has a call with the id `{id}`");
                checker.found_at(&CALL, message, "tool_call_id", why);
            }
            Some(_) => {}
        }
    }
}

fn ids_of_calls(document: &JsonDocument, message: TokenId) -> impl Iterator<Item = Cow<'_, str>> {
    let calls = document.get(message, "tool_calls").into_iter();
    let calls = calls.flat_map(|calls| document.items(calls));
    calls.filter_map(|call| document.string(document.get(call, "id")?))
}
