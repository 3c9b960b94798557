//! The distinct rows of columns, which may come part by part.

use std::mem::take;

use hashbrown::HashTable;

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

/// How many numbers are looked at to guess whether most are different.
const SAMPLE: usize = 64;

/// What a look into a hash table costs, in numbers that are read.
const HASHED: usize = 32;

impl Distinct {
    /// The distinct rows of columns of so many rows.
    pub(super) fn of(columns: &[&Column], rows: usize, ticks: &Ticks<'_>) -> Result<Self, Unfit> {
        Known::default().add(columns, rows, ticks)
    }
}

/// The distinct rows so far.
#[derive(Default)]
pub(super) struct Known {
    count: u32,
    places: Places,
    /// The numbers of each row by its place, where they are more than a key holds.
    rows: Vec<Number>,
}

#[derive(Default)]
enum Places {
    #[default]
    None,
    /// For each number one more than its place; 0 where it has none.
    Dense(Vec<u32>),
    Hashed(Tables),
}

impl Known {
    /// How many rows are known.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Adds rows, with the same columns each time; `first` has those that were not known, `place` counts all that are.
    pub(super) fn add(
        &mut self,
        columns: &[&Column],
        rows: usize,
        ticks: &Ticks<'_>,
    ) -> Result<Distinct, Unfit> {
        match columns {
            [] => {
                let is_first = self.count == 0 && rows > 0;
                self.count = u32::from(self.count > 0 || is_first);
                Ok(Distinct { first: is_first.then_some(0).into_iter().collect(), place: vec![0; rows] })
            }
            [column] => self.add_numbers(&column.numbers, ticks),
            [one, other] => self.add_keys(rows, ticks, |row| {
                u64::from(one.numbers[row]) << 32 | u64::from(other.numbers[row])
            }),
            columns => self.add_rows(columns, rows, ticks),
        }
    }

    fn add_numbers(&mut self, numbers: &[Number], ticks: &Ticks<'_>) -> Result<Distinct, Unfit> {
        let highest = numbers.iter().copied().max().unwrap_or(0) as usize;
        let is_dense = match &self.places {
            Places::None => {
                highest <= numbers.len() / 2 + 1024
                    || highest <= numbers.len().saturating_mul(DENSE) && has_many(numbers)
            }
            Places::Dense(places) => {
                highest < places.len() || highest <= (numbers.len() + self.len()).saturating_mul(DENSE * 4)
            }
            _ => false,
        };
        if !is_dense {
            return self.add_keys(numbers.len(), ticks, |row| u64::from(numbers[row]));
        }
        if !matches!(self.places, Places::Dense(_)) {
            self.places = Places::Dense(vec![0; highest + 1]);
        }
        let Places::Dense(known) = &mut self.places else { return Err(Unfit::NotTaken) };
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
        Ok(Distinct { first, place })
    }

    fn add_keys(
        &mut self,
        rows: usize,
        ticks: &Ticks<'_>,
        key: impl Fn(usize) -> u64,
    ) -> Result<Distinct, Unfit> {
        let Self { count, places, .. } = self;
        let tables = places.hashed(ticks)?;
        let (mut first, mut place) = (Vec::new(), Vec::with_capacity(rows));
        for row in 0..rows {
            if row % BLOCK == 0 {
                ticks.tick(BLOCK * HASHED)?;
            }
            let key = key(row);
            let known = tables.find(key, |_| true);
            place.push(known.unwrap_or(*count));
            if known.is_none() {
                first.push(in_32_bits(row));
                tables.insert(key, *count, ticks)?;
                *count += 1;
            }
        }
        Ok(Distinct { first, place })
    }

    fn add_rows(&mut self, columns: &[&Column], rows: usize, ticks: &Ticks<'_>) -> Result<Distinct, Unfit> {
        let Self { count, places, rows: known_rows } = self;
        let tables = places.hashed(ticks)?;
        let (mut first, mut place) = (Vec::new(), Vec::with_capacity(rows));
        for row in 0..rows {
            if row % BLOCK == 0 {
                ticks.tick(BLOCK * HASHED)?;
            }
            let own = columns.iter().map(|column| column.numbers[row]);
            let key = own.clone().fold(0, |key, number| mixed(key ^ u64::from(number)));
            let known = tables.find(key, |place| {
                let start = place as usize * columns.len();
                known_rows[start..start + columns.len()].iter().copied().eq(own.clone())
            });
            place.push(known.unwrap_or(*count));
            if known.is_none() {
                first.push(in_32_bits(row));
                known_rows.extend(own);
                tables.insert(key, *count, ticks)?;
                *count += 1;
            }
        }
        Ok(Distinct { first, place })
    }
}

impl Places {
    /// The tables of hashes, with what was known before.
    fn hashed(&mut self, ticks: &Ticks<'_>) -> Result<&mut Tables, Unfit> {
        let dense = match self {
            Self::Hashed(tables) => return Ok(tables),
            Self::Dense(dense) => take(dense),
            Self::None => Vec::new(),
        };
        let mut tables = Tables::default();
        for (number, place) in (0_u64..).zip(dense).filter(|(_, place)| *place > 0) {
            tables.insert(number, place - 1, ticks)?;
        }
        *self = Self::Hashed(tables);
        match self {
            Self::Hashed(tables) => Ok(tables),
            _ => Err(Unfit::NotTaken),
        }
    }
}

/// The places of keys: in several tables where they are many, so that none takes long to grow.
#[derive(Default)]
struct Tables {
    tables: Vec<HashTable<(u64, u32)>>,
    count: usize,
}

impl Tables {
    /// The most keys of a table on the average (few in debug builds, so that tests get beyond), and how many more tables there are then.
    const MOST: usize = if cfg!(debug_assertions) { 1 << 4 } else { 1 << 16 };
    const GROWTH: usize = 16;

    #[inline]
    fn find(&self, key: u64, is_own: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = mixed(key);
        let table = self.tables.get(self.table(hash))?;
        table.find(hash, |(known, place)| *known == key && is_own(*place)).map(|(_, place)| *place)
    }

    #[inline]
    fn table(&self, hash: u64) -> usize {
        // A table looks at the lowest and the highest bits.
        (hash >> 32) as usize & self.tables.len().wrapping_sub(1) & 0xFFFF
    }

    fn insert(&mut self, key: u64, place: u32, ticks: &Ticks<'_>) -> Result<(), Unfit> {
        if self.count >= self.tables.len() * Self::MOST {
            let tables = (self.tables.len() * Self::GROWTH).max(1);
            let full = std::mem::replace(&mut self.tables, vec![HashTable::new(); tables]);
            for (key, place) in full.into_iter().flatten() {
                ticks.tick(HASHED)?;
                self.put(key, place);
            }
        }
        self.count += 1;
        self.put(key, place);
        Ok(())
    }

    fn put(&mut self, key: u64, place: u32) {
        let hash = mixed(key);
        let table = self.table(hash);
        self.tables[table].insert_unique(hash, (key, place), |(key, _)| mixed(*key));
    }
}

/// Whether numbers are likely to have many different values: few are sooner found in a small table.
fn has_many(numbers: &[Number]) -> bool {
    let step = numbers.len() / SAMPLE + 1;
    let mut sample: Vec<Number> = numbers.iter().step_by(step).copied().collect();
    let looked_at = sample.len();
    sample.sort_unstable();
    sample.dedup();
    sample.len() * 4 > looked_at
}

/// The hash of a key: both halves of a product.
#[inline]
fn mixed(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9E37_79B9_7F4A_7C15) * u128::from(0xD6E8_FEB8_6659_FD93_u64);
    (product >> 64) as u64 ^ product as u64
}

/// Tables have fewer than 2³² rows.
fn in_32_bits(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}
