//! Rules K-S14 to K-S17: property values have their members, the standard properties have the values that the
//! specification defines (section "PropertyValue"), and ratings agree with the traits that they name.

use super::checkpoint_checker::CheckpointChecker;
use super::spec_table::{MEMBERS, OTHER_RANGE, PROPERTY, ZERO_ONE};
use crate::checkpoint::checkpoint_keys::{CheckpointKey, value_object};
use evalgraph_json::{JsonDocument, JsonKind, Limits, TokenId, parse};
use hashbrown::HashSet;

const TRAITS: &str = "global_rubric_traits";

/// Requires the `@type` of a part for which the specification defines a single class.
pub(super) fn want_type(checker: &mut CheckpointChecker<'_>, part: TokenId, class: &'static str) {
    checker.look(&MEMBERS);
    if !checker.has_type(part, class) {
        checker.found_at(&MEMBERS, part, "@type", format!("`@type` is not \"{class}\""));
    }
}

/// Checks the `additionalProperty` of an object.
pub(super) fn check(checker: &mut CheckpointChecker<'_>, owner: TokenId) {
    let Some(properties) = checker.keyed.get(owner, CheckpointKey::AdditionalProperty) else { return };
    for property in checker.keyed.each(properties) {
        if checker.document.is_object(property) {
            check_members(checker, property);
            check_standard(checker, property);
        } else {
            checker.look(&MEMBERS);
            let message = "a property is not a \"PropertyValue\"";
            checker.found(&MEMBERS, owner, Some("additionalProperty"), Some(property), message);
        }
    }
}

fn check_members(checker: &mut CheckpointChecker<'_>, property: TokenId) {
    want_type(checker, property, "PropertyValue");
    if checker.text(property, "name").is_none() {
        checker.found_other(&MEMBERS, property, "name", "not a string");
    }
    if checker.document.get(property, "value").is_none() {
        checker.found_at(&MEMBERS, property, "value", "`value` is missing");
    }
}

/// Checks the value of a property that the specification names; all others may have any value.
fn check_standard(checker: &mut CheckpointChecker<'_>, property: TokenId) {
    let (Some(name), Some(value)) = (checker.text(property, "name"), checker.document.get(property, "value"))
    else {
        return;
    };
    let value = value_object(checker.document, value).unwrap_or(value);
    let fault = match name.as_ref() {
        "finished" => wrong_finished(checker, value),
        "original_answer_template" => wrong_text(checker, value),
        "checkpoint_format_version" => wrong_version(checker, value),
        "conversion_metadata" => inner(checker, value).err(),
        TRAITS => inner(checker, value).map_or_else(Some, |traits| wrong_traits(&traits)),
        _ => return,
    };
    checker.look(&PROPERTY);
    if let Some(fault) = fault {
        checker.found(&PROPERTY, property, Some("value"), Some(value), format!("`{name}` {fault}"));
    }
}

fn wrong_finished(checker: &CheckpointChecker<'_>, value: TokenId) -> Option<String> {
    let is_boolean = matches!(checker.document.kind(value), JsonKind::True | JsonKind::False);
    (!is_boolean).then(|| format!("is {}, not a boolean", checker.show(value)))
}

fn wrong_text(checker: &CheckpointChecker<'_>, value: TokenId) -> Option<String> {
    (!checker.document.is_string(value)).then(|| format!("is {}, not a string", checker.show(value)))
}

fn wrong_version(checker: &CheckpointChecker<'_>, value: TokenId) -> Option<String> {
    const VERSION: &str = "3.0.0-jsonld";
    let is_it = checker.keyed.is_text(value, VERSION);
    (!is_it).then(|| format!("is {}, not \"{VERSION}\"", checker.show(value)))
}

/// Parses the JSON in a string, or returns why that fails.
fn inner(checker: &CheckpointChecker<'_>, value: TokenId) -> Result<JsonDocument, String> {
    let Some(text) = checker.document.string(value) else {
        return Err(format!("is {}, not a string with JSON", checker.show(value)));
    };
    parse("value", text.into_owned(), Limits::default()).map_err(|fault| {
        let place = fault.place.as_deref().map(|place| format!(" at {}:{}", place.line, place.column));
        format!("is not valid JSON: {}{}", fault.message, place.unwrap_or_default())
    })
}

/// Returns why the JSON of `global_rubric_traits` is not a list of traits.
fn wrong_traits(inner: &JsonDocument) -> Option<String> {
    if !inner.is_array(inner.root()) {
        return Some("is not a list of traits".to_owned());
    }
    inner.items(inner.root()).enumerate().find_map(|(at, one)| {
        let text = |key| inner.get(one, key).and_then(|value| inner.string(value));
        let Some(name) = text("name") else {
            return Some(format!("has a trait without a name, number {}", at + 1));
        };
        match text("kind").as_deref() {
            Some("boolean" | "score") => None,
            Some(kind) => {
                Some(format!("has the trait `{name}` of the kind `{kind}`, not `boolean` or `score`"))
            }
            None => Some(format!("has the trait `{name}` without a kind, `boolean` or `score`")),
        }
    })
}

/// The names of the traits that `global_rubric_traits` calls boolean.
pub(super) struct BooleanTraits(HashSet<String>);

impl BooleanTraits {
    pub(super) fn from_root(checker: &CheckpointChecker<'_>, root: TokenId) -> Self {
        let properties = checker.keyed.get(root, CheckpointKey::AdditionalProperty);
        let value = properties.and_then(|properties| checker.keyed.property(properties, TRAITS));
        let Some(traits) = value.and_then(|value| inner(checker, value).ok()) else {
            return Self(HashSet::new());
        };
        let text = |one, key| traits.get(one, key).and_then(|value| traits.string(value));
        let is_boolean = |one: &TokenId| text(*one, "kind").as_deref() == Some("boolean");
        let booleans = traits.items(traits.root()).filter(is_boolean);
        Self(booleans.filter_map(|one| Some(text(one, "name")?.into_owned())).collect())
    }

    /// Checks that the rating of a boolean trait has best 1 and worst 0. A trait of the question may have the same name
    /// and another range, which is worth a note but not wrong.
    pub(super) fn check(&self, checker: &mut CheckpointChecker<'_>, rating: TokenId) {
        let author = checker.document.get(rating, "author");
        let is_own = author.is_some_and(|author| checker.keyed.is_text(author, "Question-Specific Rubric"));
        let rule = if is_own { &OTHER_RANGE } else { &ZERO_ONE };
        checker.look(rule);
        let Some(name) = checker.text(rating, "name").filter(|name| self.0.contains(name.as_ref())) else {
            return;
        };
        for (key, bound) in [("bestRating", 1.0), ("worstRating", 0.0)] {
            let number = checker.document.get(rating, key).and_then(|value| checker.document.number(value));
            let Some(number) = number.and_then(|number| number.parse::<f64>().ok()) else { continue };
            if number != bound {
                let message =
                    format!("`{key}` is {number}, and the global trait `{name}` is boolean: {bound}");
                checker.found_at(rule, rating, key, message);
            }
        }
    }
}
