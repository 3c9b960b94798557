//! The forms of Kwanzaa's strings.
//!
//! For the documents, the formats of JSON Schema count. The shipped code accepts every date that Pydantic 2.5 accepts,
//! even a day without a time. Later versions of Pydantic differ.

use crate::checking::schema::{CoercionMode, NumberBound, SchemaFieldType, StringForm};
use crate::checking::{IsoTimestamp, PydanticVersion};
use crate::kwanzaa::samples::{is_digits, number};
use chrono::Timelike as _;
use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::iri::is_iri;

/// The way in which the shipped code reads values.
pub(super) const CODE: CoercionMode = CoercionMode::Lax(PydanticVersion::V2_5);

/// A larger number of seconds counts as milliseconds.
const MOST_SECONDS: f64 = 2e10;
/// The milliseconds from 1970 to the beginning of the year 1, and to the beginning of the year 10000.
const BEFORE: f64 = -62_135_596_800_000.0;
const BEHIND: f64 = 253_402_300_800_000.0;

pub(in crate::kwanzaa) const FRACTION: SchemaFieldType =
    SchemaFieldType::NumberOf(NumberBound::Within(0.0, 1.0));

/// `^[a-z0-9_]+$`
pub(in crate::kwanzaa) static SAMPLE_ID: StringForm = StringForm {
    name: "an id of a-z, 0-9 and _",
    pattern: r"^[a-z0-9_]+$",
    fits: |document, value, _| is_text(document, value, is_sample_id),
};

/// `^\d+\.\d+\.\d+$`
pub(in crate::kwanzaa) static DATASET_VERSION: StringForm = StringForm {
    name: "a version such as 1.0.0",
    pattern: r"^[0-9]+\.[0-9]+\.[0-9]+$",
    fits: |document, value, _| {
        is_text(document, value, |text| text.split('.').count() == 3 && text.split('.').all(is_digits))
    },
};

/// `^kwanzaa\.answer\.v[0-9]+$`
pub(in crate::kwanzaa) static ANSWER_VERSION: StringForm = StringForm {
    name: "a version such as kwanzaa.answer.v1",
    pattern: r"^kwanzaa\.answer\.v[0-9]+$",
    fits: |document, value, _| {
        is_text(document, value, |text| text.strip_prefix("kwanzaa.answer.v").is_some_and(is_digits))
    },
};

/// A date and time with a zone (RFC 3339); for the shipped code, everything that Pydantic reads as one.
pub(in crate::kwanzaa) static DATE_TIME: StringForm = StringForm {
    name: "a date and time with a zone, such as 2026-01-31T09:00:00Z",
    pattern: r"^[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
    fits: |document, value, mode| match mode {
        CoercionMode::Schema | CoercionMode::Written => is_text(document, value, is_date_time),
        CoercionMode::Lax(_) => is_lax_date_time(document, value),
    },
};

/// An absolute URI.
pub(in crate::kwanzaa) static URI: StringForm = StringForm {
    name: "an absolute URI",
    pattern: r"^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9!#$%&'()*+,/:;=?@_.~\[\]-]*$",
    fits: |document, value, _| is_text(document, value, |text| text.is_ascii() && is_iri(text)),
};

/// A UUID in its groups of 8, 4, 4, 4 and 12.
pub(in crate::kwanzaa) static UUID: StringForm = StringForm {
    name: "a UUID",
    pattern: r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    fits: |document, value, _| is_text(document, value, is_uuid),
};

fn is_text(document: &JsonDocument, value: TokenId, fits: impl Fn(&str) -> bool) -> bool {
    document.string(value).is_some_and(|text| fits(&text))
}

/// Requires seconds, and a colon between the hours and minutes of the zone.
fn is_date_time(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    let bytes = text.as_bytes();
    let has = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    let has_zone = text.ends_with('Z') || bytes.len().checked_sub(3).is_some_and(|at| has(at, b':'));
    has(16, b':')
        && has_zone
        && !text.contains(',')
        && matches!(IsoTimestamp::parse(&text), Some(IsoTimestamp::Zoned(..)))
}

pub(super) fn is_sample_id(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(fits)
}

fn is_uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let mut groups = text.split('-');
    let is_group =
        |group: &str, length| group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    lengths.into_iter().all(|length| groups.next().is_some_and(|group| is_group(group, length)))
        && groups.next().is_none()
}

/// Returns whether a value is a date with a time, or seconds or milliseconds since 1970 as a number or a string.
fn is_lax_date_time(document: &JsonDocument, value: TokenId) -> bool {
    match document.string(value) {
        Some(text) => is_pydantic_date_time(&text) || seconds(&text).is_some_and(is_moment),
        None => number(document, value).is_some_and(is_moment),
    }
}

fn is_moment(number: f64) -> bool {
    let milliseconds = if number.abs() > MOST_SECONDS { number } else { number * 1000.0 };
    BEFORE < milliseconds && milliseconds < BEHIND
}

/// Reads seconds: digits, perhaps with a sign before and a fraction after them.
fn seconds(text: &str) -> Option<f64> {
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = digits.starts_with(|first: char| first.is_ascii_digit());
    (begins && digits.bytes().all(is_part)).then(|| text.parse().ok()).flatten()
}

fn is_pydantic_date_time(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let Some(time) = rest.strip_prefix(['T', 't', ' ', '_']) else { return false };
    let time = time.replace('\u{2212}', "-").replace('z', "Z");
    // A zone must include minutes.
    let zone = time.find(['+', '-']).map_or("", |at| &time[at..]);
    let has_minutes = zone.is_empty() || zone.len() >= 5;
    let time = IsoTimestamp::parse(&format!("{date}T{time}"));
    let Some(IsoTimestamp::Naive(moment) | IsoTimestamp::Zoned(moment, _)) = time else { return false };
    // Python has no leap seconds. In chrono, they are additional nanoseconds of the second before.
    let is_leap = moment.nanosecond() >= 1_000_000_000;
    !is_leap && has_minutes && !date.starts_with("0000")
}

#[cfg(test)]
mod tests {
    use super::*;
    use evalgraph_json::{Limits, parse};

    /// Returns the indexes of the values of an array that fit.
    fn fitting(values: &str, fits: impl Fn(&JsonDocument, TokenId) -> bool) -> Vec<usize> {
        let document = parse("values.json", values.to_owned(), Limits::default()).expect("well-formed");
        let values: Vec<TokenId> = document.items(document.root()).collect();
        (0..values.len()).filter(|&at| fits(&document, values[at])).collect()
    }

    fn none_of(values: &str, fits: impl Fn(&JsonDocument, TokenId) -> bool) {
        assert_eq!(fitting(values, fits), Vec::<usize>::new(), "{values}");
    }

    fn all_of(values: &str, fits: impl Fn(&JsonDocument, TokenId) -> bool) {
        let count = parse("values.json", values.to_owned(), Limits::default()).expect("well-formed");
        let count = count.items(count.root()).count();
        assert_eq!(fitting(values, fits), (0..count).collect::<Vec<_>>(), "{values}");
    }

    #[test]
    fn dates_are_read_as_pydantic_does() {
        all_of(
            r#"["2026-01-31T09:00", "2026-01-31 09:00:00", "2026-01-31t09:00:00z",
                "2026-01-31_09:00:00Z", "2026-01-31T09:00:00+0100", "2026-01-31T09:00:00,5Z", "20260131",
                0, 1.5, -1, "1700000000000", "1.5", "-5", "+5", "5.", 253402300799999, -62135596801]"#,
            is_lax_date_time,
        );
        none_of(
            r#"["2026-01-31", "2026-01-31T09:00:00+01", "2026-02-30T09:00:00Z", "2026-01-31T24:00:00Z", "now", "", "1e5",
                "2026-01-31T23:59:60Z", "20260131T090000", "2026-1-31", true, 1e20, "2026-01", " 5", "nan",
                "2026-01-31T09", "0000-01-01T09:00:00Z", ".5", "5.5.5", -62135596800000, "2026-01-31T09:00:00+24:00", 253402300800000, null, []]"#,
            is_lax_date_time,
        );
    }
}
