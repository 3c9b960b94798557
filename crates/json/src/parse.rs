//! The parser: one pass over the bytes, with its own stack, without recursion.

use super::block::{self, BLOCK};
use super::json_fault::{JsonFault, JsonProblem};
use super::json_string::{EscapeFault, escape, unescape_into};
use super::line_form::{LineForm, values_of};
use super::long_containers::LongContainers;
use super::{
    DistinctKey, DuplicateKey, FilePart, JsonDocument, JsonKind, JsonToken, KeySymbol, SymbolText, TokenId,
};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, SourceText, codes};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

/// Limits on the size and the depth of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest size of a text in bytes.
    pub size: u64,
    /// The deepest nesting of arrays and objects.
    pub depth: usize,
}

impl Default for Limits {
    /// 1 GiB, and 512 levels: no known data file nests deeper, and the processor recurses by level.
    fn default() -> Self {
        Self { size: 1 << 30, depth: 512 }
    }
}

/// The largest size of a document in bytes, because places have 32 bits. A longer text has to be split, whatever the
/// limit.
pub const LARGEST_DOCUMENT: u64 = u32::MAX as u64 - 1;

/// Objects with more keys than this look up equal keys in a table instead of comparing one by one.
const SCANNED_KEYS: usize = 32;

/// Parses a JSON text.
///
/// # Errors
/// A [`Diagnostic`] with the place of the first wrong character and a code in `json::`.
pub fn parse(
    name: impl Into<Arc<str>>,
    text: String,
    limits: Limits,
) -> Result<JsonDocument, Box<Diagnostic>> {
    let whole = if text.starts_with('\u{feff}') { 3 } else { 0 }..text.len();
    parse_parts(name.into(), text, EmbeddedJson::One(whole), limits, FilePart::default())
}

/// The parts of a text that are JSON, as ranges of bytes.
#[derive(Debug, Clone)]
pub enum EmbeddedJson {
    /// One JSON text: the document.
    One(Range<usize>),
    /// Any number of JSON texts, in the order of the text: the document is an array of them.
    Array(Vec<Range<usize>>),
}

/// Parses the JSON inside another text, such as the scripts of a page. Places refer to the whole text.
///
/// # Errors
/// The errors of [`parse`].
///
/// # Panics
/// If a part lies outside the text.
pub fn parse_embedded(
    name: impl Into<Arc<str>>,
    text: String,
    parts: EmbeddedJson,
    limits: Limits,
) -> Result<JsonDocument, Box<Diagnostic>> {
    parse_parts(name.into(), text, parts, limits, FilePart::default())
}

/// Parses a text with one JSON value per line (JSON Lines): the document is an array of the values. Blank lines are
/// skipped. One array of the values, or values over several lines, are also accepted.
///
/// # Errors
/// The errors of [`parse`].
pub fn parse_lines(
    name: impl Into<Arc<str>>,
    text: String,
    limits: Limits,
) -> Result<JsonDocument, Box<Diagnostic>> {
    let parts = match LineForm::from_text(text.as_bytes()) {
        LineForm::Array => return parse(name, text, limits),
        LineForm::Values => values_of(&text),
        LineForm::Lines => lines_of(&text),
    };
    let parsed = parse_parts(name.into(), text, EmbeddedJson::Array(parts), limits, FilePart::default());
    parsed.map_err(of_lines)
}

fn lines_of(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    for line in text[start..].split_inclusive('\n') {
        if !line.trim().is_empty() {
            parts.push(start..start + line.len());
        }
        start += line.len();
    }
    parts
}

/// Adapts the message of a fault to a line, which may end before the text does.
pub(super) fn of_lines(mut fault: Box<Diagnostic>) -> Box<Diagnostic> {
    let help = match &*fault.code {
        codes::JSON_TRUNCATED => {
            fault.message = "unexpected end of line inside a value".to_owned();
            "each line has to be a whole value: join the lines of the value"
        }
        codes::JSON_TRAILING_TEXT => "each line is one value: take out what follows it, such as a comma",
        _ => return fault,
    };
    Box::new(fault.with_help(help))
}

/// Parses the JSON inside a text that may be a part of a larger file. Places refer to the file.
pub(super) fn parse_parts(
    name: Arc<str>,
    text: String,
    parts: EmbeddedJson,
    limits: Limits,
    part: FilePart,
) -> Result<JsonDocument, Box<Diagnostic>> {
    let most = limits.size.min(LARGEST_DOCUMENT);
    if text.len() as u64 > most {
        return Err(Box::new(
            Diagnostic::error(
                codes::JSON_SIZE,
                format!("`{name}` has {} bytes, more than the limit of {most}", text.len()),
            )
            .with_help(help![
                "raise the limit with ",
                setting("max-size"),
                ", or split the file (4 GiB is the most)"
            ]),
        ));
    }
    let mut parser = JsonParser {
        text: &text,
        bytes: text.as_bytes(),
        at: 0,
        depth: limits.depth,
        tokens: Vec::with_capacity(text.len() / 24),
        stack: Vec::new(),
        symbols: SymbolTable::default(),
        duplicate_keys: Vec::new(),
    };
    let parsed = match parts {
        EmbeddedJson::One(part) => parser.document(part),
        EmbeddedJson::Array(parts) => parser.array_of(parts),
    };
    match parsed {
        Ok(()) => {
            let JsonParser { mut tokens, symbols, duplicate_keys, .. } = parser;
            for duplicate in &duplicate_keys {
                tokens[duplicate.replaced.index()].kind = JsonKind::ReplacedKey;
            }
            let SymbolTable { texts, uses, .. } = symbols;
            let distinct = texts.into_iter().zip(uses);
            let symbols =
                distinct.map(|(text, SymbolUse { last, .. })| DistinctKey { text, last: TokenId(last.1) });
            let symbols = symbols.collect();
            let (written, text, tail) = (text.len(), Arc::new(text), String::new());
            let (origins, lines, long) = (Arc::default(), Arc::default(), LongContainers::default());
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
        Err(fault) => {
            let source = SourceText::new(name, text.as_bytes()).cut_out(&part.pieces);
            Err(Box::new(fault.diagnostic(&source, &text)))
        }
    }
}

struct OpenContainer {
    container: u32,
    is_object: bool,
    /// The last key of each symbol, if the object has many keys.
    seen: Option<Box<HashMap<u32, u32, FixedState>>>,
}

/// The distinct keys.
#[derive(Default)]
struct SymbolTable {
    texts: Vec<SymbolText>,
    /// The symbols by the hash of their texts.
    table: HashTable<u32>,
    hasher: FixedState,
    uses: Vec<SymbolUse>,
    previous: u32,
}

/// The parser's notes about a distinct key.
#[derive(Debug, Clone, Copy)]
struct SymbolUse {
    /// The bytes of a spelling without escapes, including the quotes; empty if there is no such spelling.
    spelling: (u32, u32),
    /// The symbol that followed this one last time, because keys often come in the same order.
    next: u32,
    /// The last container with the symbol, and the key token there.
    last: (u32, u32),
}

struct JsonParser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    tokens: Vec<JsonToken>,
    stack: Vec<OpenContainer>,
    symbols: SymbolTable,
    duplicate_keys: Vec<DuplicateKey>,
}

impl JsonParser<'_> {
    /// Reads several JSON texts as the items of an array without brackets.
    fn array_of(&mut self, parts: Vec<Range<usize>>) -> Result<(), JsonFault> {
        let start = parts.first().map_or(0, |part| part.start);
        self.push(start, 0, JsonKind::Array);
        let whole = self.text;
        for part in parts {
            (self.text, self.bytes) = (whole, whole.as_bytes());
            self.document(part)?;
        }
        self.tokens[0].payload = self.tokens.len() as u32;
        Ok(())
    }

    /// Reads one JSON text, which ends at the end of its part.
    fn document(&mut self, part: Range<usize>) -> Result<(), JsonFault> {
        self.text = &self.text[..part.end];
        self.bytes = self.text.as_bytes();
        self.at = part.start;
        self.skip_space();
        if self.at >= self.bytes.len() {
            return Err(self.fault(self.at..self.at, JsonProblem::Empty));
        }
        self.values()?;
        self.skip_space();
        if self.at < self.bytes.len() {
            let problem =
                if self.bytes[self.at] == b'/' { JsonProblem::Comment } else { JsonProblem::TrailingText };
            return Err(self.fault(self.at..self.at + 1, problem));
        }
        Ok(())
    }

    /// Reads the outermost value and all values in it.
    fn values(&mut self) -> Result<(), JsonFault> {
        loop {
            // A value begins here.
            let opened = self.value()?;
            if opened {
                let frame = self.stack.last().expect("a container was opened");
                let is_object = frame.is_object;
                self.skip_space();
                let closing = if is_object { b'}' } else { b']' };
                if self.bytes.get(self.at) == Some(&closing) {
                    self.close();
                } else {
                    if is_object {
                        self.key()?;
                    }
                    continue;
                }
            }
            // A value ended here.
            loop {
                let Some(frame) = self.stack.last() else { return Ok(()) };
                let is_object = frame.is_object;
                self.skip_space();
                match self.bytes.get(self.at) {
                    Some(b',') => {
                        let comma = self.at;
                        self.at += 1;
                        self.skip_space();
                        if matches!(self.bytes.get(self.at), Some(b'}' | b']')) {
                            return Err(self.fault(comma..comma + 1, JsonProblem::TrailingComma));
                        }
                        if is_object {
                            self.key()?;
                        }
                        break;
                    }
                    Some(b'}') if is_object => self.close(),
                    Some(b']') if !is_object => self.close(),
                    _ => return Err(self.unexpected(if is_object { "`,` or `}`" } else { "`,` or `]`" })),
                }
            }
        }
    }

    /// Skips white space; indentation is skipped in blocks.
    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
            while let Some(block) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
                let blanks = block::leading_blanks(block);
                self.at += blanks;
                if blanks < BLOCK {
                    break;
                }
            }
        }
    }

    #[inline]
    fn push(&mut self, start: usize, payload: usize, kind: JsonKind) {
        // The length of the text, and with it every offset and count, is below `LARGEST_DOCUMENT`.
        self.tokens.push(JsonToken { start: start as u32, payload: payload as u32, kind });
    }

    /// Reads a scalar, or opens an array or object; returns whether it has opened one.
    #[inline]
    fn value(&mut self) -> Result<bool, JsonFault> {
        self.skip_space();
        let start = self.at;
        match self.bytes.get(start) {
            Some(b'"') => {
                let escaped = self.string()?;
                let kind = if escaped { JsonKind::EscapedString } else { JsonKind::String };
                self.push(start, self.at - start - 2, kind);
            }
            Some(b'{') => return self.open(true),
            Some(b'[') => return self.open(false),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') if self.bytes[start..].starts_with(b"true") => self.word(JsonKind::True, 4)?,
            Some(b'f') if self.bytes[start..].starts_with(b"false") => self.word(JsonKind::False, 5)?,
            Some(b'n') if self.bytes[start..].starts_with(b"null") => self.word(JsonKind::Null, 4)?,
            _ => return Err(self.unexpected("a value")),
        }
        Ok(false)
    }

    fn open(&mut self, is_object: bool) -> Result<bool, JsonFault> {
        if self.stack.len() >= self.depth {
            return Err(self.fault(self.at..self.at + 1, JsonProblem::TooDeep { depth: self.depth }));
        }
        self.stack.push(OpenContainer { container: self.tokens.len() as u32, is_object, seen: None });
        self.push(self.at, 0, if is_object { JsonKind::Object } else { JsonKind::Array });
        self.at += 1;
        Ok(true)
    }

    fn close(&mut self) {
        let frame = self.stack.pop().expect("only called inside a container");
        self.tokens[frame.container as usize].payload = self.tokens.len() as u32;
        self.at += 1;
    }

    fn word(&mut self, kind: JsonKind, length: usize) -> Result<(), JsonFault> {
        self.push(self.at, 0, kind);
        self.at += length;
        match self.bytes.get(self.at) {
            Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'_' => {
                self.at -= length;
                Err(self.unexpected("a value"))
            }
            _ => Ok(()),
        }
    }

    fn number(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        let mut at = start + usize::from(self.bytes[start] == b'-');
        let digits = |at: &mut usize| {
            let from = *at;
            while matches!(self.bytes.get(*at), Some(b'0'..=b'9')) {
                *at += 1;
            }
            *at > from
        };
        let leading = at;
        let mut good = digits(&mut at) && (self.bytes[leading] != b'0' || at == leading + 1);
        if good && self.bytes.get(at) == Some(&b'.') {
            at += 1;
            good = digits(&mut at);
        }
        if good && matches!(self.bytes.get(at), Some(b'e' | b'E')) {
            at += 1;
            at += usize::from(matches!(self.bytes.get(at), Some(b'+' | b'-')));
            good = digits(&mut at);
        }
        if !good || self.bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.') {
            let problem = if self.bytes[start..].starts_with(b"-Infinity") {
                JsonProblem::NotANumber
            } else {
                JsonProblem::Number
            };
            return Err(self.fault(start..self.word_end(start), problem));
        }
        self.push(start, at - start, JsonKind::Number);
        self.at = at;
        Ok(())
    }

    fn word_end(&self, start: usize) -> usize {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-');
        start + self.bytes[start..].iter().take_while(|byte| is_word(byte)).count().max(1)
    }

    /// Reads a string from its opening quote; returns whether the string has escapes.
    #[inline]
    fn string(&mut self) -> Result<bool, JsonFault> {
        let start = self.at;
        let mut at = start + 1;
        let mut escaped = false;
        loop {
            at = block::next_special(self.bytes, at);
            match self.bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    // The most common escapes are two bytes long; other escapes are checked in full.
                    at += match self.bytes.get(at + 1) {
                        Some(b'n' | b'"' | b'\\' | b't' | b'/' | b'r' | b'b' | b'f') => 2,
                        _ => self.checked_escape(at)?,
                    };
                }
                Some(&byte) => return Err(self.control_character(start, at, byte)),
                None => return Err(self.truncated()),
            }
        }
    }

    fn checked_escape(&self, at: usize) -> Result<usize, JsonFault> {
        match escape(&self.text[at..]) {
            Ok((_, length)) => Ok(length),
            Err(_) if self.bytes.len() < at + 6 && !self.bytes[at..].contains(&b'"') => Err(self.truncated()),
            Err(EscapeFault::LoneSurrogate) => Err(self.fault(at..at + 6, JsonProblem::LoneSurrogate)),
            Err(EscapeFault::Unknown) => {
                let end = at + 1 + self.text[at + 1..].chars().next().map_or(0, char::len_utf8);
                Err(self.fault(at..end, JsonProblem::Escape))
            }
        }
    }

    fn control_character(&self, _start: usize, at: usize, byte: u8) -> JsonFault {
        self.fault(at..at + 1, JsonProblem::ControlCharacter(byte))
    }

    /// Reads a key and its colon.
    #[inline]
    fn key(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        if self.bytes.get(start) != Some(&b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let symbol = match self.predicted_symbol(start) {
            Some(symbol) => symbol,
            None => {
                let escaped = self.string()?;
                let symbol = self.symbols.intern(self.text, start + 1..self.at - 1, escaped);
                self.symbols.follow(symbol);
                symbol
            }
        };
        self.symbols.previous = symbol;
        self.note_key(symbol);
        self.push(start, symbol as usize, JsonKind::Key);
        self.skip_space();
        if self.bytes.get(self.at) != Some(&b':') {
            return Err(self.unexpected("`:` after the key"));
        }
        self.at += 1;
        Ok(())
    }

    /// Returns the symbol that followed the previous one last time, if its spelling comes next in the text.
    #[inline]
    fn predicted_symbol(&mut self, start: usize) -> Option<u32> {
        let SymbolTable { uses, previous, .. } = &self.symbols;
        let guess = uses.get(*previous as usize)?.next;
        let (from, to) = uses.get(guess as usize)?.spelling;
        let spelling = self.bytes.get(from as usize..to as usize)?;
        let end = start + spelling.len();
        // A symbol without a spelling never matches here, because a key has quotes.
        (self.bytes.get(start..end) == Some(spelling) && from < to).then(|| {
            self.at = end;
            guess
        })
    }

    /// Notes a key of the innermost object, and whether the object has an equal key already.
    #[inline]
    fn note_key(&mut self, symbol: u32) {
        let key = self.tokens.len() as u32;
        let frame = self.stack.last_mut().expect("a key is in an object");
        let last = &mut self.symbols.uses[symbol as usize].last;
        let (last_container, last_key) = std::mem::replace(last, (frame.container, key));
        let earlier = if let Some(seen) = &mut frame.seen {
            seen.insert(symbol, key)
        } else if last_container == frame.container {
            Some(last_key)
        } else if last_container != NEVER && last_container > frame.container {
            // An inner object has used the symbol since, so the keys of this object have to be searched.
            Self::look_back(&self.tokens, frame, symbol, key)
        } else {
            None
        };
        if let Some(replaced) = earlier {
            self.duplicate_keys.push(DuplicateKey { replaced: TokenId(replaced), kept: TokenId(key) });
        }
    }

    fn look_back(tokens: &[JsonToken], frame: &mut OpenContainer, symbol: u32, key: u32) -> Option<u32> {
        let mut seen = HashMap::with_hasher(FixedState::default());
        let mut at = frame.container + 1;
        while at < key {
            seen.insert(tokens[at as usize].payload, at);
            let value = tokens[at as usize + 1];
            at =
                if matches!(value.kind, JsonKind::Array | JsonKind::Object) { value.payload } else { at + 2 };
        }
        let earlier = seen.insert(symbol, key);
        if seen.len() > SCANNED_KEYS {
            frame.seen = Some(Box::new(seen));
        }
        earlier
    }

    fn fault(&self, bytes: Range<usize>, problem: JsonProblem) -> JsonFault {
        JsonFault { bytes, problem }
    }

    fn truncated(&self) -> JsonFault {
        let open = self.stack.last().map(|frame| self.tokens[frame.container as usize].start as usize);
        // The end of the last line with text, not the empty line after it.
        let end = self.text.trim_end_matches(['\n', '\r']).len();
        self.fault(end..end, JsonProblem::Truncated { open })
    }

    fn unexpected(&self, expected: &'static str) -> JsonFault {
        let Some(&byte) = self.bytes.get(self.at) else { return self.truncated() };
        let one = self.at..self.at + self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        match byte {
            b'\'' => self.fault(one, JsonProblem::SingleQuotes),
            b'/' | b'#' => self.fault(one, JsonProblem::Comment),
            b'N' | b'I' if ["NaN", "Infinity"].iter().any(|word| self.text[self.at..].starts_with(word)) => {
                self.fault(self.at..self.word_end(self.at), JsonProblem::NotANumber)
            }
            b'+' | b'.' if expected == "a value" => {
                self.fault(self.at..self.word_end(self.at), JsonProblem::Number)
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.fault(self.at..self.word_end(self.at), JsonProblem::BareWord)
            }
            _ => self.fault(one, JsonProblem::Expected(expected)),
        }
    }
}

const NEVER: u32 = u32::MAX;

impl SymbolTable {
    fn intern(&mut self, text: &str, content: Range<usize>, escaped: bool) -> u32 {
        let raw = &text[content.clone()];
        let unescaped = escaped.then(|| {
            let mut unescaped = String::new();
            unescape_into(raw, &mut unescaped);
            unescaped
        });
        let key = unescaped.as_deref().unwrap_or(raw);
        let hash = self.hasher.hash_one(key);
        let found = self.table.find(hash, |&symbol| self.text(text, symbol) == key);
        if let Some(&symbol) = found {
            return symbol;
        }
        let symbol = self.texts.len() as u32;
        self.texts.push(match unescaped {
            Some(unescaped) => SymbolText::Unescaped(unescaped.into()),
            None => SymbolText::Plain(content.start as u32..content.end as u32),
        });
        let spelling = if escaped { (0, 0) } else { (content.start as u32 - 1, content.end as u32 + 1) };
        self.uses.push(SymbolUse { spelling, next: NEVER, last: (NEVER, NEVER) });
        let (texts, hasher) = (&self.texts, &self.hasher);
        self.table.insert_unique(hash, symbol, |&symbol| hasher.hash_one(symbol_text(texts, text, symbol)));
        symbol
    }

    fn text<'t>(&'t self, text: &'t str, symbol: u32) -> &'t str {
        symbol_text(&self.texts, text, symbol)
    }

    #[inline]
    fn follow(&mut self, symbol: u32) {
        if let Some(previous) = self.uses.get_mut(self.previous as usize) {
            previous.next = symbol;
        }
    }
}

fn symbol_text<'t>(texts: &'t [SymbolText], text: &'t str, symbol: u32) -> &'t str {
    match &texts[KeySymbol(symbol).index()] {
        SymbolText::Plain(range) => &text[range.start as usize..range.end as usize],
        SymbolText::Unescaped(unescaped) => unescaped,
    }
}
