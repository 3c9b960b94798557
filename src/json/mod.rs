//! JSON (RFC 8259) with places: a flat token list over the text, in which every key and value
//! knows the byte where it begins.
//!
//! Keys are interned once per document as [`Symbol`]s, so that whoever maps keys to meanings does
//! it once per distinct key. Line, column and JSON Pointer are worked out when a message needs
//! them. Numbers keep their lexical form. Texts are laid out in one place, [`StyledJson`].

mod block;
pub mod canonical;
mod composer;
mod encoding;
mod far_values;
mod list_pieces;
mod long_containers;
mod longest_list;
pub mod minified;
pub mod number;
mod parse;
mod records;
mod string;
mod style;
mod token;

pub use composer::{ComposedKey, Composer, Constant};
pub use encoding::{Encoding, decode, decode_as};
pub use list_pieces::{ListFrame, ListHead, ListPiece, ListReader, ListText};
pub use longest_list::longest_list;
pub use parse::{LARGEST_DOCUMENT, Limits, Parts, parse, parse_embedded, parse_lines};
pub use records::{RecordBatch, RecordReader, RecordsIn};
pub use string::{quoted, unescape_into, write_string};
pub(crate) use style::UNLIMITED;
pub use style::{Style, StyledJson};

use crate::diagnostic::{LineIndex, Piece, Place, Position, SourceText};
use long_containers::LongContainers;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
pub use token::{Kind, Member, Symbol, TokenId};

#[derive(Debug, Clone, Copy)]
struct Token {
    /// The first byte in the text; at a string or key, of the quote.
    start: u32,
    /// Strings and numbers: bytes of the content. Arrays and objects: the token after the last
    /// inner one. Keys: the symbol.
    payload: u32,
    kind: Kind,
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
    /// The key that counts no more.
    pub replaced: TokenId,
    /// The key that counts.
    pub kept: TokenId,
}

/// A parsed JSON text.
#[derive(Debug)]
pub struct Document {
    name: Arc<str>,
    /// Shared with what is composed over it.
    text: Arc<String>,
    /// What stands behind the text, of a document that was composed over another.
    tail: String,
    tokens: Vec<Token>,
    symbols: Vec<DistinctKey>,
    duplicate_keys: Vec<DuplicateKey>,
    /// How much of the text a person has written; what was made of it stands behind.
    written: usize,
    /// By where they begin, values that were made of others; shared like the text.
    origins: Arc<Vec<Origin>>,
    /// Where it stands in a file, of which it is a part.
    part: FilePart,
    /// The lines of the text, for places.
    lines: Arc<LineIndex>,
    /// The long containers, for pointers.
    long: LongContainers,
}

/// Tells where a document stands in a larger file.
#[derive(Debug, Clone, Default)]
struct FilePart {
    /// Which pieces of the file the text consists of; none where it is the file.
    pieces: Vec<Piece>,
    /// The list whose items are those of a longer one.
    list: Option<ListPart>,
    /// Whether the text was made of the file, so that nothing in it has a place there.
    is_made: bool,
}

/// A list whose items are those of a longer one in the file, from some item on.
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
    /// A pointer of the document as one of the file.
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

/// Tells where a value or key comes from that was made of what a person has written.
#[derive(Debug, Clone)]
struct Origin {
    /// Where it begins.
    start: u32,
    /// The bytes that it was made of.
    bytes: Range<u32>,
}

impl Document {
    /// The name messages use: a path as given, `-`, or a URL.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text that a person has written: what was made of it stands behind, in a text of two forms.
    pub fn written_text(&self) -> &str {
        &self.text[..self.written]
    }

    /// The outermost value.
    pub fn root(&self) -> TokenId {
        TokenId(0)
    }

    /// Tells how many keys and values there are: the position of each is below.
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// Every pair of equal keys in one object, in document order.
    pub fn duplicate_keys(&self) -> &[DuplicateKey] {
        &self.duplicate_keys
    }

    /// Tells how many distinct keys there are.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Every distinct key, in the order of first occurrence.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        (0..self.symbols.len() as u32).map(Symbol)
    }

    /// The text of a distinct key, unescaped.
    pub fn symbol_text(&self, symbol: Symbol) -> &str {
        match &self.symbols[symbol.index()].text {
            SymbolText::Plain(range) => &self.text[range.start as usize..range.end as usize],
            SymbolText::Unescaped(text) => text,
        }
    }

    /// The last key in the document that stands for a distinct key.
    pub fn last_key(&self, symbol: Symbol) -> TokenId {
        self.symbols[symbol.index()].last
    }

    /// The distinct key of that text, if any key of the document has it.
    ///
    /// Costs a pass over the distinct keys.
    pub fn find_symbol(&self, text: &str) -> Option<Symbol> {
        (0..self.symbols.len() as u32).map(Symbol).find(|&symbol| self.symbol_text(symbol) == text)
    }

    /// Returns what a token is.
    #[inline]
    pub fn kind(&self, token: TokenId) -> Kind {
        self.tokens[token.index()].kind
    }

    /// Tells whether a value is a string.
    #[inline]
    pub fn is_string(&self, value: TokenId) -> bool {
        matches!(self.kind(value), Kind::String | Kind::EscapedString)
    }

    /// Tells whether a value is an object.
    #[inline]
    pub fn is_object(&self, value: TokenId) -> bool {
        self.kind(value) == Kind::Object
    }

    /// Tells whether a value is an array.
    #[inline]
    pub fn is_array(&self, value: TokenId) -> bool {
        self.kind(value) == Kind::Array
    }

    /// Tells whether a value is neither array nor object.
    #[inline]
    pub fn is_scalar(&self, value: TokenId) -> bool {
        !self.is_array(value) && !self.is_object(value)
    }

    /// The token after a value and all that is in it.
    #[inline]
    pub fn after(&self, value: TokenId) -> TokenId {
        let token = self.tokens[value.index()];
        match token.kind {
            Kind::Array | Kind::Object => TokenId(token.payload),
            _ => TokenId(value.0 + 1),
        }
    }

    /// The distinct key that a key token stands for.
    ///
    /// # Panics
    /// If the token is not a key.
    #[inline]
    pub fn symbol(&self, key: TokenId) -> Symbol {
        let token = self.tokens[key.index()];
        assert!(matches!(token.kind, Kind::Key | Kind::ReplacedKey), "only keys have symbols");
        Symbol(token.payload)
    }

    /// The text of a string or key, unescaped; `None` for other tokens.
    #[inline]
    pub fn string(&self, token: TokenId) -> Option<Cow<'_, str>> {
        match self.kind(token) {
            Kind::String => Some(Cow::Borrowed(self.raw_content(token))),
            Kind::EscapedString => {
                let mut text = String::new();
                unescape_into(self.raw_content(token), &mut text);
                Some(Cow::Owned(text))
            }
            Kind::Key | Kind::ReplacedKey => Some(Cow::Borrowed(self.symbol_text(self.symbol(token)))),
            _ => None,
        }
    }

    /// The text of a string that has no escapes; `None` for other tokens.
    #[inline]
    pub fn plain_string(&self, value: TokenId) -> Option<&str> {
        (self.kind(value) == Kind::String).then(|| self.raw_content(value))
    }

    /// The text of a string or key, unescaped where need be into `buffer`.
    ///
    /// # Panics
    /// If the token is neither string nor key.
    #[inline]
    pub fn string_with<'a>(&'a self, token: TokenId, buffer: &'a mut String) -> &'a str {
        match self.kind(token) {
            Kind::String => self.raw_content(token),
            Kind::EscapedString => {
                buffer.clear();
                unescape_into(self.raw_content(token), buffer);
                buffer
            }
            _ => self.symbol_text(self.symbol(token)),
        }
    }

    /// The lexical form of a number; `None` for other tokens.
    pub fn number(&self, value: TokenId) -> Option<&str> {
        (self.kind(value) == Kind::Number).then(|| self.raw_content(value))
    }

    #[inline]
    fn raw_content(&self, token: TokenId) -> &str {
        let Token { start, payload, kind } = self.tokens[token.index()];
        let quote = usize::from(kind != Kind::Number);
        let (text, start) = self.text_at(start as usize);
        &text[start + quote..start + quote + payload as usize]
    }

    /// The text that a start is in, and where in it.
    #[inline]
    fn text_at(&self, start: usize) -> (&str, usize) {
        match start.checked_sub(self.text.len()) {
            Some(behind) if !self.tail.is_empty() => (&self.tail, behind),
            _ => (&self.text, start),
        }
    }

    /// The members of an object in document order, replaced keys left out; nothing for other values.
    #[inline]
    pub fn members(&self, object: TokenId) -> Members<'_> {
        Members { document: self, at: TokenId(object.0 + 1), end: self.end_of(object, Kind::Object) }
    }

    /// The items of an array; nothing for other values.
    #[inline]
    pub fn items(&self, array: TokenId) -> Items<'_> {
        Items { document: self, at: TokenId(array.0 + 1), end: self.end_of(array, Kind::Array) }
    }

    fn end_of(&self, value: TokenId, kind: Kind) -> TokenId {
        let token = self.tokens[value.index()];
        TokenId(if token.kind == kind { token.payload } else { 0 })
    }

    /// The value of a member, found by a pass over the keys.
    pub fn get(&self, object: TokenId, key: &str) -> Option<TokenId> {
        self.member_of(object, key)
    }

    /// The bytes of a token: with its quotes at a string or key, with its brackets at an array or
    /// object.
    pub fn bytes(&self, token: TokenId) -> Range<usize> {
        let Token { start, payload, kind } = self.tokens[token.index()];
        let start = start as usize;
        let length = match kind {
            Kind::Null | Kind::True => 4,
            Kind::False => 5,
            Kind::Number => payload as usize,
            // A string of a text that is no JSON may have no quotes: its content alone is meant.
            Kind::String | Kind::EscapedString if self.byte_at(start) != b'"' => {
                return start + 1..start + 1 + payload as usize;
            }
            Kind::String | Kind::EscapedString => payload as usize + 2,
            Kind::Key | Kind::ReplacedKey => {
                let (text, start) = self.text_at(start);
                string::string_length(&text[start..])
            }
            Kind::Array | Kind::Object => {
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
                    // Texts read as one array have no brackets around them.
                    _ if is_empty => 0,
                    _ => inner_end - start,
                }
            }
        };
        start..start + length
    }

    /// The last direct inner value of a container that is not empty.
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

    fn members_with_replaced(&self, object: TokenId) -> impl Iterator<Item = Member> + '_ {
        let end = self.end_of(object, Kind::Object);
        let mut at = TokenId(object.0 + 1);
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let key = at;
                let value = TokenId(key.0 + 1);
                at = self.after(value);
                Member { key, value, symbol: self.symbol(key) }
            })
        })
    }

    fn byte_at(&self, start: usize) -> u8 {
        let (text, start) = self.text_at(start);
        text.as_bytes()[start]
    }

    /// The text of a value as it stands in the document.
    pub fn raw(&self, value: TokenId) -> &str {
        match self.kind(value) {
            // In a text that is no JSON they may be other words.
            Kind::Null => return "null",
            Kind::True => return "true",
            Kind::False => return "false",
            _ => {}
        }
        let bytes = self.bytes(value);
        let (text, start) = self.text_at(bytes.start);
        // What was composed has no text of its own.
        text.get(start..start + bytes.len()).unwrap_or_default()
    }

    /// A scalar as JSON: as it stands in the document, or in quotes where it is a string that has none.
    pub fn scalar_json(&self, scalar: TokenId) -> Cow<'_, str> {
        match self.is_bare(scalar) {
            true => Cow::Owned(quoted(self.raw(scalar))),
            false => Cow::Borrowed(self.raw(scalar)),
        }
    }

    /// Tells whether a value is a string without quotes, of a text that is no JSON.
    pub(crate) fn is_bare(&self, value: TokenId) -> bool {
        self.is_string(value) && self.byte_at(self.tokens[value.index()].start as usize) != b'"'
    }

    /// The first byte of a token.
    pub fn start(&self, token: TokenId) -> usize {
        self.tokens[token.index()].start as usize
    }

    /// Puts a byte in place of each byte of some ranges of the text, inside of strings and numbers.
    ///
    /// # Panics
    /// If what is left is not UTF-8: ranges hold whole characters, and the bytes are ASCII.
    pub(crate) fn overwrite(&mut self, ranges: impl IntoIterator<Item = (Range<usize>, u8)>) {
        // Nothing shares the text yet, or it keeps its own.
        let mut bytes = Arc::unwrap_or_clone(std::mem::take(&mut self.text)).into_bytes();
        for (range, byte) in ranges {
            bytes[range].fill(byte);
        }
        let text = String::from_utf8(bytes).expect("whole characters were overwritten");
        self.text = Arc::new(text);
    }

    /// The position of a byte of the text in the file.
    fn position(&self, at: usize) -> Position {
        match self.part.pieces.iter().rev().find(|piece| piece.at <= at) {
            Some(piece) => piece.position.after(&self.text.as_bytes()[piece.at..at]),
            None => Position::START.after(&self.text.as_bytes()[..at]),
        }
    }

    /// Says that the text was made of the file that the document is named by: its places are the file as a whole.
    #[must_use]
    pub fn made_of_file(mut self) -> Self {
        self.part.is_made = true;
        self
    }

    /// The text as a source of places.
    pub fn source_text(&self) -> SourceText<'_> {
        if self.part.is_made {
            return SourceText::new(Arc::clone(&self.name), b"");
        }
        let text = SourceText::new(Arc::clone(&self.name), self.text.as_bytes());
        text.with_lines(&self.lines).cut_out(&self.part.pieces)
    }

    /// The place of a token with its JSON Pointer. The first one costs a pass over the text.
    pub fn place(&self, token: TokenId) -> Place {
        self.place_in(&self.source_text(), token)
    }

    /// The place of a token in a text with its JSON Pointer.
    pub fn place_in(&self, source: &SourceText<'_>, token: TokenId) -> Place {
        if self.part.is_made {
            return source.place(0..0);
        }
        source.place(self.marked(token)).with_pointer(self.pointer(token))
    }

    /// The bytes that a message marks for a token.
    pub fn marked(&self, token: TokenId) -> Range<usize> {
        if let Some(origin) = self.origin(token) {
            return origin;
        }
        match self.kind(token) {
            // A container is marked at its bracket: the whole may be the whole document.
            Kind::Array | Kind::Object => self.start(token)..self.start(token) + 1,
            _ => self.bytes(token),
        }
    }

    /// The bytes that a token was made of, where its text is not the one that a person has written.
    pub fn origin(&self, token: TokenId) -> Option<Range<usize>> {
        if self.origins.is_empty() {
            return None;
        }
        let start = self.tokens[token.index()].start + u32::from(self.is_bare(token));
        let found = self.origins.binary_search_by_key(&start, |origin| origin.start).ok()?;
        let bytes = &self.origins[found].bytes;
        Some(bytes.start as usize..bytes.end as usize)
    }

    /// Says of each token which bytes it was made of, all of which stand before the outermost value.
    pub(crate) fn with_origins(mut self, origins: Vec<Range<u32>>) -> Self {
        self.written = self.start(self.root()).saturating_sub(1);
        let starts = self.tokens.iter().map(|token| token.start);
        self.origins = Arc::new(starts.zip(origins).map(|(start, bytes)| Origin { start, bytes }).collect());
        self
    }

    /// The JSON Pointer (RFC 6901) of a value, or of the member that a key begins; of a part of a file
    /// that in the file.
    ///
    /// Costs a walk from the root along the first siblings of every level, and a search among the others.
    pub fn pointer(&self, token: TokenId) -> String {
        let pointer = self.pointer_below(self.root(), token);
        match &self.part.list {
            Some(list) => list.moved(pointer),
            None => pointer,
        }
    }

    /// The JSON Pointer of a value or member from a container that it lies in, not from the root.
    ///
    /// Costs a walk from that container along the first siblings of every level, and a search among the others.
    pub fn pointer_below(&self, container: TokenId, token: TokenId) -> String {
        let mut pointer = String::new();
        let mut container = container;
        while container != token {
            let Some((index, value)) = self.value_around(container, token) else { break };
            if self.is_object(container) {
                let key = TokenId(value.0 - 1);
                let name = self.symbol_text(self.symbol(key)).replace('~', "~0").replace('/', "~1");
                let _ = write!(pointer, "/{name}");
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
pub struct Members<'d> {
    document: &'d Document,
    at: TokenId,
    end: TokenId,
}

impl Iterator for Members<'_> {
    type Item = Member;

    #[inline]
    fn next(&mut self) -> Option<Member> {
        while self.at < self.end {
            let key = self.at;
            let value = TokenId(key.0 + 1);
            self.at = self.document.after(value);
            let token = self.document.tokens[key.index()];
            if token.kind == Kind::Key {
                return Some(Member { key, symbol: Symbol(token.payload), value });
            }
        }
        None
    }
}

/// The items of an array.
#[derive(Debug, Clone)]
pub struct Items<'d> {
    document: &'d Document,
    at: TokenId,
    end: TokenId,
}

impl Iterator for Items<'_> {
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
