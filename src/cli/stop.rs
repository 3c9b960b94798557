//! How a command ends.

use evalgraph_diagnostics::{RunFailure, RunReport};

/// The answer of a command that ran, which becomes the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandAnswer {
    /// Done, or yes.
    Yes,
    /// The command ran fine, and the answer is no.
    No,
}

/// Ends a command if a failure has been reported.
pub(super) fn unless_failed(report: &RunReport) -> Result<(), RunFailure> {
    if report.has_failed() { Err(RunFailure::Reported) } else { Ok(()) }
}

/// The reason why a command ends early.
#[derive(Debug)]
pub(super) enum CommandStop {
    /// The work failed.
    Failed(RunFailure),
    /// The reader of the output has closed it.
    ClosedPipe,
}

impl<F: Into<RunFailure>> From<F> for CommandStop {
    fn from(failure: F) -> Self {
        Self::Failed(failure.into())
    }
}
