//! Checkpoints of version 2.0, whose graph is that of the JSON-LD made of them: back to the file.

use super::decode::stale;
use super::file_layout::FileLayout;
use super::json_difference::difference;
use super::records::parsed;
use crate::diagnostic::Diagnostic;
use crate::json::{Document, Style};
use crate::source::karenina::checkpoint::{Checkpoint, Reading};
use crate::source::karenina::writer::{Change, Form, Purpose, Version2Shape, WriteOptions, Written, write};
use chrono::DateTime;

const NAME: &str = "version 2.0";

/// Returns what a file of version 2.0 has beyond the JSON-LD that was made of it; none where no such file can
/// be made of that.
pub fn file_layout(file: &Document, json_ld: &Document, shape: Version2Shape) -> Option<FileLayout> {
    let reading = Checkpoint::read(json_ld).ok()?;
    let written = parsed(NAME, written(&reading, shape).ok()?.text).ok()?;
    let difference = difference((file, file.root()), (&written, written.root()));
    Some(FileLayout { style: Style::of(file), difference, form: None })
}

/// A file of version 2.0 that was made again.
#[derive(Debug)]
pub struct Version2File<'d> {
    /// Its text.
    pub text: String,
    /// What the graph says by now that version 2.0 cannot hold.
    pub changes: Vec<Change<'d>>,
    /// What is to be said of the graph and of the sidecar.
    pub findings: Vec<Diagnostic>,
    /// How many entries of the sidecar are about what the graph has no more.
    pub gone: u64,
}

/// The file of version 2.0 of its graph's JSON-LD, whose document graph has that name.
///
/// # Errors
/// What the JSON-LD lacks to be one.
pub fn restored<'d>(
    json_ld: &'d Document,
    shape: Version2Shape,
    graph: &str,
    layout: &FileLayout,
) -> Result<Version2File<'d>, Vec<Diagnostic>> {
    let reading = Checkpoint::read(json_ld).map_err(|fault| vec![*fault])?;
    let Written { text, changes } = written(&reading, shape)?;
    let applied = layout.apply(&parsed(NAME, text).map_err(|fault| vec![*fault])?);
    let findings = reading.findings.into_iter().chain(stale(applied.stale, 0, graph)).collect();
    Ok(Version2File { text: applied.text, changes, findings, gone: applied.gone })
}

/// Returns what the writer makes of it, with nothing filled in.
fn written<'d>(reading: &Reading<'d>, shape: Version2Shape) -> Result<Written<'d>, Vec<Diagnostic>> {
    let options =
        WriteOptions { dataset: "", now: DateTime::UNIX_EPOCH, touch: false, purpose: Purpose::Graph };
    write(&reading.checkpoint, Form::Version2(shape), &options)
}
