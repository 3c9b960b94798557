//! Flattening Algorithm (section 7.1): every node occurs once, blank nodes have labels, and named graphs are at the
//! top.

pub(super) mod blank_node_identifiers;
pub(super) mod flatten_operation;
pub(super) mod merge_node_maps;
pub(super) mod node_map;
pub(super) mod node_map_entries;
pub(super) mod node_map_generation;

use crate::JsonLdOutcome;
use crate::context::context_processor::ContextProcessor;
use crate::expanded_arena::{ExpandedArena, ExpandedElement, IdEntry};
use crate::flattening::node_map::{DEFAULT_GRAPH, NodeMap};
use crate::flattening::node_map_generation::generate;
use crate::name_interner::{Keyword, NameInterner};
use evalgraph_json::JsonDocument;
use std::sync::Arc;

/// Flattens an expanded document.
///
/// # Errors
/// `conflicting indexes`.
pub(crate) fn flatten(
    contexts: &mut ContextProcessor<'_>,
    document: &Arc<JsonDocument>,
    mut expanded: ExpandedArena,
    ordered: bool,
) -> JsonLdOutcome<ExpandedArena> {
    let mut entries = generate(contexts, document, &mut expanded)?;
    drop(expanded);
    // Flattening 4.1: the name of every graph is a node of the default graph.
    for graph in 1..entries.map.graphs.len() {
        if let Some(IdEntry { name: Some(name), token }) = entries.map.graphs[graph].id {
            entries.subject(DEFAULT_GRAPH, name, token);
        }
    }
    let names = &contexts.names;
    let mut map = entries.finish(names);
    // Flattening 4: the nodes of the named graphs.
    for graph in order(&map, names, ordered) {
        let Some(subject) = map.graphs[graph].name().and_then(|name| map.numbers.get(DEFAULT_GRAPH, name))
        else {
            continue;
        };
        let nodes = nodes(&map, graph, names, ordered);
        let node = map.subjects[subject as usize].node;
        let key = map.arena.node(node).token;
        let values = map.arena.add_elements(nodes.into_iter());
        let property = map.arena.add_property(Keyword::Graph.name(), key, values);
        map.arena.append_property(node, property);
    }
    // Flattening 5 and 6.
    map.arena.top = nodes(&map, DEFAULT_GRAPH as usize, names, ordered);
    Ok(map.arena)
}

/// Returns the named graphs in the order in which they are processed.
fn order(map: &NodeMap, names: &NameInterner, ordered: bool) -> Vec<usize> {
    let mut graphs: Vec<usize> = (1..map.graphs.len()).collect();
    if ordered {
        graphs.sort_by_key(|&graph| map.graphs[graph].name().map(|name| names.text(name)));
    }
    graphs
}

/// Returns the nodes of a graph that have more than an id.
fn nodes(map: &NodeMap, graph: usize, names: &NameInterner, ordered: bool) -> Vec<ExpandedElement> {
    let subjects = map.graphs[graph].subjects.iter().copied();
    let mut subjects: Vec<u32> = subjects.filter(|&subject| map.says_something(subject)).collect();
    if ordered {
        subjects.sort_by_key(|&subject| names.text(map.subjects[subject as usize].id));
    }
    subjects.into_iter().map(|subject| ExpandedElement::Node(map.subjects[subject as usize].node)).collect()
}
