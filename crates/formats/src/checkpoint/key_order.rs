//! The order in which Karenina's programs write the keys of each kind of object.
//!
//! The position of an object in the file determines its kind. Contexts, and objects whose keys are data (the classes of
//! a trait, the nodes of a scenario, the questions of version 2.0), have no order here and keep the order of the file.

use super::checkpoint_profile::CheckpointProfile;
use super::dialect::CheckpointDialect;
use evalgraph_json::{JsonDocument, TokenId};

/// The kind of object at a place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectPosition {
    Root,
    Item,
    Question,
    Answer,
    Template,
    Rating,
    Property,
    /// A person, or an organization.
    Person,
    /// A rubric object.
    Rubric,
    /// The definition of a trait in a rubric object.
    Definition,
    /// The questions of version 2.0, by key.
    Entries,
    /// A question of version 2.0.
    Entry,
    /// The metadata of the dataset in version 2.0.
    Metadata,
    /// Any JSON.
    Opaque,
}

const POSITIONS: usize = ObjectPosition::Opaque as usize + 1;

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

/// Returns the keys of the objects at a place, in order. In a file of an unknown dialect, no order changes.
fn keys(place: ObjectPosition, dialect: CheckpointDialect) -> &'static [&'static str] {
    if !dialect.has_questions() {
        return &[];
    }
    match (place, CheckpointProfile::from_dialect(dialect)) {
        (ObjectPosition::Entries | ObjectPosition::Opaque, _) => &[],
        (ObjectPosition::Root, None) => ROOT_VERSION_2,
        (ObjectPosition::Root, _) => ROOT,
        (ObjectPosition::Item, Some(CheckpointProfile::Library)) => ITEM_LIBRARY,
        (ObjectPosition::Item, _) => ITEM,
        (ObjectPosition::Question, Some(CheckpointProfile::Library)) => QUESTION_LIBRARY,
        (ObjectPosition::Question, _) => QUESTION,
        (ObjectPosition::Answer, _) => ANSWER,
        (ObjectPosition::Template, _) => TEMPLATE,
        (ObjectPosition::Rating, Some(CheckpointProfile::Library)) => RATING_LIBRARY,
        (ObjectPosition::Rating, Some(CheckpointProfile::Spec)) => RATING_SPECIFICATION,
        (ObjectPosition::Rating, _) => RATING_INTERFACE,
        (ObjectPosition::Property, _) => PROPERTY,
        (ObjectPosition::Person, _) => PERSON,
        (ObjectPosition::Rubric, _) => RUBRIC,
        (ObjectPosition::Definition, _) => DEFINITION,
        (ObjectPosition::Entry, _) => ENTRY,
        (ObjectPosition::Metadata, _) => METADATA,
    }
}

/// The key orders of the program that writes a dialect, for one document.
pub(super) struct KeyOrder {
    dialect: CheckpointDialect,
    /// The rank of each distinct key of the document at each kind of place met so far; unknown keys come last.
    ranks: [Option<Vec<u16>>; POSITIONS],
}

impl KeyOrder {
    pub(super) fn new(dialect: CheckpointDialect) -> Self {
        Self { dialect, ranks: [const { None }; POSITIONS] }
    }

    /// Returns the position of the root of the document: a lone question, or a checkpoint.
    pub(super) fn root(&self, document: &JsonDocument) -> ObjectPosition {
        match listed(document, document.root()) {
            ObjectPosition::Question => ObjectPosition::Question,
            _ => ObjectPosition::Root,
        }
    }

    /// Returns the members of an object in the order of its writer; keys unknown to the writer come last, in the order
    /// of the file.
    pub(super) fn members(
        &mut self,
        document: &JsonDocument,
        object: TokenId,
        place: ObjectPosition,
    ) -> Vec<(TokenId, TokenId)> {
        let dialect = self.dialect;
        let ranks = self.ranks[place as usize].get_or_insert_with(|| {
            let keys = keys(place, dialect);
            let rank = |text: &str| keys.iter().position(|key| *key == text).map_or(u16::MAX, |at| at as u16);
            document.symbols().map(|symbol| rank(document.symbol_text(symbol))).collect()
        });
        let mut members: Vec<(u16, TokenId, TokenId)> = document
            .members(object)
            .map(|member| (ranks[member.symbol.index()], member.key, member.value))
            .collect();
        // The sort is stable, so members of equal rank keep their order.
        members.sort_by_key(|&(rank, ..)| rank);
        members.into_iter().map(|(_, key, value)| (key, value)).collect()
    }

    /// Returns the position of a value under a key of an object at a place; `value` is a single value, not a list.
    pub(super) fn below(
        &self,
        document: &JsonDocument,
        place: ObjectPosition,
        key: TokenId,
        value: TokenId,
    ) -> ObjectPosition {
        let key = document.symbol_text(document.symbol(key));
        if !self.dialect.has_questions() {
            return ObjectPosition::Opaque;
        }
        match (place, key) {
            (ObjectPosition::Root, "dataFeedElement" | "hasPart") => listed(document, value),
            (ObjectPosition::Root, "global_rubric" | "globalRubric" | "rubric") => ObjectPosition::Rubric,
            (ObjectPosition::Root, "dataset_metadata") => ObjectPosition::Metadata,
            (ObjectPosition::Root, "checkpoint") => ObjectPosition::Entries,
            (ObjectPosition::Entries, _) => ObjectPosition::Entry,
            (ObjectPosition::Item, "item") => ObjectPosition::Question,
            (ObjectPosition::Question, "acceptedAnswer") => ObjectPosition::Answer,
            (ObjectPosition::Question, "hasPart") => ObjectPosition::Template,
            (ObjectPosition::Question, "rubric") | (ObjectPosition::Entry, "question_rubric") => {
                ObjectPosition::Rubric
            }
            (ObjectPosition::Root | ObjectPosition::Item | ObjectPosition::Question, "rating") => {
                ObjectPosition::Rating
            }
            (
                ObjectPosition::Root
                | ObjectPosition::Item
                | ObjectPosition::Question
                | ObjectPosition::Rating,
                "additionalProperty",
            ) => ObjectPosition::Property,
            (ObjectPosition::Root | ObjectPosition::Metadata, "creator" | "publisher")
            | (ObjectPosition::Entry, "author") => ObjectPosition::Person,
            (ObjectPosition::Rubric, key) if key.ends_with("traits") => ObjectPosition::Definition,
            _ => ObjectPosition::Opaque,
        }
    }
}

/// Returns the position of a member of a checkpoint's list: an item or a bare question.
fn listed(document: &JsonDocument, value: TokenId) -> ObjectPosition {
    let class = document.get(value, "@type").and_then(|value| document.string(value));
    match class.as_deref() {
        Some("DataFeedItem") => ObjectPosition::Item,
        Some("Question") => ObjectPosition::Question,
        _ => ObjectPosition::Opaque,
    }
}
