//! Exclusive XML Canonicalization 1.0, with comments: the canonical form of `rdf:parseType="Literal"` (RDF 1.1 XML
//! Syntax, 7.2.17).
//!
//! A namespace is declared where its prefix is used, unless an outer element declares it; attributes are sorted by
//! name; an empty element has two tags.

use super::element::{QualifiedName, XmlAttribute, XmlElement};
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use std::rc::Rc;

/// A canonical text that is being written.
#[derive(Default)]
pub(crate) struct CanonicalXml<'t> {
    text: String,
    /// The namespaces that are declared for each prefix, the innermost last; none means the empty namespace.
    declared: HashMap<&'t str, Vec<Rc<str>>, RandomState>,
    /// The elements that have not ended: the name, and the prefixes that each declares.
    open: Vec<(QualifiedName<'t>, Vec<&'t str>)>,
}

impl<'t> CanonicalXml<'t> {
    /// The text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Begins an element.
    pub(crate) fn start(&mut self, mut element: XmlElement<'t>) {
        self.text.push('<');
        self.name(&element.name);
        let prefixes = self.declare(&element);
        element.attributes.sort_by(|left, right| {
            let key = |attribute: &XmlAttribute<'t>| (attribute.name.namespace.clone(), attribute.name.local);
            key(left).cmp(&key(right))
        });
        for attribute in &element.attributes {
            self.text.push(' ');
            self.name(&attribute.name);
            self.value(&attribute.value);
        }
        self.text.push('>');
        self.open.push((element.name, prefixes));
    }

    /// Ends the innermost element; returns false if there is none.
    pub(crate) fn end(&mut self) -> bool {
        let Some((name, prefixes)) = self.open.pop() else { return false };
        self.text.push_str("</");
        self.name(&name);
        self.text.push('>');
        for prefix in prefixes {
            if let Some(namespaces) = self.declared.get_mut(prefix) {
                namespaces.pop();
            }
        }
        true
    }

    /// Appends text.
    pub(crate) fn characters(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '\r' => self.text.push_str("&#xD;"),
                _ => self.text.push(character),
            }
        }
    }

    /// Appends a comment.
    pub(crate) fn comment(&mut self, text: &str) {
        self.text.extend(["<!--", &super::xml_names::with_line_feeds(text), "-->"]);
    }

    /// Appends an instruction: its target, one space, and its text.
    pub(crate) fn instruction(&mut self, text: &str) {
        let (target, content) =
            text.split_once(|character: char| character.is_ascii_whitespace()).unwrap_or((text, ""));
        let content = super::xml_names::with_line_feeds(content.trim_start());
        let blank = if content.is_empty() { "" } else { " " };
        self.text.extend(["<?", target, blank, &content, "?>"]);
    }

    /// Declares the namespaces that an element uses and no outer element declares; returns their prefixes.
    fn declare(&mut self, element: &XmlElement<'t>) -> Vec<&'t str> {
        let attributes = element.attributes.iter().map(|attribute| &attribute.name);
        let with_prefix = attributes.filter(|name| !name.prefix.is_empty());
        let mut used: Vec<&QualifiedName<'t>> = std::iter::once(&element.name).chain(with_prefix).collect();
        used.retain(|name| name.prefix != "xml");
        used.sort_by_key(|name| name.prefix);
        used.dedup_by_key(|name| name.prefix);
        let mut declared = Vec::new();
        for name in used {
            let namespace = name.namespace.clone().unwrap_or_default();
            let namespaces = self.declared.entry(name.prefix).or_default();
            let known = namespaces.last().map_or("", |namespace| &**namespace);
            if *known == *namespace {
                continue;
            }
            self.text.push_str(if name.prefix.is_empty() { " xmlns" } else { " xmlns:" });
            self.text.push_str(name.prefix);
            namespaces.push(Rc::clone(&namespace));
            declared.push(name.prefix);
            self.value(&namespace);
        }
        declared
    }

    fn name(&mut self, name: &QualifiedName<'_>) {
        if !name.prefix.is_empty() {
            self.text.push_str(name.prefix);
            self.text.push(':');
        }
        self.text.push_str(name.local);
    }

    fn value(&mut self, value: &str) {
        self.text.push_str("=\"");
        for character in value.chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '"' => self.text.push_str("&quot;"),
                '\t' => self.text.push_str("&#x9;"),
                '\n' => self.text.push_str("&#xA;"),
                '\r' => self.text.push_str("&#xD;"),
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
    }
}
