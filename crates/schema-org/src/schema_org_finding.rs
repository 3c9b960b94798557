//! A finding, and the counts of findings.

use oxrdf::{NamedNode, Term};

use super::code::{CheckLevel, CheckRule};

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaOrgFinding {
    /// The rule.
    pub code: CheckRule,
    /// Its level in this check.
    pub level: CheckLevel,
    /// The IRI of the node, `_:` for any blank node, empty for the document as a whole.
    pub node: String,
    /// The local name of the property of schema.org or Croissant, the IRI of a property in another namespace, or
    /// `@type`; for findings about the document the prefix or the term; otherwise empty.
    pub property: String,
    /// The faulty name or text.
    pub term: Option<String>,
    /// The name that was meant, or that has replaced the term.
    pub suggest: Option<String>,
    /// The fault in words.
    pub message: String,
    /// The faulty statement, or the first of them; none if the document as a whole is faulty.
    pub statement: Option<FaultyStatement>,
    pub(super) page: Option<String>,
}

/// A statement of the data, or its faulty part, for finding its place. Blank nodes have the names from the dataset. In
/// a lost statement, terms that are not IRIs are still given as IRIs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyStatement {
    /// The node.
    pub node: Term,
    /// The property.
    pub predicate: Option<NamedNode>,
    /// The value.
    pub value: Option<Term>,
    /// The cell of the list that has the value as its item, if the item is lost.
    pub cell: Option<Term>,
}

impl SchemaOrgFinding {
    /// The page of schema.org about the relevant term: the one to use, or the faulty one. For rules of Croissant, the
    /// section of its specification.
    pub fn page(&self) -> Option<String> {
        self.page.clone()
    }
}

/// How many findings there were, and how many nodes were checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CheckSummary {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Infos.
    pub infos: u64,
    /// How many nodes were checked.
    pub nodes: u64,
    /// `true` if the document uses Croissant, so the rules of Croissant were checked, too.
    pub croissant: bool,
    /// `true` if no finding prevents conformance.
    pub conforms: bool,
}
