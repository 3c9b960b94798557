//! A file that a conversion makes, and why one is not written.

use std::io;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Failure};
use crate::json::{Document, Limits, parse};

/// A file that is to be written: alone, or in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its path in a folder. Text of data may be in it.
    pub path: String,
    /// Its content.
    pub text: String,
}

impl Written {
    /// A file by its stem, in which no folder is asked for.
    pub(crate) fn of_stem(stem: &str, extension: &str, text: String) -> Self {
        Self { path: format!("{}.{extension}", stem.replace('/', "_")), text }
    }
}

/// Parses a text that was made here: it may be longer than an input.
pub(super) fn parsed(name: impl Into<Arc<str>>, text: String) -> Result<Document, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, ..Limits::default() })
}

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

impl From<io::Error> for WriteFailure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
