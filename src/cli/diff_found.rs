//! The results of `diff`, for two files or for all of two folders, in the forms that it has.

use std::fmt::Write as _;

use clap::ValueEnum;

use super::diff_report::{self, Comparison, Names, array, laid_out, object, string};
use super::diff_triples;
use super::visible::visible;
use crate::diagnostic::markdown::code;
use crate::rdf::difference::Difference;

/// Tells what two files differ in, or all of two sides.
pub(super) enum Found<'d> {
    Entries(Comparison<'d>),
    Triples(Difference),
}

impl Found<'_> {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Entries(comparison) => comparison.is_empty(),
            Self::Triples(difference) => difference.is_empty(),
        }
    }

    fn to_text(&self) -> String {
        match self {
            Self::Entries(comparison) => diff_report::to_text(comparison),
            Self::Triples(difference) => diff_triples::to_text(difference),
        }
    }

    fn to_json(&self, names: Names<'_>) -> String {
        match self {
            Self::Entries(comparison) => diff_report::to_json(comparison, names),
            Self::Triples(difference) => diff_triples::to_json(difference, names),
        }
    }

    fn to_markdown(&self, names: Names<'_>) -> String {
        match self {
            Self::Entries(comparison) => diff_report::to_markdown(comparison, names),
            Self::Triples(difference) => diff_triples::to_markdown(difference, names),
        }
    }

    pub(super) fn written(&self, format: DiffFormat, names: Names<'_>) -> String {
        match format {
            DiffFormat::Json => laid_out(self.to_json(names)),
            DiffFormat::Markdown => self.to_markdown(names),
            DiffFormat::Text | DiffFormat::RdfPatch => self.to_text(),
        }
    }
}

/// Holds what the files of two folders differ in, file by file.
#[derive(Default)]
pub(super) struct Files<'d> {
    /// The names of both files, and what they differ in.
    pub(super) both: Vec<(String, String, Found<'d>)>,
    /// Files that only the first folder has.
    pub(super) removed: Vec<String>,
    /// Files that only the second has.
    pub(super) added: Vec<String>,
}

impl Files<'_> {
    /// Tells whether both folders say the same.
    pub(super) fn is_same(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.both.iter().all(|(_, _, found)| found.is_empty())
    }

    pub(super) fn written(&self, format: DiffFormat, names: Names<'_>) -> String {
        match format {
            DiffFormat::Json => laid_out(self.to_json(names)),
            DiffFormat::Markdown => self.to_markdown(names),
            DiffFormat::Text | DiffFormat::RdfPatch => self.to_text(),
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        for (a, b, found) in self.both.iter().filter(|(_, _, found)| !found.is_empty()) {
            let _ = writeln!(text, "{} → {}", visible(a), visible(b));
            text.push_str(&found.to_text());
        }
        let lone = |sign: char, names: &[String], text: &mut String| {
            for name in names {
                let _ = writeln!(text, "{sign} {}", visible(name));
            }
        };
        lone('-', &self.removed, &mut text);
        lone('+', &self.added, &mut text);
        if !text.is_empty() {
            let _ = writeln!(text, "{}", self.summary());
        }
        text
    }

    fn summary(&self) -> String {
        let differing = self.both.iter().filter(|(_, _, found)| !found.is_empty()).count();
        let files = if differing == 1 { "file" } else { "files" };
        format!(
            "{differing} {files} changed, {} added, {} removed, {} the same",
            self.added.len(),
            self.removed.len(),
            self.both.len() - differing
        )
    }

    fn to_json(&self, names: Names<'_>) -> String {
        let both = self.both.iter().map(|(a, b, found)| found.to_json(Names { a, b }));
        let lone = |names: &[String]| array(names.iter().map(|name| string(name)));
        object(&[
            ("a", string(names.a)),
            ("b", string(names.b)),
            ("equal", self.is_same().to_string()),
            ("files", array(both)),
            ("removed", lone(&self.removed)),
            ("added", lone(&self.added)),
        ])
    }

    fn to_markdown(&self, names: Names<'_>) -> String {
        if self.is_same() {
            return format!("# {} and {}\n\nNo file differs.\n", code(names.a), code(names.b));
        }
        let differing = self.both.iter().filter(|(_, _, found)| !found.is_empty());
        let mut text: String =
            differing.map(|(a, b, found)| found.to_markdown(Names { a, b }) + "\n").collect();
        for (title, names) in [("Removed files", &self.removed), ("Added files", &self.added)] {
            if !names.is_empty() {
                let _ = writeln!(text, "# {title}\n");
                names.iter().for_each(|name| text.push_str(&format!("- {}\n", code(name))));
                text.push('\n');
            }
        }
        let _ = writeln!(text, "{}", self.summary());
        text
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DiffFormat {
    /// Lines for a person
    Text,
    /// One JSON object
    Json,
    /// A report for a pull request
    Markdown,
    /// The changes of the graph, for a store that takes RDF Patch
    RdfPatch,
}
