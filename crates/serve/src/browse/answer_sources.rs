//! The sources of the answers to a question: documents that they cite, passages that a search has found, and texts
//! without a name.

use serde_json::{Value, json};

use super::node_lookup::NodeLookup;
use super::shown_question::{MOST, ShownQuestion};

use evalgraph_formats::items::ItemContext;
use evalgraph_formats::own_properties::{CONTEXTS, SOURCES, contexts_of_json, contexts_of_sources};
use evalgraph_store::TermId;

/// The properties for the searches of a question or of an answer.
const SEARCHES: [&str; 2] = ["eg:search", "eg:retrievalSummary"];

/// A source.
#[derive(Debug, Default)]
struct AnswerSource {
    title: Option<String>,
    text: Option<String>,
    url: Option<String>,
    score: Option<Value>,
    chunk: Option<String>,
    /// `true` if an answer is based on it; `false` if only a search has found it.
    is_cited: bool,
}

impl AnswerSource {
    fn to_json(&self) -> Value {
        json!({
            "title": self.title,
            "text": self.text,
            "url": self.url,
            "score": self.score,
            "chunk": self.chunk,
            "cited": self.is_cited,
        })
    }

    /// Returns whether both refer to one passage of one document.
    fn is_piece_of(&self, other: &Self) -> bool {
        self.chunk.is_some() && self.chunk == other.chunk && self.title == other.title
    }

    /// Adds the facts that another source has about the same passage.
    fn complete(&mut self, other: Self) {
        self.text = self.text.take().or(other.text);
        self.url = self.url.take().or(other.url);
        self.score = self.score.take().or(other.score);
        self.is_cited |= other.is_cited;
    }
}

/// The sources of a question.
pub(super) fn sources(asked: &ShownQuestion<'_>) -> Value {
    let nodes = asked.nodes;
    let accepted = nodes.objects(asked.question, "acceptedAnswer");
    let mut sources: Vec<AnswerSource> = Vec::new();
    for holder in accepted.iter().copied().chain([asked.question]) {
        for property in ["citation", "isBasedOn"] {
            let mut cited = nodes.objects(holder, property);
            cited.sort_by_cached_key(|source| nodes.position(*source));
            for source in cited {
                add(AnswerSource { is_cited: true, ..source_at(nodes, source) }, &mut sources);
            }
        }
    }
    for context in own_contexts(asked) {
        let ItemContext { name, text, .. } = context;
        add(AnswerSource { title: name, text, is_cited: true, ..AnswerSource::default() }, &mut sources);
    }
    for holder in accepted.into_iter().chain([asked.question]) {
        for search in nodes.objects_of(holder, &SEARCHES) {
            let mut results = nodes.path(search, &["result", "itemListElement"]);
            results.sort_by_cached_key(|result| nodes.position(*result));
            for result in results {
                let score = nodes.value(result, "eg:score");
                for piece in nodes.objects(result, "item") {
                    let found = source_at(nodes, piece);
                    add(AnswerSource { score: score.clone().or(found.score), ..found }, &mut sources);
                }
            }
        }
    }
    sources.iter().take(MOST).map(AnswerSource::to_json).collect()
}

/// Adds a source, or the new facts about one that is there.
fn add(source: AnswerSource, sources: &mut Vec<AnswerSource>) {
    match sources.iter_mut().find(|known| known.is_piece_of(&source)) {
        Some(known) => known.complete(source),
        None => sources.push(source),
    }
}

/// Reads a source: a document, a passage of one, or a text.
fn source_at(nodes: NodeLookup<'_>, source: TermId) -> AnswerSource {
    if let Some(text) = nodes.names.lexical(source) {
        return AnswerSource { text: Some(text), ..AnswerSource::default() };
    }
    let documents = nodes.objects(source, "isPartOf").into_iter();
    let documents: Vec<TermId> = documents.filter(|document| !nodes.is_a(*document, "Collection")).collect();
    let of_document = |property: &str| documents.iter().find_map(|document| nodes.text(*document, property));
    let address = |node: TermId| nodes.text(node, "url").or_else(|| nodes.name_at(node, "url"));
    AnswerSource {
        title: nodes.text(source, "name").or_else(|| of_document("name")),
        text: nodes.text(source, "text").or_else(|| nodes.text(source, "abstract")),
        url: address(source).or_else(|| documents.iter().find_map(|document| address(*document))),
        score: nodes.value(source, "eg:relevanceScore"),
        chunk: nodes.text(source, "identifier"),
        is_cited: false,
    }
}

/// Returns the texts that a checkpoint has kept of a question from another system.
fn own_contexts(asked: &ShownQuestion<'_>) -> Vec<ItemContext> {
    let nodes = asked.nodes;
    let mut contexts = Vec::new();
    for property in nodes.objects(asked.question, "additionalProperty") {
        let Some(name) = nodes.text(property, "name") else { continue };
        let read = match name.as_str() {
            CONTEXTS => contexts_of_json,
            SOURCES => contexts_of_sources,
            _ => continue,
        };
        contexts.extend(nodes.text(property, "value").and_then(|value| read(&value)).unwrap_or_default());
    }
    contexts
}
