//! Terms as a person reads them in a table: IRIs shortened by prefixes, literals without what is
//! plain to see, nothing that a terminal would obey.

use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term};

use super::prefixes::Prefixes;

/// A term for a table cell.
pub fn display_term(term: &Term, prefixes: &Prefixes) -> String {
    match term {
        Term::NamedNode(node) => prefixes.shorten(node.as_str()).unwrap_or_else(|| visible(node.as_str())),
        Term::BlankNode(node) => format!("_:{}", node.as_str()),
        Term::Literal(literal) => display_literal(literal, prefixes),
    }
}

fn display_literal(literal: &Literal, prefixes: &Prefixes) -> String {
    let value = visible(literal.value());
    if let Some(language) = literal.language() {
        return format!("{value}@{language}");
    }
    let datatype = literal.datatype();
    let is_plain = datatype == xsd::STRING
        || is_number(literal)
        || [xsd::BOOLEAN, xsd::DATE, xsd::DATE_TIME, xsd::TIME].contains(&datatype);
    if is_plain {
        return value;
    }
    let datatype = prefixes.shorten(datatype.as_str()).unwrap_or_else(|| format!("<{}>", datatype.as_str()));
    format!("{value}^^{datatype}")
}

/// Whether a literal is shown as a number.
pub(super) fn is_number(literal: &Literal) -> bool {
    [xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE, xsd::FLOAT].contains(&literal.datatype())
}

/// Writes control characters, and those that turn the direction of text, as escapes.
pub fn visible(text: &str) -> String {
    if !text.contains(is_obeyed) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_obeyed(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
}
