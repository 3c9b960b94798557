//! The rules of the user interface: of its recognition of a checkpoint, its validator, and its converter (in
//! `interface_traits`). A file conforms if all three accept it.
//!
//! The user interface checks neither dates nor most types, and accepts no prefix in the type of a trait. Its
//! development branch writes two more types than it accepts.

use super::checkpoint_checker::CheckpointChecker;
use super::interface_traits::{LISTS, TRAIT, check_rubric, is_truthy, property};
use crate::checking::{FormatRule, violation};
use evalgraph_json::{JsonKind, TokenId};

const ROOT: FormatRule = violation("K-G1", "the checkpoint must be a `DataFeed`");
const LIST: FormatRule = violation("K-G2", "`dataFeedElement` must be an array");
const ITEM_TYPES: FormatRule = violation("K-G3", "the list must have `DataFeedItem`s with a `Question` each");
const CONTENT: FormatRule = violation("K-G4", "a question must have `text`, `acceptedAnswer` and `hasPart`");
const TEMPLATE: FormatRule = violation("K-G5", "`hasPart` of a question must be `SoftwareSourceCode`");
const RANGE: FormatRule =
    violation("K-G6", "`bestRating` and `worstRating` of a question's trait must be numbers");
const TRAIT_TYPE: FormatRule =
    violation("K-G7", "`additionalType` of a question's trait must be one of the 8 names");
const RECOGNISED: FormatRule =
    violation("K-G8", "the checkpoint must have `@context`, and a `version` that is a string");
const RATING_TYPE: FormatRule = violation("K-G9", "a question's trait must be a `Rating`");
const ID: FormatRule = violation("K-G12", "`@id` of an item must be a string");

pub(super) const RULES: [FormatRule; 12] =
    [ROOT, LIST, ITEM_TYPES, CONTENT, TEMPLATE, RANGE, TRAIT_TYPE, RECOGNISED, RATING_TYPE, LISTS, TRAIT, ID];

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

pub(super) fn check(checker: &mut CheckpointChecker<'_>) {
    // An array that contains the checkpoint is not recognised.
    let root = checker.document.root();
    checker.look(&ROOT);
    if !checker.has_type(root, "DataFeed") {
        checker.found_at(&ROOT, root, "@type", "`@type` of the checkpoint is not \"DataFeed\"");
    }
    check_recognised(checker, root);
    check_properties(checker, root);
    check_rubric(checker, root, "Global");
    checker.look(&LIST);
    let list = checker.document.get(root, "dataFeedElement");
    let Some(items) = list.filter(|&list| checker.document.is_array(list)) else {
        return checker.found_at(&LIST, root, "dataFeedElement", "there is no array `dataFeedElement`");
    };
    for item in checker.document.items(items) {
        check_item(checker, item);
    }
}

fn check_recognised(checker: &mut CheckpointChecker<'_>, root: TokenId) {
    checker.look(&RECOGNISED);
    if checker.document.get(root, "@context").is_none() {
        checker.found_at(&RECOGNISED, root, "@context", "`@context` is missing");
    }
    if checker.text(root, "version").is_none() {
        let message = match checker.document.get(root, "version") {
            Some(value) => format!("`version` is {}, not a string", checker.show(value)),
            None => "`version` is missing: the user interface does not recognise the file".to_owned(),
        };
        checker.found_at(&RECOGNISED, root, "version", message);
    }
}

/// Properties of the checkpoint that contain the traits of older files.
const OF_CHECKPOINT: [&str; 3] =
    ["global_regex_rubric_traits", "global_callable_rubric_traits", "global_metric_rubric_traits"];

fn check_properties(checker: &mut CheckpointChecker<'_>, root: TokenId) {
    checker.look(&LISTS);
    // An unreadable list was reported at the first name; the interface does not search for the others after that.
    let _ = OF_CHECKPOINT.iter().try_for_each(|name| property(checker, root, name).map(drop));
}

/// Checks all properties of a question, because the interface reads all their names.
fn check_question_properties(checker: &mut CheckpointChecker<'_>, question: TokenId) {
    checker.look(&LISTS);
    let Some(list) = checker.present(question, "additionalProperty") else { return };
    let document = checker.document;
    if !document.is_array(list) {
        return checker.found_other(&LISTS, question, "additionalProperty", "not an array");
    }
    for property in document.items(list) {
        if checker.text(property, "name").is_some() {
            continue;
        }
        let message = "a property of the question has no `name` that is a string";
        checker.found(&LISTS, question, Some("additionalProperty"), Some(property), message);
    }
}

fn check_item(checker: &mut CheckpointChecker<'_>, item: TokenId) {
    checker.look(&ITEM_TYPES);
    if !checker.has_type(item, "DataFeedItem") {
        checker.found_at(&ITEM_TYPES, item, "@type", "the item is not a \"DataFeedItem\"");
    }
    checker.look(&ID);
    if let Some(id) = checker.present(item, "@id").filter(|&id| !checker.document.is_string(id)) {
        let message = format!("`@id` of the item is {}, not a string", checker.show(id));
        checker.found_at(&ID, item, "@id", message);
    }
    let question = checker.document.get(item, "item");
    let Some(question) = question.filter(|&question| checker.has_type(question, "Question")) else {
        return checker.found_at(&ITEM_TYPES, item, "item", "`item` is not a \"Question\"");
    };
    checker.subjects += 1;
    check_question(checker, question);
}

fn check_question(checker: &mut CheckpointChecker<'_>, question: TokenId) {
    checker.look(&CONTENT);
    for key in ["text", "acceptedAnswer", "hasPart"] {
        let value = checker.document.get(question, key);
        if !value.is_some_and(|value| is_truthy(checker, value)) {
            let what = if value.is_none() { "missing" } else { "empty, null, false or 0" };
            checker.found_at(&CONTENT, question, key, format!("`{key}` is {what}"));
        }
    }
    if let Some(template) = checker.present(question, "hasPart") {
        checker.look(&TEMPLATE);
        if !checker.has_type(template, "SoftwareSourceCode") {
            checker.found_at(&TEMPLATE, question, "hasPart", "`hasPart` is not a \"SoftwareSourceCode\"");
        }
    }
    check_question_properties(checker, question);
    let ratings = checker.document.get(question, "rating").filter(|&ratings| is_truthy(checker, ratings));
    let Some(ratings) = ratings else { return };
    if !checker.document.is_array(ratings) {
        return checker.found_other(&LISTS, question, "rating", "not an array");
    }
    for rating in checker.document.items(ratings) {
        check_rating(checker, rating);
    }
    let has_traits = check_rubric(checker, question, "QuestionSpecific");
    let text = checker.document.get(question, "text").filter(|&text| !checker.document.is_string(text));
    if let Some(text) = text.filter(|_| has_traits) {
        let message = format!("`text` of a question with traits is {}, not a string", checker.show(text));
        checker.found_at(&TRAIT, question, "text", message);
    }
}

fn check_rating(checker: &mut CheckpointChecker<'_>, rating: TokenId) {
    checker.look(&RATING_TYPE);
    if !checker.has_type(rating, "Rating") {
        let message = match checker.document.get(rating, "@type") {
            None => "the trait has no `@type`".to_owned(),
            Some(value) => format!("`@type` of the trait is {}, not \"Rating\"", checker.show(value)),
        };
        checker.found_at(&RATING_TYPE, rating, "@type", message);
    }
    checker.look(&RANGE);
    for key in ["bestRating", "worstRating"] {
        let value = checker.document.get(rating, key);
        if value.is_none_or(|value| checker.document.kind(value) != JsonKind::Number) {
            checker.found_other(&RANGE, rating, key, "not a number");
        }
    }
    checker.look(&TRAIT_TYPE);
    let name = checker.text(rating, "additionalType");
    if !name.as_deref().is_some_and(|name| TRAIT_TYPES.contains(&name)) {
        let message = match &name {
            None => "`additionalType` is missing".to_owned(),
            Some(name) if name.starts_with("karenina:") => {
                format!("`{name}` has a prefix, which the user interface does not accept")
            }
            Some(name) => format!("`{name}` is not a type of trait that the user interface knows"),
        };
        checker.found_at(&TRAIT_TYPE, rating, "additionalType", message);
    }
}
