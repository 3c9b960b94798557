//! How a command ends.

use crate::diagnostic::{Failure, Report};

/// Tells what a command that ran has to say to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Done, or yes.
    Yes,
    /// Ran fine, and the answer is no.
    No,
}

/// Ends a command where something failed, which is reported.
pub(super) fn unless_failed(report: &Report) -> Result<(), Failure> {
    if report.has_failed() { Err(Failure::Reported) } else { Ok(()) }
}

/// Tells why a command ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The work failed.
    Failed(Failure),
    /// Whoever reads the output has seen enough.
    ClosedPipe,
}

impl<F: Into<Failure>> From<F> for Stop {
    fn from(failure: F) -> Self {
        Self::Failed(failure.into())
    }
}
