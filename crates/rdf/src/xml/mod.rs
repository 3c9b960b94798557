//! XML 1.0 with namespaces, as far as RDF/XML needs it: a text becomes elements with resolved names, each with its
//! place in the text.
//!
//! Reading takes time linear in the size of the text with its entities expanded, which has a limit ([`entities`]). A
//! document type is read only for its entities, and UTF-8 is the only encoding.
//! [`rdf_xml_parser`](super::rdf_xml_parser) interprets the elements.

pub(super) mod canonical;
mod document_type;
mod element;
mod entities;
mod namespaces;
mod tag;
mod xml_fault;
mod xml_names;

pub(super) use element::{QualifiedName, XmlAttribute, XmlElement};
use std::borrow::Cow;
use std::ops::Range;
pub(super) use xml_fault::{XmlFault, too_long};

use document_type::DocumentType;
pub(super) use namespaces::{InScopeNamespaces, XML};
pub(super) use xml_names::is_nc_name;
use xml_names::{is_name, is_space};

use entities::XmlEntities;

/// The next part of a text.
#[derive(Debug)]
pub(super) enum XmlEvent<'t> {
    Start(XmlElement<'t>),
    /// The end of the element that began last.
    End,
    Text(Cow<'t, str>, Range<usize>),
    Comment(&'t str),
    /// A processing instruction without its marks.
    Instruction(&'t str),
    Eof,
}

/// Reads a text from front to back.
pub(super) struct XmlReader<'t> {
    text: &'t str,
    at: usize,
    entities: XmlEntities<'t>,
    pub(super) namespaces: InScopeNamespaces<'t>,
    /// The names of the elements that have not ended, and where they begin.
    open: Vec<(&'t str, usize)>,
    /// `true` if the tag that was read last also ends its element.
    is_empty_element: bool,
    has_root: bool,
    /// Declarations of a document type that would add attributes.
    pub(super) ignored: Vec<Range<usize>>,
}

impl<'t> XmlReader<'t> {
    /// A reader at the beginning of the text. The text may have `most` bytes with its entities expanded.
    ///
    /// # Errors
    ///
    /// Characters that are not allowed in XML.
    pub(super) fn new(text: &'t str, most: u64) -> Result<Self, XmlFault> {
        // U+FFFE and U+FFFF, which XML does not allow, begin with this byte.
        let is_odd = |byte: &u8| (*byte < b' ' && !is_space(*byte)) || *byte == 0xEF;
        let mut from = 0;
        while let Some(found) = text.as_bytes()[from..].iter().position(&is_odd) {
            let at = from + found;
            let character = text[at..].chars().next().unwrap_or_default();
            if !xml_names::is_character(character) {
                let message = format!("the character U+{:04X} is not allowed in XML", u32::from(character));
                return Err(XmlFault::new(at..at + character.len_utf8(), message));
            }
            from = at + character.len_utf8();
        }
        Ok(Self {
            text,
            at: 0,
            entities: XmlEntities::new(most.saturating_sub(text.len() as u64), most),
            namespaces: InScopeNamespaces::default(),
            open: Vec::new(),
            is_empty_element: false,
            has_root: false,
            ignored: Vec::new(),
        })
    }

    /// Reads the next event.
    ///
    /// # Errors
    ///
    /// A text that is not well formed, and expansions beyond the limit.
    pub(super) fn next(&mut self) -> Result<XmlEvent<'t>, XmlFault> {
        if std::mem::take(&mut self.is_empty_element) {
            return Ok(self.end());
        }
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return self.eof();
        }
        if !rest.starts_with('<') {
            return self.character_data();
        }
        let start = self.at;
        if rest.starts_with("<!--") {
            let content = self.up_to("<!--", "-->", "a comment")?;
            if content.contains("--") || content.ends_with('-') {
                return Err(XmlFault::new(start..self.at, "`--` is not allowed in a comment"));
            }
            Ok(XmlEvent::Comment(content))
        } else if rest.starts_with("<![CDATA[") {
            let content = self.up_to("<![CDATA[", "]]>", "a CDATA section")?;
            let bytes = start..self.at;
            self.check_within(&bytes)?;
            Ok(XmlEvent::Text(xml_names::with_line_feeds(content), bytes))
        } else if rest.starts_with("<?") {
            let content = self.up_to("<?", "?>", "an instruction")?;
            self.instruction(content, start)
        } else if rest.starts_with("<!DOCTYPE") {
            self.document_type()
        } else if rest.starts_with("</") {
            self.end_tag()
        } else {
            self.start_tag()
        }
    }

    fn eof(&self) -> Result<XmlEvent<'t>, XmlFault> {
        let end = self.at..self.at;
        match self.open.last() {
            Some((name, start)) => {
                let message = format!("unexpected end of file before `</{name}>`");
                Err(XmlFault::new(*start..*start + 1 + name.len(), message))
            }
            None if !self.has_root => Err(XmlFault::new(end, "there is no element in the text")),
            None => Ok(XmlEvent::Eof),
        }
    }

    /// Reads the text between two marks, starting at the first one.
    fn up_to(&mut self, begin: &str, end: &str, what: &str) -> Result<&'t str, XmlFault> {
        let start = self.at + begin.len();
        let Some(length) = self.text[start..].find(end) else {
            return Err(XmlFault::new(self.at..start, format!("{what} that begins here does not end")));
        };
        self.at = start + length + end.len();
        Ok(&self.text[start..start + length])
    }

    fn check_within(&self, bytes: &Range<usize>) -> Result<(), XmlFault> {
        if self.open.is_empty() {
            return Err(XmlFault::new(bytes.clone(), "text outside of the root element"));
        }
        Ok(())
    }

    fn character_data(&mut self) -> Result<XmlEvent<'t>, XmlFault> {
        let start = self.at;
        let rest = &self.text[start..];
        let raw = &rest[..memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len())];
        self.at += raw.len();
        let bytes = start..self.at;
        if self.open.is_empty() && !raw.bytes().all(is_space) {
            let skipped = raw.len() - raw.trim_start().len();
            self.check_within(&(start + skipped..self.at))?;
        }
        if let Some(at) = raw.find("]]>") {
            return Err(XmlFault::new(start + at..start + at + 3, "`]]>` outside of a CDATA section"));
        }
        Ok(XmlEvent::Text(self.entities.content(raw, start)?, bytes))
    }

    fn instruction(&mut self, content: &'t str, start: usize) -> Result<XmlEvent<'t>, XmlFault> {
        let bytes = start..self.at;
        let target = &content[..content.bytes().position(is_space).unwrap_or(content.len())];
        if target == "xml" && start == 0 {
            return match document_type::encoding(content) {
                Some(encoding) if !document_type::is_utf_8(encoding) => {
                    let message =
                        format!("the encoding `{encoding}` is not supported: RDF/XML must be UTF-8");
                    Err(XmlFault::new(bytes, message))
                }
                _ => self.next(),
            };
        }
        if !is_name(target) || target.eq_ignore_ascii_case("xml") {
            return Err(XmlFault::new(bytes, format!("`{target}` is not a name of an instruction")));
        }
        Ok(XmlEvent::Instruction(content))
    }

    fn document_type(&mut self) -> Result<XmlEvent<'t>, XmlFault> {
        if self.has_root {
            let bytes = self.at..self.at + "<!DOCTYPE".len();
            return Err(XmlFault::new(bytes, "`<!DOCTYPE` after the beginning of the root element"));
        }
        let mut reader = DocumentType { text: self.text, at: self.at, entities: &mut self.entities };
        self.ignored = reader.read()?;
        self.at = reader.at;
        self.next()
    }

    fn end_tag(&mut self) -> Result<XmlEvent<'t>, XmlFault> {
        let start = self.at;
        let name = self.up_to("</", ">", "an end tag")?.trim_end_matches(['\t', '\n', '\r', ' ']);
        let bytes = start..self.at;
        match self.open.last() {
            Some((expected, _)) if *expected == name => Ok(self.end()),
            Some((expected, _)) => {
                Err(XmlFault::new(bytes, format!("`</{name}>` where `</{expected}>` should be")))
            }
            None => Err(XmlFault::new(bytes, format!("`</{name}>` closes no open element"))),
        }
    }

    fn end(&mut self) -> XmlEvent<'t> {
        self.open.pop();
        XmlEvent::End
    }

    /// Drops the namespaces of the element that has just ended. The caller that receives the events calls it, since it
    /// may still need them at the end of an element.
    pub(super) fn leave(&mut self) {
        self.namespaces.leave();
    }

    fn start_tag(&mut self) -> Result<XmlEvent<'t>, XmlFault> {
        let start = self.at;
        let tag = tag::read(self.text, start)?;
        self.at = tag.bytes.end;
        if self.open.is_empty() && self.has_root {
            return Err(XmlFault::new(tag.bytes, "a second root element"));
        }
        self.has_root = true;
        let element = self.resolve(tag)?;
        Ok(XmlEvent::Start(element))
    }

    /// Resolves the names of a tag to their namespaces.
    fn resolve(&mut self, tag: tag::XmlStartTag<'t>) -> Result<XmlElement<'t>, XmlFault> {
        let mut attributes = Vec::with_capacity(tag.attributes.len());
        self.namespaces.enter();
        for written in tag.attributes {
            let value = self.entities.attribute(written.value, written.value_at)?;
            let prefix = match written.name.split_once(':') {
                None if written.name == "xmlns" => Some(""),
                Some(("xmlns", prefix)) => Some(prefix),
                _ => None,
            };
            match prefix {
                Some(prefix) => self.namespaces.declare(prefix, &value, written.bytes)?,
                None => attributes.push((written.name, value, written.bytes)),
            }
        }
        let name_at = tag.bytes.start + 1;
        // After all declarations of the tag, since these also apply to the names before them.
        let name = self.namespaces.resolve(tag.name, true, name_at)?;
        let resolve = |(name, value, bytes): (&'t str, Cow<'t, str>, Range<usize>)| {
            let name = self.namespaces.resolve(name, false, bytes.start)?;
            Ok(XmlAttribute { name, value, bytes })
        };
        let attributes = attributes.into_iter().map(resolve).collect::<Result<Vec<_>, XmlFault>>()?;
        tag::check_unique(&attributes)?;
        self.open.push((tag.name, tag.bytes.start));
        self.is_empty_element = tag.is_empty;
        Ok(XmlElement { name, attributes, bytes: tag.bytes })
    }
}
