//! Makes a [`JsonDocument`] from values of a text that has another shape: a JSON-LD record from a row of CSV, a node of
//! YAML, or an object of another format.
//!
//! Values that are taken over keep their bytes, so a finding about them has its place in the file. Added keys and
//! constants are stored after the text of the file.

use super::long_containers::LongContainers;
use super::parse::LARGEST_DOCUMENT;
use super::{
    DistinctKey, FilePart, JsonDocument, JsonKind, JsonToken, SymbolText, TokenId, ValueOrigin, write_string,
};
use evalgraph_diagnostics::{Diagnostic, LineIndex, codes};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A distinct key of the composed document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComposedKey {
    symbol: u32,
    start: u32,
}

/// A string that is stored after the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComposedConstant {
    start: u32,
    length: u32,
    kind: JsonKind,
}

/// Builds a document from front to back.
#[derive(Debug)]
pub struct DocumentComposer {
    name: Arc<str>,
    text: Arc<String>,
    /// The added keys and strings.
    tail: String,
    /// `true` if the text belongs to another document, which owns it.
    is_shared: bool,
    tokens: Vec<JsonToken>,
    keys: Vec<(DistinctKey, ComposedKey)>,
    known: HashMap<Box<str>, usize, FixedState>,
    /// The keys of values that were taken over from another document, by symbol.
    taken: Vec<Option<ComposedKey>>,
    open: Vec<u32>,
    /// The place of the text in a larger file.
    part: FilePart,
    written: usize,
    origins: Arc<Vec<ValueOrigin>>,
    /// The lines of a shared text.
    lines: Arc<LineIndex>,
}

impl DocumentComposer {
    /// Starts an empty document over a text.
    pub fn new(name: impl Into<Arc<str>>, text: &str) -> Self {
        Self {
            name: name.into(),
            text: Arc::new(text.to_owned()),
            tail: String::new(),
            is_shared: false,
            tokens: Vec::new(),
            keys: Vec::new(),
            known: HashMap::default(),
            taken: Vec::new(),
            open: Vec::new(),
            part: FilePart::default(),
            written: text.len(),
            origins: Arc::default(),
            lines: Arc::default(),
        }
    }

    /// Starts an empty document over the text of another one. [`DocumentComposer::value`] takes over values of that
    /// one.
    pub fn over(document: &JsonDocument) -> Self {
        let mut composer = Self::new(Arc::clone(document.name()), "");
        composer.text = Arc::clone(&document.text);
        composer.is_shared = true;
        composer.taken = vec![None; document.symbol_count()];
        // The composed document may have other lists.
        composer.part = FilePart { list: None, ..document.part.clone() };
        (composer.written, composer.origins) = (document.written, Arc::clone(&document.origins));
        composer.lines = Arc::clone(&document.lines);
        composer
    }

    /// Returns a key; equal texts give the same key.
    pub fn key(&mut self, text: &str) -> ComposedKey {
        if let Some(&known) = self.known.get(text) {
            return self.keys[known].1;
        }
        let start = (self.text.len() + self.tail.len()) as u32;
        write_string(text, &mut self.tail);
        let key = ComposedKey { symbol: self.keys.len() as u32, start };
        let distinct = DistinctKey { text: SymbolText::Unescaped(text.into()), last: TokenId(0) };
        self.known.insert(text.into(), self.keys.len());
        self.keys.push((distinct, key));
        key
    }

    /// Returns a key that was made from some bytes of the text. These bytes are the place of each member with the key.
    /// A known key keeps its place.
    pub fn key_of(&mut self, bytes: Range<usize>, text: &str) -> ComposedKey {
        let is_known = self.known.contains_key(text);
        let key = self.key(text);
        if !is_known {
            self.made_of_bytes(key.start, bytes);
        }
        key
    }

    /// Adds a string that is not in the text; it may be used more than once.
    pub fn constant(&mut self, text: &str) -> ComposedConstant {
        let (start, before) = (self.text.len() + self.tail.len(), self.tail.len());
        write_string(text, &mut self.tail);
        let length = self.tail.len() - before - 2;
        let kind = if length == text.len() { JsonKind::String } else { JsonKind::EscapedString };
        ComposedConstant { start: start as u32, length: length as u32, kind }
    }

    /// Adds a string that was made from some bytes of the text, which are its place.
    pub fn made_of(&mut self, bytes: Range<usize>, text: &str) -> ComposedConstant {
        let constant = self.constant(text);
        self.made_of_bytes(constant.start, bytes);
        constant
    }

    fn made_of_bytes(&mut self, start: u32, bytes: Range<usize>) {
        let bytes = bytes.start as u32..bytes.end as u32;
        Arc::make_mut(&mut self.origins).push(ValueOrigin { start, bytes });
    }

    /// Begins an object; its place is a byte of the text.
    pub fn begin_object(&mut self, at: usize) {
        self.begin(at, JsonKind::Object);
    }

    /// Begins an array; its place is a byte of the text.
    pub fn begin_array(&mut self, at: usize) {
        self.begin(at, JsonKind::Array);
    }

    fn begin(&mut self, at: usize, kind: JsonKind) {
        self.open.push(self.tokens.len() as u32);
        self.tokens.push(JsonToken { start: at as u32, payload: 0, kind });
    }

    /// Ends the innermost object or array.
    pub fn end(&mut self) {
        if let Some(open) = self.open.pop() {
            self.tokens[open as usize].payload = self.tokens.len() as u32;
        }
    }

    /// Begins a member of the innermost object; its value comes next.
    pub fn member(&mut self, key: ComposedKey) {
        let token = TokenId(self.tokens.len() as u32);
        self.keys[key.symbol as usize].0.last = token;
        self.tokens.push(JsonToken { start: key.start, payload: key.symbol, kind: JsonKind::Key });
    }

    /// Begins a member like [`Self::member`], but its key is in the text at this byte, with its quotes.
    pub fn member_at(&mut self, key: ComposedKey, at: usize) {
        let token = TokenId(self.tokens.len() as u32);
        self.keys[key.symbol as usize].0.last = token;
        self.tokens.push(JsonToken { start: at as u32, payload: key.symbol, kind: JsonKind::Key });
    }

    /// Writes an added string.
    pub fn string(&mut self, constant: ComposedConstant) {
        let ComposedConstant { start, length, kind } = constant;
        self.tokens.push(JsonToken { start, payload: length, kind });
    }

    /// Writes an added string of digits as a number.
    pub fn digits(&mut self, constant: ComposedConstant) {
        let ComposedConstant { start, length, .. } = constant;
        self.tokens.push(JsonToken { start: start + 1, payload: length, kind: JsonKind::Number });
    }

    /// Writes a string whose content is in the text literally, with or without quotes around it.
    pub fn text(&mut self, content: Range<usize>) {
        let Some(start) = content.start.checked_sub(1) else {
            // There is no room for a quote at the start of the text, so the string is copied.
            let text = self.text[content.clone()].to_owned();
            let constant = self.made_of(content, &text);
            return self.string(constant);
        };
        let start = start as u32;
        self.tokens.push(JsonToken { start, payload: content.len() as u32, kind: JsonKind::String });
    }

    /// Writes a number that is in the text.
    pub fn number(&mut self, bytes: Range<usize>) {
        let (start, payload) = (bytes.start as u32, bytes.len() as u32);
        self.tokens.push(JsonToken { start, payload, kind: JsonKind::Number });
    }

    /// Writes `true` or `false`, with a place in the text.
    pub fn boolean(&mut self, value: bool, at: usize) {
        let kind = if value { JsonKind::True } else { JsonKind::False };
        self.tokens.push(JsonToken { start: at as u32, payload: 0, kind });
    }

    /// Writes `true` or `false`, made from some bytes of the text.
    pub fn boolean_of(&mut self, value: bool, bytes: Range<usize>) {
        self.boolean(value, bytes.start);
        self.made_of_bytes(bytes.start as u32, bytes);
    }

    /// Writes `null`, with a place in the text.
    pub fn null(&mut self, at: usize) {
        self.tokens.push(JsonToken { start: at as u32, payload: 0, kind: JsonKind::Null });
    }

    /// Takes over a value, with all values in it, from the document that this one is composed over. Returns its token
    /// in the composed document.
    pub fn value(&mut self, document: &JsonDocument, value: TokenId) -> TokenId {
        let (from, to) = (value.index(), document.after(value).index());
        let made = self.tokens.len();
        for index in from..to {
            let token = document.tokens[index];
            let payload = match token.kind {
                // The end of a container moves together with it.
                JsonKind::Array | JsonKind::Object => (token.payload as usize - from + made) as u32,
                JsonKind::Key | JsonKind::ReplacedKey => self.taken_key(document, token.payload),
                _ => token.payload,
            };
            self.tokens.push(JsonToken { payload, ..token });
        }
        TokenId::from_index(made)
    }

    fn taken_key(&mut self, document: &JsonDocument, symbol: u32) -> u32 {
        let key = self.taken[symbol as usize].unwrap_or_else(|| {
            let key = self.key(document.symbol_text(super::KeySymbol(symbol)));
            self.taken[symbol as usize] = Some(key);
            key
        });
        self.keys[key.symbol as usize].0.last = TokenId(self.tokens.len() as u32);
        key.symbol
    }

    /// Returns the token of the next value.
    pub fn next(&self) -> TokenId {
        TokenId::from_index(self.tokens.len())
    }

    /// Returns the document.
    ///
    /// # Errors
    /// `json::size` if the text with the additions exceeds the largest size of a document.
    ///
    /// # Panics
    /// If nothing was composed, or if an object or array is still open.
    pub fn finish(self) -> Result<JsonDocument, Box<Diagnostic>> {
        assert!(self.open.is_empty() && !self.tokens.is_empty(), "a document is one whole value");
        let bytes = self.text.len() + self.tail.len();
        if bytes as u64 > LARGEST_DOCUMENT || self.tokens.len() as u64 > LARGEST_DOCUMENT {
            let message = format!("`{}` is larger than 4 GiB, the limit for a document", self.name);
            return Err(Box::new(Diagnostic::error(codes::JSON_SIZE, message).with_help("split the file")));
        }
        let symbols = self.keys.into_iter().map(|(distinct, _)| distinct).collect();
        let Self { name, mut text, mut tail, is_shared, tokens, written, mut origins, part, lines, .. } =
            self;
        if !is_shared {
            // Joined into one text, so every token finds its bytes there.
            Arc::make_mut(&mut text).push_str(&std::mem::take(&mut tail));
            Arc::make_mut(&mut origins).sort_by_key(|origin| origin.start);
        }
        let (duplicate_keys, long) = (Vec::new(), LongContainers::default());
        Ok(JsonDocument {
            name,
            text,
            tail,
            tokens,
            symbols,
            duplicate_keys,
            written,
            origins,
            part,
            lines,
            long,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::DocumentComposer;
    use crate::{Limits, parse};

    #[test]
    fn values_keep_their_places_and_keys_may_be_new() {
        let text = "{\"q\": \"a\\nb\", \"n\": [1.50, {\"x\": null}], \"x\": 7}".to_owned();
        let source = parse("row.json", text, Limits::default()).expect("it is JSON");
        let get = |key| source.get(source.root(), key).expect("the key is there");
        let mut composer = DocumentComposer::over(&source);
        composer.begin_object(0);
        let question = composer.key("question");
        composer.member(question);
        composer.value(&source, get("q"));
        let inner = composer.key("inner");
        composer.member(inner);
        composer.begin_array(0);
        composer.value(&source, get("n"));
        let constant = composer.constant("urn:\"x\"");
        composer.string(constant);
        let number = source.items(get("n")).next().expect("there is an item");
        composer.text(source.bytes(number));
        composer.end();
        composer.end();
        let made = composer.finish().expect("it is short");
        let root = made.root();
        let question = made.get(root, "question").expect("it was composed");
        assert_eq!(made.string(question).as_deref(), Some("a\nb"));
        assert_eq!(made.place(question).column, 7);
        let items: Vec<_> = made.items(made.get(root, "inner").expect("it was composed")).collect();
        assert_eq!(made.raw(items[0]), "[1.50, {\"x\": null}]");
        let object = made.items(items[0]).nth(1).expect("there are two");
        assert!(made.get(object, "x").is_some());
        assert_eq!(made.string(items[1]).as_deref(), Some("urn:\"x\""));
        assert_eq!(made.string(items[2]).as_deref(), Some("1.50"));
        assert_eq!(made.after(root).index(), made.token_count());
    }
}
