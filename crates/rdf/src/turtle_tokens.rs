//! Cuts a text in Turtle, TriG, N-Triples or N-Quads that a parser has accepted into tokens.
//!
//! Tokens are not checked: a text with a fault is cut into some tokens, and cutting always terminates.

use memchr::{memchr, memchr2};
use std::ops::Range;

/// A token and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TurtleToken {
    pub(super) kind: TurtleTokenKind,
    pub(super) span: Range<usize>,
}

/// Kinds of tokens, only as detailed as finding places requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurtleTokenKind {
    /// An IRI, a prefixed name, a label of a blank node, or a number.
    Term,
    /// A name without a colon: `a`, `true`, `PREFIX`.
    Word,
    /// A string, short or long.
    String,
    /// A language tag or a directive: `@en`, `@prefix`.
    At,
    /// `^^`
    Datatype,
    /// Any other character: `.`, `;`, `[`.
    Mark(u8),
}

/// The tokens of a text.
#[derive(Debug, Clone)]
pub(super) struct TurtleTokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> TurtleTokens<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The bytes of a token.
    pub(super) fn bytes(&self, token: &TurtleToken) -> &'t [u8] {
        &self.text[token.span.clone()]
    }

    fn skip_space_and_comments(&mut self) {
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'#' => self.at = self.seek(self.at, |rest| memchr2(b'\r', b'\n', rest)),
                _ => return,
            }
        }
    }

    /// The position found by `search` in the rest of the text, or else the end.
    fn seek(&self, from: usize, search: impl Fn(&[u8]) -> Option<usize>) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        search(rest).map_or(self.text.len(), |at| from + at)
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or_default()
    }

    /// The end of the run of bytes that satisfy `is_in`.
    fn run(&self, from: usize, is_in: impl Fn(u8) -> bool) -> usize {
        self.seek(from, |rest| rest.iter().position(|byte| !is_in(*byte)))
    }

    /// The end of a run without its trailing dots, which end the statement.
    fn run_before_dots(&self, from: usize, is_in: impl Fn(u8) -> bool) -> usize {
        let end = self.run(from, |byte| byte == b'.' || is_in(byte));
        let dots = self.text[from..end].iter().rev().take_while(|byte| **byte == b'.').count();
        end - dots
    }

    fn string_end(&self, start: usize) -> usize {
        let quote = self.byte(start);
        let is_long = self.byte(start + 1) == quote && self.byte(start + 2) == quote;
        let mut at = start + if is_long { 3 } else { 1 };
        loop {
            at = self.seek(at, |rest| memchr2(quote, b'\\', rest));
            if at >= self.text.len() {
                return self.text.len();
            }
            if self.byte(at) == b'\\' {
                at += 2;
            } else if !is_long {
                return at + 1;
            } else if self.byte(at + 1) == quote && self.byte(at + 2) == quote {
                return at + 3;
            } else {
                at += 1;
            }
        }
    }

    /// The end of a number. A dot at the end belongs to the statement, unless digits or an exponent follow.
    fn number_end(&self, start: usize) -> usize {
        let digits = |from| self.run(from, |byte| byte.is_ascii_digit());
        let sign = |at| at + usize::from(matches!(self.byte(at), b'+' | b'-'));
        let whole = digits(sign(start));
        let fraction = if self.byte(whole) == b'.' { digits(whole + 1) } else { whole };
        if matches!(self.byte(fraction), b'e' | b'E') {
            return digits(sign(fraction + 1));
        }
        if fraction == whole + 1 { whole } else { fraction }
    }

    /// The kind and the end of a prefixed name or a word.
    fn name(&self, start: usize) -> (TurtleTokenKind, usize) {
        let colon = self.run(start, |byte| byte == b'.' || is_name(byte));
        if self.byte(colon) != b':' {
            return (TurtleTokenKind::Word, self.run_before_dots(start, is_name));
        }
        let local = colon + 1;
        // A local name begins neither with a dot nor with a hyphen.
        if matches!(self.byte(local), b'.' | b'-') {
            return (TurtleTokenKind::Term, local);
        }
        // `end` stays before trailing dots, which end the statement.
        let (mut at, mut end) = (local, local);
        loop {
            let byte = self.byte(at);
            match byte {
                b'\\' => at += 2,
                b'.' => {
                    at += 1;
                    continue;
                }
                b':' | b'%' => at += 1,
                _ if is_name(byte) => at += 1,
                _ => return (TurtleTokenKind::Term, end),
            }
            end = at.min(self.text.len());
        }
    }
}

impl Iterator for TurtleTokens<'_> {
    type Item = TurtleToken;

    fn next(&mut self) -> Option<TurtleToken> {
        self.skip_space_and_comments();
        let start = self.at;
        let first = *self.text.get(start)?;
        let (kind, end) = match first {
            b'<' => (TurtleTokenKind::Term, self.seek(start, |rest| memchr(b'>', rest)) + 1),
            b'"' | b'\'' => (TurtleTokenKind::String, self.string_end(start)),
            b'@' => (
                TurtleTokenKind::At,
                self.run(start + 1, |byte| byte.is_ascii_alphanumeric() || byte == b'-'),
            ),
            b'_' if self.byte(start + 1) == b':' => {
                (TurtleTokenKind::Term, self.run_before_dots(start + 2, is_name))
            }
            b'^' if self.byte(start + 1) == b'^' => (TurtleTokenKind::Datatype, start + 2),
            b'.' if self.byte(start + 1).is_ascii_digit() => (TurtleTokenKind::Term, self.number_end(start)),
            b'0'..=b'9' | b'+' | b'-' => (TurtleTokenKind::Term, self.number_end(start)),
            b':' => self.name(start),
            _ if is_name(first) => self.name(start),
            _ => (TurtleTokenKind::Mark(first), start + 1),
        };
        // At least one byte, so cutting a text with a fault ends, too.
        self.at = end.clamp(start + 1, self.text.len());
        Some(TurtleToken { kind, span: start..self.at })
    }
}

/// Returns whether a byte can be part of a name. Some characters beyond ASCII are not allowed there, but those are
/// faults anywhere except in strings, IRIs and comments.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::{TurtleTokenKind, TurtleTokens};

    fn cut(text: &str) -> Vec<&str> {
        TurtleTokens::new(text.as_bytes()).map(|token| &text[token.span]).collect()
    }

    #[test]
    fn dots_and_digits_belong_where_the_grammar_puts_them() {
        assert_eq!(cut("ex:a.b.ex:c"), ["ex:a.b.ex:c"]);
        assert_eq!(cut("ex:a\\.. <p>1."), ["ex:a\\.", ".", "<p>", "1", "."]);
        assert_eq!(
            cut("_:a.b.;.5.1e0.-1.5E-3,+1.e1"),
            ["_:a.b", ".", ";", ".5", ".1e0", ".", "-1.5E-3", ",", "+1.e1"]
        );
        assert_eq!(cut("ex:.5 ex:-1 :.a true."), ["ex:", ".5", "ex:", "-1", ":", ".", "a", "true", "."]);
    }

    #[test]
    fn strings_and_comments_hide_what_is_in_them() {
        assert_eq!(
            cut("'''a''b'''''@en-GB # \" <\r\"\\\"#\"^^<x#>"),
            ["'''a''b'''", "''", "@en-GB", "\"\\\"#\"", "^^", "<x#>"]
        );
        assert_eq!(cut("\"\"\"\"a\\\"\"\"\" \"\" # end"), ["\"\"\"\"a\\\"\"\"\"", "\"\""]);
    }

    #[test]
    fn a_text_that_ends_too_early_ends() {
        for text in ["<a", "\"a\\", "'''a''", "ex:\\", "_:", "@", "^", "1e", "\u{d7}"] {
            assert_eq!(cut(text).concat(), text);
        }
        let words = TurtleTokens::new(b"a PREFIX p:").map(|token| token.kind);
        assert_eq!(
            words.collect::<Vec<_>>(),
            [TurtleTokenKind::Word, TurtleTokenKind::Word, TurtleTokenKind::Term]
        );
    }
}
