//! Property elements (RDF 1.1 XML Syntax, 7.2.14 to 7.2.21). `RdfXmlParser` is defined in `mod.rs`.

use oxrdf::{NamedNode, NamedOrBlankNode};

use super::attributes::{self, RdfXmlAttributes};
use super::open::{ElementScope, OpenRdfElement, iri_of, misplaced, name_of};
use super::open::{PendingStatement, PropertyElement};
use super::{RDF, RdfXmlParser, SYNTAX_NAMES, XmlAttribute, XmlElement, XmlFault};

impl<'t> RdfXmlParser<'t, '_> {
    /// Production propertyElt, with the subject of the node around it.
    pub(super) fn property(
        &mut self,
        element: &XmlElement<'t>,
        scope: &ElementScope,
    ) -> Result<OpenRdfElement<'t>, XmlFault> {
        let attributes = RdfXmlAttributes::from_element(element)?;
        if let Some(about) = attributes.about {
            let message = "`rdf:about` on a property; use `rdf:resource`";
            return Err(XmlFault::new(about.bytes.clone(), message));
        }
        let statement = self.statement(element, &attributes, scope)?;
        match attributes.parse_type {
            Some(parse_type) => self.parse_type(parse_type, &attributes, statement),
            None => self.node_or_text(attributes, statement, scope),
        }
    }

    fn statement(
        &mut self,
        element: &XmlElement<'t>,
        attributes: &RdfXmlAttributes<'_, 't>,
        scope: &ElementScope,
    ) -> Result<PendingStatement, XmlFault> {
        let name = &element.name;
        if SYNTAX_NAMES.iter().chain(&["Description"]).any(|syntax| name.is_rdf(syntax)) {
            return Err(misplaced(element, "a property"));
        }
        let Some((OpenRdfElement::Node { subject, at, items }, _)) = self.open.last_mut() else {
            return Err(misplaced(element, "a property here"));
        };
        let (subject, subject_at) = (subject.clone(), at.clone());
        let predicate = if name.is_rdf("li") {
            *items += 1;
            NamedNode::new_unchecked(format!("{RDF}_{items}"))
        } else {
            iri_of(name, &element.bytes)?
        };
        let id = attributes.id.map(|id| (attributes::iri_of_id(id, scope), id.bytes.clone()));
        let id = id.map(|(iri, bytes)| Ok((self.new_id(iri?, bytes.clone())?, bytes))).transpose()?;
        Ok(PendingStatement { subject, predicate, id, subject_at, at: name_of(element) })
    }

    /// Productions parseType…PropertyElt (7.2.17 to 7.2.20), which allow no other attribute than `rdf:ID`.
    fn parse_type(
        &mut self,
        parse_type: &XmlAttribute<'t>,
        attributes: &RdfXmlAttributes<'_, 't>,
        statement: PendingStatement,
    ) -> Result<OpenRdfElement<'t>, XmlFault> {
        let others = [attributes.node_id, attributes.resource, attributes.datatype];
        let mut others = others.into_iter().flatten().chain(attributes.properties.iter().copied());
        if let Some(other) = others.next() {
            let message = format!("`{}` beside `rdf:parseType`", other.name.written());
            return Err(XmlFault::new(other.bytes.clone(), message));
        }
        Ok(match &*parse_type.value {
            "Resource" => {
                let node: NamedOrBlankNode = self.blank_node().into();
                let at = statement.at.clone();
                self.emit_statement(statement, node.clone().into(), at.clone());
                OpenRdfElement::Node { subject: node, at, items: 0 }
            }
            "Collection" => OpenRdfElement::Collection { statement, items: Vec::new() },
            // Any other value counts as "Literal".
            _ => OpenRdfElement::Literal { statement, content: Box::default() },
        })
    }

    /// Productions resourcePropertyElt, literalPropertyElt and emptyPropertyElt (7.2.15, 7.2.16, 7.2.21).
    fn node_or_text(
        &mut self,
        attributes: RdfXmlAttributes<'_, 't>,
        statement: PendingStatement,
        scope: &ElementScope,
    ) -> Result<OpenRdfElement<'t>, XmlFault> {
        let object: Option<(NamedOrBlankNode, _)> = match (attributes.resource, attributes.node_id) {
            (Some(_), Some(node_id)) => {
                let message = "`rdf:nodeID` beside `rdf:resource`: an object can have only one of them";
                return Err(XmlFault::new(node_id.bytes.clone(), message));
            }
            (Some(resource), None) => {
                Some((attributes::resolve(resource, scope)?.into(), resource.bytes.clone()))
            }
            (None, Some(node_id)) => Some((attributes::blank_node(node_id)?.into(), node_id.bytes.clone())),
            (None, None) if attributes.properties.is_empty() => None,
            (None, None) => Some((self.blank_node().into(), statement.at.clone())),
        };
        let datatype = match (attributes.datatype, &object) {
            (Some(datatype), Some(_)) => {
                let message = "`rdf:datatype` on a property whose object is a node";
                return Err(XmlFault::new(datatype.bytes.clone(), message));
            }
            (datatype, _) => datatype.map(|datatype| attributes::resolve(datatype, scope)).transpose()?,
        };
        if let Some((object, at)) = &object {
            self.emit_properties(object, at, attributes, scope)?;
        }
        Ok(OpenRdfElement::Property(PropertyElement {
            statement,
            datatype,
            text: String::new(),
            text_at: None,
            object,
        }))
    }
}
