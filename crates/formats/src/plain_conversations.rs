//! Conversations from the questions of any system, for training: the user asks and lists the documents on which the
//! answer rests, the assistant gives the answer. A conversation says nothing that its question does not say, so a
//! question without an answer makes no conversation.

use super::counts::ConversionCounts;
use super::items::{ItemContext, QuestionItem};
use evalgraph_json::write_string;
use std::fmt::Write as _;

/// Conversations, with what they lose of their questions, and the questions left out.
#[derive(Debug, Default)]
pub struct PlainConversations {
    /// A JSON object on each line.
    pub text: String,
    /// The parts of questions that a conversation has no place for, with their counts.
    pub losses: ConversionCounts,
    /// The reasons for leaving questions out, with their counts.
    pub left_out: ConversionCounts,
}

/// Writes questions as conversations, in their order. Each begins with the system prompt, if there is one.
pub fn plain_conversations(items: &[QuestionItem], system: Option<&str>) -> PlainConversations {
    let mut chat = PlainConversations::default();
    for item in items {
        match answer_of(item) {
            Ok(answer) => chat.conversation(item, answer, system),
            Err(reason) => chat.left_out.add(reason),
        }
    }
    chat
}

/// Returns the answer to a question. A question that is marked as impossible may have a text that says so.
fn answer_of(item: &QuestionItem) -> Result<&str, &'static str> {
    let is_impossible = item.is_impossible == Some(true);
    let reason = match is_impossible {
        true => "they are marked as having no answer, without a text that says so",
        false => "they have no answer",
    };
    item.answer.as_deref().ok_or(reason)
}

impl PlainConversations {
    fn conversation(&mut self, item: &QuestionItem, answer: &str, system: Option<&str>) {
        self.note_losses(item);
        let user = user_message(item);
        let messages = [("system", system), ("user", Some(user.as_str())), ("assistant", Some(answer))];
        let messages = messages.into_iter().filter_map(|(role, content)| Some((role, content?)));
        write_conversation(messages, &mut self.text);
    }

    fn note_losses(&mut self, item: &QuestionItem) {
        let losses = &mut self.losses;
        losses.add_if(item.source_id.is_some(), "the id of a question");
        losses.add_if(item.is_impossible == Some(true), "that a question has no answer");
        losses.add_if(item.is_impossible == Some(false), "that a question has an answer (`is_impossible`)");
        item.note_details(losses);
        for _ in item.contexts.iter().filter(|context| context.text.is_none()) {
            losses.add("the name of a document without a text");
        }
    }
}

/// Writes a conversation of pairs of role and text on one line.
pub(super) fn write_conversation<'m>(messages: impl Iterator<Item = (&'m str, &'m str)>, text: &mut String) {
    text.push_str("{\"messages\": [");
    for (at, (role, content)) in messages.enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        let _ = write!(text, "{comma}{{\"role\": \"{role}\", \"content\": ");
        write_string(content, text);
        text.push('}');
    }
    text.push_str("]}\n");
}

/// Returns the question, followed by the documents that have a text.
fn user_message(item: &QuestionItem) -> String {
    let mut message = item.question.clone();
    let shown = |context: &&ItemContext| context.text.as_deref().is_some_and(|text| !text.trim().is_empty());
    for (at, context) in item.contexts.iter().filter(shown).enumerate() {
        message.push_str(if at == 0 { "\n\nDocuments:\n\n" } else { "\n\n" });
        let name = context.name.as_deref().filter(|name| !name.is_empty());
        let _ =
            write!(message, "[{}]{}{}", at + 1, if name.is_some() { " " } else { "" }, name.unwrap_or(""));
        message.push('\n');
        message.push_str(context.text.as_deref().unwrap_or_default());
    }
    message
}
