//! How many solutions the nodes of a plan may have, by the lengths of runs.

use super::context::Engine;
use super::node::Node;
use super::quad_pattern::{QuadPattern, Slot};

impl Engine<'_, '_> {
    /// How many triples a pattern has, at most.
    pub(super) fn count(&self, pattern: &QuadPattern) -> usize {
        let (triple, graph) = pattern.known(|_| None);
        self.data.count_at_most(triple, graph)
    }

    /// Whether the solutions of a node are those of the parts of its first pattern, one after the other. All else is evaluated for each part.
    pub(super) fn is_divisible(&self, node: &Node) -> bool {
        let is_first = |first: &Node, other: &Node| self.is_divisible(first) && other.is_repeatable();
        match node {
            Node::BasicGraphPattern(patterns) => !patterns.is_empty(),
            Node::Values(_) => true,
            Node::Join(left, right) => {
                let [first, other] = self.in_order(left, right);
                is_first(first, other)
            }
            Node::LeftJoin(inner, other, _)
            | Node::Exists { inner, pattern: other, .. }
            | Node::Lateral(inner, other, _)
            | Node::Minus(inner, other) => is_first(inner, other),
            Node::Filter(inner, condition) | Node::Extend(inner, _, condition) => {
                self.is_divisible(inner) && condition.patterns().into_iter().all(Node::is_repeatable)
            }
            Node::Given(inner, _) | Node::Project(inner, _) => self.is_divisible(inner),
            _ => false,
        }
    }

    /// The sides of a join, that with fewer solutions first: its values are looked up in the other one.
    pub(super) fn in_order<'n>(&self, left: &'n Node, right: &'n Node) -> [&'n Node; 2] {
        if self.expected(right) < self.expected(left) { [right, left] } else { [left, right] }
    }

    /// About how many solutions a node has, before it is evaluated.
    pub(super) fn expected(&self, node: &Node) -> usize {
        match node {
            Node::BasicGraphPattern(patterns) => {
                patterns.iter().map(|pattern| self.count(pattern)).min().unwrap_or(1)
            }
            Node::Values(table) => table.rows,
            Node::Closure(closure) => match closure.ends {
                [Slot::Variable(_), Slot::Variable(_)] => self.expected(&closure.step).saturating_mul(4),
                _ => self.expected(&closure.step).min(1000),
            },
            // It is asked when all else is known.
            Node::Service(_) => usize::MAX,
            Node::Graphs(graphs) => self.expected(&graphs.inner),
            Node::Join(left, right) => self.expected(left).min(self.expected(right)),
            Node::EqualJoin(left, right, _) => self.expected(left).max(self.expected(right)),
            Node::Union(left, right) => self.expected(left).saturating_add(self.expected(right)),
            Node::Given(inner, _)
            | Node::LeftJoin(inner, ..)
            | Node::Exists { inner, .. }
            | Node::Minus(inner, _)
            | Node::Lateral(inner, ..)
            | Node::Filter(inner, _)
            | Node::Extend(inner, ..)
            | Node::Project(inner, _)
            | Node::Distinct(inner)
            | Node::OrderBy(inner, _) => self.expected(inner),
            Node::Group { inner, keys, .. } => {
                if keys.is_empty() {
                    1
                } else {
                    self.expected(inner)
                }
            }
            Node::Slice(inner, _, length) => self.expected(inner).min(length.unwrap_or(usize::MAX)),
        }
    }
}
