//! Changes to strings of a JSON text that leave every other byte, escapes included.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::json::{Document, TokenId, unescape_into, write_string};

/// A piece of a text, and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    bytes: Range<usize>,
    text: String,
}

/// The text with the changes, which are in order and do not overlap.
pub(super) fn edited(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len() + 8 * edits.len());
    let mut copied = 0;
    for Edit { bytes, text: replacement } in edits {
        result.push_str(&text[copied..bytes.start]);
        result.push_str(replacement);
        copied = bytes.end;
    }
    result.push_str(&text[copied..]);
    result
}

/// The changes that give strings and keys other contents.
pub(super) fn edits(document: &Document, contents: &BTreeMap<TokenId, String>) -> Vec<Edit> {
    let mut edits: Vec<Edit> =
        contents.iter().map(|(token, content)| edit(document, *token, content)).collect();
    edits.sort_by_key(|edit| edit.bytes.start);
    edits
}

/// The least change that gives a string another content.
fn edit(document: &Document, token: TokenId, content: &str) -> Edit {
    let quoted = document.bytes(token);
    let inner = quoted.start + 1..quoted.end - 1;
    let raw = &document.text()[inner.clone()];
    let (old, starts) = unescaped(raw);
    let before = common(old.chars(), content.chars()).min(content.len());
    let most = old.len().min(content.len()) - before;
    let behind = common(old.chars().rev(), content.chars().rev()).min(most);
    let mut text = String::new();
    write_string(&content[before..content.len() - behind], &mut text);
    let bytes = inner.start + starts[before]..inner.start + starts[old.len() - behind];
    Edit { bytes, text: text[1..text.len() - 1].to_owned() }
}

/// The bytes that two texts begin with, as long as they are equal.
fn common(left: impl Iterator<Item = char>, right: impl Iterator<Item = char>) -> usize {
    left.zip(right).take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8()).sum()
}

/// The content of a string, and for each of its bytes, and its end, where it begins in the text.
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

/// The bytes of the first character or escape; a surrogate pair is one.
fn escape_length(raw: &str) -> usize {
    match raw.as_bytes() {
        [b'\\', b'u', b'D' | b'd', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => 12,
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        _ => raw.chars().next().map_or(1, char::len_utf8),
    }
}
