//! A server that answers queries in SPARQL and takes updates, as commands see it; how it is asked is left to the network.

use std::collections::HashMap;
use std::fmt;

use oxrdf::Quad;

use crate::evaluate::QueryResults;
use crate::query::Query;
use crate::update::Update;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::DefaultGraph;

/// The data that a query sees on a server, and how many of its results are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerQueryScope {
    /// The graphs that a query sees without GRAPH: the union of documents' graphs, or what the server has there.
    pub default_graph: DefaultGraph,
    /// `true` if the union has the catalog, too.
    pub with_catalog: bool,
    /// `true` if `GRAPH ?g` stands for the catalog and sidecars, too.
    pub all_graphs: bool,
    /// The most rows or triples.
    pub limit: Option<usize>,
}

/// Quads as they come.
pub type ServerQuads<'s> = Box<dyn Iterator<Item = Result<Quad, Box<Diagnostic>>> + 's>;

/// A server that answers queries and takes updates.
pub trait SparqlServer: fmt::Debug + Send + Sync {
    /// Asks a query.
    ///
    /// # Errors
    ///
    /// A query that a server cannot be sent, and a server without an answer. Errors can also come later, from the results.
    fn query(&self, query: &Query, seen: ServerQueryScope) -> Result<QueryResults<'_>, Box<Diagnostic>>;

    /// Sends an update. What it says without naming a graph is about the server's default graph.
    ///
    /// # Errors
    ///
    /// An update that a server cannot be sent, and a server that does not make it.
    fn update(&self, update: &Update) -> Result<(), Box<Diagnostic>>;

    /// The names of the graphs, sorted: those that the user has named, else all but the server's own.
    ///
    /// # Errors
    ///
    /// A server without an answer.
    fn graphs(&self) -> Result<Vec<String>, Box<Diagnostic>>;

    /// The quads of graphs; no name stands for what is in no named graph. Labels tell the blank nodes of all these graphs
    /// apart.
    ///
    /// # Errors
    ///
    /// A server without an answer, also from the iterator.
    fn quads(&self, graphs: &[Option<String>]) -> Result<ServerQuads<'_>, Box<Diagnostic>>;

    /// The names of files by the IRIs of their graphs: those that the catalog has, else those of datasets.
    ///
    /// # Errors
    ///
    /// A server without an answer.
    fn files(&self) -> Result<HashMap<String, String>, Box<Diagnostic>>;

    /// Takes the remarks on the answers since the last call.
    fn remarks(&self) -> Vec<Diagnostic>;

    /// The address of queries, as messages name it.
    fn place(&self) -> String;
}
