//! Findings for people: each has a stable code, a place in a file, the text at that place, and help.
//!
//! All readers report errors and warnings in this form. The command line renders it with carets and colours, or as
//! JSON.

pub mod article;
pub mod codes;
pub mod help;
mod lines;
pub mod markdown;
pub mod markup;
pub mod nearest;
mod passwords;
mod piece;
pub mod rule_explanation;
mod run_report;
pub mod shortened;
pub mod table_cells;
pub mod validation;
pub mod visible;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use help::{FindingHelp, HelpPart, SuggestedCommand, SuggestedSetting};
pub use lines::LineIndex;
pub use passwords::{overwritten, urls, without_passwords};
pub use piece::{FilePiece, FilePosition};
pub use run_report::{
    AlreadyReported, FindingKind, FindingKindTally, FindingQuota, ReportedResult, RunFailure, RunReport,
    RunStrictness,
};
pub use table_cells::TableCells;
pub use visible::visible;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingSeverity {
    /// Something worth knowing; nothing is lost.
    Note,
    /// Something was dropped or changed; an error under `--strict`.
    Warning,
    /// The input cannot be used.
    Error,
}

impl fmt::Display for FindingSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One finding about an input.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: FindingSeverity,
    /// The stable name of the finding: a JSON-LD error code as the specification spells it, or our own code,
    /// `area::name`.
    pub code: Cow<'static, str>,
    /// One sentence, lower case, no full stop, the offending text in backticks.
    pub message: String,
    /// The place of the finding.
    pub place: Option<Box<SourcePlace>>,
    /// Other places that belong to the finding, each with a label that says why.
    pub related: Vec<(SourcePlace, String)>,
    /// What to do about it, one line each.
    pub help: Vec<FindingHelp>,
    /// How many triples are missing because of it; `None` if a number has no meaning.
    pub cost: Option<u64>,
}

impl Diagnostic {
    /// Makes a finding without a place.
    pub fn new(
        severity: FindingSeverity,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity,
            code: code.into(),
            message: message.into(),
            place: None,
            related: Vec::new(),
            help: Vec::new(),
            cost: None,
        }
    }

    /// Makes an error without a place.
    pub fn error(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(FindingSeverity::Error, code, message)
    }

    /// Makes a warning without a place.
    pub fn warning(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(FindingSeverity::Warning, code, message)
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, place: SourcePlace) -> Self {
        self.place = Some(Box::new(place));
        self
    }

    /// Adds a second place, with a label that says why it belongs to the finding.
    #[must_use]
    pub fn with_related(mut self, place: SourcePlace, label: impl Into<String>) -> Self {
        self.related.push((place, label.into()));
        self
    }

    /// Adds a help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<FindingHelp>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds how many triples are missing because of the finding.
    #[must_use]
    pub fn with_cost(mut self, triples: u64) -> Self {
        self.cost = Some(triples);
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// A span of a source text, with everything needed to show it after the text has been dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// The name of the source: a path as given, `-`, or a URL.
    pub source: Arc<str>,
    /// The bytes of the span.
    pub bytes: Range<u64>,
    /// The line of the first byte, from 1.
    pub line: u64,
    /// The column of the first byte in Unicode code points, from 1; a byte order mark does not count.
    pub column: u64,
    /// The cell, as formulas name it, if the source is a sheet. The line is then its row, and the column is that of the
    /// sheet.
    pub cell: Option<String>,
    /// The JSON Pointer (RFC 6901) of the value or key, if the source is JSON.
    pub pointer: Option<String>,
    /// The line of the first byte, or a part of it if the line is long.
    pub excerpt: LineExcerpt,
}

impl SourcePlace {
    /// Returns whether the place is the whole source, without a line. Such a place is an empty span at the start.
    pub fn is_whole(&self) -> bool {
        self.bytes == (0..0)
    }

    /// Removes the excerpt from the place.
    #[must_use]
    pub fn without_text(mut self) -> Self {
        self.excerpt = LineExcerpt { text: String::new(), marked: 0..0 };
        self
    }

    /// Adds the JSON Pointer.
    #[must_use]
    pub fn with_pointer(mut self, pointer: String) -> Self {
        self.pointer = Some(pointer);
        self
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_whole() {
            return f.write_str(&self.source);
        }
        match &self.cell {
            Some(cell) => write!(f, "{}: {cell}", self.source),
            None => write!(f, "{}:{}:{}", self.source, self.line, self.column),
        }
    }
}

/// A piece of one line around a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineExcerpt {
    /// The text shown; bytes that are not UTF-8 are shown as U+FFFD.
    pub text: String,
    /// The bytes of `text` to underline; never beyond its end.
    pub marked: Range<usize>,
}

/// A named text in which places are found.
///
/// Lines are counted on the first call of [`SourceText::place`], so a text without findings costs nothing.
#[derive(Debug)]
pub struct SourceText<'t> {
    name: Arc<str>,
    bytes: &'t [u8],
    lines: Arc<LineIndex>,
    /// The pieces of the file that the text consists of, if it is cut out of a file.
    pieces: &'t [FilePiece],
    /// The cells that the text was written from, if the file is a sheet.
    cells: Option<&'t TableCells>,
}

/// How many bytes of a line are shown on each side of the marked span.
const EXCERPT_REACH: usize = 60;
/// The most bytes of a span that are shown.
const EXCERPT_SPAN: usize = 80;

impl<'t> SourceText<'t> {
    /// Gives a text a name. The bytes need not be UTF-8.
    pub fn new(name: impl Into<Arc<str>>, bytes: &'t [u8]) -> Self {
        Self { name: name.into(), bytes, lines: Arc::default(), pieces: &[], cells: None }
    }

    /// Reuses the lines that were already counted for the same text.
    #[must_use]
    pub fn with_lines(mut self, lines: &Arc<LineIndex>) -> Self {
        self.lines = Arc::clone(lines);
        self
    }

    /// Sets the pieces of the file that the text consists of, in order. Places then refer to the file.
    #[must_use]
    pub fn cut_out(mut self, pieces: &'t [FilePiece]) -> Self {
        self.pieces = pieces;
        self
    }

    /// Sets the cells of the sheet that the text was written from. Places then name the cells.
    #[must_use]
    pub fn of_cells(mut self, cells: Option<&'t TableCells>) -> Self {
        self.cells = cells;
        self
    }

    /// Returns the place of a span of bytes. A span beyond the end is moved to the end.
    ///
    /// Cost: one pass over the text at the first call, then a binary search and a few kilobytes of the line.
    pub fn place(&self, bytes: Range<usize>) -> SourcePlace {
        let start = bytes.start.min(self.bytes.len());
        let end = bytes.end.clamp(start, self.bytes.len());
        let (line, line_start, line_end) = self.lines.line(self.bytes, start);
        let line_end = line_end.max(start).max(line_start);
        let position = self.position(line, line_start, start);
        let place = SourcePlace {
            source: Arc::clone(&self.name),
            bytes: start as u64..end as u64,
            line: position.line,
            column: position.column,
            cell: None,
            pointer: None,
            excerpt: self
                .excerpt(line_start..line_end, start.max(line_start)..end.clamp(line_start, line_end)),
        };
        if let Some(cells) = self.cells {
            return cells.moved(place);
        }
        match self.pieces.iter().rev().find(|piece| piece.at <= start) {
            Some(piece) => {
                let (line, line_start, _) = self.lines.line(self.bytes, piece.at);
                piece.moved(place, self.position(line, line_start, piece.at))
            }
            None => place,
        }
    }

    /// The position of a byte of a line.
    fn position(&self, line: usize, line_start: usize, at: usize) -> FilePosition {
        let column = self.lines.characters(self.bytes, line_start, at.max(line_start)) as u64 + 1;
        FilePosition { byte: at as u64, line: line as u64 + 1, column }
    }

    fn excerpt(&self, line: Range<usize>, span: Range<usize>) -> LineExcerpt {
        let span = span.start..span.end.min(span.start + EXCERPT_SPAN);
        let mut from = line.start.max(span.start.saturating_sub(EXCERPT_REACH));
        let mut to = line.end.min(span.end + EXCERPT_REACH);
        while from > line.start && is_continuation(self.bytes[from]) {
            from -= 1;
        }
        while to < line.end && is_continuation(self.bytes[to]) {
            to += 1;
        }
        let mut text = String::new();
        if from > line.start {
            text.push('…');
        }
        text.push_str(&String::from_utf8_lossy(&self.bytes[from..span.start]));
        let marked_start = text.len();
        text.push_str(&String::from_utf8_lossy(&self.bytes[span.clone()]));
        let marked_end = text.len();
        text.push_str(String::from_utf8_lossy(&self.bytes[span.end..to]).trim_end_matches('\r'));
        if to < line.end {
            text.push('…');
        }
        let marked = marked_start..marked_end;
        LineExcerpt { text: without_passwords(&text).into_owned(), marked }
    }
}

/// The length of the byte order mark in bytes. The mark is not part of the text.
fn byte_order_mark(text: &[u8]) -> usize {
    if text.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| !is_continuation(byte)).count()
}

/// The text of a system error, without its number.
pub fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// A number with commas between the thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}
