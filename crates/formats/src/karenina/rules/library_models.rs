//! The fields that the Python library reads from a question, its answer, template and traits: a table for each class.

use super::library_table::{ANSWER, GLOBAL_TYPE, PROPERTY, QUESTION, QUESTION_TYPE, RATING, TEMPLATE};
use crate::checking::FormatRule;
use crate::checking::schema::{
    NON_EMPTY, ObjectSchema, SchemaChecker, SchemaField, SchemaFieldType, defaulted, optional, part, required,
};
use SchemaFieldType::{Array, Json, Number, Object, OneOf, Text};
use evalgraph_json::{JsonDocument, TokenId};

/// The endings of the names of trait types.
pub const TRAIT_TYPES: [&str; 7] = [
    "RubricTrait",
    "LLMRubricTrait",
    "RegexTrait",
    "CallableTrait",
    "MetricRubricTrait",
    "AgenticRubricTrait",
    "DynamicRubricTrait",
];

pub(super) static QUESTIONS: ObjectSchema = part(&QUESTION_FIELDS).by(&QUESTION);

static QUESTION_FIELDS: [SchemaField; 8] = question_fields(NON_EMPTY);

/// A question in a node of a scenario; its text may be empty.
pub(super) static NODE_QUESTIONS: ObjectSchema = part(&NODE_QUESTION_FIELDS).by(&QUESTION);

static NODE_QUESTION_FIELDS: [SchemaField; 8] = question_fields(Text);

const fn question_fields(text: SchemaFieldType) -> [SchemaField; 8] {
    [
        defaulted("@type", OneOf(&["Question"])),
        optional("@id", Text),
        required("text", text),
        required("acceptedAnswer", Object(&ANSWERS)),
        required("hasPart", Object(&TEMPLATES)),
        optional("rating", Array(&RATING_OBJECT)),
        optional("additionalProperty", Array(&PROPERTY_OBJECT)),
        optional("keywords", Array(&Text)),
    ]
}

static RATING_OBJECT: SchemaFieldType = Object(&RATINGS);

static PROPERTY_OBJECT: SchemaFieldType = Object(&PROPERTIES);

static ANSWERS: ObjectSchema =
    part(&[defaulted("@type", OneOf(&["Answer"])), optional("@id", Text), required("text", Text)])
        .by(&ANSWER);

static TEMPLATES: ObjectSchema = part(&[
    defaulted("@type", OneOf(&["SoftwareSourceCode"])),
    optional("@id", Text),
    required("name", Text),
    required("text", Text),
    defaulted("programmingLanguage", OneOf(&["Python"])),
    optional("codeRepository", Text),
])
.by(&TEMPLATE);

pub(super) static RATINGS: ObjectSchema = part(&RATING_FIELDS)
    .by(&RATING)
    .also(|reader, rating| look_at_trait_type(reader, rating, &QUESTION_TYPE));

pub(super) static GLOBAL_RATINGS: ObjectSchema =
    part(&RATING_FIELDS).by(&RATING).also(|reader, rating| look_at_trait_type(reader, rating, &GLOBAL_TYPE));

static RATING_FIELDS: [SchemaField; 10] = [
    defaulted("@type", OneOf(&["Rating"])),
    optional("@id", Text),
    required("name", Text),
    optional("description", Text),
    required("bestRating", Number),
    required("worstRating", Number),
    required("additionalType", Text),
    optional("ratingValue", Number),
    optional("ratingExplanation", Text),
    optional("additionalProperty", Array(&Object(&PROPERTIES))),
];

pub(super) static PROPERTIES: ObjectSchema =
    part(&[defaulted("@type", OneOf(&["PropertyValue"])), required("name", Text), optional("value", Json)])
        .by(&PROPERTY);

fn look_at_trait_type(reader: &mut SchemaChecker<'_>, rating: TokenId, rule: &'static FormatRule) {
    let document = reader.document;
    let Some(value) = document.get(rating, "additionalType").filter(|&value| document.is_string(value))
    else {
        return;
    };
    reader.look(rule);
    let shown = reader.show(value);
    let message = match TraitType::from_rating(document, rating) {
        None => format!("{shown} is not a type of trait that the library knows"),
        Some(found) if rule.id == GLOBAL_TYPE.id && found.scope == TraitOwner::Question => {
            format!("{shown} is a type for traits of a question, but this is a trait of the checkpoint")
        }
        Some(_) => return,
    };
    reader.fault_at(rating, "additionalType", message);
}

/// The kind of object that traits of a type belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TraitOwner {
    Checkpoint,
    Question,
}

/// A type of traits: its name begins with the scope and ends with the stem.
#[derive(Debug, Clone, Copy)]
pub(super) struct TraitType {
    pub(super) scope: TraitOwner,
    pub(super) stem: &'static str,
}

impl TraitType {
    /// Returns the type of a rating, if it is one of the 14.
    pub(super) fn from_rating(document: &JsonDocument, rating: TokenId) -> Option<Self> {
        let name = document.string(document.get(rating, "additionalType")?)?;
        // The library adds the prefix if it is missing.
        let name = name.strip_prefix("karenina:").unwrap_or(&name);
        let named = |start: &str| {
            let rest = name.strip_prefix(start)?;
            TRAIT_TYPES.into_iter().find(|known| *known == rest)
        };
        let global = named("Global").map(|stem| Self { scope: TraitOwner::Checkpoint, stem });
        global.or_else(|| named("QuestionSpecific").map(|stem| Self { scope: TraitOwner::Question, stem }))
    }
}
