//! Estimates how many solutions the nodes of a plan have, from the lengths of runs. `PlanEvaluator` is defined in
//! `plan_evaluator.rs`.

use super::node::AlgebraNode;
use super::plan_evaluator::PlanEvaluator;
use super::quad_pattern::{PatternTerm, QuadPattern};

impl PlanEvaluator<'_, '_> {
    /// How many triples a pattern has, at most.
    pub(super) fn count(&self, pattern: &QuadPattern) -> usize {
        let (triple, graph) = pattern.known(|_| None);
        self.data.count_at_most(triple, graph)
    }

    /// Returns whether the solutions of a node are the solutions for the parts of its first pattern, one after another.
    /// The rest of the node is evaluated for each part.
    pub(super) fn is_divisible(&self, node: &AlgebraNode) -> bool {
        let is_first =
            |first: &AlgebraNode, other: &AlgebraNode| self.is_divisible(first) && other.is_repeatable();
        match node {
            AlgebraNode::BasicGraphPattern(patterns) => !patterns.is_empty(),
            AlgebraNode::Values(_) => true,
            AlgebraNode::Join(left, right) => {
                let [first, other] = self.in_order(left, right);
                is_first(first, other)
            }
            AlgebraNode::LeftJoin(inner, other, _)
            | AlgebraNode::Exists { inner, pattern: other, .. }
            | AlgebraNode::Lateral(inner, other, _)
            | AlgebraNode::Minus(inner, other) => is_first(inner, other),
            AlgebraNode::Filter(inner, condition) | AlgebraNode::Extend(inner, _, condition) => {
                self.is_divisible(inner) && condition.patterns().into_iter().all(AlgebraNode::is_repeatable)
            }
            AlgebraNode::Given(inner, _) | AlgebraNode::Project(inner, _) => self.is_divisible(inner),
            _ => false,
        }
    }

    /// The sides of a join. The side with fewer solutions comes first, and its values are looked up in the other one.
    pub(super) fn in_order<'n>(&self, left: &'n AlgebraNode, right: &'n AlgebraNode) -> [&'n AlgebraNode; 2] {
        if self.expected(right) < self.expected(left) { [right, left] } else { [left, right] }
    }

    /// About how many solutions a node has, before it is evaluated.
    pub(super) fn expected(&self, node: &AlgebraNode) -> usize {
        match node {
            AlgebraNode::BasicGraphPattern(patterns) => {
                patterns.iter().map(|pattern| self.count(pattern)).min().unwrap_or(1)
            }
            AlgebraNode::Values(table) => table.rows,
            AlgebraNode::Closure(closure) => match closure.ends {
                [PatternTerm::Variable(_), PatternTerm::Variable(_)] => {
                    self.expected(&closure.step).saturating_mul(4)
                }
                _ => self.expected(&closure.step).min(1000),
            },
            // A service is asked last, when everything else is known.
            AlgebraNode::Service(_) => usize::MAX,
            AlgebraNode::Graphs(graphs) => self.expected(&graphs.inner),
            AlgebraNode::Join(left, right) => self.expected(left).min(self.expected(right)),
            AlgebraNode::EqualJoin(left, right, _) => self.expected(left).max(self.expected(right)),
            AlgebraNode::Union(left, right) => self.expected(left).saturating_add(self.expected(right)),
            AlgebraNode::Given(inner, _)
            | AlgebraNode::LeftJoin(inner, ..)
            | AlgebraNode::Exists { inner, .. }
            | AlgebraNode::Minus(inner, _)
            | AlgebraNode::Lateral(inner, ..)
            | AlgebraNode::Filter(inner, _)
            | AlgebraNode::Extend(inner, ..)
            | AlgebraNode::Project(inner, _)
            | AlgebraNode::Distinct(inner)
            | AlgebraNode::OrderBy(inner, _) => self.expected(inner),
            AlgebraNode::Group { inner, keys, .. } => {
                if keys.is_empty() {
                    1
                } else {
                    self.expected(inner)
                }
            }
            AlgebraNode::Slice(inner, _, length) => self.expected(inner).min(length.unwrap_or(usize::MAX)),
        }
    }
}
