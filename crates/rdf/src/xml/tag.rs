//! The parts of a start tag, as they are written (XML 1.0, 3.1).

use hashbrown::HashSet;
use std::ops::Range;

use super::element::XmlAttribute;
use super::xml_fault::XmlFault;
use super::xml_names::{is_name, is_space};

/// Up to this many attributes are compared one by one.
const FEW: usize = 16;

/// An attribute as it is written.
pub(super) struct RawAttribute<'t> {
    pub(super) name: &'t str,
    pub(super) value: &'t str,
    /// Where the value begins.
    pub(super) value_at: usize,
    pub(super) bytes: Range<usize>,
}

/// A start tag as it is written.
pub(super) struct XmlStartTag<'t> {
    pub(super) name: &'t str,
    pub(super) attributes: Vec<RawAttribute<'t>>,
    /// `true` if the tag also ends its element.
    pub(super) is_empty: bool,
    pub(super) bytes: Range<usize>,
}

/// Reads the tag that begins at a byte offset.
///
/// # Errors
///
/// A tag that is not well formed.
pub(super) fn read(text: &str, start: usize) -> Result<XmlStartTag<'_>, XmlFault> {
    let mut reader = TagReader { text, at: start + 1 };
    let name = reader.name("an element")?;
    let mut attributes = Vec::new();
    loop {
        let had_space = reader.skip_space();
        let rest = &text[reader.at..];
        let end = if rest.starts_with("/>") { 2 } else { usize::from(rest.starts_with('>')) };
        if end > 0 {
            let bytes = start..reader.at + end;
            return Ok(XmlStartTag { name, attributes, is_empty: end == 2, bytes });
        }
        if rest.is_empty() {
            let message = format!("the tag `<{name}` that begins here does not end");
            return Err(XmlFault::new(start..start + 1 + name.len(), message));
        }
        if !had_space {
            let message = "there must be white space before an attribute";
            return Err(XmlFault::new(reader.at..reader.at + reader.width(), message));
        }
        attributes.push(reader.attribute()?);
    }
}

struct TagReader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> TagReader<'t> {
    fn skip_space(&mut self) -> bool {
        let before = self.at;
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len());
        self.at > before
    }

    /// Returns how many bytes the next character has.
    fn width(&self) -> usize {
        self.text[self.at..].chars().next().map_or(0, char::len_utf8)
    }

    fn name(&mut self, of: &str) -> Result<&'t str, XmlFault> {
        let rest = &self.text[self.at..];
        let ends = |byte: u8| is_space(byte) || matches!(byte, b'=' | b'>' | b'/' | b'<' | b'"' | b'\'');
        let name = &rest[..rest.bytes().position(ends).unwrap_or(rest.len())];
        if !is_name(name) {
            let bytes = self.at..self.at + name.len().max(self.width());
            return Err(XmlFault::new(bytes, format!("`{name}` is not a name of {of}")));
        }
        self.at += name.len();
        Ok(name)
    }

    fn attribute(&mut self) -> Result<RawAttribute<'t>, XmlFault> {
        let start = self.at;
        let name = self.name("an attribute")?;
        let fault = |at: usize, message: String| Err(XmlFault::new(start..at, message));
        self.skip_space();
        if !self.text[self.at..].starts_with('=') {
            return fault(start + name.len(), format!("the attribute `{name}` has no value"));
        }
        self.at += 1;
        self.skip_space();
        let Some(quote) = self.text[self.at..].chars().next().filter(|quote| matches!(quote, '"' | '\''))
        else {
            return fault(self.at, format!("the value of `{name}` has no quotes"));
        };
        let value_at = self.at + 1;
        let Some(length) = memchr::memchr(quote as u8, &self.text.as_bytes()[value_at..]) else {
            return fault(value_at, format!("the value of `{name}` does not end"));
        };
        let value = &self.text[value_at..value_at + length];
        if let Some(at) = memchr::memchr(b'<', value.as_bytes()) {
            let at = value_at + at;
            return Err(XmlFault::new(
                at..at + 1,
                format!("`<` in the value of `{name}`: write it as `&lt;`"),
            ));
        }
        self.at = value_at + length + 1;
        Ok(RawAttribute { name, value, value_at, bytes: start..self.at })
    }
}

/// Checks that no two attributes have the same name.
///
/// # Errors
///
/// The second attribute with the same name.
pub(super) fn check_unique(attributes: &[XmlAttribute<'_>]) -> Result<(), XmlFault> {
    let key =
        |attribute: &XmlAttribute<'_>| (attribute.name.namespace.clone(), attribute.name.local.to_owned());
    let again = if attributes.len() <= FEW {
        let is_known = |at: &usize| {
            let name = &attributes[*at].name;
            attributes[..*at]
                .iter()
                .any(|other| other.name.local == name.local && other.name.namespace == name.namespace)
        };
        (1..attributes.len()).find(is_known)
    } else {
        let mut known = HashSet::with_capacity(attributes.len());
        attributes.iter().position(|attribute| !known.insert(key(attribute)))
    };
    again.map_or(Ok(()), |at| {
        let attribute = &attributes[at];
        let message = format!("the attribute `{}` occurs twice", attribute.name.written());
        Err(XmlFault::new(attribute.bytes.clone(), message))
    })
}
