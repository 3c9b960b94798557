//! Figures of files with conversations: how many there are, and how many messages each role has.

use super::KnownValueCounts;
use super::chat::asked_question;
use crate::named_figures::{NamedFigure, RecordTally, count};
use crate::train::Corpus;
use crate::train::retrieval_figures::GoldDocuments;
use evalgraph_json::JsonDocument;

/// The roles that conversations have, in the order in which they speak.
const ROLES: [&str; 3] = ["system", "user", "assistant"];

/// Figures of conversations, which may come in parts.
#[derive(Debug, Clone)]
pub struct ConversationFigures {
    /// How many conversations there are.
    pub conversations: u64,
    /// How many of them say which question they are about.
    pub questions: u64,
    /// How many messages there are.
    pub messages: u64,
    /// Messages by role.
    pub roles: KnownValueCounts,
}

impl Default for ConversationFigures {
    fn default() -> Self {
        Self { conversations: 0, questions: 0, messages: 0, roles: KnownValueCounts::new(&ROLES) }
    }
}

impl ConversationFigures {
    /// Counts the conversations of a file, or of a part of it.
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
