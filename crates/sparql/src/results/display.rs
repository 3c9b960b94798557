//! Terms for people to read in a table: IRIs are shortened by prefixes, literals have no obvious datatypes, and control
//! characters for terminals are escaped.

use oxrdf::vocab::xsd;
use oxrdf::{Literal, Term};

use crate::text::prefixes::QueryPrefixes;
use evalgraph_diagnostics::visible;

/// A term for a table cell.
pub fn display_term(term: &Term, prefixes: &QueryPrefixes) -> String {
    match term {
        Term::NamedNode(node) => {
            prefixes.shorten(node.as_str()).unwrap_or_else(|| visible(node.as_str()).into_owned())
        }
        Term::BlankNode(node) => format!("_:{}", node.as_str()),
        Term::Literal(literal) => display_literal(literal, prefixes),
    }
}

fn display_literal(literal: &Literal, prefixes: &QueryPrefixes) -> String {
    visible(literal.value()).into_owned() + &datatype_suffix(literal, prefixes)
}

/// The suffix of a literal: its language, or its datatype if the value does not show it.
pub(crate) fn datatype_suffix(literal: &Literal, prefixes: &QueryPrefixes) -> String {
    if let Some(language) = literal.language() {
        return format!("@{language}");
    }
    let datatype = literal.datatype();
    let is_plain = datatype == xsd::STRING
        || is_number(literal)
        || [xsd::BOOLEAN, xsd::DATE, xsd::DATE_TIME, xsd::TIME].contains(&datatype);
    if is_plain {
        return String::new();
    }
    let datatype = prefixes.shorten(datatype.as_str()).unwrap_or_else(|| format!("<{}>", datatype.as_str()));
    format!("^^{datatype}")
}

/// Returns whether a literal is shown as a number.
pub(crate) fn is_number(literal: &Literal) -> bool {
    [xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE, xsd::FLOAT].contains(&literal.datatype())
}
