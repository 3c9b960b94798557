//! The values and keys of a document, by their numbers.

/// A value or key of a [`JsonDocument`](super::JsonDocument).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(pub(super) u32);

impl TokenId {
    /// The position in the token list, in document order.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the token at a position.
    ///
    /// # Panics
    ///
    /// If no document can have that position.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("the parser ends before a token list outgrows u32"))
    }
}

/// A distinct key of a [`JsonDocument`](super::JsonDocument), numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeySymbol(pub(super) u32);

impl KeySymbol {
    /// The number, which is below [`JsonDocument::symbol_count`](super::JsonDocument::symbol_count).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number.
    Number,
    /// A string without escapes.
    String,
    /// A string with at least one escape.
    EscapedString,
    /// An array.
    Array,
    /// An object.
    Object,
    /// A key of an object.
    Key,
    /// A key that is replaced by a later equal key of the same object.
    ReplacedKey,
}

/// A key and its value.
#[derive(Debug, Clone, Copy)]
pub struct JsonMember {
    /// The key.
    pub key: TokenId,
    /// The symbol of the key.
    pub symbol: KeySymbol,
    /// The value.
    pub value: TokenId,
}
