//! Figures of conversations: how many there are, how long they are, and who speaks in them.

use super::chat_messages::{PROMPT_ROLES, asked_question, calls, messages, records, role_of};
use crate::corpus::{Corpus, GoldDocuments};
use crate::named_figures::{NamedFigure, RecordTally, by_value, count};
use evalgraph_json::{JsonDocument, JsonKind};
use std::collections::BTreeMap;

/// Figures of conversations, which may come in parts.
#[derive(Debug, Clone, Default)]
pub(super) struct ChatFigures {
    conversations: u64,
    questions: u64,
    messages: u64,
    roles: BTreeMap<String, u64>,
    turns: u64,
    with_system_prompt: u64,
    tool_calls: u64,
}

impl RecordTally for ChatFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        for record in records(document).into_iter().filter(|&record| document.is_object(record)) {
            self.conversations += 1;
            let list = document.get(record, "messages");
            let question = list.and_then(|list| asked_question(document, list));
            self.questions += u64::from(question.is_some());
            let (mut has_prompt, mut last) = (false, None);
            for message in messages(document, record) {
                self.messages += 1;
                self.tool_calls += calls(document, message);
                let function = document.get(message, "function_call");
                let has_function = function.is_some_and(|call| document.kind(call) != JsonKind::Null);
                self.tool_calls += u64::from(has_function);
                let Some(role) = role_of(document, message) else { continue };
                has_prompt |= PROMPT_ROLES.contains(&&*role);
                // Several messages of the user in a row are one turn.
                self.turns += u64::from(role == "user" && last.as_deref() != Some("user"));
                *self.roles.entry(role.clone().into_owned()).or_default() += 1;
                last = Some(role);
            }
            self.with_system_prompt += u64::from(has_prompt);
        }
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        let without = self.conversations - self.with_system_prompt;
        vec![
            count("conversations", "conversations", self.conversations),
            count("questions", "questions", self.questions),
            count("messages", "messages", self.messages),
            by_value("messagesByRole", "by role", &self.roles),
            count("turns", "turns", self.turns),
            count("withSystemPrompt", "with a system prompt", self.with_system_prompt),
            count("withoutSystemPrompt", "without a system prompt", without),
            count("toolCalls", "tool calls", self.tool_calls),
        ]
    }
}
