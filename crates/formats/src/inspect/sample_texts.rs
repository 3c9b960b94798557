//! The texts of a sample: what was asked, what the model answered, and what was expected.

use crate::records::{ComputedValue, ValueContext};
use evalgraph_json::{JsonDocument, TokenId};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The beginning of a reference to a text that several parts of a sample share.
const ATTACHMENT: &str = "attachment://";

/// The question: a string, or the texts of the user's messages; without those, of all messages. The choices follow it,
/// each with its letter.
pub(super) fn question_text(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let mut question = asked(document, at.value)?;
    let choices = at.member("choices").filter(|&choices| document.is_array(choices));
    for (letter, choice) in ('A'..='Z').zip(choices.into_iter().flat_map(|list| document.items(list))) {
        let _ = write!(question, "\n{letter}) {}", scalar(document, choice));
    }
    ComputedValue::text(resolved(at, &question), at.value)
}

fn asked(document: &JsonDocument, input: TokenId) -> Option<String> {
    if !document.is_array(input) {
        return document.is_scalar(input).then(|| scalar(document, input).into_owned());
    }
    let role = |message| document.string(member(document, message, "role")?);
    let text = |message| Some(content_text(document, member(document, message, "content")?));
    let of_user = document.items(input).filter(|message| role(*message).as_deref() == Some("user"));
    let mut texts: Vec<String> = of_user.filter_map(text).collect();
    if texts.is_empty() {
        texts = document.items(input).filter_map(text).collect();
    }
    Some(texts.join("\n\n"))
}

/// The answer: what the output says, otherwise the last text of the assistant.
pub(super) fn answer_text(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let output = at.member("output");
    let first = output
        .and_then(|output| member(document, output, "choices"))
        .filter(|&choices| document.is_array(choices))
        .and_then(|choices| document.items(choices).next());
    let content = first
        .and_then(|choice| member(document, choice, "message"))
        .and_then(|message| member(document, message, "content"));
    let completion = output.and_then(|output| member(document, output, "completion"));
    let said = [content, completion].into_iter().flatten().find_map(|content| said_in(at, content));
    said.or_else(|| {
        let messages = at.member("messages").filter(|&messages| document.is_array(messages))?;
        let of_assistant = document.items(messages).filter_map(|message| {
            let role = document.string(member(document, message, "role")?)?;
            member(document, message, "content").filter(|_| role == "assistant")
        });
        of_assistant.filter_map(|content| said_in(at, content)).last()
    })
}

/// Returns the text of a content, if it is not blank.
fn said_in(at: &ValueContext<'_>, content: TokenId) -> Option<ComputedValue> {
    let text = content_text(at.document, content);
    if text.trim().is_empty() || text == "null" {
        return None;
    }
    ComputedValue::text(resolved(at, &text), content)
}

/// Several targets are one text. A single target is in its place anyway.
pub(super) fn joined_targets(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    if !document.is_array(at.value) {
        return None;
    }
    let targets: Vec<_> = document.items(at.value).map(|target| scalar(document, target)).collect();
    ComputedValue::text(targets.join("; "), at.value)
}

/// The samples that belong together.
pub(super) fn group_of(at: &ValueContext<'_>) -> Option<ComputedValue> {
    ComputedValue::scalar(at.document, member(at.document, at.value, "group")?)
}

/// The message of an error.
pub(super) fn what_failed(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let message = member(at.document, at.value, "message").unwrap_or(at.value);
    ComputedValue::string(at.document, message)
}

/// Returns a text in which each reference to an attachment of the sample is replaced by the attachment.
fn resolved(at: &ValueContext<'_>, text: &str) -> String {
    let document = at.document;
    let attachments = at.member("attachments").filter(|&attachments| document.is_object(attachments));
    let Some(attachments) = attachments.filter(|_| text.contains(ATTACHMENT)) else { return text.to_owned() };
    let (mut resolved, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(ATTACHMENT) {
        resolved.push_str(before);
        let end = after.find(|character: char| !character.is_ascii_hexdigit()).unwrap_or(after.len());
        let attached = document.get(attachments, &after[..end]).and_then(|value| document.string(value));
        match attached {
            Some(attached) => resolved.push_str(&attached),
            None => {
                resolved.push_str(ATTACHMENT);
                resolved.push_str(&after[..end]);
            }
        }
        rest = &after[end..];
    }
    resolved.push_str(rest);
    resolved
}

/// Returns the text of a message: a string, or the texts among its parts.
fn content_text(document: &JsonDocument, content: TokenId) -> String {
    if !document.is_array(content) {
        return scalar(document, content).into_owned();
    }
    let texts = document.items(content).filter_map(|part| member(document, part, "text"));
    texts.map(|text| scalar(document, text)).collect::<Vec<_>>().join("\n")
}

/// Returns the member of an object, or `None` for another value.
fn member(document: &JsonDocument, object: TokenId, key: &str) -> Option<TokenId> {
    document.is_object(object).then(|| document.get(object, key)).flatten()
}

/// Returns a value as text: a string as it is, other values as JSON.
fn scalar(document: &JsonDocument, value: TokenId) -> Cow<'_, str> {
    document.string(value).unwrap_or_else(|| Cow::Borrowed(document.raw(value)))
}
