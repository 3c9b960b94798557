//! A file that a conversion makes, and the failures of writing one.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_json::{JsonDocument, Limits, parse};

/// A file to write, either on its own or into a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its path in a folder. It may contain text from the data.
    pub path: String,
    /// Its content.
    pub text: String,
}

impl WrittenFile {
    /// Creates a file that is named by its stem, outside any folder.
    pub fn of_stem(stem: &str, extension: &str, text: String) -> Self {
        Self { path: format!("{}.{extension}", stem.replace('/', "_")), text }
    }
}

/// A file to copy as it is, such as a document of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedFile {
    /// Its path in a folder.
    pub path: String,
    /// The file that it is a copy of.
    pub from: PathBuf,
}

/// The files of a conversion.
#[derive(Debug, Default)]
pub struct WrittenFiles {
    /// Files to write.
    pub files: Vec<WrittenFile>,
    /// Files to copy.
    pub copies: Vec<CopiedFile>,
    /// A finding to report after they are written.
    pub note: Option<Diagnostic>,
}

/// Parses text made by a conversion. It may be longer than an input may be.
pub(super) fn parsed(name: impl Into<Arc<str>>, text: String) -> Result<JsonDocument, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, ..Limits::default() })
}

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
