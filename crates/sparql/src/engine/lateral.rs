//! LATERAL: a pattern that is evaluated for each solution of another one, with its values in place of variables (SPARQL
//! Extension Proposal 6). `PlanEvaluator` is defined in `plan_evaluator.rs`.

use super::distinct::DistinctRows;
use super::given_values::GivenValues;
use super::join::{pairs, united};
use super::limits::SolutionTableError;
use super::node::AlgebraNode;
use super::plan_evaluator::PlanEvaluator;
use super::solution_table::{SolutionColumn, SolutionTable, VariableSet};

impl PlanEvaluator<'_, '_> {
    /// Joins each solution of `left` with the solutions of `right` for it. `asked` are the variables that `right`
    /// mentions.
    pub(super) fn lateral(
        &self,
        [left, right]: [&AlgebraNode; 2],
        asked: VariableSet,
        wanted: VariableSet,
        seed: Option<&SolutionTable>,
    ) -> Result<SolutionTable, SolutionTableError> {
        let shared = left.vars().both(asked);
        let mut table = self.run_for(left, wanted.and(shared), seed)?;
        let known: Vec<_> = table.columns.iter().filter(|(var, _)| asked.has(*var)).collect();
        let columns: Vec<&SolutionColumn> = known.iter().map(|(_, column)| column).collect();
        let distinct = DistinctRows::new(&columns, table.rows, &self.ticks)?;
        // No variable has this number. The key is the index of a combination of values.
        let key = self.names.len();
        let needed = wanted.and(shared).both(right.vars());
        let mut all = SolutionTable::empty(needed.and(VariableSet::from_numbers([key])));
        for (place, row) in (1_u32..).zip(&distinct.first) {
            self.ticks.tick(64)?;
            let values = known.iter().map(|(var, column)| (*var, column.numbers[*row as usize]));
            let right = right.with(&GivenValues::new(values.filter(|(_, value)| *value != 0)));
            let mut found = self.apart(|| self.run(&right, needed))?;
            found.set(key, SolutionColumn::bound(vec![place; found.rows]));
            all.append(&found, &self.ticks)?;
            self.ticks.grown(all.rows)?;
        }
        table.set(key, SolutionColumn::bound(distinct.place.iter().map(|place| place + 1).collect()));
        table.sorted_by = None;
        // The given values are also in the columns of the left side.
        all.columns.retain(|(_, column)| column.numbers.iter().any(|number| *number != 0));
        united(&table, &all, &pairs(&table, &all, &self.ticks)?, wanted, &self.ticks)
    }
}
