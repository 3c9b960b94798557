//! A server that answers SPARQL: queries and updates by the SPARQL 1.1 Protocol, with responses that are read as
//! streams.
//!
//! A query sees the same as in the embedded store: the union of the documents' graphs, and these graphs by name; the
//! catalog and sidecars only if it names them.

mod addresses;
mod pages;
mod protocol;
mod triples;
mod union;
mod virtuoso;

use std::collections::{HashMap, HashSet};

use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad, Term};

pub use addresses::EndpointAddresses;
pub use protocol::DatasetUris;

use super::http_client::HttpClient;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_rdf::iri::percent_decode;
use evalgraph_rdf::minted::{CATALOG_GRAPH, document_name};
use evalgraph_rdf::vocabulary::evalgraph;
use evalgraph_sparql::{
    EvaluationRemarks, Query, QueryForm, QueryResults, ServerQuads, ServerQuery, ServerQueryScope,
    SolutionSequence, SparqlServer, Update,
};
use evalgraph_store::DefaultGraph;
use pages::EndpointQuery;
use protocol::ProtocolClient;
use union::{ServerGraphFacts, UnionScope, has_beside};

/// The maximum number of graphs that a query lists by name. If there are more, it asks for all graphs, and unwanted
/// ones are dropped.
const MOST_PARTS: usize = 200;

/// A server that answers SPARQL.
///
/// ```no_run
/// use evalgraph::net::{DatasetUris, SparqlEndpoint, EndpointAddresses, HttpClient, HttpClientOptions};
/// use evalgraph::sparql::{Query, QueryResults, ServerQueryScope, SparqlServer};
///
/// let addresses = EndpointAddresses::from_query_address("http://localhost:3030/ds");
/// let endpoint = SparqlEndpoint::new(HttpClient::new(HttpClientOptions::default())?, addresses, DatasetUris::default());
/// let query = Query::parse("SELECT ?text { ?question a s:Question ; s:text ?text }", "query")?;
/// let QueryResults::Solutions(questions) = endpoint.query(&query, ServerQueryScope::default())? else { unreachable!() };
/// for question in questions {
///     println!("{}", question?["text"]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SparqlEndpoint {
    protocol: ProtocolClient,
    /// The graphs that the user has named for each request.
    named: DatasetUris,
    graphs: ServerGraphFacts,
    remarks: EvaluationRemarks,
}

impl SparqlEndpoint {
    /// A server at these addresses. `named` are the graphs of each request; they replace those that a query sees by
    /// default.
    pub fn new(server: HttpClient, addresses: EndpointAddresses, named: DatasetUris) -> Self {
        Self {
            protocol: ProtocolClient::new(server, addresses),
            named,
            graphs: ServerGraphFacts::default(),
            remarks: EvaluationRemarks::default(),
        }
    }

    fn scope(&self, query: &ServerQuery, seen: ServerQueryScope) -> Result<UnionScope, Box<Diagnostic>> {
        if query.has_sources() {
            return Ok(UnionScope::default());
        }
        match seen.default_graph {
            _ if !self.named.is_empty() => Ok((self.named.clone(), &[])),
            DefaultGraph::Union => self.graphs.scope(&self.protocol, query, seen),
            _ => Ok(UnionScope::default()),
        }
    }

    /// Runs one of evalgraph's own queries over everything the server has.
    fn ask(&self, text: &str) -> Result<SolutionSequence<'_>, Box<Diagnostic>> {
        let query = ServerQuery::new(&Query::parse_plain(text, "query")?, || Ok(HashMap::new()))?;
        let graphs = DatasetUris::default();
        EndpointQuery { protocol: &self.protocol, query, graphs, more: &[], remarks: self.remarks.clone() }
            .solutions()
    }
}

impl SparqlServer for SparqlEndpoint {
    fn query(&self, query: &Query, seen: ServerQueryScope) -> Result<QueryResults<'_>, Box<Diagnostic>> {
        let mut query = ServerQuery::new(query, || self.files())?;
        if let (Some(limit), QueryForm::Select) = (seen.limit, query.form()) {
            query = query.part(0, Some(limit));
        }
        let (graphs, more) = self.scope(&query, seen)?;
        if query.mentions(CATALOG_GRAPH) && !self.graphs.has_catalog(&self.protocol)? {
            self.remarks.add(without_catalog(&self.protocol.place()));
        }
        let form = query.form();
        let asked =
            EndpointQuery { protocol: &self.protocol, query, graphs, more, remarks: self.remarks.clone() };
        let results = match form {
            QueryForm::Select => QueryResults::Solutions(asked.solutions()?),
            QueryForm::Ask => QueryResults::Boolean(asked.boolean()?),
            QueryForm::Construct | QueryForm::Describe => match asked.query.solutions_of_construct() {
                Some((query, template)) => {
                    QueryResults::Graph(template.triples(EndpointQuery { query, ..asked }.solutions()?))
                }
                None => {
                    let EndpointQuery { query, graphs, more, .. } = asked;
                    let answer = self.protocol.query(&query.text()?, &graphs, more, triples::ACCEPT)?;
                    QueryResults::Graph(triples::triples(&self.protocol, answer)?)
                }
            },
        };
        Ok(results.limited(seen.limit))
    }

    fn update(&self, update: &Update) -> Result<(), Box<Diagnostic>> {
        let (text, place) = (update.server_text()?, self.protocol.place());
        let is_meant = !self.named.is_empty() || !update.is_about_default_graph();
        if !is_meant && !self.graphs.default_is_union(&self.protocol)? {
            let message = format!(
                "outside of GRAPH, the update applies to the default graph of {place}, which does not include \
                 the other graphs"
            );
            let help = "name a graph with `WITH <…>` or `GRAPH <…>`, or all with `GRAPH ?g`";
            self.remarks.add(Diagnostic::warning("endpoint::default-graph", message).with_help(help));
        }
        self.protocol.update(&text, &self.named)?;
        // The update has succeeded, whatever this request returns.
        if has_beside(&self.protocol, "").unwrap_or(false) {
            let message = format!("the update did not change the catalog and the sidecars at {place}");
            let help = "export the changed files again to update them";
            let note = Diagnostic::new(FindingSeverity::Note, "endpoint::not-kept", message);
            self.remarks.add(note.with_help(help));
        }
        Ok(())
    }

    fn graphs(&self) -> Result<Vec<String>, Box<Diagnostic>> {
        if self.named.is_empty() {
            return self.graphs.names(&self.protocol).cloned();
        }
        let mut names: Vec<String> = self.named.default.iter().chain(&self.named.named).cloned().collect();
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    fn quads(&self, graphs: &[Option<String>]) -> Result<ServerQuads<'_>, Box<Diagnostic>> {
        // If the user has named graphs, unnamed ones are left out.
        let is_meant = |graph: &&Option<String>| graph.is_some() || self.named.is_empty();
        let graphs: Vec<&Option<String>> = graphs.iter().filter(is_meant).collect();
        if graphs.is_empty() {
            return Ok(Box::new(std::iter::empty()));
        }
        let part = |graph: &&Option<String>| match graph {
            Some(graph) => Ok(format!("{{ GRAPH <{graph}> {{ ?s ?p ?o }} BIND (<{graph}> AS ?g) }}")),
            None => Ok(format!("{{ {} }}", self.graphs.unnamed(&self.protocol)?)),
        };
        let parts = match graphs.len() {
            0..=MOST_PARTS => graphs.iter().map(part).collect::<Result<Vec<String>, Box<Diagnostic>>>()?,
            _ => {
                let unnamed = graphs.iter().find(|graph| graph.is_none()).map(part).transpose()?;
                unnamed.into_iter().chain(["{ GRAPH ?g { ?s ?p ?o } }".to_owned()]).collect()
            }
        };
        let wanted: HashSet<String> = graphs.iter().copied().flatten().cloned().collect();
        let is_wanted = move |quad: &Quad| match &quad.graph_name {
            GraphName::NamedNode(graph) => wanted.contains(graph.as_str()),
            _ => true,
        };
        let rows = self.ask(&format!("SELECT ?s ?p ?o ?g {{ {} }}", parts.join(" UNION ")))?;
        let quads = rows.filter_map(|row| row.map(|row| quad(row.values())).transpose());
        Ok(Box::new(quads.filter(move |quad| quad.as_ref().map_or(true, &is_wanted))))
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        self.remarks.take()
    }

    fn place(&self) -> String {
        self.protocol.place()
    }

    fn files(&self) -> Result<HashMap<String, String>, Box<Diagnostic>> {
        let of_catalog = self
            .ask(&format!("SELECT ?s ?o {{ GRAPH <{CATALOG_GRAPH}> {{ ?s <{}> ?o }} }}", evalgraph::PATH))?;
        let dataset = |graph: &String| Some((graph.clone(), percent_decode(document_name(graph)?)));
        let mut files: HashMap<_, _> =
            self.graphs.names(&self.protocol)?.iter().filter_map(dataset).collect();
        for row in of_catalog {
            if let [Some(Term::NamedNode(graph)), Some(Term::Literal(path))] = row?.values() {
                files.insert(graph.as_str().to_owned(), path.value().to_owned());
            }
        }
        Ok(files)
    }
}

/// The warning that a query names the catalog, which the server does not have.
fn without_catalog(place: &str) -> Diagnostic {
    let message = format!("the query asks for the catalog, which {place} does not have");
    let help = help!["export it as well: ", command("export"), " … ", setting("with").to("catalog")];
    Diagnostic::warning("endpoint::no-catalog", message).with_help(help)
}

/// The quad in a row with subject, predicate, object and graph. `None` if the row is not a quad.
fn quad(values: &[Option<Term>]) -> Option<Quad> {
    let [Some(subject), Some(Term::NamedNode(predicate)), Some(object), graph] = values else { return None };
    let subject: NamedOrBlankNode = match subject {
        Term::NamedNode(node) => node.clone().into(),
        Term::BlankNode(node) => node.clone().into(),
        Term::Literal(_) => return None,
    };
    let graph = match graph {
        Some(Term::NamedNode(graph)) => GraphName::from(NamedNode::clone(graph)),
        _ => GraphName::DefaultGraph,
    };
    Some(Quad::new(subject, predicate.clone(), object.clone(), graph))
}
