//! Casts: functions with the name of a datatype (SPARQL 1.1, section 17.5; Functions and Operators, section 17).

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNodeRef};
use oxsdatatypes::{Decimal, Integer};

use super::decimal;
use super::numeral::NumericValue;
use super::value::{INTEGERS, TermValue, is_in_bounds};
use evalgraph_store::RdfTermKind;

/// The datatypes that values can be cast to, except those derived from `xsd:integer`.
const DATATYPES: [NamedNodeRef<'static>; 17] = [
    xsd::STRING,
    xsd::BOOLEAN,
    xsd::DOUBLE,
    xsd::FLOAT,
    xsd::DECIMAL,
    xsd::INTEGER,
    xsd::DATE_TIME,
    xsd::DATE,
    xsd::TIME,
    xsd::G_YEAR,
    xsd::G_YEAR_MONTH,
    xsd::G_MONTH,
    xsd::G_MONTH_DAY,
    xsd::G_DAY,
    xsd::DURATION,
    xsd::YEAR_MONTH_DURATION,
    xsd::DAY_TIME_DURATION,
];

/// The datatype that a function casts to, if it is a cast.
pub(super) fn cast_to(name: NamedNodeRef<'_>) -> Option<NamedNodeRef<'static>> {
    let datatypes = DATATYPES.into_iter().chain(INTEGERS.map(|(derived, ..)| derived));
    datatypes.into_iter().find(|datatype| *datatype == name)
}

/// The kind of the numbers of a datatype, or `None` if it is derived or has no numbers.
pub(super) fn kind_of_numbers(datatype: NamedNodeRef<'_>) -> Option<RdfTermKind> {
    match datatype {
        xsd::INTEGER => Some(RdfTermKind::Integer),
        xsd::DECIMAL => Some(RdfTermKind::Decimal),
        xsd::DOUBLE => Some(RdfTermKind::Double),
        xsd::FLOAT => Some(RdfTermKind::Float),
        _ => None,
    }
}

/// A string without surrounding blanks, which XML ignores.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|own: char| matches!(own, ' ' | '\t' | '\n' | '\r'))
}

/// Returns whether a function is a cast.
pub(crate) fn is_cast(name: NamedNodeRef<'_>) -> bool {
    cast_to(name).is_some()
}

/// Casts the string of a literal, which may have a language, to a datatype. `None` if it is not a value of it.
pub(super) fn cast_text(text: &str, language: Option<&str>, datatype: NamedNodeRef<'_>) -> Option<TermValue> {
    if datatype == xsd::STRING {
        return Some(TermValue::String(text.to_owned()));
    }
    let text = if language.is_none() { trimmed(text) } else { return None };
    match is_derived(datatype) {
        true => derived(text.parse().ok()?, datatype),
        false => TermValue::typed(text, datatype),
    }
}

/// Casts a value to a datatype. `None` if it has no value there.
pub(super) fn cast(value: TermValue, datatype: NamedNodeRef<'_>) -> Option<TermValue> {
    match &value {
        TermValue::String(text) => return cast_text(text, None, datatype),
        TermValue::LanguageString(text, language) => return cast_text(text, Some(language), datatype),
        _ => {}
    }
    match datatype {
        xsd::STRING => text_of(value).map(TermValue::String),
        xsd::BOOLEAN => match value {
            TermValue::Boolean(_) => Some(value),
            TermValue::Number(number) => Some(TermValue::Boolean(!number.is_zero_or_nan())),
            _ => None,
        },
        xsd::DOUBLE => Some(TermValue::Number(NumericValue::Double(number_of(&value)?.double()))),
        xsd::FLOAT => Some(TermValue::Number(NumericValue::Float(number_of(&value)?.float()))),
        xsd::DECIMAL => Some(TermValue::Number(NumericValue::Decimal(decimal_of(number_of(&value)?)?))),
        xsd::INTEGER => Some(TermValue::Number(NumericValue::Integer(integer_of(number_of(&value)?)?))),
        _ if is_derived(datatype) => derived(integer_of(number_of(&value)?)?, datatype),
        _ => match value {
            TermValue::Moment(moment) => moment.cast(datatype).map(TermValue::Moment),
            TermValue::Span(span) => span.cast(datatype).map(TermValue::Span),
            _ => None,
        },
    }
}

fn is_derived(datatype: NamedNodeRef<'_>) -> bool {
    INTEGERS.iter().any(|(name, ..)| *name == datatype)
}

/// An integer as a literal of a derived type: as a value it would lose the type.
fn derived(value: Integer, datatype: NamedNodeRef<'_>) -> Option<TermValue> {
    let literal = || TermValue::Other(Literal::new_typed_literal(value.to_string(), datatype));
    is_in_bounds(datatype, value.into())?.then(literal)
}

fn number_of(value: &TermValue) -> Option<NumericValue> {
    match value {
        TermValue::Number(number) => Some(*number),
        TermValue::Boolean(value) => Some(NumericValue::Integer(i64::from(*value).into())),
        _ => None,
    }
}

fn decimal_of(number: NumericValue) -> Option<Decimal> {
    match number {
        NumericValue::Integer(value) => Some(value.into()),
        NumericValue::Decimal(value) => Some(value),
        NumericValue::Float(_) | NumericValue::Double(_) => decimal::of_double(number.double()),
    }
}

fn integer_of(number: NumericValue) -> Option<Integer> {
    match number {
        NumericValue::Integer(value) => Some(value),
        NumericValue::Decimal(value) => value.try_into().ok(),
        NumericValue::Float(_) | NumericValue::Double(_) => decimal::integer_of_double(number.double()),
    }
}

/// The string of a value (Functions and Operators, section 17.1.2). Blank nodes have none.
fn text_of(value: TermValue) -> Option<String> {
    Some(match value {
        TermValue::Iri(text) | TermValue::String(text) | TermValue::LanguageString(text, _) => text,
        TermValue::BlankNode(_) => return None,
        TermValue::Boolean(value) => value.to_string(),
        TermValue::Number(number) => number.text(),
        TermValue::Moment(moment) => moment.into_literal().destruct().0,
        TermValue::Span(span) => span.into_literal().destruct().0,
        TermValue::Other(literal) => literal.destruct().0,
    })
}
