//! Joins by columns in which only some rows have a value: rows with values for the same variables are joined by these,
//! so no row is compared with all others.

use hashbrown::HashMap;

use super::limits::{CancellationTicker, SolutionTableError};
use super::solution_table::BindingNumber;

/// Columns that two tables have in common.
pub(super) type SharedColumns<'t> = [[&'t [BindingNumber]; 2]];

/// Groups of rows of both tables: the rows of one side all have values for the same variables. Its methods are in
/// `join.rs`.
pub(super) struct JoinableRows {
    pub(super) rows: [Vec<u32>; 2],
    /// The values of the variables that both sides have. If there are none, each row is compatible with each.
    pub(super) keys: Vec<[Vec<BindingNumber>; 2]>,
}

/// All pairs of groups of rows of two tables. Columns in `bound` have a value in each row, the `others` do not.
pub(super) fn meetings(
    bound: &SharedColumns<'_>,
    others: &SharedColumns<'_>,
    heights: [u32; 2],
    ticks: &CancellationTicker<'_>,
) -> Result<Vec<JoinableRows>, SolutionTableError> {
    let [lefts, rights] = [by_bound(others, 0, heights[0], ticks)?, by_bound(others, 1, heights[1], ticks)?];
    let mut meetings = Vec::new();
    for left in &lefts {
        for right in &rights {
            let has = |rows: &[u32], columns: &[&[BindingNumber]; 2], side: usize| {
                rows.first().is_some_and(|row| columns[side][*row as usize] != 0)
            };
            let of_both = others.iter().filter(|columns| has(left, columns, 0) && has(right, columns, 1));
            let mut keys = Vec::new();
            for columns in bound.iter().chain(of_both) {
                let of = |side: usize, rows: &[u32]| {
                    ticks.collect(rows.len(), 2, |at| columns[side][rows[at] as usize])
                };
                keys.push([of(0, left)?, of(1, right)?]);
            }
            meetings.push(JoinableRows { rows: [left.clone(), right.clone()], keys });
        }
    }
    Ok(meetings)
}

/// The rows of one side, grouped by the columns in which they have values.
fn by_bound(
    columns: &SharedColumns<'_>,
    side: usize,
    height: u32,
    ticks: &CancellationTicker<'_>,
) -> Result<Vec<Vec<u32>>, SolutionTableError> {
    let mut groups = vec![ticks.rows(height)?];
    for columns in columns.chunks(u64::BITS as usize) {
        let mut divided = Vec::new();
        for rows in groups {
            let mut places: HashMap<u64, usize> = HashMap::new();
            let begin = divided.len();
            for row in rows {
                ticks.tick(columns.len())?;
                let bit = |(place, columns): (usize, &[&[BindingNumber]; 2])| {
                    u64::from(columns[side][row as usize] != 0) << place
                };
                let mask = columns.iter().enumerate().map(bit).sum();
                let next = begin + places.len();
                let place = *places.entry(mask).or_insert(next);
                if place == divided.len() {
                    divided.push(Vec::new());
                }
                divided[place].push(row);
            }
        }
        groups = divided;
    }
    Ok(groups)
}
