//! Turns the records of graphs into an RLCF file: one graph with the table of its original file, several graphs as an
//! object with named arrays.

use super::RLCF;
use super::file_shapes::{NamedRecords, file_properties, file_shape_of_graph, named_records};
use super::kinds::RecordKind;
use crate::records::{
    DecomposedFile, NodeList, RecordPlacement, decompose, decompose_lists, decompose_nodes,
};
use crate::rewriting::{IndexedGraph, QuadsByGraph};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::minted::encoded_node_id;
use evalgraph_rdf::quad_buffer::{BufferQuad, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::EVALGRAPH;
use std::collections::{HashMap, HashSet};

/// The properties that lead from a record to the records inside it.
const INSIDE: [&str; 4] = ["hasCredential", "suggestedAnswer", "review", "eg:userToCreate"];

/// Returns whether a graph has records of a kind for which an object with named arrays has a place.
pub fn has_named_records(graph: &IndexedGraph<'_>) -> bool {
    named_records().any(|NamedRecords { kind, .. }| !nodes_of(graph, kind).is_empty())
}

/// Restores the file of a graph from its records, in the order of their ids. Returns `None` if the graph does not come
/// from one file.
pub fn file_of_graph(graph: &IndexedGraph<'_>) -> Option<DecomposedFile> {
    let mut roots = roots_of(graph).into_iter();
    let root = roots.next().filter(|_| roots.next().is_none())?;
    let shape = file_shape_of_graph(graph, root)?;
    if let RecordPlacement::Items(property, items) | RecordPlacement::One(property, items) = shape.records {
        let class = graph.quads().find_iri(&format!("{EVALGRAPH}{}", items.name));
        let is_of_kind = |node| {
            graph
                .rdf_type()
                .is_some_and(|rdf_type| graph.objects(node, rdf_type).any(|found| Some(found) == class))
        };
        let properties = graph.schema_org(property);
        let records: HashSet<BufferTermId> =
            properties.iter().flat_map(|&property| graph.objects(root, property)).collect();
        let is_one = matches!(shape.records, RecordPlacement::One(..));
        if is_one && records.len() != 1 || !records.into_iter().all(is_of_kind) {
            return None;
        }
    }
    Some(decompose(graph, root, &shape))
}

/// Writes the records of several graphs as one object. A record that is the same in two graphs is written once.
///
/// # Errors
/// `rlcf::clash` if two records of a kind have the same id and differ.
pub fn file_of_graphs(
    all: &QuadsByGraph<'_>,
    graphs: &[Option<BufferTermId>],
) -> Result<DecomposedFile, Box<Diagnostic>> {
    let quads = all.quads();
    let mut roots: HashSet<BufferTermId> = HashSet::new();
    for &graph in graphs {
        roots.extend(roots_of(&all.graph(graph)));
    }
    let mut seen = HashSet::new();
    let in_graphs = graphs.iter().flat_map(|graph| all.quads_of(*graph));
    // Statements about a file do not belong to any record.
    let (of_files, mut chosen): (Vec<BufferQuad>, Vec<BufferQuad>) =
        in_graphs.copied().partition(|quad| roots.contains(&quad.subject));
    chosen.retain(|quad| seen.insert((quad.subject, quad.predicate, quad.object)));
    leave_out_repeated(quads, &mut chosen);
    let graph = IndexedGraph::with_quads(quads, chosen.iter());
    let listed = objects_of(&IndexedGraph::with_quads(quads, of_files.iter()), file_properties());
    let inside = objects_of(&graph, INSIDE.into_iter());
    let mut lists = Vec::new();
    for NamedRecords { key, kind, is_array } in named_records() {
        let is_outside = |node: &BufferTermId| listed.contains(node) || !inside.contains(node);
        let nodes = distinct(&graph, kind)?.into_iter().filter(is_outside).collect::<Vec<_>>();
        if let (false, [first, second, ..]) = (is_array, nodes.as_slice()) {
            return Err(clash(&graph, key, *first, *second));
        }
        if !nodes.is_empty() {
            lists.push(NodeList { key, nodes, shape: kind.shape(), is_array });
        }
    }
    Ok(decompose_lists(&graph, lists))
}

/// Removes repeated blank nodes: if two files state the same about a record, each has its own blank node, with the same
/// statements in the same place.
fn leave_out_repeated(quads: &QuadBuffer, chosen: &mut Vec<BufferQuad>) {
    let is_blank = |term: BufferTermId| matches!(quads.term(term), TermRef::BlankNode);
    let mut said: HashMap<BufferTermId, Vec<(BufferTermId, BufferTermId)>> = HashMap::new();
    for quad in chosen.iter().filter(|quad| is_blank(quad.subject)) {
        said.entry(quad.subject).or_default().push((quad.predicate, quad.object));
    }
    said.values_mut().for_each(|said| said.sort_unstable());
    let mut seen = HashSet::new();
    let repeated = chosen.iter().filter(|quad| {
        let said = said.get(&quad.object);
        said.is_some_and(|said| !seen.insert((quad.subject, quad.predicate, said)))
    });
    let repeated: HashSet<BufferTermId> = repeated.map(|quad| quad.object).collect();
    chosen.retain(|quad| !repeated.contains(&quad.subject) && !repeated.contains(&quad.object));
}

/// Returns the nodes of a kind. Nodes with the same id must agree, and only the first is returned.
fn distinct(graph: &IndexedGraph<'_>, kind: RecordKind) -> Result<Vec<BufferTermId>, Box<Diagnostic>> {
    let json = |node: BufferTermId| decompose_nodes(graph, &[node], kind.shape()).json;
    let mut by_id: HashMap<&str, BufferTermId> = HashMap::new();
    let mut nodes = nodes_of(graph, kind);
    let mut fault = None;
    nodes.retain(|&node| {
        let Some(id) = id_of(graph, node) else { return true };
        let first = *by_id.entry(id).or_insert(node);
        if first != node && json(first) != json(node) {
            fault.get_or_insert_with(|| clash(graph, kind.name(), first, node));
        }
        first == node
    });
    fault.map_or(Ok(nodes), Err)
}

/// Returns the kind and id of a record, without its dataset, or `None` if it has an index instead of an id.
fn id_of<'g>(graph: &IndexedGraph<'g>, node: BufferTermId) -> Option<&'g str> {
    let TermRef::Iri(iri) = graph.quads().term(node) else { return None };
    encoded_node_id(RLCF.name(), iri).filter(|id| !id.contains("/~"))
}

fn clash(graph: &IndexedGraph<'_>, what: &str, first: BufferTermId, second: BufferTermId) -> Box<Diagnostic> {
    let (first, second) = (graph.shown(first), graph.shown(second));
    let message = format!("{first} and {second} are the same {what}, but differ");
    let help = "write each input to its own file: `-o DIR/`";
    Box::new(Diagnostic::error("rlcf::clash", message).with_help(help))
}

/// Returns the nodes of files.
fn roots_of(graph: &IndexedGraph<'_>) -> Vec<BufferTermId> {
    let subjects = graph.subjects().iter().copied();
    subjects.filter(|&node| file_shape_of_graph(graph, node).is_some()).collect()
}

/// Returns the nodes of a kind, in the order of the graph.
pub(super) fn nodes_of(graph: &IndexedGraph<'_>, kind: RecordKind) -> Vec<BufferTermId> {
    let class = graph.quads().find_iri(&format!("{EVALGRAPH}{kind}"));
    let (Some(class), Some(rdf_type)) = (class, graph.rdf_type()) else { return Vec::new() };
    let is_one = |node: &BufferTermId| graph.objects(*node, rdf_type).any(|found| found == class);
    graph.subjects().iter().copied().filter(is_one).collect()
}

/// Returns the objects of some properties.
fn objects_of<'n>(graph: &IndexedGraph<'_>, names: impl Iterator<Item = &'n str>) -> HashSet<BufferTermId> {
    let own = |name: &str| graph.quads().find_iri(&format!("{EVALGRAPH}{name}")).into_iter().collect();
    let properties: Vec<BufferTermId> =
        names.flat_map(|name| name.strip_prefix("eg:").map_or_else(|| graph.schema_org(name), own)).collect();
    let statements = graph.subjects().iter().flat_map(|&node| graph.statements(node));
    statements.filter(|(property, _)| properties.contains(property)).map(|&(_, object)| object).collect()
}
