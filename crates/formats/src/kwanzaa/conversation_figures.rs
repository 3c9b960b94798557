//! Figures about files with conversations: the number of conversations, and the number of messages of each role.

use super::KnownValueCounts;
use super::chat::asked_question;
use crate::corpus::{Corpus, GoldDocuments};
use crate::named_figures::{NamedFigure, RecordTally, count};
use evalgraph_json::JsonDocument;

/// The roles in a conversation, in the order in which they speak.
const ROLES: [&str; 3] = ["system", "user", "assistant"];

/// Figures about conversations, which may be added in parts.
#[derive(Debug, Clone)]
pub struct ConversationFigures {
    /// The number of conversations.
    pub conversations: u64,
    /// The number of conversations that contain their question.
    pub questions: u64,
    /// The number of messages.
    pub messages: u64,
    /// The number of messages by role.
    pub roles: KnownValueCounts,
}

impl Default for ConversationFigures {
    fn default() -> Self {
        Self { conversations: 0, questions: 0, messages: 0, roles: KnownValueCounts::new(&ROLES) }
    }
}

impl ConversationFigures {
    /// Counts the conversations of a file, or of a part of a file.
    pub fn add(&mut self, document: &JsonDocument) {
        for conversation in document.items(document.root()).filter(|&item| document.is_object(item)) {
            self.conversations += 1;
            let messages = document.get(conversation, "messages");
            let question = messages.and_then(|messages| asked_question(document, messages));
            self.questions += u64::from(question.is_some());
            for message in messages.into_iter().flat_map(|messages| document.items(messages)) {
                self.messages += u64::from(document.is_object(message));
                if let Some(role) = document.get(message, "role").and_then(|role| document.string(role)) {
                    self.roles.add(&role);
                }
            }
        }
    }
}

impl RecordTally for ConversationFigures {
    fn add(&mut self, document: &JsonDocument, _gold: &GoldDocuments) {
        Self::add(self, document);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<NamedFigure> {
        vec![
            count("conversations", "conversations", self.conversations),
            count("questions", "questions", self.questions),
            count("messages", "messages", self.messages),
            self.roles.fact("messagesByRole", "by role"),
        ]
    }
}
