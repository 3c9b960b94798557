//! Merges many orders into one, for the keys of a place or the names in its arrays.

use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::hash::Hash;

/// The distance between the labels of items that are appended.
const GAP: u64 = 1 << 32;

/// The divisor for the room between two items: a new item takes this part of it, next to the later item, because most
/// of the items that follow are inserted before the new one.
const PART: u64 = 1 << 10;

/// An order that other orders are merged into, the most important first. Each item has a number as its label, with room
/// between labels, so merging an order takes time in proportion to its own length only.
#[derive(Debug)]
pub(super) struct MergedOrder<T> {
    items: BTreeMap<u64, T>,
    labels: HashMap<T, u64>,
}

impl<T> Default for MergedOrder<T> {
    fn default() -> Self {
        Self { items: BTreeMap::new(), labels: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> MergedOrder<T> {
    /// Merges an order: a new item is inserted directly after its predecessor. An order that contradicts this one or
    /// contains an item twice is ignored.
    pub(super) fn add(&mut self, order: &[T]) {
        let known = order.iter().filter_map(|item| self.labels.get(item)).copied();
        if !is_increasing(known) || has_twice(order) {
            return;
        }
        // The known items are in order, so each run of new items finds its room directly after the item before it.
        let (mut before, mut rest) = (None, order);
        while !rest.is_empty() {
            let new = rest.iter().take_while(|item| self.is_new(item)).count();
            if new > 0 {
                self.insert(before, &rest[..new]);
            }
            let (run, tail) = rest.split_at(new.max(1));
            before = run.last().copied();
            rest = tail;
        }
    }

    /// Returns the items in order.
    pub(super) fn items(self) -> Vec<T> {
        self.items.into_values().collect()
    }

    fn is_new(&self, item: &T) -> bool {
        !self.labels.contains_key(item)
    }

    /// Inserts items directly after an item, or before all items.
    fn insert(&mut self, before: Option<T>, run: &[T]) {
        let (first, step) = self.room(before, run.len() as u64).unwrap_or_else(|| {
            self.spread();
            // There is room for 2⁵⁰ items, more than any document has.
            self.room(before, run.len() as u64).unwrap_or((0, 1))
        });
        for (item, at) in run.iter().zip(0..) {
            let label = first + at * step;
            self.items.insert(label, *item);
            self.labels.insert(*item, label);
        }
    }

    /// Returns the label of the first of `count` items after an item, and the distance between their labels, or `None`
    /// if there is no room.
    fn room(&self, before: Option<T>, count: u64) -> Option<(u64, u64)> {
        let before = before.and_then(|item| self.labels.get(&item)).copied();
        let start = before.unwrap_or(0);
        let next = match before {
            Some(before) => self.items.range(before + 1..).next(),
            None => self.items.iter().next(),
        };
        match next {
            Some((&next, _)) => {
                let step = (next - start) / (PART + count);
                (step > 0).then(|| (next - count * step, step))
            }
            None => start.checked_add(GAP.checked_mul(count)?).map(|_| (start + GAP, GAP)),
        }
    }

    /// Gives all items labels with equal room between them.
    fn spread(&mut self) {
        let room = u64::MAX / (self.items.len() as u64 + 2);
        let items = std::mem::take(&mut self.items).into_values();
        self.items = (1..).map(|number: u64| number * room).zip(items).collect();
        self.labels = self.items.iter().map(|(label, item)| (*item, *label)).collect();
    }
}

fn has_twice<T: Copy + Eq + Hash>(order: &[T]) -> bool {
    let mut seen = HashSet::new();
    !order.iter().all(|item| seen.insert(*item))
}

/// Returns whether each number is larger than the one before it.
pub(super) fn is_increasing<N: PartialOrd>(numbers: impl Iterator<Item = N>) -> bool {
    numbers.is_sorted_by(|left, right| left < right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(orders: &[&[u32]]) -> Vec<u32> {
        let mut merged = MergedOrder::default();
        orders.iter().for_each(|order| merged.add(order));
        merged.items()
    }

    #[test]
    fn new_items_stand_behind_the_item_before_them() {
        assert_eq!(merged(&[&[1, 2, 3], &[1, 4, 5, 3], &[6, 1], &[3, 7]]), [6, 1, 4, 5, 2, 3, 7]);
        assert_eq!(merged(&[&[1, 2, 3], &[2, 1, 9], &[8, 8], &[3]]), [1, 2, 3]);
    }

    #[test]
    fn there_is_room_for_any_number_of_items() {
        let count = 100_000;
        let mut merged = MergedOrder::default();
        merged.add(&[0, 1]);
        (2..count).for_each(|item| merged.add(&[0, item, 1]));
        let expected: Vec<u32> = [0].into_iter().chain((2..count).rev()).chain([1]).collect();
        assert_eq!(merged.items(), expected);
        let mut merged = MergedOrder::default();
        (1..count).for_each(|item| merged.add(&[item - 1, item]));
        assert_eq!(merged.items(), (0..count).collect::<Vec<_>>());
        let mut merged = MergedOrder::default();
        (1..count).for_each(|item| merged.add(&[item, item - 1]));
        assert_eq!(merged.items(), (0..count).rev().collect::<Vec<_>>());
    }
}
