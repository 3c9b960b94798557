//! The parts of conversations: messages with their roles and texts, the question that is asked last, and its answer.

use crate::records::FoundText;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::borrow::Cow;

/// The roles of messages that work as a system prompt; newer models of OpenAI call it `developer`.
pub(super) const PROMPT_ROLES: [&str; 2] = ["system", "developer"];

/// Returns the records of a file: the items of an array or of JSON Lines, or the only object.
pub(super) fn records(document: &JsonDocument) -> Vec<TokenId> {
    let root = document.root();
    match document.is_object(root) {
        true => vec![root],
        false => document.items(root).collect(),
    }
}

/// Returns the messages of a record that are objects.
pub(super) fn messages(document: &JsonDocument, record: TokenId) -> Vec<TokenId> {
    let messages = document.get(record, "messages").into_iter();
    let messages = messages.flat_map(|messages| document.items(messages));
    messages.filter(|&message| document.is_object(message)).collect()
}

/// Returns the role of a message.
pub(super) fn role_of(document: &JsonDocument, message: TokenId) -> Option<Cow<'_, str>> {
    document.string(document.get(message, "role")?)
}

/// Returns whether a message calls tools. `function_call` is the older key for one call.
pub(super) fn has_calls(document: &JsonDocument, message: TokenId) -> bool {
    let function = document.get(message, "function_call");
    function.is_some_and(|call| document.kind(call) != JsonKind::Null) || calls(document, message) > 0
}

/// Returns how many calls `tool_calls` of a message has.
pub(super) fn calls(document: &JsonDocument, message: TokenId) -> u64 {
    let calls = document.get(message, "tool_calls").into_iter();
    calls.flat_map(|calls| document.items(calls)).count() as u64
}

/// Returns the text of a list of parts, each text in a line of its own; none of another value.
pub(super) fn text_of_parts(document: &JsonDocument, content: TokenId) -> Option<FoundText> {
    if !document.is_array(content) {
        return None;
    }
    let parts = document.items(content).filter_map(|part| {
        let text = if document.is_object(part) { document.get(part, "text")? } else { part };
        Some((document.string(text)?, text))
    });
    let parts: Vec<(Cow<'_, str>, TokenId)> = parts.collect();
    let found_in = if let [(_, text)] = parts.as_slice() { *text } else { content };
    let texts: Vec<Cow<'_, str>> = parts.into_iter().map(|(text, _)| text).collect();
    Some((texts.join("\n"), found_in))
}

/// Returns the question: the text of the last message of the user before the answer.
pub(super) fn asked_question(document: &JsonDocument, messages: TokenId) -> Option<FoundText> {
    let messages: Vec<TokenId> = document.items(messages).collect();
    let end = answer_at(document, &messages).unwrap_or(messages.len());
    messages[..end].iter().rev().find_map(|&message| said_by(document, message, "user"))
}

/// Returns the answer to the question: the text of the last message of the assistant that has one.
pub(super) fn given_answer(document: &JsonDocument, messages: TokenId) -> Option<FoundText> {
    asked_question(document, messages)?;
    let messages: Vec<TokenId> = document.items(messages).collect();
    said_by(document, messages[answer_at(document, &messages)?], "assistant")
}

fn answer_at(document: &JsonDocument, messages: &[TokenId]) -> Option<usize> {
    messages.iter().rposition(|&message| said_by(document, message, "assistant").is_some())
}

/// Returns the text of a message, if it is of that role and not blank.
fn said_by(document: &JsonDocument, message: TokenId, role: &str) -> Option<FoundText> {
    let is_of_role = role_of(document, message).is_some_and(|own| own == role);
    let content = document.get(message, "content").filter(|_| is_of_role)?;
    let text = document.string(content).map(|text| (text.into_owned(), content));
    let text = text.or_else(|| text_of_parts(document, content));
    text.filter(|(text, _)| !text.trim().is_empty())
}
