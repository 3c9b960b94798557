//! Learns rules that hold for most objects of a place, from all objects of the place.

use super::merged_order::{MergedOrder, is_increasing};
use super::signatures::{LayoutSignature, PlaceKey, SignatureTable, ValueTraits};
use crate::rewriting::{KeyId, NodeLayout};
use evalgraph_rdf::quad_buffer::BufferTermId;
use hashbrown::HashMap;

/// The rules for most objects of a place, with keys and names given by number.
#[derive(Debug, Default)]
pub(super) struct LearnedPlace {
    pub(super) keys: Vec<KeyId>,
    of_key: HashMap<KeyId, LearnedKey>,
    pub(super) names: Vec<BufferTermId>,
}

/// How most objects of a place write a key. Each yes adds to a count, each no subtracts from it.
#[derive(Debug, Default)]
pub(super) struct LearnedKey {
    rank: usize,
    pub(super) turned: i64,
    pub(super) decimal: i64,
}

/// Counts an answer `times` times.
fn vote(answer: Option<bool>, times: i64) -> i64 {
    answer.map_or(0, |is_yes| if is_yes { times } else { -times })
}

impl LearnedPlace {
    /// Returns the keys for which most objects vote yes.
    pub(super) fn keys_with(&self, votes: fn(&LearnedKey) -> i64) -> Vec<KeyId> {
        let is_yes = |key: &&KeyId| self.of_key.get(*key).is_some_and(|key| votes(key) > 0);
        self.keys.iter().filter(is_yes).copied().collect()
    }
}

/// The places of a document.
pub(super) type LearnedPlaces = HashMap<PlaceKey, LearnedPlace>;

/// A key of an object, and the traits of its value.
pub(super) type MemberTraits = (KeyId, ValueTraits);

/// Learns the order and the forms of the keys of each place.
pub(super) fn keys(objects: &SignatureTable<MemberTraits>) -> LearnedPlaces {
    let mut places = LearnedPlaces::new();
    let numbers = objects.by_place();
    for group in numbers.chunk_by(|&left, &right| objects.get(left).place == objects.get(right).place) {
        // Objects with the same keys and traits share a signature, so each way of writing is merged only once.
        let mut order = MergedOrder::default();
        let mut of_key: HashMap<KeyId, LearnedKey> = HashMap::new();
        for signature in group.iter().map(|&number| objects.get(number)) {
            order.add(&signature.items.iter().map(|item| item.0).collect::<Vec<_>>());
            for (key, seen) in &signature.items {
                let known = of_key.entry(*key).or_default();
                known.turned += vote(seen.turned, signature.count as i64);
                known.decimal += vote(seen.decimal, signature.count as i64);
            }
        }
        let keys = order.items();
        // A key without a rank gets no rule.
        let ranked = keys.iter().enumerate().filter_map(|(rank, key)| {
            of_key.remove(key).map(|learned| (*key, LearnedKey { rank, ..learned }))
        });
        let of_key = ranked.collect();
        places.insert(objects.get(group[0]).place, LearnedPlace { keys, of_key, names: Vec::new() });
    }
    places
}

/// Learns the order of names for each place. Only names in several arrays are considered: for a name in a single array,
/// a position is shorter.
pub(super) fn names(arrays: &SignatureTable<BufferTermId>, places: &mut LearnedPlaces) {
    let numbers = arrays.by_place();
    for group in numbers.chunk_by(|&left, &right| arrays.get(left).place == arrays.get(right).place) {
        let mut counts: HashMap<BufferTermId, u64> = HashMap::new();
        for &number in group {
            let signature = arrays.get(number);
            for &name in &signature.items {
                *counts.entry(name).or_insert(0) += signature.count;
            }
        }
        let mut order = MergedOrder::default();
        for &number in group {
            let items = arrays.get(number).items.iter().copied();
            let often = items.filter(|name| counts.get(name).is_some_and(|&count| count > 1));
            order.add(&often.collect::<Vec<_>>());
        }
        places.entry(arrays.get(group[0]).place).or_default().names = order.items();
    }
}

/// Returns how an object differs from the rules of its place.
pub(super) fn exceptions(
    signature: &LayoutSignature<MemberTraits>,
    places: &LearnedPlaces,
    text: impl Fn(KeyId) -> String,
) -> NodeLayout {
    let mut layout = NodeLayout::default();
    let Some(place) = places.get(&signature.place) else { return layout };
    let ranks = signature.items.iter().map(|item| place.of_key.get(&item.0).map(|key| key.rank));
    let ranks: Vec<Option<usize>> = ranks.collect();
    if ranks.iter().any(Option::is_none) || !is_increasing(ranks.into_iter().flatten()) {
        layout.keys = Some(signature.items.iter().map(|item| text(item.0)).collect());
    }
    for (key, seen) in &signature.items {
        let learned = place.of_key.get(key);
        if seen.turned.is_some_and(|turned| turned != learned.is_some_and(|key| key.turned > 0)) {
            layout.turned.push(text(*key));
        }
        if seen.decimal.is_some_and(|decimal| decimal != learned.is_some_and(|key| key.decimal > 0)) {
            layout.decimal.push(text(*key));
        }
    }
    layout
}
