//! Finds the rows of two tables that are compatible: by a merge if both are sorted, else by an index over the smaller
//! table. `JoinableRows` is defined in `partly_bound.rs`.

use std::ops::Range;

use super::distinct::DistinctRowSet;
use super::limits::{CancellationTicker, SolutionTableError};
use super::partly_bound::{JoinableRows, meetings};
use super::solution_table::{
    BindingNumber, NO_ROW, SolutionColumn, SolutionTable, VariableNumber, VariableSet,
};

/// The most pairs of rows that are tried if no variable has a value in each row of both tables.
const MOST_PAIRS: usize = 8_000_000;

/// Pairs of compatible rows.
#[derive(Debug, Default)]
pub(super) struct RowPairs {
    pub(super) left: Vec<u32>,
    pub(super) right: Vec<u32>,
}

impl RowPairs {
    /// The pairs in the order of the left rows.
    fn in_order(self, ticks: &CancellationTicker<'_>) -> Result<Self, SolutionTableError> {
        let mut both: Vec<(u32, u32)> = self.left.into_iter().zip(self.right).collect();
        ticks.sort(&mut both, 2, Ord::cmp)?;
        let (left, right) = both.into_iter().unzip();
        Ok(Self { left, right })
    }

    #[inline]
    fn push(&mut self, left: u32, right: u32) {
        self.left.push(left);
        self.right.push(right);
    }
}

/// The columns that two tables have in common.
struct JoinColumns<'t> {
    /// The columns with a value in each row of both tables.
    keys: Vec<[&'t [BindingNumber]; 2]>,
    key_vars: Vec<VariableNumber>,
    /// The other columns. A missing value is compatible with any value.
    others: Vec<[&'t [BindingNumber]; 2]>,
}

impl<'t> JoinColumns<'t> {
    fn new(left: &'t SolutionTable, right: &'t SolutionTable) -> Self {
        let mut shared = Self { keys: Vec::new(), key_vars: Vec::new(), others: Vec::new() };
        for (var, own) in &left.columns {
            let Some(other) = right.column(*var) else { continue };
            let pair = [own.numbers.as_slice(), other.numbers.as_slice()];
            if own.is_bound && other.is_bound {
                shared.keys.push(pair);
                shared.key_vars.push(*var);
            } else {
                shared.others.push(pair);
            }
        }
        shared
    }

    fn are_compatible(&self, left: u32, right: u32) -> bool {
        self.others.iter().all(|[own, other]| {
            let (own, other) = (own[left as usize], other[right as usize]);
            own == other || own == 0 || other == 0
        })
    }
}

/// The rows of a table by the values of their keys: chains of rows with equal hashes.
struct JoinIndex<'t> {
    keys: Vec<&'t [BindingNumber]>,
    heads: Vec<u32>,
    next: Vec<u32>,
    /// The bits of a hash, or `None` if there is one key and it is small enough to be used as an index.
    bits: Option<u32>,
}

impl<'t> JoinIndex<'t> {
    fn new(
        keys: Vec<&'t [BindingNumber]>,
        rows: u32,
        ticks: &CancellationTicker<'_>,
    ) -> Result<Self, SolutionTableError> {
        let room = rows as usize;
        // A direct index has at most four places for each row and 1024 more. With it no keys are compared.
        let highest = match keys.as_slice() {
            [only] => only.iter().copied().max().unwrap_or(0) as usize,
            _ => usize::MAX,
        };
        let (bits, places) = if highest <= room.saturating_mul(4) + 1024 {
            (None, highest + 1)
        } else {
            let bits = (usize::BITS - room.leading_zeros()).max(4) + 1;
            (Some(bits), 1 << bits)
        };
        let mut index = Self { keys, heads: vec![NO_ROW; places], next: vec![NO_ROW; room], bits };
        // Rows are inserted from last to first, so that chains ascend.
        for row in (0..rows).rev() {
            ticks.tick(8)?;
            let place = index.place(&index.keys, row);
            index.next[row as usize] = std::mem::replace(&mut index.heads[place], row);
        }
        Ok(index)
    }

    #[inline]
    fn place(&self, keys: &[&[BindingNumber]], row: u32) -> usize {
        let Some(bits) = self.bits else { return keys[0][row as usize] as usize };
        let mix = |hash: u64, key: &&[BindingNumber]| {
            (hash.rotate_left(29) ^ u64::from(key[row as usize])).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        (keys.iter().fold(0, mix) >> (64 - bits)) as usize
    }

    /// The rows whose keys equal those of a row of another table.
    #[inline]
    fn rows<'i>(&'i self, keys: &'i [&'i [BindingNumber]], row: u32) -> impl Iterator<Item = u32> + 'i {
        // Without a hash, a key of the other table may be beyond the highest key of this one.
        let head = self.heads.get(self.place(keys, row)).copied().unwrap_or(NO_ROW);
        let chain = std::iter::successors((head != NO_ROW).then_some(head), move |at| {
            let next = self.next[*at as usize];
            (next != NO_ROW).then_some(next)
        });
        // If the key is the index, the chain has only equal keys.
        let is_place = self.bits.is_none() && keys.len() == 1;
        chain.filter(move |at| is_place || self.are_equal(*at, keys, row))
    }

    /// Returns whether two rows have the same keys. This is a loop, because iterators over both would cost a call for
    /// each row.
    #[inline]
    fn are_equal(&self, own: u32, keys: &[&[BindingNumber]], other: u32) -> bool {
        for (place, key) in self.keys.iter().enumerate() {
            if key[own as usize] != keys[place][other as usize] {
                return false;
            }
        }
        true
    }
}

/// The pairs of compatible rows. The rows of one of the tables ascend, or those of both if the tables are sorted by the
/// same variable.
pub(super) fn pairs(
    left: &SolutionTable,
    right: &SolutionTable,
    ticks: &CancellationTicker<'_>,
) -> Result<RowPairs, SolutionTableError> {
    let shared = JoinColumns::new(left, right);
    let (lefts, rights) = (left.height()?, right.height()?);
    let mut pairs = RowPairs::default();
    if let ([[own, other]], [var]) = (shared.keys.as_slice(), shared.key_vars.as_slice())
        && left.sorted_by == Some(*var)
        && right.sorted_by == Some(*var)
    {
        merge(own, other, ticks, |lefts, rights| {
            for left in lefts {
                ticks.tick(rights.len())?;
                let compatible = rights.clone().filter(|right| shared.are_compatible(left, *right));
                compatible.for_each(|right| pairs.push(left, right));
                ticks.grown(pairs.left.len())?;
            }
            Ok(())
        })?;
        return Ok(pairs);
    }
    if !shared.others.is_empty() {
        for meeting in meetings(&shared.keys, &shared.others, [lefts, rights], ticks)? {
            pairs_of(&meeting, &mut pairs, ticks)?;
        }
        // The groups divide the rows of each side, so no pair is found twice, but the left rows do not ascend yet.
        return pairs.in_order(ticks);
    }
    if shared.keys.is_empty() {
        if left.rows.saturating_mul(right.rows) > MOST_PAIRS {
            // On this error `parts` divides the node further, if it can.
            return Err(SolutionTableError::TooLarge(None));
        }
        ticks.grown(left.rows * right.rows)?;
        for row in 0..lefts {
            ticks.tick(right.rows)?;
            (0..rights).for_each(|other| pairs.push(row, other));
        }
        return Ok(pairs);
    }
    let [own, other]: [Vec<&[BindingNumber]>; 2] =
        [0, 1].map(|side| shared.keys.iter().map(|key| key[side]).collect());
    if right.rows <= left.rows {
        let index = JoinIndex::new(other, rights, ticks)?;
        for row in 0..lefts {
            ticks.tick(1)?;
            for found in index.rows(&own, row) {
                ticks.tick(1)?;
                pairs.push(row, found);
            }
            ticks.grown(pairs.left.len())?;
        }
    } else {
        let index = JoinIndex::new(own, lefts, ticks)?;
        for row in 0..rights {
            ticks.tick(1)?;
            for found in index.rows(&other, row) {
                ticks.tick(1)?;
                pairs.push(found, row);
            }
            ticks.grown(pairs.left.len())?;
        }
    }
    Ok(pairs)
}

/// Adds the pairs of rows that are joined by the same variables.
fn pairs_of(
    meeting: &JoinableRows,
    pairs: &mut RowPairs,
    ticks: &CancellationTicker<'_>,
) -> Result<(), SolutionTableError> {
    let JoinableRows { rows: [lefts, rights], keys } = meeting;
    if keys.is_empty() {
        for left in lefts {
            ticks.tick(rights.len())?;
            rights.iter().for_each(|right| pairs.push(*left, *right));
            ticks.grown(pairs.left.len())?;
        }
        return Ok(());
    }
    let [own, other] = meeting.key_columns();
    let index = JoinIndex::new(other, height(rights)?, ticks)?;
    for (at, left) in (0..).zip(lefts) {
        ticks.tick(4)?;
        for found in index.rows(&own, at) {
            pairs.push(*left, rights[found as usize]);
        }
        ticks.grown(pairs.left.len())?;
    }
    Ok(())
}

/// The rows of the left side that have a compatible row on the right side.
fn lefts_of(meeting: &JoinableRows, ticks: &CancellationTicker<'_>) -> Result<Vec<u32>, SolutionTableError> {
    let JoinableRows { rows: [lefts, rights], keys } = meeting;
    if keys.is_empty() {
        return Ok(if rights.is_empty() { Vec::new() } else { lefts.clone() });
    }
    let [own, other] = meeting.key_columns();
    let index = JoinIndex::new(other, height(rights)?, ticks)?;
    let mut found = Vec::new();
    for (at, left) in (0..).zip(lefts) {
        ticks.tick(4)?;
        if index.rows(&own, at).next().is_some() {
            found.push(*left);
        }
    }
    Ok(found)
}

impl JoinableRows {
    fn key_columns(&self) -> [Vec<&[BindingNumber]>; 2] {
        [0, 1].map(|side| self.keys.iter().map(|key| key[side].as_slice()).collect())
    }
}

fn height(rows: &[u32]) -> Result<u32, SolutionTableError> {
    u32::try_from(rows.len()).map_err(|_| SolutionTableError::TooLarge(None))
}

/// How many pairs of rows are compatible, and how many rows of the left table are in a pair.
pub(super) struct JoinCounts {
    pub(super) pairs: usize,
    pub(super) lefts: usize,
}

/// Counts the pairs of rows of two tables by the columns that they share. Returns `None` if one of these columns lacks
/// a value in some row.
pub(super) fn counted(
    left: &SolutionTable,
    right: &SolutionTable,
    ticks: &CancellationTicker<'_>,
) -> Result<Option<JoinCounts>, SolutionTableError> {
    let shared = JoinColumns::new(left, right);
    let mut counted = JoinCounts { pairs: 0, lefts: 0 };
    if !shared.others.is_empty() {
        return Ok(None);
    }
    if shared.keys.is_empty() {
        counted.pairs = left.rows.saturating_mul(right.rows);
        counted.lefts = if right.rows > 0 { left.rows } else { 0 };
        return Ok(Some(counted));
    }
    if let ([[own, other]], [var]) = (shared.keys.as_slice(), shared.key_vars.as_slice())
        && left.sorted_by == Some(*var)
        && right.sorted_by == Some(*var)
    {
        merge(own, other, ticks, |lefts, rights| {
            counted.pairs += lefts.len() * rights.len();
            counted.lefts += lefts.len();
            Ok(())
        })?;
        return Ok(Some(counted));
    }
    match counted_by_pairs(&shared, left, right, ticks)? {
        Some(counted) => Ok(Some(counted)),
        None => counted_by_keys(&shared, left, right, ticks).map(Some),
    }
}

/// Counts pairs one by one. Returns `None` if there are many more pairs than rows.
fn counted_by_pairs(
    shared: &JoinColumns<'_>,
    left: &SolutionTable,
    right: &SolutionTable,
    ticks: &CancellationTicker<'_>,
) -> Result<Option<JoinCounts>, SolutionTableError> {
    let mut counted = JoinCounts { pairs: 0, lefts: 0 };
    let [own, other]: [Vec<&[BindingNumber]>; 2] =
        [0, 1].map(|side| shared.keys.iter().map(|key| key[side]).collect());
    let is_swapped = right.rows > left.rows;
    let (probes, keys, index) = if is_swapped {
        (right.height()?, &other, JoinIndex::new(own, left.height()?, ticks)?)
    } else {
        (left.height()?, &own, JoinIndex::new(other, right.height()?, ticks)?)
    };
    // With more pairs, `counted_by_keys` is less work: it reads each row once, however many pairs there are.
    let most = (left.rows + right.rows).saturating_mul(4);
    let mut has_partner = vec![false; if is_swapped { left.rows } else { 0 }];
    for row in 0..probes {
        ticks.tick(4)?;
        let before = counted.pairs;
        for found in index.rows(keys, row) {
            counted.pairs += 1;
            if is_swapped {
                counted.lefts += usize::from(!std::mem::replace(&mut has_partner[found as usize], true));
            }
            if counted.pairs > most {
                return Ok(None);
            }
        }
        counted.lefts += usize::from(!is_swapped && counted.pairs > before);
    }
    Ok(Some(counted))
}

/// Counts pairs by the numbers of rows that each key has on both sides.
fn counted_by_keys(
    shared: &JoinColumns<'_>,
    left: &SolutionTable,
    right: &SolutionTable,
    ticks: &CancellationTicker<'_>,
) -> Result<JoinCounts, SolutionTableError> {
    let mut known = DistinctRowSet::default();
    let mut places = |table: &SolutionTable| {
        let columns: Vec<&SolutionColumn> =
            shared.key_vars.iter().filter_map(|var| table.column(*var)).collect();
        known.add(&columns, table.rows, ticks)
    };
    let (lefts, rights) = (places(left)?.place, places(right)?.place);
    let mut counts = vec![(0_usize, false); known.len()];
    for place in lefts {
        ticks.tick(1)?;
        counts[place as usize].0 += 1;
    }
    let mut counted = JoinCounts { pairs: 0, lefts: 0 };
    for place in rights {
        ticks.tick(1)?;
        let (lefts, is_known) = &mut counts[place as usize];
        counted.pairs += *lefts;
        counted.lefts += if std::mem::replace(is_known, true) { 0 } else { *lefts };
    }
    Ok(counted)
}

/// Calls a function for each number that two ascending columns have in common, with its rows in both.
fn merge(
    left: &[BindingNumber],
    right: &[BindingNumber],
    ticks: &CancellationTicker<'_>,
    mut found: impl FnMut(Range<u32>, Range<u32>) -> Result<(), SolutionTableError>,
) -> Result<(), SolutionTableError> {
    #[expect(clippy::cast_possible_truncation, reason = "tables have fewer rows")]
    let rows = |from: usize, length: usize| from as u32..(from + length) as u32;
    let (mut at, mut from) = (0, 0);
    // All common numbers before `at` and `from` are found. Neither side ever goes back.
    while at < left.len() && from < right.len() {
        ticks.tick(1)?;
        let (own, other) = (left[at], right[from]);
        if own < other {
            at += gallop(&left[at..], other);
        } else if other < own {
            from += gallop(&right[from..], own);
        } else {
            let [lefts, rights] = [&left[at..], &right[from..]]
                .map(|column| column.iter().take_while(|number| **number == own).count());
            found(rows(at, lefts), rows(from, rights))?;
            (at, from) = (at + lefts, from + rights);
        }
    }
    Ok(())
}

/// How many numbers of an ascending column are lower than `bound`. The first one must be lower.
fn gallop(column: &[BindingNumber], bound: BindingNumber) -> usize {
    // Steps double, so n lower numbers are skipped with about 2 log₂ n comparisons. `column[step / 2]` stays lower.
    let mut step = 1;
    while step < column.len() && column[step] < bound {
        step *= 2;
    }
    let from = step / 2;
    let to = column.len().min(step + 1);
    from + column[from..to].partition_point(|number| *number < bound)
}

/// The rows of the left table that have a compatible row in the right table, or that have none. With `is_minus`, rows
/// that have no value in common count as incompatible (section 18.5, Minus).
pub(super) fn semi(
    left: &SolutionTable,
    right: &SolutionTable,
    has_one: bool,
    is_minus: bool,
    ticks: &CancellationTicker<'_>,
) -> Result<Vec<u32>, SolutionTableError> {
    let shared = JoinColumns::new(left, right);
    let (lefts, rights) = (left.height()?, right.height()?);
    let mut has = vec![false; left.rows];
    let [own, other]: [Vec<&[BindingNumber]>; 2] =
        [0, 1].map(|side| shared.keys.iter().map(|key| key[side]).collect());
    if !shared.others.is_empty() {
        for meeting in meetings(&shared.keys, &shared.others, [lefts, rights], ticks)? {
            // MINUS requires a value in common.
            if !(is_minus && meeting.keys.is_empty()) {
                lefts_of(&meeting, ticks)?.into_iter().for_each(|row| has[row as usize] = true);
            }
        }
    } else if shared.keys.is_empty() {
        has.fill(!is_minus && right.rows > 0);
    } else if left.rows < right.rows {
        let index = JoinIndex::new(own, lefts, ticks)?;
        for row in 0..rights {
            ticks.tick(1)?;
            let mut found = index.rows(&other, row);
            // The left rows of a key are marked together, so a mark on the first says that all have one. Without this,
            // a key costs the product of its rows on both sides.
            if let Some(first) = found.next().filter(|first| !has[*first as usize]) {
                has[first as usize] = true;
                for other in found {
                    ticks.tick(1)?;
                    has[other as usize] = true;
                }
            }
        }
    } else {
        let index = JoinIndex::new(other, rights, ticks)?;
        for row in 0..lefts {
            ticks.tick(1)?;
            has[row as usize] = index.rows(&own, row).next().is_some();
        }
    }
    Ok((0..lefts).filter(|row| has[*row as usize] == has_one).collect())
}

/// The solutions of pairs of rows, with the wanted columns. The row number [`NO_ROW`] is a row without values.
pub(super) fn united(
    left: &SolutionTable,
    right: &SolutionTable,
    pairs: &RowPairs,
    wanted: VariableSet,
    ticks: &CancellationTicker<'_>,
) -> Result<SolutionTable, SolutionTableError> {
    let mut table = SolutionTable { rows: pairs.left.len(), ..SolutionTable::default() };
    for (var, column) in left.columns.iter().filter(|(var, _)| wanted.has(*var)) {
        let mut gathered = column.gathered(&pairs.left, ticks)?;
        if !gathered.is_bound
            && let Some(other) = right.column(*var)
        {
            // A variable without a value on this side may have one on the other.
            for (number, row) in gathered.numbers.iter_mut().zip(&pairs.right) {
                ticks.tick(2)?;
                // The row `NO_ROW` is behind the end of each column, so it leaves the variable without a value.
                if *number == 0 {
                    *number = other.numbers.get(*row as usize).copied().unwrap_or(0);
                }
            }
            gathered = SolutionColumn::from_numbers(gathered.numbers);
        }
        table.columns.push((*var, gathered));
    }
    for (var, column) in right.columns.iter().filter(|(var, _)| wanted.has(*var)) {
        if table.column(*var).is_none() {
            table.columns.push((*var, column.gathered(&pairs.right, ticks)?));
        }
    }
    Ok(table)
}
