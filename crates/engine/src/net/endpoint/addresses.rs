//! The addresses of a server: the others are guessed from the query address, by the conventions of known servers.

/// The addresses of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointAddresses {
    /// For queries.
    pub query: String,
    /// For updates.
    pub update: Option<String>,
    /// For reading and writing whole graphs (SPARQL 1.1 Graph Store HTTP Protocol).
    pub graph_store: Option<String>,
}

impl EndpointAddresses {
    /// The addresses of a server, guessed from its query address.
    pub fn from_query_address(query: &str) -> Self {
        let (update, graph_store) = guessed(query);
        Self { query: query.to_owned(), update: Some(update), graph_store: Some(graph_store) }
    }
}

/// The addresses for updates and for graphs. Fuseki's services are below the name of the dataset; those of Virtuoso and
/// Oxigraph are at the root.
fn guessed(query: &str) -> (String, String) {
    let plain = query.trim_end_matches('/');
    let path = plain.split_once("://").map_or(plain, |(_, rest)| rest);
    let segments = path.split('/').count() - 1;
    if path.contains("/repositories/") {
        return (format!("{plain}/statements"), format!("{plain}/rdf-graphs/service"));
    }
    let services = [("/sparql", "/update", "/data"), ("/query", "/update", "/data")];
    let alone = [
        ("/sparql", "/sparql", "/sparql-graph-crud"),
        ("/sparql-auth", "/sparql-auth", "/sparql-graph-crud-auth"),
        ("/query", "/update", "/store"),
    ];
    let known: &[_] = if segments > 1 { &services } else { &alone };
    let found = known.iter().find_map(|(of_query, of_update, of_graphs)| {
        let start = plain.strip_suffix(of_query)?;
        Some((format!("{start}{of_update}"), format!("{start}{of_graphs}")))
    });
    found.unwrap_or_else(|| (query.to_owned(), query.to_owned()))
}

#[test]
fn addresses_are_guessed() {
    let of = |query: &str| {
        let EndpointAddresses { update, graph_store, .. } = EndpointAddresses::from_query_address(query);
        (update.unwrap_or_default(), graph_store.unwrap_or_default())
    };
    for (query, update, graph_store) in [
        ("http://h:3030/ds", "http://h:3030/ds", "http://h:3030/ds"),
        ("http://h:3030/ds/sparql", "http://h:3030/ds/update", "http://h:3030/ds/data"),
        ("http://h:3030/ds/query", "http://h:3030/ds/update", "http://h:3030/ds/data"),
        (
            "http://h/repositories/a",
            "http://h/repositories/a/statements",
            "http://h/repositories/a/rdf-graphs/service",
        ),
        ("http://h:8890/sparql", "http://h:8890/sparql", "http://h:8890/sparql-graph-crud"),
        ("http://h:8890/sparql-auth", "http://h:8890/sparql-auth", "http://h:8890/sparql-graph-crud-auth"),
        ("http://h:7878/query", "http://h:7878/update", "http://h:7878/store"),
        ("https://example.org/ask?key=1", "https://example.org/ask?key=1", "https://example.org/ask?key=1"),
    ] {
        assert_eq!(of(query), (update.to_owned(), graph_store.to_owned()), "{query}");
    }
}
