//! The compacted document: a list of pieces over the source document, laid out as JSON when it is
//! written.
//!
//! Only after the values is it known whether a property has one value or an array, and only after its value is the key
//! of a map known. So pieces are put down first and changed in place, and no text is copied before it is written.

use crate::expanded_writer::JsonLdLayout;
use crate::name_interner::{InternedName, NameInterner};
use crate::warning::JsonLdWarning;
use evalgraph_json::{JsonDocument, JsonKind, TokenId, write_string};
use std::io;
use std::sync::Arc;

/// A piece of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonPiece {
    /// A reserved place that was not needed.
    Blank,
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    /// The key of a member.
    Key(InternedName),
    /// A name as a string.
    Name(InternedName),
    /// A string by its number.
    Text(u32),
    /// A value of the source document, of any kind; a key becomes a string.
    Source(TokenId),
    /// A value of another document by its number.
    Foreign(u32),
    /// `null`
    Null,
}

/// The pieces in order, and the strings that they refer to.
#[derive(Debug, Default)]
pub(crate) struct PieceBuffer {
    pub(crate) list: Vec<JsonPiece>,
    texts: String,
    ends: Vec<usize>,
    foreign: Vec<(Arc<JsonDocument>, TokenId)>,
}

impl PieceBuffer {
    #[inline]
    pub(crate) fn push(&mut self, piece: JsonPiece) {
        self.list.push(piece);
    }

    pub(crate) fn push_text(&mut self, text: &str) {
        self.texts.push_str(text);
        self.ends.push(self.texts.len());
        // Each string comes from a token of a document below 4 GiB.
        self.list.push(JsonPiece::Text((self.ends.len() - 1) as u32));
    }

    /// Adds a value of any document; `own` is the source document.
    #[inline]
    pub(crate) fn push_value(
        &mut self,
        own: &Arc<JsonDocument>,
        document: &Arc<JsonDocument>,
        token: TokenId,
    ) {
        if Arc::ptr_eq(own, document) {
            self.list.push(JsonPiece::Source(token));
        } else {
            self.foreign.push((Arc::clone(document), token));
            // As in `push_text` above.
            self.list.push(JsonPiece::Foreign((self.foreign.len() - 1) as u32));
        }
    }

    pub(crate) fn text(&self, text: u32) -> &str {
        let text = text as usize;
        let start = if text == 0 { 0 } else { self.ends[text - 1] };
        &self.texts[start..self.ends[text]]
    }

    /// Returns the document and token of a piece that is a value of a document.
    pub(crate) fn value<'a>(
        &'a self,
        own: &'a JsonDocument,
        piece: JsonPiece,
    ) -> Option<(&'a JsonDocument, TokenId)> {
        match piece {
            JsonPiece::Source(token) => Some((own, token)),
            JsonPiece::Foreign(number) => {
                let (document, token) = &self.foreign[number as usize];
                Some((document, *token))
            }
            _ => None,
        }
    }

    /// Returns the document of a piece, if the piece is a value of another document.
    pub(crate) fn foreign_document(&self, piece: JsonPiece) -> Option<Arc<JsonDocument>> {
        let JsonPiece::Foreign(number) = piece else { return None };
        Some(Arc::clone(&self.foreign[number as usize].0))
    }
}

/// A compacted document.
pub struct CompactedDocument<'p> {
    pub(crate) pieces: PieceBuffer,
    pub(crate) names: &'p NameInterner,
    pub(crate) document: &'p Arc<JsonDocument>,
    /// The given context and its value; `None` if the context is empty.
    pub(crate) context: Option<(&'p Arc<JsonDocument>, TokenId)>,
    /// The data that were lost.
    pub warnings: Vec<JsonLdWarning>,
}

impl CompactedDocument<'_> {
    /// Appends the document as JSON.
    pub fn write_json(&self, layout: JsonLdLayout, json: &mut String) {
        self.writer(layout).write(json);
    }

    /// The document as JSON.
    pub fn to_json(&self, layout: JsonLdLayout) -> String {
        let mut json = String::new();
        self.write_json(layout, &mut json);
        json
    }

    /// Writes the document as JSON, part by part.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_to(&self, layout: JsonLdLayout, writer: &mut dyn io::Write) -> io::Result<()> {
        self.writer(layout).write_to(writer)
    }

    fn writer(&self, layout: JsonLdLayout) -> PieceWriter<'_> {
        let context = self.context.map(|(document, token)| (document.as_ref(), token));
        PieceWriter { pieces: &self.pieces, names: self.names, document: self.document, context, layout }
    }
}

/// The target of the text: a string that is emptied into a writer from time to time.
struct PagedText<'w> {
    text: String,
    writer: Option<&'w mut dyn io::Write>,
}

/// An upper bound for the text of a piece in most documents.
const PIECE: usize = 64;

/// How much text is collected before it is passed to a writer.
const PAGE: usize = 1 << 16;

/// Writes pieces as JSON text.
pub(crate) struct PieceWriter<'p> {
    pub(crate) pieces: &'p PieceBuffer,
    pub(crate) names: &'p NameInterner,
    pub(crate) document: &'p JsonDocument,
    /// The value of `@context`, which is written before the members of the outermost object.
    pub(crate) context: Option<(&'p JsonDocument, TokenId)>,
    pub(crate) layout: JsonLdLayout,
}

/// The state of writing pieces.
struct PieceWriterState<'w> {
    page: PagedText<'w>,
    level: usize,
    /// `true` if the innermost container is still empty.
    is_fresh: bool,
    /// `true` if a key is waiting for its value.
    after_key: bool,
}

impl PieceWriter<'_> {
    /// Appends the text, and a line end.
    pub(crate) fn write(&self, json: &mut String) {
        // The text is about as long as the document that it was made from.
        json.reserve(self.document.text().len().min(self.pieces.list.len() * PIECE));
        let page = PagedText { text: std::mem::take(json), writer: None };
        // Writing to a string cannot fail.
        if let Ok(text) = self.run(page) {
            *json = text;
        }
    }

    /// Writes the text to a writer, part by part.
    pub(crate) fn write_to(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        let page = PagedText { text: String::with_capacity(2 * PAGE), writer: Some(writer) };
        self.run(page).map(drop)
    }

    fn run(&self, page: PagedText<'_>) -> io::Result<String> {
        let mut state = PieceWriterState { page, level: 0, is_fresh: true, after_key: true };
        for &piece in &self.pieces.list {
            self.piece(&mut state, piece);
            state.page.turn()?;
        }
        state.page.text.push('\n');
        state.page.finish()
    }

    #[inline]
    fn piece(&self, state: &mut PieceWriterState<'_>, piece: JsonPiece) {
        match piece {
            JsonPiece::Blank => {}
            JsonPiece::OpenObject => {
                self.open(state, '{');
                if let Some((document, token)) = self.context.filter(|_| state.level == 1) {
                    self.key(state, "@context");
                    state.after_key = false;
                    self.json(state, document, token);
                }
            }
            JsonPiece::OpenArray => self.open(state, '['),
            JsonPiece::CloseObject => self.close(state, '}'),
            JsonPiece::CloseArray => self.close(state, ']'),
            JsonPiece::Key(name) => self.key(state, self.names.text(name)),
            JsonPiece::Name(name) => {
                self.begin(state);
                write_string(self.names.text(name), &mut state.page.text);
            }
            JsonPiece::Text(text) => {
                self.begin(state);
                write_string(self.pieces.text(text), &mut state.page.text);
            }
            JsonPiece::Source(_) | JsonPiece::Foreign(_) => {
                self.begin(state);
                if let Some((document, token)) = self.pieces.value(self.document, piece) {
                    self.json(state, document, token);
                }
            }
            JsonPiece::Null => {
                self.begin(state);
                state.page.text.push_str("null");
            }
        }
    }

    /// Begins a value: after its key, or on a new line.
    #[inline]
    fn begin(&self, state: &mut PieceWriterState<'_>) {
        if !std::mem::take(&mut state.after_key) {
            self.next(state);
        }
    }

    #[inline]
    fn next(&self, state: &mut PieceWriterState<'_>) {
        if !std::mem::take(&mut state.is_fresh) {
            state.page.text.push(',');
        }
        self.line(state);
    }

    #[inline]
    fn line(&self, state: &mut PieceWriterState<'_>) {
        const INDENTATION: &str = "                                ";
        if self.layout == JsonLdLayout::Compact {
            return;
        }
        state.page.text.push('\n');
        let mut blanks = 2 * state.level;
        while blanks > 0 {
            let part = blanks.min(INDENTATION.len());
            state.page.text.push_str(&INDENTATION[..part]);
            blanks -= part;
        }
    }

    fn open(&self, state: &mut PieceWriterState<'_>, bracket: char) {
        self.begin(state);
        state.page.text.push(bracket);
        state.level += 1;
        state.is_fresh = true;
    }

    fn close(&self, state: &mut PieceWriterState<'_>, bracket: char) {
        state.level -= 1;
        if !std::mem::take(&mut state.is_fresh) {
            self.line(state);
        }
        state.page.text.push(bracket);
    }

    #[inline]
    fn key(&self, state: &mut PieceWriterState<'_>, key: &str) {
        self.next(state);
        write_string(key, &mut state.page.text);
        state.page.text.push_str(if self.layout == JsonLdLayout::Indented { ": " } else { ":" });
        state.after_key = true;
    }

    /// Writes a value of a document. Scalars are copied as they are written there.
    fn json(&self, state: &mut PieceWriterState<'_>, document: &JsonDocument, token: TokenId) {
        match document.kind(token) {
            JsonKind::Key | JsonKind::ReplacedKey => {
                write_string(document.symbol_text(document.symbol(token)), &mut state.page.text);
            }
            JsonKind::Object => {
                self.open_inner(state, '{');
                for member in document.members(token) {
                    self.key(state, document.symbol_text(member.symbol));
                    state.after_key = false;
                    self.json(state, document, member.value);
                }
                self.close(state, '}');
            }
            JsonKind::Array => {
                self.open_inner(state, '[');
                for item in document.items(token) {
                    self.next(state);
                    self.json(state, document, item);
                }
                self.close(state, ']');
            }
            _ => state.page.text.push_str(document.raw(token)),
        }
    }

    fn open_inner(&self, state: &mut PieceWriterState<'_>, bracket: char) {
        state.page.text.push(bracket);
        state.level += 1;
        state.is_fresh = true;
    }
}

impl PagedText<'_> {
    /// Passes the text on if there is enough of it.
    #[inline]
    fn turn(&mut self) -> io::Result<()> {
        if self.text.len() >= PAGE
            && let Some(writer) = &mut self.writer
        {
            writer.write_all(self.text.as_bytes())?;
            self.text.clear();
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<String> {
        if let Some(writer) = &mut self.writer {
            writer.write_all(self.text.as_bytes())?;
        }
        Ok(self.text)
    }
}
