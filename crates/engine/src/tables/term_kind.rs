//! The kind of a value: everything about it except its text.

use oxrdf::Term;

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
    /// The kind of a term.
    pub(super) fn from_term(term: &Term) -> Self {
        match term {
            Term::NamedNode(_) => Self::Iri,
            Term::BlankNode(_) => Self::BlankNode,
            Term::Literal(literal) => match literal.language() {
                Some(language) => Self::Language(language.to_owned()),
                None => Self::Datatype(literal.datatype().as_str().to_owned()),
            },
        }
    }

    /// Returns whether a term has this kind.
    pub(super) fn is_of(&self, term: &Term) -> bool {
        match (self, term) {
            (Self::Iri, Term::NamedNode(_)) | (Self::BlankNode, Term::BlankNode(_)) => true,
            (Self::Datatype(datatype), Term::Literal(literal)) => {
                literal.language().is_none() && literal.datatype().as_str() == datatype
            }
            (Self::Language(language), Term::Literal(literal)) => literal.language() == Some(language),
            _ => false,
        }
    }

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
