//! How a command ends.

use crate::diagnostic::Diagnostic;

/// What a command that ran has to say to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Done, or yes.
    Yes,
    /// Ran fine, and the answer is no.
    No,
}

/// Why a command ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// The report holds the reasons.
    Failed,
    /// One reason, not yet reported.
    Fault(Box<Diagnostic>),
    /// Whoever reads the output has seen enough.
    ClosedPipe,
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Fault(Box::new(diagnostic))
    }
}

impl From<Box<Diagnostic>> for Stop {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Fault(diagnostic)
    }
}
