//! The file that a graph was made from, with the changes of the graph, if its sidecar exists.

use std::path::Path;

use crate::convert::same::{extensions_of, in_its_version};
use evalgraph_diagnostics::{FindingSeverity, RunFailure, RunReport};
use evalgraph_formats::sidecar::DocumentSidecars;
use evalgraph_formats::system_name::SystemName;
use evalgraph_formats::writing::unwritten_statements::report_unwritten;
use evalgraph_json::{UNLIMITED, parse};
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// A file that was written from a graph.
pub(super) struct RestoredText {
    pub(super) text: String,
    /// The extension of its form.
    pub(super) extension: &'static str,
    /// The system of its records.
    pub(super) system: Option<SystemName>,
}

/// Returns the file of the graph with this name. `None` without a sidecar, or if the graph no longer belongs to a file.
///
/// # Errors
///
/// A file that can no longer be written.
pub(super) fn restored_text(
    quads: &QuadBuffer,
    graph: &str,
    name: &str,
    report: &mut RunReport,
) -> Result<Option<RestoredText>, RunFailure> {
    let datasets = DocumentSidecars::new(quads);
    if !datasets.names().any(|known| known == graph) {
        return Ok(None);
    }
    match datasets.restore(graph) {
        Ok(mut file) => {
            file.reading = file.reading.of_name(name);
            report.add_all(&file.findings);
            let (text, _) = in_its_version(&file, graph, report)?;
            report_unwritten(&datasets, &file, &text, name, report);
            let system = file.dialect.split_once('/').and_then(|(system, _)| SystemName::from_name(system));
            let extensions = extensions_of(&text, &file.dialect, file.file.as_ref());
            let extension = extensions.first().copied().unwrap_or_default();
            Ok(Some(RestoredText { text, extension, system }))
        }
        // The update has removed the root of the file; the remaining quads are still shown.
        Err(mut fault) => {
            fault.severity = FindingSeverity::Warning;
            report.add(&fault.with_help("it is read as N-Quads"));
            Ok(None)
        }
    }
}

/// Returns the text of an edited file with the parts that its system requires and a graph does not hold.
pub(super) fn with_what_is_asked(system: Option<SystemName>, before: &str, after: String) -> String {
    let whole = system.and_then(|system| {
        let read = |text: &str| parse("file", text.to_owned(), UNLIMITED).ok();
        system.entry().edited(&read(before)?, &read(&after)?)
    });
    whole.unwrap_or(after)
}

/// Returns a file name with the extension of N-Quads, from which the format and the dataset follow.
pub(super) fn as_n_quads(name: &str) -> String {
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let stem = match RdfFormat::from_file_name(plain) {
        Some(_) => Path::new(plain).with_extension("").display().to_string(),
        None => plain.to_owned(),
    };
    format!("{stem}.nq")
}
