//! Writes samples as conversations, one on each line.

use super::{SystemPrompt, UserPrompt};
use crate::kwanzaa::samples::{TrainingSample, samples};
use crate::plain_conversations::write_conversation;
use crate::rewriting::{JsonStyle, StyledJson};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The members of a sample that a conversation lacks, each with its name and path.
const NOT_HELD: [(&str, &[&str]); 9] = [
    ("sample_id", &["sample_id"]),
    ("category", &["category"]),
    ("metadata.difficulty", &["metadata", "difficulty"]),
    ("metadata.principle_focus", &["metadata", "principle_focus"]),
    ("metadata.quality_score", &["metadata", "quality_score"]),
    ("metadata.reviewer", &["metadata", "reviewer"]),
    ("metadata.notes", &["metadata", "notes"]),
    ("metadata.edge_case", &["metadata", "edge_case"]),
    ("metadata.failure_mode", &["metadata", "failure_mode"]),
];

/// The members of a result that the user's message does not list.
const NOT_LISTED: [&[&str]; 6] = [
    &["chunk_id"],
    &["doc_id"],
    &["namespace"],
    &["metadata", "content_type"],
    &["metadata", "license"],
    &["metadata", "tags"],
];

/// A file of conversations.
#[derive(Debug)]
pub struct ChatFile {
    /// A JSON object on each line.
    pub text: String,
    /// The number of conversations.
    pub conversations: u64,
    /// The members of the samples that the conversations lack, with their counts.
    pub losses: BTreeMap<String, u64>,
}

/// Writes each sample of a dataset as a conversation.
pub fn to_chat(document: &JsonDocument, system: &SystemPrompt, user: &UserPrompt) -> ChatFile {
    let mut file = ChatFile { text: String::new(), conversations: 0, losses: BTreeMap::new() };
    for sample in samples(document).filter(|sample| document.is_object(sample.token)) {
        let asked = user.prompt_for(&sample, &listed(&sample));
        let messages =
            [("system", system.prompt_for(&sample)), ("user", asked), ("assistant", answer(&sample))];
        let messages = messages.iter().map(|(role, content)| (*role, content.as_str()));
        write_conversation(messages, &mut file.text);
        file.conversations += 1;
        note_losses(&sample, &mut file.losses);
    }
    for key in ["dataset_version", "created_at", "updated_at", "description", "statistics"] {
        if document.get(document.root(), key).is_some() {
            file.losses.insert(key.to_owned(), 1);
        }
    }
    file
}

/// Returns the retrieved results as the user's message lists them.
fn listed(sample: &TrainingSample<'_>) -> String {
    let mut text = String::new();
    for (at, result) in sample.items(&["retrieved_context"]).enumerate() {
        let result = TrainingSample { document: sample.document, token: result };
        let metadata = |key| shown(&result, &["metadata", key]);
        let rank = result.number(&["rank"]).map_or((at + 1).to_string(), |rank| rank.to_string());
        let score = result.number(&["score"]).map_or("unknown".to_owned(), |score| format!("{score:.2}"));
        let separator = if at > 0 { "\n\n" } else { "" };
        let _ = writeln!(text, "{separator}[{rank}] {}", metadata("citation_label"));
        let _ = writeln!(text, "Relevance Score: {score}");
        let _ = writeln!(text, "Source: {} ({})", metadata("source_org"), metadata("year"));
        let _ = writeln!(text, "Content: {}", shown(&result, &["content"]));
        let _ = write!(text, "URL: {}", metadata("canonical_url"));
    }
    text
}

/// Returns a scalar as text, or an empty string if it is missing.
fn shown(object: &TrainingSample<'_>, path: &[&str]) -> String {
    let document = object.document;
    let Some(value) = object.at(path) else { return String::new() };
    let text = document.string(value).or_else(|| document.number(value).map(Into::into));
    text.unwrap_or_default().into_owned()
}

/// Returns the expected answer as JSON, indented by two blanks, without escapes for ordinary characters.
fn answer(sample: &TrainingSample<'_>) -> String {
    let mut json = StyledJson::new(JsonStyle::default());
    match sample.at(&["expected_output"]) {
        Some(answer) => write_unescaped(sample.document, answer, &mut json),
        None => json.scalar("null"),
    }
    json.finish()
}

/// Writes a value without the escapes of its file. Recurses by level, which the parser limits.
fn write_unescaped(document: &JsonDocument, value: TokenId, json: &mut StyledJson) {
    match document.kind(value) {
        JsonKind::Object => {
            json.open('{');
            for member in document.members(value) {
                json.key(document.symbol_text(member.symbol));
                write_unescaped(document, member.value, json);
            }
            json.close('}');
        }
        JsonKind::Array => {
            json.open('[');
            for item in document.items(value) {
                json.item();
                write_unescaped(document, item, json);
            }
            json.close(']');
        }
        _ => match document.string(value).filter(|_| document.is_string(value)) {
            Some(text) => json.string(&text),
            None => json.json(document, value),
        },
    }
}

fn note_losses(sample: &TrainingSample<'_>, losses: &mut BTreeMap<String, u64>) {
    for (name, path) in NOT_HELD.into_iter() {
        if sample.at(path).is_some() {
            *losses.entry(name.to_owned()).or_default() += 1;
        }
    }
    for result in sample.items(&["retrieved_context"]) {
        let result = TrainingSample { document: sample.document, token: result };
        for path in NOT_LISTED {
            if result.at(path).is_some() {
                *losses.entry(format!("retrieved_context.{}", path.join("."))).or_default() += 1;
            }
        }
        let is_rounded = |score: f64| format!("{score:.2}").parse() != Ok(score);
        if result.number(&["score"]).is_some_and(is_rounded) {
            *losses.entry("retrieved_context.score (beyond two decimals)".to_owned()).or_default() += 1;
        }
    }
}
