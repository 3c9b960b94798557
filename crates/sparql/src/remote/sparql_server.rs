//! A server that answers SPARQL queries and takes updates, as commands see it. The network code implements it.

use std::collections::HashMap;
use std::fmt;

use oxrdf::Quad;

use crate::evaluate::QueryResults;
use crate::query::Query;
use crate::update::Update;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::DefaultGraph;

/// The data that a query sees on a server, and the limit of its results.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerQueryScope {
    /// The graphs that a query sees without GRAPH: the union of the documents' graphs, or the server's default graph.
    pub default_graph: DefaultGraph,
    /// `true` if the union also has the catalog.
    pub with_catalog: bool,
    /// `true` if `GRAPH ?g` also matches the catalog and sidecars.
    pub all_graphs: bool,
    /// The most rows or triples.
    pub limit: Option<usize>,
}

/// Quads in the order in which they arrive.
pub type ServerQuads<'s> = Box<dyn Iterator<Item = Result<Quad, Box<Diagnostic>>> + 's>;

/// A server that answers queries and takes updates.
pub trait SparqlServer: fmt::Debug + Send + Sync {
    /// Sends a query.
    ///
    /// # Errors
    ///
    /// A query that cannot be sent to a server, or a server that does not answer. The results may also return errors.
    fn query(&self, query: &Query, seen: ServerQueryScope) -> Result<QueryResults<'_>, Box<Diagnostic>>;

    /// Sends an update. Its parts that do not name a graph apply to the server's default graph.
    ///
    /// # Errors
    ///
    /// An update that cannot be sent to a server, or a server that does not perform it.
    fn update(&self, update: &Update) -> Result<(), Box<Diagnostic>>;

    /// The names of the graphs, sorted: those that the user has named, else all except the server's internal graphs.
    ///
    /// # Errors
    ///
    /// A server that does not answer.
    fn graphs(&self) -> Result<Vec<String>, Box<Diagnostic>>;

    /// The quads of graphs. `None` is the default graph. Blank node labels are unique among all these graphs.
    ///
    /// # Errors
    ///
    /// A server that does not answer. The iterator may also return this error.
    fn quads(&self, graphs: &[Option<String>]) -> Result<ServerQuads<'_>, Box<Diagnostic>>;

    /// The names of files by the IRIs of their graphs: from the catalog, else from datasets.
    ///
    /// # Errors
    ///
    /// A server that does not answer.
    fn files(&self) -> Result<HashMap<String, String>, Box<Diagnostic>>;

    /// Takes the remarks on the answers that were made since the last call.
    fn remarks(&self) -> Vec<Diagnostic>;

    /// The address for queries, as messages show it.
    fn place(&self) -> String;
}
