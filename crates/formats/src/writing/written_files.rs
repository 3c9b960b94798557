//! The files that a conversion makes, and those that it copies.

use std::path::PathBuf;
use std::sync::Arc;

use evalgraph_diagnostics::Diagnostic;
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
///
/// # Errors
/// A diagnostic for text that is not JSON.
pub fn parsed(name: impl Into<Arc<str>>, text: String) -> Result<JsonDocument, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, ..Limits::default() })
}
