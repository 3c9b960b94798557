//! Counts the findings while a graph is written as a tree, with an example for each kind.

use super::indexed_graph::IndexedGraph;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// How often something was found, and the first node.
#[derive(Debug, Default, Clone)]
pub(crate) struct FindingTally {
    first: Option<BufferTermId>,
    count: u64,
}

impl FindingTally {
    pub(crate) fn add(&mut self, example: BufferTermId) {
        self.count += 1;
        self.first.get_or_insert(example);
    }
}

/// Entries of a sidecar that no longer fit its graph.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct StaleEntries {
    /// How many there are.
    pub count: u64,
    /// A short description of the first.
    pub first: Option<String>,
}

impl StaleEntries {
    pub(crate) fn add(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(what);
    }
}

/// The findings of a writer.
#[derive(Debug, Default, Clone)]
pub(crate) struct TreeFindings {
    /// Nodes that point to a node above them.
    pub cycles: FindingTally,
    /// Nodes that are too deep to be written.
    pub too_deep: FindingTally,
    /// Nodes that are written again for another parent.
    pub copies: FindingTally,
    /// Literals of the datatype `rdf:JSON` that are not JSON.
    pub invalid_json: FindingTally,
    /// Entries of the layout that no longer fit.
    pub stale: StaleEntries,
    /// How many values with a place in the layout are gone from the graph.
    pub gone_values: u64,
}

impl TreeFindings {
    /// Returns the findings about the graph as diagnostics.
    pub(crate) fn diagnostics(
        &self,
        graph: &IndexedGraph<'_>,
        unreached: &[BufferTermId],
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut tell = |code: &'static str, FindingTally { first, count }: &FindingTally, what: [&str; 2]| {
            let Some(node) = *first else { return };
            let shown = graph.shown(node);
            let message = match count {
                1 => format!("`{shown}` {}", what[0]),
                _ => format!("{count} {}; the first is `{shown}`", what[1]),
            };
            found.push(Diagnostic::warning(code, message));
        };
        let cycle = [
            "is a part of itself; inside itself it is written as a reference",
            "nodes are parts of themselves; inside themselves they are written as references",
        ];
        tell("rewriting::cycle", &self.cycles, cycle);
        let deep = [
            "is nested too deep to be written out; it is written as a reference",
            "nodes are nested too deep to be written out; they are written as references",
        ];
        tell("rewriting::too-deep", &self.too_deep, deep);
        let copied = [
            "has several parents and is written under each, with the same id",
            "nodes have several parents and are written under each, with the same id",
        ];
        tell("rewriting::shared-node", &self.copies, copied);
        let broken = [
            "is no longer JSON, and is written as a string",
            "values are no longer JSON, and are written as strings",
        ];
        tell("rewriting::invalid-json", &self.invalid_json, broken);
        let lost = [
            "is not connected to anything that is written, and is left out",
            "nodes are not connected to anything that is written, and are left out",
        ];
        let left_out = FindingTally { first: unreached.first().copied(), count: unreached.len() as u64 };
        tell("rewriting::left-out", &left_out, lost);
        found
    }
}
