//! The document type of an XML text, read for its entities (XML 1.0, 2.8 and 4.2). Other files are
//! not read, and all other declarations are skipped.

use std::ops::Range;

use super::entities::XmlEntities;
use super::xml_fault::XmlFault;
use super::xml_names::{is_name, is_space};

/// The encoding that an XML declaration names.
pub(super) fn encoding(declaration: &str) -> Option<&str> {
    let (_, rest) = declaration.split_once("encoding")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest[1..].split_once(quote).map(|(encoding, _)| encoding)
}

/// Returns whether texts in an encoding can be read: UTF-8, which includes ASCII.
pub(super) fn is_utf_8(encoding: &str) -> bool {
    ["utf-8", "utf8", "us-ascii", "ascii"].iter().any(|known| known.eq_ignore_ascii_case(encoding))
}

/// Reads a document type.
pub(super) struct DocumentType<'d, 't> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) entities: &'d mut XmlEntities<'t>,
}

impl<'t> DocumentType<'_, 't> {
    /// Continues reading after `<!DOCTYPE`; returns the declarations that would give attributes values.
    ///
    /// # Errors
    ///
    /// A text that is not well formed; parameter entities, which are not read.
    pub(super) fn read(&mut self) -> Result<Vec<Range<usize>>, XmlFault> {
        let begin = self.at..self.at + "<!DOCTYPE".len();
        self.at = begin.end;
        let mut ignored = Vec::new();
        self.rest_of(begin, "document type", Some(&mut ignored))?;
        Ok(ignored)
    }

    fn skip_space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len());
    }

    /// Reads text up to white space or a mark; at least one character.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let is_end = |character: char| {
            character.is_ascii() && is_space(character as u8) || "<>[]\"'".contains(character)
        };
        let end = rest.find(is_end).unwrap_or(rest.len());
        let end = end.max(rest.chars().next().map_or(0, char::len_utf8));
        self.at += end;
        &rest[..end]
    }

    /// Reads a quoted text, beginning at its opening quote; returns the text and its position.
    fn quoted(&mut self) -> Result<(&'t str, usize), XmlFault> {
        let begin = self.at + 1;
        let quote = self.text.as_bytes()[self.at];
        let Some(length) = memchr::memchr(quote, &self.text.as_bytes()[begin..]) else {
            return Err(XmlFault::new(self.at..begin, "the quotes that begin here do not end"));
        };
        self.at = begin + length + 1;
        Ok((&self.text[begin..begin + length], begin))
    }

    /// The declarations up to `]`.
    fn subset(&mut self, ignored: &mut Vec<Range<usize>>) -> Result<(), XmlFault> {
        loop {
            self.skip_space();
            let (start, rest) = (self.at, &self.text[self.at..]);
            if rest.starts_with(']') {
                self.at += 1;
                return Ok(());
            } else if rest.is_empty() {
                let bytes = start - 1..start;
                return Err(XmlFault::new(bytes, "the document type ends before `]`"));
            } else if rest.starts_with("<!--") {
                self.skip("-->", "a comment")?;
            } else if rest.starts_with("<?") {
                self.skip("?>", "an instruction")?;
            } else if rest.starts_with("<!ENTITY") {
                self.entity()?;
            } else if rest.starts_with("<!") {
                self.at += 2;
                if self.rest_of_declaration(start)? && rest.starts_with("<!ATTLIST") {
                    ignored.push(start..self.at);
                }
            } else if rest.starts_with('%') {
                let bytes = start..start + 1;
                return Err(XmlFault::new(bytes, "parameter entities of a document type are not read"));
            } else {
                let width = rest.chars().next().map_or(0, char::len_utf8);
                return Err(XmlFault::new(start..start + width, "not a declaration of a document type"));
            }
        }
    }

    fn skip(&mut self, end: &str, what: &str) -> Result<(), XmlFault> {
        let Some(length) = self.text[self.at..].find(end) else {
            let bytes = self.at..self.at + 2;
            return Err(XmlFault::new(bytes, format!("{what} that begins here does not end")));
        };
        self.at += length + end.len();
        Ok(())
    }

    /// Skips the rest of a declaration, or of a document type, which may contain declarations; `begin` is its
    /// beginning. Returns whether it has a quoted value.
    fn rest_of(
        &mut self,
        begin: Range<usize>,
        what: &str,
        mut ignored: Option<&mut Vec<Range<usize>>>,
    ) -> Result<bool, XmlFault> {
        let mut has_value = false;
        loop {
            self.skip_space();
            match (self.text.as_bytes().get(self.at), &mut ignored) {
                (Some(b'>'), _) => {
                    self.at += 1;
                    return Ok(has_value);
                }
                (Some(b'['), Some(ignored)) => {
                    self.at += 1;
                    self.subset(ignored)?;
                }
                (Some(b'"' | b'\''), _) => {
                    self.quoted()?;
                    has_value = true;
                }
                (Some(b'<') | None, _) => {
                    return Err(XmlFault::new(begin, format!("the {what} that begins here does not end")));
                }
                (Some(_), _) => {
                    self.word();
                }
            }
        }
    }

    fn rest_of_declaration(&mut self, start: usize) -> Result<bool, XmlFault> {
        self.rest_of(start..start + 2, "declaration", None)
    }

    fn entity(&mut self) -> Result<(), XmlFault> {
        let start = self.at;
        self.at += "<!ENTITY".len();
        self.skip_space();
        let name = self.word();
        if name == "%" {
            // A parameter entity. References to it are not allowed.
            return self.rest_of_declaration(start).map(drop);
        }
        if !is_name(name) {
            return Err(XmlFault::new(start..self.at, format!("`{name}` is not a name of an entity")));
        }
        self.skip_space();
        let is_text = matches!(self.text.as_bytes().get(self.at), Some(b'"' | b'\''));
        let (text, at) = match is_text {
            true => self.quoted().map(|(text, at)| (Some(text), at))?,
            false => (None, self.at),
        };
        self.entities.declare(name, text, at)?;
        self.rest_of_declaration(start).map(drop)
    }
}
