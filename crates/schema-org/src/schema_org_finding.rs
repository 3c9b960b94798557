//! A finding, and how many there were.

use oxrdf::{NamedNode, Term};

use super::code::{CheckLevel, CheckRule};

/// What a check has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaOrgFinding {
    /// The rule.
    pub code: CheckRule,
    /// Its level in this check.
    pub level: CheckLevel,
    /// The IRI of the node, `_:` for any blank node, empty for the document as a whole.
    pub node: String,
    /// The local name of the property of schema.org or Croissant, the IRI of one of another namespace, or `@type`; for
    /// findings about the document the prefix or the term; else empty.
    pub property: String,
    /// The name or text at fault.
    pub term: Option<String>,
    /// The name that was meant, or that has taken the place of the term.
    pub suggest: Option<String>,
    /// The fault in words.
    pub message: String,
    /// The statement at fault, or the first one; none where the document as a whole is at fault.
    pub statement: Option<FaultyStatement>,
    pub(super) page: Option<String>,
}

/// A statement of the data, or the part of one that is at fault, to look for its place with. Blank nodes are named as the
/// dataset names them. In a lost statement, terms that are not IRIs are still given as IRIs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyStatement {
    /// The node.
    pub node: Term,
    /// The property.
    pub predicate: Option<NamedNode>,
    /// The value.
    pub value: Option<Term>,
    /// The cell of a list that has the value as its item, where that is lost.
    pub cell: Option<Term>,
}

impl SchemaOrgFinding {
    /// The page of schema.org about the term that matters, the one to use or the one at fault; for rules of Croissant the
    /// section of its specification.
    pub fn page(&self) -> Option<String> {
        self.page.clone()
    }
}

/// How many findings there were, and among how many nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CheckSummary {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Infos.
    pub infos: u64,
    /// How many nodes were looked at.
    pub nodes: u64,
    /// `true` if the document is of Croissant, so that the rules of Croissant were checked, too.
    pub croissant: bool,
    /// `true` if nothing stands against conformance.
    pub conforms: bool,
}
