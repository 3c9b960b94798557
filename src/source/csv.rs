//! CSV (RFC 4180) with places: records whose fields know the byte where they begin.
//!
//! Fields may be quoted, and then hold separators, line breaks and doubled quotes; in a field that does not
//! begin with a quote, quotes are ordinary characters, as in spreadsheets and Python. Lines end in LF or
//! CRLF. The caller interprets the columns.

use crate::diagnostic::{Diagnostic, SourceText};
use std::ops::Range;

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvField {
    /// Its text, without quotes.
    pub text: String,
    /// The bytes that it takes, with quotes.
    pub bytes: Range<usize>,
}

/// The separator that the first line of a text suggests: the commonest of comma, semicolon and tab
/// outside of quotes; comma where there is none.
pub fn separator_of(text: &str) -> u8 {
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    // A quote opens a quoted field only where a field may begin.
    let (mut in_quotes, mut is_begin) = (false, true);
    for byte in text.trim_start_matches('\u{feff}').bytes() {
        let separator = counts.iter_mut().find(|(separator, _)| *separator == byte);
        match byte {
            b'"' if in_quotes || is_begin => in_quotes = !in_quotes,
            b'\n' if !in_quotes => break,
            _ if in_quotes => {}
            _ => {
                is_begin = separator.is_some();
                if let Some((_, count)) = separator {
                    *count += 1;
                }
            }
        }
    }
    // The first separator with the highest count.
    let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
    counts.iter().find(|&&(_, count)| count == most).map_or(b',', |&(separator, _)| separator)
}

/// Reads the records of a text; empty lines are skipped.
///
/// # Errors
/// `csv::quote` with the place of quotes that do not end, or of text that follows the closing quote.
///
/// ```
/// use evalgraph::source::csv::read_csv;
///
/// let records = read_csv("q.csv", "question,answer\n\"Why, \"\"so\"\"?\",\"a\nb\"\n", b',')?;
/// assert_eq!(records[1][0].text, "Why, \"so\"?");
/// assert_eq!(records[1][1].text, "a\nb");
/// # Ok::<(), Box<evalgraph::diagnostic::Diagnostic>>(())
/// ```
pub fn read_csv(name: &str, text: &str, separator: u8) -> Result<Vec<Vec<CsvField>>, Box<Diagnostic>> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader = Reader { name, text, separator, at: start };
    let mut records = Vec::new();
    while reader.at < text.len() {
        let record = reader.record()?;
        let is_empty_line = matches!(record.as_slice(), [field] if field.bytes.is_empty());
        if !is_empty_line {
            records.push(record);
        }
    }
    Ok(records)
}

struct Reader<'t> {
    name: &'t str,
    text: &'t str,
    separator: u8,
    at: usize,
}

impl Reader<'_> {
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

    /// Tells whether a record ends here.
    fn is_end(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        rest.is_empty() || rest.starts_with(b"\n") || rest.starts_with(b"\r\n")
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
                let message = "the quotes that begin here do not end";
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
            let message = "something stands behind the quotes that end here";
            return Err(self.fault(self.at - 1, message, "double the quotes that are in the field"));
        }
        Ok(CsvField { text, bytes: start..self.at })
    }

    fn fault(&self, at: usize, message: &str, help: &'static str) -> Box<Diagnostic> {
        let place = SourceText::new(self.name, self.text.as_bytes()).place(at..at + 1);
        Box::new(Diagnostic::error("csv::quote", message).at(place).with_help(help))
    }
}
