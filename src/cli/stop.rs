//! How a command ends.

use crate::diagnostic::Failure;

/// Tells what a command that ran has to say to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Done, or yes.
    Yes,
    /// Ran fine, and the answer is no.
    No,
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
