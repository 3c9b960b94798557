//! Writes files of records back. Their graph is that of the JSON-LD made from the records.

use super::decode::stale;
use super::file_form::{FileForm, FileNotation};
use super::file_layout::FileLayout;
use super::json_difference::difference;
use crate::records::{FileShape, decompose};
use crate::rewriting::{IndexedGraph, JsonStyle};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, parse};
use evalgraph_rdf::quad_buffer::BufferTermId;

const NAME: &str = "records";

/// Returns what a file of records has beyond its graph, in which `root` is the node of the file.
///
/// # Errors
/// `json::size` if the text written from the graph is larger than a document may be.
pub fn file_layout(
    file: &JsonDocument,
    graph: &IndexedGraph<'_>,
    root: BufferTermId,
    shape: &FileShape,
    notation: FileNotation,
) -> Result<FileLayout, Box<Diagnostic>> {
    let written = parsed(NAME, decompose(graph, root, shape).json)?;
    let difference = difference(file, file.root(), &written, written.root());
    let form = FileForm::from_document(file, notation);
    let style =
        if notation == FileNotation::Json { JsonStyle::from_document(file) } else { JsonStyle::default() };
    Ok(FileLayout { style, difference, form })
}

/// A file of records that was written back.
#[derive(Debug)]
pub struct RecordsFile {
    /// Its text.
    pub text: String,
    /// Its values as JSON, if the text is in another notation.
    pub values: Option<String>,
    /// Findings about the sidecar.
    pub findings: Vec<Diagnostic>,
    /// How many entries of the sidecar are about nodes and values that the graph no longer has.
    pub gone: u64,
}

/// Writes the file of records of a graph; `name` is for messages.
///
/// # Errors
/// The errors of [`file_layout`].
pub fn restored(
    graph: &IndexedGraph<'_>,
    root: BufferTermId,
    shape: &FileShape,
    name: &str,
    layout: &FileLayout,
) -> Result<RecordsFile, Box<Diagnostic>> {
    let applied = layout.apply(&parsed(NAME, decompose(graph, root, shape).json)?);
    let findings = stale(applied.stale, 0, name).into_iter().collect();
    let mut file = RecordsFile { text: applied.text, values: None, findings, gone: applied.gone };
    if let Some(form) = &layout.form {
        let values = parsed(NAME, file.text)?;
        let json = values.text().to_owned();
        (file.text, file.values) = match form.write(&values) {
            Some(text) => (text, Some(json)),
            None => {
                let message = format!(
                    "the file of `{name}` cannot represent its changed graph; its values are written as JSON"
                );
                file.findings.push(Diagnostic::warning("sidecar::form", message));
                (json, None)
            }
        };
    }
    Ok(file)
}

/// Parses a text that this program has written, which may be longer than an input.
pub(super) fn parsed(name: &str, text: String) -> Result<JsonDocument, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, ..Limits::default() })
}
