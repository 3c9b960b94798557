//! The texts of a row: the question, and what the model answered.

use crate::records::{ComputedValue, ValueContext};
use evalgraph_json::{JsonDocument, TokenId};

/// The members of a document that are its question, if a task has such a document.
const QUESTIONS: [&str; 3] = ["question", "problem", "query"];

/// The question: that of the document, otherwise the text that the model got.
pub(super) fn question_text(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let document = at.document;
    let of_document = at.member("doc").filter(|&doc| document.is_object(doc)).and_then(|doc| {
        QUESTIONS.iter().find_map(|key| ComputedValue::string(document, document.get(doc, key)?))
    });
    of_document.or_else(|| ComputedValue::string(document, prompt(document, at.member("arguments")?)?))
}

/// Returns the text that the model got: the first argument of the first request.
fn prompt(document: &JsonDocument, arguments: TokenId) -> Option<TokenId> {
    let first = |value: TokenId| match document.is_object(value) {
        true => document.members(value).next().map(|member| member.value),
        false => document.is_array(value).then(|| document.items(value).next()).flatten(),
    };
    first(first(arguments)?).filter(|&text| document.is_string(text))
}

/// The answer: the first text of what the filter left, otherwise of all responses.
pub(super) fn answer_text(at: &ValueContext<'_>) -> Option<ComputedValue> {
    let responses = ["filtered_resps", "resps"].into_iter().filter_map(|key| at.member(key));
    let text = |responses| first_text(at.document, responses);
    ComputedValue::string(at.document, responses.filter_map(text).next()?)
}

/// Returns the first text in lists of lists. Recurses by level; the parser limits the depth.
fn first_text(document: &JsonDocument, value: TokenId) -> Option<TokenId> {
    match document.is_array(value) {
        true => document.items(value).find_map(|item| first_text(document, item)),
        false => Some(value).filter(|&value| document.is_string(value)),
    }
}
