//! Spellings that are kept for values, and the comparison of two values.

use crate::records::comparison::is_same_scalar;
use crate::sidecar::json_difference::value_hash;
use crate::sidecar::members::MemberWriter;
use evalgraph_json::{JsonDocument, TokenId};

/// Returns whether two values are equal, ignoring the order of members.
///
/// Recurses by level; the parser limits the depth.
pub(super) fn is_same(left: &JsonDocument, value: TokenId, right: &JsonDocument, other: TokenId) -> bool {
    if left.kind(value) == right.kind(other) && left.is_object(value) {
        return left.members(value).count() == right.members(other).count()
            && left.members(value).all(|member| {
                let found = right.get(other, left.symbol_text(member.symbol));
                found.is_some_and(|found| is_same(left, member.value, right, found))
            });
    }
    if left.kind(value) == right.kind(other) && left.is_array(value) {
        return left.items(value).count() == right.items(other).count()
            && left
                .items(value)
                .zip(right.items(other))
                .all(|(item, found)| is_same(left, item, right, found));
    }
    is_same_scalar(left, value, right, other)
}

/// The spelling of a value, which is valid while the value has the hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpelledValue {
    pub(super) hash: String,
    pub(super) text: String,
}

impl SpelledValue {
    pub(super) fn new(document: &JsonDocument, value: TokenId, text: &str) -> Self {
        Self { hash: value_hash(document, value), text: text.to_owned() }
    }

    /// Returns the spelling, if the value has not changed.
    pub(super) fn text_of(&self, document: &JsonDocument, value: TokenId) -> Option<&str> {
        (self.hash == value_hash(document, value)).then_some(self.text.as_str())
    }

    pub(super) fn encode(&self, members: &mut MemberWriter) {
        members.array([&self.hash, &self.text], |members, text| members.json.string(text));
    }

    pub(super) fn decode(json: &JsonDocument, pair: TokenId) -> Option<Self> {
        let mut texts = json.items(pair).map(|text| json.string(text));
        let mut next = || Some(texts.next()??.into_owned());
        Some(Self { hash: next()?, text: next()? })
    }
}
