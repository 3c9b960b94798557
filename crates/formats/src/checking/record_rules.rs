//! The rules of a system for files of records, with their thresholds and the state that they keep from one file
//! to the next.

use std::path::Path;

use crate::corpus::Corpus;
use crate::records::{RecognisedRecords, RecordName};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::validation::RuleReport;
use evalgraph_json::{JsonDocument, TextEncoding};

/// A file to check.
pub struct CheckedFile<'f> {
    /// Its text.
    pub document: &'f JsonDocument,
    /// The system and the kind that it was recognised as.
    pub recognised: &'f RecognisedRecords,
    /// Its encoding on disk.
    pub encoding: TextEncoding,
    /// Its path, if it has one.
    pub path: Option<&'f Path>,
    /// `true` if the user named the file's directory, not the file.
    pub is_of_directory: bool,
    /// The corpus next to it.
    pub corpus: Option<&'f Corpus>,
    /// The kind of its records, if the user named it.
    pub record: Option<RecordName>,
    /// `true` if several files are checked together.
    pub is_one_of_several: bool,
}

/// The rules of a system in one run.
pub trait RecordRules: Send {
    /// Returns whether the rules have thresholds.
    fn has_settings(&self) -> bool {
        true
    }

    /// Reads thresholds. Without them, the numbers in the format's documents apply.
    ///
    /// # Errors
    /// A diagnostic at a key that is not a threshold, or at a value that the threshold cannot have.
    fn read_settings(&mut self, document: &JsonDocument) -> Result<(), Box<Diagnostic>>;

    /// Registers a file before any file is checked.
    ///
    /// # Errors
    /// A diagnostic if the kinds of its records are not clear.
    fn notice(
        &mut self,
        _document: &JsonDocument,
        _record: Option<RecordName>,
    ) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    /// Checks a file by the named rules, or without a name by the rules for its kind. Returns `None` if no rules have
    /// that name.
    ///
    /// # Errors
    /// A diagnostic if the rules are about other files of the system.
    fn check(
        &mut self,
        file: &CheckedFile<'_>,
        profile: Option<&str>,
    ) -> Result<Option<RuleReport>, Box<Diagnostic>>;

    /// Returns the findings of the rules about all files together, or `None` if the rules check each file separately.
    fn finish(&mut self) -> Option<(String, RuleReport)> {
        None
    }
}
