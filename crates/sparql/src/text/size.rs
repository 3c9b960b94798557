//! Limits the size and the depth of a query or of an operation of an update. The tokens are checked before
//! anything recurses over the algebra: a chain of operators is parsed, planned, evaluated and freed by
//! functions that call themselves once for each link, and the time for planning grows faster than the text.

use spargebra::algebra::GraphPattern;

use crate::algebra::{exists, parts};
use crate::text::query_text_fault::QueryTextFault;
use crate::text::tokens::{SparqlToken, SparqlTokenKind};
use evalgraph_diagnostics::{Diagnostic, SourceText};
use evalgraph_rdf::iri::{LONGEST_BASE, scheme_length, too_long};

/// How deeply brackets may be nested: far more than people write, but too little to exhaust the stack of the parser.
pub(crate) const MAX_NESTING: usize = 64;

/// The most tokens outside data: ten times more than people write, and half of what exhausts the stack of the program
/// in the longest possible chains.
pub(crate) const MAX_TOKENS: usize = 5_000;

/// How many patterns may be joined in one group: the time to order them grows with the square of their number.
pub(crate) const MAX_JOINED: usize = 1_000;

/// Returns whether a text is so small that its tokens need not be checked.
pub(crate) fn is_small(text: &str) -> bool {
    let opened = text.bytes().filter(|byte| matches!(byte, b'(' | b'{' | b'[')).count();
    opened <= MAX_NESTING && text.len() <= MAX_TOKENS
}

/// Refuses a text that is nested too deeply or is too long to be parsed.
pub(crate) fn check_size(text: &str, tokens: &[SparqlToken]) -> Result<(), QueryTextFault> {
    let mut size = OperationSize::default();
    check_bases(text, tokens)?;
    for (at, token) in tokens.iter().enumerate() {
        let word = &text[token.span.clone()];
        let before = at.checked_sub(1).map_or("", |before| &text[tokens[before].span.clone()]);
        size.take(token.kind, word, before);
        if size.open.len() > MAX_NESTING {
            let message = format!("more than {MAX_NESTING} brackets are nested");
            return Err(QueryTextFault::new("sparql::too-deep", token.span.clone(), message));
        }
        if size.counted > MAX_TOKENS {
            let message = format!(
                "a query or operation may have at most {MAX_TOKENS} words and signs, and this is one more"
            );
            return Err(QueryTextFault::new("sparql::too-large", token.span.clone(), message).with_help(
                "rows of VALUES, constants of `IN (…)` and quads of INSERT DATA and DELETE DATA do not count",
            ));
        }
    }
    Ok(())
}

/// Refuses bases and namespaces whose total length is too large, since each may be resolved against the one before.
fn check_bases(text: &str, tokens: &[SparqlToken]) -> Result<(), QueryTextFault> {
    let is = |at: Option<usize>, keyword: &str| {
        at.is_some_and(|at| {
            tokens[at].kind == SparqlTokenKind::Word
                && text[tokens[at].span.clone()].eq_ignore_ascii_case(keyword)
        })
    };
    let mut length = 0;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == SparqlTokenKind::Iri) {
        let is_base = is(at.checked_sub(1), "BASE");
        if !is_base && !is(at.checked_sub(2), "PREFIX") {
            continue;
        }
        let iri = text[token.span.clone()].trim_start_matches('<');
        // An absolute IRI is not resolved against the one before.
        let before = if scheme_length(iri.as_bytes()).is_some() { 0 } else { length };
        if before + iri.len() > LONGEST_BASE {
            let message = too_long("a base or a namespace");
            return Err(QueryTextFault::new("sparql::too-large", token.span.clone(), message));
        }
        if is_base {
            length = before + iri.len();
        }
    }
    Ok(())
}

/// Refuses a pattern whose group joins too many patterns. The place of the group in the text is not known, so
/// the message points at the first group.
pub(crate) fn check_joins(text: &str, name: &str, pattern: &GraphPattern) -> Result<(), Box<Diagnostic>> {
    // A pattern takes at least a letter and a space.
    if text.len() <= 2 * MAX_JOINED {
        return Ok(());
    }
    let most = most_joined(pattern);
    if most <= MAX_JOINED {
        return Ok(());
    }
    let start = text.find('{').unwrap_or_default();
    let message = format!("{most} patterns are joined in one group, and at most {MAX_JOINED} can be planned");
    let help = "ask in several queries; many values of one variable belong into VALUES";
    let fault = QueryTextFault::new("sparql::too-large", start..start + 1, message).with_help(help);
    Err(Box::new(fault.into_diagnostic(&SourceText::new(name, text.as_bytes()))))
}

/// Returns how many patterns are joined in the group that joins most.
fn most_joined(pattern: &GraphPattern) -> usize {
    let inside = exists(pattern).into_iter().chain(parts(pattern)).map(most_joined).max();
    inside.unwrap_or_default().max(joined(pattern))
}

/// Returns how many patterns a pattern joins.
fn joined(pattern: &GraphPattern) -> usize {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.len(),
        GraphPattern::Join { left, right } => joined(left) + joined(right),
        GraphPattern::Graph { inner, .. } | GraphPattern::Filter { inner, .. } => joined(inner),
        _ => 1,
    }
}

/// The content of a pair of brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BracketContent {
    /// Patterns and expressions, which are planned.
    Counted,
    /// Quads or rows of values, which become a flat list.
    Data,
    /// The operands of IN: constants become a flat list.
    Operands,
}

/// The size of the part of an operation that has been read.
#[derive(Debug, Default)]
struct OperationSize {
    counted: usize,
    open: Vec<BracketContent>,
    /// `true` if the next group is that of VALUES.
    is_values: bool,
}

impl OperationSize {
    fn take(&mut self, kind: SparqlTokenKind, word: &str, before: &str) {
        let content = self.open.last().copied().unwrap_or(BracketContent::Counted);
        let is_symbol = kind == SparqlTokenKind::Symbol;
        self.counted += usize::from(match content {
            BracketContent::Counted => true,
            BracketContent::Data => false,
            BracketContent::Operands => !is_constant(kind, word, before),
        });
        match word {
            "(" | "{" | "[" if is_symbol => {
                let inside = self.inside(word, before, content);
                self.open.push(inside);
            }
            ")" | "}" | "]" if is_symbol => {
                self.open.pop();
            }
            ";" if is_symbol && self.open.is_empty() => self.counted = 0,
            // Declarations do not count as a part of the operation.
            _ if self.open.is_empty()
                && ["prefix", "base"].iter().any(|name| word.eq_ignore_ascii_case(name)) =>
            {
                self.counted = 0;
            }
            _ if kind == SparqlTokenKind::Word && content == BracketContent::Counted => {
                self.is_values = word.eq_ignore_ascii_case("values");
            }
            _ => {}
        }
    }

    /// The content that an opening bracket begins.
    fn inside(&mut self, bracket: &str, before: &str, around: BracketContent) -> BracketContent {
        let is_after = |word: &str| before.eq_ignore_ascii_case(word);
        match bracket {
            _ if around == BracketContent::Data => BracketContent::Data,
            "{" if is_after("data") || std::mem::take(&mut self.is_values) => BracketContent::Data,
            "(" if is_after("in") => BracketContent::Operands,
            _ => BracketContent::Counted,
        }
    }
}

/// Returns whether a token belongs to a constant of a list, where the sign of a number is not an operator.
fn is_constant(kind: SparqlTokenKind, word: &str, before: &str) -> bool {
    match kind {
        SparqlTokenKind::Iri
        | SparqlTokenKind::PrefixedName
        | SparqlTokenKind::String
        | SparqlTokenKind::Number
        | SparqlTokenKind::LanguageTag => true,
        SparqlTokenKind::Symbol => {
            matches!(word, "," | "^^" | ")") || matches!(word, "-" | "+") && matches!(before, "," | "(")
        }
        _ => false,
    }
}
