//! What the specification, 3.0.0-jsonld, asks of a checkpoint.

use super::checker::Checker;
use super::context::ContextMeaning;
use super::{Rule, info, violation};
use crate::json::{Kind, TokenId};
use crate::source::checking::Timestamp;

const ROOT: Rule = violation("K-S1", "the checkpoint is a `Dataset` with a context");
const VERSION: Rule = violation("K-S2", "`version` contains \"jsonld\"");
const LIST: Rule = violation("K-S3", "`hasPart` is an array of `DataFeedItem`s");
const ITEM: Rule = violation("K-S4", "an item has `dateModified` and a `Question`");
const QUESTION: Rule = violation("K-S5", "a question has a text, an answer and a template in Python");
const RATING: Rule = violation("K-S6", "a rating has a name and three numbers");
const IN_RANGE: Rule = violation("K-S7", "`ratingValue` lies in its range");
const BOOLEAN: Rule = violation("K-S8", "`ratingValue` of a boolean trait is 0 or 1");
const ORDER: Rule = violation("K-S9", "`bestRating` is above `worstRating`");
const AUTHOR: Rule = violation("K-S10", "`author` of a rating is one of the two strings");
const DATE: Rule = violation("K-S11", "timestamps are of ISO 8601");
const CONTEXT: Rule = violation("K-S12", "the context makes the names those of schema.org");
const ID: Rule = info("K-S13", "an `@id` has the pattern of its class");

pub(super) const RULES: [Rule; 13] =
    [ROOT, VERSION, LIST, ITEM, QUESTION, RATING, IN_RANGE, BOOLEAN, ORDER, AUTHOR, DATE, CONTEXT, ID];

const AUTHORS: [&str; 2] = ["Global Rubric", "Question-Specific Rubric"];

pub(super) fn check(checker: &mut Checker<'_>, context: &ContextMeaning) {
    let root = checker.root();
    check_root(checker, root);
    check_context(checker, root, context);
    check_id(checker, root, "urn:uuid:karenina-checkpoint-");
    for key in ["dateCreated", "dateModified"] {
        check_date(checker, root, key);
    }
    // The second edition has global traits at the root.
    check_ratings(checker, root);
    checker.look(&LIST);
    let list = checker.document.get(root, "hasPart");
    let Some(items) = list.filter(|&list| checker.document.is_array(list)) else {
        checker.found(&LIST, root, Some("hasPart"), list, "there is no array `hasPart`");
        return;
    };
    for item in checker.document.items(items) {
        check_item(checker, item);
    }
}

fn check_root(checker: &mut Checker<'_>, root: TokenId) {
    checker.look(&ROOT);
    if !checker.has_type(root, "Dataset") {
        let value = checker.document.get(root, "@type");
        checker.found(&ROOT, root, Some("@type"), value, "`@type` of the checkpoint is not \"Dataset\"");
    }
    if checker.present(root, "@context").is_none() {
        checker.found(&ROOT, root, Some("@context"), None, "`@context` is missing");
    }
    checker.look(&VERSION);
    if !checker.text(root, "version").is_some_and(|version| version.contains("jsonld")) {
        let value = checker.document.get(root, "version");
        let message = match value {
            Some(value) => format!("`version` is {}, which does not contain \"jsonld\"", checker.show(value)),
            None => "`version` is missing".to_owned(),
        };
        checker.found(&VERSION, root, Some("version"), value, message);
    }
}

fn check_context(checker: &mut Checker<'_>, root: TokenId, context: &ContextMeaning) {
    let message = match context {
        ContextMeaning::Absent => return,
        ContextMeaning::SchemaOrg => None,
        ContextMeaning::Other(name) => Some(format!("`{name}` is not schema.org's under this context")),
        ContextMeaning::Fault(why) => Some(format!("the context cannot be used: {why}")),
    };
    checker.look(&CONTEXT);
    if let Some(message) = message {
        let value = checker.document.get(root, "@context");
        checker.found(&CONTEXT, root, Some("@context"), value, message);
    }
}

fn check_item(checker: &mut Checker<'_>, item: TokenId) {
    checker.look(&LIST);
    if !checker.has_type(item, "DataFeedItem") {
        let value = checker.document.get(item, "@type");
        checker.found(&LIST, item, Some("@type"), value, "the item is no \"DataFeedItem\"");
    }
    checker.look(&ITEM);
    if checker.present(item, "dateModified").is_none() {
        checker.found(&ITEM, item, Some("dateModified"), None, "`dateModified` is missing");
    }
    check_id(checker, item, "urn:uuid:");
    for key in ["dateCreated", "dateModified"] {
        check_date(checker, item, key);
    }
    let question = checker.document.get(item, "item");
    match question.filter(|&question| checker.has_type(question, "Question")) {
        Some(question) => check_question(checker, question),
        None => checker.found(&ITEM, item, Some("item"), question, "`item` is no \"Question\""),
    }
}

fn check_question(checker: &mut Checker<'_>, question: TokenId) {
    checker.subjects += 1;
    checker.look(&QUESTION);
    check_id(checker, question, "urn:uuid:question-");
    want_text(checker, question, question, "text");
    let answer = checker.present(question, "acceptedAnswer");
    match answer.filter(|&answer| checker.document.is_object(answer)) {
        Some(answer) => {
            want_text(checker, question, answer, "text");
            check_id(checker, answer, "urn:uuid:answer-");
        }
        None => {
            checker.found(
                &QUESTION,
                question,
                Some("acceptedAnswer"),
                answer,
                "there is no `acceptedAnswer`",
            );
        }
    }
    check_template(checker, question);
    check_ratings(checker, question);
}

fn check_template(checker: &mut Checker<'_>, question: TokenId) {
    let template = checker.document.get(question, "hasPart");
    let Some(template) = template.filter(|&template| checker.has_type(template, "SoftwareSourceCode")) else {
        let message = "`hasPart` is no \"SoftwareSourceCode\"";
        checker.found(&QUESTION, question, Some("hasPart"), template, message);
        return;
    };
    check_id(checker, template, "urn:uuid:template-");
    want_text(checker, question, template, "text");
    let language = checker.document.get(template, "programmingLanguage");
    if !language.is_some_and(|language| checker.keyed.is_text(language, "Python")) {
        let message = "`programmingLanguage` of the template is not \"Python\"";
        let place = language.or(Some(template));
        checker.found(&QUESTION, question, Some("programmingLanguage"), place, message);
    }
}

/// Looks for a string in one of the parts of a question.
fn want_text(checker: &mut Checker<'_>, question: TokenId, part: TokenId, key: &'static str) {
    if checker.text(part, key).is_none() {
        let value = checker.document.get(part, key).or_else(|| (part != question).then_some(part));
        checker.found(&QUESTION, question, Some(key), value, format!("there is no string `{key}`"));
    }
}

fn check_ratings(checker: &mut Checker<'_>, owner: TokenId) {
    let Some(ratings) = checker.document.get(owner, "rating") else { return };
    for rating in checker.keyed.each(ratings) {
        check_rating(checker, rating);
    }
}

fn check_rating(checker: &mut Checker<'_>, rating: TokenId) {
    checker.look(&RATING);
    check_id(checker, rating, "urn:uuid:rating-");
    if checker.text(rating, "name").is_none() {
        let value = checker.document.get(rating, "name");
        checker.found(&RATING, rating, Some("name"), value, "there is no string `name`");
    }
    let value = number(checker, rating, "ratingValue");
    let best = number(checker, rating, "bestRating");
    let worst = number(checker, rating, "worstRating");
    if let (Some((_, best)), Some((_, worst))) = (value.and(best), worst) {
        check_value(checker, rating, worst, best);
    }
    if let (Some((place, best)), Some((_, worst))) = (best, worst) {
        checker.look(&ORDER);
        if best <= worst {
            let message = format!("`bestRating` is {best}, not above `worstRating`, {worst}");
            checker.found(&ORDER, rating, Some("bestRating"), Some(place), message);
        }
    }
    if let Some(author) = checker.document.get(rating, "author") {
        checker.look(&AUTHOR);
        if !AUTHORS.iter().any(|known| checker.keyed.is_text(author, known)) {
            let message = format!(
                "`author` is {}, not \"Global Rubric\" or \"Question-Specific Rubric\"",
                checker.show(author)
            );
            checker.found(&AUTHOR, rating, Some("author"), Some(author), message);
        }
    }
}

fn check_value(checker: &mut Checker<'_>, rating: TokenId, worst: f64, best: f64) {
    let Some((place, value)) = number_of(checker, rating, "ratingValue") else { return };
    checker.look(&IN_RANGE);
    if !(worst..=best).contains(&value) {
        let message = format!("`ratingValue` is {value}, outside of {worst} to {best}");
        checker.found(&IN_RANGE, rating, Some("ratingValue"), Some(place), message);
    }
    if (worst, best) == (0.0, 1.0) {
        checker.look(&BOOLEAN);
        if value != 0.0 && value != 1.0 {
            let message = format!("`ratingValue` is {value}, and the trait is boolean: 0 or 1");
            checker.found(&BOOLEAN, rating, Some("ratingValue"), Some(place), message);
        }
    }
}

/// The number of a key; that there is none is a result.
fn number(checker: &mut Checker<'_>, rating: TokenId, key: &'static str) -> Option<(TokenId, f64)> {
    let found = number_of(checker, rating, key);
    if found.is_none() {
        let value = checker.document.get(rating, key);
        let message = match value {
            Some(value) => format!("`{key}` is {}, not a number", checker.show(value)),
            None => format!("`{key}` is missing"),
        };
        checker.found(&RATING, rating, Some(key), value, message);
    }
    found
}

fn number_of(checker: &Checker<'_>, rating: TokenId, key: &str) -> Option<(TokenId, f64)> {
    let value = checker.document.get(rating, key)?;
    let number = checker.document.number(value)?.parse().ok()?;
    Some((value, number))
}

fn check_date(checker: &mut Checker<'_>, object: TokenId, key: &'static str) {
    let Some(value) = checker.present(object, key) else { return };
    checker.look(&DATE);
    let text = checker.document.string(value).filter(|_| checker.document.is_string(value));
    if text.is_none_or(|text| Timestamp::parse(&text).is_none()) {
        let message = format!("`{key}` is {}, no timestamp of ISO 8601", checker.show(value));
        checker.found(&DATE, object, Some(key), Some(value), message);
    }
}

fn check_id(checker: &mut Checker<'_>, object: TokenId, start: &str) {
    let Some(value) = checker.document.get(object, "@id") else { return };
    checker.look(&ID);
    let id = checker.document.string(value).unwrap_or_default();
    let is_text = checker.document.is_string(value) && checker.document.kind(value) != Kind::Null;
    if !is_text || id.strip_prefix(start).is_none_or(str::is_empty) {
        let message = format!("`@id` is {}, not `{start}…`", checker.show(value));
        checker.found(&ID, object, Some("@id"), Some(value), message);
    }
}
