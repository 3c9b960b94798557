//! Questions of any system as a dataset. What must be there and is not known gets a default, which is
//! counted; what a sample has no place for is counted as lost.

use super::defaults;
use crate::rdf::iri::percent_encode_into;
use crate::source::counts::Counts;
use crate::source::items::{Item, ItemContext, Items};
use crate::source::rewriting::{Style, StyledJson};
use std::collections::HashSet;

/// The most characters of a `content`.
const MOST_CONTENT: usize = 2000;
/// The characters that a `user_query` may have.
const QUERY: std::ops::RangeInclusive<usize> = 10..=500;
/// The most characters that a `query` of the retrieval may have.
const MOST_QUERY: usize = 1000;
/// The most characters that the text of an answer may have.
const MOST_ANSWER: usize = 10_000;
/// The most results and sources that an answer may list.
const MOST_RESULTS: usize = 100;
/// The most characters of a label.
const MOST_LABEL: usize = 500;
/// The year of a document of which none is known: the first that is allowed.
const UNKNOWN_YEAR: &str = "1600";
/// What a refusal says where the data say nothing.
const REFUSAL: &str = "There is no answer to this in the data.";

/// A dataset made of questions.
#[derive(Debug)]
pub struct Made {
    /// The dataset as JSON.
    pub json: String,
    /// What was filled in, with how often.
    pub defaults: Counts,
    /// What a sample has no place for, with how often.
    pub losses: Counts,
}

/// A piece of a document, as a result.
struct Chunk {
    doc_id: String,
    chunk_id: String,
    label: String,
    content: String,
}

/// Makes a dataset of questions. `time` is said to be the time of its making.
pub fn dataset_of_items(items: &Items, time: &str) -> Made {
    let json = StyledJson::new(Style::default());
    let mut maker = Maker { json, defaults: Counts::new(), losses: Counts::new(), ids: HashSet::new() };
    maker.json.open('{');
    maker.string("dataset_version", defaults::DATASET_VERSION);
    maker.string("created_at", time);
    maker.defaults.add("`dataset_version` is 1.0.0, `created_at` the time of the conversion");
    if let Some(description) = items.description.as_deref().or(items.name.as_deref()) {
        maker.string("description", description);
    }
    if items.name.is_some() && items.description.is_some() {
        maker.losses.add("the name of the dataset");
    }
    maker.json.key("samples");
    maker.json.open('[');
    for (index, item) in items.items.iter().enumerate() {
        if item.question.is_empty() {
            // A sample is a question.
            maker.losses.add("what has no question");
        } else {
            maker.item(item, index);
        }
    }
    maker.json.close(']');
    maker.json.close('}');
    Made { json: maker.json.finish() + "\n", defaults: maker.defaults, losses: maker.losses }
}

struct Maker {
    json: StyledJson,
    defaults: Counts,
    losses: Counts,
    ids: HashSet<String>,
}

impl Maker {
    fn item(&mut self, item: &Item, index: usize) {
        let answer = item.answer.as_deref().filter(|answer| !answer.trim().is_empty());
        let answer = answer.filter(|_| item.is_impossible != Some(true));
        self.note_losses(item);
        let chunks = self.chunks(&item.contexts);
        let category = match (answer, chunks.is_empty()) {
            (None, _) => "refusal",
            (Some(_), true) => "format_compliance",
            (Some(_), false) => "citation",
        };
        self.defaults.add(&format!("`category` is {category}, `persona` educator"));
        let id = self.sample_id(&item.local_id, index);
        self.json.item();
        self.json.open('{');
        self.string("sample_id", &id);
        self.string("category", category);
        self.string("persona", defaults::PERSONA);
        self.string("user_query", &item.question);
        let score = if answer.is_some() { "1.0" } else { "0.0" };
        if !chunks.is_empty() {
            self.defaults.add(&format!("`score` of the results is {score}"));
        }
        self.json.key("retrieved_context");
        self.json.open('[');
        for (at, chunk) in chunks.iter().enumerate() {
            self.result(chunk, at + 1, score);
        }
        self.json.close(']');
        self.json.key("expected_output");
        self.answer(item, answer, (&chunks, score));
        self.json.key("metadata");
        defaults::write_metadata(&mut self.json, &mut self.defaults);
        self.json.close('}');
    }

    /// What of an item has no place, or does not fit where it goes.
    fn note_losses(&mut self, item: &Item) {
        let lost = [
            (!item.keywords.is_empty(), "keywords"),
            (item.date_created.is_some(), "the date of making of a question"),
            (item.date_modified.is_some(), "the date of the last change of a question"),
            (
                item.is_impossible == Some(true) && item.answer.is_some(),
                "the answer of an impossible question",
            ),
        ];
        for (_, what) in lost.into_iter().filter(|(is_lost, _)| *is_lost) {
            self.losses.add(what);
        }
        let length = item.question.chars().count();
        if !QUERY.contains(&length) {
            let (least, most) = (QUERY.start(), QUERY.end());
            self.losses.add(&format!("nothing, but a question has not {least} to {most} characters"));
        }
        if item.answer.as_ref().is_some_and(|answer| answer.chars().count() > MOST_ANSWER) {
            self.losses.add(&format!("nothing, but an answer has more than {MOST_ANSWER} characters"));
        }
    }

    /// An id of a-z, 0-9 and `_` that no other sample has.
    fn sample_id(&mut self, local_id: &str, index: usize) -> String {
        let allowed = |character: char| match character.to_ascii_lowercase() {
            character @ ('a'..='z' | '0'..='9') => character,
            _ => '_',
        };
        let mut id: String = local_id.chars().map(allowed).collect();
        if id.trim_matches('_').is_empty() {
            id = format!("question_{}", index + 1);
        }
        if !self.ids.insert(id.clone()) {
            // No id made like this ends in a number that another one was given first.
            let mut number = index + 1;
            while self.ids.contains(&format!("{id}_{number}")) {
                number += 1;
            }
            id = format!("{id}_{number}");
            self.ids.insert(id.clone());
        }
        if id != local_id {
            self.losses.add("the spelling of an id");
        }
        id
    }

    /// The contexts in pieces that are not too long.
    fn chunks(&mut self, contexts: &[ItemContext]) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        for (at, context) in contexts.iter().enumerate() {
            let text = context.text.as_deref().unwrap_or_default();
            let name = context.name.as_deref().unwrap_or_default();
            if text.is_empty() && name.is_empty() {
                continue;
            }
            if text.is_empty() {
                self.defaults.add("`content` of a document that has only a name is empty");
            }
            let label = if name.is_empty() { text } else { name };
            let label: String = label.chars().take(MOST_LABEL).collect();
            let doc_id = if name.is_empty() { format!("context_{}", at + 1) } else { label.clone() };
            let doc_id: String = doc_id.chars().take(180).collect();
            for (piece, content) in pieces(text).into_iter().enumerate() {
                let chunk_id = format!("{doc_id}_{:03}", piece + 1);
                let (doc_id, label) = (doc_id.clone(), label.clone());
                chunks.push(Chunk { doc_id, chunk_id, label, content });
            }
        }
        if chunks.len() > MOST_RESULTS {
            for _ in MOST_RESULTS..chunks.len() {
                self.losses.add(&format!("a piece of a document beyond {MOST_RESULTS}"));
            }
            chunks.truncate(MOST_RESULTS);
        }
        chunks
    }

    /// A result of the sample.
    fn result(&mut self, chunk: &Chunk, rank: usize, score: &str) {
        self.json.item();
        self.json.open('{');
        self.number("rank", &rank.to_string());
        self.number("score", score);
        self.string("chunk_id", &chunk.chunk_id);
        self.string("doc_id", &chunk.doc_id);
        self.string("namespace", defaults::UNKNOWN);
        self.string("content", &chunk.content);
        self.json.key("metadata");
        self.json.open('{');
        self.document(chunk);
        self.json.close('}');
        self.json.close('}');
        self.defaults.add(
            "`canonical_url`, `source_org`, `year`, `content_type`, `license`, `namespace` of a document are unknown",
        );
    }

    /// What is known of a document, and what is not.
    fn document(&mut self, chunk: &Chunk) {
        self.string("citation_label", &chunk.label);
        self.string("canonical_url", &url(chunk));
        self.string("source_org", defaults::UNKNOWN);
        self.number("year", UNKNOWN_YEAR);
        self.string("content_type", defaults::UNKNOWN);
        self.string("license", defaults::UNKNOWN);
    }

    fn answer(&mut self, item: &Item, answer: Option<&str>, (chunks, score): (&[Chunk], &str)) {
        let is_citing = answer.is_some() && !chunks.is_empty();
        self.json.open('{');
        self.string("version", "kwanzaa.answer.v1");
        self.string("persona", defaults::PERSONA);
        self.json.key("answer");
        self.json.open('{');
        if answer.is_none() {
            self.defaults.add("the answer of a refusal is that there is none");
        }
        self.string("text", answer.unwrap_or(REFUSAL));
        self.string("completeness", if answer.is_some() { "complete" } else { "insufficient_data" });
        self.json.close('}');
        self.json.key("sources");
        self.json.open('[');
        for chunk in chunks.iter().filter(|_| is_citing) {
            self.json.item();
            self.json.open('{');
            self.document(chunk);
            self.string("namespace", defaults::UNKNOWN);
            self.string("doc_id", &chunk.doc_id);
            self.string("chunk_id", &chunk.chunk_id);
            self.json.close('}');
        }
        self.json.close(']');
        self.json.key("retrieval_summary");
        self.summary(item, chunks, score);
        self.json.key("unknowns");
        self.unknowns(answer.is_none());
        self.json.key("integrity");
        self.json.open('{');
        self.number("citation_required", if is_citing { "true" } else { "false" });
        self.number("citations_provided", if is_citing { "true" } else { "false" });
        self.string("retrieval_confidence", if is_citing { "high" } else { "none" });
        self.string("fallback_behavior", if answer.is_some() { "not_needed" } else { "refusal" });
        self.json.close('}');
        self.json.close('}');
    }

    fn summary(&mut self, item: &Item, chunks: &[Chunk], score: &str) {
        let query: String = item.question.chars().take(MOST_QUERY).collect();
        self.json.open('{');
        self.string("query", &query);
        self.number("top_k", &chunks.len().max(1).to_string());
        self.json.key("namespaces");
        self.json.open_array(true);
        self.json.item();
        self.json.string(defaults::UNKNOWN);
        self.json.close(']');
        self.json.key("results");
        self.json.open('[');
        for (at, chunk) in chunks.iter().enumerate() {
            self.json.item();
            self.json.open('{');
            self.number("rank", &(at + 1).to_string());
            self.number("score", score);
            self.string("citation_label", &chunk.label);
            self.string("canonical_url", &url(chunk));
            self.string("doc_id", &chunk.doc_id);
            self.string("chunk_id", &chunk.chunk_id);
            self.string("namespace", defaults::UNKNOWN);
            self.json.close('}');
        }
        self.json.close(']');
        self.json.close('}');
    }

    fn unknowns(&mut self, is_refusal: bool) {
        self.json.open('{');
        for key in ["unsupported_claims", "missing_context", "clarifying_questions"] {
            self.json.key(key);
            self.json.open_array(true);
            if is_refusal && key == "missing_context" {
                self.json.item();
                self.json.string("an answer");
            }
            self.json.close(']');
        }
        self.json.close('}');
    }

    fn string(&mut self, key: &str, value: &str) {
        self.json.key(key);
        self.json.string(value);
    }

    fn number(&mut self, key: &str, json: &str) {
        self.json.key(key);
        self.json.scalar(json);
    }
}

/// An address of a document that leads nowhere: its domain is reserved for that (RFC 2606).
fn url(chunk: &Chunk) -> String {
    let mut url = "https://unknown.invalid/".to_owned();
    percent_encode_into(&chunk.doc_id, &mut url);
    url
}

/// A text in pieces of at most 2000 characters, parted at blanks where there are some. An empty text is
/// one piece.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let Some((end, _)) = rest.char_indices().nth(MOST_CONTENT) else {
            pieces.push(rest.to_owned());
            return pieces;
        };
        let blank = rest[..end].rfind([' ', '\n']).map(|at| at + 1);
        let (piece, after) = rest.split_at(blank.unwrap_or(end));
        pieces.push(piece.to_owned());
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn long_texts_are_parted_and_lose_nothing() {
        let text = "wörter ".repeat(1000);
        let parted = pieces(&text);
        assert_eq!(parted.concat(), text);
        assert!(parted.iter().all(|piece| piece.chars().count() <= 2000));
        assert_eq!(pieces("é".repeat(4001).as_str()).len(), 3);
        assert_eq!(pieces(""), [""]);
    }
}
