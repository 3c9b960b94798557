//! Pairs the members or items of a file with the written ones.
//!
//! `ItemPartners` is defined in `records/comparison/item_partners.rs`.

use super::named_entries::{self, NamedEntry};
use super::value_digest::ValueDigests;
use crate::records::comparison::{ItemPartners, sort};
use evalgraph_json::{JsonDocument, TokenId};
use hashbrown::HashMap;
use std::collections::VecDeque;

/// Two objects or two arrays side by side.
#[derive(Debug)]
pub(super) struct EntryPairing<'f, 'w> {
    pub(super) file: Vec<NamedEntry<'f>>,
    pub(super) written: Vec<NamedEntry<'w>>,
    /// For each entry of the file, the index of the written entry that belongs to it.
    pub(super) partners: Vec<Option<usize>>,
    /// The key that identifies items.
    pub(super) by: Option<&'w str>,
}

/// Pairs the members of two objects by key.
pub(super) fn of_objects<'f, 'w>(
    file: &'f JsonDocument,
    object: TokenId,
    written: &'w JsonDocument,
    written_object: TokenId,
) -> EntryPairing<'f, 'w> {
    let (file, written) =
        (named_entries::members(file, object), named_entries::members(written, written_object));
    let is_aligned =
        file.len() == written.len() && file.iter().zip(&written).all(|(left, right)| left.name == right.name);
    let partners = if is_aligned {
        (0..file.len()).map(Some).collect()
    } else {
        let places: HashMap<&str, usize> =
            written.iter().enumerate().map(|(at, entry)| (&*entry.name, at)).collect();
        file.iter().map(|entry| places.get(&*entry.name).copied()).collect()
    };
    EntryPairing { file, written, partners, by: None }
}

/// Pairs the items of two arrays: first items with the same name, then objects that share a member that no other object
/// has, then the remaining items in order.
pub(super) fn of_arrays<'f, 'w>(
    file: &mut ValueDigests<'f>,
    array: TokenId,
    written: &mut ValueDigests<'w>,
    written_array: TokenId,
) -> EntryPairing<'f, 'w> {
    let items: Vec<TokenId> = file.document.items(array).collect();
    let written_items: Vec<TokenId> = written.document.items(written_array).collect();
    let by = named_entries::telling_key(file, &items, written, &written_items);
    let digests = named_entries::digests(file, &items, by);
    let written_digests = named_entries::digests(written, &written_items, by);
    let mut pairs = ItemPartners::new(items.len(), written_items.len());
    pairs.by(|at| Some(digests[at]), |at| Some(written_digests[at]), ());
    if pairs.partners.contains(&None) && pairs.is_free.contains(&true) {
        pairs.by_own_member(file, &items, written, &written_items);
        pairs.by_order(file.document, &items, written.document, &written_items);
    }
    EntryPairing {
        file: named_entries::items(&items, &digests),
        written: named_entries::items(&written_items, &written_digests),
        partners: pairs.partners.into_iter().map(|partner| partner.map(|(at, ())| at)).collect(),
        by,
    }
}

impl ItemPartners<()> {
    fn by_own_member(
        &mut self,
        file: &mut ValueDigests<'_>,
        items: &[TokenId],
        written: &mut ValueDigests<'_>,
        written_items: &[TokenId],
    ) {
        let mut owners: HashMap<(&str, u128), Option<usize>> = HashMap::new();
        let document = written.document;
        for at in self.free() {
            for member in document.members(written_items[at]) {
                let said = (document.symbol_text(member.symbol), written.digest(member.value));
                // A member that a second item shares identifies neither of them, so it never gets an owner again.
                owners.entry(said).and_modify(|owner| *owner = None).or_insert(Some(at));
            }
        }
        let document = file.document;
        for at in self.lone() {
            let mut members = document.members(items[at]);
            let owner = members.find_map(|member| {
                let said = (document.symbol_text(member.symbol), file.digest(member.value));
                owners.get(&said).copied().flatten().filter(|&owner| self.is_free[owner])
            });
            if let Some(owner) = owner {
                self.pair(at, owner, ());
            }
        }
    }

    fn by_order(
        &mut self,
        file: &JsonDocument,
        items: &[TokenId],
        written: &JsonDocument,
        written_items: &[TokenId],
    ) {
        let mut left: [VecDeque<usize>; 3] = Default::default();
        for at in self.free() {
            left[sort(written, written_items[at])].push_back(at);
        }
        for at in self.lone() {
            if let Some(found) = left[sort(file, items[at])].pop_front() {
                self.pair(at, found, ());
            }
        }
    }
}
