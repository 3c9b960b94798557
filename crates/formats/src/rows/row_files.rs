//! The kinds of files that belong to the system whose rows are read from tables: rows, and the files of an evaluation.

use crate::records::RecognisedRecords;

/// Returns the kind of a file, if its system has rows.
pub fn kind_of_rows(recognised: &RecognisedRecords) -> Option<&str> {
    recognised.system.entry().has_rows().then_some(&recognised.kind)
}

/// Returns whether a file has the rows of a dataset, whose corpus may be in the same folder.
pub fn is_rows(recognised: &RecognisedRecords) -> bool {
    kind_of_rows(recognised) == Some("rows")
}

/// Returns whether a file has evaluation data, which are measured by the documents that rows name.
pub fn is_evaluation_data(recognised: &RecognisedRecords) -> bool {
    kind_of_rows(recognised) == Some("evaluation data")
}
