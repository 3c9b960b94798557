//! The row of one graph in a file of many graphs.

use std::ops::Range;
use std::sync::Arc;

use super::sections::SectionedFile;
use crate::column::ImmutableColumn;
use crate::graph_index::{GraphIndex, ORDERS, TermIdPair, TriplePermutation};
use crate::term::TermId;

/// The numbers that describe a graph.
pub(super) type PackRow = [u32; 16];

/// The places of the columns of a graph in section 0.
pub(super) fn columns(row: &PackRow) -> [Range<usize>; 4 * ORDERS] {
    let mut at = (row[4] as usize) << 32 | row[3] as usize;
    let mut next = |length: usize| {
        let column = at..at.saturating_add(length);
        at = column.end.saturating_add(7) & !7;
        column
    };
    let triples = row[2] as usize;
    let mut columns = std::array::from_fn(|_| 0..0);
    for order in 0..ORDERS {
        let (keys, dense) = (row[8 + order] as usize, row[11 + order] as usize);
        // Each run has a start, and one more entry marks the end.
        let starts = if triples == 0 { 0 } else { keys + 1 };
        columns[4 * order] = next(triples * size_of::<TermIdPair>());
        columns[4 * order + 1] = next(4 * keys);
        columns[4 * order + 2] = next(4 * starts);
        columns[4 * order + 3] = next(4 * dense);
    }
    columns
}

/// The graph that a row describes.
pub(crate) fn graph_of(file: &Arc<SectionedFile>, row: &PackRow) -> GraphIndex {
    let mut columns = columns(row).into_iter();
    let mut next = || columns.next().unwrap_or(0..0);
    GraphIndex::of_permutations([0, 1, 2].map(|order: usize| TriplePermutation {
        pairs: ImmutableColumn::stored_part(file, 0, next()),
        early_keys: ImmutableColumn::stored_part(file, 0, next()),
        early_starts: ImmutableColumn::stored_part(file, 0, next()),
        first_dense: row[5 + order] as usize,
        dense_starts: ImmutableColumn::stored_part(file, 0, next()),
    }))
}

/// Returns whether a graph may have a key in an order, judged by the row only. Keys outside the array of starts cannot
/// be ruled out.
#[inline]
pub(crate) fn may_have(row: &PackRow, order: usize, key: TermId) -> bool {
    row[8 + order] > 0
        || (row[5 + order]..row[5 + order].saturating_add(row[11 + order])).contains(&key.number())
}
