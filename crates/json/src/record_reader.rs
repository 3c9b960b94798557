//! Reads the records of a JSON file of any size in chunks. Records are the items of the outermost array, the items of
//! an array under a key of the outermost object, or one value per line.
//!
//! A batch is a separate [`JsonDocument`] over a piece of the file. It knows where the piece begins, so lines, columns,
//! bytes and JSON Pointers refer to the whole file. A file is read once, from start to end. Only one batch is kept in
//! memory, and the text around the list of records.

use super::parse::{EmbeddedJson, Limits, of_lines, parse_parts};
use super::text_encoding::decode_piece;
use super::{DocumentComposer, FilePart, JsonDocument, ListPart, TokenId, block};
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FilePiece, FilePosition, SourcePlace, SourceText, codes};
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 20;

/// The least number of bytes in a batch, except for the last one.
const BATCH: usize = 4 << 20;

/// The most records in a batch, however small they are: data made from a record take more room than its text.
const MANY: usize = 1 << 16;

/// The place of the records in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordsIn<'k> {
    /// The file is an array of them.
    Array,
    /// The file is an object with an array of them under this key.
    Key(&'k str),
    /// Each line is a record.
    Lines,
}

/// Consecutive records of a file.
#[derive(Debug)]
pub struct RecordBatch {
    /// An array of the records. Their places refer to the file.
    pub document: JsonDocument,
    /// The index of the first record in the file.
    pub first: u64,
    /// The key of their array in the file.
    key: Option<String>,
}

impl RecordBatch {
    /// Returns the place of a token in the file. `source` is the source text of the batch's document; make it once for
    /// many tokens.
    pub fn place(&self, source: &SourceText<'_>, token: TokenId) -> SourcePlace {
        self.document.place_in(source, token)
    }

    /// Returns the records in the form of the file: if the file is an object with a list of records, the result is an
    /// object with only these records.
    ///
    /// # Errors
    /// The errors of [`DocumentComposer::finish`].
    pub fn into_file(self) -> Result<JsonDocument, Box<Diagnostic>> {
        let Some(key) = self.key else { return Ok(self.document) };
        let Some(list) = &self.document.part.list else { return Ok(self.document) };
        let (records, in_file) = (&self.document, list.in_file.clone());
        let list = ListPart { here: in_file.clone(), in_file, first: self.first };
        let mut composer = DocumentComposer::over(records);
        composer.begin_object(0);
        let key = composer.key(&key);
        composer.member(key);
        composer.value(records, records.root());
        composer.end();
        let mut document = composer.finish()?;
        document.part.list = Some(list);
        Ok(document)
    }
}

/// Reads the records of a file batch by batch.
///
/// ```
/// use evalgraph_json::{Limits, RecordReader, RecordsIn};
///
/// let text = "{\"samples\": [{\"id\": 1},\n {\"id\": 2}]}";
/// let mut reader = RecordReader::new(text.as_bytes(), "a.json", RecordsIn::Key("samples"), Limits::default());
/// let batch = reader.next().expect("there are records")?;
/// let second = batch.document.items(batch.document.root()).nth(1).expect("there are two");
/// let place = batch.place(&batch.document.source_text(), second);
/// assert_eq!((place.line, place.column, place.pointer.as_deref()), (2, 2, Some("/samples/1")));
/// assert!(reader.next().is_none());
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<'k, R> {
    source: R,
    name: Arc<str>,
    records: RecordsIn<'k>,
    limits: Limits,
    batch: usize,
    /// The bytes that were read but not returned yet; they begin at `start`.
    buffer: Vec<u8>,
    start: FilePosition,
    is_at_end: bool,
    scan: RecordScan,
    /// How many records were returned.
    count: u64,
    is_done: bool,
    /// `true` if the text between the records is kept as well.
    keeps_all: bool,
    frame: RecordEnvelope,
}

/// The text around the list of records in an object.
#[derive(Debug, Default)]
struct RecordEnvelope {
    bytes: Vec<u8>,
    /// How much of the buffer it has taken, before the records begin.
    taken: usize,
    /// The position where it continues after the records.
    rest: Option<FilePiece>,
}

/// The state of the scan: the meaning of the next byte, at `at`.
#[derive(Debug)]
struct RecordScan {
    /// The next byte, in the buffer.
    at: usize,
    /// How many arrays and objects are open.
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// Before the records, among them, or after them.
    state: ScanSection,
    /// The beginning of the record that is being read.
    record: Option<usize>,
    /// `true` if a record must follow.
    is_after_comma: bool,
    /// The records that are complete.
    whole: Vec<Range<usize>>,
    /// The beginning of the string that is being read, outside of records.
    string: usize,
    /// The last string directly in the outermost object: a key, if a colon follows.
    last_string: Option<Range<usize>>,
    /// `true` if the value of the wanted key comes next.
    is_wanted: bool,
    /// The position in the buffer of the first byte of the list that was not returned yet.
    list: usize,
}

/// The part of a file that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScanSection {
    Before,
    Within,
    After,
}

impl<'k, R: Read> RecordReader<'k, R> {
    /// Starts before the first record. The size limit applies to each record.
    pub fn new(source: R, name: impl Into<Arc<str>>, records: RecordsIn<'k>, limits: Limits) -> Self {
        let state = if records == RecordsIn::Lines { ScanSection::Within } else { ScanSection::Before };
        let scan = RecordScan {
            at: 0,
            depth: 0,
            is_in_string: false,
            is_escaped: false,
            state,
            record: (records == RecordsIn::Lines).then_some(0),
            is_after_comma: false,
            whole: Vec::new(),
            string: 0,
            last_string: None,
            is_wanted: false,
            list: 0,
        };
        Self {
            source,
            name: name.into(),
            records,
            limits,
            batch: BATCH,
            buffer: Vec::new(),
            start: FilePosition::START,
            is_at_end: false,
            scan,
            count: 0,
            is_done: false,
            keeps_all: false,
            frame: RecordEnvelope::default(),
        }
    }

    /// Returns the bytes that were read but not returned. After a fault, these are the bytes at fault.
    pub fn pending(&self) -> &[u8] {
        &self.buffer
    }

    /// Returns the part of an object that was read, with `records` in its list, and with closing brackets added if it
    /// is open; `None` for other files.
    pub fn with_records(&self, records: &str) -> Option<Vec<u8>> {
        let RecordsIn::Key(_) = self.records else { return None };
        let at = self.frame.rest.map_or(self.frame.bytes.len(), |rest| rest.at);
        let rest = if self.frame.rest.is_some() { &self.frame.bytes[at..] } else { b"]}" };
        Some([&self.frame.bytes[..at], records.as_bytes(), rest].concat())
    }

    /// Returns the text around the records, after all of them have been read: the object with an empty list. Returns
    /// `None` for a file without text around its records.
    ///
    /// # Errors
    /// A diagnostic about the JSON of that text.
    pub fn frame(self) -> Result<Option<JsonDocument>, Box<Diagnostic>> {
        let (RecordsIn::Key(_), Some(rest)) = (self.records, self.frame.rest) else { return Ok(None) };
        let text = super::decode(&self.name, self.frame.bytes)?;
        let whole = if text.starts_with('\u{feff}') { 3 } else { 0 }..text.len();
        let pieces = vec![FilePiece::from(FilePosition::START), rest];
        let part = FilePart { pieces, ..FilePart::default() };
        let limits = Limits { size: u64::MAX, ..self.limits };
        parse_parts(self.name, text, EmbeddedJson::One(whole), limits, part).map(Some)
    }

    /// Sets the least number of bytes in a batch.
    #[must_use]
    pub fn with_batch(mut self, bytes: usize) -> Self {
        self.batch = bytes.max(1);
        self
    }

    /// Keeps every byte of the list, also those between the records.
    pub(super) fn keeping_all(mut self) -> Self {
        self.keeps_all = true;
        self
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>, Box<Diagnostic>> {
        if self.read_batch()? { self.hand_out().map(Some) } else { Ok(None) }
    }

    /// Reads until there are enough records; returns `false` at their end.
    pub(super) fn read_batch(&mut self) -> Result<bool, Box<Diagnostic>> {
        loop {
            let bytes: usize = self.scan.whole.last().map_or(0, |last| last.end);
            let is_enough = bytes >= self.batch || self.scan.whole.len() >= MANY;
            if is_enough || (self.is_at_end && !self.scan.whole.is_empty()) {
                return Ok(true);
            }
            if self.is_at_end {
                return self.end().map(|()| false);
            }
            self.check_size()?;
            let is_kept = self.keeps_all && self.scan.state == ScanSection::Within;
            if self.scan.record.is_none() && self.scan.whole.is_empty() && !is_kept {
                self.forget();
            }
            self.fill()?;
            self.scan()?;
        }
    }

    /// Returns the text of the list that was read but not returned, and its position in the file; `None` if the list
    /// has not begun.
    pub(super) fn list_text(&self) -> Option<(&[u8], FilePosition)> {
        let begin = self.scan.list;
        let has_begun = self.scan.state != ScanSection::Before;
        has_begun.then(|| (&self.buffer[begin..], self.start.after(&self.buffer[..begin])))
    }

    /// Marks the text of the list up to the end of the last complete record as returned. Gives its length in
    /// [`Self::list_text`], for [`Self::drop_list_text`], and the index of its first record.
    pub(super) fn whole_list_text(&mut self) -> Result<(usize, u64), Box<Diagnostic>> {
        let first = self.count;
        let parts = self.take_whole()?;
        let end = parts.last().map_or(self.scan.list, |last| last.end);
        Ok((end - self.scan.list, first))
    }

    /// Returns the object up to the list, with an empty list; `None` if the list has not begun.
    pub(super) fn front(&self) -> Option<Vec<u8>> {
        let front = self.frame.rest.map_or(self.frame.bytes.len(), |rest| rest.at);
        let has_begun = self.scan.state != ScanSection::Before;
        has_begun.then(|| [&self.frame.bytes[..front], b"]}"].concat())
    }

    /// Returns the name of the file.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns how many records were returned.
    pub(super) fn handed_out(&self) -> u64 {
        self.count
    }

    /// Drops bytes at the start of [`Self::list_text`].
    pub(super) fn drop_list_text(&mut self, count: usize) {
        self.drop_front(self.scan.list + count);
    }

    /// Drops text that is no longer needed.
    fn forget(&mut self) {
        let kept = self.scan.last_string.as_ref().map_or(self.scan.at, |string| string.start);
        let kept = if self.scan.is_in_string { kept.min(self.scan.string) } else { kept };
        let kept = kept.min(self.scan.at);
        if self.scan.state == ScanSection::Before && kept > self.frame.taken {
            self.frame.bytes.extend_from_slice(&self.buffer[self.frame.taken..kept]);
            self.frame.taken = kept;
        }
        self.drop_front(kept);
        self.frame.taken = self.frame.taken.saturating_sub(kept);
    }

    fn drop_front(&mut self, count: usize) {
        self.start = self.start.after(&self.buffer[..count]);
        self.buffer.drain(..count);
        self.scan.at -= count;
        self.scan.string = self.scan.string.saturating_sub(count);
        self.scan.list = self.scan.list.saturating_sub(count);
        if let Some(record) = &mut self.scan.record {
            *record -= count;
        }
        self.scan.last_string =
            self.scan.last_string.take().map(|string| string.start - count..string.end - count);
    }

    fn fill(&mut self) -> Result<(), Box<Diagnostic>> {
        let before = self.buffer.len();
        let read = self.source.by_ref().take(CHUNK.min(self.batch) as u64).read_to_end(&mut self.buffer);
        read.map_err(|error| Box::new(unreadable(&self.name, &error)))?;
        self.is_at_end = self.buffer.len() == before;
        if self.is_at_end && self.records == RecordsIn::Lines {
            // The last line may have no line end.
            let end = self.buffer.len();
            self.line(end);
        }
        // A byte order mark may arrive in two parts.
        if self.start.byte == 0 && self.scan.at < 3 && self.buffer.starts_with(b"\xEF\xBB\xBF") {
            self.scan.at = 3;
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), Box<Diagnostic>> {
        if self.frame.bytes.len() as u64 > self.limits.size {
            let most = self.limits.size;
            let message = format!("the text around the records has more bytes than the limit of {most}");
            let fault = Diagnostic::error(codes::JSON_SIZE, message);
            return Err(Box::new(fault.with_help(help!["raise the limit with ", setting("max-size")])));
        }
        // The text between records is kept as well.
        let list = self.scan.whole.last().map_or(self.scan.list, |last| last.end);
        let list = (self.keeps_all && self.scan.state == ScanSection::Within).then_some(list);
        let Some(begin) = self.scan.record.or(list) else { return Ok(()) };
        if (self.buffer.len() - begin) as u64 <= self.limits.size {
            return Ok(());
        }
        Err(self.too_large(begin, self.count + self.scan.whole.len() as u64))
    }

    fn too_large(&self, begin: usize, index: u64) -> Box<Diagnostic> {
        let message = format!("the record {index} has more bytes than the limit of {}", self.limits.size);
        let fault = Diagnostic::error(codes::JSON_SIZE, message)
            .with_help(help!["raise the limit with ", setting("max-size")]);
        Box::new(fault.at(self.place(begin..begin)))
    }

    fn place(&self, bytes: Range<usize>) -> SourcePlace {
        let pieces = [FilePiece::from(self.start)];
        SourceText::new(Arc::clone(&self.name), &self.buffer).cut_out(&pieces).place(bytes)
    }

    /// Scans the new bytes, and notes the complete records.
    fn scan(&mut self) -> Result<(), Box<Diagnostic>> {
        if self.records == RecordsIn::Lines {
            while let Some(end) = memchr::memchr(b'\n', &self.buffer[self.scan.at..]) {
                self.line(self.scan.at + end + 1);
            }
            return Ok(());
        }
        while self.scan.at < self.buffer.len() && self.scan.state != ScanSection::After {
            let byte = self.buffer[self.scan.at];
            if self.scan.is_in_string {
                self.within_string(byte);
            } else {
                self.structural(byte)?;
            }
        }
        if self.scan.state == ScanSection::After {
            self.skip_rest()?;
        }
        Ok(())
    }

    /// Passes over the text after the records: white space, or the other members of the object.
    fn skip_rest(&mut self) -> Result<(), Box<Diagnostic>> {
        let rest = &self.buffer[self.scan.at..];
        let text = rest.iter().position(|byte| !byte.is_ascii_whitespace());
        if let Some(text) = text.filter(|_| self.records == RecordsIn::Array) {
            let at = self.scan.at + text;
            let fault =
                Diagnostic::error(codes::JSON_RECORDS, "there is more text after the array of records");
            return Err(Box::new(fault.at(self.place(at..at + 1))));
        }
        if matches!(self.records, RecordsIn::Key(_)) {
            self.frame.bytes.extend_from_slice(rest);
        }
        self.scan.at = self.buffer.len();
        Ok(())
    }

    /// Notes the line that ends at a byte of the buffer.
    fn line(&mut self, end: usize) {
        let line = self.scan.at..end;
        if !self.buffer[line.clone()].trim_ascii().is_empty() {
            self.scan.whole.push(line);
        }
        self.scan.at = end;
        self.scan.record = (end < self.buffer.len() || !self.is_at_end).then_some(end);
    }

    fn within_string(&mut self, byte: u8) {
        let scan = &mut self.scan;
        if scan.is_escaped {
            scan.is_escaped = false;
            scan.at += 1;
            return;
        }
        match byte {
            b'"' => {
                scan.is_in_string = false;
                scan.at += 1;
                if scan.depth == 1 && scan.state == ScanSection::Before {
                    scan.last_string = Some(scan.string..scan.at);
                }
            }
            b'\\' => {
                scan.is_escaped = true;
                scan.at += 1;
            }
            _ => {
                let next = memchr::memchr2(b'"', b'\\', &self.buffer[scan.at..]);
                scan.at = next.map_or(self.buffer.len(), |next| scan.at + next);
            }
        }
    }

    fn structural(&mut self, byte: u8) -> Result<(), Box<Diagnostic>> {
        let at = self.scan.at;
        let record_depth = if self.records == RecordsIn::Array { 1 } else { 2 };
        let is_within = self.scan.state == ScanSection::Within;
        let is_at_records = is_within && self.scan.depth == record_depth;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                // Most bytes of an indented file are white space.
                self.scan.at = block::after_space(&self.buffer, at);
                return Ok(());
            }
            b'"' => {
                self.scan.is_in_string = true;
                self.scan.string = at;
                self.begin_record(is_at_records, at);
            }
            b'{' | b'[' => {
                if !is_within {
                    self.check_outermost(byte, at)?;
                }
                self.begin_record(is_at_records, at);
                self.scan.depth += 1;
                let is_records = !is_within && byte == b'[' && self.scan.depth == record_depth;
                if is_records && (record_depth == 1 || self.scan.is_wanted) {
                    self.scan.state = ScanSection::Within;
                    self.scan.list = at + 1;
                    self.frame.bytes.extend_from_slice(&self.buffer[self.frame.taken..=at]);
                }
                self.scan.is_wanted = false;
            }
            b'}' | b']' => {
                if is_at_records {
                    if byte == b'}' {
                        let fault = Diagnostic::error(
                            codes::JSON_RECORDS,
                            "expected `]` after the records, found `}`",
                        );
                        return Err(Box::new(fault.at(self.place(at..at + 1))));
                    }
                    self.end_record(at, self.scan.is_after_comma)?;
                    self.scan.state = ScanSection::After;
                    let position = self.start.after(&self.buffer[..at]);
                    self.frame.rest = Some(FilePiece { at: self.frame.bytes.len(), position });
                    self.frame.bytes.push(byte);
                }
                self.scan.depth = self.scan.depth.saturating_sub(1);
            }
            b',' => {
                if is_at_records {
                    self.end_record(at, true)?;
                    self.scan.is_after_comma = true;
                }
                (self.scan.last_string, self.scan.is_wanted) = (None, false);
            }
            b':' if self.scan.depth == 1 && !is_within => self.scan.is_wanted = self.is_wanted_key(),
            _ => self.begin_record(is_at_records, at),
        }
        self.scan.at += 1;
        Ok(())
    }

    fn begin_record(&mut self, is_at_records: bool, at: usize) {
        if is_at_records {
            self.scan.record.get_or_insert(at);
            self.scan.is_after_comma = false;
        }
    }

    fn end_record(&mut self, at: usize, is_needed: bool) -> Result<(), Box<Diagnostic>> {
        match self.scan.record.take() {
            Some(begin) => self.scan.whole.push(begin..at),
            None if is_needed => {
                let fault = Diagnostic::error(codes::JSON_RECORDS, "a record is missing before this");
                return Err(Box::new(fault.at(self.place(at..at + 1))));
            }
            None => {}
        }
        Ok(())
    }

    fn is_wanted_key(&mut self) -> bool {
        let (RecordsIn::Key(key), Some(string)) = (self.records, self.scan.last_string.take()) else {
            return false;
        };
        let raw = &self.buffer[string];
        let mut text = String::new();
        let content = std::str::from_utf8(&raw[1..raw.len() - 1]).unwrap_or_default();
        super::json_string::unescape_into(content, &mut text);
        text == key
    }

    fn check_outermost(&self, byte: u8, at: usize) -> Result<(), Box<Diagnostic>> {
        let wanted = if self.records == RecordsIn::Array { b'[' } else { b'{' };
        if self.scan.depth > 0 || byte == wanted {
            return Ok(());
        }
        let message = match self.records {
            RecordsIn::Key(key) => format!("the file is an array, not an object with `{key}`"),
            RecordsIn::Array | RecordsIn::Lines => {
                "the file is an object, not an array of records".to_owned()
            }
        };
        Err(Box::new(Diagnostic::error(codes::JSON_RECORDS, message).at(self.place(at..at + 1))))
    }

    /// Takes the complete records, which then count as returned.
    fn take_whole(&mut self) -> Result<Vec<Range<usize>>, Box<Diagnostic>> {
        let parts = std::mem::take(&mut self.scan.whole);
        for (part, index) in parts.iter().zip(self.count..) {
            if part.len() as u64 > self.limits.size {
                return Err(self.too_large(part.start, index));
            }
        }
        self.count += parts.len() as u64;
        Ok(parts)
    }

    /// Makes a document from the complete records.
    fn hand_out(&mut self) -> Result<RecordBatch, Box<Diagnostic>> {
        let (first, start) = (self.count, self.start);
        let parts = self.take_whole()?;
        let end = parts.last().map_or(0, |last| last.end);
        let piece = self.buffer[..end].to_vec();
        let text = decode_piece(&self.name, piece, start)?;
        let (key, in_file) = match self.records {
            RecordsIn::Key(key) => {
                (Some(key.to_owned()), format!("/{}", key.replace('~', "~0").replace('/', "~1")))
            }
            RecordsIn::Array | RecordsIn::Lines => (None, String::new()),
        };
        let list = Some(ListPart { here: String::new(), in_file, first });
        let part = FilePart { pieces: vec![FilePiece::from(start)], list, ..FilePart::default() };
        let limits = Limits { size: u64::MAX, ..self.limits };
        let document = parse_parts(Arc::clone(&self.name), text, EmbeddedJson::Array(parts), limits, part);
        let document = document
            .map_err(|fault| if self.records == RecordsIn::Lines { of_lines(fault) } else { fault })?;
        self.drop_front(end);
        Ok(RecordBatch { document, first, key })
    }

    /// Returns a fault if the file must not end here.
    fn end(&mut self) -> Result<(), Box<Diagnostic>> {
        let end = self.buffer.len();
        let fault = |message: String| {
            Err(Box::new(Diagnostic::error(codes::JSON_RECORDS, message).at(self.place(end..end))))
        };
        match (self.scan.state, self.records) {
            (ScanSection::After, _) | (_, RecordsIn::Lines) => Ok(()),
            (ScanSection::Within, _) => fault("the file ends before its records do".to_owned()),
            (ScanSection::Before, RecordsIn::Key(key))
                if self.scan.depth == 0 && self.start.byte + end as u64 > 0 =>
            {
                fault(format!("there is no array `{key}` in the file"))
            }
            (ScanSection::Before, _) => fault("the file ends before its records begin".to_owned()),
        }
    }
}

impl<R: Read> Iterator for RecordReader<'_, R> {
    type Item = Result<RecordBatch, Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let batch = self.batch().transpose();
        self.is_done = !matches!(batch, Some(Ok(_)));
        batch
    }
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error(codes::INPUT_UNREADABLE, format!("`{name}` cannot be read: {error}"))
}
