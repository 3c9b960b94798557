//! What is found while a graph is written as a tree, counted, with an example of each.

use super::graph::Graph;
use crate::diagnostic::Diagnostic;
use crate::rdf::quad_buffer::TermId;

/// Tells how often something was met, and where first.
#[derive(Debug, Clone)]
struct Count<T> {
    first: Option<T>,
    count: u64,
}

impl<T> Default for Count<T> {
    fn default() -> Self {
        Self { first: None, count: 0 }
    }
}

impl<T> Count<T> {
    fn add(&mut self, example: T) {
        self.count += 1;
        self.first.get_or_insert(example);
    }
}

/// Holds what was found.
#[derive(Debug, Default, Clone)]
pub(crate) struct Findings {
    cycles: Count<TermId>,
    too_deep: Count<TermId>,
    copies: Count<TermId>,
    invalid_json: Count<TermId>,
    stale: Count<String>,
    gone_values: u64,
}

impl Findings {
    /// A node points to one that it hangs on.
    pub(crate) fn cycle(&mut self, node: TermId) {
        self.cycles.add(node);
    }

    /// A node hangs deeper than is written.
    pub(crate) fn too_deep(&mut self, node: TermId) {
        self.too_deep.add(node);
    }

    /// A node is written once more for another parent.
    pub(crate) fn copied(&mut self, node: TermId) {
        self.copies.add(node);
    }

    /// A literal of the datatype `rdf:JSON` is no JSON.
    pub(crate) fn invalid_json(&mut self, literal: TermId) {
        self.invalid_json.add(literal);
    }

    /// An entry of the layout does not fit any more.
    pub(crate) fn stale(&mut self, key: &str) {
        self.stale.add(format!("`{key}`"));
    }

    /// The layout has the place of a value that is gone.
    pub(crate) fn gone_value(&mut self) {
        self.gone_values += 1;
    }

    /// Of how many values that are gone the layout has the place.
    pub(crate) fn gone_values(&self) -> u64 {
        self.gone_values
    }

    /// Tells how many entries of the layout do not fit any more, and one of them.
    pub(crate) fn stale_entries(&self) -> (u64, Option<&str>) {
        (self.stale.count, self.stale.first.as_deref())
    }

    /// The findings about the graph.
    pub(crate) fn diagnostics(&self, graph: &Graph<'_>, unreached: &[TermId]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut tell = |code: &'static str, count: u64, node: Option<TermId>, what: [&str; 2]| {
            let Some(node) = node else { return };
            let shown = graph.shown(node);
            let message = match count {
                1 => format!("`{shown}` {}", what[0]),
                _ => format!("{count} {}; the first is `{shown}`", what[1]),
            };
            found.push(Diagnostic::warning(code, message));
        };
        let Self { cycles, too_deep, copies, .. } = self;
        let cycle = [
            "is a part of itself; its inner mention is a reference",
            "nodes are parts of themselves; their inner mentions are references",
        ];
        tell("rewriting::cycle", cycles.count, cycles.first, cycle);
        let deep = [
            "hangs too deep to be written out; it is a reference",
            "nodes hang too deep to be written out; they are references",
        ];
        tell("rewriting::too-deep", too_deep.count, too_deep.first, deep);
        let copied = [
            "has two parents and is written for each, under one id",
            "nodes are written for more than one parent, each time under one id",
        ];
        tell("rewriting::shared-node", copies.count, copies.first, copied);
        let broken = [
            "is no JSON any more, and is written as text",
            "values are no JSON any more, and are written as texts",
        ];
        tell("rewriting::invalid-json", self.invalid_json.count, self.invalid_json.first, broken);
        let lost = [
            "hangs on nothing that is written, and is left out",
            "nodes hang on nothing that is written, and are left out",
        ];
        tell("rewriting::left-out", unreached.len() as u64, unreached.first().copied(), lost);
        found
    }
}
