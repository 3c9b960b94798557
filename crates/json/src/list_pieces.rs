//! Cuts a file that is one object with a long list into pieces, between the items of the list.
//!
//! [`ListReader`] only cuts, so pieces can be parsed in parallel. [`ListHead`] makes a document from a piece: an object
//! with chosen members of the file and the items of the piece. [`ListFrame`] is the object without the items. In all of
//! these, lines, columns and JSON Pointers refer to the file. The texts of the frame and of all pieces together are the
//! file.

use super::parse::{EmbeddedJson, Limits, parse_parts};
use super::text_encoding::decode_piece;
use super::{FilePart, JsonDocument, ListPart, RecordReader, RecordsIn, TokenId};
use evalgraph_diagnostics::{Diagnostic, FilePiece, FilePosition, codes};
use std::io::Read;
use std::sync::Arc;

/// The place of a piece of the list in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPiece {
    /// The start of the piece: after the bracket, or at the comma after the previous piece.
    pub position: FilePosition,
    /// Its length in bytes.
    pub length: usize,
    /// The index of its first item in the list.
    pub first: u64,
}

/// A piece of the list with its text.
#[derive(Debug)]
pub struct ListText {
    /// Its place in the file.
    pub piece: ListPiece,
    /// The text of the head, followed by the text of the piece: the input of [`ListHead::parse`].
    pub text: Vec<u8>,
}

/// The text that precedes the items when a document is made from a piece: an object with some members of the file, and
/// the key of the list.
#[derive(Debug)]
pub struct ListHead {
    name: Arc<str>,
    text: String,
    pieces: Vec<FilePiece>,
    /// The JSON Pointer of the list.
    pointer: String,
}

impl ListHead {
    /// Makes the head from those of the members that the root of a document has; `None` if the root has no such list.
    pub fn from_document(document: &JsonDocument, key: &str, members: &[&str]) -> Option<Self> {
        let root = document.root();
        let list = document.members(root).find(|member| document.symbol_text(member.symbol) == key)?;
        if !document.is_array(list.value) {
            return None;
        }
        let mut head = Self {
            name: Arc::clone(document.name()),
            text: String::new(),
            pieces: Vec::new(),
            pointer: document.pointer(list.value),
        };
        let brace = document.start(root);
        head.add(document, brace..brace + 1);
        for member in document.members(root) {
            if members.contains(&document.symbol_text(member.symbol)) {
                head.add(document, document.start(member.key)..document.bytes(member.value).end);
                head.text.push(',');
            }
        }
        head.add(document, document.start(list.key)..document.start(list.value) + 1);
        Some(head)
    }

    fn add(&mut self, document: &JsonDocument, bytes: std::ops::Range<usize>) {
        self.pieces.push(FilePiece { at: self.text.len(), position: document.position(bytes.start) });
        self.text.push_str(&document.text()[bytes]);
    }

    /// Returns a text that begins with the head and has room for a piece of `length` bytes.
    pub fn begin(&self, length: usize) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.text.len() + length + CLOSING.len());
        text.extend_from_slice(self.text.as_bytes());
        text
    }

    /// Returns the bytes of such a text that are from the file.
    pub fn bytes_in<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.text.len()..]
    }

    /// Returns whether a value of a document lies in the piece, not in the head.
    pub fn is_in_piece(&self, document: &JsonDocument, token: TokenId) -> bool {
        document.start(token) >= self.text.len()
    }

    /// Makes a document from a piece: the object with the members of the head and the items of the piece.
    ///
    /// # Errors
    /// A diagnostic about the JSON of the piece or its encoding.
    pub fn parse(&self, list_text: ListText, limits: Limits) -> Result<JsonDocument, Box<Diagnostic>> {
        let ListText { piece, mut text } = list_text;
        self.swap_comma(piece.first, &mut text, b' ');
        text.extend_from_slice(CLOSING);
        self.parse_text(piece, self.text.len(), text, limits)
    }

    /// Parses a text, given the byte where the piece begins.
    fn parse_text(
        &self,
        piece: ListPiece,
        at: usize,
        text: Vec<u8>,
        limits: Limits,
    ) -> Result<JsonDocument, Box<Diagnostic>> {
        let text = match String::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                let bytes = error.into_bytes().split_off(at);
                return Err(decode_piece(&self.name, bytes, piece.position).err().unwrap_or_else(no_text));
            }
        };
        let mut pieces = self.pieces.clone();
        pieces.push(FilePiece { at, position: piece.position });
        let list = ListPart { here: self.pointer.clone(), in_file: self.pointer.clone(), first: piece.first };
        let part = FilePart { pieces, list: Some(list), ..FilePart::default() };
        let limits = Limits { size: u64::MAX, ..limits };
        let whole = 0..text.len();
        parse_parts(Arc::clone(&self.name), text, EmbeddedJson::One(whole), limits, part)
    }

    /// Returns the text of a piece as the file has it, from a document made from the piece.
    pub fn text_of(&self, document: Arc<JsonDocument>) -> Vec<u8> {
        let first = document.part.list.as_ref().map_or(0, |list| list.first);
        let text = match Arc::try_unwrap(document) {
            Ok(document) => Arc::unwrap_or_clone(document.text),
            Err(shared) => String::clone(&shared.text),
        };
        let mut text = text.into_bytes();
        self.swap_comma(first, &mut text, b',');
        text.truncate(text.len() - CLOSING.len());
        text.drain(..self.text.len());
        text
    }

    /// Blanks the comma between two pieces, which has no place in a document of one piece, or restores it.
    fn swap_comma(&self, first: u64, text: &mut [u8], byte: u8) {
        if let Some(comma) = text.get_mut(self.text.len()).filter(|_| first > 0) {
            *comma = byte;
        }
    }
}

/// The brackets that close the list and the object.
const CLOSING: &[u8] = b"]}";

fn no_text() -> Box<Diagnostic> {
    Box::new(Diagnostic::error("json::encoding", "the text is not UTF-8"))
}

/// The object without the items of its list.
#[derive(Debug)]
pub struct ListFrame {
    document: Arc<JsonDocument>,
    key: String,
    /// The position of the bracket that ends the list.
    behind: usize,
}

impl ListFrame {
    /// Returns the object with an empty list.
    pub fn document(&self) -> &Arc<JsonDocument> {
        &self.document
    }

    /// Returns the text of the file before the items.
    pub fn before(&self) -> &str {
        &self.document.text()[..self.behind]
    }

    /// Returns the text of the file after the items.
    pub fn behind(&self) -> &str {
        &self.document.text()[self.behind..]
    }

    /// Returns the head for documents made from pieces, with these members of the object.
    pub fn head(&self, members: &[&str]) -> Option<ListHead> {
        ListHead::from_document(&self.document, &self.key, members)
    }
}

/// Cuts a list under a key of the outermost object into pieces.
///
/// ```
/// use evalgraph_json::{Limits, ListReader};
///
/// let text = "{\"name\": \"n\", \"parts\": [{\"id\": 1},\n {\"id\": 2}]}";
/// let mut reader = ListReader::new(text.as_bytes(), "a.json", "parts", Limits::default()).with_piece(1);
/// let head = reader.head()?.expect("there is a list");
/// reader.next().expect("there is an item")?;
/// let second = reader.next().expect("there is another one")?;
/// let document = std::sync::Arc::new(head.parse(second, Limits::default())?);
/// let list = document.get(document.root(), "parts").expect("it is there");
/// let place = document.place(document.items(list).next().expect("there is one"));
/// assert_eq!((place.line, place.column, place.pointer.as_deref()), (2, 2, Some("/parts/1")));
/// assert_eq!(head.text_of(document), b",\n {\"id\": 2}");
/// assert!(reader.next().is_none());
/// let frame = reader.frame()?.expect("the list has ended");
/// assert_eq!(frame.document().text(), "{\"name\": \"n\", \"parts\": []}");
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
#[derive(Debug)]
pub struct ListReader<'k, R> {
    reader: RecordReader<'k, R>,
    key: &'k str,
    limits: Limits,
    head: Option<Arc<ListHead>>,
    /// The object up to the list, with an empty list.
    front: Option<Arc<JsonDocument>>,
    is_done: bool,
}

impl<'k, R: Read> ListReader<'k, R> {
    /// Starts before the first item. The limit on size applies to one item.
    pub fn new(source: R, name: impl Into<Arc<str>>, key: &'k str, limits: Limits) -> Self {
        let reader = RecordReader::new(source, name, RecordsIn::Key(key), limits).keeping_all();
        Self { reader, key, limits, head: None, front: None, is_done: false }
    }

    /// Sets the least number of bytes in a piece.
    #[must_use]
    pub fn with_piece(mut self, bytes: usize) -> Self {
        self.reader = self.reader.with_batch(bytes);
        self
    }

    /// Reads the first items, and returns the head without any member of the object. Returns `None` if there is no such
    /// list, or if the text before it is not JSON.
    ///
    /// # Errors
    /// `json::size`, and the errors of the source.
    pub fn head(&mut self) -> Result<Option<Arc<ListHead>>, Box<Diagnostic>> {
        if self.head.is_none() && !self.is_done {
            let read = self.reader.read_batch();
            let limits = Limits { size: u64::MAX, ..self.limits };
            let front = self.reader.front().and_then(|text| String::from_utf8(text).ok());
            let front =
                front.and_then(|text| super::parse(Arc::clone(self.reader.name()), text, limits).ok());
            self.head =
                front.as_ref().and_then(|front| ListHead::from_document(front, self.key, &[])).map(Arc::new);
            self.front = front.map(Arc::new);
            if let Err(fault) = read {
                self.is_done = true;
                return Err(self.as_parser_says(fault));
            }
            self.is_done = self.head.is_none();
        }
        Ok(self.head.clone())
    }

    /// Returns the object up to the list, after the head has been read.
    pub fn front(&self) -> Option<&Arc<JsonDocument>> {
        self.front.as_ref()
    }

    /// Returns the object without the items, after all pieces have been read; `None` if the list has not ended.
    ///
    /// # Errors
    /// A diagnostic about the JSON of the object.
    pub fn frame(self) -> Result<Option<ListFrame>, Box<Diagnostic>> {
        let Some(document) = self.reader.frame()? else { return Ok(None) };
        let behind = document.part.pieces.last().map_or(0, |piece| piece.at);
        Ok(Some(ListFrame { document: Arc::new(document), key: self.key.to_owned(), behind }))
    }

    fn piece(&mut self) -> Result<Option<ListText>, Box<Diagnostic>> {
        let Some(head) = self.head()? else { return Ok(None) };
        if !self.reader.read_batch()? {
            return Ok(None);
        }
        let (length, first) = self.reader.whole_list_text()?;
        let Some((list, position)) = self.reader.list_text() else { return Ok(None) };
        let mut text = head.begin(length);
        text.extend_from_slice(&list[..length]);
        self.reader.drop_list_text(length);
        Ok(Some(ListText { piece: ListPiece { position, length, first }, text }))
    }

    /// Returns a fault of the structure in the words of the parser, as if it had read the whole text.
    fn as_parser_says(&self, fault: Box<Diagnostic>) -> Box<Diagnostic> {
        let (Some(head), Some((list, position))) = (&self.head, self.reader.list_text()) else {
            return fault;
        };
        if fault.code != codes::JSON_RECORDS {
            return fault;
        }
        let piece = ListPiece { position, length: list.len(), first: self.reader.handed_out() };
        let mut text = head.begin(list.len());
        // One item replaces all that were returned.
        text.extend_from_slice(if piece.first > 0 { b"0" } else { b"" });
        let at = text.len();
        text.extend_from_slice(list);
        head.parse_text(piece, at, text, self.limits).err().unwrap_or(fault)
    }
}

impl<R: Read> Iterator for ListReader<'_, R> {
    type Item = Result<ListText, Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let piece = self.piece().map_err(|fault| self.as_parser_says(fault)).transpose();
        self.is_done = !matches!(piece, Some(Ok(_)));
        piece
    }
}
