//! The parts of a difference between two objects or two arrays, as they are looked up.

use super::entries::Entry;
use crate::json::{Document, TokenId};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// The parts; those that a difference does not have are empty.
pub(super) struct Parts<'d> {
    pub(super) difference: &'d Document,
    /// The place of each name.
    order: HashMap<Cow<'d, str>, usize>,
    pub(super) absent: HashMap<&'d str, TokenId>,
    pub(super) first: Option<TokenId>,
    pub(super) after: HashMap<&'d str, TokenId>,
    pub(super) within: HashMap<&'d str, TokenId>,
    /// The names that something stands after, in their order.
    anchors: Vec<&'d str>,
}

impl<'d> Parts<'d> {
    pub(super) fn of(difference: &'d Document, parts: TokenId) -> Self {
        let entries = |name: &str| {
            let members = difference.get(parts, name).into_iter().flat_map(|part| difference.members(part));
            members.map(|member| (difference.symbol_text(member.symbol), member.value))
        };
        let names = difference.get(parts, "order").into_iter().flat_map(|order| difference.items(order));
        Self {
            difference,
            order: names
                .enumerate()
                .filter_map(|(place, name)| Some((difference.string(name)?, place)))
                .collect(),
            absent: entries("absent").collect(),
            first: difference.get(parts, "first"),
            after: entries("after").collect(),
            within: entries("in").collect(),
            anchors: entries("after").map(|(name, _)| name).collect(),
        }
    }

    /// The difference within what has that name.
    pub(super) fn within(&self, name: &str) -> Option<(&'d Document, TokenId)> {
        self.within.get(name).map(|&part| (self.difference, part))
    }

    /// Returns what stands after something that is gone.
    pub(super) fn left(&self, kept: &[Entry<'_>]) -> Vec<TokenId> {
        let there: HashSet<&str> = match self.anchors.is_empty() {
            true => HashSet::new(),
            false => kept.iter().map(|entry| &*entry.name).collect(),
        };
        let gone = self.anchors.iter().filter(|name| !there.contains(*name));
        gone.filter_map(|name| self.after.get(name).copied()).collect()
    }

    /// Entries in the order of the file; one that it does not have stays behind the one that it was
    /// written behind.
    pub(super) fn in_order<'e>(&self, entries: Vec<Entry<'e>>) -> Vec<Entry<'e>> {
        if self.order.is_empty() {
            return entries;
        }
        let mut place = None;
        let mut placed = Vec::with_capacity(entries.len());
        for entry in entries {
            place = self.order.get(&*entry.name).copied().or(place);
            placed.push((place, entry));
        }
        placed.sort_by_key(|(place, _)| *place);
        placed.into_iter().map(|(_, entry)| entry).collect()
    }
}
