//! The layout of JSON texts: indentation, separators, escapes, line ends.

use super::{JsonDocument, JsonKind, Limits, TokenId, parse, write_string};
use std::fmt::Write as _;

/// No limits, for texts made from data: the parser itself needs no bound.
pub const UNLIMITED: Limits = Limits { size: u64::MAX, depth: usize::MAX };

/// The layout of a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonStyle {
    /// The indentation of one level; `None` puts everything on one line.
    pub indent: Option<String>,
    /// The end of a line.
    pub line_end: String,
    /// The text after a comma within a line.
    pub after_comma: String,
    /// The text between key and value.
    pub colon: String,
    /// `true` if an array of scalars takes one line in a text of several lines.
    pub flat_arrays: bool,
    /// `true` if each item of the outermost array has its own line, without brackets around them (JSON Lines).
    pub json_lines: bool,
    /// `true` if each item of the arrays in the outermost object has its own line, and the rest of the text is one
    /// line. Karenina's exporter writes results this way as they arrive.
    pub streamed: bool,
    /// `true` if characters outside ASCII are escaped.
    pub ascii: bool,
    /// The text after the last bracket.
    pub end: String,
}

impl Default for JsonStyle {
    /// The style of Karenina's programs: two blanks per level, no line end after the last bracket.
    fn default() -> Self {
        Self {
            indent: Some("  ".to_owned()),
            line_end: "\n".to_owned(),
            after_comma: String::new(),
            colon: ": ".to_owned(),
            flat_arrays: false,
            json_lines: false,
            streamed: false,
            ascii: false,
            end: String::new(),
        }
    }
}

impl JsonStyle {
    /// Puts everything on one line, without blanks.
    pub fn compact() -> Self {
        Self { indent: None, colon: ":".to_owned(), ..Self::default() }
    }

    /// Detects the style of a document from its first lines and its end.
    pub fn from_document(document: &JsonDocument) -> Self {
        let text = document.text();
        let bytes = document.bytes(document.root());
        let end: String =
            text[bytes.end..].chars().take(4).filter(|end| matches!(end, '\n' | '\r')).collect();
        let ascii = text.is_ascii() && has_escape_outside_ascii(text);
        let json_lines = document.is_array(document.root()) && !text[bytes.start..].starts_with('[');
        let mut style = Self { json_lines, ascii, end, ..Self::default() };
        let inner = &text[bytes.start..];
        let blank = |text: &str| text.len() - text.trim_start_matches(BLANKS).len();
        let gap = inner.get(1..).map(|rest| &rest[..blank(rest)]).unwrap_or_default();
        let flat = match gap.rsplit_once('\n') {
            Some((before, indent)) if !json_lines => {
                style.indent = Some(indent.to_owned());
                style.line_end = if before.ends_with('\r') { "\r\n".to_owned() } else { "\n".to_owned() };
                flat_array(document)
            }
            _ => {
                style.indent = None;
                None
            }
        };
        style.flat_arrays = flat.is_some();
        if let Some(key) = tokens(document).find(|&token| is_key_of_text(document, token)) {
            let between = document.bytes(key).end..document.start(document.after(key));
            let between = text.get(between).unwrap_or_default();
            style.colon = between.chars().filter(|character| matches!(character, ' ' | ':')).collect();
        }
        let inner = flat.or_else(|| style.indent.is_none().then(|| second_in_line(document))?);
        let blanks = inner.map(|second| blanks_before(document, second)).unwrap_or_default();
        style.after_comma = blanks.chars().filter(|&blank| blank == ' ').collect();
        style.streamed = style.indent.is_none() && has_streamed_arrays(document);
        style
    }
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns whether the outermost object has arrays, each with a line end after its bracket.
fn has_streamed_arrays(document: &JsonDocument) -> bool {
    let text = document.text();
    let members = document.members(document.root());
    let arrays = members.map(|member| member.value).filter(|&value| document.is_array(value));
    let mut starts = arrays.map(|array| &text[document.start(array)..]).peekable();
    document.is_object(document.root())
        && starts.peek().is_some()
        && starts.all(|start| start.starts_with("[\n"))
}

fn tokens(document: &JsonDocument) -> impl Iterator<Item = TokenId> {
    (0..document.token_count()).map(TokenId::from_index)
}

/// Returns whether a token is a key in the text, which a renamed key is not.
fn is_key_of_text(document: &JsonDocument, token: TokenId) -> bool {
    document.kind(token) == JsonKind::Key && document.start(token) < document.text().len()
}

/// Returns the second item or key of the first container that has two.
fn second_in_line(document: &JsonDocument) -> Option<TokenId> {
    let text_from = |token| document.text().get(document.start(token)..).unwrap_or_default();
    let starts_with = |token, bracket: char| text_from(token).starts_with(bracket);
    tokens(document).find_map(|token| match document.kind(token) {
        JsonKind::Object => {
            let second = document.members(token).nth(1).map(|member| member.key);
            second.filter(|&key| is_key_of_text(document, key))
        }
        // JSON Lines have no brackets around them, and no comma between them.
        JsonKind::Array if starts_with(token, '[') => document.items(token).nth(1),
        _ => None,
    })
}

fn blanks_before(document: &JsonDocument, token: TokenId) -> String {
    let before = document.text().get(..document.start(token)).unwrap_or_default();
    before[before.trim_end_matches(BLANKS).len()..].to_owned()
}

/// Returns the second item of an array on one line, if all arrays of scalars with two items are on one line: the
/// program that wrote the document puts such arrays on one line.
fn flat_array(document: &JsonDocument) -> Option<TokenId> {
    let mut found = None;
    for array in tokens(document).filter(|&token| document.is_array(token)) {
        if !document.items(array).all(|item| document.is_scalar(item)) {
            continue;
        }
        let mut items = document.items(array);
        let Some(first) = items.next() else { continue };
        let lines = document.text().get(document.start(array)..document.start(first)).unwrap_or_default();
        if lines.contains('\n') || items.clone().any(|item| blanks_before(document, item).contains('\n')) {
            return None;
        }
        found = found.or_else(|| items.next());
    }
    found
}

/// Python's `json` escapes this character together with all outside ASCII.
const DELETE: u8 = 0x7f;

fn has_escape_outside_ascii(text: &str) -> bool {
    text.match_indices("\\u").any(|(at, _)| {
        let digits = text.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let is_escape = text[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 0;
        is_escape && digits.is_some_and(|code| code >= u32::from(DELETE))
    })
}

/// Writes JSON in a style.
#[derive(Debug)]
pub struct StyledJson {
    text: String,
    style: JsonStyle,
    /// A line end and the indentation of the deepest level so far.
    lines: String,
    level: usize,
    /// `true` if the innermost container is still empty.
    is_fresh: bool,
    /// `true` if the innermost container is an array on one line.
    is_flat: bool,
    /// The beginning of the last member of the outermost object.
    member: usize,
    /// `true` if an open array has one item per line.
    is_streaming: bool,
}

impl StyledJson {
    /// Starts an empty text.
    pub fn new(style: JsonStyle) -> Self {
        let lines = style.line_end.clone();
        Self {
            text: String::new(),
            style,
            lines,
            level: 0,
            is_fresh: true,
            is_flat: false,
            member: 0,
            is_streaming: false,
        }
    }

    /// Starts a text for some items of an array at a level, either the first items or later ones, for
    /// [`append`](Self::append).
    pub fn inside(style: JsonStyle, level: usize, is_first: bool) -> Self {
        Self { level, is_fresh: is_first, ..Self::new(style) }
    }

    /// Appends such items to the array that is open.
    pub fn append(&mut self, items: &str) {
        self.text.push_str(items);
        self.is_fresh &= items.is_empty();
    }

    /// Reserves room for a text of about `bytes` bytes.
    pub fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes);
    }

    /// Returns the text, with the end that the style asks for.
    pub fn finish(mut self) -> String {
        self.text.push_str(&self.style.end);
        self.text
    }

    /// Begins an object or array with its bracket.
    #[inline]
    pub fn open(&mut self, bracket: char) -> &mut Self {
        if self.level == 1 && self.style.streamed && bracket == '[' {
            self.begin_stream();
        } else if self.level > 0 || !self.style.json_lines {
            self.text.push(bracket);
        }
        self.level += 1;
        self.is_fresh = true;
        self
    }

    /// Begins an array. The style may put an array of scalars on one line.
    #[inline]
    pub fn open_array(&mut self, is_of_scalars: bool) {
        self.open('[');
        self.is_flat = is_of_scalars && self.style.flat_arrays;
    }

    /// Ends an object or array.
    #[inline]
    pub fn close(&mut self, bracket: char) {
        self.level -= 1;
        if self.level == 1 && std::mem::take(&mut self.is_streaming) {
            self.is_fresh = false;
            self.text.push_str(&self.style.line_end);
            self.text.push(bracket);
            return;
        }
        let is_flat = std::mem::take(&mut self.is_flat);
        if !std::mem::take(&mut self.is_fresh) && !is_flat {
            self.line();
        }
        if self.level > 0 || !self.style.json_lines {
            self.text.push(bracket);
        }
    }

    /// Begins an array with one item per line. Its key has no blanks before or after it.
    fn begin_stream(&mut self) {
        let member = self.text.split_off(self.member);
        let comma = if member.starts_with(',') { "," } else { "" };
        let key = member.strip_prefix(',').unwrap_or(&member).trim_start();
        let key = key.strip_suffix(self.style.colon.as_str()).unwrap_or(key);
        for part in [comma, key, ":[", &self.style.line_end] {
            self.text.push_str(part);
        }
        self.is_streaming = true;
    }

    /// Begins a value in an array.
    #[inline]
    pub fn item(&mut self) -> &mut Self {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        if self.level == 1 {
            self.member = self.text.len();
        }
        if self.level == 2 && self.is_streaming {
            for part in [",", &self.style.line_end].iter().filter(|_| !is_fresh) {
                self.text.push_str(part);
            }
            return self;
        }
        if self.level == 1 && self.style.json_lines {
            self.text.push_str(if is_fresh { "" } else { &self.style.line_end });
            return self;
        }
        if !is_fresh {
            self.text.push(',');
            if self.is_flat || self.style.indent.is_none() {
                self.text.push_str(&self.style.after_comma);
            }
        }
        if !self.is_flat {
            self.line();
        }
        self
    }

    /// Begins a member.
    #[inline]
    pub fn key(&mut self, key: &str) -> &mut Self {
        self.item();
        self.string(key);
        self.text.push_str(&self.style.colon);
        self
    }

    /// Begins a member whose key is already JSON.
    #[inline]
    pub fn quoted_key(&mut self, key: &str) {
        self.item();
        self.text.push_str(key);
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

    /// Writes a string.
    #[inline]
    pub fn string(&mut self, value: &str) {
        if self.style.ascii && !value.bytes().all(|byte| byte < DELETE) {
            write_ascii(value, &mut self.text);
        } else {
            write_string(value, &mut self.text);
        }
    }

    /// Writes a scalar as given.
    #[inline]
    pub fn scalar(&mut self, json: &str) {
        self.text.push_str(json);
    }

    /// Writes a JSON text in the style; returns `false` and writes nothing if the text is not JSON. A text that nests
    /// deeper than the default limit for documents keeps its layout.
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

    /// Writes a value of a document; scalars are copied as the document spells them.
    ///
    /// Recurses by level; the parser limits the depth.
    pub fn json(&mut self, document: &JsonDocument, value: TokenId) {
        match document.kind(value) {
            JsonKind::Object => {
                self.open('{');
                for member in document.members(value) {
                    self.quoted_key(document.raw(member.key));
                    self.json(document, member.value);
                }
                self.close('}');
            }
            JsonKind::Array => {
                let is_of_scalars = || document.items(value).all(|item| document.is_scalar(item));
                self.open_array(self.style.flat_arrays && is_of_scalars());
                for item in document.items(value) {
                    self.item();
                    self.json(document, item);
                }
                self.close(']');
            }
            _ => self.text.push_str(&document.scalar_json(value)),
        }
    }
}

/// Appends a string with every character outside ASCII as `\uXXXX`, as Python's `json` does.
fn write_ascii(value: &str, json: &mut String) {
    let mut escaped = String::new();
    write_string(value, &mut escaped);
    for character in escaped.chars() {
        if character.is_ascii() && character != char::from(DELETE) {
            json.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(json, "\\u{unit:04x}");
        }
    }
}
