//! Rejects bases and namespaces of Turtle, TriG and N3 that are too long. The parsers resolve each against the previous
//! one, so a text with many of them would take quadratic time.

use std::ops::Range;

use regex::bytes::Regex;

use super::iri::{LONGEST_BASE, resolve, scheme_length};
use super::turtle_tokens::{TurtleTokenKind, TurtleTokens};

/// A shorter text cannot take much time.
const SHORT: usize = 64 << 10;

/// Finds the first base or namespace that is too long; `base` is the base of the document.
pub(super) fn too_long(text: &[u8], base: Option<&str>) -> Option<Range<usize>> {
    if text.len() <= SHORT || are_short(text) {
        return None;
    }
    let mut base = base.unwrap_or_default().to_owned();
    let mut tokens = TurtleTokens::new(text);
    while let Some(token) = tokens.next() {
        let word = tokens.bytes(&token);
        let word = word.strip_prefix(b"@").unwrap_or(word);
        let is_base = word.eq_ignore_ascii_case(b"base");
        let is_directive = matches!(token.kind, TurtleTokenKind::At | TurtleTokenKind::Word);
        if !is_directive || !is_base && !word.eq_ignore_ascii_case(b"prefix") {
            continue;
        }
        if !is_base {
            // The name of the prefix.
            tokens.next();
        }
        let Some(iri) = tokens.next() else { break };
        let Some(reference) = iri_of(tokens.bytes(&iri)) else { continue };
        let resolved = match scheme_length(reference.as_bytes()) {
            Some(_) => None,
            None => resolve(reference, &base),
        };
        let resolved = resolved.unwrap_or_else(|| reference.to_owned());
        if resolved.len() > LONGEST_BASE {
            return Some(iri.span);
        }
        if is_base {
            base = resolved;
        }
    }
    None
}

/// Returns whether everything that could be a base or a namespace is short in total.
fn are_short(text: &[u8]) -> bool {
    let Ok(directive) = Regex::new("(?i-u)base|prefix") else { return false };
    let (mut length, mut end) = (0, 0);
    for found in directive.find_iter(text) {
        // If several keywords precede one IRI, all refer to it.
        if found.end() <= end {
            continue;
        }
        let Some(begin) = memchr::memchr(b'<', &text[found.end()..]) else { return true };
        let begin = found.end() + begin;
        end = memchr::memchr(b'>', &text[begin..]).map_or(text.len(), |end| begin + end);
        length += end - begin;
        if length > LONGEST_BASE {
            return false;
        }
    }
    true
}

fn iri_of(token: &[u8]) -> Option<&str> {
    std::str::from_utf8(token.strip_prefix(b"<")?.strip_suffix(b">")?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_that_lengthen_each_other_have_an_end() {
        let step = format!("@base <{}> .\n", "x/".repeat(200));
        let chain = format!("@base <http://e/> .\n{}", step.repeat(1_000));
        let found = too_long(chain.as_bytes(), None).expect("it is long");
        let at = 20 + (found.start - 20) / step.len() * step.len();
        assert_eq!(found, at + 6..at + 6 + 402);
        assert_eq!((found.start - 20) / step.len(), LONGEST_BASE / 400);
        // The SPARQL form of directives, in mixed case, with comments in between, and for prefixes.
        let odd = chain.replace("@base", "bAsE # a comment\n").replace("> .", ">");
        assert!(too_long(odd.as_bytes(), None).is_some());
        let prefix = format!("@base <http://e/{}> .\nPREFIX p: <{0}>\n{chain}", "y/".repeat(5_000));
        assert!(too_long(prefix.as_bytes(), None).is_some_and(|found| found.start < 10_050));
        let long = format!("@prefix p: <http://e/{}> . {}", "x".repeat(SHORT), "p:a p:b p:c .\n".repeat(10));
        assert!(too_long(long.as_bytes(), None).is_some());
    }

    #[test]
    fn bases_that_replace_each_other_and_words_in_texts_do_no_harm() {
        let absolute =
            "@base <http://example.org/folder/> . @prefix : <#> .\n<a> :b 'the base <of> a prefix' .\n";
        assert_eq!(too_long(absolute.repeat(5_000).as_bytes(), None), None);
        let up = "@base <../a/> .\n".repeat(10_000);
        assert_eq!(too_long(up.as_bytes(), Some("http://e/")), None);
        let texts = "<urn:a> <urn:b> \"@base <http://e/x> . base <y>\" .\n".repeat(5_000);
        assert_eq!(too_long(texts.as_bytes(), None), None);
    }
}
