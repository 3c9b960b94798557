//! The forms that a checkpoint is written in, and what writing one gives.

use std::fmt;

use super::ledger::Change;
use crate::diagnostic::Diagnostic;
use crate::json::{Document, Limits, parse};
use crate::source::karenina::dialect::Dialect;
use chrono::{DateTime, Utc};

/// A form that a checkpoint is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// What today's Python library loads.
    Karenina,
    /// The specification, 3.0.0-jsonld.
    Specification,
    /// What the user interface loads.
    Interface,
    /// Version 2.0 of the user interface.
    Version2(Version2Shape),
}

/// The shapes of version 2.0, which differ in the lists of a rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Version2Shape {
    /// Until September 2025: `traits`. The table of the specification.
    A,
    /// Autumn 2025: `traits`, `manual_traits`, `metric_traits`.
    B,
    /// Since 18 November 2025: `llm_traits`, `regex_traits`, `callable_traits`, `metric_traits`.
    #[default]
    C,
}

impl Version2Shape {
    /// The shape of a dialect, if it is one of version 2.0.
    pub fn of(dialect: Dialect) -> Option<Self> {
        match dialect {
            Dialect::V2a => Some(Self::A),
            Dialect::V2b => Some(Self::B),
            Dialect::V2c => Some(Self::C),
            _ => None,
        }
    }
}

impl Form {
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

    /// The form of that name; version 2.0 in its last shape.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        if matches!(self, Self::Version2(_)) { "json" } else { "jsonld" }
    }

    /// Tells whether questions and answers have ids of their own in it.
    pub(super) fn has_ids_everywhere(self) -> bool {
        matches!(self, Self::Specification | Self::Interface)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Holds what a writer has to know beside the checkpoint.
#[derive(Debug, Clone)]
pub struct WriteOptions<'o> {
    /// The name of the dataset, for a checkpoint without one.
    pub dataset: &'o str,
    /// The time of the run, for dates that are nowhere.
    pub now: DateTime<Utc>,
    /// Whether `dateModified` of the checkpoint becomes the time of the run.
    pub touch: bool,
    /// What it is written for.
    pub purpose: Purpose,
}

/// Tells what a checkpoint is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// A file that the form's programs load: what they require is filled in, what they refuse is
    /// left out.
    #[default]
    File,
    /// The graph of a file that is no JSON-LD, or that file again: nothing is filled in, and every
    /// trait stays that has a place.
    Graph,
}

/// A checkpoint that was written.
#[derive(Debug)]
pub struct Written<'d> {
    /// The text of the file.
    pub text: String,
    /// What was left out and what was filled in.
    pub changes: Vec<Change<'d>>,
}

/// Parses a text that was made here: longer than any input may be, and deeper by what stands around
/// its values.
pub(in crate::source::karenina) fn parse_own(name: &str, text: String) -> Result<Document, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, depth: DEEPEST })
}

/// The levels of the deepest input, and those of the nodes around a value.
const DEEPEST: usize = 10_100;
