//! The file that a graph was made of, where its sidecar is there, with the changes of the graph.

use std::path::Path;

use crate::convert::arrival::report_unwritten;
use crate::convert::same::{extensions_of, in_its_version};
use evalgraph_diagnostics::{FindingSeverity, RunFailure, RunReport};
use evalgraph_formats::sidecar::DocumentSidecars;
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::{UNLIMITED, parse};
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// A file that was written of a graph.
pub(super) struct RestoredText {
    pub(super) text: String,
    /// The extension of its form.
    pub(super) extension: &'static str,
    /// The system of its records.
    pub(super) system: Option<SystemName>,
}

/// The file of a graph with that name; none without a sidecar, or where the graph is not of a file any more.
///
/// # Errors
///
/// A file that cannot be written any more.
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

/// The text of an edited file with what its system asks for and a graph does not hold.
pub(super) fn with_what_is_asked(system: Option<SystemName>, before: &str, after: String) -> String {
    let whole = system.and_then(|system| {
        let read = |text: &str| parse("file", text.to_owned(), UNLIMITED).ok();
        system.entry().edited(&read(before)?, &read(&after)?)
    });
    whole.unwrap_or(after)
}

/// The name of a file with the ending of N-Quads, which gives its format and its dataset.
pub(super) fn as_n_quads(name: &str) -> String {
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let stem = match RdfFormat::from_file_name(plain) {
        Some(_) => Path::new(plain).with_extension("").display().to_string(),
        None => plain.to_owned(),
    };
    format!("{stem}.nq")
}
