//! The reason why a file is not written.

use std::io;

use evalgraph_diagnostics::RunFailure;

/// The reason why a file is not written.
#[derive(Debug)]
pub enum WriteFailure {
    /// The conversion failed.
    Failed(RunFailure),
    /// The file cannot be put in its place.
    Io(io::Error),
}

impl From<RunFailure> for WriteFailure {
    fn from(failure: RunFailure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for WriteFailure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
