//! Values for variables of a plan.

use super::quad_pattern::{Scope, Slot};
use super::table::{Column, Number, Table, Var, Vars};
use evalgraph_store::TermId;

/// Values of variables.
#[derive(Debug, Clone)]
pub(super) struct GivenValues(Vec<(Var, Number)>);

impl GivenValues {
    pub(super) fn of(values: impl Iterator<Item = (Var, Number)>) -> Self {
        Self(values.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn vars(&self) -> Vars {
        Vars::of(self.0.iter().map(|(var, _)| *var))
    }

    pub(super) fn get(&self, var: Var) -> Option<Number> {
        self.0.iter().find(|(own, _)| *own == var).map(|(_, value)| *value)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = (Var, Number)> {
        self.0.iter().copied()
    }

    /// The values of some of the variables.
    pub(super) fn among(&self, vars: Vars) -> Self {
        Self(self.values().filter(|(var, _)| vars.has(*var)).collect())
    }

    /// These values and those of other variables.
    pub(super) fn and(&self, others: &Self) -> Self {
        Self(self.values().chain(others.values()).collect())
    }

    pub(super) fn slot(&self, slot: Slot) -> Slot {
        let value = slot.var().and_then(|var| self.get(var)).and_then(TermId::of_number);
        value.map_or(slot, Slot::Constant)
    }

    pub(super) fn scope(&self, scope: Scope) -> Scope {
        scope.map(|slot| self.slot(slot))
    }

    /// The one solution with the values.
    pub(super) fn table(&self) -> Table {
        let columns = self.values().map(|(var, value)| (var, Column::bound(vec![value]))).collect();
        Table { rows: 1, columns, sorted_by: None }
    }
}
