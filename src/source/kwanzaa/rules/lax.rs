//! Values as Pydantic reads them in its lax mode: numbers, dates and truth may be spelled in other ways
//! than JSON's own. The spellings are those of version 2.5.3, which the program names; later ones take
//! blanks around numbers and days without a time, too.

use crate::json::{Document, Kind, TokenId};
use crate::source::karenina::rules::Timestamp;
use crate::source::kwanzaa::samples::number as number_of;
use chrono::Timelike as _;
use std::borrow::Cow;

/// More seconds than these are milliseconds.
const MOST_SECONDS: f64 = 2e10;
/// The milliseconds from 1970 to before the year 1 and to the year 10000.
const BEFORE: f64 = -62_135_596_800_000.0;
const BEHIND: f64 = 253_402_300_800_000.0;
/// Floats beyond this are no whole numbers: they do not fit into 64 bits.
const MOST_WHOLE: f64 = 9_223_372_036_854_775_808.0;

fn text(document: &Document, value: TokenId) -> Option<Cow<'_, str>> {
    document.is_string(value).then(|| document.string(value)).flatten()
}

/// A number, a text with one or a truth value.
pub(super) fn number(document: &Document, value: TokenId) -> Option<f64> {
    match document.kind(value) {
        Kind::True => Some(1.0),
        Kind::False => Some(0.0),
        _ => match text(document, value) {
            Some(text) => without_underscores(&text)?.parse().ok(),
            None => number_of(document, value),
        },
    }
}

/// A number without a fraction, a text of digits, perhaps with zeros behind a point, or a truth value.
pub(super) fn integer(document: &Document, value: TokenId) -> Option<f64> {
    if let Some(text) = text(document, value) {
        return integer_of(&text);
    }
    let number = number(document, value).filter(|number| number.fract() == 0.0)?;
    let is_float = document.number(value).is_some_and(|text| text.contains(['.', 'e', 'E']));
    (!is_float || number.abs() < MOST_WHOLE).then_some(number)
}

fn integer_of(text: &str) -> Option<f64> {
    let without_underscores = without_underscores(text)?;
    let (whole, zeros) = match text.split_once('.') {
        Some(parts) => parts,
        None => (&*without_underscores, ""),
    };
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_whole && zeros.bytes().all(|byte| byte == b'0')).then(|| whole.parse().ok()).flatten()
}

/// A text without the single underscores inside of it; none where there are others.
fn without_underscores(text: &str) -> Option<Cow<'_, str>> {
    let is_wrong = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    if text.contains('_') {
        return (!is_wrong).then(|| Cow::Owned(text.replace('_', "")));
    }
    Some(Cow::Borrowed(text))
}

/// True or false in any of the spellings; 0 or 1.
pub(super) fn is_boolean(document: &Document, value: TokenId) -> bool {
    const WORDS: [&str; 12] = ["0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"];
    match document.kind(value) {
        Kind::True | Kind::False => true,
        _ => match text(document, value) {
            Some(text) => WORDS.contains(&text.to_ascii_lowercase().as_str()),
            None => number_of(document, value).is_some_and(|number| number == 0.0 || number == 1.0),
        },
    }
}

/// A date with a time, or seconds or milliseconds since 1970, as a number or a text.
pub(super) fn is_date_time(document: &Document, value: TokenId) -> bool {
    match text(document, value) {
        Some(text) => is_date_time_text(&text) || seconds(&text).is_some_and(is_moment),
        None => number_of(document, value).is_some_and(is_moment),
    }
}

fn is_moment(number: f64) -> bool {
    let milliseconds = if number.abs() > MOST_SECONDS { number } else { number * 1000.0 };
    BEFORE < milliseconds && milliseconds < BEHIND
}

/// Digits with a sign before and a fraction behind them.
fn seconds(text: &str) -> Option<f64> {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = digits.starts_with(|first: char| first.is_ascii_digit());
    (begins && digits.bytes().all(is_part)).then(|| text.parse().ok()).flatten()
}

fn is_date_time_text(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let Some(time) = rest.strip_prefix(['T', 't', ' ', '_']) else { return false };
    let time = time.replace('\u{2212}', "-").replace('z', "Z");
    // A zone has its minutes.
    let zone = time.find(['+', '-']).map_or("", |at| &time[at..]);
    let has_minutes = zone.is_empty() || zone.len() >= 5;
    let time = Timestamp::parse(&format!("{date}T{time}"));
    let Some(Timestamp::Naive(moment) | Timestamp::Zoned(moment, _)) = time else { return false };
    // Python has no leap seconds; chrono counts them as a second more of the one before.
    let is_leap = moment.nanosecond() >= 1_000_000_000;
    !is_leap && has_minutes && !date.starts_with("0000")
}

/// Null, false, zero, an empty text, array or object.
pub(super) fn is_empty(document: &Document, value: TokenId) -> bool {
    match document.kind(value) {
        Kind::Null | Kind::False => true,
        Kind::True => false,
        _ if document.is_array(value) => document.items(value).next().is_none(),
        _ if document.is_object(value) => document.members(value).next().is_none(),
        _ => match text(document, value) {
            Some(text) => text.is_empty(),
            None => number_of(document, value) == Some(0.0),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, parse};

    /// The values of an array that fit.
    fn fitting(values: &str, fits: impl Fn(&Document, TokenId) -> bool) -> Vec<usize> {
        let document = parse("values.json", values.to_owned(), Limits::default()).expect("well-formed");
        let values: Vec<TokenId> = document.items(document.root()).collect();
        (0..values.len()).filter(|&at| fits(&document, values[at])).collect()
    }

    fn none_of(values: &str, fits: impl Fn(&Document, TokenId) -> bool) {
        assert_eq!(fitting(values, fits), Vec::<usize>::new(), "{values}");
    }

    fn all_of(values: &str, fits: impl Fn(&Document, TokenId) -> bool) {
        let count = parse("values.json", values.to_owned(), Limits::default()).expect("well-formed");
        let count = count.items(count.root()).count();
        assert_eq!(fitting(values, fits), (0..count).collect::<Vec<_>>(), "{values}");
    }

    #[test]
    fn whole_numbers_are_read_as_pydantic_does() {
        let fits = |document: &Document, value| integer(document, value).is_some();
        all_of(r#"[true, 1.0, "1", "1.0", "1.", "1_0", "-1_0", "+1", "-0", "01", 1e2]"#, fits);
        none_of(
            r#"[1.5, "1e3", "", ".0", "1.50", "1_000.0", "1.0_0", " 1 ", "7\n", 1e20, 9223372036854775807.0, "0x1",
                "--1", "1__0", "_1", "1_", "+", null, []]"#,
            fits,
        );
    }

    #[test]
    fn numbers_are_read_as_pydantic_does() {
        let fits = |document: &Document, value| number(document, value).is_some();
        all_of(
            r#"[true, "0.5", "1_0.5", "nan", "inf", "-inf", "1e-1", ".5", "5.", "+0.5", "0_1", "0._5"]"#,
            fits,
        );
        none_of(r#"[" 0.5 ", "_0.5", ".", "0x1", "", "1e", "0.5f", null, {}, "1__0"]"#, fits);
    }

    #[test]
    fn truth_is_read_as_pydantic_does() {
        all_of(r#"[true, 0, 1.0, 0.0, "TRUE", "t", "yes", "Y", "on", "off", "n", "1", "F"]"#, is_boolean);
        none_of(r#"[2, 0.5, "1.0", " true ", "", "oui", null, []]"#, is_boolean);
    }

    #[test]
    fn dates_are_read_as_pydantic_does() {
        all_of(
            r#"["2026-01-31T09:00", "2026-01-31 09:00:00", "2026-01-31t09:00:00z",
                "2026-01-31_09:00:00Z", "2026-01-31T09:00:00+0100", "2026-01-31T09:00:00,5Z", "20260131",
                0, 1.5, -1, "1700000000000", "1.5", "-5", "+5", "5.", 253402300799999, -62135596801]"#,
            is_date_time,
        );
        none_of(
            r#"["2026-01-31", "2026-01-31T09:00:00+01", "2026-02-30T09:00:00Z", "2026-01-31T24:00:00Z", "now", "", "1e5",
                "2026-01-31T23:59:60Z", "20260131T090000", "2026-1-31", true, 1e20, "2026-01", " 5", "nan",
                "2026-01-31T09", "0000-01-01T09:00:00Z", ".5", "5.5.5", -62135596800000, "2026-01-31T09:00:00+24:00", 253402300800000, null, []]"#,
            is_date_time,
        );
    }

    #[test]
    fn nothing_is_what_python_takes_for_false() {
        all_of(r#"[null, false, 0, 0.0, "", [], {}]"#, is_empty);
        none_of(r#"[true, 1, "0", [0], {"a": 0}]"#, is_empty);
    }
}
