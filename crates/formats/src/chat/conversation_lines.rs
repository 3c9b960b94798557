//! Writes conversations as JSON Lines. A conversation keeps all its keys, and its line where it was one.

use super::chat_messages::{PROMPT_ROLES, messages, records, role_of};
use crate::plain_conversations::PlainConversations;
use evalgraph_json::minified::write_minified;
use evalgraph_json::{JsonDocument, TokenId, write_string};

/// Writes each conversation of a file on a line. A system prompt goes into those that have none.
pub(super) fn conversation_lines(document: &JsonDocument, system: Option<&str>) -> PlainConversations {
    let mut chat = PlainConversations::default();
    for record in records(document) {
        if messages(document, record).is_empty() {
            chat.left_out.add("they have no messages");
            continue;
        }
        let is_prompt = |message: &TokenId| {
            role_of(document, *message).is_some_and(|role| PROMPT_ROLES.contains(&&*role))
        };
        let has_prompt = messages(document, record).iter().any(is_prompt);
        match system.filter(|_| !has_prompt) {
            Some(system) => with_prompt(document, record, system, &mut chat.text),
            None => one_line(document, record, &mut chat.text),
        }
        chat.text.push('\n');
    }
    chat
}

/// Writes a value as it is if it is on one line, otherwise without white space.
fn one_line(document: &JsonDocument, value: TokenId, text: &mut String) {
    let raw = document.raw(value);
    if raw.contains(['\n', '\r']) {
        write_minified(document, value, text);
    } else {
        text.push_str(raw);
    }
}

/// Writes a conversation whose first message is the system prompt.
fn with_prompt(document: &JsonDocument, record: TokenId, system: &str, text: &mut String) {
    text.push('{');
    for (at, member) in document.members(record).enumerate() {
        text.push_str(if at > 0 { ", " } else { "" });
        let key = document.symbol_text(member.symbol);
        write_string(key, text);
        text.push_str(": ");
        if key != "messages" {
            one_line(document, member.value, text);
            continue;
        }
        text.push_str("[{\"role\": \"system\", \"content\": ");
        write_string(system, text);
        text.push('}');
        for message in document.items(member.value) {
            text.push_str(", ");
            one_line(document, message, text);
        }
        text.push(']');
    }
    text.push('}');
}
