//! Reports of a validation or a check, in the formats that people, continuous integration and other programs read. Each
//! format has its own file.
//!
//! A writer borrows the results and streams its output, so a hundred thousand results need no further memory.

pub mod baseline;
mod csv;
mod file_name;
mod fingerprint;
mod github;
mod gitlab;
mod html;
mod json_lines;
mod json_report;
mod json_text;
mod junit;
mod markdown;
mod place_shares;
mod reasons;
pub mod reported_files;
pub mod reported_finding;
mod sarif;
pub mod severity_totals;
mod table_report;
mod text;

use std::io::{self, Write};

pub use baseline::BaselineComparison;
use reported_files::ReportedFiles;

/// A format of the report of a validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// Text for a terminal: results grouped by rule, with counts.
    Text,
    /// A table for a terminal, with a line for each result.
    Table,
    /// JSON: an array with an object for each file.
    Json,
    /// JSON Lines: an object for each result, with the names of SHACL or those of a check's findings.
    JsonLines,
    /// CSV: a row for each result, with the same names as JSON Lines.
    Csv,
    /// SARIF 2.1.0, for code scanning and editors.
    Sarif,
    /// JUnit's XML, by the schema that Jenkins publishes: a suite for each file, a test case for each rule.
    JUnit,
    /// Workflow commands of GitHub, which shows them as annotations.
    GitHub,
    /// The report of GitLab's Code Quality, in JSON.
    GitLab,
    /// Markdown for a comment on a change: a summary and the first places.
    Markdown,
    /// A self-contained page for a browser.
    Html,
}

impl ReportFormat {
    /// All formats.
    pub const ALL: [Self; 11] = [
        Self::Text,
        Self::Table,
        Self::Json,
        Self::JsonLines,
        Self::Csv,
        Self::Sarif,
        Self::JUnit,
        Self::GitHub,
        Self::GitLab,
        Self::Markdown,
        Self::Html,
    ];

    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Table => "table",
            Self::Json => "json",
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Sarif => "sarif",
            Self::JUnit => "junit",
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// The format with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Writes a report.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn write(self, reported: &ReportedFiles<'_>, output: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Text => text::write(reported, output),
            Self::Table => table_report::write(reported, output),
            Self::Json => json_report::write(reported, output),
            Self::JsonLines => json_lines::write(reported, output),
            Self::Csv => csv::write(reported, output),
            Self::Sarif => sarif::write(reported, output),
            Self::JUnit => junit::write(reported, output),
            Self::GitHub => github::write(reported, output),
            Self::GitLab => gitlab::write(reported, output),
            Self::Markdown => markdown::write(reported, output),
            Self::Html => html::write(reported, output),
        }
    }
}
