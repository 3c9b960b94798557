//! Nodes that the user names: parsed as in a query, and looked up in the data.

use oxrdf::{NamedNode, Term};

use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_sparql::{ParameterType, QueryParameter, QueryPrefixes};
use evalgraph_store::{Dataset, RdfTermKind};

/// Parses IRIs: in full, with or without brackets, or with one of the usual prefixes.
///
/// # Errors
///
/// `sparql::parameter` for anything that is not an IRI.
pub fn named_nodes(what: &str, texts: &[String]) -> Result<Vec<NamedNode>, Box<Diagnostic>> {
    let prefixes = QueryPrefixes::new();
    let node = |text: &String| {
        let parameter = QueryParameter { name: what.to_owned(), text: text.clone() };
        match parameter.term(Some(ParameterType::Iri), &prefixes)? {
            Term::NamedNode(node) => Ok(node),
            other => Err(Box::new(Diagnostic::error("sparql::parameter", format!("{other} is not an IRI")))),
        }
    };
    texts.iter().map(node).collect()
}

/// Checks that the data contain the focus nodes.
///
/// # Errors
///
/// `shacl::unknown-node` for the first node that is missing, with the most similar one in the data.
pub(super) fn check_known(nodes: &[NamedNode], data: &Dataset) -> Result<(), RunFailure> {
    let is_unknown = |node: &&NamedNode| data.dictionary().find(node.as_ref().into()).is_none();
    match nodes.iter().find(is_unknown) {
        Some(node) => Err(unknown(node.as_str(), data).into()),
        None => Ok(()),
    }
}

fn unknown(node: &str, data: &Dataset) -> Diagnostic {
    let fault = Diagnostic::error("shacl::unknown-node", format!("the data have no node `{node}`"));
    // Names are mistyped more often than namespaces, and comparing namespaces first is fast.
    let (namespace, name) = node.split_at(node.rfind(['#', '/', ':']).map_or(0, |end| end + 1));
    let dictionary = data.dictionary();
    let iris = dictionary.ids().filter(|id| dictionary.kind(*id) == RdfTermKind::Iri);
    let names = iris.filter_map(|id| dictionary.lexical(id).strip_prefix(namespace));
    match nearest(name, names) {
        Some(meant) => fault.with_help(format!("did you mean `{namespace}{meant}`?")),
        None => fault,
    }
}
