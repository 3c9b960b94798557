//! Values of literals: whether a lexical form is one of its datatype, and how two values compare (SPARQL 1.1, section 17.3;
//! XML Schema 1.1, Part 2).

use std::cmp::Ordering;
use std::str::FromStr;

use oxsdatatypes::{
    Boolean, Date, DateTime, DayTimeDuration, Decimal, Double, Duration, Float, GDay, GMonth, GMonthDay,
    GYear, GYearMonth, Integer, Time, YearMonthDuration,
};

/// The namespace of the datatypes of XML Schema.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// A value that has an order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'t> {
    Integer(Integer),
    Decimal(Decimal),
    Float(Float),
    Double(Double),
    String(&'t str),
    Boolean(Boolean),
    DateTime(DateTime),
    Date(Date),
    Time(Time),
    YearMonthDuration(YearMonthDuration),
    DayTimeDuration(DayTimeDuration),
    GYear(GYear),
    GYearMonth(GYearMonth),
}

impl<'t> Value<'t> {
    /// The value of a literal; none for an ill-formed one, and for a datatype without an order.
    pub(super) fn of(lexical: &'t str, datatype: &str) -> Option<Self> {
        let name = datatype.strip_prefix(XSD)?;
        Some(match name {
            "string" => Self::String(lexical),
            "boolean" => Self::Boolean(lexical.parse().ok()?),
            "integer" => Self::integer(lexical)?,
            "decimal" => Self::Decimal(lexical.parse().ok()?),
            "double" => Self::Double(lexical.parse().ok()?),
            "float" => Self::Float(lexical.parse().ok()?),
            "dateTime" | "dateTimeStamp" => Self::DateTime(lexical.parse().ok()?),
            "date" => Self::Date(lexical.parse().ok()?),
            "time" => Self::Time(lexical.parse().ok()?),
            "yearMonthDuration" => Self::YearMonthDuration(lexical.parse().ok()?),
            "dayTimeDuration" => Self::DayTimeDuration(lexical.parse().ok()?),
            "gYear" => Self::GYear(lexical.parse().ok()?),
            "gYearMonth" => Self::GYearMonth(lexical.parse().ok()?),
            _ => match integer_range(name) {
                Some(_) if is_well_formed(lexical, datatype) => Self::integer(lexical)?,
                _ => return None,
            },
        })
    }

    /// An integer; one of more than 64 bits is compared as a double.
    fn integer(lexical: &str) -> Option<Self> {
        match lexical.parse() {
            Ok(integer) => Some(Self::Integer(integer)),
            Err(_) if is_integer(lexical) => Some(Self::Double(Double::from(lexical.parse::<f64>().ok()?))),
            Err(_) => None,
        }
    }

    /// Compares two values as the operators of SPARQL do; none where these have no result.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left.partial_cmp(&right),
            (Self::String(left), Self::String(right)) => Some(left.cmp(right)),
            (Self::Boolean(left), Self::Boolean(right)) => bool::from(left).partial_cmp(&bool::from(right)),
            (Self::DateTime(left), Self::DateTime(right)) => left.partial_cmp(&right),
            (Self::Date(left), Self::Date(right)) => left.partial_cmp(&right),
            (Self::Time(left), Self::Time(right)) => left.partial_cmp(&right),
            (Self::YearMonthDuration(left), Self::YearMonthDuration(right)) => left.partial_cmp(&right),
            (Self::DayTimeDuration(left), Self::DayTimeDuration(right)) => left.partial_cmp(&right),
            (Self::GYear(left), Self::GYear(right)) => left.partial_cmp(&right),
            (Self::GYearMonth(left), Self::GYearMonth(right)) => left.partial_cmp(&right),
            _ => match (self.decimal(), other.decimal()) {
                (Some(left), Some(right)) => left.partial_cmp(&right),
                _ => match (self, other) {
                    (Self::Double(_), _) | (_, Self::Double(_)) => {
                        self.double()?.partial_cmp(&other.double()?)
                    }
                    _ => self.float()?.partial_cmp(&other.float()?),
                },
            },
        }
    }

    fn decimal(self) -> Option<Decimal> {
        match self {
            Self::Integer(value) => Some(value.into()),
            Self::Decimal(value) => Some(value),
            _ => None,
        }
    }

    fn float(self) -> Option<Float> {
        match self {
            Self::Float(value) => Some(value),
            Self::Integer(value) => Some(value.into()),
            Self::Decimal(value) => Some(value.into()),
            _ => None,
        }
    }

    fn double(self) -> Option<Double> {
        match self {
            Self::Double(value) => Some(value),
            other => other.float_or_exact(),
        }
    }

    fn float_or_exact(self) -> Option<Double> {
        match self {
            Self::Float(value) => Some(value.into()),
            Self::Integer(value) => Some(value.into()),
            Self::Decimal(value) => Some(value.into()),
            _ => None,
        }
    }
}

fn is<T: FromStr>(lexical: &str) -> bool {
    lexical.parse::<T>().is_ok()
}

fn is_integer(lexical: &str) -> bool {
    let digits = lexical.strip_prefix(['+', '-']).unwrap_or(lexical);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The least and the greatest value of a datatype derived from `xsd:integer`.
fn integer_range(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "integer" => (i128::MIN, i128::MAX),
        "nonNegativeInteger" => (0, i128::MAX),
        "positiveInteger" => (1, i128::MAX),
        "nonPositiveInteger" => (i128::MIN, 0),
        "negativeInteger" => (i128::MIN, -1),
        "long" => (i64::MIN.into(), i64::MAX.into()),
        "int" => (i32::MIN.into(), i32::MAX.into()),
        "short" => (i16::MIN.into(), i16::MAX.into()),
        "byte" => (i8::MIN.into(), i8::MAX.into()),
        "unsignedLong" => (0, u64::MAX.into()),
        "unsignedInt" => (0, u32::MAX.into()),
        "unsignedShort" => (0, u16::MAX.into()),
        "unsignedByte" => (0, u8::MAX.into()),
        _ => return None,
    })
}

/// Tells whether a lexical form is one of a datatype. Every form is one of a datatype that is not known.
pub(super) fn is_well_formed(lexical: &str, datatype: &str) -> bool {
    let Some(name) = datatype.strip_prefix(XSD) else { return true };
    if let Some((least, most)) = integer_range(name) {
        let is_in_range = || match lexical.parse::<i128>() {
            Ok(value) => (least..=most).contains(&value),
            // Beyond 128 bits: below or above every bound that there is.
            Err(_) => {
                if lexical.starts_with('-') {
                    least == i128::MIN
                } else {
                    most == i128::MAX
                }
            }
        };
        return is_integer(lexical) && is_in_range();
    }
    match name {
        "boolean" => matches!(lexical, "true" | "false" | "1" | "0"),
        "decimal" => is_decimal(lexical),
        "double" | "float" => is_floating(lexical),
        "dateTime" => is::<DateTime>(lexical),
        "dateTimeStamp" => lexical.parse::<DateTime>().is_ok_and(|value| value.timezone_offset().is_some()),
        "date" => is::<Date>(lexical),
        "time" => is::<Time>(lexical),
        "duration" => is::<Duration>(lexical),
        "yearMonthDuration" => is::<YearMonthDuration>(lexical),
        "dayTimeDuration" => is::<DayTimeDuration>(lexical),
        "gYear" => is::<GYear>(lexical),
        "gYearMonth" => is::<GYearMonth>(lexical),
        "gMonth" => is::<GMonth>(lexical),
        "gMonthDay" => is::<GMonthDay>(lexical),
        "gDay" => is::<GDay>(lexical),
        "hexBinary" => {
            lexical.len().is_multiple_of(2) && lexical.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        "base64Binary" => is_base64(lexical),
        "language" => is_language(lexical),
        _ => true,
    }
}

fn is_decimal(lexical: &str) -> bool {
    let digits = lexical.strip_prefix(['+', '-']).unwrap_or(lexical);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole) && are_digits(fraction) && !(whole.is_empty() && fraction.is_empty())
}

fn is_floating(lexical: &str) -> bool {
    if matches!(lexical, "INF" | "+INF" | "-INF" | "NaN") {
        return true;
    }
    match lexical.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => is_decimal(mantissa) && is_integer(exponent),
        None => is_decimal(lexical),
    }
}

fn is_base64(lexical: &str) -> bool {
    let letters: Vec<u8> = lexical.bytes().filter(|byte| *byte != b' ').collect();
    let padding = letters.iter().rev().take_while(|byte| **byte == b'=').count();
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    letters.len().is_multiple_of(4)
        && padding <= 2
        && letters[..letters.len() - padding].iter().all(is_letter)
}

fn is_language(lexical: &str) -> bool {
    lexical.split('-').enumerate().all(|(place, part)| {
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || (place > 0 && byte.is_ascii_digit());
        (1..=8).contains(&part.len()) && part.bytes().all(is_letter)
    })
}

/// Tells whether a language tag matches a language range in lower case (RFC 4647, basic filtering; SPARQL's
/// `langMatches`).
pub(super) fn language_matches(tag: &str, range: &str) -> bool {
    if range == "*" {
        return !tag.is_empty();
    }
    let Some(start) = tag.get(..range.len()) else { return false };
    start.eq_ignore_ascii_case(range) && matches!(tag.as_bytes().get(range.len()), None | Some(b'-'))
}
