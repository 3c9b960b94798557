//! The order of records by one of the facts about them.

use std::cmp::Ordering;

use super::opened_records::{OpenedRecords, RecordFacts};
use evalgraph_text_keys::reading_order::{ReadingKey, ReadingOrder};

/// The fact by which records are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderKey {
    /// The id. Numbers in ids are ordered as numbers: `Q9` comes before `Q10`.
    Id,
    /// The text of the question.
    Text,
    /// The text of the answer.
    Answer,
    /// The keywords.
    Keywords,
    /// The state.
    State,
    /// The type.
    Type,
    /// When the record was created.
    Created,
    /// When the record was last changed.
    Modified,
}

impl OrderKey {
    /// All keys with their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("id", Self::Id),
        ("text", Self::Text),
        ("answer", Self::Answer),
        ("keywords", Self::Keywords),
        ("state", Self::State),
        ("type", Self::Type),
        ("created", Self::Created),
        ("modified", Self::Modified),
    ];

    fn value(self, facts: &RecordFacts) -> Option<String> {
        let joined = |values: &[String]| (!values.is_empty()).then(|| values.join("\n"));
        match self {
            Self::Id => facts.id.clone(),
            Self::Text => facts.text.clone(),
            Self::Answer => facts.answer.clone(),
            Self::Keywords => joined(&facts.keywords),
            Self::State => facts.state.clone(),
            Self::Type => joined(&facts.types),
            Self::Created => facts.created.clone(),
            Self::Modified => facts.modified.clone(),
        }
    }
}

/// Returns the records ordered by some facts, the most important first. Records that are equal in all of them keep
/// their order, and records without a value come last, in either direction.
pub fn ordered(
    opened: &OpenedRecords,
    keys: &[OrderKey],
    texts: &ReadingOrder,
    is_descending: bool,
) -> Vec<usize> {
    let value = |key: &OrderKey, facts| key.value(facts).map(|value| texts.key(&value));
    let values: Vec<Vec<Option<ReadingKey>>> =
        opened.facts.iter().map(|facts| keys.iter().map(|key| value(key, facts)).collect()).collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| {
        let pairs = values[one].iter().zip(&values[other]);
        let orders = pairs.map(|values| match values {
            (Some(one), Some(other)) => {
                let order = one.cmp(other);
                if is_descending { order.reverse() } else { order }
            }
            (one, other) => other.is_some().cmp(&one.is_some()),
        });
        orders.fold(Ordering::Equal, Ordering::then)
    });
    order
}
