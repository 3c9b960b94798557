//! Changes strings of a JSON text and preserves every other byte, including escapes.

use std::collections::BTreeMap;
use std::ops::Range;

use evalgraph_json::{JsonDocument, TokenId, unescape_into, write_string};

/// A piece of a text, and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StringReplacement {
    bytes: Range<usize>,
    text: String,
}

/// The text with the changes, which must be sorted and must not overlap.
pub(super) fn edited(text: &str, edits: &[StringReplacement]) -> String {
    let mut result = String::with_capacity(text.len() + 8 * edits.len());
    let mut copied = 0;
    for StringReplacement { bytes, text: replacement } in edits {
        result.push_str(&text[copied..bytes.start]);
        result.push_str(replacement);
        copied = bytes.end;
    }
    result.push_str(&text[copied..]);
    result
}

/// The changes that give strings and keys new contents.
pub(super) fn edits(document: &JsonDocument, contents: &BTreeMap<TokenId, String>) -> Vec<StringReplacement> {
    let mut edits = Vec::new();
    for (token, content) in contents {
        let quoted = document.bytes(*token);
        let start = quoted.start + 1;
        let (old, starts) = unescaped(&document.text()[start..quoted.end - 1]);
        let scheme = |text: &str| text.find("://").unwrap_or(0);
        let (of_old, of_new) = (scheme(&old), scheme(content));
        // The scheme is changed separately, so that the slashes after it keep their escapes.
        for (range, new) in [(0..of_old, &content[..of_new]), (of_old..old.len(), &content[of_new..])] {
            let at = range.start;
            let Some((part, text)) = least(&old[range], new) else { continue };
            edits.push(StringReplacement {
                bytes: start + starts[at + part.start]..start + starts[at + part.end],
                text,
            });
        }
    }
    edits.sort_by_key(|edit| edit.bytes.start);
    edits
}

/// The smallest piece that differs, and the JSON that replaces it; none if nothing differs.
fn least(old: &str, new: &str) -> Option<(Range<usize>, String)> {
    let before = common(old.chars(), new.chars());
    let most = old.len().min(new.len()) - before;
    let behind = common(old.chars().rev(), new.chars().rev()).min(most);
    let mut json = String::new();
    write_string(&new[before..new.len() - behind], &mut json);
    (old != new).then(|| (before..old.len() - behind, json[1..json.len() - 1].to_owned()))
}

/// The length in bytes of the common beginning of two strings.
fn common(left: impl Iterator<Item = char>, right: impl Iterator<Item = char>) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum()
}

/// The content of a string, and for each of its bytes and its end the position in the text.
fn unescaped(raw: &str) -> (String, Vec<usize>) {
    let (mut content, mut starts) = (String::new(), Vec::with_capacity(raw.len() + 1));
    let mut at = 0;
    while at < raw.len() {
        let length = escape_length(&raw[at..]);
        unescape_into(&raw[at..at + length], &mut content);
        starts.resize(content.len(), at);
        at += length;
    }
    starts.push(raw.len());
    (content, starts)
}

/// The length in bytes of the first character or escape; a surrogate pair counts as one.
fn escape_length(raw: &str) -> usize {
    match raw.as_bytes() {
        [b'\\', b'u', b'D' | b'd', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => 12,
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        _ => raw.chars().next().map_or(1, char::len_utf8),
    }
}
