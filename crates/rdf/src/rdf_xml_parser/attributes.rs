//! The attributes of an element, by their meaning (RDF 1.1 XML Syntax, 6.1.2 and 7.2).

use super::open::ElementScope;
use evalgraph_diagnostics::help::{help, setting};
use oxiri::Iri;
use oxrdf::{BlankNode, Literal, NamedNode};
use std::ops::Range;
use std::rc::Rc;

use super::super::iri::LONGEST_BASE;
use super::super::syntax_error::RDF_1_2;
use super::super::xml::too_long;
use super::{RDF, SYNTAX_NAMES, XML, XmlAttribute, XmlElement, XmlFault, is_nc_name};

/// The namespace of the Internationalization Tag Set, with which RDF 1.2 gives strings a direction.
const ITS: &str = "http://www.w3.org/2005/11/its";

/// Names that may be written without `rdf:`, as before RDF had namespaces.
const WITHOUT_PREFIX: [&str; 5] = ["ID", "about", "resource", "parseType", "type"];

/// The attributes of an element.
#[derive(Default)]
pub(super) struct RdfXmlAttributes<'e, 't> {
    pub(super) id: Option<&'e XmlAttribute<'t>>,
    pub(super) about: Option<&'e XmlAttribute<'t>>,
    pub(super) node_id: Option<&'e XmlAttribute<'t>>,
    pub(super) resource: Option<&'e XmlAttribute<'t>>,
    pub(super) datatype: Option<&'e XmlAttribute<'t>>,
    pub(super) parse_type: Option<&'e XmlAttribute<'t>>,
    /// The attributes that are properties, `rdf:type` among them.
    pub(super) properties: Vec<&'e XmlAttribute<'t>>,
}

/// The name of a node.
pub(super) enum SubjectIdentity {
    Id(NamedNode, Range<usize>),
    About(NamedNode),
    NodeId(BlankNode),
    None,
}

impl<'e, 't> RdfXmlAttributes<'e, 't> {
    /// Sorts the attributes of an element by their meaning.
    ///
    /// # Errors
    ///
    /// Names that no attribute may have, and attributes of RDF 1.2.
    pub(super) fn from_element(element: &'e XmlElement<'t>) -> Result<Self, XmlFault> {
        let mut attributes = Self::default();
        for attribute in &element.attributes {
            let name = &attribute.name;
            let local = match name.namespace.as_deref() {
                Some(XML) => continue,
                Some(RDF) => name.local,
                None if WITHOUT_PREFIX.contains(&name.local) => name.local,
                // Names that begin with `xml` are reserved.
                None if name.local.to_ascii_lowercase().starts_with("xml") => continue,
                None => {
                    let message = format!("the attribute `{}` has no namespace", name.local);
                    return Err(XmlFault::new(attribute.bytes.clone(), message));
                }
                Some(ITS) if ["dir", "version"].contains(&name.local) => {
                    return Err(rdf_1_2(attribute, "the direction of texts"));
                }
                Some(_) => "",
            };
            attributes.add(attribute, local)?;
        }
        Ok(attributes)
    }

    fn add(&mut self, attribute: &'e XmlAttribute<'t>, rdf_name: &str) -> Result<(), XmlFault> {
        let place = match rdf_name {
            "ID" => &mut self.id,
            "about" => &mut self.about,
            "nodeID" => &mut self.node_id,
            "resource" => &mut self.resource,
            "datatype" => &mut self.datatype,
            "parseType" if attribute.value == "Triple" => {
                return Err(rdf_1_2(attribute, "a triple term"));
            }
            "parseType" => &mut self.parse_type,
            "annotation" | "annotationNodeID" => return Err(rdf_1_2(attribute, "an annotation")),
            "version" if attribute.value == "1.1" => return Ok(()),
            "version" => return Err(rdf_1_2(attribute, "the version that is announced")),
            _ if SYNTAX_NAMES.contains(&rdf_name) || ["Description", "li"].contains(&rdf_name) => {
                let message = format!("`{}` cannot be an attribute", attribute.name.written());
                return Err(XmlFault::new(attribute.bytes.clone(), message));
            }
            _ => {
                self.properties.push(attribute);
                return Ok(());
            }
        };
        *place = Some(attribute);
        Ok(())
    }

    /// Any attribute.
    pub(super) fn first(&self) -> Option<&'e XmlAttribute<'t>> {
        let named = [self.id, self.about, self.node_id, self.resource, self.datatype, self.parse_type];
        named.into_iter().flatten().chain(self.properties.iter().copied()).next()
    }

    /// Returns the name of the node that has these attributes.
    ///
    /// # Errors
    ///
    /// More than one name, and malformed names.
    pub(super) fn identity(&self, scope: &ElementScope) -> Result<SubjectIdentity, XmlFault> {
        let names: Vec<_> = [self.id, self.about, self.node_id].into_iter().flatten().collect();
        if let [first, second, ..] = names[..] {
            let (first, second, bytes) = (first.name.written(), second.name.written(), second.bytes.clone());
            return Err(XmlFault::new(
                bytes,
                format!("`{second}` beside `{first}`: a node can have only one of them"),
            ));
        }
        if let Some(id) = self.id {
            return Ok(SubjectIdentity::Id(iri_of_id(id, scope)?, id.bytes.clone()));
        }
        if let Some(about) = self.about {
            return resolve(about, scope).map(SubjectIdentity::About);
        }
        self.node_id
            .map_or(Ok(SubjectIdentity::None), |node_id| blank_node(node_id).map(SubjectIdentity::NodeId))
    }
}

fn rdf_1_2(attribute: &XmlAttribute<'_>, what: &str) -> XmlFault {
    let message = format!("RDF 1.2 is not read: `{}` is for {what}", attribute.name.written());
    XmlFault { code: RDF_1_2, ..XmlFault::new(attribute.bytes.clone(), message) }
}

/// Returns the base and language of an element: its `xml:base` and `xml:lang`, or else those of the element around it.
///
/// # Errors
///
/// A base that is not an IRI, and a malformed language tag.
pub(super) fn scope(element: &XmlElement<'_>, around: &ElementScope) -> Result<ElementScope, XmlFault> {
    let mut scope = around.clone();
    for attribute in &element.attributes {
        if attribute.name.namespace.as_deref() != Some(XML) {
            continue;
        }
        match attribute.name.local {
            "base" => {
                let iri = resolve(attribute, around)?.into_string();
                if iri.len() > LONGEST_BASE {
                    return Err(too_long(attribute.bytes.clone()));
                }
                scope.base = Some(Rc::new(Iri::parse_unchecked(iri)));
            }
            "lang" => scope.language = language(attribute)?,
            _ => {}
        }
    }
    Ok(scope)
}

fn language(attribute: &XmlAttribute<'_>) -> Result<Option<Rc<str>>, XmlFault> {
    if attribute.value.is_empty() {
        // An empty `xml:lang` removes the language of the elements around (XML 1.0, 2.12).
        return Ok(None);
    }
    match Literal::new_language_tagged_literal("", &*attribute.value) {
        Ok(literal) => Ok(literal.language().map(|language| language.to_ascii_lowercase().into())),
        Err(_) => {
            let message = format!("`{}` is not a language tag", attribute.value);
            Err(XmlFault::new(attribute.bytes.clone(), message))
        }
    }
}

/// The IRI that an attribute names, resolved against the base.
///
/// # Errors
///
/// A string that is not an IRI; a relative IRI without a base.
pub(super) fn resolve(attribute: &XmlAttribute<'_>, scope: &ElementScope) -> Result<NamedNode, XmlFault> {
    resolve_text(&attribute.value, attribute, scope)
}

fn resolve_text(
    reference: &str,
    attribute: &XmlAttribute<'_>,
    scope: &ElementScope,
) -> Result<NamedNode, XmlFault> {
    let resolved = match &scope.base {
        Some(base) => base.resolve(reference),
        None => Iri::parse(reference.to_owned()),
    };
    let error = match resolved {
        Ok(iri) => return Ok(NamedNode::new_unchecked(iri.into_inner())),
        Err(error) => error.to_string(),
    };
    let bytes = attribute.bytes.clone();
    if error.contains("No scheme found") {
        let message = format!("`{reference}` is a relative IRI and there is no base to resolve it against");
        let help =
            help!["give the base with ", setting("base").to("IRI"), ", or put `xml:base` on `rdf:RDF`"];
        return Err(XmlFault::new(bytes, message).with_help(help));
    }
    Err(XmlFault::new(
        bytes,
        format!("`{reference}` is not an IRI: {}", super::super::syntax_error::in_house_style(&error)),
    ))
}

/// The IRI of `rdf:ID`: the base with the id as its fragment.
///
/// # Errors
///
/// The errors of [`resolve`]; an id that is not a name.
pub(super) fn iri_of_id(attribute: &XmlAttribute<'_>, scope: &ElementScope) -> Result<NamedNode, XmlFault> {
    check_name(attribute)?;
    resolve_text(&format!("#{}", attribute.value), attribute, scope)
}

/// The blank node of `rdf:nodeID`.
///
/// # Errors
///
/// An id that is not a name.
pub(super) fn blank_node(attribute: &XmlAttribute<'_>) -> Result<BlankNode, XmlFault> {
    check_name(attribute)?;
    Ok(BlankNode::new_unchecked(&*attribute.value))
}

fn check_name(attribute: &XmlAttribute<'_>) -> Result<(), XmlFault> {
    if is_nc_name(&attribute.value) {
        return Ok(());
    }
    let message =
        format!("`{}` is not a name, and `{}` has to be one", attribute.value, attribute.name.written());
    Err(XmlFault::new(attribute.bytes.clone(), message))
}
