//! The order of ORDER BY, MIN and MAX (SPARQL 1.1, section 15.1): no value, blank nodes, IRIs, literals. Literals that SPARQL does
//! not order, such as a number and a text, are ordered by kind, so that the order is always total.

use std::cmp::Ordering;

use oxrdf::Literal;
use oxsdatatypes::{DateTime, Decimal, TimezoneOffset};

use crate::expression::{Moment, Numeral, Span, Value};

/// The rank of literals whose values have no order, which are ordered by their texts.
const TEXT: u8 = 13;

/// Compares two values.
pub(crate) fn compare(left: &Value, right: &Value) -> Ordering {
    rank(left).cmp(&rank(right)).then_with(|| match (left, right) {
        (Value::BlankNode(left), Value::BlankNode(right)) => left.as_str().cmp(right.as_str()),
        (Value::Iri(left), Value::Iri(right)) | (Value::String(left), Value::String(right)) => {
            left.cmp(right)
        }
        (Value::Boolean(left), Value::Boolean(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => compare_numbers(*left, *right),
        (Value::Moment(Moment::DateTime(left)), Value::Moment(Moment::DateTime(right))) => {
            compare_times(*left, *right)
        }
        (Value::Moment(Moment::Date(left)), Value::Moment(Moment::Date(right))) => {
            match (DateTime::try_from(*left), DateTime::try_from(*right)) {
                (Ok(left), Ok(right)) => compare_times(left, right),
                _ => left.to_string().cmp(&right.to_string()),
            }
        }
        _ => match (place_in_time(left), place_in_time(right)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => compare_texts(left, right),
        },
    })
}

/// The rank of a value's kind.
fn rank(value: &Value) -> u8 {
    match value {
        Value::BlankNode(_) => 0,
        Value::Iri(_) => 1,
        Value::Number(_) => 2,
        Value::Moment(Moment::DateTime(_)) => 3,
        Value::Moment(Moment::Date(_)) => 4,
        Value::Boolean(_) => 5,
        Value::Moment(Moment::Time(_)) => 6,
        Value::Moment(Moment::Year(_)) => 7,
        Value::Moment(Moment::YearMonth(_)) => 8,
        Value::Moment(Moment::Month(_)) => 9,
        Value::Moment(Moment::MonthDay(_)) => 10,
        Value::Moment(Moment::Day(_)) => 11,
        Value::Span(_) => 12,
        Value::String(_) | Value::LanguageString(..) | Value::Other(_) => TEXT,
    }
}

/// A number by which times of the day, years and their kin, and durations are in order: seconds, in 10⁻¹⁸. Without a zone they
/// count as UTC, and a month counts as its part of a year in the Gregorian calendar.
fn place_in_time(value: &Value) -> Option<i128> {
    // The first sixteen bytes are the seconds since a fixed time.
    fn seconds(bytes: [u8; 18]) -> i128 {
        let [seconds @ .., _, _] = bytes;
        i128::from_be_bytes(seconds)
    }
    fn length(months: i64, seconds: Decimal) -> i128 {
        const SECONDS_IN_MONTH: i128 = 2_629_746;
        const IN_SECOND: i128 = 1_000_000_000_000_000_000;
        let months = i128::from(months).saturating_mul(SECONDS_IN_MONTH).saturating_mul(IN_SECOND);
        months.saturating_add(i128::from_be_bytes(seconds.to_be_bytes()))
    }
    Some(match value {
        Value::Moment(moment) => match moment {
            Moment::DateTime(_) | Moment::Date(_) => return None,
            Moment::Time(value) => seconds(value.to_be_bytes()),
            Moment::Year(value) => seconds(value.to_be_bytes()),
            Moment::YearMonth(value) => seconds(value.to_be_bytes()),
            Moment::Month(value) => seconds(value.to_be_bytes()),
            Moment::MonthDay(value) => seconds(value.to_be_bytes()),
            Moment::Day(value) => seconds(value.to_be_bytes()),
        },
        Value::Span(Span::Duration(value)) => {
            let [months @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = value.to_be_bytes();
            let [_, _, _, _, _, _, _, _, seconds @ ..] = value.to_be_bytes();
            length(i64::from_be_bytes(months), Decimal::from_be_bytes(seconds))
        }
        Value::Span(Span::YearMonth(value)) => {
            length(i64::from_be_bytes(value.to_be_bytes()), Decimal::default())
        }
        Value::Span(Span::DayTime(value)) => length(0, Decimal::from_be_bytes(value.to_be_bytes())),
        _ => return None,
    })
}

/// Compares times. A time without a zone counts as UTC: SPARQL leaves its order open, and a sort needs one.
fn compare_times(left: DateTime, right: DateTime) -> Ordering {
    let in_utc = |time: DateTime| match time.timezone_offset() {
        Some(_) => Some(time),
        None => time.adjust(Some(TimezoneOffset::UTC)),
    };
    in_utc(left)
        .zip(in_utc(right))
        .and_then(|(left, right)| left.partial_cmp(&right))
        .unwrap_or_else(|| left.to_string().cmp(&right.to_string()))
}

fn compare_numbers(left: Numeral, right: Numeral) -> Ordering {
    let is_exact = |number| matches!(number, Numeral::Integer(_) | Numeral::Decimal(_));
    let exact = if is_exact(left) && is_exact(right) { left.compare(right) } else { None };
    exact.unwrap_or_else(|| f64::from(left.double()).total_cmp(&f64::from(right.double())))
}

/// Compares texts, equal ones by datatype and language.
fn compare_texts(left: &Value, right: &Value) -> Ordering {
    let literal = |value: &Value| -> Option<Literal> {
        match value.clone().into_term() {
            oxrdf::Term::Literal(literal) => Some(literal),
            _ => None,
        }
    };
    let (left, right) = (literal(left), literal(right));
    let key = |literal: &Option<Literal>| {
        let literal = literal.as_ref()?;
        let (datatype, language) =
            (literal.datatype().as_str().to_owned(), literal.language().map(str::to_owned));
        Some((literal.value().to_owned(), datatype, language))
    };
    key(&left).cmp(&key(&right))
}
