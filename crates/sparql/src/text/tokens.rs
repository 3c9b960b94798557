//! The terminals of SPARQL 1.1 (section 19.8 of the recommendation) with their places in the text. Used to locate
//! faults in a query. The algebra is made by `spargebra`.

use std::ops::Range;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SparqlTokenKind {
    /// A keyword, a function, `a`, `true` or `false`.
    Word,
    /// `?name` or `$name`.
    Variable,
    /// `<iri>`.
    Iri,
    /// `prefix:local` or `prefix:`.
    PrefixedName,
    /// `_:label`.
    BlankNode,
    /// A quoted string.
    String,
    /// A number without its sign.
    Number,
    /// `@en`.
    LanguageTag,
    /// Brackets, separators and operators.
    Symbol,
    /// A quoted string whose end is missing.
    UnclosedString,
    /// A character that no token begins with.
    Stray,
}

/// One token: its kind and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SparqlToken {
    pub kind: SparqlTokenKind,
    pub span: Range<usize>,
}

/// Operators of more than one character, the longest first. `==` is not an operator of SPARQL; it is one token so that
/// messages can name it.
const LONG_SYMBOLS: [&str; 9] = ["^^", "||", "&&", "==", "!=", "<=", ">=", "<>", "**"];
const SYMBOLS: &str = "{}()[].;,^/|=<>+-*?!&";

/// Returns whether a query is unfinished: a bracket or a quote is open, or its pattern is missing.
pub fn is_unfinished(text: &str) -> bool {
    let tokens = tokenize(text);
    let mut depth = 0_usize;
    let mut has_pattern = false;
    for token in &tokens {
        match &text[token.span.clone()] {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        has_pattern |= &text[token.span.clone()] == "{";
    }
    let is_description = tokens.iter().any(|token| text[token.span.clone()].eq_ignore_ascii_case("describe"));
    depth > 0
        || tokens.last().is_some_and(|token| token.kind == SparqlTokenKind::UnclosedString)
        || !(tokens.is_empty() || has_pattern || is_description)
}

/// Splits a text into tokens, in one pass. White space and comments are left out.
pub(crate) fn tokenize(text: &str) -> Vec<SparqlToken> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
        } else if c == '#' {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else {
            let (kind, length) = token_at(&text[at..], c);
            tokens.push(SparqlToken { kind, span: at..at + length });
            at += length;
        }
    }
    tokens
}

fn token_at(rest: &str, first: char) -> (SparqlTokenKind, usize) {
    let second = rest[first.len_utf8()..].chars().next();
    match first {
        '?' | '$' if second.is_some_and(is_name_character) => {
            (SparqlTokenKind::Variable, 1 + length_while(&rest[1..], is_name_character))
        }
        '<' => iri_length(rest).map_or_else(|| symbol(rest), |length| (SparqlTokenKind::Iri, length)),
        '"' | '\'' => string(rest, first),
        '@' if second.is_some_and(char::is_alphabetic) => (
            SparqlTokenKind::LanguageTag,
            1 + length_while(&rest[1..], |c| c.is_ascii_alphanumeric() || c == '-'),
        ),
        '_' if second == Some(':') => (SparqlTokenKind::BlankNode, 2 + local_name_length(&rest[2..])),
        ':' => (SparqlTokenKind::PrefixedName, 1 + local_name_length(&rest[1..])),
        '.' if second.is_some_and(|c| c.is_ascii_digit()) => (SparqlTokenKind::Number, number_length(rest)),
        _ if first.is_ascii_digit() => (SparqlTokenKind::Number, number_length(rest)),
        _ if is_name_character(first) => word(rest),
        _ if SYMBOLS.contains(first) => symbol(rest),
        _ => (SparqlTokenKind::Stray, first.len_utf8()),
    }
}

fn symbol(rest: &str) -> (SparqlTokenKind, usize) {
    let long = LONG_SYMBOLS.iter().find(|long| rest.starts_with(**long));
    (SparqlTokenKind::Symbol, long.map_or(1, |long| long.len()))
}

fn word(rest: &str) -> (SparqlTokenKind, usize) {
    // A prefix may have hyphens and dots inside; a keyword ends before them.
    let prefix = length_while(rest, |c| is_name_character(c) || matches!(c, '-' | '.'));
    if rest[prefix..].starts_with(':') {
        return (SparqlTokenKind::PrefixedName, prefix + 1 + local_name_length(&rest[prefix + 1..]));
    }
    (SparqlTokenKind::Word, length_while(rest, is_name_character))
}

fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn length_while(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}

/// The length of the local part of a prefixed name. A dot at its end belongs to the triple.
fn local_name_length(text: &str) -> usize {
    let mut end = 0;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        let belongs = escaped || is_name_character(c) || matches!(c, '-' | '.' | ':' | '%' | '\\');
        if !belongs {
            break;
        }
        escaped = c == '\\' && !escaped;
        if c != '.' {
            end = at + c.len_utf8();
        }
    }
    end
}

fn iri_length(rest: &str) -> Option<usize> {
    let end = rest.find('>')?;
    let inner = &rest[1..end];
    let forbidden = |c: char| c <= ' ' || matches!(c, '<' | '"' | '{' | '}' | '|' | '^' | '`');
    // `<>` after a value is meant as `!=`. As an IRI it would need a base.
    (!inner.is_empty() && !inner.contains(forbidden)).then_some(end + 1)
}

fn string(rest: &str, quote: char) -> (SparqlTokenKind, usize) {
    let long: String = [quote; 3].iter().collect();
    let (delimiter, is_long) =
        if rest.starts_with(&long) { (long.as_str(), true) } else { (&rest[..1], false) };
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(delimiter.len()) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if rest[at..].starts_with(delimiter) {
            return (SparqlTokenKind::String, at + delimiter.len());
        } else if !is_long && matches!(c, '\n' | '\r') {
            return (SparqlTokenKind::UnclosedString, at);
        }
    }
    (SparqlTokenKind::UnclosedString, rest.len())
}

fn number_length(rest: &str) -> usize {
    let digits = |text: &str| length_while(text, |c| c.is_ascii_digit());
    let mut length = digits(rest);
    if rest[length..].starts_with('.') && digits(&rest[length + 1..]) > 0 {
        length += 1 + digits(&rest[length + 1..]);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let exponent = digits(&rest[length + 1 + sign..]);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_goes_on_while_something_is_open() {
        for text in ["SELECT ?s", "SELECT ?s {", "ASK { ?s ?p \"}", "PREFIX a: <x:>", "SELECT (COUNT("] {
            assert!(is_unfinished(text), "{text}");
        }
        for text in [
            "",
            "# a comment {",
            "ASK {}",
            "SELECT ?s { ?s ?p \"{\" } LIMIT 3",
            "DESCRIBE <x:a>",
            "ASK { } # {",
        ] {
            assert!(!is_unfinished(text), "{text}");
        }
    }
}
