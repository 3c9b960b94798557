//! The rules of a system over files of records: what they measure by, and what they remember from one file to
//! the next.

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::validation::ValidationReport;
use crate::json::{Document, Encoding};
use crate::source::records::Recognised;
use crate::source::rlcf::RecordName;
use crate::source::train::Corpus;

/// A file that is to be checked.
pub(crate) struct CheckedFile<'f> {
    /// Its text.
    pub(crate) document: &'f Document,
    /// What it is.
    pub(crate) recognised: &'f Recognised,
    /// The encoding that it was in.
    pub(crate) encoding: Encoding,
    /// Its path, where it is one.
    pub(crate) path: Option<&'f Path>,
    /// Whether the directory that it lies in was named, not the file.
    pub(crate) is_of_directory: bool,
    /// The corpus beside it.
    pub(crate) corpus: Option<&'f Corpus>,
    /// The kind of its records, where it was named.
    pub(crate) record: Option<RecordName>,
    /// Whether it is one of several.
    pub(crate) is_one_of_several: bool,
}

/// The rules of a system in one run.
pub(crate) trait RecordRules: Send {
    /// Takes thresholds; without them the numbers of the documents count.
    ///
    /// # Errors
    /// What is no threshold, and a value that one cannot have.
    fn read_settings(&mut self, document: &Document) -> Result<(), Box<Diagnostic>>;

    /// Takes notice of a file before any is checked.
    ///
    /// # Errors
    /// Where the kinds of its records are not clear.
    fn notice(&mut self, _document: &Document, _record: Option<RecordName>) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    /// Checks a file by the rules of a name, else by its own; none where there are none of that name.
    ///
    /// # Errors
    /// Where the rules are about other files of the system.
    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<ValidationReport>, Box<Diagnostic>>;

    /// Returns what the rules about all files together say; nothing where one file is all.
    fn finish(&mut self) -> Option<(String, ValidationReport)> {
        None
    }
}
