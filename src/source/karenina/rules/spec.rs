//! The rules of the specification, 3.0.0-jsonld, for a checkpoint.

use super::checker::Checker;
use super::context::ContextMeaning;
use crate::json::TokenId;
use crate::source::checking::{Rule, Timestamp, info, rules, violation};
use std::ops::RangeInclusive;

rules! {
    RULES:
    ROOT = violation("K-S1", "the checkpoint must be a `Dataset` with a context");
    VERSION = violation("K-S2", "`version` must contain \"jsonld\"");
    LIST = violation("K-S3", "`hasPart` must be an array of `DataFeedItem`s");
    ITEM = violation("K-S4", "an item must have `dateModified` and a `Question`");
    QUESTION = violation("K-S5", "a question must have a text, an answer and a template in Python");
    RATING = violation("K-S6", "a rating must have a name and three numbers");
    IN_RANGE = violation("K-S7", "`ratingValue` must lie in its range");
    BOOLEAN = violation("K-S8", "`ratingValue` of a boolean trait must be 0 or 1");
    ORDER = violation("K-S9", "`bestRating` must be above `worstRating`");
    AUTHOR = violation("K-S10", "`author` of a rating must be one of the two strings");
    DATE = violation("K-S11", "timestamps must be in ISO 8601");
    CONTEXT = violation("K-S12", "the context must make the names those of schema.org");
    ID = info("K-S13", "an `@id` should have the pattern of its class");
}

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
        return checker.found_at(&LIST, root, "hasPart", "there is no array `hasPart`");
    };
    for item in checker.document.items(items) {
        check_item(checker, item);
    }
}

fn check_root(checker: &mut Checker<'_>, root: TokenId) {
    checker.look(&ROOT);
    if !checker.has_type(root, "Dataset") {
        checker.found_at(&ROOT, root, "@type", "`@type` of the checkpoint is not \"Dataset\"");
    }
    if checker.present(root, "@context").is_none() {
        checker.found(&ROOT, root, Some("@context"), None, "`@context` is missing");
    }
    checker.look(&VERSION);
    if !checker.text(root, "version").is_some_and(|version| version.contains("jsonld")) {
        checker.found_other(&VERSION, root, "version", "which does not contain \"jsonld\"");
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
        checker.found_at(&CONTEXT, root, "@context", message);
    }
}

fn check_item(checker: &mut Checker<'_>, item: TokenId) {
    checker.look(&LIST);
    if !checker.has_type(item, "DataFeedItem") {
        checker.found_at(&LIST, item, "@type", "the item is no \"DataFeedItem\"");
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
        None => checker.found_at(&ITEM, item, "item", "`item` is no \"Question\""),
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
            let message = "there is no `acceptedAnswer`";
            checker.found(&QUESTION, question, Some("acceptedAnswer"), answer, message);
        }
    }
    check_template(checker, question);
    check_ratings(checker, question);
}

fn check_template(checker: &mut Checker<'_>, question: TokenId) {
    let template = checker.document.get(question, "hasPart");
    let Some(template) = template.filter(|&template| checker.has_type(template, "SoftwareSourceCode")) else {
        return checker.found_at(&QUESTION, question, "hasPart", "`hasPart` is no \"SoftwareSourceCode\"");
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

/// Requires a string in one of the parts of a question.
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
        checker.found_at(&RATING, rating, "name", "there is no string `name`");
    }
    let value = number(checker, rating, "ratingValue");
    let best = number(checker, rating, "bestRating");
    let worst = number(checker, rating, "worstRating");
    if let (Some(value), Some(best), Some(worst)) = (value, best, worst) {
        check_value(checker, rating, value, worst..=best);
    }
    if let (Some(best), Some(worst)) = (best, worst) {
        checker.look(&ORDER);
        if best <= worst {
            let message = format!("`bestRating` is {best}, not above `worstRating`, {worst}");
            checker.found_at(&ORDER, rating, "bestRating", message);
        }
    }
    if let Some(author) = checker.document.get(rating, "author") {
        checker.look(&AUTHOR);
        if !AUTHORS.iter().any(|known| checker.keyed.is_text(author, known)) {
            let why = "not \"Global Rubric\" or \"Question-Specific Rubric\"";
            checker.found_other(&AUTHOR, rating, "author", why);
        }
    }
}

fn check_value(checker: &mut Checker<'_>, rating: TokenId, value: f64, range: RangeInclusive<f64>) {
    checker.look(&IN_RANGE);
    if !range.contains(&value) {
        let message = format!("`ratingValue` is {value}, outside of {} to {}", range.start(), range.end());
        checker.found_at(&IN_RANGE, rating, "ratingValue", message);
    }
    if range == (0.0..=1.0) {
        checker.look(&BOOLEAN);
        if value != 0.0 && value != 1.0 {
            let message = format!("`ratingValue` is {value}, and the trait is boolean: 0 or 1");
            checker.found_at(&BOOLEAN, rating, "ratingValue", message);
        }
    }
}

/// Returns the number of a key, and reports a missing one.
fn number(checker: &mut Checker<'_>, rating: TokenId, key: &'static str) -> Option<f64> {
    let value = checker.document.get(rating, key).and_then(|value| checker.document.number(value));
    let number = value.and_then(|number| number.parse().ok());
    if number.is_none() {
        checker.found_other(&RATING, rating, key, "not a number");
    }
    number
}

fn check_date(checker: &mut Checker<'_>, object: TokenId, key: &'static str) {
    if checker.present(object, key).is_none() {
        return;
    }
    checker.look(&DATE);
    if checker.text(object, key).is_none_or(|text| Timestamp::parse(&text).is_none()) {
        checker.found_other(&DATE, object, key, "no timestamp of ISO 8601");
    }
}

fn check_id(checker: &mut Checker<'_>, object: TokenId, start: &str) {
    if checker.document.get(object, "@id").is_none() {
        return;
    }
    checker.look(&ID);
    let id = checker.text(object, "@id").unwrap_or_default();
    if id.strip_prefix(start).is_none_or(str::is_empty) {
        checker.found_other(&ID, object, "@id", &format!("not `{start}…`"));
    }
}
