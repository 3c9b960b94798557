//! What is counted of Kwanzaa's files: samples of a dataset, conversations.

use serde_json::{Map, Value, json};

use super::conversation_figures::ConversationFigures;
use super::statistics::{Counts, Statistics};
use crate::diagnostic::thousands;
use crate::json::Document;
use crate::source::facts::{Fact, RecordTally, count, fact};
use crate::source::train::Corpus;
use crate::source::train::figures::Gold;

impl RecordTally for Statistics {
    fn add(&mut self, document: &Document, _gold: &Gold) {
        Self::add(self, document);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<Fact> {
        of_samples(self)
    }
}

impl RecordTally for ConversationFigures {
    fn add(&mut self, document: &Document, _gold: &Gold) {
        Self::add(self, document);
    }

    fn facts(&self, _corpus: Option<&Corpus>) -> Vec<Fact> {
        of_conversations(self)
    }
}

fn of_samples(statistics: &Statistics) -> Vec<Fact> {
    let mut facts = vec![fact("samples", "samples", thousands(statistics.samples), statistics.samples)];
    let tables = [
        ("byCategory", "by category", &statistics.categories),
        ("byPersona", "by persona", &statistics.personas),
        ("byDifficulty", "by difficulty", &statistics.difficulties),
        ("byPrinciple", "by principle", &statistics.principles),
    ];
    facts.extend(tables.map(|(key, label, counts)| counted(key, label, counts)));
    if let Some(average) = statistics.average_quality() {
        facts.push(fact("averageQuality", "average quality", format!("{average:.3}"), average));
    }
    facts
}

fn of_conversations(figures: &ConversationFigures) -> Vec<Fact> {
    vec![
        count("conversations", "conversations", figures.conversations),
        count("questions", "questions", figures.questions),
        count("messages", "messages", figures.messages),
        counted("messagesByRole", "by role", &figures.roles),
    ]
}

fn counted(key: &'static str, label: &'static str, counts: &Counts) -> Fact {
    let there = || counts.iter().filter(|(_, count)| *count > 0);
    let shown: Vec<String> = there().map(|(value, count)| format!("{value} {}", thousands(count))).collect();
    let value: Map<String, Value> = there().map(|(value, count)| (value.to_owned(), json!(count))).collect();
    fact(key, label, shown.join(", "), value)
}
