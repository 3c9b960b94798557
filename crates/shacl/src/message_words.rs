//! The words for terms, paths and shapes in messages: short if a short form cannot be misread.

use oxrdf::{Literal, NamedNode, NamedNodeRef, Term};

use super::property_path::PropertyPath;
use evalgraph_diagnostics::shortened::shortened;
use evalgraph_diagnostics::thousands;
use evalgraph_rdf::prefixes::short_name;
use evalgraph_rdf::vocabulary::xsd;

/// How many characters of a value a message quotes.
pub(super) const VALUE_SHOWN: usize = 80;

/// A term in backticks; a blank node has no name.
pub(super) fn shown(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => format!("`{}`", iri(node.as_ref())),
        Term::BlankNode(_) => "a blank node".to_owned(),
        Term::Literal(literal) => shown_literal(literal),
    }
}

/// An IRI with a well-known prefix, or else in full.
fn iri(node: NamedNodeRef<'_>) -> String {
    short_name(node.as_str()).unwrap_or_else(|| shortened(node.as_str(), VALUE_SHOWN).into_owned())
}

fn shown_literal(literal: &Literal) -> String {
    let text = shortened(literal.value(), VALUE_SHOWN);
    match literal.language() {
        Some(language) => format!("`\"{text}\"@{language}`"),
        None if literal.datatype() == xsd_string() => format!("`\"{text}\"`"),
        None if is_bare(literal) => format!("`{text}`"),
        None => format!("`\"{text}\"^^{}`", iri(literal.datatype())),
    }
}

fn xsd_string() -> NamedNodeRef<'static> {
    NamedNodeRef::new_unchecked(xsd::STRING)
}

/// Returns whether a literal is written without quotes and datatype, as in Turtle.
fn is_bare(literal: &Literal) -> bool {
    evalgraph_rdf::short_forms::has_short_form(literal.value(), literal.datatype().as_str())
}

/// A path in backticks. Its predicates are written with a well-known prefix, or else as their last part.
pub(super) fn shown_path(path: &PropertyPath) -> String {
    format!("`{}`", shortened(&path.written(&predicate), VALUE_SHOWN))
}

/// A predicate, written as in [`shown_path`].
pub(super) fn shown_predicate(node: &NamedNode) -> String {
    format!("`{}`", predicate(node))
}

fn predicate(node: &NamedNode) -> String {
    let last = || node.as_str().rsplit(['#', '/', ':']).next().filter(|name| !name.is_empty());
    short_name(node.as_str()).or_else(|| last().map(str::to_owned)).unwrap_or_else(|| iri(node.as_ref()))
}

/// A number with its noun.
pub(super) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", thousands(count)) }
}

/// A list of alternatives, with "or" before the last one.
pub(super) fn any_of(shown: &[String]) -> String {
    match shown {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [several @ .., last] => format!("{} or {last}", several.join(", ")),
    }
}
