//! How work ends early.

use super::Diagnostic;

/// The reason why work ends early.
#[derive(Debug)]
pub enum Failure {
    /// The [report](super::Report) holds the reasons.
    Reported,
    /// One reason, not yet reported.
    Fault(Box<Diagnostic>),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Fault(Box::new(diagnostic))
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Fault(diagnostic)
    }
}
