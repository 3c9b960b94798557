//! The lexical forms of schema.org's datatypes. A literal is judged by its form, whatever its stated datatype.

use super::iso_8601::{is_date, is_date_time, is_duration, is_time};
use super::namespace::SchemaIri;
use evalgraph_rdf::iri::scheme_length;

/// A datatype by the forms that it accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LexicalForm {
    /// Any string: `Text` and its subtypes except `URL`.
    Text,
    /// Anything at all: `Quantity` and its subtypes except `Duration`.
    Any,
    Boolean,
    Date,
    DateTime,
    Duration,
    Integer,
    Number,
    Time,
    Url,
}

impl LexicalForm {
    /// The form of a datatype with these supertypes, including itself.
    pub(super) fn from_datatype<'n>(name: &str, mut above: impl Iterator<Item = &'n str>) -> Self {
        match name {
            "Boolean" => Self::Boolean,
            "Date" => Self::Date,
            "DateTime" => Self::DateTime,
            "Duration" => Self::Duration,
            "Integer" => Self::Integer,
            "Number" | "Float" => Self::Number,
            "Time" => Self::Time,
            "URL" => Self::Url,
            _ if above.any(|above| above == "Text") => Self::Text,
            _ => Self::Any,
        }
    }

    pub(super) fn admits(self, lexical: &str) -> bool {
        match self {
            Self::Text | Self::Any => true,
            Self::Boolean => matches!(lexical, "true" | "false") || is_boolean_member(lexical),
            Self::Date => is_date(lexical),
            Self::DateTime => is_date_time(lexical),
            Self::Duration => is_duration(lexical),
            Self::Integer => is_integer(lexical),
            Self::Number => is_number(lexical),
            Self::Time => is_time(lexical),
            Self::Url => is_url(lexical),
        }
    }
}

/// Returns whether a string is the IRI of `True` or `False`.
fn is_boolean_member(text: &str) -> bool {
    SchemaIri::from_iri(text).is_some_and(|iri| matches!(iri.local, "True" | "False"))
}

/// Returns whether a string is an absolute IRI, or a template of one (`…?q={search_term}`).
pub(super) fn is_url(text: &str) -> bool {
    let rest = scheme_length(text.as_bytes()).and_then(|colon| text.get(colon + 1..));
    rest.is_some_and(|rest| !rest.is_empty()) && !text.contains(char::is_whitespace)
}

/// Returns whether a string is a decimal number, with or without an exponent.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    text.starts_with(|first: char| first.is_ascii_digit() || first == '.') && text.parse::<f64>().is_ok()
}

/// Returns whether a string is a whole number: digits, or a double without a fraction as RDF writes it.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_digits
        || text.contains('E')
            && is_number(text)
            && text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
}
