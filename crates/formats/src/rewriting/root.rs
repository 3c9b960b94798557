//! The root of the tree that a graph is written as: the dataset or feed that no node points to.

use super::indexed_graph::IndexedGraph;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::quad_buffer::BufferTermId;
use std::collections::BTreeMap;

/// How many classes of nodes a message names.
const SHOWN: usize = 8;

/// Finds the root of a checkpoint.
///
/// # Errors
///
/// `karenina::no-checkpoint` if there is none, with the classes of the nodes that exist, and
/// `karenina::several-checkpoints` if there is more than one.
pub(crate) fn find(graph: &IndexedGraph<'_>) -> Result<BufferTermId, Box<Diagnostic>> {
    let roots = of_class(graph, &["DataFeed", "Dataset"]);
    let free: Vec<BufferTermId> = roots.iter().copied().filter(|&root| graph.mentions(root) == 0).collect();
    match (free.as_slice(), roots.as_slice()) {
        (&[root], _) | (&[], &[root]) => Ok(root),
        (&[], &[]) => match of_class(graph, &["Question"]).as_slice() {
            // Karenina's library can hold a lone question in memory.
            &[question] if graph.mentions(question) == 0 && of_class(graph, &["DataFeedItem"]).is_empty() => {
                Ok(question)
            }
            _ => Err(Box::new(no_checkpoint(graph))),
        },
        (several, all) => {
            let roots = if several.is_empty() { all } else { several };
            let shown: Vec<String> =
                roots.iter().take(SHOWN).map(|&root| format!("`{}`", graph.shown(root))).collect();
            let message = format!("the graph contains {} checkpoints: {}", roots.len(), shown.join(", "));
            Err(Box::new(
                Diagnostic::error("karenina::several-checkpoints", message)
                    .with_help("put each into its own graph"),
            ))
        }
    }
}

fn of_class(graph: &IndexedGraph<'_>, names: &[&str]) -> Vec<BufferTermId> {
    let Some(rdf_type) = graph.rdf_type() else { return Vec::new() };
    let classes: Vec<BufferTermId> = names.iter().flat_map(|name| graph.schema_org(name)).collect();
    let is_one = |node: &BufferTermId| graph.objects(*node, rdf_type).any(|class| classes.contains(&class));
    graph.subjects().iter().copied().filter(is_one).collect()
}

fn no_checkpoint(graph: &IndexedGraph<'_>) -> Diagnostic {
    let mut classes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut without = 0_u64;
    for &node in graph.subjects() {
        let types = graph.rdf_type().into_iter().flat_map(|rdf_type| graph.objects(node, rdf_type));
        let names: Vec<&str> = types.filter_map(|class| graph.local_name(class)).collect();
        without += u64::from(names.is_empty());
        for name in names {
            *classes.entry(name).or_insert(0) += 1;
        }
    }
    let mut counts: Vec<(&str, u64)> = classes.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let more = counts.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> =
        counts.iter().take(SHOWN).map(|(name, count)| format!("{count} `{name}`")).collect();
    if more > 0 {
        shown.push(format!("{more} more classes"));
    }
    if without > 0 {
        shown.push(format!("{without} without a class"));
    }
    let has = match shown.is_empty() {
        true => "it has no nodes at all".to_owned(),
        false => format!("its nodes are {}", shown.join(", ")),
    };
    let message = format!("the graph is not a checkpoint: it lacks a `DataFeed` or `Dataset`; {has}");
    Diagnostic::error("karenina::no-checkpoint", message)
}
