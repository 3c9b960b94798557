//! How many solutions the nodes of a plan may have, by the lengths of runs.

use super::context::Engine;
use super::node::Node;
use super::quad_pattern::{QuadPattern, Slot};

impl Engine<'_, '_> {
    /// How many triples a pattern has, at most.
    pub(super) fn count(&self, pattern: &QuadPattern) -> usize {
        let (triple, graph) = pattern.known(|_| None);
        self.view.count_at_most(triple, graph)
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
            Node::Join(left, right) => self.expected(left).min(self.expected(right)),
            Node::EqualJoin(left, right, _) => self.expected(left).max(self.expected(right)),
            Node::Union(left, right) => self.expected(left).saturating_add(self.expected(right)),
            Node::LeftJoin(inner, ..)
            | Node::Exists { inner, .. }
            | Node::Minus(inner, _)
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
