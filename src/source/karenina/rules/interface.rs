//! What the validator of the user interface asks for.
//!
//! It looks neither at ranges nor at global traits nor at dates, and takes no prefix before the type
//! of a trait. Its development branch writes two types more than it takes.

use super::Checker;
use super::{Rule, violation};
use crate::json::{Kind, TokenId};

const ROOT: Rule = violation("K-G1", "the checkpoint is a `DataFeed`");
const LIST: Rule = violation("K-G2", "`dataFeedElement` is an array");
const ITEM_TYPES: Rule = violation("K-G3", "the list has `DataFeedItem`s with a `Question` each");
const CONTENT: Rule = violation("K-G4", "a question has `text`, `acceptedAnswer` and `hasPart`");
const TEMPLATE: Rule = violation("K-G5", "`hasPart` of a question is `SoftwareSourceCode`");
const RANGE: Rule = violation("K-G6", "`bestRating` and `worstRating` of a question's trait are numbers");
const TRAIT_TYPE: Rule = violation("K-G7", "`additionalType` of a question's trait is one of the 8 names");

pub(super) const RULES: [Rule; 7] = [ROOT, LIST, ITEM_TYPES, CONTENT, TEMPLATE, RANGE, TRAIT_TYPE];

const TRAIT_TYPES: [&str; 8] = [
    "GlobalRubricTrait",
    "GlobalRegexTrait",
    "GlobalCallableTrait",
    "GlobalMetricRubricTrait",
    "QuestionSpecificRubricTrait",
    "QuestionSpecificRegexTrait",
    "QuestionSpecificCallableTrait",
    "QuestionSpecificMetricRubricTrait",
];

pub(super) fn check(checker: &mut Checker<'_>) {
    let root = checker.root();
    checker.look(&ROOT);
    if !checker.has_type(root, "DataFeed") {
        let value = checker.document.get(root, "@type");
        checker.found(&ROOT, root, Some("@type"), value, "`@type` of the checkpoint is not \"DataFeed\"");
    }
    checker.look(&LIST);
    let list = checker.document.get(root, "dataFeedElement");
    let Some(items) = list.filter(|&list| checker.document.is_array(list)) else {
        let message = "there is no array `dataFeedElement`";
        checker.found(&LIST, root, Some("dataFeedElement"), list, message);
        return;
    };
    for (index, item) in checker.document.items(items).enumerate() {
        checker.enter(Some((item, index)));
        check_item(checker, item);
    }
    checker.enter(None);
}

fn check_item(checker: &mut Checker<'_>, item: TokenId) {
    checker.look(&ITEM_TYPES);
    if !checker.has_type(item, "DataFeedItem") {
        let value = checker.document.get(item, "@type");
        checker.found(&ITEM_TYPES, item, Some("@type"), value, "the item is no \"DataFeedItem\"");
    }
    let question = checker.document.get(item, "item");
    let Some(question) = question.filter(|&question| checker.has_type(question, "Question")) else {
        checker.found(&ITEM_TYPES, item, Some("item"), question, "`item` is no \"Question\"");
        return;
    };
    checker.subjects += 1;
    check_question(checker, question);
}

fn check_question(checker: &mut Checker<'_>, question: TokenId) {
    checker.look(&CONTENT);
    for key in ["text", "acceptedAnswer", "hasPart"] {
        let value = checker.document.get(question, key);
        if !value.is_some_and(|value| is_truthy(checker, value)) {
            let message = if value.is_none() {
                format!("`{key}` is missing")
            } else {
                format!("`{key}` is empty, null, false or 0")
            };
            checker.found(&CONTENT, question, Some(key), value, message);
        }
    }
    if let Some(template) = checker.present(question, "hasPart") {
        checker.look(&TEMPLATE);
        if !checker.has_type(template, "SoftwareSourceCode") {
            let message = "`hasPart` is no \"SoftwareSourceCode\"";
            checker.found(&TEMPLATE, question, Some("hasPart"), Some(template), message);
        }
    }
    let Some(ratings) = checker.document.get(question, "rating") else { return };
    for rating in checker.document.items(ratings) {
        check_rating(checker, rating);
    }
}

fn check_rating(checker: &mut Checker<'_>, rating: TokenId) {
    checker.look(&RANGE);
    for key in ["bestRating", "worstRating"] {
        let value = checker.document.get(rating, key);
        if value.is_none_or(|value| checker.document.kind(value) != Kind::Number) {
            let message = match value {
                None => format!("`{key}` is missing"),
                Some(value) => format!("`{key}` is {}, not a number", checker.show(value)),
            };
            checker.found(&RANGE, rating, Some(key), value, message);
        }
    }
    checker.look(&TRAIT_TYPE);
    let value = checker.document.get(rating, "additionalType");
    let name = checker.text(rating, "additionalType");
    if !name.as_deref().is_some_and(|name| TRAIT_TYPES.contains(&name)) {
        let message = match &name {
            None => "`additionalType` is missing".to_owned(),
            Some(name) if name.starts_with("karenina:") => {
                format!("`{name}` has a prefix, which the user interface does not take")
            }
            Some(name) => format!("`{name}` is no type of trait that the user interface knows"),
        };
        checker.found(&TRAIT_TYPE, rating, Some("additionalType"), value, message);
    }
}

/// What counts as a value in JavaScript.
fn is_truthy(checker: &Checker<'_>, value: TokenId) -> bool {
    match checker.document.kind(value) {
        Kind::Null | Kind::False => false,
        Kind::Number => checker.keyed.number(value) != Some(0.0),
        Kind::String | Kind::EscapedString => checker.document.raw(value) != "\"\"",
        _ => true,
    }
}
