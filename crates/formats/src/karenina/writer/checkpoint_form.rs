//! The forms in which a checkpoint is written, and the result of writing one.

use std::fmt;

use super::ledger::PartChange;
use crate::karenina::dialect::KareninaDialect;
use chrono::{DateTime, Utc};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, Limits, parse};

/// A form in which a checkpoint is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckpointForm {
    /// The form that today's Python library loads.
    Karenina,
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
    /// The shape of a dialect, if it is one of version 2.0.
    pub fn from_dialect(dialect: KareninaDialect) -> Option<Self> {
        match dialect {
            KareninaDialect::V2a => Some(Self::A),
            KareninaDialect::V2b => Some(Self::B),
            KareninaDialect::V2c => Some(Self::C),
            _ => None,
        }
    }
}

impl CheckpointForm {
    /// The forms, each once.
    pub const ALL: [Self; 4] =
        [Self::Karenina, Self::Specification, Self::Interface, Self::Version2(Version2Shape::C)];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Karenina => "karenina",
            Self::Specification => "karenina-spec",
            Self::Interface => "karenina-gui",
            Self::Version2(_) => "karenina-v2",
        }
    }

    /// Returns the form with the given name; version 2.0 in its last shape.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        if matches!(self, Self::Version2(_)) { "json" } else { "jsonld" }
    }

    /// Returns whether questions and answers have ids of their own in the form.
    pub(super) fn has_ids_everywhere(self) -> bool {
        matches!(self, Self::Specification | Self::Interface)
    }
}

impl fmt::Display for CheckpointForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    pub purpose: WritePurpose,
}

/// The purpose for which a checkpoint is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WritePurpose {
    /// A file that the form's programs load: required parts are filled in, and refused parts are left
    /// out.
    #[default]
    File,
    /// The graph of a file that is not JSON-LD, or that file again: nothing is filled in, and every trait
    /// stays that the form can hold.
    Graph,
}

/// A checkpoint that was written.
#[derive(Debug)]
pub struct WrittenCheckpoint<'d> {
    /// The text of the file.
    pub text: String,
    /// The parts that were left out or filled in.
    pub changes: Vec<PartChange<'d>>,
}

/// Parses a text that this program made, which may be longer than any input, and deeper by the nodes
/// around its values.
pub(in crate::karenina) fn parse_own(name: &str, text: String) -> Result<JsonDocument, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, depth: DEEPEST })
}

/// The levels of the deepest input, and those of the nodes around a value.
const DEEPEST: usize = 10_100;
