//! Overwrites user names and passwords in URLs: messages are copied into reports and logs.

use std::borrow::Cow;
use std::ops::Range;

/// A text with the user names and passwords of its URLs overwritten. Every other byte stays where it is.
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

/// The URLs in a text, by their bytes, each from the `://` after the scheme on.
pub fn urls(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_end = |sign: char| sign.is_whitespace() || "\"'<>`\\".contains(sign);
    text.match_indices("://")
        .map(move |(at, _)| at..text[at..].find(is_end).map_or(text.len(), |length| at + length))
}

/// A text with some of its bytes overwritten by a sign of one byte.
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
