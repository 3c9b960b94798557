//! Lexical forms of datatypes as conditions, for stores that accept any form: regular expressions, and for dates
//! `xsd:dateTime`, the only constructor that SPARQL 1.1 has.

use oxrdf::{Literal, NamedNode, Variable};
use spargebra::algebra::{Expression, Function};

use super::algebra_builders::{all, call, equal, integer, lexical, matches, or_false, text};
use evalgraph_rdf::vocabulary::xsd;

/// The namespace of the datatypes of XML Schema.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

const INTEGER: &str = "^[+-]?[0-9]+$";
const DECIMAL: &str = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$";
const DOUBLE: &str = r"^([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?INF|NaN)$";
const ZONE: &str = "(Z|[+-][0-9]{2}:[0-9]{2})";
const DAY_TIME: &str = r"([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?";

/// Datatypes whose lexical forms a regular expression can describe.
const BY_PATTERN: [(&str, &str); 12] = [
    ("boolean", "^(true|false|1|0)$"),
    ("integer", INTEGER),
    ("decimal", DECIMAL),
    ("double", DOUBLE),
    ("float", DOUBLE),
    ("nonNegativeInteger", r"^(\+?[0-9]+|-0+)$"),
    ("positiveInteger", r"^\+?0*[1-9][0-9]*$"),
    ("nonPositiveInteger", r"^(-[0-9]+|\+?0+)$"),
    ("negativeInteger", "^-0*[1-9][0-9]*$"),
    ("yearMonthDuration", "^-?P([0-9]+Y([0-9]+M)?|[0-9]+M)$"),
    ("hexBinary", "^([0-9a-fA-F]{2})*$"),
    ("language", "^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$"),
];

/// Integers between two bounds.
const BOUNDED: [(&str, &str, &str); 8] = [
    ("long", "-9223372036854775808", "9223372036854775807"),
    ("int", "-2147483648", "2147483647"),
    ("short", "-32768", "32767"),
    ("byte", "-128", "127"),
    ("unsignedLong", "0", "18446744073709551615"),
    ("unsignedInt", "0", "4294967295"),
    ("unsignedShort", "0", "65535"),
    ("unsignedByte", "0", "255"),
];

/// A part of a date and time: its form without a time zone, and how it becomes a date and time.
struct DateTimePart {
    name: &'static str,
    form: &'static str,
    /// The text before the part, the position of the first character of the part that is used, and the text after it.
    completed: (&'static str, u64, &'static str),
}

const PARTS: [DateTimePart; 6] = [
    part("date", "-?[0-9]{4,}-[0-9]{2}-[0-9]{2}", ("", 1, "T00:00:00")),
    part("gYear", "-?[0-9]{4,}", ("", 1, "-01-01T00:00:00")),
    part("gYearMonth", "-?[0-9]{4,}-[0-9]{2}", ("", 1, "-01T00:00:00")),
    part("gMonth", "--[0-9]{2}", ("2000", 2, "-01T00:00:00")),
    part("gMonthDay", "--[0-9]{2}-[0-9]{2}", ("2000", 2, "T00:00:00")),
    part("gDay", "---[0-9]{2}", ("2000-01", 3, "T00:00:00")),
];

const fn part(
    name: &'static str,
    form: &'static str,
    completed: (&'static str, u64, &'static str),
) -> DateTimePart {
    DateTimePart { name, form, completed }
}

/// The conditions that the text of a value is a valid form of a datatype; none if every text is valid.
pub(super) fn is_well_formed(value: &Variable, datatype: &str) -> Vec<Expression> {
    let Some(name) = datatype.strip_prefix(XSD) else { return Vec::new() };
    let form = lexical(value);
    if let Some((_, pattern)) = BY_PATTERN.iter().find(|(known, _)| *known == name) {
        return vec![matches(form, pattern, "")];
    }
    if let Some((_, least, most)) = BOUNDED.iter().find(|(known, ..)| *known == name) {
        return vec![matches(form.clone(), INTEGER, ""), is_between(&form, least, most)];
    }
    if let Some(part) = PARTS.iter().find(|part| part.name == name) {
        let pattern = format!("^{}{ZONE}?$", part.form);
        return vec![matches(form.clone(), &pattern, ""), is_date_time(completed(&form, part))];
    }
    match name {
        "dateTime" => vec![is_date_time(form)],
        "time" => vec![is_date_time(call(Function::Concat, [text("2000-01-01T"), form]))],
        "dateTimeStamp" => vec![matches(form.clone(), &format!("{ZONE}$"), ""), is_date_time(form)],
        "duration" => vec![
            matches(form.clone(), &format!("^-?P([0-9]+Y)?([0-9]+M)?{DAY_TIME}$"), ""),
            matches(form, "[0-9][YMDHS]$", ""),
        ],
        "dayTimeDuration" => {
            vec![matches(form.clone(), &format!("^-?P{DAY_TIME}$"), ""), matches(form, "[0-9][DHMS]$", "")]
        }
        "base64Binary" => {
            let letters = call(Function::Replace, [form.clone(), text(" "), text("")]);
            // The last letter of an incomplete group has bits that are 0.
            let pattern = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";
            vec![matches(form, "^([^ ]( ?[^ ])*)?$", ""), matches(letters, pattern, "")]
        }
        _ => Vec::new(),
    }
}

/// A part of a date and time, completed to a date and time, with the time zone of the part.
fn completed(form: &Expression, part: &DateTimePart) -> Expression {
    let (before, start, behind) = part.completed;
    let without = |pattern: &str| call(Function::Replace, [form.clone(), text(pattern), text("")]);
    let counts = match (without(&format!("{ZONE}$")), start) {
        (whole, 1) => whole,
        (whole, start) => call(Function::SubStr, [whole, integer(start)]),
    };
    let zone = without(&format!("^{}", part.form));
    let before = (!before.is_empty()).then(|| text(before));
    call(Function::Concat, before.into_iter().chain([counts, text(behind), zone]))
}

fn is_between(form: &Expression, least: &str, most: &str) -> Expression {
    // In many stores decimals have a wider range than integers.
    let decimal = NamedNode::new_unchecked(xsd::DECIMAL);
    let value = call(Function::Custom(decimal.clone()), [form.clone()]);
    let limit = |text: &str| {
        Box::new(Expression::from(Literal::new_typed_literal(format!("{text}.0"), decimal.clone())))
    };
    or_false(all([
        Expression::GreaterOrEqual(Box::new(value.clone()), limit(least)),
        Expression::LessOrEqual(Box::new(value), limit(most)),
    ]))
}

fn is_date_time(form: Expression) -> Expression {
    let date_time = NamedNode::new_unchecked(xsd::DATE_TIME);
    let made = call(Function::Custom(date_time.clone()), [form]);
    or_false(equal(call(Function::Datatype, [made]), date_time.into()))
}
