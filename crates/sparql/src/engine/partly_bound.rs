//! Joins by columns in which only some rows have a value: rows that have values of the same variables are joined with each other by
//! these, so that no row is compared with all others.

use hashbrown::HashMap;

use super::limits::{CancellationTicker, SolutionTableError};
use super::solution_table::BindingNumber;

/// Columns that two tables have in common.
pub(super) type SharedColumns<'t> = [[&'t [BindingNumber]; 2]];

/// Rows of both tables that have values of the same variables, and those of them that both have.
pub(super) struct JoinableRows {
    pub(super) rows: [Vec<u32>; 2],
    /// The values by which they meet; none where they have none in common, so that each goes with each.
    pub(super) keys: Vec<[Vec<BindingNumber>; 2]>,
}

/// All ways in which rows of two tables meet, by columns that have a value in each row and others that have not.
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

/// The rows of one side, those together that have values in the same columns.
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
