//! How a command ends.

use evalgraph_diagnostics::{Failure, Report};

/// The answer of a command that ran, which becomes the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Done, or yes.
    Yes,
    /// Ran fine, and the answer is no.
    No,
}

/// Ends a command where a failure has been reported.
pub(super) fn unless_failed(report: &Report) -> Result<(), Failure> {
    if report.has_failed() { Err(Failure::Reported) } else { Ok(()) }
}

/// The reason why a command ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The work failed.
    Failed(Failure),
    /// The reader of the output has closed it.
    ClosedPipe,
}

impl<F: Into<Failure>> From<F> for Stop {
    fn from(failure: F) -> Self {
        Self::Failed(failure.into())
    }
}
