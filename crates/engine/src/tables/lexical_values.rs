//! The values of literals by the lexical forms of XML Schema 1.1, part 2, for the datatypes that have a column type.

use chrono::{NaiveDate, NaiveTime};
use oxrdf::NamedNodeRef;
use oxrdf::vocab::xsd;

use super::term_kind::ColumnTermKind;

/// How many digits fit into a decimal of 128 bits.
pub(super) const DECIMAL_DIGITS: usize = 38;

/// How a datatype is represented in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnDatatype {
    Text,
    Boolean,
    Integer,
    Decimal,
    Float,
    Double,
    Date,
    DateTime,
    /// There is no column type for it.
    Other,
}

/// `xsd:integer`, and the datatypes that are derived from it.
const INTEGERS: [NamedNodeRef<'_>; 13] = [
    xsd::INTEGER,
    xsd::INT,
    xsd::LONG,
    xsd::SHORT,
    xsd::BYTE,
    xsd::NON_NEGATIVE_INTEGER,
    xsd::POSITIVE_INTEGER,
    xsd::NON_POSITIVE_INTEGER,
    xsd::NEGATIVE_INTEGER,
    xsd::UNSIGNED_LONG,
    xsd::UNSIGNED_INT,
    xsd::UNSIGNED_SHORT,
    xsd::UNSIGNED_BYTE,
];

impl ColumnDatatype {
    pub(super) fn from_term_kind(kind: &ColumnTermKind) -> Self {
        match kind {
            ColumnTermKind::Iri => Self::Text,
            ColumnTermKind::BlankNode | ColumnTermKind::Language(_) => Self::Other,
            ColumnTermKind::Datatype(datatype) => Self::from_datatype(datatype),
        }
    }

    /// Returns how literals of a datatype are represented.
    pub(super) fn from_datatype(datatype: &str) -> Self {
        const KNOWN: [(NamedNodeRef<'_>, ColumnDatatype); 7] = [
            (xsd::STRING, ColumnDatatype::Text),
            (xsd::BOOLEAN, ColumnDatatype::Boolean),
            (xsd::DECIMAL, ColumnDatatype::Decimal),
            (xsd::FLOAT, ColumnDatatype::Float),
            (xsd::DOUBLE, ColumnDatatype::Double),
            (xsd::DATE, ColumnDatatype::Date),
            (xsd::DATE_TIME, ColumnDatatype::DateTime),
        ];
        if INTEGERS.iter().any(|integer| integer.as_str() == datatype) {
            return Self::Integer;
        }
        let known = KNOWN.iter().find(|(known, _)| known.as_str() == datatype);
        known.map_or(Self::Other, |(_, kind)| *kind)
    }
}

/// The digits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LexicalDigits<'t> {
    is_negative: bool,
    /// The digits before the point, without leading zeros.
    whole: &'t str,
    /// The digits after the point, as they are written.
    fraction: &'t str,
}

impl<'t> LexicalDigits<'t> {
    /// Parses `[+-]?[0-9]+`, and the forms of `xsd:decimal` if a point is allowed.
    pub(super) fn read(text: &'t str, may_have_point: bool) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = match unsigned.split_once('.') {
            Some(parts) if may_have_point => parts,
            Some(_) => return None,
            None => (unsigned, ""),
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        Some(Self { is_negative: text.starts_with('-'), whole: whole.trim_start_matches('0'), fraction })
    }

    /// The number of digits before the point.
    pub(super) fn whole_digits(&self) -> usize {
        self.whole.len()
    }

    /// The number of digits after the point.
    pub(super) fn fraction_digits(&self) -> usize {
        self.fraction.len()
    }

    /// The number of significant digits: without leading and trailing zeros.
    pub(super) fn significant(&self) -> usize {
        let fraction = self.fraction.trim_end_matches('0');
        match (self.whole, fraction) {
            (whole, "") => whole.trim_end_matches('0').len(),
            ("", fraction) => fraction.trim_start_matches('0').len(),
            (whole, fraction) => whole.len() + fraction.len(),
        }
    }

    /// The number multiplied by 10 to the power of `scale`. `None` if that has more than 38 digits.
    pub(super) fn unscaled(&self, scale: usize) -> Option<i128> {
        let zeros = scale.checked_sub(self.fraction.len())?;
        if self.whole.len() + scale > DECIMAL_DIGITS {
            return None;
        }
        let digits = self.whole.bytes().chain(self.fraction.bytes()).chain(std::iter::repeat_n(b'0', zeros));
        let number = digits.fold(0_i128, |number, digit| number * 10 + i128::from(digit - b'0'));
        Some(if self.is_negative { -number } else { number })
    }
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Parses `xsd:double` or `xsd:float`. Each is rounded only once.
pub(super) fn floating<F: std::str::FromStr + From<f32>>(text: &str) -> Option<F> {
    match text {
        "INF" | "+INF" => Some(F::from(f32::INFINITY)),
        "-INF" => Some(F::from(f32::NEG_INFINITY)),
        "NaN" => Some(F::from(f32::NAN)),
        // The parser accepts other texts that are not lexical forms.
        _ if text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) => text.parse().ok(),
        _ => None,
    }
}

/// Parses a date from the years 1 to 9999, which all readers support. A date with a time zone is rejected.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return None };
    let year = number([y1, y2, y3, y4]).filter(|year| *year > 0)?;
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, number([m1, m2])?, number([d1, d2])?)
}

/// A point in time. It is in UTC or, without a time zone, local.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimestampValue {
    pub(super) date: NaiveDate,
    pub(super) time: NaiveTime,
    pub(super) is_utc: bool,
}

impl TimestampValue {
    /// Microseconds since the beginning of 1970.
    pub(super) fn microseconds(&self) -> i64 {
        self.date.and_time(self.time).and_utc().timestamp_micros()
    }
}

/// Parses a time from the years 1 to 9999 with at most microseconds, without a time zone or in UTC. Another offset
/// would be lost, so it is rejected.
pub(super) fn date_time(text: &str) -> Option<TimestampValue> {
    let (day, rest) = text.split_once('T')?;
    let (clock, rest) = rest.as_bytes().split_first_chunk::<8>()?;
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *clock else { return None };
    let rest = std::str::from_utf8(rest).ok()?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
        None => ("0", rest),
    };
    let is_utc = match zone {
        "" => false,
        "Z" | "+00:00" | "-00:00" => true,
        _ => return None,
    };
    let digits = fraction.trim_end_matches('0');
    if fraction.is_empty() || digits.len() > 6 {
        return None;
    }
    let microseconds: u32 = format!("{digits:0<6}").parse().ok()?;
    let (hour, minute, second) = (number([h1, h2])?, number([m1, m2])?, number([s1, s2])?);
    let time = NaiveTime::from_hms_micro_opt(hour, minute, second, microseconds)?;
    Some(TimestampValue { date: date(day)?, time, is_utc })
}

fn number<const N: usize>(digits: [u8; N]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| Some(number * 10 + char::from(*digit).to_digit(10)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let unscaled = |text, scale| LexicalDigits::read(text, true)?.unscaled(scale);
        assert_eq!(unscaled("-001.50", 3), Some(-1500));
        assert_eq!(unscaled(".5", 1), Some(5));
        assert_eq!(unscaled("5.", 0), Some(5));
        assert_eq!(unscaled("99999999999999999999999999999999999999", 0), Some(10_i128.pow(38) - 1));
        assert_eq!(unscaled("1", 38), None);
        assert_eq!(unscaled("1.25", 1), None);
        for text in ["", ".", "+", "1e2", " 1", "--1", "1.2.3", "１"] {
            assert_eq!(LexicalDigits::read(text, true), None, "{text}");
        }
        assert_eq!(LexicalDigits::read("1.0", false), None);
        let significant = |text| LexicalDigits::read(text, true).map(|digits| digits.significant());
        assert_eq!(["0", "100", "1.50", "0.00125", "-120.03"].map(significant), [0, 1, 2, 3, 5].map(Some));
    }

    #[test]
    fn only_lexical_forms_are_floating() {
        assert_eq!(floating::<f64>("-1.5E2"), Some(-150.0));
        assert_eq!(floating::<f32>("-INF"), Some(f32::NEG_INFINITY));
        assert!(floating::<f64>("NaN").is_some_and(f64::is_nan));
        for text in ["inf", "infinity", "nan", "", "e", "0x1", " 1"] {
            assert_eq!(floating::<f64>(text), None, "{text}");
        }
    }

    #[test]
    fn times_lose_nothing() {
        let microseconds = |text| date_time(text).map(|time| (time.microseconds(), time.is_utc));
        assert_eq!(microseconds("1970-01-01T00:00:01.500000Z"), Some((1_500_000, true)));
        assert_eq!(microseconds("1969-12-31T23:59:59.999999"), Some((-1, false)));
        for text in [
            "1970-01-01T00:00:00.1234567Z",
            "1970-01-01T00:00:00+01:00",
            "1970-01-01T24:00:00",
            "1970-01-01T00:00:60",
            "1970-01-01T00:00:00.",
            "1970-01-01T00:00:00.5.",
            "0000-01-01T00:00:00",
            "12026-01-01T00:00:00",
            "1970-02-30T00:00:00",
            "1970-01-01T0ä:00:00",
            "1970-01-01",
        ] {
            assert_eq!(microseconds(text), None, "{text}");
        }
        assert!(
            date("2024-02-29").is_some() && date("2024-02-29Z").is_none() && date("-2024-02-29").is_none()
        );
    }
}
