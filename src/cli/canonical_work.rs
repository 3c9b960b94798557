//! The limit on the work for a canonical form, and the error for a dataset that exceeds it.

use clap::Args;

use evalgraph_canonicalization::{CanonicalizationError, CanonicalizationOptions};
use evalgraph_diagnostics::Diagnostic;

/// Limits the work for blank nodes that are hard to distinguish.
#[derive(Debug, Args)]
pub(super) struct WorkArguments {
    /// Most steps for blank nodes that look alike
    ///
    /// Steps are hashes and permutations, for blank nodes that their own quads do not distinguish
    #[arg(long, value_name = "STEPS", default_value_t = CanonicalizationOptions::WORK_LIMIT)]
    pub(super) max_work: u64,
}

/// Returns the error for a dataset without a canonical form.
pub(super) fn refused(name: &str, error: &CanonicalizationError) -> Diagnostic {
    let message = format!("`{name}` cannot be canonicalized: {error}");
    match error {
        CanonicalizationError::WorkLimit(_) => Diagnostic::error("canon::work-limit", message)
            .with_help("such a graph is rare, or built as an attack; `--max-work STEPS` allows more"),
        CanonicalizationError::BlankNodePredicate => Diagnostic::error("canon::blank-predicate", message),
    }
}
