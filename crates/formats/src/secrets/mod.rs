//! Keeps API keys (`api_key`) out of everything that is made from a file.
//!
//! The values of such members are overwritten byte for byte as soon as a file is parsed, so all places stay the same
//! and no later step sees a key. In texts (JSON in a string, tasks as YAML) they are recognised by their names and the
//! signs after these. A comment with such a name is overwritten as a whole. JSON Pointers report the members that were
//! overwritten.

mod in_comments;
mod in_text;
mod named_values;
mod secret_names;

use evalgraph_diagnostics::{Diagnostic, codes, overwritten, urls};
use evalgraph_json::{JsonDocument, JsonKind, TokenId, unescape_into};
use in_comments::cover_comments;
use in_text::{SecretRange, secrets_in_text};
use named_values::named_values;
use secret_names::may_have_name;
pub use secret_names::{is_more_than_a_name, is_name};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// A record of what was overwritten in a document.
#[derive(Debug, PartialEq, Eq)]
pub struct HiddenSecrets {
    /// How many members, and strings that contain a secret, were overwritten.
    pub count: u64,
    /// The JSON Pointers of the first of them.
    pub pointers: Vec<String>,
    /// How many comments were overwritten because they contain such a name.
    pub comments: u64,
}

impl HiddenSecrets {
    /// Adds a record about another part of the same file.
    pub fn add(&mut self, other: Self) {
        self.count += other.count;
        self.comments += other.comments;
        self.pointers.extend(other.pointers.into_iter().take(NAMED - self.pointers.len().min(NAMED)));
    }
}

/// How many JSON Pointers are kept.
const NAMED: usize = 20;

/// Returns whether the bytes of a file may contain the name of a secret. If not, no search is needed.
pub fn are_possible(bytes: &[u8]) -> bool {
    if bytes.iter().take(4).any(|&byte| byte == 0) {
        // In UTF-16 every letter of a name is next to a zero byte.
        let letters: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
        return are_possible(&letters);
    }
    may_have_name(bytes)
}

/// Returns whether a scalar of a file, quotes included, has been overwritten.
pub fn is_overwritten(scalar: &str) -> bool {
    let inside = scalar.trim_matches(['"', '\'']);
    inside.contains('*') && inside.chars().all(|character| character == '*' || character.is_whitespace())
}

/// Makes a YAML or CSV text readable after its secrets were overwritten: a YAML scalar without quotes cannot begin with
/// `*`, which replaces the secret, so it gets quotes.
pub fn readable(text: &str) -> String {
    let mut readable = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('*') {
        let (before, mask) = rest.split_at(at);
        let length = mask.find(|character| character != '*').unwrap_or(mask.len());
        let (mask, after) = mask.split_at(length);
        let begins = before.is_empty() && readable.is_empty() || before.ends_with([' ', '\t', '[', '{', ',']);
        let ends = after.is_empty() || after.starts_with([' ', '\t', '\r', '\n', ',', ']', '}']);
        let quote = if begins && ends { "\"" } else { "" };
        readable.extend([before, quote, mask, quote]);
        rest = after;
    }
    readable.push_str(rest);
    readable
}

/// Overwrites the secrets of a document, or returns `None` if it has none.
pub fn hide(document: &mut JsonDocument) -> Option<HiddenSecrets> {
    let names: Vec<bool> =
        document.symbols().map(|symbol| is_name(document.symbol_text(symbol).as_bytes())).collect();
    let (mut found, mut tokens, mut covered) = (Vec::new(), Vec::new(), Vec::new());
    let mut named = HashSet::new();
    let mut index = 0;
    while index < document.token_count() {
        let token = TokenId::from_index(index);
        index += 1;
        let before = found.len();
        match document.kind(token) {
            _ if !named.is_empty() && named.remove(&token) => {
                cover(document, token, &mut found);
                index = document.after(token).index();
            }
            JsonKind::Array | JsonKind::Object => named.extend(named_values(document, token)),
            JsonKind::Key | JsonKind::ReplacedKey if names[document.symbol(token).index()] => {
                let value = TokenId::from_index(index);
                cover(document, value, &mut found);
                index = document.after(value).index();
            }
            JsonKind::String | JsonKind::EscapedString => secrets_in_string(document, token, &mut found),
            _ => {}
        }
        if found.len() > before {
            tokens.push(token);
            covered.extend((token.index()..index).map(TokenId::from_index));
        }
    }
    cover_origins(document, &covered, &mut found);
    let comments = cover_comments(document, &mut found);
    if found.is_empty() {
        return None;
    }
    let pointers = tokens.iter().take(NAMED).map(|&token| document.pointer(token)).collect();
    document.overwrite(found);
    Some(HiddenSecrets { count: tokens.len() as u64, pointers, comments })
}

/// Removes the text of a file from a fault. The file could not be parsed, so its secrets are unknown.
#[must_use]
pub fn without_text(mut fault: Box<Diagnostic>) -> Box<Diagnostic> {
    // The message about the size of a file contains none of its text.
    if fault.code != codes::JSON_SIZE {
        let message = "the file cannot be read from here; its text is not shown because it has an `api_key`";
        message.clone_into(&mut fault.message);
        fault.help.clear();
    }
    let related = fault.related.iter_mut().map(|(place, _)| place);
    for place in fault.place.iter_mut().map(|place| &mut **place).chain(related) {
        place.excerpt.text.clear();
        place.excerpt.marked = 0..0;
    }
    fault
}

/// Overwrites the keys in the URLs of a message, as in `https://example.org/?api_key=…`. Every other byte stays.
pub fn without_keys_in_urls(text: &str) -> Cow<'_, str> {
    let keys = |url: Range<usize>| {
        let keys = secrets_in_text(&text[url.clone()]).into_iter();
        keys.map(move |(key, _)| url.start + key.start..url.start + key.end)
    };
    overwritten(text, urls(text).flat_map(keys), "*")
}

/// Covers the bytes of a value that must be overwritten: those of the strings and numbers in it.
fn cover(document: &JsonDocument, value: TokenId, found: &mut Vec<SecretRange>) {
    for index in value.index()..document.after(value).index() {
        let token = TokenId::from_index(index);
        let bytes = document.bytes(token);
        match document.kind(token) {
            JsonKind::Number => found.push((bytes, b'1')),
            JsonKind::String | JsonKind::EscapedString => {
                let content = content(document, token);
                found.extend((!content.is_empty()).then_some((content, b'*')));
            }
            _ => {}
        }
    }
}

/// Returns the bytes of a string without its quotes; a string in CSV may have none.
fn content(document: &JsonDocument, string: TokenId) -> Range<usize> {
    let bytes = document.bytes(string);
    if document.is_bare(string) { bytes } else { bytes.start + 1..bytes.end - 1 }
}

/// Covers the source text of tokens that were made from other text. No line of it may be shown, and no other token that
/// was made from it.
fn cover_origins(document: &JsonDocument, tokens: &[TokenId], found: &mut Vec<SecretRange>) {
    let is_value = |token: TokenId| {
        !matches!(
            document.kind(token),
            JsonKind::Key | JsonKind::ReplacedKey | JsonKind::Array | JsonKind::Object
        )
    };
    let origins = tokens.iter().filter(|&&token| is_value(token)).filter_map(|&token| document.origin(token));
    let origins: HashSet<Range<usize>> = origins.collect();
    if origins.is_empty() {
        return;
    }
    for origin in &origins {
        let origin = within_quotes(document.text(), origin.clone());
        // Line ends are kept, so that places stay the same.
        let mut start = origin.start;
        for line in document.text().as_bytes()[origin].split_inclusive(|&byte| byte == b'\n') {
            let end = start + line.len();
            found.push((start..end - usize::from(line.ends_with(b"\n")), b'*'));
            start = end;
        }
    }
    for token in (0..document.token_count()).map(TokenId::from_index).filter(|&token| is_value(token)) {
        if document.origin(token).is_some_and(|origin| origins.contains(&origin)) {
            cover(document, token, found);
        }
    }
}

/// Returns the bytes of a value without the quotes around it.
fn within_quotes(text: &str, bytes: Range<usize>) -> Range<usize> {
    let has_quotes = |quote: char| {
        let value = &text[bytes.clone()];
        value.len() > 1 && value.starts_with(quote) && value.ends_with(quote)
    };
    if has_quotes('"') || has_quotes('\'') { bytes.start + 1..bytes.end - 1 } else { bytes }
}

/// Covers the secrets in the text of a string, by their bytes in the file.
fn secrets_in_string(document: &JsonDocument, string: TokenId, found: &mut Vec<SecretRange>) {
    let bytes = content(document, string);
    let raw = &document.text()[bytes.clone()];
    if !are_possible(raw.as_bytes()) {
        return;
    }
    // A string outside JSON has no escapes, even if it appears to have some.
    let is_escaped = document.kind(string) == JsonKind::EscapedString;
    let (text, places) =
        if is_escaped { unescaped_with_places(raw) } else { (raw.to_owned(), (0..=raw.len()).collect()) };
    for (range, cover) in secrets_in_text(&text) {
        for at in range {
            let is_blank = text.as_bytes()[at].is_ascii_whitespace();
            // A character of several bytes, or an escape, is covered completely at its first byte.
            if !is_blank && text.is_char_boundary(at) {
                let end = (at + 1..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
                let start = bytes.start;
                found.push((start + places[at]..start + places[end], cover));
            }
        }
    }
}

/// Returns the text of a string, and the position of each of its bytes in the raw string; the last entry is the end.
fn unescaped_with_places(raw: &str) -> (String, Vec<usize>) {
    let (mut text, mut places) = (String::with_capacity(raw.len()), Vec::with_capacity(raw.len() + 1));
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw.as_bytes()[at..];
        let length = match rest {
            // The two halves of a character above U+FFFF are one character.
            [b'\\', b'u', b'd' | b'D', b'8'..=b'9' | b'a'..=b'b' | b'A'..=b'B', _, _, b'\\', b'u', ..] => 12,
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => raw[at..].chars().next().map_or(1, char::len_utf8),
        };
        let end = (at + length).min(raw.len());
        unescape_into(&raw[at..end], &mut text);
        places.resize(text.len(), at);
        at = end;
    }
    places.push(raw.len());
    (text, places)
}

#[cfg(test)]
mod tests;
