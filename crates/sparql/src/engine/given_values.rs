//! Values for variables of a plan.

use super::quad_pattern::{PatternGraph, PatternTerm};
use super::solution_table::{BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet};
use evalgraph_store::TermId;

/// Values of variables.
#[derive(Debug, Clone)]
pub(super) struct GivenValues(Vec<(VariableNumber, BindingNumber)>);

impl GivenValues {
    pub(super) fn new(values: impl Iterator<Item = (VariableNumber, BindingNumber)>) -> Self {
        Self(values.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn vars(&self) -> VariableSet {
        VariableSet::from_numbers(self.0.iter().map(|(var, _)| *var))
    }

    pub(super) fn get(&self, var: VariableNumber) -> Option<BindingNumber> {
        self.0.iter().find(|(own, _)| *own == var).map(|(_, value)| *value)
    }

    pub(super) fn values(&self) -> impl Iterator<Item = (VariableNumber, BindingNumber)> {
        self.0.iter().copied()
    }

    /// The values of some of the variables.
    pub(super) fn among(&self, vars: VariableSet) -> Self {
        Self(self.values().filter(|(var, _)| vars.has(*var)).collect())
    }

    /// These values and those of other variables.
    pub(super) fn and(&self, others: &Self) -> Self {
        Self(self.values().chain(others.values()).collect())
    }

    pub(super) fn slot(&self, slot: PatternTerm) -> PatternTerm {
        let value = slot.var().and_then(|var| self.get(var)).and_then(TermId::of_number);
        value.map_or(slot, PatternTerm::Constant)
    }

    pub(super) fn scope(&self, scope: PatternGraph) -> PatternGraph {
        scope.map(|slot| self.slot(slot))
    }

    /// A table with one solution: the values.
    pub(super) fn table(&self) -> SolutionTable {
        let columns = self.values().map(|(var, value)| (var, SolutionColumn::bound(vec![value]))).collect();
        SolutionTable { rows: 1, columns, sorted_by: None }
    }
}
