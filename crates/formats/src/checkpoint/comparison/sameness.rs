//! Decides whether two values mean the same: numbers are compared by value, and objects regardless of the order of
//! their keys, except for classes.

use super::super::model::{PlacedValue, PropertyValue};
use evalgraph_json::{JsonDocument, JsonKind, Limits, TokenId, parse};

/// Default values, which some programs leave out.
const TAKEN_FOR_GRANTED: [(&str, &str); 8] = [
    ("finished", "false"),
    ("deep_judgment_enabled", "false"),
    ("deep_judgment_excerpt_enabled", "false"),
    ("deep_judgment_search_enabled", "false"),
    ("case_sensitive", "true"),
    ("invert_result", "false"),
    ("higher_is_better", "true"),
    ("persist_trace", "false"),
];

/// Returns whether two values mean the same.
pub(super) fn same_json(one: &PlacedValue<'_>, other: &PlacedValue<'_>) -> bool {
    one == other || same_texts(one.as_json(), other.as_json(), false)
}

/// Returns whether two properties of the same name mean the same. `is_across` says that different programs wrote them,
/// so one may leave out a default.
pub(super) fn same_properties(
    one: Option<&PropertyValue<'_>>,
    other: Option<&PropertyValue<'_>>,
    is_across: bool,
) -> bool {
    let text = |property: &PropertyValue<'_>| {
        property.value.as_ref().map_or_else(|| "null".to_owned(), |value| value.as_json().to_owned())
    };
    match (one, other) {
        (Some(one), Some(other)) => {
            let is_ordered = one.name == "classes";
            text(one) == text(other) || same_texts(&text(one), &text(other), is_ordered)
        }
        (Some(property), None) | (None, Some(property)) => {
            let value = text(property);
            let known =
                TAKEN_FOR_GRANTED.iter().any(|(name, usual)| property.name == *name && value == *usual);
            is_across && (property.is_implied || known || value == "null")
        }
        (None, None) => true,
    }
}

fn same_texts(one: &str, other: &str, is_ordered: bool) -> bool {
    let first = |text: &str| text.bytes().next().unwrap_or_default();
    // Strings are compared as text.
    if first(one) == b'"' || first(other) == b'"' {
        return false;
    }
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    let read = |text: &str| parse("a value", text.to_owned(), limits).ok();
    match (read(one), read(other)) {
        (Some(one), Some(other)) => same_values(&one, one.root(), &other, other.root(), is_ordered),
        _ => false,
    }
}

fn same_values(a: &JsonDocument, x: TokenId, b: &JsonDocument, y: TokenId, is_ordered: bool) -> bool {
    match (a.kind(x), b.kind(y)) {
        (JsonKind::Object, JsonKind::Object) => {
            let key = |document: &JsonDocument, symbol| document.symbol_text(symbol).to_owned();
            let (left, right): (Vec<_>, Vec<_>) = (a.members(x).collect(), b.members(y).collect());
            let in_order = left.iter().zip(&right).all(|(l, r)| key(a, l.symbol) == key(b, r.symbol));
            left.len() == right.len()
                && (!is_ordered || in_order)
                && left.iter().all(|member| {
                    let partner = b.get(y, a.symbol_text(member.symbol));
                    partner.is_some_and(|value| same_values(a, member.value, b, value, is_ordered))
                })
        }
        (JsonKind::Array, JsonKind::Array) => {
            let (left, right): (Vec<_>, Vec<_>) = (a.items(x).collect(), b.items(y).collect());
            left.len() == right.len()
                && left.iter().zip(&right).all(|(&x, &y)| same_values(a, x, b, y, is_ordered))
        }
        (JsonKind::Number, JsonKind::Number) => same_numbers(a.raw(x), b.raw(y)),
        _ => match (a.string(x), b.string(y)) {
            (Some(left), Some(right)) => left == right,
            (None, None) => a.kind(x) == b.kind(y),
            _ => false,
        },
    }
}

/// Compares whole numbers digit by digit, because large neighbouring integers are equal as floating-point numbers.
fn same_numbers(one: &str, other: &str) -> bool {
    let is_whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if one == other {
        return true;
    }
    if is_whole(one) && is_whole(other) {
        return false;
    }
    let number = |text: &str| text.parse::<f64>().ok();
    number(one) == number(other)
}
