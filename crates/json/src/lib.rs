//! JSON (RFC 8259) with places: a flat list of tokens over the text. Every key and value knows the byte where it
//! begins.
//!
//! Keys are interned once per document as [`KeySymbol`]s, so a caller looks up the meaning of each distinct key only
//! once. Line, column and JSON Pointer are computed when a message needs them. Numbers keep their lexical form. All
//! texts are laid out by [`StyledJson`].

mod around;
mod block;
pub mod canonical;
mod composer;
mod far_values;
mod graft;
mod json_fault;
mod json_string;
mod json_token;
mod line_form;
mod list_pieces;
mod long_containers;
mod longest_list;
pub mod minified;
pub mod number;
mod parse;
mod record_reader;
mod style;
mod text_encoding;

pub use composer::{ComposedConstant, ComposedKey, DocumentComposer};
pub use graft::grafted;
pub use json_string::{quoted, unescape_into, write_string};
pub use line_form::LineForm;
pub use list_pieces::{ListFrame, ListHead, ListPiece, ListReader, ListText};
pub use longest_list::longest_list;
pub use parse::{EmbeddedJson, LARGEST_DOCUMENT, Limits, parse, parse_embedded, parse_lines};
pub use record_reader::{RecordBatch, RecordReader, RecordsIn};
pub use style::UNLIMITED;
pub use style::{JsonStyle, StyledJson};
pub use text_encoding::{TextEncoding, decode, decode_as, encode_like};

use evalgraph_diagnostics::{FilePiece, FilePosition, LineIndex, SourcePlace, SourceText, TableCells};
pub use json_token::{JsonKind, JsonMember, KeySymbol, TokenId};
use long_containers::LongContainers;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[derive(Debug, Clone, Copy)]
struct JsonToken {
    /// The first byte in the text. For a string or key, that is the quote.
    start: u32,
    /// Strings and numbers: bytes of the content. Arrays and objects: the token after the last
    /// inner one. Keys: the symbol.
    payload: u32,
    kind: JsonKind,
}

#[derive(Debug)]
enum SymbolText {
    Plain(Range<u32>),
    Unescaped(Box<str>),
}

/// A distinct key.
#[derive(Debug)]
struct DistinctKey {
    text: SymbolText,
    last: TokenId,
}

/// Two equal keys in one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The key that is replaced.
    pub replaced: TokenId,
    /// The key that counts.
    pub kept: TokenId,
}

/// A parsed JSON text.
#[derive(Debug)]
pub struct JsonDocument {
    name: Arc<str>,
    /// Shared with the documents that are composed over it.
    text: Arc<String>,
    /// The text after it, if the document was composed over another one.
    tail: String,
    tokens: Vec<JsonToken>,
    symbols: Vec<DistinctKey>,
    duplicate_keys: Vec<DuplicateKey>,
    /// How many bytes of the text the user has written. The text after them was made from these.
    written: usize,
    /// The values that were made from other bytes, sorted by where they begin; shared like the text.
    origins: Arc<Vec<ValueOrigin>>,
    /// The place of the document in a larger file.
    part: FilePart,
    /// The lines of the text, for places.
    lines: Arc<LineIndex>,
    /// The long containers, for pointers.
    long: LongContainers,
}

/// The place of a document in a larger file.
#[derive(Debug, Clone, Default)]
struct FilePart {
    /// The pieces of the file that the text consists of; empty if the text is the file.
    pieces: Vec<FilePiece>,
    /// The list whose items are a part of a longer list in the file.
    list: Option<ListPart>,
    /// `true` if the text was made from the file, so its places have no counterpart in the file.
    is_made: bool,
    /// The cells that the text was written from, if the file is a sheet.
    cells: Option<Arc<TableCells>>,
}

/// A list whose items are a part of a longer list in the file.
#[derive(Debug, Clone)]
struct ListPart {
    /// Its JSON Pointer in the document.
    here: String,
    /// Its JSON Pointer in the file.
    in_file: String,
    /// The index of its first item in the file.
    first: u64,
}

impl ListPart {
    /// Translates a JSON Pointer of the document to the file.
    fn moved(&self, pointer: String) -> String {
        let Some(rest) = pointer.strip_prefix(&self.here) else { return pointer };
        let Some(item) = rest.strip_prefix('/') else {
            return if rest.is_empty() { self.in_file.clone() } else { pointer };
        };
        let (index, rest) = item.find('/').map_or((item, ""), |at| item.split_at(at));
        let index: Result<u64, _> = index.parse();
        let index = index.map_or(self.first, |index| index + self.first);
        format!("{}/{index}{rest}", self.in_file)
    }
}

/// The origin of a value or key that was made from other bytes of the text.
#[derive(Debug, Clone)]
struct ValueOrigin {
    /// The beginning of the value or key.
    start: u32,
    /// The bytes that it was made from.
    bytes: Range<u32>,
}

impl JsonDocument {
    /// Returns the name that messages use: a path as given, `-`, or a URL.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text that the user has written, without text that was made from it and added after it.
    pub fn written_text(&self) -> &str {
        &self.text[..self.written]
    }

    /// The outermost value.
    pub fn root(&self) -> TokenId {
        TokenId(0)
    }

    /// Returns the number of keys and values; the index of each is below it.
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// Every pair of equal keys in one object, in document order.
    pub fn duplicate_keys(&self) -> &[DuplicateKey] {
        &self.duplicate_keys
    }

    /// Returns the number of distinct keys.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Returns every distinct key, in order of first occurrence.
    pub fn symbols(&self) -> impl Iterator<Item = KeySymbol> {
        (0..self.symbols.len() as u32).map(KeySymbol)
    }

    /// Returns the text of a distinct key, unescaped.
    pub fn symbol_text(&self, symbol: KeySymbol) -> &str {
        match &self.symbols[symbol.index()].text {
            SymbolText::Plain(range) => &self.text[range.start as usize..range.end as usize],
            SymbolText::Unescaped(text) => text,
        }
    }

    /// Returns the last key token of a distinct key.
    pub fn last_key(&self, symbol: KeySymbol) -> TokenId {
        self.symbols[symbol.index()].last
    }

    /// Returns the distinct key with this text, if the document has one.
    ///
    /// Cost: a pass over the distinct keys.
    pub fn find_symbol(&self, text: &str) -> Option<KeySymbol> {
        (0..self.symbols.len() as u32).map(KeySymbol).find(|&symbol| self.symbol_text(symbol) == text)
    }

    /// Returns the kind of a token.
    #[inline]
    pub fn kind(&self, token: TokenId) -> JsonKind {
        self.tokens[token.index()].kind
    }

    /// Returns whether a value is a string.
    #[inline]
    pub fn is_string(&self, value: TokenId) -> bool {
        matches!(self.kind(value), JsonKind::String | JsonKind::EscapedString)
    }

    /// Returns whether a value is an object.
    #[inline]
    pub fn is_object(&self, value: TokenId) -> bool {
        self.kind(value) == JsonKind::Object
    }

    /// Returns whether a value is an array.
    #[inline]
    pub fn is_array(&self, value: TokenId) -> bool {
        self.kind(value) == JsonKind::Array
    }

    /// Returns whether a value is neither an array nor an object.
    #[inline]
    pub fn is_scalar(&self, value: TokenId) -> bool {
        !self.is_array(value) && !self.is_object(value)
    }

    /// Returns the token after a value and everything in it.
    #[inline]
    pub fn after(&self, value: TokenId) -> TokenId {
        let token = self.tokens[value.index()];
        match token.kind {
            JsonKind::Array | JsonKind::Object => TokenId(token.payload),
            _ => TokenId(value.0 + 1),
        }
    }

    /// Returns the distinct key of a key token.
    ///
    /// # Panics
    /// If the token is not a key.
    #[inline]
    pub fn symbol(&self, key: TokenId) -> KeySymbol {
        let token = self.tokens[key.index()];
        assert!(matches!(token.kind, JsonKind::Key | JsonKind::ReplacedKey), "only keys have symbols");
        KeySymbol(token.payload)
    }

    /// Returns the text of a string or key, unescaped; `None` for other tokens.
    #[inline]
    pub fn string(&self, token: TokenId) -> Option<Cow<'_, str>> {
        match self.kind(token) {
            JsonKind::String => Some(Cow::Borrowed(self.raw_content(token))),
            JsonKind::EscapedString => {
                let mut text = String::new();
                unescape_into(self.raw_content(token), &mut text);
                Some(Cow::Owned(text))
            }
            JsonKind::Key | JsonKind::ReplacedKey => {
                Some(Cow::Borrowed(self.symbol_text(self.symbol(token))))
            }
            _ => None,
        }
    }

    /// Returns the text of a string without escapes; `None` for other tokens.
    #[inline]
    pub fn plain_string(&self, value: TokenId) -> Option<&str> {
        (self.kind(value) == JsonKind::String).then(|| self.raw_content(value))
    }

    /// Returns the text of a string or key, unescaped into `buffer` if necessary.
    ///
    /// # Panics
    /// If the token is neither a string nor a key.
    #[inline]
    pub fn string_with<'a>(&'a self, token: TokenId, buffer: &'a mut String) -> &'a str {
        match self.kind(token) {
            JsonKind::String => self.raw_content(token),
            JsonKind::EscapedString => {
                buffer.clear();
                unescape_into(self.raw_content(token), buffer);
                buffer
            }
            _ => self.symbol_text(self.symbol(token)),
        }
    }

    /// Returns the lexical form of a number; `None` for other tokens.
    pub fn number(&self, value: TokenId) -> Option<&str> {
        (self.kind(value) == JsonKind::Number).then(|| self.raw_content(value))
    }

    #[inline]
    fn raw_content(&self, token: TokenId) -> &str {
        let JsonToken { start, payload, kind } = self.tokens[token.index()];
        let quote = usize::from(kind != JsonKind::Number);
        let (text, start) = self.text_at(start as usize);
        &text[start + quote..start + quote + payload as usize]
    }

    /// Returns the text that contains a byte, and the byte's offset in it.
    #[inline]
    fn text_at(&self, start: usize) -> (&str, usize) {
        match start.checked_sub(self.text.len()) {
            Some(behind) if !self.tail.is_empty() => (&self.tail, behind),
            _ => (&self.text, start),
        }
    }

    /// Returns the members of an object in document order, without replaced keys. Other values have none.
    #[inline]
    pub fn members(&self, object: TokenId) -> JsonObjectMembers<'_> {
        JsonObjectMembers {
            document: self,
            at: TokenId(object.0 + 1),
            end: self.end_of(object, JsonKind::Object),
        }
    }

    /// Returns the items of an array. Other values have none.
    #[inline]
    pub fn items(&self, array: TokenId) -> JsonArrayItems<'_> {
        JsonArrayItems { document: self, at: TokenId(array.0 + 1), end: self.end_of(array, JsonKind::Array) }
    }

    fn end_of(&self, value: TokenId, kind: JsonKind) -> TokenId {
        let token = self.tokens[value.index()];
        TokenId(if token.kind == kind { token.payload } else { 0 })
    }

    /// Returns the value of a member, found by a pass over the keys.
    pub fn get(&self, object: TokenId, key: &str) -> Option<TokenId> {
        self.member_of(object, key)
    }

    /// Returns the bytes of a token: a string or key with its quotes, an array or object with its brackets.
    pub fn bytes(&self, token: TokenId) -> Range<usize> {
        let JsonToken { start, payload, kind } = self.tokens[token.index()];
        let start = start as usize;
        let length = match kind {
            JsonKind::Null | JsonKind::True => 4,
            JsonKind::False => 5,
            JsonKind::Number => payload as usize,
            // In a text that is not JSON, a string may have no quotes. Then only its content counts.
            JsonKind::String | JsonKind::EscapedString if self.byte_at(start) != b'"' => {
                return start + 1..start + 1 + payload as usize;
            }
            JsonKind::String | JsonKind::EscapedString => payload as usize + 2,
            JsonKind::Key | JsonKind::ReplacedKey => {
                let (text, start) = self.text_at(start);
                json_string::string_length(&text[start..])
            }
            JsonKind::Array | JsonKind::Object => {
                let bytes = self.text.as_bytes();
                let last = payload as usize - 1;
                let is_empty = last == token.index();
                let inner_end = match self.outermost_last(token) {
                    _ if is_empty => start + 1,
                    last => self.bytes(TokenId::from_index(last)).end,
                };
                match bytes.get(start) {
                    Some(b'[' | b'{') => {
                        let rest = bytes.get(inner_end..).unwrap_or_default();
                        let closing = rest.iter().position(|byte| matches!(byte, b']' | b'}'));
                        inner_end - start + closing.map_or(0, |at| at + 1)
                    }
                    // Several texts that are read as one array have no brackets around them.
                    _ if is_empty => 0,
                    _ => inner_end - start,
                }
            }
        };
        start..start + length
    }

    /// Returns the last direct value of a container that is not empty.
    fn outermost_last(&self, container: TokenId) -> usize {
        let mut last = container;
        if self.is_object(container) {
            for member in self.members_with_replaced(container) {
                last = member.value;
            }
        } else {
            for item in self.items(container) {
                last = item;
            }
        }
        last.index()
    }

    fn members_with_replaced(&self, object: TokenId) -> impl Iterator<Item = JsonMember> + '_ {
        let end = self.end_of(object, JsonKind::Object);
        let mut at = TokenId(object.0 + 1);
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let key = at;
                let value = TokenId(key.0 + 1);
                at = self.after(value);
                JsonMember { key, value, symbol: self.symbol(key) }
            })
        })
    }

    fn byte_at(&self, start: usize) -> u8 {
        let (text, start) = self.text_at(start);
        text.as_bytes()[start]
    }

    /// Returns the text of a value as the document has it.
    pub fn raw(&self, value: TokenId) -> &str {
        match self.kind(value) {
            // A text that is not JSON may have other words for these values.
            JsonKind::Null => return "null",
            JsonKind::True => return "true",
            JsonKind::False => return "false",
            _ => {}
        }
        let bytes = self.bytes(value);
        let (text, start) = self.text_at(bytes.start);
        // A composed value has no text of its own in the document.
        text.get(start..start + bytes.len()).unwrap_or_default()
    }

    /// Returns a scalar as JSON: as the document has it, or with quotes added if it is a string without quotes.
    pub fn scalar_json(&self, scalar: TokenId) -> Cow<'_, str> {
        match self.is_bare(scalar) {
            true => Cow::Owned(quoted(self.raw(scalar))),
            false => Cow::Borrowed(self.raw(scalar)),
        }
    }

    /// Returns whether a value is a string without quotes, from a text that is not JSON.
    pub fn is_bare(&self, value: TokenId) -> bool {
        self.is_string(value) && self.byte_at(self.tokens[value.index()].start as usize) != b'"'
    }

    /// Returns the first byte of a token.
    pub fn start(&self, token: TokenId) -> usize {
        self.tokens[token.index()].start as usize
    }

    /// Overwrites each byte of some ranges of the text with the byte given for the range. The ranges must lie inside
    /// strings and numbers.
    ///
    /// # Panics
    /// If the result is not UTF-8. The ranges must consist of whole characters, and the bytes must be ASCII.
    pub fn overwrite(&mut self, ranges: impl IntoIterator<Item = (Range<usize>, u8)>) {
        // If another document shares the text, it keeps the old one.
        let mut bytes = Arc::unwrap_or_clone(std::mem::take(&mut self.text)).into_bytes();
        for (range, byte) in ranges {
            bytes[range].fill(byte);
        }
        let text = String::from_utf8(bytes).expect("whole characters were overwritten");
        self.text = Arc::new(text);
    }

    /// Returns the position in the file of a byte of the text.
    fn position(&self, at: usize) -> FilePosition {
        match self.part.pieces.iter().rev().find(|piece| piece.at <= at) {
            Some(piece) => piece.position.after(&self.text.as_bytes()[piece.at..at]),
            None => FilePosition::START.after(&self.text.as_bytes()[..at]),
        }
    }

    /// Marks the text as made from the file that names the document. All its places are then the file as a whole.
    #[must_use]
    pub fn made_of_file(mut self) -> Self {
        self.part.is_made = true;
        self
    }

    /// Returns whether the text is that of the whole file: not a part of it, and not made from it.
    pub fn is_whole_file(&self) -> bool {
        self.part.pieces.is_empty() && !self.part.is_made && self.part.cells.is_none()
    }

    /// Sets the cells of the sheet that the text was written from. Places then name the cells.
    #[must_use]
    pub fn of_cells(mut self, cells: Option<Arc<TableCells>>) -> Self {
        self.part.cells = cells;
        self
    }

    /// Returns the text as a source of places.
    pub fn source_text(&self) -> SourceText<'_> {
        if self.part.is_made {
            return SourceText::new(Arc::clone(&self.name), b"");
        }
        let text = SourceText::new(Arc::clone(&self.name), self.text.as_bytes());
        text.with_lines(&self.lines).cut_out(&self.part.pieces).of_cells(self.part.cells.as_deref())
    }

    /// Returns the place of a token with its JSON Pointer. The first call costs a pass over the text.
    pub fn place(&self, token: TokenId) -> SourcePlace {
        self.place_in(&self.source_text(), token)
    }

    /// Returns the place of a token in a text, with its JSON Pointer.
    pub fn place_in(&self, source: &SourceText<'_>, token: TokenId) -> SourcePlace {
        if self.part.is_made {
            return source.place(0..0);
        }
        source.place(self.marked(token)).with_pointer(self.pointer(token))
    }

    /// Returns the bytes that a message marks for a token.
    pub fn marked(&self, token: TokenId) -> Range<usize> {
        if let Some(origin) = self.origin(token) {
            return origin;
        }
        match self.kind(token) {
            // A container is marked at its bracket, because it may be the whole document.
            JsonKind::Array | JsonKind::Object => self.start(token)..self.start(token) + 1,
            _ => self.bytes(token),
        }
    }

    /// Returns the bytes from which a token was made, if the user has not written its text.
    pub fn origin(&self, token: TokenId) -> Option<Range<usize>> {
        if self.origins.is_empty() {
            return None;
        }
        let start = self.tokens[token.index()].start + u32::from(self.is_bare(token));
        let found = self.origins.binary_search_by_key(&start, |origin| origin.start).ok()?;
        let bytes = &self.origins[found].bytes;
        Some(bytes.start as usize..bytes.end as usize)
    }

    /// Sets the bytes from which each token was made. All of them lie before the outermost value.
    pub fn with_origins(mut self, origins: Vec<Range<u32>>) -> Self {
        self.written = self.start(self.root()).saturating_sub(1);
        let starts = self.tokens.iter().map(|token| token.start);
        self.origins =
            Arc::new(starts.zip(origins).map(|(start, bytes)| ValueOrigin { start, bytes }).collect());
        self
    }

    /// Returns the JSON Pointer (RFC 6901) of a value, or of the member that a key begins. If the document is a part of
    /// a file, the pointer refers to the file.
    ///
    /// Cost: a walk from the root along the first siblings of every level, and a search among the others.
    pub fn pointer(&self, token: TokenId) -> String {
        let pointer = self.pointer_below(self.root(), token);
        match &self.part.list {
            Some(list) => list.moved(pointer),
            None => pointer,
        }
    }

    /// Returns the JSON Pointer of a value or member, relative to a container that it lies in.
    ///
    /// Cost: a walk from that container along the first siblings of every level, and a search among the others.
    pub fn pointer_below(&self, container: TokenId, token: TokenId) -> String {
        let mut pointer = String::new();
        let mut container = container;
        while container != token {
            let Some((index, value)) = self.value_around(container, token) else { break };
            if self.is_object(container) {
                let key = TokenId(value.0 - 1);
                pointer.push('/');
                let name = self.symbol_text(self.symbol(key));
                match name.contains(['~', '/']) {
                    true => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                    false => pointer.push_str(name),
                }
                if token == key {
                    break;
                }
            } else {
                let _ = write!(pointer, "/{index}");
            }
            container = value;
        }
        pointer
    }
}

/// The members of an object.
#[derive(Debug, Clone)]
pub struct JsonObjectMembers<'d> {
    document: &'d JsonDocument,
    at: TokenId,
    end: TokenId,
}

impl Iterator for JsonObjectMembers<'_> {
    type Item = JsonMember;

    #[inline]
    fn next(&mut self) -> Option<JsonMember> {
        while self.at < self.end {
            let key = self.at;
            let value = TokenId(key.0 + 1);
            self.at = self.document.after(value);
            let token = self.document.tokens[key.index()];
            if token.kind == JsonKind::Key {
                return Some(JsonMember { key, symbol: KeySymbol(token.payload), value });
            }
        }
        None
    }
}

/// The items of an array.
#[derive(Debug, Clone)]
pub struct JsonArrayItems<'d> {
    document: &'d JsonDocument,
    at: TokenId,
    end: TokenId,
}

impl Iterator for JsonArrayItems<'_> {
    type Item = TokenId;

    #[inline]
    fn next(&mut self) -> Option<TokenId> {
        (self.at < self.end).then(|| {
            let item = self.at;
            self.at = self.document.after(item);
            item
        })
    }
}
