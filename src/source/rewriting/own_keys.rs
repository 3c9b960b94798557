//! How one node writes its keys, by number: what its layout says of each.

use super::forms::{Forms, KeyId};
use super::layout::NodeLayout;
use hashbrown::HashMap;

/// Tells how a node writes a key otherwise than its place.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct OwnKey<'l> {
    rank: Option<u32>,
    /// The hash of what the values say, and the JSON that they are spelled in.
    pub(super) spelled: Option<(&'l str, &'l str)>,
    /// The hashes of plain values in their order.
    pub(super) order: Option<&'l [String]>,
    pub(super) is_turned: bool,
    pub(super) is_decimal: bool,
}

/// Tells how a node writes all its keys.
#[derive(Debug, Default)]
pub(super) struct OwnKeys<'l> {
    /// Whether the node has an order of its own.
    is_ordered: bool,
    keys: HashMap<KeyId, OwnKey<'l>, foldhash::fast::FixedState>,
}

impl<'l> OwnKeys<'l> {
    pub(super) fn new(layout: &'l NodeLayout, forms: &mut Forms<'_>) -> Self {
        let mut own = Self { is_ordered: layout.keys.is_some(), ..Self::default() };
        let mut key = |text: &str, set: &dyn Fn(&mut OwnKey<'l>)| {
            set(own.keys.entry(forms.key(text)).or_default());
        };
        for (text, rank) in layout.keys.iter().flatten().zip(0..) {
            key(text, &|key| key.rank = key.rank.or(Some(rank)));
        }
        for (text, hash, json) in &layout.spelled {
            key(text, &|key| key.spelled = key.spelled.or(Some((hash, json))));
        }
        for (text, order) in &layout.order {
            key(text, &|key| key.order = key.order.or(Some(order)));
        }
        layout.turned.iter().for_each(|text| key(text, &|key| key.is_turned = true));
        layout.decimal.iter().for_each(|text| key(text, &|key| key.is_decimal = true));
        own
    }

    /// Returns what is said of a key.
    pub(super) fn get(&self, key: KeyId) -> OwnKey<'l> {
        self.keys.get(&key).copied().unwrap_or_default()
    }

    /// Tells where a key stands among the others; none where the node has no order of its own.
    pub(super) fn rank(&self, key: KeyId) -> Option<Option<u32>> {
        self.is_ordered.then(|| self.get(key).rank)
    }
}
