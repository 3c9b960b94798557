//! The members of a compacted object before they are written.

use std::rc::Rc;

use super::compaction_context::CompactedProperty;
use crate::name_interner::InternedName;
use evalgraph_json::TokenId;

/// The part of a node object that becomes its key in a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapKeySource {
    Nothing,
    /// The id, if its key is this one.
    Id(InternedName),
    /// The first type, if the key of the types is this one.
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
    /// `true` if it stands in `@reverse`.
    pub(crate) in_reverse: bool,
    /// `true` if its values were compacted as those of a reverse property.
    pub(crate) is_reversed: bool,
    /// Where its items begin; they end where those of the next entry begin.
    pub(crate) first_item: usize,
    /// The place of its errors.
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
