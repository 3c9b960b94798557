//! Elements that have not ended, and their scope: base and language.

use oxiri::Iri;
use oxrdf::{Literal, NamedNode, NamedOrBlankNode, Term};
use std::ops::Range;
use std::rc::Rc;

use super::super::xml::canonical::CanonicalXml;
use super::super::xml::{QualifiedName, XmlElement, XmlFault};

/// The base and language of an element and its content.
#[derive(Debug, Clone, Default)]
pub(super) struct ElementScope {
    pub(super) base: Option<Rc<Iri<String>>>,
    /// The language of strings, in lower case.
    pub(super) language: Option<Rc<str>>,
}

/// An element that has not ended.
pub(super) enum OpenRdfElement<'t> {
    /// `rdf:RDF`.
    Nodes,
    Node {
        subject: NamedOrBlankNode,
        /// The place that names the subject.
        at: Range<usize>,
        /// How many `rdf:li` there were.
        items: u64,
    },
    Property(PropertyElement),
    Collection {
        statement: PendingStatement,
        /// The items with their places.
        items: Vec<(NamedOrBlankNode, Range<usize>)>,
    },
    Literal {
        statement: PendingStatement,
        content: Box<CanonicalXml<'t>>,
    },
}

/// A statement whose object is not known yet.
pub(super) struct PendingStatement {
    pub(super) subject: NamedOrBlankNode,
    pub(super) predicate: NamedNode,
    /// The IRI of the statement itself, and its place.
    pub(super) id: Option<(NamedNode, Range<usize>)>,
    pub(super) subject_at: Range<usize>,
    /// The name of the element.
    pub(super) at: Range<usize>,
}

/// A property whose object is a node, or a literal made from its text.
pub(super) struct PropertyElement {
    pub(super) statement: PendingStatement,
    pub(super) datatype: Option<NamedNode>,
    pub(super) text: String,
    /// The place of the text, if it is more than white space.
    pub(super) text_at: Option<Range<usize>>,
    /// The node that is the object, and its place.
    pub(super) object: Option<(NamedOrBlankNode, Range<usize>)>,
}

impl PropertyElement {
    /// Checks that a node may begin within the property.
    ///
    /// # Errors
    ///
    /// A property that has an object already.
    pub(super) fn check_node(&self, node: &XmlElement<'_>) -> Result<(), XmlFault> {
        let what = if self.object.is_some() {
            "a second object: a property has one"
        } else if self.text_at.is_some() {
            "a node after text: a property has one or the other"
        } else if self.datatype.is_some() {
            "a node in a property with `rdf:datatype`, which has text"
        } else {
            return Ok(());
        };
        Err(XmlFault::new(node.bytes.clone(), what))
    }

    /// Adds text.
    ///
    /// # Errors
    ///
    /// Text next to a node.
    pub(super) fn add_text(&mut self, text: &str, bytes: Range<usize>) -> Result<(), XmlFault> {
        if !is_blank(text) {
            let bytes = trimmed(text, bytes);
            if self.object.is_some() {
                return Err(XmlFault::new(bytes, "text after an object: a property has one or the other"));
            }
            self.text_at.get_or_insert(bytes);
        }
        if self.object.is_none() {
            self.text.push_str(text);
        }
        Ok(())
    }

    /// The statement with its object and the place of the object. Empty text is placed at the property.
    pub(super) fn into_statement(self, scope: &ElementScope) -> (PendingStatement, Term, Range<usize>) {
        let text_at = self.text_at.unwrap_or_else(|| self.statement.at.clone());
        let object = match (self.object, self.datatype) {
            (Some((node, at)), _) => return (self.statement, node.into(), at),
            (None, Some(datatype)) => Literal::new_typed_literal(self.text, datatype).into(),
            (None, None) => plain_literal(self.text, scope).into(),
        };
        (self.statement, object, text_at)
    }
}

/// The IRI of a name: its namespace followed by its local part.
pub(super) fn iri_of(name: &QualifiedName<'_>, bytes: &Range<usize>) -> Result<NamedNode, XmlFault> {
    let Some(namespace) = &name.namespace else {
        let message = format!("`{}` has no namespace", name.local);
        return Err(XmlFault::new(bytes.clone(), message)
            .with_help("RDF/XML makes the IRI of a name from its namespace"));
    };
    let iri = format!("{namespace}{}", name.local);
    match Iri::parse(iri) {
        Ok(iri) => Ok(NamedNode::new_unchecked(iri.into_inner())),
        Err(_) => {
            let message =
                format!("the namespace `{namespace}` of `{}` does not make an absolute IRI", name.written());
            Err(XmlFault::new(bytes.clone(), message))
        }
    }
}

pub(super) fn misplaced(element: &XmlElement<'_>, what: &str) -> XmlFault {
    XmlFault::new(
        element.bytes.start..name_of(element).end,
        format!("`{}` cannot be {what}", element.name.written()),
    )
}

/// The bytes of the name of an element.
pub(super) fn name_of(element: &XmlElement<'_>) -> Range<usize> {
    let start = element.bytes.start + 1;
    start..start + element.name.written().len()
}

pub(super) fn plain_literal(text: impl Into<String>, scope: &ElementScope) -> Literal {
    match &scope.language {
        Some(language) => Literal::new_language_tagged_literal_unchecked(text, &**language),
        None => Literal::new_simple_literal(text),
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}

/// The bytes of a text without the white space at its beginning.
pub(super) fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let skipped = text.len() - text.trim_start().len();
    (bytes.start + skipped).min(bytes.end)..bytes.end
}
