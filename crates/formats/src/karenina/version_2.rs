//! Prepares files of version 2.0 for RDF, as the JSON-LD that the user interface makes of them.

use super::checkpoint::Checkpoint;
use super::survey::Survey;
use super::writer::{ChangeKind, Form, Purpose, WriteOptions, parse_own, write};
use chrono::DateTime;
use evalgraph_diagnostics::{Diagnostic, Severity};
use evalgraph_json::Document;

/// A document that was made of a file of version 2.0, and the findings about the file.
pub type AsJsonLd = (Document, Vec<Diagnostic>);

/// Returns a file of version 2.0 as JSON-LD in the form of the user interface, and none for any other
/// file. Nothing is filled in: a value that the file lacks is missing in the graph, too, except for
/// ids that follow from the file.
///
/// # Errors
/// The faults of a file that has errors.
pub fn as_json_ld(document: &Document) -> Option<Result<AsJsonLd, Vec<Diagnostic>>> {
    // Cheaper than a survey, which every document would have to pay for.
    document.get(document.root(), "checkpoint")?;
    let is_version_2 = Survey::of(document).detect().dialect.is_version_2();
    is_version_2.then(|| converted(document))
}

fn converted(document: &Document) -> Result<AsJsonLd, Vec<Diagnostic>> {
    let reading = Checkpoint::read(document).map_err(|fault| vec![*fault])?;
    if reading.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(reading.findings);
    }
    // Nothing is filled in, so that no time and no name is needed.
    let options =
        WriteOptions { dataset: "", now: DateTime::UNIX_EPOCH, touch: false, purpose: Purpose::Graph };
    let written = write(&reading.checkpoint, Form::Interface, &options)?;
    let source = document.source_text();
    // Parts that the form cannot hold are missing in the graph, too.
    let lost = written.changes.iter().filter(|change| change.kind == ChangeKind::Loss);
    let lost = lost.map(|change| {
        let message = format!("{} has no place in the graph", change.subject);
        let place = document.place_in(&source, change.origin.token);
        Diagnostic::warning("karenina::v2-lost", message).at(place)
    });
    let findings = reading.findings.iter().cloned().chain(lost).collect();
    let made = parse_own(document.name(), written.text).map_err(|fault| vec![*fault])?;
    Ok((made.made_of_file(), findings))
}
