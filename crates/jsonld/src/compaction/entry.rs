//! The members of a compacted object before they are written.

use std::rc::Rc;

use super::compaction_context::CompactedProperty;
use crate::name_interner::InternedName;
use evalgraph_json::TokenId;

/// The part of a node object that becomes its key in a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapKeySource {
    Nothing,
    /// The id, if this key is the one for ids.
    Id(InternedName),
    /// The first type, if this key is the one for types.
    Type(InternedName),
    /// The first value of the property with one of these keys, if it is a string.
    Property([InternedName; 2]),
}

/// A member of the compacted object.
#[derive(Debug, Clone)]
pub(crate) struct CompactedMember {
    pub(crate) kind: EntryKind,
    pub(crate) property: Rc<CompactedProperty>,
    /// The key of the object that it is nested in.
    pub(crate) nest: Option<InternedName>,
    /// `true` if the member is in `@reverse`.
    pub(crate) in_reverse: bool,
    /// `true` if the values were compacted as values of a reverse property.
    pub(crate) is_reversed: bool,
    /// The first of its items; they end where the items of the next entry begin.
    pub(crate) first_item: usize,
    /// The place for errors about it.
    pub(crate) token: TokenId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Id,
    /// An index, language or direction.
    Text(TokenId),
    Types,
    Values,
    EmptyArray,
}
