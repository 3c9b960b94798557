//! Casts: functions with the name of a datatype (SPARQL 1.1, section 17.5; Functions and Operators, section 17).

use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNodeRef};
use oxsdatatypes::{Decimal, Integer};

use super::decimal;
use super::numeral::Numeral;
use super::value::{INTEGERS, Value, is_in_bounds};
use evalgraph_store::Kind;

/// The datatypes that values can be cast to, those derived from `xsd:integer` aside.
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

/// The kind of the numbers of a datatype; none of another one, or of a derived one.
pub(super) fn kind_of_numbers(datatype: NamedNodeRef<'_>) -> Option<Kind> {
    match datatype {
        xsd::INTEGER => Some(Kind::Integer),
        xsd::DECIMAL => Some(Kind::Decimal),
        xsd::DOUBLE => Some(Kind::Double),
        xsd::FLOAT => Some(Kind::Float),
        _ => None,
    }
}

/// A text without the blanks around it, which do not count in XML.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|own: char| matches!(own, ' ' | '\t' | '\n' | '\r'))
}

/// Tells whether a function is a cast.
pub(crate) fn is_cast(name: NamedNodeRef<'_>) -> bool {
    cast_to(name).is_some()
}

/// The text of a literal, which may have a language, as a value of a datatype; none where it has none there.
pub(super) fn cast_text(text: &str, language: Option<&str>, datatype: NamedNodeRef<'_>) -> Option<Value> {
    if datatype == xsd::STRING {
        return Some(Value::String(text.to_owned()));
    }
    let text = if language.is_none() { trimmed(text) } else { return None };
    match is_derived(datatype) {
        true => derived(text.parse().ok()?, datatype),
        false => Value::typed(text, datatype),
    }
}

/// A value as one of a datatype; none where it has none there.
pub(super) fn cast(value: Value, datatype: NamedNodeRef<'_>) -> Option<Value> {
    match &value {
        Value::String(text) => return cast_text(text, None, datatype),
        Value::LanguageString(text, language) => return cast_text(text, Some(language), datatype),
        _ => {}
    }
    match datatype {
        xsd::STRING => text_of(value).map(Value::String),
        xsd::BOOLEAN => match value {
            Value::Boolean(_) => Some(value),
            Value::Number(number) => Some(Value::Boolean(!number.is_zero_or_nan())),
            _ => None,
        },
        xsd::DOUBLE => Some(Value::Number(Numeral::Double(number_of(&value)?.double()))),
        xsd::FLOAT => Some(Value::Number(Numeral::Float(number_of(&value)?.float()))),
        xsd::DECIMAL => Some(Value::Number(Numeral::Decimal(decimal_of(number_of(&value)?)?))),
        xsd::INTEGER => Some(Value::Number(Numeral::Integer(integer_of(number_of(&value)?)?))),
        _ if is_derived(datatype) => derived(integer_of(number_of(&value)?)?, datatype),
        _ => match value {
            Value::Moment(moment) => moment.cast(datatype).map(Value::Moment),
            Value::Span(span) => span.cast(datatype).map(Value::Span),
            _ => None,
        },
    }
}

fn is_derived(datatype: NamedNodeRef<'_>) -> bool {
    INTEGERS.iter().any(|(name, ..)| *name == datatype)
}

/// An integer as a literal of a derived type: as a value it would lose the type.
fn derived(value: Integer, datatype: NamedNodeRef<'_>) -> Option<Value> {
    let literal = || Value::Other(Literal::new_typed_literal(value.to_string(), datatype));
    is_in_bounds(datatype, value.into())?.then(literal)
}

fn number_of(value: &Value) -> Option<Numeral> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Boolean(value) => Some(Numeral::Integer(i64::from(*value).into())),
        _ => None,
    }
}

fn decimal_of(number: Numeral) -> Option<Decimal> {
    match number {
        Numeral::Integer(value) => Some(value.into()),
        Numeral::Decimal(value) => Some(value),
        Numeral::Float(_) | Numeral::Double(_) => decimal::of_double(number.double()),
    }
}

fn integer_of(number: Numeral) -> Option<Integer> {
    match number {
        Numeral::Integer(value) => Some(value),
        Numeral::Decimal(value) => value.try_into().ok(),
        Numeral::Float(_) | Numeral::Double(_) => decimal::integer_of_double(number.double()),
    }
}

/// The text of a value (Functions and Operators, section 17.1.2); blank nodes have none.
fn text_of(value: Value) -> Option<String> {
    Some(match value {
        Value::Iri(text) | Value::String(text) | Value::LanguageString(text, _) => text,
        Value::BlankNode(_) => return None,
        Value::Boolean(value) => value.to_string(),
        Value::Number(number) => number.text(),
        Value::Moment(moment) => moment.into_literal().destruct().0,
        Value::Span(span) => span.into_literal().destruct().0,
        Value::Other(literal) => literal.destruct().0,
    })
}
