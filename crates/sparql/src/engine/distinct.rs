//! The distinct rows of columns. The columns may come part by part.

use std::mem::take;

use hashbrown::HashTable;

use super::limits::{BLOCK, CancellationTicker, SolutionTableError};
use super::solution_table::{BindingNumber, SolutionColumn};

/// The distinct rows of some columns in the order of their first occurrence, and the index of each row among them.
pub(super) struct DistinctRows {
    /// The first occurrence of each distinct row.
    pub(super) first: Vec<u32>,
    /// The index of each row among the distinct rows.
    pub(super) place: Vec<u32>,
}

/// The places are kept in an array if the highest number is at most this many times the number of rows.
const DENSE: usize = 8;

/// How many numbers are sampled to guess whether most are different.
const SAMPLE: usize = 64;

/// The cost of a hash table lookup, in numbers that are read.
const HASHED: usize = 32;

impl DistinctRows {
    /// The distinct rows of columns with `rows` rows.
    pub(super) fn new(
        columns: &[&SolutionColumn],
        rows: usize,
        ticks: &CancellationTicker<'_>,
    ) -> Result<Self, SolutionTableError> {
        DistinctRowSet::default().add(columns, rows, ticks)
    }
}

/// The distinct rows so far.
#[derive(Default)]
pub(super) struct DistinctRowSet {
    count: u32,
    places: DistinctRowPlaces,
    /// The numbers of each distinct row, if rows are found by their hashes.
    rows: Vec<BindingNumber>,
}

#[derive(Default)]
enum DistinctRowPlaces {
    #[default]
    None,
    /// For each number, its place plus one, or 0 if it has none.
    Dense(Vec<u32>),
    Hashed(RowHashTables),
}

impl DistinctRowSet {
    /// How many rows are known.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Adds rows; the columns must be the same each time. In the result, `first` has the rows that were new, and
    /// `place` refers to all rows known so far.
    pub(super) fn add(
        &mut self,
        columns: &[&SolutionColumn],
        rows: usize,
        ticks: &CancellationTicker<'_>,
    ) -> Result<DistinctRows, SolutionTableError> {
        match columns {
            [] => {
                let is_first = self.count == 0 && rows > 0;
                self.count = u32::from(self.count > 0 || is_first);
                Ok(DistinctRows { first: is_first.then_some(0).into_iter().collect(), place: vec![0; rows] })
            }
            [column] => self.add_numbers(&column.numbers, ticks),
            [one, other] => {
                self.add_rows(2, rows, ticks, |row| [one.numbers[row], other.numbers[row]].into_iter())
            }
            columns => self.add_rows(columns.len(), rows, ticks, |row| {
                columns.iter().map(move |column| column.numbers[row])
            }),
        }
    }

    fn add_numbers(
        &mut self,
        numbers: &[BindingNumber],
        ticks: &CancellationTicker<'_>,
    ) -> Result<DistinctRows, SolutionTableError> {
        let highest = numbers.iter().copied().max().unwrap_or(0) as usize;
        let is_dense = match &self.places {
            DistinctRowPlaces::None => {
                highest <= numbers.len() / 2 + 1024
                    || highest <= numbers.len().saturating_mul(DENSE) && has_many(numbers)
            }
            // An array that exists may be sparser than a new one, since leaving it reads all of it.
            DistinctRowPlaces::Dense(places) => {
                highest < places.len() || highest <= (numbers.len() + self.len()).saturating_mul(DENSE * 4)
            }
            DistinctRowPlaces::Hashed(_) => false,
        };
        if !is_dense {
            self.leave_dense(ticks)?;
            return self.add_rows(1, numbers.len(), ticks, |row| [numbers[row]].into_iter());
        }
        if !matches!(self.places, DistinctRowPlaces::Dense(_)) {
            self.places = DistinctRowPlaces::Dense(vec![0; highest + 1]);
        }
        let DistinctRowPlaces::Dense(known) = &mut self.places else {
            return Err(SolutionTableError::Unforeseen);
        };
        if known.len() <= highest {
            known.resize(highest + 1, 0);
        }
        let (mut first, mut place) = (Vec::new(), Vec::with_capacity(numbers.len()));
        for (row, number) in numbers.iter().enumerate() {
            if row % BLOCK == 0 {
                ticks.tick(BLOCK)?;
            }
            let known = &mut known[*number as usize];
            if *known == 0 {
                first.push(in_32_bits(row));
                self.count += 1;
                *known = self.count;
            }
            place.push(*known - 1);
        }
        Ok(DistinctRows { first, place })
    }

    /// Turns the numbers of the array into rows of one number.
    fn leave_dense(&mut self, ticks: &CancellationTicker<'_>) -> Result<(), SolutionTableError> {
        if let DistinctRowPlaces::Dense(known) = &mut self.places {
            let known = take(known);
            // Each number keeps its place, since earlier parts refer to it.
            self.rows = vec![0; self.len()];
            for (number, place) in (0..).zip(known).filter(|(_, place)| *place > 0) {
                ticks.tick(2)?;
                self.rows[place as usize - 1] = number;
            }
        }
        Ok(())
    }

    fn add_rows<I: Iterator<Item = BindingNumber> + Clone>(
        &mut self,
        width: usize,
        rows: usize,
        ticks: &CancellationTicker<'_>,
        row: impl Fn(usize) -> I,
    ) -> Result<DistinctRows, SolutionTableError> {
        let Self { count, places, rows: known_rows } = self;
        if !matches!(places, DistinctRowPlaces::Hashed(_)) {
            *places = DistinctRowPlaces::Hashed(RowHashTables::from_rows(known_rows, width, ticks)?);
        }
        let DistinctRowPlaces::Hashed(tables) = places else { return Err(SolutionTableError::Unforeseen) };
        let (mut first, mut place) = (Vec::new(), Vec::with_capacity(rows));
        for at in 0..rows {
            if at % BLOCK == 0 {
                ticks.tick(BLOCK * HASHED)?;
            }
            let own = row(at);
            let hash = hash_of(own.clone());
            if let Some(known) = tables.find(hash, known_rows, width, &own) {
                place.push(known);
                continue;
            }
            if *count as usize >= tables.room {
                // The old tables are dropped first, so that memory never holds both.
                *tables = RowHashTables::default();
                *tables = RowHashTables::from_rows(known_rows, width, ticks)?;
            }
            place.push(*count);
            first.push(in_32_bits(at));
            known_rows.extend(own);
            tables.insert(hash, *count, known_rows, width);
            *count += 1;
        }
        Ok(DistinctRows { first, place })
    }
}

/// The places of rows by their hashes. The rows themselves are stored elsewhere. So a place takes little room, and
/// tables that have become too small are rebuilt from the rows, in their order.
#[derive(Default)]
struct RowHashTables {
    tables: Vec<HashTable<u32>>,
    /// How many rows fit.
    room: usize,
}

impl RowHashTables {
    /// The capacity of a table (small in debug builds, so that tests exceed it), and how much of it stays free on
    /// average, since tables do not fill equally.
    const ROOM: usize = if cfg!(debug_assertions) { 7 << 2 } else { 7 << 13 };
    const FREE: usize = Self::ROOM / 32;
    const SMALL: usize = 7 << 1;

    /// Tables of some rows, with room for as many again, or for more if there are few rows.
    #[cold]
    fn from_rows(
        rows: &[BindingNumber],
        width: usize,
        ticks: &CancellationTicker<'_>,
    ) -> Result<Self, SolutionTableError> {
        let (known, most) = (rows.len() / width, Self::ROOM - Self::FREE);
        let room = (if known < most / 4 { known * 4 } else { known * 2 }).max(Self::SMALL);
        let mut own = if room <= most {
            Self { tables: vec![HashTable::with_capacity(room)], room }
        } else {
            let count = room.div_ceil(most);
            let mut tables = Vec::with_capacity(count);
            for _ in 0..count {
                ticks.tick(Self::ROOM)?;
                tables.push(HashTable::with_capacity(Self::ROOM));
            }
            Self { tables, room: count * most }
        };
        for (place, row) in (0..).zip(rows.chunks_exact(width)) {
            ticks.tick(HASHED)?;
            own.insert(hash_of(row.iter().copied()), place, rows, width);
        }
        Ok(own)
    }

    #[inline]
    fn find(
        &self,
        hash: u64,
        rows: &[BindingNumber],
        width: usize,
        own: &(impl Iterator<Item = BindingNumber> + Clone),
    ) -> Option<u32> {
        let is_own = |place: &u32| row_of(rows, *place, width).eq(own.clone());
        self.tables.get(self.table(hash))?.find(hash, is_own).copied()
    }

    /// The table for a hash, chosen by bits that the table itself does not use first.
    #[inline]
    fn table(&self, hash: u64) -> usize {
        let part = (hash >> 24) & 0xFFFF_FFFF;
        ((part * self.tables.len() as u64) >> 32) as usize
    }

    fn insert(&mut self, hash: u64, place: u32, rows: &[BindingNumber], width: usize) {
        let table = self.table(hash);
        self.tables[table].insert_unique(hash, place, |place| hash_of(row_of(rows, *place, width)));
    }
}

#[inline]
fn row_of(rows: &[BindingNumber], place: u32, width: usize) -> impl Iterator<Item = BindingNumber> {
    let start = place as usize * width;
    rows[start..start + width].iter().copied()
}

#[inline]
fn hash_of(row: impl Iterator<Item = BindingNumber>) -> u64 {
    row.fold(0, |hash, number| mixed(hash ^ u64::from(number)))
}

/// Returns whether numbers are likely to have many different values. Few values are found faster in a small table.
fn has_many(numbers: &[BindingNumber]) -> bool {
    let step = numbers.len() / SAMPLE + 1;
    let mut sample: Vec<BindingNumber> = numbers.iter().step_by(step).copied().collect();
    let looked_at = sample.len();
    sample.sort_unstable();
    sample.dedup();
    sample.len() * 4 > looked_at
}

/// The hash of a key: both halves of a product.
#[inline]
pub(super) fn mixed(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9E37_79B9_7F4A_7C15) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
    (product >> 64) as u64 ^ product as u64
}

/// Tables have fewer than 2³² rows.
fn in_32_bits(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::CancellationToken;

    /// Numbers close together, far apart, and of both kinds.
    fn any_number() -> impl Strategy<Value = BindingNumber> {
        prop_oneof![0..40_u32, 0..4_000_u32, 0..=u32::MAX, Just(1 << 20)]
    }

    proptest! {
        #[test]
        fn each_row_gets_its_place_once(
            width in 1..4_usize,
            parts in vec((any::<bool>(), vec(any_number(), 0..600)), 1..6),
        ) {
            let cancellation = CancellationToken::new();
            let ticks = CancellationTicker::new(&cancellation);
            let (mut known, mut expected) = (DistinctRowSet::default(), HashMap::<Vec<BindingNumber>, usize>::new());
            for (is_low, numbers) in parts {
                let numbers = numbers.into_iter().map(|number| if is_low { number % 100 } else { number });
                let numbers: Vec<BindingNumber> = numbers.collect();
                let rows: Vec<&[BindingNumber]> = numbers.chunks_exact(width).collect();
                let column = |at: usize| SolutionColumn::bound(rows.iter().map(|row| row[at]).collect());
                let columns: Vec<SolutionColumn> = (0..width).map(column).collect();
                let columns: Vec<&SolutionColumn> = columns.iter().collect();
                let added = known.add(&columns, rows.len(), &ticks).expect("it is not cancelled");
                let mut first = Vec::new();
                for (at, row) in rows.iter().enumerate() {
                    let next = expected.len();
                    let place = *expected.entry(row.to_vec()).or_insert(next);
                    if place == next {
                        first.push(at);
                    }
                    prop_assert_eq!(added.place[at] as usize, place);
                }
                let added: Vec<usize> = added.first.iter().map(|row| *row as usize).collect();
                prop_assert_eq!(added, first);
                prop_assert_eq!(known.len(), expected.len());
            }
        }
    }
}
