//! The order of ORDER BY, MIN and MAX (SPARQL 1.1, section 15.1): no value, blank nodes, IRIs, literals. Literals that
//! SPARQL does not order, such as a number and a string, are ordered by kind, so the order is always total.

use std::cmp::Ordering;

use oxrdf::Literal;
use oxsdatatypes::{DateTime, Decimal, TimezoneOffset};

use crate::expression::{DurationValue, NumericValue, TemporalValue, TermValue};

/// The rank of literals whose values have no order. These are ordered by their strings.
const TEXT: u8 = 13;

/// Compares two values.
pub(crate) fn compare(left: &TermValue, right: &TermValue) -> Ordering {
    rank(left).cmp(&rank(right)).then_with(|| match (left, right) {
        (TermValue::BlankNode(left), TermValue::BlankNode(right)) => left.as_str().cmp(right.as_str()),
        (TermValue::Iri(left), TermValue::Iri(right))
        | (TermValue::String(left), TermValue::String(right)) => left.cmp(right),
        (TermValue::Boolean(left), TermValue::Boolean(right)) => left.cmp(right),
        (TermValue::Number(left), TermValue::Number(right)) => compare_numbers(*left, *right),
        (
            TermValue::Moment(TemporalValue::DateTime(left)),
            TermValue::Moment(TemporalValue::DateTime(right)),
        ) => compare_times(*left, *right),
        (TermValue::Moment(TemporalValue::Date(left)), TermValue::Moment(TemporalValue::Date(right))) => {
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
fn rank(value: &TermValue) -> u8 {
    match value {
        TermValue::BlankNode(_) => 0,
        TermValue::Iri(_) => 1,
        TermValue::Number(_) => 2,
        TermValue::Moment(TemporalValue::DateTime(_)) => 3,
        TermValue::Moment(TemporalValue::Date(_)) => 4,
        TermValue::Boolean(_) => 5,
        TermValue::Moment(TemporalValue::Time(_)) => 6,
        TermValue::Moment(TemporalValue::Year(_)) => 7,
        TermValue::Moment(TemporalValue::YearMonth(_)) => 8,
        TermValue::Moment(TemporalValue::Month(_)) => 9,
        TermValue::Moment(TemporalValue::MonthDay(_)) => 10,
        TermValue::Moment(TemporalValue::Day(_)) => 11,
        TermValue::Span(_) => 12,
        TermValue::String(_) | TermValue::LanguageString(..) | TermValue::Other(_) => TEXT,
    }
}

/// A number that orders times of the day, durations, and years and similar values: seconds, in units of 10⁻¹⁸. Without
/// a zone they count as UTC. A month counts as a twelfth of a mean Gregorian year.
fn place_in_time(value: &TermValue) -> Option<i128> {
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
        TermValue::Moment(moment) => match moment {
            TemporalValue::DateTime(_) | TemporalValue::Date(_) => return None,
            TemporalValue::Time(value) => seconds(value.to_be_bytes()),
            TemporalValue::Year(value) => seconds(value.to_be_bytes()),
            TemporalValue::YearMonth(value) => seconds(value.to_be_bytes()),
            TemporalValue::Month(value) => seconds(value.to_be_bytes()),
            TemporalValue::MonthDay(value) => seconds(value.to_be_bytes()),
            TemporalValue::Day(value) => seconds(value.to_be_bytes()),
        },
        TermValue::Span(DurationValue::Duration(value)) => {
            let [months @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = value.to_be_bytes();
            let [_, _, _, _, _, _, _, _, seconds @ ..] = value.to_be_bytes();
            length(i64::from_be_bytes(months), Decimal::from_be_bytes(seconds))
        }
        TermValue::Span(DurationValue::YearMonth(value)) => {
            length(i64::from_be_bytes(value.to_be_bytes()), Decimal::default())
        }
        TermValue::Span(DurationValue::DayTime(value)) => {
            length(0, Decimal::from_be_bytes(value.to_be_bytes()))
        }
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

fn compare_numbers(left: NumericValue, right: NumericValue) -> Ordering {
    let is_exact = |number| matches!(number, NumericValue::Integer(_) | NumericValue::Decimal(_));
    let exact = if is_exact(left) && is_exact(right) { left.compare(right) } else { None };
    exact.unwrap_or_else(|| f64::from(left.double()).total_cmp(&f64::from(right.double())))
}

/// Compares strings, and equal ones by datatype and language.
fn compare_texts(left: &TermValue, right: &TermValue) -> Ordering {
    let literal = |value: &TermValue| -> Option<Literal> {
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
