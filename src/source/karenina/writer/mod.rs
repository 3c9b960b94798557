//! Writes a checkpoint in one of the forms that Karenina's programs load.
//!
//! The forms in JSON-LD are written as the compacted document that the algorithm of the specification
//! makes under the form's own context, and unwrapped (`compacted.rs`): correct compaction under the
//! Karenina context makes a file that Karenina refuses. What a form cannot hold and what had to be
//! filled in comes back beside the text; nothing is left out in silence.

mod acceptance;
mod compacted;
mod dataset;
mod defaults;
mod forms;
mod ledger;
mod questions;
mod ratings;
mod version_2;
mod version_2_traits;

pub use ledger::{Change, ChangeKind};
pub(super) use version_2::bare_name;

use super::checkpoint::Checkpoint;
use super::dialect::Dialect;
use crate::diagnostic::Diagnostic;
use crate::json::{Document, Limits, parse};
use chrono::{DateTime, Utc};
use dataset::JsonLdWriter;
use std::fmt;

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

    /// Whether questions and answers have ids of their own in it.
    fn has_ids_everywhere(self) -> bool {
        matches!(self, Self::Specification | Self::Interface)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a writer has to know beside the checkpoint.
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

/// What a checkpoint is written for.
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

/// Writes a checkpoint.
///
/// # Errors
/// What the form cannot be written with: two questions of one id, code that is no Python, a context
/// that an id contradicts.
pub fn write<'d>(
    checkpoint: &Checkpoint<'d>,
    form: Form,
    options: &WriteOptions<'_>,
) -> Result<Written<'d>, Vec<Diagnostic>> {
    if let Form::Version2(shape) = form {
        return version_2::write(checkpoint, shape, options);
    }
    let (text, changes) = JsonLdWriter::new(checkpoint, form, options).write()?;
    Ok(Written { text, changes })
}

/// Parses a text that was made here: longer than any input may be, and deeper by what stands around
/// its values.
pub(super) fn parse_own(name: &str, text: String) -> Result<Document, Box<Diagnostic>> {
    parse(name, text, Limits { size: u64::MAX, depth: DEEPEST })
}

/// The levels of the deepest input, and those of the nodes around a value.
const DEEPEST: usize = 10_100;
