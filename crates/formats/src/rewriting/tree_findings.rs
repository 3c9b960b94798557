//! Counts the findings while a graph is written as a tree, with an example of each.

use super::indexed_graph::IndexedGraph;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_rdf::quad_buffer::BufferTermId;

/// How often something was found, and where first.
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

/// Entries of a sidecar that do not fit its graph any more.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct StaleEntries {
    /// How many there are.
    pub count: u64,
    /// A word on the first.
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
    /// Nodes that are written once more for another parent.
    pub copies: FindingTally,
    /// Literals of the datatype `rdf:JSON` that are not JSON.
    pub invalid_json: FindingTally,
    /// Entries of the layout that do not fit any more.
    pub stale: StaleEntries,
    /// How many values that the layout has a place for are gone from the graph.
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
            "is a part of itself; its inner mention is a reference",
            "nodes are parts of themselves; their inner mentions are references",
        ];
        tell("rewriting::cycle", &self.cycles, cycle);
        let deep = [
            "hangs too deep to be written out; it is a reference",
            "nodes hang too deep to be written out; they are references",
        ];
        tell("rewriting::too-deep", &self.too_deep, deep);
        let copied = [
            "has two parents and is written for each, under one id",
            "nodes are written for more than one parent, each time under one id",
        ];
        tell("rewriting::shared-node", &self.copies, copied);
        let broken = [
            "is not JSON any more, and is written as text",
            "values are not JSON any more, and are written as texts",
        ];
        tell("rewriting::invalid-json", &self.invalid_json, broken);
        let lost = [
            "hangs on nothing that is written, and is left out",
            "nodes hang on nothing that is written, and are left out",
        ];
        let left_out = FindingTally { first: unreached.first().copied(), count: unreached.len() as u64 };
        tell("rewriting::left-out", &left_out, lost);
        found
    }
}
