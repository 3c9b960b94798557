//! The kind of a value: everything about it except its text.

/// The kind of a value: everything about it except its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum ColumnTermKind {
    Iri,
    BlankNode,
    /// A literal without a language, with its datatype.
    Datatype(String),
    /// A literal with a language.
    Language(String),
}

impl ColumnTermKind {
    /// The text in a column of datatypes.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Iri => "iri".to_owned(),
            Self::BlankNode => "bnode".to_owned(),
            Self::Datatype(datatype) => datatype.clone(),
            Self::Language(language) => format!("@{language}"),
        }
    }
}

/// A kind of terms, as a number in order of first appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KindNumber(pub(super) u32);
