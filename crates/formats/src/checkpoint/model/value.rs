//! The values of a checkpoint and their places.

use evalgraph_diagnostics::SourcePlace;
use evalgraph_json::minified::write_compact;
use evalgraph_json::{JsonDocument, JsonKind, TokenId, quoted, unescape_into, write_string};
use std::borrow::Cow;
use std::fmt;

/// The place of a part of a checkpoint: a value of a document.
#[derive(Clone, Copy)]
pub struct TokenOrigin<'d> {
    /// The document.
    pub document: &'d JsonDocument,
    /// The value in it.
    pub token: TokenId,
}

impl<'d> TokenOrigin<'d> {
    /// The value.
    pub(in crate::checkpoint) fn value(&self) -> PlacedValue<'d> {
        PlacedValue::at(self.document, self.token)
    }

    /// Returns the text of the value as written.
    pub(in crate::checkpoint) fn raw(&self) -> &'d str {
        self.document.raw(self.token)
    }

    /// Returns the place with line, column and JSON Pointer. Cost: a pass over the text.
    pub fn place(&self) -> SourcePlace {
        self.document.place(self.token)
    }
}

impl fmt::Debug for TokenOrigin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.document.name(), self.token.index())
    }
}

/// A JSON value with its place.
///
/// Its text has no white space between tokens and no needless escapes; otherwise it is as in the file: keys keep their
/// order, numbers their spelling. Two values are equal if their texts are equal, whatever their places.
///
/// Other methods are in `metadata.rs`.
#[derive(Debug, Clone)]
pub struct PlacedValue<'d> {
    json: Cow<'d, str>,
    /// Its place; for a value inside a JSON string, the place of the string.
    pub origin: TokenOrigin<'d>,
}

impl PartialEq for PlacedValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Eq for PlacedValue<'_> {}

impl<'d> PlacedValue<'d> {
    /// Makes a value of a token of a document.
    pub fn at(document: &'d JsonDocument, token: TokenId) -> Self {
        Self { json: json_of(document, token), origin: TokenOrigin { document, token } }
    }

    /// Makes a string value.
    pub fn text(text: &str, origin: TokenOrigin<'d>) -> Self {
        Self { json: Cow::Owned(quoted(text)), origin }
    }

    /// Makes a value of a string, which must be valid JSON.
    pub fn json(json: impl Into<Cow<'d, str>>, origin: TokenOrigin<'d>) -> Self {
        Self { json: json.into(), origin }
    }

    /// Returns the value as JSON.
    pub fn as_json(&self) -> &str {
        &self.json
    }

    /// Returns the text of a string, or `None` for other values.
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        let content = self.json.strip_prefix('"')?.strip_suffix('"')?;
        if !content.contains('\\') {
            return Some(Cow::Borrowed(content));
        }
        let mut text = String::with_capacity(content.len());
        unescape_into(content, &mut text);
        Some(Cow::Owned(text))
    }

    /// Returns the text of a string, and any other value as JSON.
    pub fn shown(&self) -> Cow<'_, str> {
        self.as_str().unwrap_or(Cow::Borrowed(&self.json))
    }

    /// Returns the value as a number. As in Karenina's reader, strings and booleans are converted.
    pub fn as_f64(&self) -> Option<f64> {
        match self.as_json() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            _ => self.shown().trim().parse().ok().filter(|number: &f64| number.is_finite()),
        }
    }

    /// Returns whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.json == "null"
    }

    /// Returns whether it is an array.
    pub fn is_array(&self) -> bool {
        self.json.starts_with('[')
    }

    /// Returns whether it is an object.
    pub fn is_object(&self) -> bool {
        self.json.starts_with('{')
    }

    /// Returns whether it is the string `text`.
    pub fn is_text(&self, text: &str) -> bool {
        self.as_str().is_some_and(|own| own == text)
    }
}

/// Returns the text of a value without white space and needless escapes.
fn json_of(document: &JsonDocument, token: TokenId) -> Cow<'_, str> {
    match document.kind(token) {
        JsonKind::EscapedString if has_only_short_escapes(document.raw(token)) => {
            Cow::Borrowed(document.raw(token))
        }
        JsonKind::Array
        | JsonKind::Object
        | JsonKind::EscapedString
        | JsonKind::Key
        | JsonKind::ReplacedKey => {
            let mut json = String::new();
            write_value(document, token, &mut json);
            Cow::Owned(json)
        }
        _ => Cow::Borrowed(document.raw(token)),
    }
}

/// Returns whether a string has only the escapes that the writer of strings uses.
fn has_only_short_escapes(json: &str) -> bool {
    let bytes = json.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        // The parser guarantees that a character follows.
        if !matches!(bytes.get(at + found + 1), Some(b'"' | b'\\' | b'n' | b'r' | b't' | b'b' | b'f')) {
            return false;
        }
        at += found + 2;
    }
    true
}

/// Appends the text of a value without white space and needless escapes. If a key is repeated, only its last value is
/// written.
pub fn write_value(document: &JsonDocument, value: TokenId, json: &mut String) {
    write_compact(document, value, json, &|token, json| match document.kind(token) {
        JsonKind::EscapedString | JsonKind::Key | JsonKind::ReplacedKey => {
            write_string(&document.string(token).unwrap_or_default(), json);
        }
        _ => json.push_str(document.raw(token)),
    });
}
