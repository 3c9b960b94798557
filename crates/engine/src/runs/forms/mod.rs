//! The forms in which a comparison of runs is written: for people, for programs, and for continuous integration.

mod comparison_lines;
mod comparison_markdown;
mod comparison_page;
mod comparison_rules;
mod comparison_sections;
mod comparison_text;

use std::io::{self, Write};

use super::run_comparison::RunComparison;
use crate::report::ReportFormat;
use crate::report::reported_files::ReportedFiles;

/// A form of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparisonForm {
    /// Tables for a terminal.
    Text,
    /// Markdown, for a comment on a change.
    Markdown,
    /// A page for a browser, which loads nothing.
    Html,
    /// JSON Lines with all digits: sides, rows, and every sample that differs or has no partner.
    JsonLines,
    /// A report: a rule for each row, and a result for each regression and each sample that got worse.
    Report(ReportFormat),
}

impl ComparisonForm {
    /// Writes a comparison. Lists of samples for people have at most `shown` items.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn write(self, comparison: &RunComparison, shown: usize, output: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Text => comparison_text::write(comparison, shown, output),
            Self::Markdown => comparison_markdown::write(comparison, shown, output),
            Self::Html => comparison_page::write(comparison, shown, output),
            Self::JsonLines => comparison_lines::write(comparison, output),
            Self::Report(format) => {
                let files = comparison_rules::validated_files(comparison);
                format.write(&ReportedFiles::new(&files), output)
            }
        }
    }
}
