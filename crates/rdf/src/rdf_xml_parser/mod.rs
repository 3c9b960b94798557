//! Reads RDF/XML (RDF 1.1 XML Syntax), production by production.
//!
//! The elements that have not ended are on a stack, so a document can be nested to any depth. XML itself is left to
//! [`xml`](super::xml).
//!
//! `QualifiedName` is defined in `xml/element.rs`.

mod attributes;
mod open;
mod property;

use hashbrown::HashSet;
use oxiri::Iri;
use oxrdf::vocab::rdf;
use oxrdf::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple};
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use super::rdf_xml::{RDF, SYNTAX_NAMES};
use super::triple_span::TripleSpan;
use super::xml::{QualifiedName, XML, XmlAttribute, XmlElement, XmlEvent, XmlFault, XmlReader, is_nc_name};
use attributes::{RdfXmlAttributes, SubjectIdentity};
use open::PendingStatement;
use open::{ElementScope, OpenRdfElement, iri_of, is_blank, misplaced, name_of, plain_literal, trimmed};

/// Reads a document. Other methods are in `property.rs`.
pub(super) struct RdfXmlParser<'t, 's> {
    xml: XmlReader<'t>,
    /// The base and language outside of all elements.
    outermost: ElementScope,
    open: Vec<(OpenRdfElement<'t>, ElementScope)>,
    /// The IRIs that were made from `rdf:ID`.
    ids: HashSet<String>,
    /// How many blank nodes without a label there are.
    blank_nodes: u64,
    /// Receives triples and their places in the text.
    sink: &'s mut dyn FnMut(Triple, TripleSpan),
}

impl<'t, 's> RdfXmlParser<'t, 's> {
    /// A parser at the beginning of the text. The text may have `most` bytes with its entities expanded.
    ///
    /// # Errors
    ///
    /// Characters that are not allowed in XML.
    pub(super) fn new(
        text: &'t str,
        base: Option<Iri<String>>,
        most: u64,
        sink: &'s mut dyn FnMut(Triple, TripleSpan),
    ) -> Result<Self, XmlFault> {
        let outermost = ElementScope { base: base.map(Rc::new), language: None };
        let xml = XmlReader::new(text, most)?;
        Ok(Self { xml, outermost, open: Vec::new(), ids: HashSet::new(), blank_nodes: 0, sink })
    }

    /// Reads the document to its end, or until `is_over` is set.
    ///
    /// # Errors
    ///
    /// The first fault. Triples before it have reached the sink.
    pub(super) fn read(&mut self, is_over: &Cell<bool>) -> Result<(), XmlFault> {
        loop {
            if is_over.get() {
                return Ok(());
            }
            match self.xml.next()? {
                XmlEvent::Start(element) => self.start(element)?,
                XmlEvent::End => {
                    self.end();
                    self.xml.leave();
                }
                XmlEvent::Text(text, bytes) => self.text(&text, bytes)?,
                XmlEvent::Comment(text) => {
                    if let Some((OpenRdfElement::Literal { content, .. }, _)) = self.open.last_mut() {
                        content.comment(text);
                    }
                }
                XmlEvent::Instruction(text) => {
                    if let Some((OpenRdfElement::Literal { content, .. }, _)) = self.open.last_mut() {
                        content.instruction(text);
                    }
                }
                XmlEvent::Eof => return Ok(()),
            }
        }
    }

    /// The declared prefixes, each with its first namespace.
    pub(super) fn prefixes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.xml.namespaces.prefixes()
    }

    /// Declarations of a document type that would have added attributes.
    pub(super) fn ignored(&self) -> &[Range<usize>] {
        &self.xml.ignored
    }

    fn start(&mut self, element: XmlElement<'t>) -> Result<(), XmlFault> {
        if let Some((OpenRdfElement::Literal { content, .. }, _)) = self.open.last_mut() {
            content.start(element);
            return Ok(());
        }
        let around = self.open.last().map_or(&self.outermost, |(_, scope)| scope);
        let scope = attributes::scope(&element, around)?;
        let open = match self.open.last() {
            None if element.name.is_rdf("RDF") => nodes(&element)?,
            None | Some((OpenRdfElement::Nodes | OpenRdfElement::Collection { .. }, _)) => {
                self.node(&element, &scope)?
            }
            Some((OpenRdfElement::Node { .. }, _)) => self.property(&element, &scope)?,
            Some((OpenRdfElement::Property(property), _)) => {
                property.check_node(&element)?;
                self.node(&element, &scope)?
            }
            // The element was added to the literal.
            Some((OpenRdfElement::Literal { .. }, _)) => return Ok(()),
        };
        self.open.push((open, scope));
        Ok(())
    }

    /// Production nodeElement (7.2.11).
    fn node(
        &mut self,
        element: &XmlElement<'t>,
        scope: &ElementScope,
    ) -> Result<OpenRdfElement<'t>, XmlFault> {
        let name = &element.name;
        if SYNTAX_NAMES.iter().chain(&["li"]).any(|syntax| name.is_rdf(syntax)) {
            return Err(misplaced(element, "a node"));
        }
        let attributes = RdfXmlAttributes::from_element(element)?;
        for (attribute, what) in [
            (attributes.resource, "`rdf:resource` on a node; use `rdf:about`"),
            (attributes.datatype, "`rdf:datatype` on a node"),
            (attributes.parse_type, "`rdf:parseType` on a node"),
        ] {
            if let Some(attribute) = attribute {
                return Err(XmlFault::new(attribute.bytes.clone(), what));
            }
        }
        let element_at = name_of(element);
        let names = [attributes.id, attributes.about, attributes.node_id];
        let named_at = names.into_iter().flatten().next().map(|attribute| attribute.bytes.clone());
        let at = named_at.unwrap_or_else(|| element_at.clone());
        let subject: NamedOrBlankNode = match attributes.identity(scope)? {
            SubjectIdentity::Id(iri, bytes) => self.new_id(iri, bytes)?.into(),
            SubjectIdentity::About(iri) => iri.into(),
            SubjectIdentity::NodeId(node) => node.into(),
            SubjectIdentity::None => self.blank_node().into(),
        };
        if !name.is_rdf("Description") {
            let class = iri_of(name, &element.bytes)?;
            let span = TripleSpan { subject: at.clone(), predicate: element_at.clone(), object: element_at };
            self.emit(subject.clone(), rdf::TYPE.into_owned(), class, span);
        }
        self.emit_properties(&subject, &at, attributes, scope)?;
        Ok(OpenRdfElement::Node { subject, at, items: 0 })
    }

    fn emit_properties(
        &mut self,
        subject: &NamedOrBlankNode,
        at: &Range<usize>,
        attributes: RdfXmlAttributes<'_, 't>,
        scope: &ElementScope,
    ) -> Result<(), XmlFault> {
        for attribute in attributes.properties {
            let name = &attribute.name;
            // A `type` without a namespace is from before RDF had namespaces.
            let (predicate, object): (_, Term) = if name.is_rdf("type") || name.namespace.is_none() {
                (rdf::TYPE.into_owned(), attributes::resolve(attribute, scope)?.into())
            } else {
                (iri_of(name, &attribute.bytes)?, plain_literal(&*attribute.value, scope).into())
            };
            let bytes = attribute.bytes.clone();
            let span = TripleSpan { subject: at.clone(), predicate: bytes.clone(), object: bytes };
            self.emit(subject.clone(), predicate, object, span);
        }
        Ok(())
    }

    fn end(&mut self) {
        if let Some((OpenRdfElement::Literal { content, .. }, _)) = self.open.last_mut()
            && content.end()
        {
            return;
        }
        let Some((open, scope)) = self.open.pop() else { return };
        match open {
            OpenRdfElement::Nodes => {}
            OpenRdfElement::Node { subject, at, .. } => match self.open.last_mut() {
                Some((OpenRdfElement::Property(property), _)) => property.object = Some((subject, at)),
                Some((OpenRdfElement::Collection { items, .. }, _)) => items.push((subject, at)),
                _ => {}
            },
            OpenRdfElement::Property(property) => {
                let (statement, object, at) = property.into_statement(&scope);
                self.emit_statement(statement, object, at);
            }
            OpenRdfElement::Collection { statement, items } => {
                let (list, at) = self.emit_list(items, statement.at.clone());
                self.emit_statement(statement, list.into(), at);
            }
            OpenRdfElement::Literal { statement, content } => {
                let literal = Literal::new_typed_literal(content.into_text(), rdf::XML_LITERAL);
                let at = statement.at.clone();
                self.emit_statement(statement, literal.into(), at);
            }
        }
    }

    fn text(&mut self, text: &str, bytes: Range<usize>) -> Result<(), XmlFault> {
        match self.open.last_mut() {
            Some((OpenRdfElement::Literal { content, .. }, _)) => content.characters(text),
            Some((OpenRdfElement::Property(property), _)) => property.add_text(text, bytes)?,
            _ if is_blank(text) => {}
            _ => return Err(XmlFault::new(trimmed(text, bytes), "text where an element should be")),
        }
        Ok(())
    }

    /// Emits the list of the items of a collection. Its nodes are placed at their items, its end at `end`.
    fn emit_list(
        &mut self,
        items: Vec<(NamedOrBlankNode, Range<usize>)>,
        end: Range<usize>,
    ) -> (NamedOrBlankNode, Range<usize>) {
        let mut rest: (NamedOrBlankNode, Range<usize>) = (rdf::NIL.into_owned().into(), end);
        // From the last item on, since each node of the list names the next one.
        for (item, at) in items.into_iter().rev() {
            let node: NamedOrBlankNode = self.blank_node().into();
            let span = |object| TripleSpan { subject: at.clone(), predicate: at.clone(), object };
            self.emit(node.clone(), rdf::FIRST.into_owned(), item, span(at.clone()));
            self.emit(node.clone(), rdf::REST.into_owned(), rest.0, span(rest.1));
            rest = (node, at);
        }
        rest
    }

    /// Emits a statement, and its reification if it has an id (7.3).
    fn emit_statement(&mut self, statement: PendingStatement, object: Term, object_at: Range<usize>) {
        let PendingStatement { subject, predicate, id, subject_at, at } = statement;
        if let Some((id, id_at)) = id {
            let said = |predicate: oxrdf::NamedNodeRef<'_>, object: Term| {
                (id.clone().into(), predicate.into_owned(), object)
            };
            for (subject, predicate, object) in [
                said(rdf::TYPE, rdf::STATEMENT.into_owned().into()),
                said(rdf::SUBJECT, subject.clone().into()),
                said(rdf::PREDICATE, predicate.clone().into()),
                said(rdf::OBJECT, object.clone()),
            ] {
                let at = || id_at.clone();
                self.emit(
                    subject,
                    predicate,
                    object,
                    TripleSpan { subject: at(), predicate: at(), object: at() },
                );
            }
        }
        let span = TripleSpan { subject: subject_at, predicate: at, object: object_at };
        self.emit(subject, predicate, object, span);
    }

    fn emit(
        &mut self,
        subject: NamedOrBlankNode,
        predicate: NamedNode,
        object: impl Into<Term>,
        span: TripleSpan,
    ) {
        (self.sink)(Triple { subject, predicate, object: object.into() }, span);
    }

    /// A blank node that has no label in the document; labels in a document cannot begin with a digit.
    fn blank_node(&mut self) -> BlankNode {
        self.blank_nodes += 1;
        BlankNode::new_unchecked(self.blank_nodes.to_string())
    }

    /// Returns the IRI of an `rdf:ID`, unless an earlier `rdf:ID` made the same IRI.
    fn new_id(&mut self, iri: NamedNode, bytes: Range<usize>) -> Result<NamedNode, XmlFault> {
        if !self.ids.insert(iri.as_str().to_owned()) {
            return Err(XmlFault::new(bytes, format!("`rdf:ID` makes `{}` twice", iri.as_str())));
        }
        Ok(iri)
    }
}

impl QualifiedName<'_> {
    /// Returns whether this is the RDF name with that local name.
    fn is_rdf(&self, local: &str) -> bool {
        self.local == local && self.namespace.as_deref() == Some(RDF)
    }
}

/// Production RDF (7.2.9), which has no attributes.
fn nodes<'t>(element: &XmlElement<'t>) -> Result<OpenRdfElement<'t>, XmlFault> {
    let attributes = RdfXmlAttributes::from_element(element)?;
    match attributes.first() {
        Some(attribute) => {
            let message = format!("`{}` on `rdf:RDF`, which has no properties", attribute.name.written());
            Err(XmlFault::new(attribute.bytes.clone(), message))
        }
        None => Ok(OpenRdfElement::Nodes),
    }
}
