//! Traits as the user interface makes them from ratings. It converts ratings of four types, each with its own
//! requirements, and refuses the whole file if one rating fails them.

use super::checkpoint_checker::CheckpointChecker;
use crate::checking::schema::listed;
use crate::checking::{FormatRule, violation};
use evalgraph_json::{JsonKind, TokenId};

pub(super) const LISTS: FormatRule = violation("K-G10", "properties and traits must be in arrays of objects");
pub(super) const TRAIT: FormatRule =
    violation("K-G11", "a trait must have the fields that the user interface converts");

/// The modes of a metric that the interface's reader accepts. It refuses `full_matrix`, which its own writer and the
/// library use.
const EVALUATION_MODES: [&str; 3] = ["tp_only", "tn_only", "tp_and_tn"];

/// Checks the traits of the checkpoint or of a question. Returns whether the interface converts any of them.
pub(super) fn check_rubric(checker: &mut CheckpointChecker<'_>, owner: TokenId, start: &str) -> bool {
    let document = checker.document;
    let Some(ratings) = checker.present(owner, "rating") else { return false };
    if !document.is_array(ratings) {
        // The interface treats a value without a length as a missing list.
        if document.is_string(ratings) && document.raw(ratings) != "\"\"" {
            checker.found_other(&LISTS, owner, "rating", "not an array");
        }
        return false;
    }
    let mut has_traits = false;
    for rating in document.items(ratings) {
        if document.kind(rating) == JsonKind::Null {
            checker.found(&LISTS, owner, Some("rating"), Some(rating), "a trait is null");
            continue;
        }
        let name = checker.text(rating, "additionalType");
        let Some(stem) = name.as_deref().and_then(|name| name.strip_prefix(start)) else { continue };
        let check: fn(&mut CheckpointChecker<'_>, TokenId) -> Result<(), InterfaceRefusal> = match stem {
            "RubricTrait" => check_judged,
            "RegexTrait" => check_regex,
            "CallableTrait" => check_callable,
            "MetricRubricTrait" if start != "Global" => check_metric,
            _ => continue,
        };
        has_traits = true;
        checker.look(&TRAIT);
        check_name(checker, rating);
        // An unreadable list has already been reported.
        let _ = check(checker, rating);
    }
    has_traits
}

/// A list at which the interface stops reading.
pub(super) struct InterfaceRefusal;

/// Returns the value of the first property with that name, as the interface finds it. The interface stops at a null
/// element, and at a list that is not an array.
pub(super) fn property(
    checker: &mut CheckpointChecker<'_>,
    owner: TokenId,
    name: &str,
) -> Result<Option<TokenId>, InterfaceRefusal> {
    let document = checker.document;
    let Some(list) = checker.present(owner, "additionalProperty") else { return Ok(None) };
    if !document.is_array(list) {
        checker.found_other(&LISTS, owner, "additionalProperty", "not an array");
        return Err(InterfaceRefusal);
    }
    for element in document.items(list) {
        if document.kind(element) == JsonKind::Null {
            checker.found(&LISTS, owner, Some("additionalProperty"), Some(element), "a property is null");
            return Err(InterfaceRefusal);
        }
        if checker.text(element, "name").is_some_and(|found| found == name) {
            return Ok(document.get(element, "value"));
        }
    }
    Ok(None)
}

fn check_name(checker: &mut CheckpointChecker<'_>, rating: TokenId) {
    let is_blank =
        |character: char| character == '\u{feff}' || character.is_whitespace() && character != '\u{85}';
    let has_name = checker.text(rating, "name").is_some_and(|name| !name.chars().all(is_blank));
    if !has_name {
        checker.found_at(&TRAIT, rating, "name", "the trait has no `name`, or a blank one");
    }
}

fn check_judged(checker: &mut CheckpointChecker<'_>, rating: TokenId) -> Result<(), InterfaceRefusal> {
    let document = checker.document;
    let number = |key| -> Option<f64> { document.number(document.get(rating, key)?)?.parse().ok() };
    match (number("bestRating"), number("worstRating")) {
        (Some(best), Some(worst)) if worst >= best => {
            let message = format!("`worstRating` is {worst}, not below `bestRating`, {best}");
            checker.found_at(&TRAIT, rating, "bestRating", message);
        }
        (Some(_), Some(_)) => {}
        // Another rule covers the traits of questions.
        _ if !checker.text(rating, "additionalType").is_some_and(|name| name.starts_with("Global")) => {}
        _ => {
            let message = "`bestRating` and `worstRating` of the trait are not both numbers";
            checker.found_at(&TRAIT, rating, "bestRating", message);
        }
    }
    Ok(())
}

/// Checks that a property is present and truthy in JavaScript.
fn check_truthy(
    checker: &mut CheckpointChecker<'_>,
    rating: TokenId,
    name: &'static str,
) -> Result<(), InterfaceRefusal> {
    let value = property(checker, rating, name)?;
    if !value.is_some_and(|value| is_truthy(checker, value)) {
        let message = format!("the trait has no `{name}`, or an empty one");
        checker.found(&TRAIT, rating, Some(name), value, message);
    }
    Ok(())
}

fn check_one_of(
    checker: &mut CheckpointChecker<'_>,
    rating: TokenId,
    name: &'static str,
    allowed: &[&str],
) -> Result<(), InterfaceRefusal> {
    let value = property(checker, rating, name)?;
    let is_allowed = |value: TokenId| allowed.iter().any(|text| checker.keyed.is_text(value, text));
    if !value.is_some_and(is_allowed) {
        let shown = value.map_or("missing".to_owned(), |value| checker.show(value));
        let message = format!("`{name}` is {shown}: the user interface accepts {}", listed(allowed));
        checker.found(&TRAIT, rating, Some(name), value, message);
    }
    Ok(())
}

/// Checks that a property is an array, and returns the array.
fn check_array(
    checker: &mut CheckpointChecker<'_>,
    rating: TokenId,
    name: &'static str,
) -> Result<Option<TokenId>, InterfaceRefusal> {
    let value = property(checker, rating, name)?;
    let array = value.filter(|&value| checker.document.is_array(value));
    if array.is_none() {
        checker.found(&TRAIT, rating, Some(name), value, format!("the metric has no array `{name}`"));
    }
    Ok(array)
}

fn check_regex(checker: &mut CheckpointChecker<'_>, rating: TokenId) -> Result<(), InterfaceRefusal> {
    check_truthy(checker, rating, "pattern")?;
    property(checker, rating, "case_sensitive")?;
    property(checker, rating, "invert_result")?;
    Ok(())
}

fn check_callable(checker: &mut CheckpointChecker<'_>, rating: TokenId) -> Result<(), InterfaceRefusal> {
    check_truthy(checker, rating, "callable_code")?;
    check_one_of(checker, rating, "kind", &["boolean", "score"])?;
    for name in ["min_score", "max_score", "invert_result"] {
        property(checker, rating, name)?;
    }
    Ok(())
}

fn check_metric(checker: &mut CheckpointChecker<'_>, rating: TokenId) -> Result<(), InterfaceRefusal> {
    check_one_of(checker, rating, "evaluation_mode", &EVALUATION_MODES)?;
    let metrics = check_array(checker, rating, "metrics")?;
    if metrics.is_some_and(|metrics| checker.document.items(metrics).next().is_none()) {
        checker.found(&TRAIT, rating, Some("metrics"), metrics, "`metrics` names no metric");
    }
    check_array(checker, rating, "tp_instructions")?;
    for name in ["tn_instructions", "repeated_extraction"] {
        property(checker, rating, name)?;
    }
    Ok(())
}

/// Returns whether a value is truthy in JavaScript.
pub(super) fn is_truthy(checker: &CheckpointChecker<'_>, value: TokenId) -> bool {
    match checker.document.kind(value) {
        JsonKind::Null | JsonKind::False => false,
        JsonKind::Number => checker.keyed.number(value) != Some(0.0),
        JsonKind::String | JsonKind::EscapedString => checker.document.raw(value) != "\"\"",
        _ => true,
    }
}
