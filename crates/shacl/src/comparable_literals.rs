//! Values of literals, and how to compare two of them (SPARQL 1.1, section 17.3). Language tags and ranges.

use std::cmp::Ordering;

use oxsdatatypes::{
    Boolean, Date, DateTime, DayTimeDuration, Double, Float, GYear, GYearMonth, Time, YearMonthDuration,
};

use super::lexical_forms::{XSD, integer_range, is_well_formed};
use super::numeral::DecimalDigits;

/// A value that has an order.
#[derive(Debug, Clone, Copy)]
pub(super) enum ComparableLiteral<'t> {
    /// `xsd:decimal` and the types derived from it.
    Exact(DecimalDigits<'t>),
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

impl<'t> ComparableLiteral<'t> {
    /// The value of a literal; none for an ill-typed literal, and for a datatype without an order.
    pub(super) fn from_literal(lexical: &'t str, datatype: &str) -> Option<Self> {
        if !is_well_formed(lexical, datatype) {
            return None;
        }
        let name = datatype.strip_prefix(XSD)?;
        Some(match name {
            "string" => Self::String(lexical),
            "boolean" => Self::Boolean(lexical.parse().ok()?),
            "double" => Self::Double(lexical.parse().ok()?),
            "float" => Self::Float(lexical.parse().ok()?),
            "dateTime" | "dateTimeStamp" => Self::DateTime(lexical.parse().ok()?),
            "date" => Self::Date(lexical.parse().ok()?),
            "time" => Self::Time(lexical.parse().ok()?),
            "yearMonthDuration" => Self::YearMonthDuration(lexical.parse().ok()?),
            "dayTimeDuration" => Self::DayTimeDuration(lexical.parse().ok()?),
            "gYear" => Self::GYear(lexical.parse().ok()?),
            "gYearMonth" => Self::GYearMonth(lexical.parse().ok()?),
            name if name == "decimal" || integer_range(name).is_some() => {
                Self::Exact(DecimalDigits::from_lexical(lexical)?)
            }
            _ => return None,
        })
    }

    /// Compares two values like the operators of SPARQL; none if these have no result.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Exact(left), Self::Exact(right)) => Some(left.compare(right)),
            (Self::String(left), Self::String(right)) => Some(left.cmp(right)),
            (Self::Boolean(left), Self::Boolean(right)) => bool::from(left).partial_cmp(&bool::from(right)),
            (Self::DateTime(left), Self::DateTime(right)) => left.partial_cmp(&right),
            (Self::Date(left), Self::Date(right)) => left.partial_cmp(&right),
            (Self::Time(left), Self::Time(right)) => left.partial_cmp(&right),
            (Self::YearMonthDuration(left), Self::YearMonthDuration(right)) => left.partial_cmp(&right),
            (Self::DayTimeDuration(left), Self::DayTimeDuration(right)) => left.partial_cmp(&right),
            (Self::GYear(left), Self::GYear(right)) => left.partial_cmp(&right),
            (Self::GYearMonth(left), Self::GYearMonth(right)) => left.partial_cmp(&right),
            (Self::Double(_), _) | (_, Self::Double(_)) => self.double()?.partial_cmp(&other.double()?),
            _ => self.float()?.partial_cmp(&other.float()?),
        }
    }

    fn float(self) -> Option<Float> {
        match self {
            Self::Float(value) => Some(value),
            Self::Exact(value) => value.nearest(),
            _ => None,
        }
    }

    fn double(self) -> Option<Double> {
        match self {
            Self::Double(value) => Some(value),
            Self::Float(value) => Some(value.into()),
            Self::Exact(value) => value.nearest(),
            _ => None,
        }
    }
}

/// Returns whether a language tag matches a language range in lower case (RFC 4647, basic filtering; SPARQL's
/// `langMatches`).
pub(super) fn language_matches(tag: &str, range: &str) -> bool {
    if range == "*" {
        return !tag.is_empty();
    }
    let Some(start) = tag.get(..range.len()) else { return false };
    start.eq_ignore_ascii_case(range) && matches!(tag.as_bytes().get(range.len()), None | Some(b'-'))
}
