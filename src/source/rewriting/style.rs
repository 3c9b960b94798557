//! How JSON is laid out: indentation, separators, escapes, line ends.

use crate::json::{Document, Kind, Limits, TokenId, parse, write_string};
use std::fmt::Write as _;

/// For texts that stand in the data: the parser itself needs no bound.
pub(super) const UNLIMITED: Limits = Limits { size: u64::MAX, depth: usize::MAX };

/// How a document is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// What one level is indented by; none puts everything on one line.
    pub indent: Option<String>,
    /// What ends a line.
    pub line_end: String,
    /// What stands behind a comma where everything is on one line.
    pub after_comma: String,
    /// What stands between key and value.
    pub colon: String,
    /// Whether characters outside of ASCII are escaped.
    pub ascii: bool,
    /// What follows the last bracket.
    pub end: String,
}

impl Default for Style {
    /// As Karenina's programs write: two blanks a level, no line end behind the last bracket.
    fn default() -> Self {
        Self {
            indent: Some("  ".to_owned()),
            line_end: "\n".to_owned(),
            after_comma: String::new(),
            colon: ": ".to_owned(),
            ascii: false,
            end: String::new(),
        }
    }
}

impl Style {
    /// Everything on one line, without blanks.
    pub fn compact() -> Self {
        Self { indent: None, colon: ":".to_owned(), ..Self::default() }
    }

    /// The style of a document, as its first lines and its end show it.
    pub fn of(document: &Document) -> Self {
        let text = document.text();
        let bytes = document.bytes(document.root());
        let end: String =
            text[bytes.end..].chars().take(4).filter(|end| matches!(end, '\n' | '\r')).collect();
        let ascii = text.is_ascii() && has_escape_outside_ascii(text);
        let mut style = Self { ascii, end, ..Self::default() };
        let inner = &text[bytes.start..];
        let blank = |text: &str| text.len() - text.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let gap = inner.get(1..).map(|rest| &rest[..blank(rest)]).unwrap_or_default();
        match gap.rsplit_once('\n') {
            Some((before, indent)) => {
                style.indent = Some(indent.to_owned());
                style.line_end = if before.ends_with('\r') { "\r\n".to_owned() } else { "\n".to_owned() };
            }
            None => style.indent = None,
        }
        let items = document.items(document.root()).next();
        if let Some(first) = document.members(items.unwrap_or(document.root())).next() {
            let between = &text[document.bytes(first.key).end..document.start(first.value)];
            style.colon = between.chars().filter(|character| matches!(character, ' ' | ':')).collect();
            let after = &text[document.bytes(first.value).end..];
            let is_spaced = after.trim_start().starts_with(", ") && style.indent.is_none();
            style.after_comma = if is_spaced { " ".to_owned() } else { String::new() };
        }
        style
    }
}

fn has_escape_outside_ascii(text: &str) -> bool {
    text.match_indices("\\u").any(|(at, _)| {
        let digits = text.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let is_escape = text[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 0;
        is_escape && digits.is_some_and(|code| code >= 0x80)
    })
}

/// Writes JSON in a style.
#[derive(Debug)]
pub struct StyledJson {
    text: String,
    style: Style,
    /// A line end and the indentation of the deepest level so far.
    lines: String,
    level: usize,
    /// Nothing stands in the innermost container yet.
    is_fresh: bool,
}

impl StyledJson {
    /// An empty text.
    pub fn new(style: Style) -> Self {
        let lines = style.line_end.clone();
        Self { text: String::new(), style, lines, level: 0, is_fresh: true }
    }

    /// Makes room for a text of about that length.
    pub fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes);
    }

    /// The text, with what ends it.
    pub fn finish(mut self) -> String {
        self.text.push_str(&self.style.end);
        self.text
    }

    /// Begins an object or array with its bracket.
    #[inline]
    pub fn open(&mut self, bracket: char) {
        self.text.push(bracket);
        self.level += 1;
        self.is_fresh = true;
    }

    /// Ends an object or array.
    #[inline]
    pub fn close(&mut self, bracket: char) {
        self.level -= 1;
        if !std::mem::take(&mut self.is_fresh) {
            self.line();
        }
        self.text.push(bracket);
    }

    /// Begins a value in an array.
    #[inline]
    pub fn item(&mut self) {
        if !std::mem::take(&mut self.is_fresh) {
            self.text.push(',');
            if self.style.indent.is_none() {
                self.text.push_str(&self.style.after_comma);
            }
        }
        self.line();
    }

    /// Begins a member.
    #[inline]
    pub fn key(&mut self, key: &str) {
        self.item();
        self.string(key);
        self.text.push_str(&self.style.colon);
    }

    #[inline]
    fn line(&mut self) {
        let Some(indent) = &self.style.indent else { return };
        let length = self.style.line_end.len() + self.level * indent.len();
        while self.lines.len() < length {
            self.lines.push_str(indent);
        }
        self.text.push_str(&self.lines[..length]);
    }

    /// A string.
    #[inline]
    pub fn string(&mut self, value: &str) {
        if self.style.ascii && !value.is_ascii() {
            write_ascii(value, &mut self.text);
        } else {
            write_string(value, &mut self.text);
        }
    }

    /// A scalar as it is to stand.
    #[inline]
    pub fn scalar(&mut self, json: &str) {
        self.text.push_str(json);
    }

    /// A JSON text; false where it is none, and nothing is written. What nests deeper than documents do by
    /// default is not laid out anew.
    pub fn json_text(&mut self, json: &str) -> bool {
        if let Ok(document) = parse("value", json.to_owned(), Limits::default()) {
            self.json(&document, document.root());
            return true;
        }
        let is_json = parse("value", json.to_owned(), UNLIMITED).is_ok();
        if is_json {
            self.text.push_str(json);
        }
        is_json
    }

    /// A value of a document; its scalars are copied as they are written there.
    ///
    /// Recurses by level; the parser limits the depth.
    pub fn json(&mut self, document: &Document, value: TokenId) {
        match document.kind(value) {
            Kind::Object => {
                self.open('{');
                for member in document.members(value) {
                    self.item();
                    self.text.push_str(document.raw(member.key));
                    self.text.push_str(&self.style.colon);
                    self.json(document, member.value);
                }
                self.close('}');
            }
            Kind::Array => {
                self.open('[');
                for item in document.items(value) {
                    self.item();
                    self.json(document, item);
                }
                self.close(']');
            }
            _ => self.text.push_str(document.raw(value)),
        }
    }
}

/// Appends a string with everything outside of ASCII as `\uXXXX`, as Python's `json` does.
fn write_ascii(value: &str, json: &mut String) {
    let mut escaped = String::new();
    write_string(value, &mut escaped);
    for character in escaped.chars() {
        if character.is_ascii() {
            json.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string does not fail.
            let _ = write!(json, "\\u{unit:04x}");
        }
    }
}
