//! Triple patterns in their graphs.

use super::solution_table::{VariableNumber, VariableSet};
use evalgraph_store::TermId;

/// A place of a triple pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PatternTerm {
    Constant(TermId),
    Variable(VariableNumber),
}

impl PatternTerm {
    pub(super) fn var(self) -> Option<VariableNumber> {
        match self {
            Self::Constant(_) => None,
            Self::Variable(var) => Some(var),
        }
    }
}

/// The graph in which a pattern is matched. `None` is the default graph.
pub(super) type PatternGraph = Option<PatternTerm>;

/// A triple pattern: subject, predicate, object, and its graph.
#[derive(Debug, Clone)]
pub(super) struct QuadPattern {
    pub(super) triple: [PatternTerm; 3],
    pub(super) scope: PatternGraph,
}

/// The known terms of a pattern.
pub(super) type PartialQuad = ([Option<TermId>; 3], Option<Option<TermId>>);

impl QuadPattern {
    pub(super) fn slots(&self) -> impl Iterator<Item = PatternTerm> + '_ {
        self.triple.iter().copied().chain(self.scope)
    }

    pub(super) fn vars(&self) -> VariableSet {
        VariableSet::from_numbers(self.slots().filter_map(PatternTerm::var))
    }

    /// The known terms if variables have the values that `value` gives.
    pub(super) fn known(&self, value: impl Fn(VariableNumber) -> Option<TermId>) -> PartialQuad {
        let term = |slot: PatternTerm| match slot {
            PatternTerm::Constant(term) => Some(term),
            PatternTerm::Variable(var) => value(var),
        };
        (self.triple.map(term), self.scope.map(term))
    }
}
