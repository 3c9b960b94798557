//! What goes wrong while a query is evaluated.

use crate::diagnostic::Diagnostic;

/// An error of an evaluation under way.
pub type EvaluationError = Box<Diagnostic>;

/// Returns what the dataset reported.
pub(super) fn dataset_error(error: impl std::error::Error) -> EvaluationError {
    Box::new(Diagnostic::error("sparql::dataset", error.to_string()))
}
