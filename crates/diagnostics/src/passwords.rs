//! Overwrites user names and passwords in URLs, because messages are copied into reports and logs.

use std::borrow::Cow;
use std::ops::Range;

/// Returns a text with the user names and passwords of its URLs overwritten. Every other byte keeps its position.
pub fn without_passwords(text: &str) -> Cow<'_, str> {
    const ENDS: [char; 3] = ['/', '?', '#'];
    let passwords = urls(text).filter_map(|url| {
        let start = url.start + text[url.clone()].find("//")? + 2;
        let authority = &text[start..url.end];
        let authority = authority.split(ENDS).next().unwrap_or_default();
        authority.rfind('@').map(|at| start..start + at)
    });
    overwritten(text, passwords, "*")
}

/// Returns the byte ranges of the URLs in a text. Each begins at the `://` after the scheme.
pub fn urls(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_end = |sign: char| sign.is_whitespace() || "\"'<>`\\".contains(sign);
    text.match_indices("://")
        .map(move |(at, _)| at..text[at..].find(is_end).map_or(text.len(), |length| at + length))
}

/// Returns a text with some of its bytes overwritten by a one-byte character.
pub fn overwritten<'t>(
    text: &'t str,
    ranges: impl Iterator<Item = Range<usize>>,
    sign: &str,
) -> Cow<'t, str> {
    let mut shown = Cow::Borrowed(text);
    for range in ranges {
        let signs = sign.repeat(range.len());
        shown.to_mut().replace_range(range, &signs);
    }
    shown
}
