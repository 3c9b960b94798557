//! Places for graphs on servers.

/// A place for graphs on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerPlace {
    /// A dataset of Apache Jena Fuseki.
    Fuseki {
        /// The URL of the server.
        url: String,
        /// The name of the dataset.
        dataset: String,
    },
    /// A repository of an Eclipse RDF4J Server.
    Rdf4j {
        /// The URL of the server.
        url: String,
        /// The id of the repository.
        repository: String,
    },
    /// A repository of GraphDB, which uses the protocol of RDF4J.
    GraphDb {
        /// The URL of the server.
        url: String,
        /// The id of the repository.
        repository: String,
    },
    /// Virtuoso.
    Virtuoso {
        /// The URL of the server.
        url: String,
    },
    /// Any server that implements the SPARQL 1.1 Graph Store HTTP Protocol.
    GraphStore {
        /// The URL of the graph store.
        url: String,
        /// The URL for updates. Without it, a graph is sent a second time to put it in place, in one request.
        update: Option<String>,
    },
}
