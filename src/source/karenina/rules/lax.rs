//! Scalars as Pydantic reads them in its lax mode: a number may be spelled as a string, and `yes` is true.
//! The library reads with Python's `json`, so that a number with a point or an exponent is a float.

use crate::json::{Document, Kind, TokenId};

/// The number that a value is, or spells.
pub(super) fn number(document: &Document, value: TokenId) -> Option<f64> {
    match document.kind(value) {
        Kind::Number => document.number(value)?.parse().ok(),
        Kind::True => Some(1.0),
        Kind::False => Some(0.0),
        _ => text_of(document, value).and_then(|text| spelled(text.trim(), |text| text.parse().ok())),
    }
}

/// The integer that a value is, or spells; as a float, because it is only compared.
pub(super) fn integer(document: &Document, value: TokenId) -> Option<f64> {
    let Some(text) = text_of(document, value) else {
        let is_integer = document.number(value).is_none_or(|text| !text.contains(['.', 'e', 'E']));
        // A float has to fit an integer of 64 bits.
        let fits = |number: &f64| is_integer || (number.fract() == 0.0 && number.abs() < i64::MAX as f64);
        return number(document, value).filter(fits);
    };
    let text = text.trim();
    let whole = match text.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
        _ => text,
    };
    let is_integer = |text: &str| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    spelled(whole, |text| if is_integer(text) { text.parse().ok() } else { None })
}

/// The boolean that a value is, or spells.
pub(super) fn boolean(document: &Document, value: TokenId) -> Option<bool> {
    match document.kind(value) {
        Kind::True => return Some(true),
        Kind::False => return Some(false),
        _ => {}
    }
    let Some(text) = text_of(document, value) else {
        let number: f64 = document.number(value)?.parse().ok()?;
        return (number == 0.0 || number == 1.0).then_some(number == 1.0);
    };
    match text.to_ascii_lowercase().as_str() {
        "1" | "on" | "t" | "true" | "y" | "yes" => Some(true),
        "0" | "off" | "f" | "false" | "n" | "no" => Some(false),
        _ => None,
    }
}

/// The text of a string; none for other values.
pub(super) fn text_of(document: &Document, value: TokenId) -> Option<String> {
    let text = document.is_string(value).then(|| document.string(value)).flatten();
    text.map(std::borrow::Cow::into_owned)
}

/// Parses as it stands or without the underscores between digits.
fn spelled(text: &str, parse: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let grouped =
        text.contains('_') && !text.starts_with('_') && !text.ends_with('_') && !text.contains("__");
    parse(text).or_else(|| if grouped { parse(&text.replace('_', "")) } else { None })
}
