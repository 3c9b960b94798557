//! Triple patterns in their graphs.

use super::table::{Var, Vars};
use evalgraph_store::TermId;

/// A place of a triple pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Constant(TermId),
    Variable(Var),
}

impl Slot {
    pub(super) fn var(self) -> Option<Var> {
        match self {
            Self::Constant(_) => None,
            Self::Variable(var) => Some(var),
        }
    }
}

/// The graph that a pattern is matched in; none is the default graph.
pub(super) type Scope = Option<Slot>;

/// A triple pattern: subject, predicate, object, and its graph.
#[derive(Debug, Clone)]
pub(super) struct QuadPattern {
    pub(super) triple: [Slot; 3],
    pub(super) scope: Scope,
}

/// The known terms of a pattern.
pub(super) type Known = ([Option<TermId>; 3], Option<Option<TermId>>);

impl QuadPattern {
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.triple.iter().copied().chain(self.scope)
    }

    pub(super) fn vars(&self) -> Vars {
        Vars::of(self.slots().filter_map(Slot::var))
    }

    /// The terms that are known where variables have the values that `value` gives.
    pub(super) fn known(&self, value: impl Fn(Var) -> Option<TermId>) -> Known {
        let term = |slot: Slot| match slot {
            Slot::Constant(term) => Some(term),
            Slot::Variable(var) => value(var),
        };
        (self.triple.map(term), self.scope.map(term))
    }
}
