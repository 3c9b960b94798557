//! The addresses of the known servers, and what is particular to each of them.

use super::pieces::BatchForm;
use crate::export::server_place::ServerPlace;
use crate::export::verification::ServerProduct;
use evalgraph_rdf::iri::percent_encode_into;

/// The addresses of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlaceAddresses {
    pub(super) product: ServerProduct,
    /// For reading and writing graphs with the Graph Store Protocol.
    pub(super) graph_store: String,
    /// For queries. `None` if graphs are counted by reading them.
    pub(super) query: Option<String>,
    pub(super) update: Option<String>,
    /// For adding N-Quads to the dataset. `None` if a request is for one graph.
    pub(super) quads: Option<String>,
    /// `true` if the server decompresses gzip, and accepts bodies of unknown length. Virtuoso does not decompress, and
    /// takes a body of unknown length for an empty one.
    pub(super) takes_streams: bool,
    pub(super) moving: StagingMove,
    pub(super) creation: Option<DatasetCreation>,
}

/// How a staging graph is put in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StagingMove {
    /// Several operations in one request, which is one transaction. DROP of a graph is one step. MOVE would make RDF4J
    /// remove statement by statement, which takes hours if memory is short.
    InOneRequest,
    /// One operation, since each operation of a request is a separate transaction.
    ByOneOperation,
}

/// The request that creates a dataset or repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DatasetCreation {
    /// A form sent to Fuseki's administration.
    Fuseki { url: String, form: String },
    /// The configuration of a repository in Turtle, sent with PUT to the repository's address.
    Rdf4j { url: String, configuration: String },
}

impl PlaceAddresses {
    pub(super) fn from_place(place: &ServerPlace, has_credentials: bool) -> Self {
        match place {
            ServerPlace::Fuseki { url, dataset } => Self::fuseki(root(url), dataset),
            ServerPlace::Rdf4j { url, repository } => {
                let url = repository_of(root(url), repository);
                let configuration = rdf4j_configuration(repository);
                let creation = Some(DatasetCreation::Rdf4j { url: url.clone(), configuration });
                Self { creation, ..Self::rdf4j(&url) }
            }
            ServerPlace::GraphDb { url, repository } => Self::rdf4j(&repository_of(root(url), repository)),
            ServerPlace::Virtuoso { url } => Self::virtuoso(root(url), has_credentials),
            ServerPlace::GraphStore { url, update } => Self {
                product: ServerProduct::Other,
                graph_store: url.clone(),
                query: None,
                update: update.clone(),
                quads: None,
                takes_streams: true,
                moving: StagingMove::InOneRequest,
                creation: None,
            },
        }
    }

    fn fuseki(root: &str, dataset: &str) -> Self {
        let mut url = format!("{root}/");
        percent_encode_into(dataset, &mut url);
        let mut form = "dbType=tdb2&dbName=".to_owned();
        percent_encode_into(dataset, &mut form);
        Self {
            product: ServerProduct::Jena,
            graph_store: format!("{url}/data"),
            query: Some(format!("{url}/query")),
            update: Some(format!("{url}/update")),
            quads: Some(format!("{url}/data")),
            takes_streams: true,
            moving: StagingMove::InOneRequest,
            creation: Some(DatasetCreation::Fuseki { url: format!("{root}/$/datasets"), form }),
        }
    }

    fn rdf4j(repository: &str) -> Self {
        Self {
            product: ServerProduct::Rdf4j,
            graph_store: format!("{repository}/rdf-graphs/service"),
            // Inferred triples were not sent, so they are left out.
            query: Some(format!("{repository}?infer=false")),
            update: Some(format!("{repository}/statements")),
            quads: Some(format!("{repository}/statements")),
            takes_streams: true,
            moving: StagingMove::InOneRequest,
            creation: None,
        }
    }

    fn virtuoso(root: &str, has_credentials: bool) -> Self {
        // Without credentials, the server may still allow anyone to write.
        let end = if has_credentials { "-auth" } else { "" };
        Self {
            product: ServerProduct::Virtuoso,
            graph_store: format!("{root}/sparql-graph-crud{end}"),
            query: Some(format!("{root}/sparql{end}")),
            update: Some(format!("{root}/sparql{end}")),
            quads: None,
            takes_streams: false,
            moving: StagingMove::ByOneOperation,
            creation: None,
        }
    }

    /// The format of pieces.
    pub(super) fn form(&self) -> BatchForm {
        BatchForm { has_graph_names: self.quads.is_some(), is_compressed: self.takes_streams }
    }

    /// The address of a graph.
    pub(super) fn graph(&self, graph: &str) -> String {
        with_parameter(&self.graph_store, "graph", graph)
    }

    /// The address for reading a graph. At the usual address, RDF4J and GraphDB also return inferred triples; they have
    /// another address for the explicit statements only.
    pub(super) fn graph_to_read(&self, graph: &str) -> String {
        match (self.product, &self.update) {
            (ServerProduct::Rdf4j, Some(statements)) => {
                with_parameter(&format!("{statements}?infer=false"), "context", &format!("<{graph}>"))
            }
            _ => self.graph(graph),
        }
    }
}

fn with_parameter(url: &str, name: &str, value: &str) -> String {
    let separator = if url.contains('?') { '&' } else { '?' };
    let mut url = format!("{url}{separator}{name}=");
    percent_encode_into(value, &mut url);
    url
}

fn root(url: &str) -> &str {
    url.trim_end_matches('/')
}

fn repository_of(root: &str, id: &str) -> String {
    let mut url = format!("{root}/repositories/");
    percent_encode_into(id, &mut url);
    url
}

/// A repository on disk, with the indexes that queries by graph need.
fn rdf4j_configuration(id: &str) -> String {
    let id = id.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        r#"@prefix rep: <http://www.openrdf.org/config/repository#> .
@prefix sr: <http://www.openrdf.org/config/repository/sail#> .
@prefix sail: <http://www.openrdf.org/config/sail#> .
@prefix ns: <http://www.openrdf.org/config/sail/native#> .
[] a rep:Repository ; rep:repositoryID "{id}" ; rep:repositoryImpl [
    rep:repositoryType "openrdf:SailRepository" ; sr:sailImpl [
        sail:sailType "openrdf:NativeStore" ; ns:tripleIndexes "spoc,posc,cspo" ] ] .
"#
    )
}

#[test]
fn graphs_have_addresses() {
    let place = ServerPlace::Fuseki { url: "http://h:3030/".to_owned(), dataset: "a b".to_owned() };
    let fuseki = PlaceAddresses::from_place(&place, false);
    assert_eq!(fuseki.graph("urn:a?b#c"), "http://h:3030/a%20b/data?graph=urn%3Aa%3Fb%23c");
    let place = ServerPlace::Rdf4j { url: "http://h/rdf4j-server".to_owned(), repository: "ds".to_owned() };
    let expected = "http://h/rdf4j-server/repositories/ds/statements?infer=false&context=%3Curn%3Aa%3E";
    assert_eq!(PlaceAddresses::from_place(&place, false).graph_to_read("urn:a"), expected);
    let virtuoso = |has_credentials| {
        PlaceAddresses::from_place(&ServerPlace::Virtuoso { url: "http://h".to_owned() }, has_credentials)
            .graph_store
    };
    assert_eq!(virtuoso(true), "http://h/sparql-graph-crud-auth");
    assert_eq!(virtuoso(false), "http://h/sparql-graph-crud");
}
