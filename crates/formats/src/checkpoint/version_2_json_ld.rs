//! Prepares files of version 2.0 for RDF, as the JSON-LD that the user interface would make from them.

use super::model::Checkpoint;
use super::survey::CheckpointSurvey;
use super::writer::{ChangeKind, CheckpointForm, CheckpointWriteOptions, WritePurpose, parse_own, write};
use chrono::DateTime;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity};
use evalgraph_json::JsonDocument;

/// A document that was made from a file of version 2.0, and the findings about the file.
pub type AsJsonLd = (JsonDocument, Vec<Diagnostic>);

/// Returns a file of version 2.0 as JSON-LD in the form of the user interface, or `None` for any other file. Nothing is
/// filled in: a value that the file lacks is also missing in the graph, except for ids that follow from the file.
///
/// # Errors
/// The findings, if the file has errors.
pub fn as_json_ld(document: &JsonDocument) -> Option<Result<AsJsonLd, Vec<Diagnostic>>> {
    // This check is cheaper than a survey, which would run for every document.
    document.get(document.root(), "checkpoint")?;
    let is_version_2 = CheckpointSurvey::from_document(document).detect().dialect.is_version_2();
    is_version_2.then(|| converted(document))
}

fn converted(document: &JsonDocument) -> Result<AsJsonLd, Vec<Diagnostic>> {
    let reading = Checkpoint::read(document).map_err(|fault| vec![*fault])?;
    if reading.findings.iter().any(|finding| finding.severity == FindingSeverity::Error) {
        return Err(reading.findings);
    }
    // Nothing is filled in, so neither a time nor a name is needed.
    let options = CheckpointWriteOptions {
        dataset: "",
        now: DateTime::UNIX_EPOCH,
        touch: false,
        purpose: WritePurpose::Graph,
    };
    let written = write(&reading.checkpoint, CheckpointForm::Interface, &options)?;
    let source = document.source_text();
    // Parts that the form cannot represent are also missing in the graph.
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
