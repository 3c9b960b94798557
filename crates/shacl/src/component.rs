//! Constraint components that a shapes graph defines (SHACL, section 6): parameters and validators.

use std::sync::Arc;

use oxrdf::{Literal, Term};

use super::query_text::{ShapeQueryText, messages, query_text};
use super::shacl_vocabulary::SH;
use super::shapes_graph::{BoxedShapesFault, ShapesFault, ShapesGraph, ShapesStatement};
use evalgraph_store::{RdfTermKind, TermId};

/// A constraint component with SPARQL validators.
#[derive(Debug, Clone)]
pub(super) struct ConstraintComponent {
    /// The IRI of the component.
    pub(super) node: Term,
    pub(super) parameters: Vec<ComponentParameter>,
    pub(super) node_validator: Option<SparqlValidator>,
    pub(super) property_validator: Option<SparqlValidator>,
    pub(super) validator: Option<SparqlValidator>,
}

/// A parameter of a component.
#[derive(Debug, Clone)]
pub(super) struct ComponentParameter {
    /// The predicate whose object is the value.
    pub(super) predicate: TermId,
    /// The variable that has the value in queries: the local name of the predicate.
    pub(super) variable: String,
    pub(super) is_optional: bool,
}

/// A validator: a query that returns the nodes that fail (SELECT) or whether a value conforms (ASK).
#[derive(Debug, Clone)]
pub(super) struct SparqlValidator {
    pub(super) query: ShapeQueryText,
    pub(super) messages: Vec<Literal>,
}

/// Reads the components of a shapes graph.
///
/// # Errors
///
/// Components without a mandatory parameter, without a validator, or with parameters that have no path.
pub(super) fn components(graph: &ShapesGraph<'_>) -> Result<Vec<Arc<ConstraintComponent>>, Vec<ShapesFault>> {
    let (mut components, mut faults) = (Vec::new(), Vec::new());
    for node in graph.instances(&format!("{SH}ConstraintComponent")) {
        if graph.sh_name(node).is_some() {
            continue;
        }
        match component(graph, node) {
            Ok(component) => components.push(Arc::new(component)),
            Err(fault) => faults.push(*fault),
        }
    }
    if faults.is_empty() { Ok(components) } else { Err(faults) }
}

fn component(graph: &ShapesGraph<'_>, node: TermId) -> Result<ConstraintComponent, BoxedShapesFault> {
    let mut parameters = Vec::new();
    for parameter in graph.values(node, "parameter") {
        let paths = graph.values(parameter, "path");
        let [path] = paths.as_slice() else {
            let message = "a parameter has one `sh:path`".to_owned();
            return Err(graph.fault("shacl::component", message, ShapesStatement::node(parameter)));
        };
        let variable = local_name(graph.text(*path));
        if graph.kind(*path) != RdfTermKind::Iri || variable.is_empty() {
            let message = format!("{} has no local name that a variable can have", graph.shown(*path));
            return Err(graph.fault("shacl::component", message, ShapesStatement::node(parameter)));
        }
        let is_optional = graph
            .values(parameter, "optional")
            .iter()
            .any(|value| matches!(graph.text(*value), "true" | "1"));
        parameters.push(ComponentParameter { predicate: *path, variable: variable.to_owned(), is_optional });
    }
    if parameters.iter().all(|parameter| parameter.is_optional) {
        let message = format!("{} has no parameter that is mandatory", graph.shown(node));
        return Err(graph.fault("shacl::component", message, ShapesStatement::node(node)));
    }
    let validator = |name: &str| -> Result<Option<SparqlValidator>, BoxedShapesFault> {
        let Some(value) = graph.values(node, name).first().copied() else { return Ok(None) };
        let at = ShapesStatement { subject: node, predicate: graph.sh(name), object: Some(value) };
        let query = query_text(graph, value, at)?;
        Ok(Some(SparqlValidator { query, messages: messages(graph, value)? }))
    };
    Ok(ConstraintComponent {
        node: graph.term(node),
        parameters,
        node_validator: validator("nodeValidator")?,
        property_validator: validator("propertyValidator")?,
        validator: validator("validator")?,
    })
}

/// The longest suffix of an IRI that can be the name of a variable.
pub(super) fn local_name(iri: &str) -> &str {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let start = iri.char_indices().rev().take_while(|(_, character)| is_part(*character)).last();
    start.map_or("", |(start, _)| &iri[start..])
}
