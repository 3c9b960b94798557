//! Pairs the questions of two checkpoints, by id or else by text.

use super::super::model::{Checkpoint, CheckpointItem};
use hashbrown::HashMap;
use std::collections::VecDeque;

/// Why two questions or records are taken as the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchedBy {
    /// They have the same id, or are equal.
    Id,
    /// They have the same text.
    Text,
    /// They share most of their members.
    Content,
    /// They have the same position among the unpaired records.
    Position,
}

impl MatchedBy {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Text => "text",
            Self::Content => "content",
            Self::Position => "position",
        }
    }
}

/// The questions of two checkpoints, by their positions.
pub(super) struct QuestionPairs {
    /// Questions of both checkpoints, in the order of the first.
    pub(super) both: Vec<(usize, usize, MatchedBy)>,
    pub(super) only_before: Vec<usize>,
    pub(super) only_after: Vec<usize>,
}

impl QuestionPairs {
    pub(super) fn new(before: &Checkpoint<'_>, after: &Checkpoint<'_>) -> Self {
        let mut partners: Vec<Option<(usize, MatchedBy)>> = vec![None; before.items.len()];
        let mut taken = vec![false; after.items.len()];
        for matched_by in [MatchedBy::Id, MatchedBy::Text] {
            let key = |item: &CheckpointItem<'_>| match matched_by {
                MatchedBy::Id => item.id.as_ref().map(|id| id.shown().into_owned()),
                _ => Some(item.question.text.shown().into_owned()),
            };
            let mut free: HashMap<String, VecDeque<usize>> = HashMap::new();
            for (at, item) in after.items.iter().enumerate().filter(|&(at, _)| !taken[at]) {
                if let Some(key) = key(item) {
                    free.entry(key).or_default().push_back(at);
                }
            }
            for (at, item) in before.items.iter().enumerate() {
                if partners[at].is_some() {
                    continue;
                }
                let partner = key(item).and_then(|key| free.get_mut(&key)?.pop_front());
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
