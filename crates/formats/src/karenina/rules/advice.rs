//! Advice that none of Karenina's programs gives: names and ids that clash, questions that are finished but incomplete,
//! values that change on loading.
//!
//! Advice is not about rule violations. It is given for every file, whatever the profile.

use super::checkpoint_checker::CheckpointChecker;
use crate::checking::schema::FieldPlace;
use crate::checking::{FormatRule, IsoTimestamp, info, rules, warning};
use crate::checkpoint::CheckpointProfile;
use crate::checkpoint::checkpoint_keys::CheckpointKey;
use crate::checkpoint::identifiers::interface_rating_id;
use crate::checkpoint::template::{TemplateState, state};
use evalgraph_json::{JsonKind, TokenId};
use evalgraph_rdf::iri::is_iri;
use hashbrown::HashMap;

rules! {
    RULES:
    ITEM_ID = warning("K-X1", "two items should not share one `@id`");
    TEXT = info("K-X2", "two questions should not share one text");
    FINISHED = warning("K-X3", "a finished question should have its own template");
    TRAIT_NAME = warning("K-X4", "two traits of a question, or of the checkpoint, should not share one name");
    DOT = warning("K-X5", "the name of an agentic trait should not have a dot");
    CLASS_ORDER = warning("K-X6", "JavaScript should keep the order of classes, which is their score");
    CALLABLE = info("K-X7", "no callable should have code: the library would run it when it is used");
    RATING_ID = warning("K-X8", "two ratings should not share one `@id`");
    IRI = warning("K-X9", "an `@id` should be an absolute IRI");
    DATE = warning("K-X10", "timestamps should be in ISO 8601");
    ZONE = warning("K-X11", "timestamps should say their time zone");
    ZERO_ONE = info("K-X12", "no score should run from 0 to 1: it is read back as a boolean");
    RANGE = warning("K-X13", "`bestRating` should not be below `worstRating`");
    PATTERN = warning("K-X14", "a regex trait should have a pattern");
}

/// The texts seen so far, each with the place where it was first seen.
type SeenTexts = HashMap<String, TokenId>;

/// The names and ids that have to be distinct within the document.
#[derive(Default)]
struct DistinctNames {
    items: SeenTexts,
    texts: SeenTexts,
    ratings: SeenTexts,
}

pub(super) fn check(checker: &mut CheckpointChecker<'_>) {
    let root = checker.root();
    let mut distinct = DistinctNames::default();
    check_iri(checker, root);
    check_dates(checker, root);
    check_ratings(checker, root, &mut distinct);
    for key in ["dataFeedElement", "hasPart"] {
        let Some(list) = checker.document.get(root, key) else { continue };
        for entry in checker.document.items(list) {
            check_entry(checker, entry, &mut distinct);
        }
    }
}

fn check_entry(checker: &mut CheckpointChecker<'_>, entry: TokenId, distinct: &mut DistinctNames) {
    let direct = checker.keyed.is_a(entry, "Question");
    if !direct && !checker.keyed.is_a(entry, "DataFeedItem") {
        return;
    }
    check_iri(checker, entry);
    check_dates(checker, entry);
    if let Some(id) = checker.document.get(entry, "@id") {
        let text = checker.document.string(id).unwrap_or_default().into_owned();
        let message = |id| format!("another item has the id {id}");
        let spot = FieldPlace { object: entry, key: "@id" };
        check_repeated(checker, &ITEM_ID, &mut distinct.items, text, spot, message);
    }
    let question = if direct { Some(entry) } else { checker.document.get(entry, "item") };
    if let Some(question) = question.filter(|&question| checker.document.is_object(question)) {
        check_question(checker, entry, question, distinct);
    }
}

fn check_question(
    checker: &mut CheckpointChecker<'_>,
    entry: TokenId,
    question: TokenId,
    distinct: &mut DistinctNames,
) {
    if entry != question {
        check_iri(checker, question);
    }
    for key in ["acceptedAnswer", "hasPart"] {
        if let Some(part) = checker.document.get(question, key) {
            check_iri(checker, part);
        }
    }
    let key = if checker.document.get(question, "text").is_some() { "text" } else { "name" };
    let text = checker.text(question, key).unwrap_or_default();
    if !text.is_empty() {
        let message = |_| "another question has the same text".to_owned();
        let spot = FieldPlace { object: question, key };
        check_repeated(checker, &TEXT, &mut distinct.texts, text.to_string(), spot, message);
    }
    check_finished(checker, entry, question, &text);
    check_ratings(checker, question, distinct);
}

fn check_finished(checker: &mut CheckpointChecker<'_>, entry: TokenId, question: TokenId, text: &str) {
    let keyed = checker.keyed;
    let finished = [question, entry].into_iter().find_map(|object| {
        let value = keyed.property(keyed.get(object, CheckpointKey::AdditionalProperty)?, "finished")?;
        (checker.document.kind(value) == JsonKind::True).then_some(value)
    });
    let Some(finished) = finished else { return };
    checker.look(&FINISHED);
    let template = checker.document.get(question, "hasPart");
    let code = template.and_then(|template| checker.text(template, "text"));
    let code = code.or_else(|| checker.text(question, "answerTemplate"));
    let found = match state(code.as_deref().unwrap_or_default(), text) {
        TemplateState::Written => return,
        TemplateState::DefaultStub => "the question is finished, and its template is the default stub",
        TemplateState::Empty => "the question is finished, and its template is empty",
    };
    checker.found(&FINISHED, question, Some("finished"), Some(finished), found);
}

fn check_ratings(checker: &mut CheckpointChecker<'_>, owner: TokenId, distinct: &mut DistinctNames) {
    let Some(ratings) = checker.document.get(owner, "rating") else { return };
    let mut names = SeenTexts::default();
    for rating in checker.keyed.each(ratings) {
        if checker.document.is_object(rating) {
            check_rating_id(checker, rating, distinct);
            check_trait_name(checker, rating, &mut names);
            check_trait(checker, rating);
        }
    }
}

fn check_rating_id(checker: &mut CheckpointChecker<'_>, rating: TokenId, distinct: &mut DistinctNames) {
    check_iri(checker, rating);
    let Some(id) = checker.document.get(rating, "@id") else { return };
    let text = checker.document.string(id).unwrap_or_default().into_owned();
    let by_name = checker.text(rating, "name").is_some_and(|name| interface_rating_id(&name) == text);
    let why = if by_name { ": the user interface makes it from the name only" } else { "" };
    let message = |id| format!("another rating has the id {id}{why}");
    let spot = FieldPlace { object: rating, key: "@id" };
    check_repeated(checker, &RATING_ID, &mut distinct.ratings, text, spot, message);
}

fn check_trait_name(checker: &mut CheckpointChecker<'_>, rating: TokenId, names: &mut SeenTexts) {
    let Some(name) = checker.text(rating, "name") else { return };
    // The library has its own rule for names.
    if checker.profile == CheckpointProfile::Library {
        return;
    }
    // The specification copies global traits onto each question, where one of the question's traits may have the same
    // name.
    let author = checker.text(rating, "author").unwrap_or_default();
    let message = |name| format!("another trait here has the name {name}");
    let spot = FieldPlace { object: rating, key: "name" };
    check_repeated(checker, &TRAIT_NAME, names, format!("{author}\u{0}{name}"), spot, message);
}

fn check_trait(checker: &mut CheckpointChecker<'_>, rating: TokenId) {
    let type_name = checker.text(rating, "additionalType").unwrap_or_default();
    if type_name.ends_with("AgenticRubricTrait") && checker.profile != CheckpointProfile::Library {
        checker.look(&DOT);
        if checker.text(rating, "name").is_some_and(|name| name.contains('.')) {
            let message = "the name of an agentic trait has a dot, which results use to name its parts";
            checker.found_at(&DOT, rating, "name", message);
        }
    }
    check_range(checker, rating, &type_name);
    let keyed = checker.keyed;
    let properties = keyed.get(rating, CheckpointKey::AdditionalProperty);
    let property = |name: &str| properties.and_then(|properties| keyed.property(properties, name));
    if let Some(classes) = property("classes").filter(|&classes| checker.document.is_object(classes)) {
        check_class_order(checker, rating, classes);
    }
    if type_name.ends_with("CallableTrait") {
        checker.look(&CALLABLE);
        if let Some(code) = property("callable_code") {
            let message =
                "the trait contains code that the library runs: use it only if you trust its source";
            checker.found(&CALLABLE, rating, Some("callable_code"), Some(code), message);
        }
    } else if type_name.ends_with("RegexTrait") {
        checker.look(&PATTERN);
        let pattern = property("pattern");
        if pattern.is_none_or(|pattern| keyed.is_text(pattern, "")) {
            let message =
                "the trait has no `pattern`: the library uses an empty pattern, which matches every text";
            checker.found(&PATTERN, rating, Some("pattern"), pattern, message);
        }
    }
    let least = property("min_score").and_then(|value| keyed.number(value));
    let most = property("max_score").and_then(|value| keyed.number(value));
    if type_name.ends_with("RubricTrait") && (least, most) == (Some(0.0), Some(1.0)) {
        let message = "a score from 0 to 1 is read back as boolean";
        checker.found(&ZERO_ONE, rating, Some("max_score"), property("max_score"), message);
    }
}

fn check_range(checker: &mut CheckpointChecker<'_>, rating: TokenId, type_name: &str) {
    let number = |key| checker.keyed.number(checker.document.get(rating, key)?);
    let (Some(best), Some(worst)) = (number("bestRating"), number("worstRating")) else { return };
    if type_name.ends_with("RubricTrait") {
        checker.look(&ZERO_ONE);
    }
    // The specification has its own rule for ranges.
    if checker.profile == CheckpointProfile::Spec {
        return;
    }
    checker.look(&RANGE);
    if best < worst {
        let message = format!("`bestRating` is {best}, below `worstRating`, {worst}");
        checker.found_at(&RANGE, rating, "bestRating", message);
    }
}

/// Checks class names: JavaScript puts keys that are whole numbers first, in ascending order.
fn check_class_order(checker: &mut CheckpointChecker<'_>, rating: TokenId, classes: TokenId) {
    checker.look(&CLASS_ORDER);
    let document = checker.document;
    let index = |text: &str| {
        let number: Option<u32> = text.parse().ok().filter(|&number| number < u32::MAX);
        number.filter(|number| number.to_string() == text)
    };
    let keys: Vec<Option<u32>> =
        document.members(classes).map(|member| index(document.symbol_text(member.symbol))).collect();
    let order = |key: &Option<u32>| key.map_or(u64::MAX, u64::from);
    if !keys.is_sorted_by_key(order) {
        let message = "some classes have numbers as names: in the user interface these come first, in ascending \
                       order, and the order is the score";
        checker.found(&CLASS_ORDER, rating, Some("classes"), Some(classes), message);
    }
}

fn check_iri(checker: &mut CheckpointChecker<'_>, object: TokenId) {
    let Some(id) = checker.document.get(object, "@id") else { return };
    checker.look(&IRI);
    if !checker.document.string(id).is_some_and(|id| is_iri(&id)) {
        let shown = checker.show(id);
        let message = format!(
            "{shown} is not an absolute IRI: other programs drop the node, or make another id from it"
        );
        checker.found_at(&IRI, object, "@id", message);
    }
}

fn check_dates(checker: &mut CheckpointChecker<'_>, object: TokenId) {
    for key in ["dateCreated", "dateModified"] {
        if checker.present(object, key).is_none() {
            continue;
        }
        let timestamp = checker.text(object, key).and_then(|text| IsoTimestamp::parse(&text));
        // The specification has its own rule for dates that are not timestamps.
        if checker.profile != CheckpointProfile::Spec {
            checker.look(&DATE);
            if timestamp.is_none() {
                checker.found_other(&DATE, object, key, "not an ISO 8601 timestamp");
            }
        }
        // The Python library writes no time zone, and must not be given one.
        if checker.profile != CheckpointProfile::Library {
            checker.look(&ZONE);
            if let Some(IsoTimestamp::Naive(_)) = timestamp {
                checker.found_other(&ZONE, object, key, "which has no time zone");
            }
        }
    }
}

/// Records a text, and reports the value at the given key if its text was seen before.
fn check_repeated(
    checker: &mut CheckpointChecker<'_>,
    rule: &FormatRule,
    seen: &mut SeenTexts,
    text: String,
    FieldPlace { object, key }: FieldPlace,
    message: impl FnOnce(String) -> String,
) {
    checker.look(rule);
    let Some(value) = checker.document.get(object, key) else { return };
    let first = *seen.entry(text).or_insert(value);
    if first != value {
        let message = message(checker.show(value));
        checker.found_at(rule, object, key, message);
        checker.relate(first, "the first");
    }
}
