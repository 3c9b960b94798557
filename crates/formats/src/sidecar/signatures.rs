//! Collects the distinct ways in which objects were written: the keys in order, with the traits of their values.

use crate::rewriting::KeyId;
use evalgraph_rdf::quad_buffer::BufferTermId;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// A place: a key of an object, and the class of the object.
pub(super) type PlaceKey = (KeyId, Option<BufferTermId>);

/// The traits of the value of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct ValueTraits {
    /// For a single value: whether its use of an array differs from the context.
    pub(super) turned: Option<bool>,
    /// For whole numbers: whether they have `.0`.
    pub(super) decimal: Option<bool>,
}

/// A distinct way of writing an object or array.
#[derive(Debug)]
pub(super) struct LayoutSignature<T> {
    pub(super) place: PlaceKey,
    pub(super) items: Vec<T>,
    /// How many objects or arrays are written in this way.
    pub(super) count: u64,
}

/// The distinct ways, in order of first occurrence.
#[derive(Debug)]
pub(super) struct SignatureTable<T> {
    all: Vec<LayoutSignature<T>>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl<T: Copy + Eq + std::hash::Hash> SignatureTable<T> {
    pub(super) fn new() -> Self {
        Self { all: Vec::new(), table: HashTable::new(), hasher: FixedState::default() }
    }

    /// Counts an object or array, and returns the number of its way of writing.
    pub(super) fn add(&mut self, place: PlaceKey, items: &[T]) -> u32 {
        let hash = self.hasher.hash_one((place, items));
        let Self { all, table, hasher } = self;
        let known = table.find(hash, |&at| {
            let known = &all[at as usize];
            known.place == place && known.items == items
        });
        if let Some(&known) = known {
            all[known as usize].count += 1;
            return known;
        }
        let number = u32::try_from(all.len()).expect("a document below 4 GiB has fewer objects");
        all.push(LayoutSignature { place, items: items.to_vec(), count: 1 });
        table.insert_unique(hash, number, |&at| {
            let known = &all[at as usize];
            hasher.hash_one((known.place, known.items.as_slice()))
        });
        number
    }

    pub(super) fn all(&self) -> &[LayoutSignature<T>] {
        &self.all
    }

    pub(super) fn get(&self, number: u32) -> &LayoutSignature<T> {
        &self.all[number as usize]
    }

    /// Returns the numbers of all ways, grouped by place, the most common first.
    pub(super) fn by_place(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.all.len() as u32).collect();
        numbers.sort_by_key(|&number| {
            let signature = self.get(number);
            (signature.place, std::cmp::Reverse(signature.count), number)
        });
        numbers
    }
}
