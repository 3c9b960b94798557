//! Makes the program's own IRIs and reads them back: for the graphs of documents, their sidecars and the catalog, and
//! for nodes whose ids are not IRIs.
//!
//! | IRI | names |
//! |---|---|
//! | `urn:evalgraph:graph:DATASET`, `urn:evalgraph:graph:DATASET/PART` | the graph of a document |
//! | `urn:evalgraph:graph:sidecar:DATASET`, `…/PART` | the sidecar of that graph |
//! | `urn:evalgraph:graph:catalog` | the catalog of all documents |
//! | `urn:evalgraph:graph:@documents` | in a dump, the facts about the documents of the store |
//! | `urn:evalgraph:graph:@default` | on a server, the statements without a graph |
//! | `urn:evalgraph:graph:@unnamed` | in a dataset, the default graph of another store if its name is a blank node |
//! | `urn:evalgraph:blank-graph:LABEL` | in a store, a graph of another store whose name is a blank node |
//! | `urn:evalgraph:staging:DIGEST:GRAPH` | on a server, the graph that will replace another one |
//! | `urn:evalgraph:staging` | the register of these |
//! | `urn:evalgraph:SYSTEM:DATASET:ID` | a node of a document |
//! | `urn:evalgraph:SYSTEM:DATASET`, `…/KEY` | the root of a file of records, and nodes in it |
//!
//! Names and ids are percent-encoded except for unreserved characters (RFC 3986, section 2.3), so a `:` or `/` in them
//! is never taken for a separator.

use super::iri::{percent_decode, percent_encode_into};

const OURS: &str = "urn:evalgraph:";
/// The beginning of the IRIs of all graphs that are named here.
pub const GRAPHS: &str = "urn:evalgraph:graph:";
const SIDECARS: &str = "urn:evalgraph:graph:sidecar:";

/// The name that a dataset cannot have, since its graph is the catalog.
pub const CATALOG: &str = "catalog";
/// The graph of the catalog.
pub const CATALOG_GRAPH: &str = "urn:evalgraph:graph:catalog";
/// The graph of facts about the records of one file, while some of them are chosen.
pub const RECORDS_GRAPH: &str = "urn:evalgraph:graph:records";

/// The graph on a server for statements that are written without a graph. A dataset cannot have it: its name would be
/// encoded.
pub const DEFAULT_GRAPH: &str = "urn:evalgraph:graph:@default";

/// The default graph of a dataset that is made from another store, if its name there is a blank node.
pub const UNNAMED_GRAPH: &str = "urn:evalgraph:graph:@unnamed";

/// The beginning of the IRIs of [`blank_graph`].
const BLANK_GRAPHS: &str = "urn:evalgraph:blank-graph:";

/// The graph of a dump with the facts about the documents of the store. A dataset cannot have it, either.
pub const DOCUMENTS_GRAPH: &str = "urn:evalgraph:graph:@documents";

/// The register of the graphs that are being sent to a server.
pub const STAGING_GRAPH: &str = "urn:evalgraph:staging";

/// The graph in which the queries of shapes find the shapes, while data are validated.
pub const SHAPES_GRAPH: &str = "urn:evalgraph:graph:shapes";

/// The graph of a document: of a dataset, or of a part of it, whose steps are separated by `/`.
///
/// ```
/// use evalgraph_rdf::minted::document_graph;
///
/// assert_eq!(document_graph("my set", Some("a/b:c")), "urn:evalgraph:graph:my%20set/a/b%3Ac");
/// ```
pub fn document_graph(dataset: &str, part: Option<&str>) -> String {
    let mut graph = GRAPHS.to_owned();
    percent_encode_into(dataset, &mut graph);
    for step in part.iter().flat_map(|part| part.split('/')) {
        graph.push('/');
        percent_encode_into(step, &mut graph);
    }
    graph
}

/// Returns the name of a document graph without the prefix of all such graphs, still encoded; none
/// for another graph.
pub fn document_name(graph: &str) -> Option<&str> {
    graph.strip_prefix(GRAPHS)
}

/// The dataset and the part of a graph that [`document_graph`] made, decoded; none for another graph.
pub fn dataset_and_part(graph: &str) -> Option<(String, Option<String>)> {
    let (dataset, part) = encoded_dataset_and_part(graph);
    document_name(graph)?;
    let decoded = |part: &str| part.split('/').map(percent_decode).collect::<Vec<_>>().join("/");
    Some((percent_decode(dataset), part.map(decoded)))
}

/// The dataset and the part of a document graph, still encoded. Any other graph counts as a dataset with that name.
pub fn encoded_dataset_and_part(graph: &str) -> (&str, Option<&str>) {
    let name = document_name(graph).unwrap_or(graph);
    name.split_once('/').map_or((name, None), |(dataset, part)| (dataset, Some(part)))
}

/// The sidecar of a document graph; none for another graph.
pub fn sidecar_graph(document_graph: &str) -> Option<String> {
    let name = document_name(document_graph)?;
    Some(format!("{SIDECARS}{name}"))
}

/// The document graph of a sidecar; none for another graph.
pub fn document_of_sidecar(graph: &str) -> Option<String> {
    let name = graph.strip_prefix(SIDECARS)?;
    Some(format!("{GRAPHS}{name}"))
}

/// Returns whether a graph is a sidecar.
pub fn is_sidecar(graph: &str) -> bool {
    graph.starts_with(SIDECARS)
}

/// The graph in a store for one whose name elsewhere is a blank node.
///
/// ```
/// use evalgraph_rdf::minted::{blank_graph, blank_graph_label};
///
/// assert_eq!(blank_graph_label(&blank_graph("a b")).as_deref(), Some("a b"));
/// ```
pub fn blank_graph(label: &str) -> String {
    let mut graph = BLANK_GRAPHS.to_owned();
    percent_encode_into(label, &mut graph);
    graph
}

/// The label of the blank node that names a graph elsewhere; none for a graph that [`blank_graph`] has not made.
pub fn blank_graph_label(graph: &str) -> Option<String> {
    graph.strip_prefix(BLANK_GRAPHS).map(percent_decode)
}

/// The graph of a document with shapes, by its position among those that are read together.
pub fn shapes_document(place: usize) -> String {
    format!("{SHAPES_GRAPH}:{place}")
}

/// The graph on a server that receives the content for `graph`, until it is complete and replaces that graph.
pub fn staging_graph(digest: &str, graph: &str) -> String {
    let mut staging = format!("{STAGING_GRAPH}:{digest}:");
    percent_encode_into(graph, &mut staging);
    staging
}

/// Returns whether a graph belongs to an export that is running or was abandoned.
pub fn is_staging(graph: &str) -> bool {
    let rest = graph.strip_prefix(STAGING_GRAPH);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// Returns whether a graph is not that of a document: a sidecar, the catalog, the facts about documents in a dump, the
/// graph of shapes, or a graph of an export.
pub fn is_beside_documents(graph: &str) -> bool {
    let is_one_of_ours = [CATALOG_GRAPH, DOCUMENTS_GRAPH, SHAPES_GRAPH].contains(&graph);
    is_one_of_ours || is_sidecar(graph) || is_staging(graph)
}

/// Returns the beginning of the IRIs of all nodes of a system's dataset.
pub fn node_base(system: &str, dataset: &str) -> String {
    let mut base = format!("{OURS}{system}:");
    percent_encode_into(dataset, &mut base);
    base.push(':');
    base
}

/// Returns the beginning of the IRIs of the nodes in a graph. All parts of a dataset share it.
pub fn node_base_of_graph(system: &str, graph: &str) -> String {
    format!("{OURS}{system}:{}:", encoded_dataset_and_part(graph).0)
}

/// The IRI of the node with an id below a [`node_base`].
pub fn node(base: &str, id: &str) -> String {
    let mut iri = base.to_owned();
    percent_encode_into(id, &mut iri);
    iri
}

/// The id in the IRI of a system's node, still encoded; none for an IRI that was not made from an id.
pub fn encoded_node_id<'i>(system: &str, iri: &'i str) -> Option<&'i str> {
    // The id follows the dataset, which has no colon.
    let (_, id) = iri.strip_prefix(OURS)?.strip_prefix(system)?.strip_prefix(':')?.split_once(':')?;
    Some(id)
}

/// The id in the IRI of a system's node, decoded; none for an IRI that was not made from an id.
pub fn node_id(system: &str, iri: &str) -> Option<String> {
    encoded_node_id(system, iri).map(percent_decode)
}

/// Returns the part of a system node's IRI after its dataset, beginning with `:` or `/`; none for a node of another
/// dataset. The name of the dataset is given encoded.
pub fn behind_dataset<'i>(system: &str, dataset: &str, iri: &'i str) -> Option<&'i str> {
    let rest = iri.strip_prefix(OURS)?.strip_prefix(system)?.strip_prefix(':')?.strip_prefix(dataset)?;
    rest.starts_with([':', '/']).then_some(rest)
}

/// Returns whether an IRI was made here, or belongs to our own vocabulary.
pub fn is_ours(iri: &str) -> bool {
    iri.starts_with(OURS)
}
