//! Finds secrets in YAML comments. A comment has no structure: one with the name of a secret is overwritten as a whole,
//! and consecutive comment lines count as one comment.

use super::in_text::SecretRange;
use super::secret_names::has_name;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::ops::Range;

/// Covers comments with the name of a secret, and returns how many there are.
pub(super) fn cover_comments(document: &JsonDocument, found: &mut Vec<SecretRange>) -> u64 {
    // Only in a document made from YAML does the outermost value have an origin.
    if document.origin(document.root()).is_none() {
        return 0;
    }
    let text = document.written_text();
    let mut count = 0;
    for comment in comments(text, &scalars(document)) {
        if !has_name(&text[comment.clone()]) {
            continue;
        }
        count += 1;
        let start = comment.start;
        for (at, character) in text[comment].char_indices() {
            if !character.is_whitespace() && character != '#' {
                found.push((start + at..start + at + character.len_utf8(), b'*'));
            }
        }
    }
    count
}

/// Returns the bytes of keys and scalars, in order.
fn scalars(document: &JsonDocument) -> Vec<Range<usize>> {
    let tokens = (0..document.token_count()).map(TokenId::from_index);
    let scalars = tokens.filter(|&token| !matches!(document.kind(token), JsonKind::Array | JsonKind::Object));
    let mut ranges: Vec<Range<usize>> = scalars.filter_map(|token| document.origin(token)).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges
}

/// Returns the comments outside scalars; consecutive comment lines are one comment.
fn comments(text: &str, scalars: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut scalars = scalars.iter().peekable();
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices('#') {
        while scalars.next_if(|scalar| scalar.end <= at).is_some() {}
        let is_in_scalar = scalars.peek().is_some_and(|scalar| scalar.start <= at);
        let is_in_comment = found.last().is_some_and(|last| at < last.end);
        let begins = text[..at]
            .chars()
            .next_back()
            .is_none_or(|before| before.is_whitespace() || before == '\u{feff}');
        if is_in_scalar || is_in_comment || !begins {
            continue;
        }
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        match found.last_mut() {
            Some(last) if text[last.end..at].trim().is_empty() => last.end = end,
            _ => found.push(at..end),
        }
    }
    found
}
