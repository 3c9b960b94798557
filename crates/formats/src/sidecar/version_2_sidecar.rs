//! Writes checkpoints of version 2.0 back. Their graph is that of the JSON-LD made from them.

use super::decode::stale;
use super::file_layout::FileLayout;
use super::json_difference::difference;
use super::record_sidecar::parsed;
use crate::checkpoint::model::{Checkpoint, CheckpointReading};
use crate::checkpoint::writer::{
    CheckpointForm, CheckpointWriteOptions, PartChange, Version2Shape, WritePurpose, WrittenCheckpoint, write,
};
use chrono::DateTime;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, JsonStyle};

const NAME: &str = "version 2.0";

/// Returns what a file of version 2.0 has beyond the JSON-LD that was made from it, or `None` if the JSON-LD cannot
/// become such a file.
pub fn file_layout(file: &JsonDocument, json_ld: &JsonDocument, shape: Version2Shape) -> Option<FileLayout> {
    let reading = Checkpoint::read(json_ld).ok()?;
    let written = parsed(NAME, written(&reading, shape).ok()?.text).ok()?;
    let difference = difference(file, file.root(), &written, written.root());
    Some(FileLayout { style: JsonStyle::from_document(file), difference, form: None })
}

/// A file of version 2.0 that was written back.
#[derive(Debug)]
pub struct Version2File<'d> {
    /// Its text.
    pub text: String,
    /// Statements of the graph that version 2.0 cannot represent.
    pub changes: Vec<PartChange<'d>>,
    /// Findings about the graph and the sidecar.
    pub findings: Vec<Diagnostic>,
    /// How many entries of the sidecar are about nodes and values that the graph no longer has.
    pub gone: u64,
}

/// Writes the file of version 2.0 from the JSON-LD of its graph; `name` is the name of the document graph.
///
/// # Errors
/// Diagnostics about parts that the JSON-LD lacks.
pub fn restored<'d>(
    json_ld: &'d JsonDocument,
    shape: Version2Shape,
    graph: &str,
    layout: &FileLayout,
) -> Result<Version2File<'d>, Vec<Diagnostic>> {
    let reading = Checkpoint::read(json_ld).map_err(|fault| vec![*fault])?;
    let WrittenCheckpoint { text, changes } = written(&reading, shape)?;
    let applied = layout.apply(&parsed(NAME, text).map_err(|fault| vec![*fault])?);
    let findings = reading.findings.into_iter().chain(stale(applied.stale, 0, graph)).collect();
    Ok(Version2File { text: applied.text, changes, findings, gone: applied.gone })
}

/// Writes the file without filling in missing parts.
fn written<'d>(
    reading: &CheckpointReading<'d>,
    shape: Version2Shape,
) -> Result<WrittenCheckpoint<'d>, Vec<Diagnostic>> {
    let options = CheckpointWriteOptions {
        dataset: "",
        now: DateTime::UNIX_EPOCH,
        touch: false,
        purpose: WritePurpose::Graph,
    };
    write(&reading.checkpoint, CheckpointForm::Version2(shape), &options)
}
