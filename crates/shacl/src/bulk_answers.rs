//! The answers of constraints and components in SPARQL that were evaluated once for many focus nodes.

use std::collections::{HashMap, HashSet};

use super::bindings::SolutionBindings;
use super::ids::ShapeId;
use evalgraph_store::TermId;

/// The answers for constraints by shape and constraint.
///
/// Other methods are in `bulk_questions.rs`.
#[derive(Debug, Default)]
pub(super) struct BulkAnswers(HashMap<(ShapeId, usize), ConstraintAnswer>);

/// The answer of one constraint.
#[derive(Debug, Default)]
pub(super) struct ConstraintAnswer {
    /// The focus nodes that the query covered, sorted.
    pub(super) nodes: Vec<TermId>,
    /// The solutions of SELECT by focus node.
    pub(super) solutions: HashMap<TermId, Vec<SolutionBindings>>,
    /// The focus nodes with those of their values for which ASK returns true.
    pub(super) accepted: HashSet<(TermId, TermId)>,
}

impl BulkAnswers {
    fn answer(&self, shape: ShapeId, constraint: usize, focus: TermId) -> Option<&ConstraintAnswer> {
        self.0.get(&(shape, constraint)).filter(|answer| answer.nodes.binary_search(&focus).is_ok())
    }

    /// The solutions of SELECT for a focus node; none if the query did not cover it.
    pub(super) fn solutions_for(
        &self,
        shape: ShapeId,
        constraint: usize,
        focus: TermId,
    ) -> Option<&[SolutionBindings]> {
        let answer = self.answer(shape, constraint, focus)?;
        Some(answer.solutions.get(&focus).map_or(&[], Vec::as_slice))
    }

    /// The answer of ASK for a value of a focus node; none if the query did not cover it.
    pub(super) fn accepts(
        &self,
        shape: ShapeId,
        constraint: usize,
        focus: TermId,
        value: TermId,
    ) -> Option<bool> {
        let answer = self.answer(shape, constraint, focus)?;
        Some(answer.accepted.contains(&(focus, value)))
    }

    pub(super) fn add(&mut self, shape: ShapeId, constraint: usize, answer: ConstraintAnswer) {
        self.0.insert((shape, constraint), answer);
    }
}
