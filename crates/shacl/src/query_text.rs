//! Queries in a shapes graph: their text, prefixes, and messages (SHACL, section 5).

use std::collections::HashSet;

use oxrdf::{Literal, Term};

use super::property_path::PropertyPath;
use super::shacl_vocabulary::OWL;
use super::shapes_graph::{BoxedShapesFault, ShapesGraph, ShapesStatement};
use evalgraph_sparql::PreboundQuery;
use evalgraph_store::{RdfTermKind, TermId};

/// The text of a query with its prefixes.
#[derive(Debug, Clone)]
pub(super) struct ShapeQueryText {
    pub(super) node: Term,
    pub(super) text: String,
    pub(super) is_ask: bool,
    prefixes: Vec<(String, String)>,
    /// The statement that contains the text.
    pub(super) at: ShapesStatement,
}

/// Reads the query of a node: the only string of `sh:select` or `sh:ask`, and the prefixes.
pub(super) fn query_text(
    graph: &ShapesGraph<'_>,
    node: TermId,
    at: ShapesStatement,
) -> Result<ShapeQueryText, BoxedShapesFault> {
    let (selects, asks) = (graph.values(node, "select"), graph.values(node, "ask"));
    let (name, text) = match (selects.as_slice(), asks.as_slice()) {
        ([text], []) => ("select", *text),
        ([], [text]) => ("ask", *text),
        ([], []) => {
            let message = format!("{} has no `sh:select` or `sh:ask`", graph.shown(node));
            return Err(graph.fault("shacl::sparql", message, at));
        }
        _ => {
            let message = format!("{} has several queries", graph.shown(node));
            return Err(graph.fault("shacl::sparql", message, at));
        }
    };
    let at = ShapesStatement { subject: node, predicate: graph.sh(name), object: Some(text) };
    if graph.kind(text) != RdfTermKind::String {
        let message = format!("a query must be a string, but this is {}", graph.shown(text));
        return Err(graph.fault("shacl::sparql", message, at));
    }
    Ok(ShapeQueryText {
        node: graph.term(node),
        text: graph.text(text).to_owned(),
        is_ask: name == "ask",
        prefixes: prefixes(graph, node),
        at,
    })
}

/// The prefixes of a query: `sh:declare` of the ontologies that `sh:prefixes` names, and of those that they import
/// (section 5.2.1).
fn prefixes(graph: &ShapesGraph<'_>, node: TermId) -> Vec<(String, String)> {
    let imports = graph.find(&format!("{OWL}imports"));
    let (mut ontologies, mut seen) = (graph.values(node, "prefixes"), HashSet::new());
    let mut prefixes: Vec<(String, String)> = Vec::new();
    while let Some(ontology) = ontologies.pop() {
        if !seen.insert(ontology) {
            continue;
        }
        for declaration in graph.values(ontology, "declare") {
            let text = |name: &str| {
                graph.values(declaration, name).first().map(|value| graph.text(*value).to_owned())
            };
            if let (Some(prefix), Some(namespace)) = (text("prefix"), text("namespace"))
                && !prefixes.iter().any(|(known, _)| *known == prefix)
            {
                prefixes.push((prefix, namespace));
            }
        }
        ontologies.extend(graph.objects(ontology, imports));
    }
    prefixes
}

impl ShapeQueryText {
    /// Parses the query.
    pub(super) fn parse(
        &self,
        graph: &ShapesGraph<'_>,
        path: Option<&PropertyPath>,
        pre_bound: &[&str],
        plain: bool,
    ) -> Result<PreboundQuery, BoxedShapesFault> {
        let path = path.map(PropertyPath::to_string);
        let parsed =
            PreboundQuery::parse(&self.text, "query", &self.prefixes, path.as_deref(), pre_bound, !plain);
        let refused = |message: String| graph.fault("shacl::sparql", message, self.at);
        let query = parsed.map_err(|error| {
            let mut fault = refused(format!("the query cannot be used: {}", error.message));
            fault.diagnostic.help.extend(error.help);
            fault
        })?;
        if !self.is_ask && !query.selects("this") {
            return Err(refused("the query does not yield `?this`".to_owned()));
        }
        Ok(query)
    }
}

/// The messages of a shape or a constraint.
///
/// # Errors
///
/// A message that is not a string.
pub(super) fn messages(graph: &ShapesGraph<'_>, node: TermId) -> Result<Vec<Literal>, BoxedShapesFault> {
    let literal = |value| match graph.term(value) {
        Term::Literal(literal)
            if matches!(graph.kind(value), RdfTermKind::String | RdfTermKind::LangString) =>
        {
            Ok(literal)
        }
        _ => {
            let at = ShapesStatement { subject: node, predicate: graph.sh("message"), object: Some(value) };
            let message =
                format!("the value of `sh:message` must be a string, but this is {}", graph.shown(value));
            Err(graph.fault("shacl::parameter", message, at))
        }
    };
    graph.values(node, "message").into_iter().map(literal).collect()
}
