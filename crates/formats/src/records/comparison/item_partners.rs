//! Pairs the items of two arrays: first equal items, then items with the same id, the same text, the most members in
//! common, and last the same position. Results of models have the sample in place of an id, since ids of results differ
//! from run to run.

use crate::checkpoint::comparison::MatchedBy;
use crate::records::{FileShape, TableRunReader};
use crate::runs::RunReader as _;
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The members that are the id of an object.
const IDS: [&str; 3] = ["id", "sample_id", "result_id"];
/// The members that are the text by which people recognise an object.
const TEXTS: [&str; 10] =
    ["question", "query", "text", "input_text", "prompt", "content", "title", "username", "name", "filename"];
/// The most pairs of items that are compared member by member.
const MOST_COMPARED: usize = 1 << 20;

/// The items of an array.
pub(super) struct ComparedItems<'i> {
    document: &'i JsonDocument,
    items: &'i [TokenId],
    digests: Vec<u64>,
    /// The digests of ids.
    ids: Vec<Option<u64>>,
    /// For results of models, the digests of the sample with its attempt and its model, and of those without the model.
    samples: Vec<Option<[u64; 2]>>,
    /// The digests of texts. A text that several items share does not identify an item that has an id.
    texts: Vec<Option<u64>>,
}

impl<'i> ComparedItems<'i> {
    pub(super) fn new(document: &'i JsonDocument, items: &'i [TokenId]) -> Self {
        let of = |value: Option<TokenId>| value.map(|value| digest(document, value));
        let ids: Vec<_> = items.iter().map(|&item| of(id_of(document, item))).collect();
        let mut texts: Vec<_> = items.iter().map(|&item| of(text_of(document, item))).collect();
        let mut counts: HashMap<u64, usize> = HashMap::new();
        texts.iter().flatten().for_each(|&text| *counts.entry(text).or_default() += 1);
        for (text, id) in texts.iter_mut().zip(&ids) {
            *text = text.filter(|text| id.is_none() || counts[text] == 1);
        }
        let digests = items.iter().map(|&item| digest(document, item)).collect();
        let samples = vec![None; items.len()];
        Self { document, items, digests, ids, samples, texts }
    }

    /// Adds the samples of results of models.
    pub(super) fn with_samples(mut self, shape: &FileShape) -> Self {
        let Some(reader) = TableRunReader::from_shape(shape) else { return self };
        let mut samples: HashMap<TokenId, [u64; 2]> = HashMap::new();
        reader.results(self.document, &mut |result| {
            if result.sample.is_some() || result.question.is_some() {
                let sample = (&result.task, &result.sample, &result.repeat);
                let without_id = result.question.as_deref().filter(|_| result.sample.is_none());
                let of_sample = hash_of(&(sample, without_id));
                samples.insert(result.at, [hash_of(&(of_sample, &result.model)), of_sample]);
            }
        });
        self.samples = self.items.iter().map(|item| samples.get(item).copied()).collect();
        self
    }

    fn are_scalars_that_repeat(&self) -> bool {
        let mut known = HashSet::new();
        self.items.iter().all(|&item| self.document.is_scalar(item))
            && !self.digests.iter().all(|&digest| known.insert(digest))
    }

    fn members(&self, at: usize) -> HashMap<&'i str, u64> {
        let document = self.document;
        let members = document.members(self.items[at]);
        members.map(|member| (document.symbol_text(member.symbol), digest(document, member.value))).collect()
    }

    /// Returns whether an id or a sample says which record an item is.
    fn is_named(&self, at: usize) -> bool {
        self.ids[at].is_some() || self.samples[at].is_some()
    }

    fn sort(&self, at: usize) -> usize {
        sort(self.document, self.items[at])
    }
}

/// The pairs among the items of two arrays, each with the reason for the pairing.
///
/// Other methods are in `sidecar/json_difference/entry_pairing.rs`.
pub(crate) struct ItemPartners<B> {
    /// For each item of the first array, its partner in the second array.
    pub(crate) partners: Vec<Option<(usize, B)>>,
    /// For each item of the second array, `true` if it has no partner.
    pub(crate) is_free: Vec<bool>,
}

impl<B: Copy> ItemPartners<B> {
    /// Creates the table for arrays of these lengths, without partners.
    pub(crate) fn new(left: usize, right: usize) -> Self {
        Self { partners: vec![None; left], is_free: vec![true; right] }
    }

    /// Returns the items of the second array that have no partner.
    pub(crate) fn free(&self) -> impl Iterator<Item = usize> {
        (0..self.is_free.len()).filter(|&at| self.is_free[at])
    }

    /// Returns the items of the first array that have no partner.
    pub(crate) fn lone(&self) -> Vec<usize> {
        (0..self.partners.len()).filter(|&at| self.partners[at].is_none()).collect()
    }

    pub(crate) fn pair(&mut self, at: usize, partner: usize, by: B) {
        self.partners[at] = Some((partner, by));
        self.is_free[partner] = false;
    }

    /// Pairs items with the same key: the first with the first, the second with the second, and so on.
    pub(crate) fn by<K: Eq + Hash>(
        &mut self,
        left: impl Fn(usize) -> Option<K>,
        right: impl Fn(usize) -> Option<K>,
        by: B,
    ) {
        let lone = self.lone();
        if lone.is_empty() {
            return;
        }
        let mut places: HashMap<K, VecDeque<usize>> = HashMap::new();
        for at in self.free() {
            if let Some(said) = right(at) {
                places.entry(said).or_default().push_back(at);
            }
        }
        for at in lone {
            let partner = left(at).and_then(|said| places.get_mut(&said)?.pop_front());
            if let Some(partner) = partner {
                self.pair(at, partner, by);
            }
        }
    }
}

impl ItemPartners<MatchedBy> {
    pub(super) fn from_items(before: &ComparedItems<'_>, after: &ComparedItems<'_>) -> Self {
        let (left, right) = (before.items.len(), after.items.len());
        let mut pairs = Self::new(left, right);
        // Equal items at both ends keep their places, even if the same item occurs several times.
        let is_same = |at: usize, other: usize| before.digests[at] == after.digests[other];
        let first = (0..left.min(right)).take_while(|&at| is_same(at, at)).count();
        let most = left.min(right) - first;
        let last = (1..=most).take_while(|&back| is_same(left - back, right - back)).count();
        (0..first).for_each(|at| pairs.pair(at, at, MatchedBy::Id));
        (1..=last).for_each(|back| pairs.pair(left - back, right - back, MatchedBy::Id));
        // Scalars that repeat have a meaning by their positions, so they are not paired by their values.
        let is_positional =
            left == right && (before.are_scalars_that_repeat() || after.are_scalars_that_repeat());
        if !is_positional {
            pairs.by(|at| Some(before.digests[at]), |at| Some(after.digests[at]), MatchedBy::Id);
            for key in 0..2 {
                let sample = |items: &ComparedItems<'_>, at: usize| Some(items.samples[at]?[key]);
                pairs.by(|at| sample(before, at), |at| sample(after, at), MatchedBy::Id);
            }
            pairs.by(|at| before.ids[at], |at| after.ids[at], MatchedBy::Id);
            pairs.by(|at| before.texts[at], |at| after.texts[at], MatchedBy::Text);
            pairs.by_content(before, after);
        }
        pairs.by_position(before, after);
        pairs
    }

    /// Returns the pairs in the order of the first array.
    pub(super) fn both(&self) -> impl Iterator<Item = (usize, usize, MatchedBy)> {
        let partners = self.partners.iter().enumerate();
        partners.filter_map(|(at, partner)| partner.map(|(partner, by)| (at, partner, by)))
    }

    /// Pairs objects that share at least half of their members, the most similar first.
    fn by_content(&mut self, before: &ComparedItems<'_>, after: &ComparedItems<'_>) {
        // Results of different samples have nothing to do with each other, however alike they are.
        let lone: Vec<usize> = self.lone().into_iter().filter(|&at| before.samples[at].is_none()).collect();
        let free: Vec<usize> = self.free().filter(|&at| after.samples[at].is_none()).collect();
        // Each item is compared with each, so the number of pairs is limited.
        if lone.len().saturating_mul(free.len()) > MOST_COMPARED {
            return;
        }
        let others: Vec<_> = free.iter().map(|&at| (at, after.members(at))).collect();
        for at in lone {
            let members = before.members(at);
            let candidates = others.iter().filter(|(other, _)| self.is_free[*other]);
            let alike = candidates.filter_map(|(other, others)| {
                let shared = members.iter().filter(|(key, value)| others.get(*key) == Some(value)).count();
                let is_alike = shared > 0 && 2 * shared >= members.len().max(others.len());
                is_alike.then_some((shared, *other))
            });
            let best = alike.max_by_key(|&(shared, other)| (shared, std::cmp::Reverse(other)));
            if let Some((_, other)) = best {
                self.pair(at, other, MatchedBy::Content);
            }
        }
    }

    /// Pairs the remaining items of the same sort in their order, except items with different ids or samples, which are
    /// different records.
    fn by_position(&mut self, before: &ComparedItems<'_>, after: &ComparedItems<'_>) {
        let mut free: [[VecDeque<usize>; 2]; 3] = Default::default();
        for at in self.free() {
            free[after.sort(at)][usize::from(after.is_named(at))].push_back(at);
        }
        for at in self.lone() {
            let [without_id, with_id] = &mut free[before.sort(at)];
            let first = match (without_id.front(), with_id.front()) {
                (Some(one), Some(other)) if !before.is_named(at) && other < one => with_id.pop_front(),
                (None, Some(_)) if !before.is_named(at) => with_id.pop_front(),
                _ => without_id.pop_front(),
            };
            if let Some(other) = first {
                self.pair(at, other, MatchedBy::Position);
            }
        }
    }
}

/// Returns the sort of a value: scalar, object or array.
pub(crate) fn sort(document: &JsonDocument, value: TokenId) -> usize {
    usize::from(document.is_object(value)) + 2 * usize::from(document.is_array(value))
}

/// Returns the id of an object.
pub(super) fn id_of(document: &JsonDocument, value: TokenId) -> Option<TokenId> {
    scalar_member(document, value, &IDS)
}

/// Returns the text by which people recognise an object.
pub(super) fn text_of(document: &JsonDocument, value: TokenId) -> Option<TokenId> {
    scalar_member(document, value, &TEXTS)
}

fn scalar_member(document: &JsonDocument, value: TokenId, keys: &[&str]) -> Option<TokenId> {
    let is_object = document.is_object(value);
    let mut values = keys.iter().filter(|_| is_object).filter_map(|key| document.get(value, key));
    values.find(|&value| document.is_string(value) || document.number(value).is_some())
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns a digest of a value. Equal values have equal digests, whatever the order of their keys. Different values
/// may share a digest, so it only finds candidates. Recurses by level; the parser limits the depth.
fn digest(document: &JsonDocument, value: TokenId) -> u64 {
    let mut hasher = DefaultHasher::new();
    match document.kind(value) {
        JsonKind::Array => {
            '['.hash(&mut hasher);
            for item in document.items(value) {
                digest(document, item).hash(&mut hasher);
            }
        }
        JsonKind::Object => {
            let members = document.members(value);
            let sum = members.fold(0_u64, |sum, member| {
                let mut hasher = DefaultHasher::new();
                document.symbol_text(member.symbol).hash(&mut hasher);
                digest(document, member.value).hash(&mut hasher);
                sum.wrapping_add(hasher.finish())
            });
            ('{', sum).hash(&mut hasher);
        }
        JsonKind::String | JsonKind::EscapedString => {
            ('"', document.string(value).unwrap_or_default()).hash(&mut hasher);
        }
        _ => (' ', document.raw(value)).hash(&mut hasher),
    }
    hasher.finish()
}
