//! The rules of a system over files of records, with their thresholds and what they remember from one file to
//! the next.

use std::path::Path;

use crate::records::RecognisedRecords;
use crate::rlcf::RecordName;
use crate::train::Corpus;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, TextEncoding};

/// A file that is to be checked.
pub struct CheckedFile<'f> {
    /// Its text.
    pub document: &'f JsonDocument,
    /// The system and the kind that it was recognised as.
    pub recognised: &'f RecognisedRecords,
    /// The encoding that it was in.
    pub encoding: TextEncoding,
    /// Its path, where it is one.
    pub path: Option<&'f Path>,
    /// `true` if the directory that it lies in was named, not the file.
    pub is_of_directory: bool,
    /// The corpus beside it.
    pub corpus: Option<&'f Corpus>,
    /// The kind of its records, where it was named.
    pub record: Option<RecordName>,
    /// `true` if it is one of several.
    pub is_one_of_several: bool,
}

/// The rules of a system in one run.
pub trait RecordRules: Send {
    /// Reads thresholds; without them the numbers in the documents count.
    ///
    /// # Errors
    /// A diagnostic at a key that is not a threshold, or at a value that a threshold cannot have.
    fn read_settings(&mut self, document: &JsonDocument) -> Result<(), Box<Diagnostic>>;

    /// Looks at a file before any file is checked.
    ///
    /// # Errors
    /// Where the kinds of its records are not clear.
    fn notice(
        &mut self,
        _document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    /// Checks a file by the rules of a name, or else by the rules of its own kind; none where no rules have the name.
    ///
    /// # Errors
    /// Where the rules are about other files of the system.
    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<RuleReport>, Box<Diagnostic>>;

    /// Returns the findings of the rules about all files together; none where the rules look at one file at a time.
    fn finish(&mut self) -> Option<(String, RuleReport)> {
        None
    }
}
