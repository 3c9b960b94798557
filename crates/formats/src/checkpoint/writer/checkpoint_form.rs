//! The forms in which a checkpoint is written, and the result of writing one.

use super::ledger::PartChange;
use crate::checkpoint::CheckpointPrograms;
use crate::checkpoint::dialect::CheckpointDialect;
use chrono::{DateTime, Utc};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, parse};

/// A form in which a checkpoint is written. Its names are in `karenina/karenina_names.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckpointForm {
    /// The form that today's Python library loads.
    Library,
    /// The specification, 3.0.0-jsonld.
    Specification,
    /// The form that the user interface loads.
    Interface,
    /// Version 2.0 of the user interface.
    Version2(Version2Shape),
}

/// The shapes of version 2.0, which differ in the lists of a rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Version2Shape {
    /// Until September 2025, and in the table of the specification: `traits`.
    A,
    /// Autumn 2025: `traits`, `manual_traits`, `metric_traits`.
    B,
    /// Since 18 November 2025: `llm_traits`, `regex_traits`, `callable_traits`, `metric_traits`.
    #[default]
    C,
}

impl Version2Shape {
    /// Returns the shape of a dialect, if it is a dialect of version 2.0.
    pub fn from_dialect(dialect: CheckpointDialect) -> Option<Self> {
        match dialect {
            CheckpointDialect::V2a => Some(Self::A),
            CheckpointDialect::V2b => Some(Self::B),
            CheckpointDialect::V2c => Some(Self::C),
            _ => None,
        }
    }
}

impl CheckpointForm {
    /// The forms, each once.
    pub const ALL: [Self; 4] =
        [Self::Library, Self::Specification, Self::Interface, Self::Version2(Version2Shape::C)];

    /// Returns the extension of its files.
    pub fn extension(self) -> &'static str {
        if matches!(self, Self::Version2(_)) { "json" } else { "jsonld" }
    }

    /// Returns whether questions and answers have their own ids in the form.
    pub(super) fn has_ids_everywhere(self) -> bool {
        matches!(self, Self::Specification | Self::Interface)
    }
}

/// Options for writing a checkpoint.
#[derive(Debug, Clone)]
pub struct CheckpointWriteOptions<'o> {
    /// The name of the dataset, for a checkpoint without one.
    pub dataset: &'o str,
    /// The time of the run, for dates that the file lacks.
    pub now: DateTime<Utc>,
    /// `true` if `dateModified` of the checkpoint becomes the time of the run.
    pub touch: bool,
    /// The purpose of writing.
    pub purpose: WritePurpose<'o>,
}

/// The purpose for which a checkpoint is written.
#[derive(Debug, Clone, Copy)]
pub enum WritePurpose<'p> {
    /// A file for these programs: required parts are filled in, and refused parts are left out.
    File(&'p dyn CheckpointPrograms),
    /// The graph of a file that is not JSON-LD, or the same file written back: nothing is filled in, and every trait
    /// that the form can represent is kept.
    Graph,
}

impl WritePurpose<'_> {
    pub(super) fn is_file(self) -> bool {
        matches!(self, Self::File(_))
    }
}

/// A checkpoint that was written.
#[derive(Debug)]
pub struct WrittenCheckpoint<'d> {
    /// The text of the file.
    pub text: String,
    /// The parts that were left out or filled in.
    pub changes: Vec<PartChange<'d>>,
}

/// Parses a text that this program made. It may be longer than any input, and deeper by the nodes around its values.
pub(in crate::checkpoint) fn parse_own(name: &str, text: String) -> Result<JsonDocument, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, depth: DEEPEST })
}

/// The maximum depth of an input, plus that of the nodes around a value.
const DEEPEST: usize = 10_100;
