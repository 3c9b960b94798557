//! Term definitions (section 4.2), and their parts.

use crate::name_interner::{InternedName, Keyword};
use evalgraph_json::{JsonDocument, TokenId};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// The base direction of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BaseDirection {
    /// `ltr`
    LeftToRight,
    /// `rtl`
    RightToLeft,
}

impl BaseDirection {
    /// The direction as it is written.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::LeftToRight => "ltr",
            Self::RightToLeft => "rtl",
        }
    }

    pub(crate) fn from_text(text: &str) -> Option<Self> {
        match text {
            "ltr" => Some(Self::LeftToRight),
            "rtl" => Some(Self::RightToLeft),
            _ => None,
        }
    }
}

/// A container mapping: a set of container keywords.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct ContainerMapping(u32);

impl ContainerMapping {
    pub(crate) fn from_keywords(keywords: impl IntoIterator<Item = Keyword>) -> Self {
        Self(keywords.into_iter().fold(0, |bits, keyword| bits | keyword.bit()))
    }

    #[inline]
    pub(crate) fn has(self, keyword: Keyword) -> bool {
        self.0 & keyword.bit() != 0
    }

    /// Returns whether values are read one by one: there is no container except `@set`.
    #[inline]
    pub(crate) fn is_plain(self) -> bool {
        self.0 & !Keyword::Set.bit() == 0
    }
}

impl fmt::Debug for ContainerMapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Container({:#b})", self.0)
    }
}

/// A type mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeMapping {
    Id,
    Vocab,
    Json,
    None,
    Iri(InternedName),
}

/// A context as it is written in a document.
#[derive(Debug, Clone)]
pub(crate) struct LocalContext {
    pub(crate) document: Arc<JsonDocument>,
    pub(crate) value: TokenId,
    pub(crate) base_url: Option<Rc<str>>,
}

impl LocalContext {
    /// Returns whether two definitions are the same: the same text resolved against the same URL.
    fn same(&self, other: &Self) -> bool {
        self.base_url == other.base_url && same_json(&self.document, self.value, &other.document, other.value)
    }
}

/// Returns whether two values are equal as JSON, regardless of the order of keys.
pub(crate) fn same_json(
    left: &JsonDocument,
    left_value: TokenId,
    right: &JsonDocument,
    right_value: TokenId,
) -> bool {
    if left.is_object(left_value) && right.is_object(right_value) {
        return left.members(left_value).count() == right.members(right_value).count()
            && left.members(left_value).all(|member| {
                right
                    .get(right_value, left.symbol_text(member.symbol))
                    .is_some_and(|value| same_json(left, member.value, right, value))
            });
    }
    if left.is_array(left_value) && right.is_array(right_value) {
        let (left_items, right_items) = (left.items(left_value), right.items(right_value));
        return left_items.clone().count() == right_items.clone().count()
            && left_items
                .zip(right_items)
                .all(|(left_item, right_item)| same_json(left, left_item, right, right_item));
    }
    match (left.string(left_value), right.string(right_value)) {
        (Some(left), Some(right)) => left == right,
        (None, None) => left.raw(left_value) == right.raw(right_value),
        _ => false,
    }
}

/// A term definition. In an optional setting, the outer `Option` says whether the setting is present, and an inner one
/// whether it is null.
#[derive(Debug, Clone, Default)]
pub(crate) struct TermDefinition {
    /// `None` is the null mapping.
    pub(crate) iri: Option<InternedName>,
    pub(crate) prefix: bool,
    pub(crate) protected: bool,
    pub(crate) reverse: bool,
    pub(crate) container: ContainerMapping,
    pub(crate) type_mapping: Option<TypeMapping>,
    pub(crate) language: Option<Option<InternedName>>,
    pub(crate) direction: Option<Option<BaseDirection>>,
    pub(crate) index: Option<InternedName>,
    pub(crate) nest: Option<InternedName>,
    pub(crate) context: Option<LocalContext>,
}

impl TermDefinition {
    /// Returns whether two definitions are equal except for protection (Create Term Definition, step 27.1).
    pub(crate) fn same_but_protection(&self, other: &Self) -> bool {
        self.iri == other.iri
            && self.prefix == other.prefix
            && self.reverse == other.reverse
            && self.container == other.container
            && self.type_mapping == other.type_mapping
            && self.language == other.language
            && self.direction == other.direction
            && self.index == other.index
            && self.nest == other.nest
            && match (&self.context, &other.context) {
                (Some(left), Some(right)) => left.same(right),
                (None, None) => true,
                _ => false,
            }
    }
}
