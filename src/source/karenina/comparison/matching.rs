//! Which question of one checkpoint is which of the other: by id, else by text.

use super::super::checkpoint::{Checkpoint, Item};
use hashbrown::HashMap;
use std::borrow::Cow;
use std::collections::VecDeque;

/// Tells what told that two questions are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchedBy {
    /// The id of the item.
    Id,
    /// The text.
    Text,
}

impl MatchedBy {
    fn key(self, item: &Item<'_>) -> Option<String> {
        match self {
            Self::Id => item.id.as_ref().map(|id| id.shown().into_owned()),
            Self::Text => Some(item.question.text.shown().into_owned()),
        }
    }
}

/// The questions of two checkpoints, by their positions.
pub(super) struct Pairs {
    /// Questions of both, in the order of the first.
    pub(super) both: Vec<(usize, usize, MatchedBy)>,
    pub(super) only_before: Vec<usize>,
    pub(super) only_after: Vec<usize>,
}

type Positions<'t> = HashMap<Cow<'t, str>, VecDeque<usize>>;

impl Pairs {
    pub(super) fn of(before: &Checkpoint<'_>, after: &Checkpoint<'_>) -> Self {
        let mut partners: Vec<Option<(usize, MatchedBy)>> = vec![None; before.items.len()];
        let mut taken = vec![false; after.items.len()];
        for matched_by in [MatchedBy::Id, MatchedBy::Text] {
            let key = |item: &Item<'_>| matched_by.key(item);
            let mut free = Positions::new();
            for (at, item) in after.items.iter().enumerate().filter(|&(at, _)| !taken[at]) {
                if let Some(key) = key(item) {
                    free.entry(Cow::Owned(key)).or_default().push_back(at);
                }
            }
            for (at, item) in before.items.iter().enumerate() {
                if partners[at].is_some() {
                    continue;
                }
                let partner = key(item).and_then(|key| free.get_mut(key.as_str())?.pop_front());
                if let Some(partner) = partner {
                    partners[at] = Some((partner, matched_by));
                    taken[partner] = true;
                }
            }
        }
        let both =
            partners.iter().enumerate().filter_map(|(at, partner)| partner.map(|(to, by)| (at, to, by)));
        Self {
            both: both.collect(),
            only_before: (0..partners.len()).filter(|&at| partners[at].is_none()).collect(),
            only_after: (0..taken.len()).filter(|&at| !taken[at]).collect(),
        }
    }
}
