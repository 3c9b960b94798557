//! Respells queries that follow the grammar but that the parser refuses or misreads.
//!
//! The parser reads the operand of `!` twice: a label of a blank node in the operand counts as used in two patterns,
//! and each `!` in the operand of another doubles the time. The parser reads `GROUP BY (?x AS ?y)` (production 20)
//! without the new name. It reads the sign of a number (productions 131 to 136) as an operator, so `-01` would become
//! -1. It refuses a blank between COALESCE or CONCAT and the bracket.

use std::borrow::Cow;

use oxrdf::vocab::xsd;

use crate::text::size::MAX_NESTING;
use crate::text::tokens::{SparqlToken, SparqlTokenKind, tokenize};

/// How many `!`, each in the operand of the last, the parser reads quickly.
const FEW: usize = 6;

/// Returns whether the parser reads a text quickly without respelling.
pub(crate) fn is_quickly_read(text: &str) -> bool {
    text.matches('!').count() <= FEW
}

/// The text in a spelling that the parser reads correctly, or `None` if the text needs no change.
pub(crate) fn as_parsed(text: &str) -> Option<String> {
    let has =
        |word: &str| text.as_bytes().windows(word.len()).any(|at| at.eq_ignore_ascii_case(word.as_bytes()));
    if !text.contains(['!', '+', '-']) && !["group", "coalesce", "concat"].into_iter().any(has) {
        return None;
    }
    let tokens = tokenize(text);
    let spelling = QueryRespelling { text, tokens: &tokens };
    let mut changes = spelling.negations();
    changes.extend(spelling.renamed_keys());
    changes.extend(spelling.signed_numbers());
    changes.extend(spelling.apart_from_brackets());
    if changes.is_empty() {
        return None;
    }
    // An insertion before a token comes before the replacement of the token.
    changes.sort_by_key(|change| (change.at, change.length));
    let (mut spelled, mut done) = (String::with_capacity(text.len() + 16 * changes.len()), 0);
    for TextReplacement { at, length, replacement } in changes {
        spelled.push_str(&text[done..at]);
        spelled.push_str(&replacement);
        done = at + length;
    }
    spelled.push_str(&text[done..]);
    Some(spelled)
}

/// The replacement of a part of the text.
struct TextReplacement {
    at: usize,
    length: usize,
    replacement: Cow<'static, str>,
}

struct QueryRespelling<'t> {
    text: &'t str,
    tokens: &'t [SparqlToken],
}

impl QueryRespelling<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.span.clone()])
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| matches!(token.kind, SparqlTokenKind::Word | SparqlTokenKind::Symbol))
            && self.word(at).eq_ignore_ascii_case(word)
    }

    fn replace(&self, at: usize, replacement: &'static str) -> TextReplacement {
        let span = &self.tokens[at].span;
        TextReplacement { at: span.start, length: span.len(), replacement: replacement.into() }
    }

    fn insert_behind(&self, at: usize, replacement: &'static str) -> TextReplacement {
        TextReplacement { at: self.tokens[at].span.end, length: 0, replacement: replacement.into() }
    }

    /// Replaces `!` with NOT before EXISTS, and with IF before a bracket that contains a label, or another `!` if there
    /// are many. Any other `!` stays, such as in paths.
    fn negations(&self) -> Vec<TextReplacement> {
        let mut changes = Vec::new();
        let ends = self.ends_of_brackets();
        let negations: Vec<usize> = (0..self.tokens.len()).filter(|at| self.is(*at, "!")).collect();
        let are_many = negations.len() > FEW;
        for at in negations {
            if self.is(at + 1, "EXISTS") {
                changes.push(self.replace(at, "NOT "));
                continue;
            }
            if self.is(at + 1, "NOT") && self.is(at + 2, "EXISTS") {
                changes.extend([self.replace(at, " "), self.replace(at + 1, " ")]);
                continue;
            }
            // A function has a name before its bracket.
            let open = at + 1 + usize::from(!self.is(at + 1, "("));
            let Some(end) = ends.get(open).copied().flatten().filter(|_| self.is(open, "(")) else {
                continue;
            };
            // The bracket after the name of a property may be a list of nodes.
            let is_operand =
                matches!(self.tokens[at + 1].kind, SparqlTokenKind::Symbol | SparqlTokenKind::Word);
            let has = |is_meant: &dyn Fn(usize) -> bool| (open..end).any(is_meant);
            let has_label = has(&|inside| self.is(inside, "{"))
                && has(&|inside| self.tokens[inside].kind == SparqlTokenKind::BlankNode);
            if has_label || are_many && is_operand && has(&|inside| self.is(inside, "!")) {
                let is_bracket = open == at + 1;
                changes.extend(match is_bracket {
                    true => [self.replace(at, "IF"), self.replace(end, ", false, true)")],
                    false => [self.replace(at, "IF("), self.insert_behind(end, ", false, true)")],
                });
            }
        }
        changes
    }

    /// Removes the blank between COALESCE or CONCAT and the bracket.
    fn apart_from_brackets(&self) -> Vec<TextReplacement> {
        let is_apart = |at: &usize| {
            (self.is(*at, "COALESCE") || self.is(*at, "CONCAT"))
                && self.is(at + 1, "(")
                && self.tokens[at + 1].span.start > self.tokens[*at].span.end
        };
        let blank = |at: usize| {
            let (start, end) = (self.tokens[at].span.end, self.tokens[at + 1].span.start);
            TextReplacement { at: start, length: end - start, replacement: "".into() }
        };
        (0..self.tokens.len()).filter(is_apart).map(blank).collect()
    }

    /// The number of the closing token for each token that opens a bracket.
    fn ends_of_brackets(&self) -> Vec<Option<usize>> {
        let mut ends = vec![None; self.tokens.len()];
        let mut open = Vec::new();
        for at in 0..self.tokens.len() {
            if self.is(at, "(") {
                open.push(at);
                if open.len() > MAX_NESTING {
                    // The text will be refused, and each `!` would look at all tokens inside.
                    return Vec::new();
                }
            } else if self.is(at, ")")
                && let Some(start) = open.pop()
            {
                ends[start] = Some(at);
            }
        }
        ends
    }

    /// `(?x AS ?y)` among the keys of GROUP BY becomes `(COALESCE(?x) AS ?y)`.
    fn renamed_keys(&self) -> Vec<TextReplacement> {
        let is_variable =
            |at: usize| self.tokens.get(at).is_some_and(|token| token.kind == SparqlTokenKind::Variable);
        let mut changes = Vec::new();
        let mut in_keys = false;
        for at in 0..self.tokens.len() {
            if self.is(at, "BY") {
                in_keys = at > 0 && self.is(at - 1, "GROUP");
            } else if ["HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES", "}"].iter().any(|end| self.is(at, end))
            {
                in_keys = false;
            }
            let is_renamed = in_keys
                && self.is(at, "(")
                && is_variable(at + 1)
                && self.is(at + 2, "AS")
                && is_variable(at + 3);
            if is_renamed {
                changes.push(self.replace(at, "(COALESCE("));
                changes.push(self.insert_behind(at + 1, ")"));
            }
        }
        changes
    }

    /// Turns numbers with a sign into literals with a datatype if the parser's operator would change their spelling.
    fn signed_numbers(&self) -> Vec<TextReplacement> {
        let mut changes = Vec::new();
        for at in 1..self.tokens.len().saturating_sub(1) {
            let sign = &self.tokens[at].span;
            let number = &self.tokens[at + 1];
            let is_signed = (self.is(at, "+") || self.is(at, "-"))
                && number.kind == SparqlTokenKind::Number
                && number.span.start == sign.end;
            // After a value the sign is an operator, and its result is computed.
            let is_first = OPERATORS.iter().any(|operator| self.is(at - 1, operator));
            let digits = self.word(at + 1);
            let is_canonical = self.is(at, "-")
                && digits.bytes().all(|digit| digit.is_ascii_digit())
                && !digits.starts_with('0');
            if !is_signed || !is_first || is_canonical {
                continue;
            }
            let datatype = match () {
                () if digits.contains(['e', 'E']) => xsd::DOUBLE,
                () if digits.contains('.') => xsd::DECIMAL,
                () => xsd::INTEGER,
            };
            let replacement = format!("\"{}{digits}\"^^{datatype}", self.word(at)).into();
            changes.push(TextReplacement {
                at: sign.start,
                length: number.span.end - sign.start,
                replacement,
            });
        }
        changes
    }
}

/// The tokens before an operand.
const OPERATORS: [&str; 15] =
    ["(", ",", "||", "&&", "=", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "!"];
