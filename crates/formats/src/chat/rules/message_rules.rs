//! The rules about a single message: C-3 to C-5, C-10 and C-11.

use super::chat_rule_table::{CONTENT, MESSAGE, OTHER_KEYS, ROLE, WEIGHT};
use crate::chat::chat_messages::has_calls;
use crate::checking::FindingCollector;
use evalgraph_json::{JsonKind, TokenId};

/// The roles of OpenAI's API.
const ROLES: [&str; 6] = ["system", "developer", "user", "assistant", "tool", "function"];

/// The keys of messages of OpenAI's API.
const KEYS: [&str; 9] =
    ["role", "content", "name", "weight", "tool_calls", "tool_call_id", "function_call", "refusal", "audio"];

pub(super) fn check(checker: &mut FindingCollector<'_>, message: TokenId, has_all_rules: bool) {
    let document = checker.document();
    checker.look(&MESSAGE);
    if !document.is_object(message) {
        let message_text = format!("the message is {}, not an object", checker.show(message));
        checker.found(&MESSAGE, message, None, Some(message), message_text);
        return;
    }
    check_role(checker, message);
    check_content(checker, message);
    if has_all_rules {
        check_weight(checker, message);
        check_keys(checker, message);
    }
}

fn check_role(checker: &mut FindingCollector<'_>, message: TokenId) {
    let Some(role) = checker.text(message, "role") else {
        checker.found_other(&MESSAGE, message, "role", "not a string");
        return;
    };
    checker.look(&ROLE);
    if !ROLES.contains(&&*role) {
        let known = ROLES.join(", ");
        checker.found_at(&ROLE, message, "role", format!("`{role}` is not a role; there are {known}"));
    }
}

fn check_content(checker: &mut FindingCollector<'_>, message: TokenId) {
    checker.look(&CONTENT);
    let document = checker.document();
    let calls = has_calls(document, message) || checker.present(message, "refusal").is_some();
    let Some(content) = checker.present(message, "content") else {
        if !calls {
            checker.found_at(
                &CONTENT,
                message,
                "content",
                "the message has neither `content` nor tool calls",
            );
        }
        return;
    };
    if document.is_array(content) {
        let is_part = |part: TokenId| document.get(part, "type").is_some();
        let mut parts = document.items(content).filter(|&part| !document.is_object(part) || !is_part(part));
        if let Some(part) = parts.next() {
            let why = format!("the part is {}, not an object with a `type`", checker.show(part));
            checker.found(&CONTENT, message, Some("content"), Some(part), why);
        } else if document.items(content).next().is_none() && !calls {
            checker.found_at(&CONTENT, message, "content", "`content` is empty");
        }
        return;
    }
    match checker.text(message, "content") {
        None => checker.found_other(&CONTENT, message, "content", "neither a string nor a list of parts"),
        Some(text) if text.trim().is_empty() && !calls => {
            checker.found_at(&CONTENT, message, "content", "`content` is empty");
        }
        Some(_) => {}
    }
}

fn check_weight(checker: &mut FindingCollector<'_>, message: TokenId) {
    let document = checker.document();
    let Some(weight) = document.get(message, "weight") else { return };
    checker.look(&WEIGHT);
    let is_number = document.kind(weight) == JsonKind::Number;
    let number = document.number(weight).filter(|_| is_number).and_then(|number| number.parse::<f64>().ok());
    let is_weight = number.is_some_and(|number| number == 0.0 || number == 1.0);
    let role = checker.text(message, "role");
    if !is_weight {
        checker.found_other(&WEIGHT, message, "weight", "neither 0 nor 1");
    } else if role.as_deref() != Some("assistant") {
        checker.found_at(&WEIGHT, message, "weight", "only messages of the assistant have a weight");
    }
}

fn check_keys(checker: &mut FindingCollector<'_>, message: TokenId) {
    checker.look(&OTHER_KEYS);
    let document = checker.document();
    for member in document.members(message) {
        let key = document.symbol_text(member.symbol);
        if !KEYS.contains(&key) {
            let why = format!("`{key}` is not a key of a message");
            checker.found(&OTHER_KEYS, message, None, Some(member.value), why);
        }
    }
}
