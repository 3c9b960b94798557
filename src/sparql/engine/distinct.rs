//! The distinct values of columns.

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::limits::{BLOCK, Ticks, Unfit};
use super::table::{Column, Number};

/// The distinct rows of some columns, in the order in which they come first, and which of them each row is.
pub(super) struct Distinct {
    /// The first row of each.
    pub(super) first: Vec<u32>,
    /// The place of each row among them.
    pub(super) place: Vec<u32>,
}

/// An array of places is made over numbers up to this many times the rows.
const DENSE: usize = 8;

/// What a look into a hash table costs, in numbers that are read.
const HASHED: usize = 32;

impl Distinct {
    /// The distinct rows of columns of so many rows.
    pub(super) fn of(columns: &[&Column], rows: usize, ticks: &Ticks<'_>) -> Result<Self, Unfit> {
        match columns {
            [] => Ok(Self { first: (rows > 0).then_some(0).into_iter().collect(), place: vec![0; rows] }),
            [column] => Self::of_one(&column.numbers, ticks),
            [one, other] => Self::of_keys(rows, ticks, |row| {
                u64::from(one.numbers[row]) << 32 | u64::from(other.numbers[row])
            }),
            columns => Self::of_keys(rows, ticks, |row| {
                columns.iter().map(|column| column.numbers[row]).collect::<Box<[_]>>()
            }),
        }
    }

    fn of_one(numbers: &[Number], ticks: &Ticks<'_>) -> Result<Self, Unfit> {
        let highest = numbers.iter().copied().max().unwrap_or(0) as usize;
        if highest > numbers.len().saturating_mul(DENSE) + 1024 {
            return Self::of_keys(numbers.len(), ticks, |row| numbers[row]);
        }
        let mut known = vec![0_u32; highest + 1];
        let (mut first, mut place) = (Vec::new(), Vec::with_capacity(numbers.len()));
        for (row, number) in numbers.iter().enumerate() {
            if row % BLOCK == 0 {
                ticks.tick(BLOCK)?;
            }
            let known = &mut known[*number as usize];
            if *known == 0 {
                first.push(in_32_bits(row));
                *known = in_32_bits(first.len());
            }
            place.push(*known - 1);
        }
        Ok(Self { first, place })
    }

    fn of_keys<K: std::hash::Hash + Eq>(
        rows: usize,
        ticks: &Ticks<'_>,
        key: impl Fn(usize) -> K,
    ) -> Result<Self, Unfit> {
        let mut known: HashMap<K, u32, RandomState> = HashMap::default();
        let (mut first, mut place) = (Vec::new(), Vec::with_capacity(rows));
        for row in 0..rows {
            if row % BLOCK == 0 {
                ticks.tick(BLOCK * HASHED)?;
            }
            let next = in_32_bits(first.len());
            let own = *known.entry(key(row)).or_insert(next);
            if own == next {
                first.push(in_32_bits(row));
            }
            place.push(own);
        }
        Ok(Self { first, place })
    }
}

/// Tables have fewer than 2³² rows.
fn in_32_bits(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}
