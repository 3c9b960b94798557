//! The values of terms (SPARQL 1.1, section 17.1), their truth (17.2.2), equality and order (17.3, 17.4.1.7).

use std::cmp::Ordering;

use oxrdf::vocab::xsd;
use oxrdf::{BlankNode, Literal, LiteralRef, NamedNode, NamedNodeRef, Term};
use oxsdatatypes::{Boolean, Integer};

use super::numeral::NumericValue;
use super::time::{DurationValue, TemporalValue};
use evalgraph_store::RdfTermKind;

/// The value of a term. Other methods are in `stored_values.rs`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TermValue {
    Iri(String),
    BlankNode(BlankNode),
    String(String),
    /// A string with its language.
    LanguageString(String, String),
    Boolean(bool),
    Number(NumericValue),
    /// A point in time or a period, such as `xsd:dateTime` and `xsd:gYear`.
    Moment(TemporalValue),
    /// A duration.
    Span(DurationValue),
    /// A literal of another datatype, or one that is ill-formed.
    Other(Literal),
}

/// The types derived from `xsd:integer`, with the least and the greatest value of each.
pub(super) const INTEGERS: [(NamedNodeRef<'static>, i128, i128); 12] = [
    (xsd::BYTE, i8::MIN as i128, i8::MAX as i128),
    (xsd::SHORT, i16::MIN as i128, i16::MAX as i128),
    (xsd::INT, i32::MIN as i128, i32::MAX as i128),
    (xsd::LONG, i64::MIN as i128, i64::MAX as i128),
    (xsd::UNSIGNED_BYTE, 0, u8::MAX as i128),
    (xsd::UNSIGNED_SHORT, 0, u16::MAX as i128),
    (xsd::UNSIGNED_INT, 0, u32::MAX as i128),
    (xsd::UNSIGNED_LONG, 0, u64::MAX as i128),
    (xsd::NON_NEGATIVE_INTEGER, 0, i128::MAX),
    (xsd::POSITIVE_INTEGER, 1, i128::MAX),
    (xsd::NON_POSITIVE_INTEGER, i128::MIN, 0),
    (xsd::NEGATIVE_INTEGER, i128::MIN, -1),
];

/// Returns whether an integer is one of a derived type; `None` for a datatype that is none of these.
pub(super) fn is_in_bounds(datatype: NamedNodeRef<'_>, value: i64) -> Option<bool> {
    let (_, least, most) = INTEGERS.iter().find(|(name, ..)| *name == datatype)?;
    Some((*least..=*most).contains(&i128::from(value)))
}

impl TermValue {
    pub(crate) fn from_term(term: Term) -> Self {
        match term {
            Term::NamedNode(node) => Self::Iri(node.into_string()),
            Term::BlankNode(node) => Self::BlankNode(node),
            Term::Literal(literal) => Self::of_literal(literal),
        }
    }

    fn of_literal(literal: Literal) -> Self {
        let datatype = literal.datatype();
        if datatype == xsd::STRING {
            return Self::String(literal.destruct().0);
        }
        if let Some(language) = literal.language() {
            let language = language.to_owned();
            return Self::LanguageString(literal.destruct().0, language);
        }
        Self::typed(literal.value(), datatype).unwrap_or(Self::Other(literal))
    }

    /// The value of a lexical form. `None` if it is ill-formed or values of the datatype are not known.
    pub(super) fn typed(text: &str, datatype: NamedNodeRef<'_>) -> Option<Self> {
        if datatype == xsd::BOOLEAN {
            return text.parse::<Boolean>().ok().map(|value| Self::Boolean(value.into()));
        }
        if datatype == xsd::INTEGER || INTEGERS.iter().any(|(name, ..)| *name == datatype) {
            let value: Integer = text.parse().ok()?;
            let is_right = datatype == xsd::INTEGER || is_in_bounds(datatype, value.into())?;
            return is_right.then_some(Self::Number(NumericValue::Integer(value)));
        }
        let kind = match datatype {
            xsd::DECIMAL => RdfTermKind::Decimal,
            xsd::DOUBLE => RdfTermKind::Double,
            xsd::FLOAT => RdfTermKind::Float,
            _ => RdfTermKind::OtherTyped,
        };
        NumericValue::parse(text, kind)
            .map(Self::Number)
            .or_else(|| TemporalValue::parse(text, datatype).map(Self::Moment))
            .or_else(|| DurationValue::parse(text, datatype).map(Self::Span))
    }

    pub(crate) fn into_term(self) -> Term {
        let literal = match self {
            Self::Iri(iri) => return NamedNode::new_unchecked(iri).into(),
            Self::BlankNode(node) => return node.into(),
            Self::String(text) => Literal::new_simple_literal(text),
            Self::LanguageString(text, language) => {
                Literal::new_language_tagged_literal_unchecked(text, language)
            }
            Self::Boolean(value) => value.into(),
            Self::Number(value) => return value.into_term(),
            Self::Moment(value) => value.into_literal(),
            Self::Span(value) => value.into_literal(),
            Self::Other(literal) => literal,
        };
        literal.into()
    }

    /// The effective boolean value (17.2.2).
    pub(crate) fn truth(&self) -> Option<bool> {
        match self {
            Self::String(text) | Self::LanguageString(text, _) => Some(!text.is_empty()),
            Self::Boolean(value) => Some(*value),
            Self::Number(value) => Some(!value.is_zero_or_nan()),
            Self::Other(literal) => {
                let datatype = literal.datatype();
                // An ill-formed number or boolean is false, and no error.
                let is_known = datatype == xsd::BOOLEAN || is_numeric_type(datatype);
                // A numeric literal without a value may be too large to compute with.
                is_known.then(|| is_large(literal.value(), datatype))
            }
            Self::Iri(_) | Self::BlankNode(_) | Self::Moment(_) | Self::Span(_) => None,
        }
    }

    /// `=` (17.3, 17.4.1.7): literals whose values are not known are equal to themselves, and not comparable to others.
    pub(crate) fn equals(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => Some(left.compare(*right) == Some(Ordering::Equal)),
            (Self::Moment(left), Self::Moment(right)) => Some(left.equals(right)),
            (Self::Span(left), Self::Span(right)) => Some(left == right),
            (Self::LanguageString(left, one), Self::LanguageString(right, another)) => {
                Some(left == right && one.eq_ignore_ascii_case(another))
            }
            (Self::Other(left), Self::Other(right)) => (left == right).then_some(true),
            (
                Self::Other(_),
                Self::String(_) | Self::Boolean(_) | Self::Number(_) | Self::Moment(_) | Self::Span(_),
            )
            | (
                Self::String(_) | Self::Boolean(_) | Self::Number(_) | Self::Moment(_) | Self::Span(_),
                Self::Other(_),
            ) => None,
            (left, right) => Some(left == right),
        }
    }

    /// The order for `<` and similar operators. The outer `None` is an error: the values have no order. The inner
    /// `None` is for NaN and for times whose order is indeterminate.
    pub(crate) fn compare(&self, other: &Self) -> Option<Option<Ordering>> {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => Some(left.compare(*right)),
            (Self::String(left), Self::String(right)) => Some(Some(left.cmp(right))),
            (Self::LanguageString(left, one), Self::LanguageString(right, another)) => {
                one.eq_ignore_ascii_case(another).then(|| Some(left.cmp(right)))
            }
            (Self::Boolean(left), Self::Boolean(right)) => Some(Some(left.cmp(right))),
            (Self::Moment(left), Self::Moment(right)) => left.compare(right).map(Some),
            (Self::Span(left), Self::Span(right)) => left.partial_cmp(right).map(Some),
            _ => None,
        }
    }
}

/// Returns whether a datatype is numeric (section 17.1).
pub(crate) fn is_numeric_type(datatype: NamedNodeRef<'_>) -> bool {
    [xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE, xsd::FLOAT].contains(&datatype)
        || INTEGERS.iter().any(|(name, ..)| *name == datatype)
}

/// Returns whether a literal has a numeric type and a value of that type.
pub(super) fn is_numeric(literal: LiteralRef<'_>) -> bool {
    let datatype = literal.datatype();
    if datatype == xsd::INTEGER {
        let digits = literal.value().trim_matches(['\t', '\n', '\r', ' ']);
        let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
        return !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    }
    if [xsd::DECIMAL, xsd::DOUBLE, xsd::FLOAT].contains(&datatype) {
        return TermValue::typed(literal.value(), datatype).is_some();
    }
    let Some((_, least, greatest)) = INTEGERS.iter().find(|(name, ..)| *name == datatype) else {
        return false;
    };
    let value: Option<i128> = literal.value().trim_matches(['\t', '\n', '\r', ' ']).parse().ok();
    value.is_some_and(|value| (*least..=*greatest).contains(&value))
}

/// Returns whether a string is a nonzero number of its datatype that is too large to compute with.
fn is_large(text: &str, datatype: NamedNodeRef<'_>) -> bool {
    if !text.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        return false;
    }
    if datatype == xsd::DECIMAL {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        return are_digits(whole) && are_digits(fraction);
    }
    is_integer_of(text, datatype)
}

/// Returns whether a text is an integer of a datatype: `xsd:integer` or one that is derived from it. The integer may have
/// any number of digits.
pub(crate) fn is_integer_of(text: &str, datatype: NamedNodeRef<'_>) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !are_digits(digits) {
        return false;
    }
    if datatype == xsd::INTEGER {
        return true;
    }
    let Some((_, least, most)) = INTEGERS.iter().find(|(name, ..)| *name == datatype) else { return false };
    match text.parse::<i128>() {
        Ok(value) => (*least..=*most).contains(&value),
        Err(_) if text.starts_with('-') => *least == i128::MIN,
        Err(_) => *most == i128::MAX,
    }
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, datatype: NamedNodeRef<'_>) -> TermValue {
        TermValue::from_term(Literal::new_typed_literal(text, datatype).into())
    }

    #[test]
    fn ill_formed_numbers_and_booleans_are_false() {
        for (text, datatype) in [
            ("1.5", xsd::INTEGER),
            ("1.0", xsd::LONG),
            ("12", xsd::BOOLEAN),
            ("1..5", xsd::DECIMAL),
            ("300", xsd::BYTE),
            ("-1", xsd::NON_NEGATIVE_INTEGER),
            ("abc", xsd::INTEGER),
            ("", xsd::INTEGER),
        ] {
            assert_eq!(value(text, datatype).truth(), Some(false), "{text} {datatype}");
        }
        for (text, datatype) in [
            ("123456789012345678901234567890", xsd::INTEGER),
            ("18446744073709551615", xsd::UNSIGNED_LONG),
            ("123456789012345678901234567890.5", xsd::DECIMAL),
            ("7", xsd::BYTE),
        ] {
            assert_eq!(value(text, datatype).truth(), Some(true), "{text} {datatype}");
        }
        for text in ["infinity", "inf", "nan", "-NaN", "", "e", "1e", "."] {
            assert_eq!(value(text, xsd::DOUBLE).truth(), Some(false), "{text}");
        }
        for text in ["INF", "-INF", "+1.", ".5", "1e-3"] {
            assert_eq!(value(text, xsd::DOUBLE).truth(), Some(true), "{text}");
        }
        assert_eq!(value("x", xsd::DATE_TIME).truth(), None);
    }

    #[test]
    fn nan_has_no_order_among_numbers_and_is_no_text() {
        let nan = value("NaN", xsd::DOUBLE);
        assert_eq!(nan.compare(&value("1", xsd::INTEGER)), Some(None));
        assert_eq!(nan.compare(&value("a", xsd::STRING)), None);
        assert_eq!(nan.equals(&nan), Some(false));
    }
}
