//! What the loader of today's Python library asks for: a table of fields for each class of object,
//! and which traits may stand where.
//!
//! The library reads with Pydantic in its lax mode: unknown keys are ignored, a number may be spelled
//! as a string, and a key that may be absent may also be null.

use super::Checker;
use super::trait_rules;
use super::{Rule, violation};
use crate::json::{Kind, TokenId};

const ROOT: Rule = violation("K-P-DataFeed", "the fields of the checkpoint have the types that are read");
const ITEM: Rule = violation("K-P-DataFeedItem", "the fields of an item have the types that are read");
const QUESTION: Rule = violation("K-P-Question", "the fields of a question have the types that are read");
const ANSWER: Rule = violation("K-P-Answer", "the fields of an answer have the types that are read");
const TEMPLATE: Rule =
    violation("K-P-SoftwareSourceCode", "the fields of a template have the types that are read");
const RATING: Rule = violation("K-P-Rating", "the fields of a trait have the types that are read");
const PROPERTY: Rule =
    violation("K-P-PropertyValue", "the fields of a property have the types that are read");
const QUESTION_TYPE: Rule =
    violation("K-P1", "the `additionalType` of a question's trait is one of the 14 names");
const GLOBAL_TYPE: Rule =
    violation("K-P2", "the `additionalType` of the checkpoint's traits is one of the 7 global names");
const KIND: Rule = violation("K-P3", "a trait has what its kind needs when it is used");

pub(super) const RULES: [Rule; 10] =
    [ROOT, ITEM, QUESTION, ANSWER, TEMPLATE, RATING, PROPERTY, QUESTION_TYPE, GLOBAL_TYPE, KIND];

/// The last parts of the names of trait types.
const TRAIT_TYPES: [&str; 7] = [
    "RubricTrait",
    "LLMRubricTrait",
    "RegexTrait",
    "CallableTrait",
    "MetricRubricTrait",
    "AgenticRubricTrait",
    "DynamicRubricTrait",
];

/// What a field may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// An object, whatever is in it.
    Context,
    /// A string.
    Text,
    /// A string with at least one character.
    NonEmptyText,
    /// A number, a boolean, or a string that spells a number.
    Number,
    /// The one string.
    Literal(&'static str),
    /// One object.
    Object,
    /// An array of objects.
    Objects,
    /// An array of strings.
    Texts,
    /// A string, or a person with a name.
    Creator,
    /// Any JSON.
    Json,
}

/// A field of an object as the library reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What it may hold.
    pub holds: FieldType,
    /// Whether it has to be there, and not null.
    pub required: bool,
}

const fn required(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, required: true }
}

const fn optional(key: &'static str, holds: FieldType) -> Field {
    Field { key, holds, required: false }
}

use FieldType::{Context, Creator, Json, Literal, NonEmptyText, Number, Object, Objects, Text, Texts};

const ROOT_FIELDS: [Field; 12] = [
    required("@context", Context),
    optional("@type", Literal("DataFeed")),
    optional("@id", Text),
    required("name", NonEmptyText),
    optional("description", Text),
    optional("version", Text),
    optional("creator", Creator),
    required("dateCreated", Text),
    required("dateModified", Text),
    optional("rating", Objects),
    required("dataFeedElement", Objects),
    optional("additionalProperty", Objects),
];

const ITEM_FIELDS: [Field; 6] = [
    optional("@type", Literal("DataFeedItem")),
    optional("@id", Text),
    required("dateCreated", Text),
    required("dateModified", Text),
    optional("keywords", Texts),
    required("item", Object),
];

const QUESTION_FIELDS: [Field; 8] = [
    optional("@type", Literal("Question")),
    optional("@id", Text),
    required("text", NonEmptyText),
    required("acceptedAnswer", Object),
    required("hasPart", Object),
    optional("rating", Objects),
    optional("additionalProperty", Objects),
    optional("keywords", Texts),
];

const ANSWER_FIELDS: [Field; 3] =
    [optional("@type", Literal("Answer")), optional("@id", Text), required("text", Text)];

const TEMPLATE_FIELDS: [Field; 6] = [
    optional("@type", Literal("SoftwareSourceCode")),
    optional("@id", Text),
    required("name", Text),
    required("text", Text),
    optional("programmingLanguage", Literal("Python")),
    optional("codeRepository", Text),
];

const RATING_FIELDS: [Field; 10] = [
    optional("@type", Literal("Rating")),
    optional("@id", Text),
    required("name", Text),
    optional("description", Text),
    required("bestRating", Number),
    required("worstRating", Number),
    required("additionalType", Text),
    optional("ratingValue", Number),
    optional("ratingExplanation", Text),
    optional("additionalProperty", Objects),
];

const PROPERTY_FIELDS: [Field; 3] =
    [optional("@type", Literal("PropertyValue")), required("name", Text), optional("value", Json)];

/// The fields that the library reads of an object of a class, in the order in which it writes them.
///
/// ```
/// use evalgraph::source::karenina::rules::fields_of;
///
/// let required: Vec<&str> = fields_of("DataFeedItem")
///     .iter()
///     .filter(|field| field.required)
///     .map(|field| field.key)
///     .collect();
/// assert_eq!(required, ["dateCreated", "dateModified", "item"]);
/// ```
pub fn fields_of(class: &str) -> &'static [Field] {
    match class {
        "DataFeed" => &ROOT_FIELDS,
        "DataFeedItem" => &ITEM_FIELDS,
        "Question" => &QUESTION_FIELDS,
        "Answer" => &ANSWER_FIELDS,
        "SoftwareSourceCode" => &TEMPLATE_FIELDS,
        "Rating" => &RATING_FIELDS,
        "PropertyValue" => &PROPERTY_FIELDS,
        _ => &[],
    }
}

pub(super) fn check(checker: &mut Checker<'_>) {
    let root = checker.root();
    if !checker.document.is_object(root) || checker.document.is_array(checker.document.root()) {
        checker.look(&ROOT);
        let root = checker.document.root();
        checker.found(&ROOT, root, None, Some(root), "the checkpoint is not one object");
        return;
    }
    check_fields(checker, &ROOT, root, &ROOT_FIELDS);
    check_ratings(checker, root, Place::Root);
    check_properties(checker, root);
    let Some(list) = checker.document.get(root, "dataFeedElement") else { return };
    for (index, item) in checker.document.items(list).enumerate() {
        checker.enter(Some((item, index)));
        check_item(checker, item);
    }
    checker.enter(None);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Question,
}

fn check_item(checker: &mut Checker<'_>, item: TokenId) {
    if !checker.document.is_object(item) {
        return;
    }
    check_fields(checker, &ITEM, item, &ITEM_FIELDS);
    let Some(question) = object(checker, item, "item") else { return };
    checker.subjects += 1;
    check_fields(checker, &QUESTION, question, &QUESTION_FIELDS);
    if let Some(answer) = object(checker, question, "acceptedAnswer") {
        check_fields(checker, &ANSWER, answer, &ANSWER_FIELDS);
    }
    if let Some(template) = object(checker, question, "hasPart") {
        check_fields(checker, &TEMPLATE, template, &TEMPLATE_FIELDS);
    }
    check_ratings(checker, question, Place::Question);
    check_properties(checker, question);
}

fn check_ratings(checker: &mut Checker<'_>, owner: TokenId, place: Place) {
    let Some(ratings) = checker.document.get(owner, "rating") else { return };
    let document = checker.document;
    for rating in document.items(ratings).filter(|&rating| document.is_object(rating)) {
        check_fields(checker, &RATING, rating, &RATING_FIELDS);
        check_properties(checker, rating);
        let known = check_trait_type(checker, rating, place);
        if let Some(stem) = known {
            checker.look(&KIND);
            trait_rules::check(checker, &KIND, rating, stem);
        }
    }
}

/// Checks `additionalType`, and gives what follows `Global` or `QuestionSpecific` in it.
fn check_trait_type(checker: &mut Checker<'_>, rating: TokenId, place: Place) -> Option<&'static str> {
    let rule = if place == Place::Root { &GLOBAL_TYPE } else { &QUESTION_TYPE };
    let found = checker.text(rating, "additionalType")?;
    let value = checker.document.get(rating, "additionalType");
    checker.look(rule);
    // The library adds the prefix where it is missing.
    let name = found.strip_prefix("karenina:").unwrap_or(&found);
    let stem = |start: &str| {
        let rest = name.strip_prefix(start)?;
        TRAIT_TYPES.into_iter().find(|known| *known == rest)
    };
    let (global, specific) = (stem("Global"), stem("QuestionSpecific"));
    if place == Place::Root && specific.is_some() {
        let message = format!("`{name}` is for the traits of a question, and this one is the checkpoint's");
        checker.found(rule, rating, Some("additionalType"), value, message);
    } else if global.or(specific).is_none() {
        let message = format!("`{name}` is no type of trait that the library knows");
        checker.found(rule, rating, Some("additionalType"), value, message);
    }
    global.or(specific)
}

fn check_properties(checker: &mut Checker<'_>, owner: TokenId) {
    let Some(properties) = checker.document.get(owner, "additionalProperty") else { return };
    let document = checker.document;
    for property in document.items(properties).filter(|&property| document.is_object(property)) {
        check_fields(checker, &PROPERTY, property, &PROPERTY_FIELDS);
    }
}

fn object(checker: &Checker<'_>, owner: TokenId, key: &str) -> Option<TokenId> {
    checker.document.get(owner, key).filter(|&value| checker.document.is_object(value))
}

fn check_fields(checker: &mut Checker<'_>, rule: &Rule, object: TokenId, fields: &'static [Field]) {
    checker.look(rule);
    for field in fields {
        let Field { key, holds, required } = *field;
        match checker.document.get(object, key) {
            None if required => {
                checker.found(rule, object, Some(key), None, format!("`{key}` is missing"));
            }
            Some(value) if required || checker.document.kind(value) != Kind::Null => {
                check_value(checker, rule, (object, key), value, holds);
            }
            _ => {}
        }
    }
}

fn check_value(
    checker: &mut Checker<'_>,
    rule: &Rule,
    (object, key): (TokenId, &'static str),
    value: TokenId,
    holds: FieldType,
) {
    let document = checker.document;
    let is_text = document.is_string(value);
    let wanted = match holds {
        Json => return,
        Context | Object if document.is_object(value) => return,
        Text if is_text => return,
        NonEmptyText if is_text && !document.raw(value).eq("\"\"") => return,
        NonEmptyText if is_text => {
            checker.found(rule, object, Some(key), Some(value), format!("`{key}` is empty"));
            return;
        }
        Number if checker.keyed.number(value).is_some() => return,
        Literal(text) if checker.keyed.is_text(value, text) => return,
        Creator if is_text || is_person(checker, value) => return,
        Objects | Texts if document.is_array(value) => {
            let fits = |member: TokenId| match holds {
                Objects => document.is_object(member),
                _ => document.is_string(member),
            };
            for member in document.items(value).filter(|&member| !fits(member)) {
                let what = if holds == Objects { "an object" } else { "a string" };
                let message = format!("{} in `{key}` is not {what}", checker.show(member));
                checker.found(rule, object, Some(key), Some(member), message);
            }
            return;
        }
        Context => "an object: the library takes no address of a context",
        Object => "one object",
        Text | NonEmptyText => "a string",
        Number => "a number",
        Literal(text) => {
            let message = format!("`{key}` is {}, not \"{text}\"", checker.show(value));
            checker.found(rule, object, Some(key), Some(value), message);
            return;
        }
        Creator => "a string or a person with a name",
        Objects => "an array of objects",
        Texts => "an array of strings",
    };
    let message = format!("`{key}` is {}, not {wanted}", checker.show(value));
    checker.found(rule, object, Some(key), Some(value), message);
}

fn is_person(checker: &Checker<'_>, value: TokenId) -> bool {
    let text_or_absent =
        |key| checker.present(value, key).is_none_or(|value| checker.document.is_string(value));
    checker.document.is_object(value)
        && checker.text(value, "name").is_some()
        && ["url", "email"].into_iter().all(text_or_absent)
}
