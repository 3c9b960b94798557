//! References in text and attribute values, and the entities of a document type (XML 1.0, 4).
//!
//! Nested entities can expand a few hundred bytes to gigabytes. So the size of each expansion is computed before it is
//! written, counting each nested text in full. A document is rejected at the reference that exceeds the limit, and the
//! time is bounded by the limit in bytes.

use super::xml_fault::{TOO_LARGE, XmlFault};
use evalgraph_diagnostics::help::{help, setting};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use std::borrow::Cow;
use std::ops::Range;

use super::xml_names::{is_character, is_name, with_line_feeds};

/// The entities that need no declaration.
const PREDEFINED: [(&str, char); 5] = [("lt", '<'), ("gt", '>'), ("amp", '&'), ("apos", '\''), ("quot", '"')];

/// The number of bytes that an entity expands to.
#[derive(Debug, Clone, Copy)]
enum ExpansionCost {
    Unknown,
    /// The bytes are being added up.
    Open,
    Known(u64),
}

#[derive(Debug)]
struct XmlEntity<'t> {
    name: &'t str,
    /// The text with its character references resolved; none for a text in another file.
    text: Option<String>,
    /// The references in the text, with their marks.
    references: Vec<Range<usize>>,
    cost: ExpansionCost,
}

/// The meaning of a reference.
enum XmlReferent {
    Character(char),
    Entity(usize),
}

/// The entities of a document.
#[derive(Debug)]
pub(super) struct XmlEntities<'t> {
    all: Vec<XmlEntity<'t>>,
    by_name: HashMap<&'t str, usize, RandomState>,
    /// How many bytes expansions may still add.
    left: u64,
    /// How many bytes the document may have with its entities expanded.
    most: u64,
}

impl<'t> XmlEntities<'t> {
    /// Only the predefined entities. Expansions may add `left` bytes; `most` is the whole limit.
    pub(super) fn new(left: u64, most: u64) -> Self {
        Self { all: Vec::new(), by_name: HashMap::default(), left, most }
    }

    /// Declares an entity with its text, which begins at a byte offset; the text is none if it is in another file. The
    /// first declaration of a name is used.
    ///
    /// # Errors
    ///
    /// Malformed references in the text.
    pub(super) fn declare(&mut self, name: &'t str, text: Option<&str>, at: usize) -> Result<(), XmlFault> {
        if self.by_name.contains_key(name) {
            return Ok(());
        }
        let text = text.map(|text| with_characters(text, at)).transpose()?;
        let references = text.as_deref().map_or(Ok(Vec::new()), |text| references(text, at))?;
        self.by_name.insert(name, self.all.len());
        self.all.push(XmlEntity { name, text, references, cost: ExpansionCost::Unknown });
        Ok(())
    }

    /// The text at a byte offset with its references resolved.
    ///
    /// # Errors
    ///
    /// References that cannot be resolved, and expansions beyond the limit.
    pub(super) fn content<'r>(&mut self, raw: &'r str, at: usize) -> Result<Cow<'r, str>, XmlFault> {
        if memchr::memchr(b'&', raw.as_bytes()).is_none() {
            return Ok(with_line_feeds(raw));
        }
        self.resolved(raw, at, |text, out| out.push_str(&with_line_feeds(text))).map(Cow::Owned)
    }

    /// The value of an attribute at a byte offset, with its references resolved and spaces for its white space (3.3.3).
    ///
    /// # Errors
    ///
    /// The errors of [`XmlEntities::content`].
    pub(super) fn attribute<'r>(&mut self, raw: &'r str, at: usize) -> Result<Cow<'r, str>, XmlFault> {
        if !raw.bytes().any(|byte| byte < b' ' || byte == b'&') {
            return Ok(Cow::Borrowed(raw));
        }
        let blanks = |text: &str, out: &mut String| {
            out.push_str(&with_line_feeds(text).replace(['\t', '\n'], " "));
        };
        self.resolved(raw, at, blanks).map(Cow::Owned)
    }

    fn resolved(
        &mut self,
        raw: &str,
        at: usize,
        push: impl Fn(&str, &mut String),
    ) -> Result<String, XmlFault> {
        let mut out = String::with_capacity(raw.len());
        let mut written = 0;
        for reference in references(raw, at)? {
            push(&raw[written..reference.start], &mut out);
            written = reference.end;
            let bytes = at + reference.start..at + reference.end;
            match self.target(&raw[reference], &bytes)? {
                XmlReferent::Character(character) => out.push(character),
                XmlReferent::Entity(entity) => self.include(entity, &bytes, &mut out, &push)?,
            }
        }
        push(&raw[written..], &mut out);
        Ok(out)
    }

    fn target(&self, reference: &str, bytes: &Range<usize>) -> Result<XmlReferent, XmlFault> {
        let name = &reference[1..reference.len() - 1];
        if let Some(number) = name.strip_prefix('#') {
            return character(number)
                .map(XmlReferent::Character)
                .ok_or_else(|| no_character(reference, bytes));
        }
        if let Some((_, character)) = PREDEFINED.iter().find(|(known, _)| *known == name) {
            return Ok(XmlReferent::Character(*character));
        }
        self.by_name.get(name).map(|&entity| XmlReferent::Entity(entity)).ok_or_else(|| {
            let message = format!("the entity `{reference}` is not declared");
            XmlFault::new(bytes.clone(), message).with_help("write `&` as `&amp;`")
        })
    }

    /// Writes the expansion of an entity.
    fn include(
        &mut self,
        entity: usize,
        bytes: &Range<usize>,
        out: &mut String,
        push: &impl Fn(&str, &mut String),
    ) -> Result<(), XmlFault> {
        let cost = self.cost(entity, bytes)?;
        let Some(left) = self.left.checked_sub(cost) else {
            let message =
                format!("with its entities expanded the document has more than {} bytes", self.most);
            let fault = XmlFault { code: TOO_LARGE, ..XmlFault::new(bytes.clone(), message) };
            return Err(fault.with_help(help![
                "raise the limit with ",
                setting("max-size"),
                ", for example ",
                setting("max-size").to("4GiB")
            ]));
        };
        self.left = left;
        // The entity, its next reference, and how far its text is written.
        let mut open = vec![(entity, 0, 0)];
        while let Some((at, next, written)) = open.last_mut() {
            let entity = &self.all[*at];
            let text = entity.text.as_deref().unwrap_or_default();
            let Some(reference) = entity.references.get(*next) else {
                push(&text[*written..], out);
                open.pop();
                continue;
            };
            push(&text[*written..reference.start], out);
            (*next, *written) = (*next + 1, reference.end);
            match self.target(&text[reference.clone()], bytes)? {
                XmlReferent::Character(character) => out.push(character),
                XmlReferent::Entity(inner) => open.push((inner, 0, 0)),
            }
        }
        Ok(())
    }

    /// Returns the number of bytes that an entity expands to.
    fn cost(&mut self, entity: usize, bytes: &Range<usize>) -> Result<u64, XmlFault> {
        // The entity, its next reference, and the sum so far.
        let mut open: Vec<(usize, usize, u64)> = Vec::new();
        let mut wanted = Some(entity);
        loop {
            if let Some(entity) = wanted.take() {
                match self.all[entity].cost {
                    ExpansionCost::Known(cost) => match open.last_mut() {
                        None => return Ok(cost),
                        Some((.., sum)) => *sum = sum.saturating_add(cost),
                    },
                    ExpansionCost::Open => return Err(self.fault(entity, bytes, "refers to itself")),
                    ExpansionCost::Unknown => open.push((entity, 0, self.begin_cost(entity, bytes)?)),
                }
            }
            let Some((at, next, sum)) = open.last_mut() else { continue };
            let entity = &self.all[*at];
            let Some(reference) = entity.references.get(*next) else {
                let (at, sum) = (*at, *sum);
                self.all[at].cost = ExpansionCost::Known(sum);
                wanted = Some(at);
                open.pop();
                continue;
            };
            *next += 1;
            let text = entity.text.as_deref().unwrap_or_default();
            if let XmlReferent::Entity(inner) = self.target(&text[reference.clone()], bytes)? {
                wanted = Some(inner);
            }
        }
    }

    /// Begins to add up, starting with the bytes of the entity's own text.
    fn begin_cost(&mut self, entity: usize, bytes: &Range<usize>) -> Result<u64, XmlFault> {
        let Some(text) = &self.all[entity].text else {
            return Err(self.fault(entity, bytes, "is in another file, which is not read"));
        };
        if text.contains('<') {
            return Err(self.fault(entity, bytes, "contains markup, which is not read"));
        }
        let length = text.len() as u64;
        self.all[entity].cost = ExpansionCost::Open;
        Ok(length)
    }

    fn fault(&self, entity: usize, bytes: &Range<usize>, what: &str) -> XmlFault {
        XmlFault::new(bytes.clone(), format!("the entity `&{};` {what}", self.all[entity].name))
    }
}

/// The references of a text that begins at a byte offset.
fn references(text: &str, at: usize) -> Result<Vec<Range<usize>>, XmlFault> {
    let mut references = Vec::new();
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'&', &text.as_bytes()[from..]) {
        let start = from + found;
        let rest = &text[start + 1..];
        // A name ends before the first character that cannot be part of a name.
        let length = rest.find([';', '&', '<', ' ', '\t', '\r', '\n', '"', '\'']).unwrap_or(rest.len());
        let name = &rest[..length];
        if !rest[length..].starts_with(';') || !(name.starts_with('#') || is_name(name)) {
            let bytes = at + start..at + start + 1;
            let message = "`&` does not begin a reference";
            return Err(XmlFault::new(bytes, message).with_help("write `&` as `&amp;`"));
        }
        from = start + 1 + length + 1;
        references.push(start..from);
    }
    Ok(references)
}

/// The text of a declaration with its character references resolved.
fn with_characters(text: &str, at: usize) -> Result<String, XmlFault> {
    let mut out = String::with_capacity(text.len());
    let mut written = 0;
    for reference in references(text, at)? {
        let Some(number) = text[reference.start + 1..reference.end - 1].strip_prefix('#') else { continue };
        let bytes = at + reference.start..at + reference.end;
        let character = character(number).ok_or_else(|| no_character(&text[reference.clone()], &bytes))?;
        out.push_str(&with_line_feeds(&text[written..reference.start]));
        out.push(character);
        written = reference.end;
    }
    out.push_str(&with_line_feeds(&text[written..]));
    Ok(out)
}

fn no_character(reference: &str, bytes: &Range<usize>) -> XmlFault {
    XmlFault::new(bytes.clone(), format!("`{reference}` is not a character of XML"))
}

/// The character with that number, which is hexadecimal after `x`.
fn character(number: &str) -> Option<char> {
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_plain)?;
    char::from_u32(code).filter(|&character| is_character(character))
}
