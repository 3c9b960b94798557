//! The rules of the specification, 3.0.0-jsonld, for a checkpoint.

use super::checkpoint_checker::CheckpointChecker;
use super::spec_ids;
use super::spec_properties::{self, BooleanTraits, want_type};
use super::spec_table::{
    AUTHOR, BOOLEAN, CONTEXT, DATE, IN_RANGE, ITEM, LIST, ORDER, QUESTION, RATING, ROOT, VERSION,
};
use crate::checking::IsoTimestamp;
use crate::checkpoint::ContextMeaning;
use evalgraph_json::TokenId;
use std::ops::RangeInclusive;

const AUTHORS: [&str; 2] = ["Global Rubric", "Question-Specific Rubric"];

pub(super) fn check(checker: &mut CheckpointChecker<'_>, context: &ContextMeaning) {
    let root = checker.root();
    check_root(checker, root);
    check_context(checker, root, context);
    spec_ids::check_checkpoint(checker, root);
    for key in ["dateCreated", "dateModified"] {
        check_date(checker, root, key);
    }
    spec_properties::check(checker, root);
    let booleans = BooleanTraits::from_root(checker, root);
    // The second edition has global traits at the root.
    check_ratings(checker, root, &booleans);
    checker.look(&LIST);
    let list = checker.document.get(root, "hasPart");
    let Some(items) = list.filter(|&list| checker.document.is_array(list)) else {
        return checker.found_at(&LIST, root, "hasPart", "there is no array `hasPart`");
    };
    for item in checker.document.items(items) {
        check_item(checker, item, &booleans);
    }
}

fn check_root(checker: &mut CheckpointChecker<'_>, root: TokenId) {
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

fn check_context(checker: &mut CheckpointChecker<'_>, root: TokenId, context: &ContextMeaning) {
    let message = match context {
        ContextMeaning::Absent => return,
        ContextMeaning::SchemaOrg => None,
        ContextMeaning::Other(names) => Some(not_of_schema_org(names)),
        ContextMeaning::Fault(why) => Some(format!("the context cannot be used: {why}")),
    };
    checker.look(&CONTEXT);
    if let Some(message) = message {
        checker.found_at(&CONTEXT, root, "@context", message);
    }
}

/// How many names a message lists.
const LISTED: usize = 5;

fn not_of_schema_org(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{}{more} {verb} not schema.org's under this context", quoted.join(", "))
}

fn check_item(checker: &mut CheckpointChecker<'_>, item: TokenId, booleans: &BooleanTraits) {
    checker.look(&LIST);
    if !checker.has_type(item, "DataFeedItem") {
        checker.found_at(&LIST, item, "@type", "the item is not a \"DataFeedItem\"");
    }
    checker.look(&ITEM);
    if checker.present(item, "dateModified").is_none() {
        checker.found(&ITEM, item, Some("dateModified"), None, "`dateModified` is missing");
    }
    spec_ids::check_start(checker, item, "urn:uuid:");
    spec_properties::check(checker, item);
    for key in ["dateCreated", "dateModified"] {
        check_date(checker, item, key);
    }
    let question = checker.document.get(item, "item");
    match question.filter(|&question| checker.has_type(question, "Question")) {
        Some(question) => check_question(checker, item, question, booleans),
        None => checker.found_at(&ITEM, item, "item", "`item` is not a \"Question\""),
    }
}

fn check_question(
    checker: &mut CheckpointChecker<'_>,
    item: TokenId,
    question: TokenId,
    booleans: &BooleanTraits,
) {
    checker.subjects += 1;
    checker.look(&QUESTION);
    spec_ids::check_question(checker, question);
    want_text(checker, question, question, "text");
    let answer = checker.present(question, "acceptedAnswer");
    match answer.filter(|&answer| checker.document.is_object(answer)) {
        Some(answer) => {
            want_text(checker, question, answer, "text");
            want_type(checker, answer, "Answer");
            spec_ids::check_part(checker, item, answer, "urn:uuid:answer-");
        }
        None => {
            let message = "there is no `acceptedAnswer`";
            checker.found(&QUESTION, question, Some("acceptedAnswer"), answer, message);
        }
    }
    check_template(checker, item, question);
    check_ratings(checker, question, booleans);
    spec_properties::check(checker, question);
}

fn check_template(checker: &mut CheckpointChecker<'_>, item: TokenId, question: TokenId) {
    let template = checker.document.get(question, "hasPart");
    let Some(template) = template.filter(|&template| checker.has_type(template, "SoftwareSourceCode")) else {
        return checker.found_at(&QUESTION, question, "hasPart", "`hasPart` is not a \"SoftwareSourceCode\"");
    };
    spec_ids::check_part(checker, item, template, "urn:uuid:template-");
    want_text(checker, question, template, "text");
    let language = checker.document.get(template, "programmingLanguage");
    if !language.is_some_and(|language| checker.keyed.is_text(language, "Python")) {
        let message = "`programmingLanguage` of the template is not \"Python\"";
        let place = language.or(Some(template));
        checker.found(&QUESTION, question, Some("programmingLanguage"), place, message);
    }
}

/// Requires a string in one of the parts of a question.
fn want_text(checker: &mut CheckpointChecker<'_>, question: TokenId, part: TokenId, key: &'static str) {
    if checker.text(part, key).is_none() {
        let value = checker.document.get(part, key).or_else(|| (part != question).then_some(part));
        checker.found(&QUESTION, question, Some(key), value, format!("there is no string `{key}`"));
    }
}

fn check_ratings(checker: &mut CheckpointChecker<'_>, owner: TokenId, booleans: &BooleanTraits) {
    let Some(ratings) = checker.document.get(owner, "rating") else { return };
    for rating in checker.keyed.each(ratings) {
        check_rating(checker, rating);
        booleans.check(checker, rating);
    }
}

fn check_rating(checker: &mut CheckpointChecker<'_>, rating: TokenId) {
    checker.look(&RATING);
    want_type(checker, rating, "Rating");
    spec_ids::check_rating(checker, rating);
    spec_properties::check(checker, rating);
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

fn check_value(checker: &mut CheckpointChecker<'_>, rating: TokenId, value: f64, range: RangeInclusive<f64>) {
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

/// Returns the number under a key, and reports a missing one.
fn number(checker: &mut CheckpointChecker<'_>, rating: TokenId, key: &'static str) -> Option<f64> {
    let value = checker.document.get(rating, key).and_then(|value| checker.document.number(value));
    let number = value.and_then(|number| number.parse().ok());
    if number.is_none() {
        checker.found_other(&RATING, rating, key, "not a number");
    }
    number
}

fn check_date(checker: &mut CheckpointChecker<'_>, object: TokenId, key: &'static str) {
    if checker.present(object, key).is_none() {
        return;
    }
    checker.look(&DATE);
    if checker.text(object, key).is_none_or(|text| IsoTimestamp::parse(&text).is_none()) {
        checker.found_other(&DATE, object, key, "not an ISO 8601 timestamp");
    }
}
