//! Sets of kinds that the values of an expression may have (SPARQL 1.1, section 17.1).

use std::ops::{BitAnd, BitOr};

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ValueKinds(u16);

impl ValueKinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const IRI: Self = Self(1);
    pub(crate) const BLANK: Self = Self(2);
    pub(crate) const STRING: Self = Self(4);
    pub(crate) const LANGUAGE: Self = Self(8);
    pub(crate) const BOOLEAN: Self = Self(16);
    pub(crate) const INTEGER: Self = Self(32);
    pub(crate) const DECIMAL: Self = Self(64);
    pub(crate) const FLOAT: Self = Self(128);
    pub(crate) const DOUBLE: Self = Self(256);
    /// `xsd:dateTime` with a value.
    pub(crate) const TIME: Self = Self(512);
    /// Any other literal, such as a date, or a literal without a value.
    pub(crate) const OTHER: Self = Self(1024);
    pub(crate) const EXACT: Self = Self(32 | 64);
    pub(crate) const NUMBER: Self = Self(32 | 64 | 128 | 256);
    pub(crate) const TEXT: Self = Self(4 | 8);
    pub(crate) const ALL: Self = Self(2047);

    pub(crate) fn may_be(self, kinds: Self) -> bool {
        self.0 & kinds.0 != 0
    }

    /// Returns whether all kinds are among these.
    pub(crate) fn are(self, kinds: Self) -> bool {
        self.0 & !kinds.0 == 0
    }
}

impl BitOr for ValueKinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for ValueKinds {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
