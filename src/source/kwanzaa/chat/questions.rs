//! What the messages of a conversation say: the question without the documents and instructions around it,
//! and the answer without the contract.

use super::reading::content_of_messages;
use super::user_message::UserMessage;
use crate::json::{Document, Limits, TokenId, parse};
use crate::source::kwanzaa::samples::Sample;

/// The question that the user asks; none where nothing says it.
pub fn asked_question(document: &Document, messages: TokenId) -> Option<String> {
    let query = answer_text(document, messages, &["retrieval_summary", "query"]);
    let said = content_of_messages(document, messages, "user");
    let message = UserMessage::read(said.as_deref().unwrap_or_default(), query.as_deref());
    message.question.map(str::to_owned).or(query)
}

/// The text of the assistant's answer to the question.
pub fn given_answer(document: &Document, messages: TokenId) -> Option<String> {
    asked_question(document, messages)?;
    answer_text(document, messages, &["answer", "text"])
}

/// Tells how complete the assistant says that its answer is.
pub fn completeness_of_answer(document: &Document, messages: TokenId) -> Option<String> {
    asked_question(document, messages)?;
    answer_text(document, messages, &["answer", "completeness"])
}

fn answer_text(document: &Document, messages: TokenId, path: &[&str]) -> Option<String> {
    let said = content_of_messages(document, messages, "assistant")?;
    let answer = parse("answer", said.into_owned(), Limits::default()).ok()?;
    let answer = Sample { document: &answer, token: answer.root() };
    answer.text(path).map(Into::into)
}
