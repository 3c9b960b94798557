//! The union of the graphs of documents, which the embedded store uses as the default graph. Each server has its own
//! way to ask for the union; the right one is found by a query for a triple of one of the graphs.

use std::sync::OnceLock;

use oxrdf::{Term, Triple};

use super::pages::EndpointQuery;
use super::protocol::{DatasetUris, ProtocolClient};
use super::virtuoso;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::minted::{CATALOG_GRAPH, STAGING_GRAPH, is_beside_documents};
use evalgraph_rdf::vocabulary::evalgraph;
use evalgraph_sparql::{EvaluationRemarks, Query, ServerQuery, ServerQueryScope};

/// The name of the union graph in Apache Jena.
const JENA: &str = "urn:x-arq:UnionGraph";

/// The parameter that asks Oxigraph for the union graph.
const OXIGRAPH: &[(&str, &str)] = &[("union-default-graph", "true")];

/// How to query the union of all graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnionAccess {
    /// The server's default graph is the union.
    Default,
    /// The union has a name.
    Named(&'static str),
    /// A parameter of the request asks for the union.
    Parameter(&'static [(&'static str, &'static str)]),
    /// Each graph is named in the request.
    Listed,
}

/// The known facts about the graphs of a server.
#[derive(Debug, Default)]
pub(super) struct ServerGraphFacts {
    way: OnceLock<UnionAccess>,
    has_others: OnceLock<bool>,
    names: OnceLock<Vec<String>>,
    has_catalog: OnceLock<bool>,
}

/// The graphs and further parameters of a request.
pub(super) type UnionScope = (DatasetUris, &'static [(&'static str, &'static str)]);

impl ServerGraphFacts {
    /// Returns whether the server has a catalog.
    pub(super) fn has_catalog(&self, protocol: &ProtocolClient) -> Result<bool, Box<Diagnostic>> {
        let text = format!("ASK {{ GRAPH <{CATALOG_GRAPH}> {{ ?s ?p ?o }} }}");
        known(&self.has_catalog, || asked(protocol, &text)?.boolean()).copied()
    }

    /// The graphs and parameters with which a query sees the union of the documents' graphs, and these graphs by name.
    pub(super) fn scope(
        &self,
        protocol: &ProtocolClient,
        query: &ServerQuery,
        seen: ServerQueryScope,
    ) -> Result<UnionScope, Box<Diagnostic>> {
        let way = known(&self.way, || way(protocol))?;
        let is_hidden = |name: &String| {
            is_beside_documents(name) && !(seen.with_catalog && name.as_str() == CATALOG_GRAPH)
        };
        let has_others = protocol.is_virtuoso()
            || match seen.with_catalog {
                true => self.names(protocol)?.iter().any(is_hidden),
                false => *known(&self.has_others, || {
                    let staged = format!("UNION {{ GRAPH <{STAGING_GRAPH}> {{ ?s ?p ?o }} }}");
                    has_beside(protocol, &staged)
                })?,
            };
        let asks_named = query.asks_named_graphs();
        let default = match way {
            UnionAccess::Default if !has_others => return Ok(UnionScope::default()),
            UnionAccess::Parameter(more) if !has_others => return Ok((DatasetUris::default(), more)),
            UnionAccess::Named(name) if !has_others => vec![(*name).to_owned()],
            _ => self.names(protocol)?.iter().filter(|name| !is_hidden(name)).cloned().collect(),
        };
        let is_named = |name: &&String| seen.all_graphs || !is_beside_documents(name) || query.mentions(name);
        let named = match asks_named {
            true => self.names(protocol)?.iter().filter(is_named).cloned().collect(),
            false => Vec::new(),
        };
        Ok((DatasetUris { default, named }, &[]))
    }

    /// Returns whether triples outside of GRAPH are in the union of all graphs.
    pub(super) fn default_is_union(&self, protocol: &ProtocolClient) -> Result<bool, Box<Diagnostic>> {
        Ok(*known(&self.way, || way(protocol))? == UnionAccess::Default)
    }

    /// The names of all graphs except those of the server itself, sorted.
    pub(super) fn names(&self, protocol: &ProtocolClient) -> Result<&Vec<String>, Box<Diagnostic>> {
        known(&self.names, || {
            // With DISTINCT, Virtuoso takes minutes.
            let rows = asked(protocol, "SELECT ?g { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g")?.solutions()?;
            let mut names = Vec::new();
            for row in rows {
                if let Some(Term::NamedNode(name)) = row?.get("g") {
                    names.push(name.as_str().to_owned());
                }
            }
            names.retain(|name| !protocol.is_virtuoso() || !virtuoso::OWN_GRAPHS.contains(&name.as_str()));
            names.sort_unstable();
            Ok(names)
        })
    }

    /// The pattern for triples in no named graph, or in a default graph that is not the union.
    pub(super) fn unnamed(&self, protocol: &ProtocolClient) -> Result<&'static str, Box<Diagnostic>> {
        Ok(match known(&self.way, || way(protocol))? {
            // Virtuoso has all triples in named graphs, and would check each of them.
            UnionAccess::Default if protocol.is_virtuoso() => "?s ?p ?o FILTER (1 = 2)",
            UnionAccess::Default => "?s ?p ?o FILTER NOT EXISTS { GRAPH ?any { ?s ?p ?o } }",
            UnionAccess::Named(_) | UnionAccess::Parameter(_) | UnionAccess::Listed => "?s ?p ?o",
        })
    }
}

/// The value of a cell. If it is not set, finds the value and sets it.
fn known<T>(
    cell: &OnceLock<T>,
    find: impl FnOnce() -> Result<T, Box<Diagnostic>>,
) -> Result<&T, Box<Diagnostic>> {
    match cell.get() {
        Some(known) => Ok(known),
        None => find().map(|found| cell.get_or_init(|| found)),
    }
}

/// The access that finds a triple of a named graph without naming the graph. If the server has no such triple, every
/// access gives the same result.
fn way(protocol: &ProtocolClient) -> Result<UnionAccess, Box<Diagnostic>> {
    let sample = "SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o FILTER (isIRI(?s) && isIRI(?o)) } } LIMIT 1";
    let Some(row) = asked(protocol, sample)?.solutions()?.next().transpose()? else {
        return Ok(UnionAccess::Default);
    };
    let [Some(Term::NamedNode(subject)), Some(Term::NamedNode(predicate)), Some(object)] = row.values()
    else {
        return Ok(UnionAccess::Default);
    };
    let triple = Triple::new(subject.clone(), predicate.clone(), object.clone());
    for way in [UnionAccess::Default, UnionAccess::Named(JENA), UnionAccess::Parameter(OXIGRAPH)] {
        let mut asked = asked(protocol, &format!("ASK {{ {triple} }}"))?;
        match way {
            UnionAccess::Named(name) => asked.graphs.default.push(name.to_owned()),
            UnionAccess::Parameter(more) => asked.more = more,
            UnionAccess::Default | UnionAccess::Listed => {}
        }
        // A server may reject what it does not support.
        if asked.boolean().is_ok_and(|is_found| is_found) {
            return Ok(way);
        }
    }
    Ok(UnionAccess::Listed)
}

/// Returns whether the server has a catalog or sidecars, which queries see only by name, or anything that `more`
/// matches.
pub(super) fn has_beside(protocol: &ProtocolClient, more: &str) -> Result<bool, Box<Diagnostic>> {
    let root = evalgraph::ROOT;
    let catalog = format!("{{ GRAPH <{CATALOG_GRAPH}> {{ ?s ?p ?o }} }}");
    let text = format!("ASK {{ {catalog} UNION {{ GRAPH ?g {{ ?s <{root}> ?o }} }} {more} }}");
    asked(protocol, &text)?.boolean()
}

/// One of evalgraph's own queries, over everything the server has.
fn asked<'e>(protocol: &'e ProtocolClient, text: &str) -> Result<EndpointQuery<'e>, Box<Diagnostic>> {
    let query = ServerQuery::new(&Query::parse_plain(text, "query")?, || Ok(Default::default()))?;
    let graphs = DatasetUris::default();
    Ok(EndpointQuery { protocol, query, graphs, more: &[], remarks: EvaluationRemarks::default() })
}
