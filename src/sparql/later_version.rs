//! What of SPARQL 1.2 stands in a text that cannot be read, so that a person is told that it is too new
//! and not that it is wrong.

use super::fault::Fault;
use super::tokens::{Token, TokenKind, tokenize};
use crate::rdf::RDF_1_2;

/// The functions that came with triple terms and directions.
const FUNCTIONS: [&str; 9] = [
    "TRIPLE",
    "SUBJECT",
    "PREDICATE",
    "OBJECT",
    "isTRIPLE",
    "LANGDIR",
    "hasLANG",
    "hasLANGDIR",
    "STRLANGDIR",
];

/// The first construct of SPARQL 1.2 in a text that is not SPARQL 1.1, unless it was at fault before.
pub(super) fn rdf_1_2(text: &str, first_fault: Option<&Fault>) -> Option<Fault> {
    let tokens = tokenize(text);
    let (at, length, what) = (0..tokens.len())
        .find_map(|at| construct(text, &tokens[at..]).map(|(length, what)| (at, length, what)))?;
    let span = tokens[at].span.start..tokens[at + length - 1].span.end;
    let is_first = first_fault.is_none_or(|fault| fault.start() >= span.start);
    let message = format!("RDF 1.2 is not read: `{}` {what}", &text[span.clone()]);
    is_first.then(|| Fault::new(RDF_1_2, span, message))
}

/// Returns what begins with the first of some tokens, and how many of them it takes.
fn construct(text: &str, tokens: &[Token]) -> Option<(usize, &'static str)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.clone()]);
    // Two tokens with nothing between them.
    let touches = |at: usize| {
        let pair = tokens.get(at).zip(tokens.get(at + 1));
        pair.is_some_and(|(first, second)| first.span.end == second.span.start)
    };
    let is_word = |token: &Token, known: &str| {
        token.kind == TokenKind::Word && text[token.span.clone()].eq_ignore_ascii_case(known)
    };
    let first = tokens.first()?;
    match first.kind {
        TokenKind::Symbol if word(0) == "<" && word(1) == "<" && touches(0) => {
            let is_term = word(2) == "(" && touches(1);
            Some(if is_term { (3, "begins a triple term") } else { (2, "begins a reified triple") })
        }
        // `<<` before an IRI.
        TokenKind::Symbol if word(0) == "<" && word(1).starts_with('<') && touches(0) => {
            Some((1, "begins a reified triple"))
        }
        TokenKind::Symbol if word(0) == "{" && word(1).starts_with('|') && touches(0) => {
            Some((2, "begins an annotation"))
        }
        TokenKind::Stray if word(0) == "~" => Some((1, "names a reifier")),
        TokenKind::LanguageTag if word(0).contains("--") => Some((1, "gives a text a direction")),
        TokenKind::Word if is_word(first, "VERSION") => {
            let is_text = tokens.get(1).is_some_and(|token| token.kind == TokenKind::String);
            is_text.then_some((1, "announces a version"))
        }
        TokenKind::Word if word(1) == "(" && FUNCTIONS.iter().any(|known| is_word(first, known)) => {
            Some((1, "is a function of SPARQL 1.2"))
        }
        _ => None,
    }
}
