//! Values that a pattern may begin with, since only solutions with them are asked for.

use super::distinct::Distinct;
use super::join::{pairs, united};
use super::limits::{Ticks, Unfit};
use super::table::{Column, Table, Var, Vars};

/// The most rows of a table whose values are looked up in another pattern.
const MOST_SEEDS: usize = 1 << 16;

/// The values that both of two seeds allow; the first seed alone where these would be too many.
pub(super) fn both(
    one: Option<Table>,
    other: Option<Table>,
    ticks: &Ticks<'_>,
) -> Result<Option<Table>, Unfit> {
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

/// The distinct values that a table has for some variables, as far as each row has one; none if they are too many.
pub(super) fn seed_of(table: &Table, vars: Vars, ticks: &Ticks<'_>) -> Result<Option<Table>, Unfit> {
    if table.rows > MOST_SEEDS {
        return Ok(None);
    }
    let bound = table.columns.iter().filter(|(var, column)| vars.has(*var) && column.is_bound);
    let columns: Vec<&(Var, Column)> = bound.collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let values: Vec<&Column> = columns.iter().map(|(_, column)| column).collect();
    let rows = Distinct::of(&values, table.rows, ticks)?.first;
    let mut seed = Table { rows: rows.len(), ..Table::default() };
    for (var, column) in columns {
        seed.columns.push((*var, column.gathered(&rows, ticks)?));
    }
    seed.sorted_by = table.sorted_by.filter(|var| vars.has(*var));
    Ok(Some(seed))
}
