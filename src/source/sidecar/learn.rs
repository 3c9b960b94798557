//! What holds for most objects of a place, from how all of them were written.

use super::signatures::{PlaceKey, Seen, Signature, Signatures};
use crate::rdf::quad_buffer::TermId;
use crate::source::rewriting::{KeyId, NodeLayout};
use hashbrown::HashMap;
use std::hash::Hash;

/// What holds for most objects of a place, by numbers.
#[derive(Debug, Default)]
pub(super) struct Learned {
    pub(super) keys: Vec<KeyId>,
    pub(super) turned: Vec<KeyId>,
    pub(super) decimal: Vec<KeyId>,
    pub(super) names: Vec<TermId>,
}

/// The places of a document.
pub(super) type Places = HashMap<PlaceKey, Learned>;

/// A key of an object, and what was seen of its value.
pub(super) type Member = (KeyId, Seen);

/// Learns order and forms of the keys of each place.
pub(super) fn keys(objects: &Signatures<Member>) -> Places {
    let mut places = Places::new();
    let numbers = objects.by_place();
    for group in numbers.chunk_by(|&left, &right| objects.get(left).place == objects.get(right).place) {
        let signatures: Vec<&Signature<Member>> = group.iter().map(|&number| objects.get(number)).collect();
        let orders = signatures.iter().map(|signature| signature.items.iter().map(|item| item.0).collect());
        let keys = merged(orders);
        let commonest = |seen: fn(&Seen) -> Option<bool>| -> Vec<KeyId> {
            let is_common = |key: &&KeyId| {
                let of_key = signatures.iter().flat_map(|signature| {
                    let items = signature.items.iter().filter(|item| item.0 == **key);
                    items.filter_map(|item| seen(&item.1)).map(|answer| (answer, signature.count))
                });
                let (yes, no) = of_key.fold((0, 0), |(yes, no), (answer, count)| match answer {
                    true => (yes + count, no),
                    false => (yes, no + count),
                });
                yes > no
            };
            keys.iter().filter(is_common).copied().collect()
        };
        let (turned, decimal) = (commonest(|seen| seen.turned), commonest(|seen| seen.decimal));
        places.insert(signatures[0].place, Learned { keys, turned, decimal, names: Vec::new() });
    }
    places
}

/// Learns the order of names of each place: of those that stand in more than one array, for the
/// others say less than a position.
pub(super) fn names(arrays: &Signatures<TermId>, places: &mut Places) {
    let numbers = arrays.by_place();
    for group in numbers.chunk_by(|&left, &right| arrays.get(left).place == arrays.get(right).place) {
        let mut counts: HashMap<TermId, u64> = HashMap::new();
        for &number in group {
            let signature = arrays.get(number);
            for &name in &signature.items {
                *counts.entry(name).or_insert(0) += signature.count;
            }
        }
        let orders = group.iter().map(|&number| {
            let items = arrays.get(number).items.iter().copied();
            items.filter(|name| counts.get(name).is_some_and(|&count| count > 1)).collect()
        });
        places.entry(arrays.get(group[0]).place).or_default().names = merged(orders);
    }
}

/// One order out of many, the more important ones first: what contradicts is left aside.
fn merged<T: Copy + Eq + Hash>(orders: impl Iterator<Item = Vec<T>>) -> Vec<T> {
    let mut merged: Vec<T> = Vec::new();
    let mut ranks: HashMap<T, usize> = HashMap::new();
    for order in orders {
        if !is_increasing(order.iter().filter_map(|item| ranks.get(item)).copied()) || has_twice(&order) {
            continue;
        }
        let mut at = 0;
        let mut is_longer = false;
        for item in order {
            match ranks.get(&item) {
                // Ranks are those before this order; what it has put in lies before `at`.
                Some(_) => at = merged.iter().position(|known| *known == item).map_or(at, |found| found + 1),
                None => {
                    merged.insert(at, item);
                    at += 1;
                    is_longer = true;
                }
            }
        }
        if is_longer {
            ranks = merged.iter().copied().zip(0..).collect();
        }
    }
    merged
}

fn has_twice<T: Copy + Eq + Hash>(order: &[T]) -> bool {
    let mut seen = hashbrown::HashSet::new();
    !order.iter().all(|item| seen.insert(*item))
}

/// Whether each number is larger than the one before.
pub(super) fn is_increasing(numbers: impl Iterator<Item = usize>) -> bool {
    let mut last = None;
    for number in numbers {
        if last.is_some_and(|last| last >= number) {
            return false;
        }
        last = Some(number);
    }
    true
}

/// What an object has otherwise than most of its place.
pub(super) fn exceptions(
    signature: &Signature<Member>,
    places: &Places,
    text: impl Fn(KeyId) -> String,
) -> NodeLayout {
    let mut layout = NodeLayout::default();
    let Some(place) = places.get(&signature.place) else { return layout };
    let ranks = signature.items.iter().map(|item| place.keys.iter().position(|key| *key == item.0));
    let ranks: Vec<Option<usize>> = ranks.collect();
    if ranks.iter().any(Option::is_none) || !is_increasing(ranks.into_iter().flatten()) {
        layout.keys = Some(signature.items.iter().map(|item| text(item.0)).collect());
    }
    for (key, seen) in &signature.items {
        if seen.turned.is_some_and(|turned| turned != place.turned.contains(key)) {
            layout.turned.push(text(*key));
        }
        if seen.decimal.is_some_and(|decimal| decimal != place.decimal.contains(key)) {
            layout.decimal.push(text(*key));
        }
    }
    layout
}
