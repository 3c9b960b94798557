//! The order in which Karenina's programs write the keys of each kind of object.
//!
//! What an object is follows from where it stands. Objects whose keys are data (the classes of a
//! trait, the nodes of a scenario, the questions of version 2.0) and contexts have no order here, so
//! that theirs stays.

use super::dialect::Dialect;
use crate::json::{Document, TokenId};

/// Tells who writes a file, as far as the order of keys goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writer {
    Specification,
    Library,
    Interface,
    Version2,
    /// None of them: every order stays.
    Other,
}

/// Tells what stands at a place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The checkpoint.
    Root,
    /// A `DataFeedItem`.
    Item,
    /// A question.
    Question,
    /// The answer of a question.
    Answer,
    /// The template of a question.
    Template,
    /// A rating.
    Rating,
    /// A property value.
    Property,
    /// A person, or an organization.
    Person,
    /// A rubric object.
    Rubric,
    /// The definition of a trait in a rubric object.
    Definition,
    /// The questions of version 2.0 by their keys.
    Entries,
    /// A question of version 2.0.
    Entry,
    /// What version 2.0 says of the dataset.
    Metadata,
    /// Any JSON.
    Opaque,
}

const PLACES: [Position; 14] = [
    Position::Root,
    Position::Item,
    Position::Question,
    Position::Answer,
    Position::Template,
    Position::Rating,
    Position::Property,
    Position::Person,
    Position::Rubric,
    Position::Definition,
    Position::Entries,
    Position::Entry,
    Position::Metadata,
    Position::Opaque,
];

const ROOT: &[&str] = &[
    "@context",
    "@type",
    "@id",
    "name",
    "description",
    "version",
    "creator",
    "dateCreated",
    "dateModified",
    "rating",
    "globalRubric",
    "dataFeedElement",
    "hasPart",
    "additionalProperty",
];
const ROOT_VERSION_2: &[&str] = &["version", "global_rubric", "dataset_metadata", "checkpoint"];
const ITEM_LIBRARY: &[&str] = &["@type", "@id", "dateCreated", "dateModified", "keywords", "item"];
const ITEM: &[&str] = &["@type", "@id", "dateCreated", "dateModified", "item", "keywords"];
const QUESTION_LIBRARY: &[&str] = &[
    "@context",
    "@type",
    "@id",
    "text",
    "acceptedAnswer",
    "hasPart",
    "rating",
    "additionalProperty",
    "keywords",
];
const QUESTION: &[&str] = &[
    "@context",
    "@type",
    "@id",
    "identifier",
    "name",
    "text",
    "acceptedAnswer",
    "hasPart",
    "answerTemplate",
    "additionalProperty",
    "rating",
    "scenario",
    "rubric",
    "keywords",
];
const ANSWER: &[&str] = &["@type", "@id", "text"];
const TEMPLATE: &[&str] = &["@type", "@id", "name", "text", "programmingLanguage", "codeRepository"];
const RATING_LIBRARY: &[&str] = &[
    "@type",
    "@id",
    "name",
    "description",
    "bestRating",
    "worstRating",
    "ratingValue",
    "ratingExplanation",
    "additionalType",
    "additionalProperty",
];
const RATING_SPECIFICATION: &[&str] = &[
    "@type",
    "@id",
    "name",
    "description",
    "additionalType",
    "ratingValue",
    "bestRating",
    "worstRating",
    "author",
    "ratingExplanation",
    "additionalProperty",
];
const RATING_INTERFACE: &[&str] = &[
    "@type",
    "@id",
    "name",
    "description",
    "additionalType",
    "bestRating",
    "worstRating",
    "ratingValue",
    "deep_judgment_enabled",
    "deep_judgment_excerpt_enabled",
    "deep_judgment_max_excerpts",
    "deep_judgment_fuzzy_match_threshold",
    "deep_judgment_excerpt_retry_attempts",
    "deep_judgment_search_enabled",
    "additionalProperty",
];
const PROPERTY: &[&str] = &["@type", "name", "value"];
const PERSON: &[&str] = &["@type", "@id", "name", "url", "email", "affiliation"];
const RUBRIC: &[&str] =
    &["name", "traits", "llm_traits", "regex_traits", "manual_traits", "callable_traits", "metric_traits"];
const DEFINITION: &[&str] = &[
    "name",
    "description",
    "pattern",
    "callable_name",
    "callable_code",
    "evaluation_mode",
    "metrics",
    "tp_instructions",
    "tn_instructions",
    "repeated_extraction",
    "kind",
    "min_score",
    "max_score",
    "case_sensitive",
    "invert_result",
    "deep_judgment_enabled",
    "deep_judgment_excerpt_enabled",
    "deep_judgment_max_excerpts",
    "deep_judgment_fuzzy_match_threshold",
    "deep_judgment_excerpt_retry_attempts",
    "deep_judgment_search_enabled",
    "higher_is_better",
    "classes",
];
const ENTRY: &[&str] = &[
    "question",
    "raw_answer",
    "original_answer_template",
    "answer_template",
    "date_created",
    "last_modified",
    "finished",
    "question_rubric",
    "few_shot_examples",
    "custom_metadata",
    "author",
    "sources",
    "keywords",
];
const METADATA: &[&str] = &[
    "name",
    "description",
    "version",
    "license",
    "creator",
    "publisher",
    "keywords",
    "datePublished",
    "dateCreated",
    "dateModified",
    "custom_properties",
];

impl Writer {
    fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::S0 | Dialect::S0b | Dialect::S0c | Dialect::S1 => Self::Specification,
            Dialect::P0 | Dialect::P1 | Dialect::P2 | Dialect::X | Dialect::Hybrid => Self::Library,
            Dialect::G | Dialect::GDev | Dialect::M | Dialect::T => Self::Interface,
            Dialect::V2a | Dialect::V2b | Dialect::V2c => Self::Version2,
            Dialect::ResultsExport | Dialect::None => Self::Other,
        }
    }

    /// The keys of the objects at a place, in order.
    fn keys(self, place: Position) -> &'static [&'static str] {
        match (place, self) {
            (_, Self::Other) | (Position::Entries | Position::Opaque, _) => &[],
            (Position::Root, Self::Version2) => ROOT_VERSION_2,
            (Position::Root, _) => ROOT,
            (Position::Item, Self::Library) => ITEM_LIBRARY,
            (Position::Item, _) => ITEM,
            (Position::Question, Self::Library) => QUESTION_LIBRARY,
            (Position::Question, _) => QUESTION,
            (Position::Answer, _) => ANSWER,
            (Position::Template, _) => TEMPLATE,
            (Position::Rating, Self::Library) => RATING_LIBRARY,
            (Position::Rating, Self::Specification) => RATING_SPECIFICATION,
            (Position::Rating, _) => RATING_INTERFACE,
            (Position::Property, _) => PROPERTY,
            (Position::Person, _) => PERSON,
            (Position::Rubric, _) => RUBRIC,
            (Position::Definition, _) => DEFINITION,
            (Position::Entry, _) => ENTRY,
            (Position::Metadata, _) => METADATA,
        }
    }
}

/// The orders for one document.
#[derive(Debug)]
pub struct KeyOrder {
    /// The rank of each distinct key of the document at each place; unknown keys come last.
    ranks: [Vec<u16>; PLACES.len()],
    writer: Writer,
}

impl KeyOrder {
    /// The orders of the program that writes a dialect.
    pub fn new(document: &Document, dialect: Dialect) -> Self {
        let writer = Writer::of(dialect);
        let ranks = PLACES.map(|place| {
            let keys = writer.keys(place);
            let rank = |text: &str| keys.iter().position(|key| *key == text).map_or(u16::MAX, |at| at as u16);
            document.symbols().map(|symbol| rank(document.symbol_text(symbol))).collect()
        });
        Self { ranks, writer }
    }

    /// Returns what the root of the document is.
    pub fn root(&self, document: &Document) -> Position {
        let is_question = |root| document.get(root, "@type").and_then(|value| document.string(value));
        match is_question(document.root()).as_deref() {
            Some("Question") => Position::Question,
            _ => Position::Root,
        }
    }

    /// The members of an object as its writer orders them; keys that it does not know come last, in
    /// the order of the file.
    pub fn members(&self, document: &Document, object: TokenId, place: Position) -> Vec<(TokenId, TokenId)> {
        let ranks = &self.ranks[place as usize];
        let mut members: Vec<(u16, TokenId, TokenId)> = document
            .members(object)
            .map(|member| (ranks[member.symbol.index()], member.key, member.value))
            .collect();
        // Stable, so that equal ranks keep their order.
        members.sort_by_key(|&(rank, ..)| rank);
        members.into_iter().map(|(_, key, value)| (key, value)).collect()
    }

    /// Returns what stands under a key of an object at a place; `value` is one such value, not a list.
    pub fn below(&self, document: &Document, place: Position, key: TokenId, value: TokenId) -> Position {
        let key = document.symbol_text(document.symbol(key));
        if self.writer == Writer::Other {
            return Position::Opaque;
        }
        match (place, key) {
            (Position::Root, "dataFeedElement" | "hasPart") => listed(document, value),
            (Position::Root, "global_rubric" | "globalRubric" | "rubric") => Position::Rubric,
            (Position::Root, "dataset_metadata") => Position::Metadata,
            (Position::Root, "checkpoint") => Position::Entries,
            (Position::Entries, _) => Position::Entry,
            (Position::Item, "item") => Position::Question,
            (Position::Question, "acceptedAnswer") => Position::Answer,
            (Position::Question, "hasPart") => Position::Template,
            (Position::Question, "rubric") | (Position::Entry, "question_rubric") => Position::Rubric,
            (Position::Root | Position::Item | Position::Question, "rating") => Position::Rating,
            (
                Position::Root | Position::Item | Position::Question | Position::Rating,
                "additionalProperty",
            ) => Position::Property,
            (Position::Root | Position::Metadata, "creator" | "publisher") | (Position::Entry, "author") => {
                Position::Person
            }
            (Position::Rubric, key) if key.ends_with("traits") => Position::Definition,
            _ => Position::Opaque,
        }
    }
}

/// Returns what a member of the list of a checkpoint is.
fn listed(document: &Document, value: TokenId) -> Position {
    let class = document.get(value, "@type").and_then(|value| document.string(value));
    match class.as_deref() {
        Some("DataFeedItem") => Position::Item,
        Some("Question") => Position::Question,
        _ => Position::Opaque,
    }
}
