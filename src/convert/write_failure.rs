//! Why something is not written.

use std::io;

use crate::diagnostic::Failure;

/// Tells why something is not written.
#[derive(Debug)]
pub(crate) enum WriteFailure {
    /// It cannot be made.
    Failed(Failure),
    /// It cannot be put where it goes.
    Io(io::Error),
}

impl From<Failure> for WriteFailure {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
