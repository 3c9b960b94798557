//! What a project expects of its data, as its configuration file says.

use std::path::PathBuf;

use super::expected_threshold::ExpectedThreshold;
use evalgraph_diagnostics::SourcePlace;

/// A threshold that the data of a run have to meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataExpectation {
    /// What is counted: a column of the questions, or a named query.
    pub name: String,
    /// The threshold.
    pub threshold: ExpectedThreshold,
    /// The folder whose files are meant. By default all files are.
    pub folder: Option<ExpectedFolder>,
    /// The place of the name in the file.
    pub name_place: SourcePlace,
    /// The place of the threshold in the file.
    pub place: SourcePlace,
}

/// A folder for whose files something is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedFolder {
    /// The name in the configuration file.
    pub name: String,
    /// The path.
    pub path: PathBuf,
}
