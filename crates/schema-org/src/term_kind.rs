//! The kinds of terms.

/// The kind of a term. A few names are terms of two kinds: `Dermatology` is a class and a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VocabularyTermKind {
    /// The type of nodes.
    Class,
    /// The type of values: `Text` and its subtypes, `Date`, `Quantity` and so on.
    Datatype,
    /// A value that schema.org itself defines, of an enumeration or `Boolean`.
    Member,
    /// A property.
    Property,
}

impl VocabularyTermKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Class, Self::Datatype, Self::Member, Self::Property];

    /// The letter for the kind in tables.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Class => "C",
            Self::Datatype => "D",
            Self::Member => "M",
            Self::Property => "P",
        }
    }

    pub(super) fn of_letter(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}
