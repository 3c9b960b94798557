//! Reads a difference between two objects or two arrays part by part.

use super::named_entries::NamedEntry;
use evalgraph_json::{JsonDocument, TokenId};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// A part of a difference.
#[derive(Clone, Copy)]
pub(super) struct DifferencePart<'d> {
    pub(super) difference: &'d JsonDocument,
    pub(super) token: TokenId,
}

/// The parts of a difference; absent parts are empty.
pub(super) struct DifferenceParts<'d> {
    pub(super) difference: &'d JsonDocument,
    /// The key that identifies items.
    pub(super) by: Option<Cow<'d, str>>,
    /// The position of each name in the order of the file.
    order: HashMap<Cow<'d, str>, usize>,
    pub(super) absent: HashMap<&'d str, TokenId>,
    pub(super) first: Option<TokenId>,
    pub(super) after: HashMap<&'d str, TokenId>,
    pub(super) within: HashMap<&'d str, TokenId>,
    /// The names that entries of the file follow, in order.
    anchors: Vec<&'d str>,
}

impl<'d> DifferenceParts<'d> {
    pub(super) fn new(difference: &'d JsonDocument, parts: TokenId) -> Self {
        let entries = |name: &str| {
            let members = difference.get(parts, name).into_iter().flat_map(|part| difference.members(part));
            members.map(|member| (difference.symbol_text(member.symbol), member.value))
        };
        let names = difference.get(parts, "order").into_iter().flat_map(|order| difference.items(order));
        Self {
            difference,
            by: difference.get(parts, "by").and_then(|by| difference.string(by)),
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

    /// Returns the difference within the entry of that name.
    pub(super) fn within(&self, name: &str) -> Option<DifferencePart<'d>> {
        self.within.get(name).map(|&token| DifferencePart { difference: self.difference, token })
    }

    /// Returns the entries of the file whose predecessor is gone.
    pub(super) fn left(&self, kept: &[NamedEntry<'_>]) -> Vec<TokenId> {
        let there: HashSet<&str> = match self.anchors.is_empty() {
            true => HashSet::new(),
            false => kept.iter().map(|entry| &*entry.name).collect(),
        };
        let gone = self.anchors.iter().filter(|name| !there.contains(*name));
        gone.filter_map(|name| self.after.get(name).copied()).collect()
    }

    /// Sorts entries into the order of the file. An entry that is not in this order stays after the entry that it was
    /// written after.
    pub(super) fn in_order<'e>(&self, entries: Vec<NamedEntry<'e>>) -> Vec<NamedEntry<'e>> {
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
