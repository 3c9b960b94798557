//! Merge Node Maps (section 7.3): one graph with the statements of all graphs.

use crate::flattening::node_map::{DEFAULT_GRAPH, NodeMap, NodeMapGraph, NodeMapSubject};
use crate::flattening::node_map_entries::NodeMapEntries;
use crate::name_interner::{InternedName, NameInterner};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Finishes a node map with another graph that merges all graphs; returns the number of that graph.
///
/// Without named graphs, that is the default graph. Nodes that occur in only one graph are not copied.
pub(crate) fn merge(mut entries: NodeMapEntries<'_>, names: &NameInterner) -> (NodeMap, u32) {
    if entries.map.graphs.len() == 1 {
        return (entries.finish(names), DEFAULT_GRAPH);
    }
    let graphs = entries.map.graphs.len();
    // Each id with the first subject that has it, in the order of first use.
    let mut first: HashMap<InternedName, usize, FixedState> = HashMap::default();
    let mut merged: Vec<(InternedName, Vec<u32>)> = Vec::new();
    for graph in 0..graphs {
        for &subject in &entries.map.graphs[graph].subjects {
            let id = entries.map.subjects[subject as usize].id;
            let at = *first.entry(id).or_insert_with(|| {
                merged.push((id, Vec::new()));
                merged.len() - 1
            });
            merged[at].1.push(subject);
        }
    }
    entries.map.graphs.push(NodeMapGraph::default());
    // There are at most as many graphs as subjects, which are counted in 32 bits.
    let merged_graph = (entries.map.graphs.len() - 1) as u32;
    let mut single: Vec<(u32, u32)> = Vec::new();
    for (id, subjects) in &merged {
        let token = entries.id_of(subjects[0]).token;
        let subject = entries.subject(merged_graph, *id, token);
        match subjects[..] {
            [only] => single.push((subject, only)),
            _ => subjects.iter().for_each(|&from| entries.merge(from, subject, names)),
        }
    }
    let mut map = entries.finish(names);
    for (subject, only) in single {
        let NodeMapSubject { node, .. } = map.subjects[only as usize];
        map.subjects[subject as usize].node = node;
    }
    (map, merged_graph)
}
