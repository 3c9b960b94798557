//! The data graph of a validation (SHACL, section 3.1): the union of the graphs of documents, or of the named graphs.

use oxrdf::NamedNodeRef;

use super::evaluation::ValidationStop;
use super::validation_options::ValidationOptions;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_rdf::minted::{CATALOG_GRAPH, dataset_and_part};
use evalgraph_store::{Dataset, TermId};

/// The graphs that make up the data graph, sorted; none means all graphs of documents. If graphs are named, these are
/// used as they are; otherwise the graphs of the shapes are left out.
///
/// # Errors
///
/// `shacl::unknown-graph` for a name that is neither the IRI of a graph nor the name of a dataset.
pub(super) fn data_graph(
    dataset: &Dataset,
    options: &ValidationOptions,
    with_catalog: bool,
) -> Result<Option<Vec<TermId>>, ValidationStop> {
    let ValidationOptions { graphs: names, shapes_graphs, .. } = options;
    let mut graphs = Vec::new();
    for name in names {
        let named = graphs_of(dataset, name);
        if named.is_empty() {
            return Err(Box::new(unknown(dataset, name)));
        }
        graphs.extend(named);
    }
    if names.is_empty() && !shapes_graphs.is_empty() {
        let of_shapes: Vec<TermId> = shapes_graphs.iter().flat_map(|name| graphs_of(dataset, name)).collect();
        let catalog = if with_catalog { graphs_of(dataset, CATALOG_GRAPH) } else { Vec::new() };
        graphs.extend(dataset.graphs_of_data().filter(|graph| !of_shapes.contains(graph)).chain(catalog));
    } else if names.is_empty() {
        return Ok(None);
    }
    graphs.sort_unstable();
    graphs.dedup();
    Ok(Some(graphs))
}

/// The graph with that IRI, or else the graphs of the dataset with that name.
fn graphs_of(dataset: &Dataset, name: &str) -> Vec<TermId> {
    let graph = dataset.dictionary().find(NamedNodeRef::new_unchecked(name).into());
    if let Some(graph) = graph.filter(|graph| dataset.graph_quad_count(*graph) > 0) {
        return vec![graph];
    }
    let is_of_dataset = |graph: &TermId| dataset_of(dataset, *graph).is_some_and(|dataset| dataset == name);
    dataset.graphs_of_data().filter(is_of_dataset).collect()
}

fn dataset_of(dataset: &Dataset, graph: TermId) -> Option<String> {
    dataset_and_part(dataset.dictionary().lexical(graph)).map(|(dataset, _)| dataset)
}

fn unknown(dataset: &Dataset, name: &str) -> Diagnostic {
    let iris = dataset.graphs_of_data().map(|graph| dataset.dictionary().lexical(graph).to_owned());
    let datasets = dataset.graphs_of_data().filter_map(|graph| dataset_of(dataset, graph));
    let known: Vec<String> = iris.chain(datasets).collect();
    let fault = Diagnostic::error("shacl::unknown-graph", format!("the data have no graph `{name}`"));
    match nearest(name, known.iter().map(String::as_str)) {
        Some(meant) => fault.with_help(format!("did you mean `{meant}`?")),
        None => fault.with_help("a graph is named by its IRI, or by its dataset"),
    }
}
