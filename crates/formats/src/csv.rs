//! CSV (RFC 4180) with places: each field of a record knows its bytes in the text.
//!
//! A quoted field may contain separators, line breaks and doubled quotes. In a field that does not begin with a quote,
//! quotes are ordinary characters, as in spreadsheets and Python. Lines end in LF or CRLF, or in CR if the first line
//! does, as Excel writes for old Macs. A first line `sep=;` names the separator. The caller interprets the columns.

use evalgraph_diagnostics::{Diagnostic, SourceText};
use std::ops::Range;

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvField {
    /// Its text, without quotes.
    pub text: String,
    /// Its bytes in the text, including quotes.
    pub bytes: Range<usize>,
}

/// The possible separators. The last one occurs in ordinary headers, so it counts only if there is no other.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Returns the separator of a table. A first line such as `sep=;` names it; otherwise it is the commonest of comma,
/// semicolon and tab outside of quotes in the first line, or a comma if there is none.
pub fn separator_of(text: &str) -> u8 {
    CsvDialect::from_text(text).separator
}

/// The form of a table, as its beginning shows it.
struct CsvDialect {
    separator: u8,
    /// `true` if lines end in a carriage return without a line feed.
    ends_in_return: bool,
    /// The byte at which the line of names begins.
    start: usize,
}

impl CsvDialect {
    fn from_text(text: &str) -> Self {
        let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let named = named_separator(&text[mark..]);
        let start = mark + named.map_or(0, |(_, length)| length);
        let mut counts = [0; SEPARATORS.len()];
        // A quote opens a quoted field only at the beginning of a field.
        let (mut in_quotes, mut is_begin) = (false, true);
        let mut bytes = text[start..].bytes().peekable();
        let mut ends_in_return = start > mark && text[..start].ends_with('\r');
        while let Some(byte) = bytes.next() {
            match byte {
                b'"' if in_quotes || is_begin => in_quotes = !in_quotes,
                b'\n' if !in_quotes => break,
                b'\r' if !in_quotes => {
                    ends_in_return = bytes.peek() != Some(&b'\n');
                    break;
                }
                _ if in_quotes => {}
                _ => {
                    let separator = SEPARATORS.iter().position(|separator| *separator == byte);
                    is_begin = separator.is_some();
                    if let Some(at) = separator {
                        counts[at] += 1;
                    }
                }
            }
        }
        let separator = named.map_or_else(|| commonest(counts), |(separator, _)| separator);
        Self { separator, ends_in_return, start }
    }
}

/// The first separator with the highest count.
fn commonest(mut counts: [usize; SEPARATORS.len()]) -> u8 {
    let last = counts.len() - 1;
    if counts[..last].iter().any(|&count| count > 0) {
        counts[last] = 0;
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    let found = SEPARATORS.iter().zip(counts).find(|&(_, count)| count == most);
    found.map_or(b',', |(separator, _)| *separator)
}

/// Returns the separator in a first line such as `sep=;`, which programs write for Excel, and the length of the line.
fn named_separator(text: &str) -> Option<(u8, usize)> {
    let line = text.split(['\r', '\n']).next()?;
    let named = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    let (key, separator) = named.split_once('=')?;
    let [separator] = separator.as_bytes() else { return None };
    if !key.eq_ignore_ascii_case("sep") || separator.is_ascii_alphanumeric() || *separator == b'"' {
        return None;
    }
    let rest = &text[line.len()..];
    let end = if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) };
    Some((*separator, line.len() + end))
}

/// Reads the records of a table. Skips empty lines, and lines with only empty unquoted fields, which spreadsheets add
/// at the end.
///
/// # Errors
/// `csv::quote` with the place of a quote that is not closed, or of text after a closing quote.
///
/// ```
/// use evalgraph_formats::csv::read_csv;
///
/// let records = read_csv("q.csv", "question,answer\n\"Why, \"\"so\"\"?\",\"a\nb\"\n", b',')?;
/// assert_eq!(records[1][0].text, "Why, \"so\"?");
/// assert_eq!(records[1][1].text, "a\nb");
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
pub fn read_csv(name: &str, text: &str, separator: u8) -> Result<Vec<Vec<CsvField>>, Box<Diagnostic>> {
    let CsvDialect { ends_in_return, start, .. } = CsvDialect::from_text(text);
    let mut reader = CsvRecordReader { name, text, separator, ends_in_return, at: start };
    let mut records = Vec::new();
    while reader.at < text.len() {
        let record = reader.record()?;
        if record.iter().any(|field| !field.bytes.is_empty()) {
            records.push(record);
        }
    }
    Ok(records)
}

struct CsvRecordReader<'t> {
    name: &'t str,
    text: &'t str,
    separator: u8,
    ends_in_return: bool,
    at: usize,
}

impl CsvRecordReader<'_> {
    fn record(&mut self) -> Result<Vec<CsvField>, Box<Diagnostic>> {
        let mut fields = Vec::new();
        loop {
            fields.push(if self.peek() == Some(b'"') { self.quoted()? } else { self.bare() });
            match self.peek() {
                Some(byte) if byte == self.separator => self.at += 1,
                _ => break,
            }
        }
        let rest = &self.text.as_bytes()[self.at..];
        self.at += if rest.starts_with(b"\r\n") { 2 } else { usize::from(!rest.is_empty()) };
        Ok(fields)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns whether a record ends here.
    fn is_end(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        match rest {
            [] | [b'\n', ..] | [b'\r', b'\n', ..] => true,
            [b'\r', ..] => self.ends_in_return,
            _ => false,
        }
    }

    fn bare(&mut self) -> CsvField {
        let start = self.at;
        while !self.is_end() && self.peek() != Some(self.separator) {
            self.at += 1;
        }
        CsvField { text: self.text[start..self.at].to_owned(), bytes: start..self.at }
    }

    fn quoted(&mut self) -> Result<CsvField, Box<Diagnostic>> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(length) = self.text[self.at..].find('"') else {
                let message = "the quote that opens here is not closed";
                return Err(self.fault(start, message, "end the field with a quote, and double those in it"));
            };
            text.push_str(&self.text[self.at..self.at + length]);
            self.at += length + 1;
            if self.peek() != Some(b'"') {
                break;
            }
            text.push('"');
            self.at += 1;
        }
        if !self.is_end() && self.peek() != Some(self.separator) {
            let message = "text follows the closing quote";
            return Err(self.fault(self.at - 1, message, "double the quotes that are in the field"));
        }
        Ok(CsvField { text, bytes: start..self.at })
    }

    fn fault(&self, at: usize, message: &str, help: &'static str) -> Box<Diagnostic> {
        let place = SourceText::new(self.name, self.text.as_bytes()).place(at..at + 1);
        Box::new(Diagnostic::error("csv::quote", message).at(place).with_help(help))
    }
}
