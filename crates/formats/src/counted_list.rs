//! Datasets that count their records: the place of the records and of the statistics in a file, and a report.

use evalgraph_json::{JsonDocument, TokenId};

/// The place of the records in a file that has statistics about them.
#[derive(Debug, Clone, Copy)]
pub struct CountedList {
    /// The key of the array of records.
    pub records: &'static str,
    /// The key of the statistics.
    pub statistics: &'static str,
    /// Returns the statistics of some of the records, as JSON.
    pub count: fn(&JsonDocument, &[TokenId]) -> String,
}

/// A report about the contents of datasets and the findings of their rules.
pub trait DatasetReport {
    /// Returns whether a file is a dataset of the system.
    fn takes(&self, document: &JsonDocument) -> bool;

    /// Adds a dataset.
    fn add(&mut self, document: &JsonDocument);

    /// Returns the report.
    fn to_markdown(&self) -> String;
}
