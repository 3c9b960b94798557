//! The results of a validation as the engine keeps them: numbers of terms, shapes and constraints.

use oxrdf::{Literal, Term};

use super::ids::ShapeId;
use evalgraph_store::TermId;

/// A result: a focus node that fails a constraint (SHACL, section 3.6.2).
#[derive(Debug, Clone)]
pub(super) struct ConstraintFinding {
    pub(super) shape: ShapeId,
    /// The index of the constraint among those of the shape.
    pub(super) constraint: u32,
    pub(super) focus: TermId,
    pub(super) value: Option<TermId>,
    /// The predicate that is the path of the result; none if the path is that of the shape.
    pub(super) path: Option<TermId>,
    /// How many values the constraint has counted, or how many inner shapes a value conforms to.
    pub(super) count: Option<u64>,
    /// The number of the shape, from 1, among the alternatives of the outer constraint.
    pub(super) alternative: Option<u32>,
    /// The failures of inner shapes that led to the result.
    pub(super) details: Option<Box<InnerFailures>>,
    /// The part of the result that comes from a query.
    pub(super) solution: Option<Box<ResultSolution>>,
}

/// Failures of inner shapes.
#[derive(Debug, Clone, Default)]
pub(super) struct InnerFailures {
    pub(super) findings: Vec<ConstraintFinding>,
    /// How many more there are.
    pub(super) left_out: u64,
}

/// The part of a result that comes from a solution of a query.
#[derive(Debug, Clone, Default)]
pub(super) struct ResultSolution {
    /// The value of `?message`.
    pub(super) message: Option<Literal>,
    /// The variables by name, for the templates of messages.
    pub(super) bindings: Vec<(String, Term)>,
}

/// The findings of a check, or only that there are any.
pub(super) enum CheckFindings<'f> {
    /// The first failure ends the check.
    Only,
    All(&'f mut Vec<ConstraintFinding>),
}

impl CheckFindings<'_> {
    /// The same findings for an inner check.
    pub(super) fn again(&mut self) -> CheckFindings<'_> {
        match self {
            Self::Only => CheckFindings::Only,
            Self::All(findings) => CheckFindings::All(findings),
        }
    }

    pub(super) fn wants_all(&self) -> bool {
        matches!(self, Self::All(_))
    }
}
