//! Seeds: values that a pattern may begin with, because only solutions with these values are needed.

use super::distinct::DistinctRows;
use super::join::{pairs, united};
use super::limits::{CancellationTicker, SolutionTableError};
use super::solution_table::{SolutionColumn, SolutionTable, VariableNumber, VariableSet};

/// The most rows of a table whose values are looked up in another pattern.
const MOST_SEEDS: usize = 1 << 16;

/// The values that both seeds allow, or only the first seed if these would be too many.
pub(super) fn both(
    one: Option<SolutionTable>,
    other: Option<SolutionTable>,
    ticks: &CancellationTicker<'_>,
) -> Result<Option<SolutionTable>, SolutionTableError> {
    let (one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return Ok(one.or(other)),
    };
    let vars = one.vars().and(other.vars());
    if vars == one.vars() || one.rows.saturating_mul(other.rows) > MOST_SEEDS {
        return Ok(Some(one));
    }
    united(&one, &other, &pairs(&one, &other, ticks)?, vars, ticks).map(Some)
}

/// The distinct values of a table for those of the variables that have a value in each row, or `None` if they are too
/// many.
pub(super) fn seed_of(
    table: &SolutionTable,
    vars: VariableSet,
    ticks: &CancellationTicker<'_>,
) -> Result<Option<SolutionTable>, SolutionTableError> {
    if table.rows > MOST_SEEDS {
        return Ok(None);
    }
    let bound = table.columns.iter().filter(|(var, column)| vars.has(*var) && column.is_bound);
    let columns: Vec<&(VariableNumber, SolutionColumn)> = bound.collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let values: Vec<&SolutionColumn> = columns.iter().map(|(_, column)| column).collect();
    let rows = DistinctRows::new(&values, table.rows, ticks)?.first;
    let mut seed = SolutionTable { rows: rows.len(), ..SolutionTable::default() };
    for (var, column) in columns {
        seed.columns.push((*var, column.gathered(&rows, ticks)?));
    }
    seed.sorted_by = table.sorted_by.filter(|var| vars.has(*var));
    Ok(Some(seed))
}
