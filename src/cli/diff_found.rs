//! The results of `diff` in each output form. The differences of two folders are listed file by file.

use std::fmt::Write as _;

use clap::ValueEnum;

use super::visible::visible;
use evalgraph_diagnostics::markdown::code;
use evalgraph_formats::checkpoint::checkpoint_layout::format;
use evalgraph_json::{Limits, parse, write_string};

/// The names of the two inputs, as given.
#[derive(Clone, Copy)]
pub(super) struct ComparedNames<'n> {
    pub(super) a: &'n str,
    pub(super) b: &'n str,
}

/// The differences of two files, or of all files of two sides.
pub(super) trait DifferenceReport {
    fn is_empty(&self) -> bool;

    /// Returns the differences as text for people. Empty if both sides are the same.
    fn to_text(&self) -> String;

    /// The same facts as one JSON object.
    fn to_json(&self, names: ComparedNames<'_>) -> String;

    /// A report for a pull request.
    fn to_markdown(&self, names: ComparedNames<'_>) -> String;

    fn written(&self, format: DiffFormat, names: ComparedNames<'_>) -> String {
        match format {
            DiffFormat::Json => laid_out(self.to_json(names)),
            DiffFormat::Markdown => self.to_markdown(names),
            DiffFormat::Text | DiffFormat::RdfPatch => self.to_text(),
        }
    }
}

/// The differences of two folders, file by file.
#[derive(Default)]
pub(super) struct FolderDifferences<'d> {
    /// The names of both files, and their differences.
    pub(super) both: Vec<(String, String, Box<dyn DifferenceReport + 'd>)>,
    /// Files that only the first folder has.
    pub(super) removed: Vec<String>,
    /// Files that only the second has.
    pub(super) added: Vec<String>,
}

impl DifferenceReport for FolderDifferences<'_> {
    fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.both.iter().all(|(_, _, found)| found.is_empty())
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

    fn to_json(&self, names: ComparedNames<'_>) -> String {
        let both = self.both.iter().map(|(a, b, found)| found.to_json(ComparedNames { a, b }));
        let lone = |names: &[String]| array(names.iter().map(|name| string(name)));
        object(&[
            ("a", string(names.a)),
            ("b", string(names.b)),
            ("equal", self.is_empty().to_string()),
            ("files", array(both)),
            ("removed", lone(&self.removed)),
            ("added", lone(&self.added)),
        ])
    }

    fn to_markdown(&self, names: ComparedNames<'_>) -> String {
        if self.is_empty() {
            return format!("# {} and {}\n\nNo file differs.\n", code(names.a), code(names.b));
        }
        let differing = self.both.iter().filter(|(_, _, found)| !found.is_empty());
        let mut text: String =
            differing.map(|(a, b, found)| found.to_markdown(ComparedNames { a, b }) + "\n").collect();
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

impl FolderDifferences<'_> {
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

/// Lays JSON out with line breaks and indentation.
fn laid_out(json: String) -> String {
    let limits = Limits { size: u64::MAX, depth: usize::MAX };
    let document = parse("the result", json.clone(), limits).ok();
    document.and_then(|document| format(&document).ok()).unwrap_or(json)
}

pub(super) fn string(text: &str) -> String {
    let mut json = String::new();
    write_string(text, &mut json);
    json
}

pub(super) fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

pub(super) fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}
