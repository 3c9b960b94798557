//! A change of a question, as an update of its graph and an update of what follows from the change.

use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, thousands};
use evalgraph_sparql::{ExecuteOptions, Update, UpdateOptions};
use evalgraph_store::DatasetRevision;

/// A change of a question.
pub struct ChangeText {
    /// The update.
    pub update: String,
    /// The update of what follows from the change: its dates, and statistics. It is applied first, and dropped if the
    /// other update changes nothing.
    pub beside: String,
    /// How far the change reaches in the text of a file.
    pub extent: ChangeExtent,
    /// The change in words.
    pub deed: ChangeWording,
}

impl ChangeText {
    /// Applies the update of what follows.
    pub fn apply_beside(&self, revision: &mut DatasetRevision<'_>) -> Result<(), RunFailure> {
        apply(&self.beside, revision).map(drop)
    }

    /// Applies the update. Returns whether it changed anything.
    pub fn apply(&self, revision: &mut DatasetRevision<'_>) -> Result<bool, RunFailure> {
        apply(&self.update, revision)
    }

    /// Returns both updates as one text, or an empty string if there is nothing to change.
    pub fn whole(&self) -> String {
        match (self.beside.as_str(), self.update.as_str()) {
            ("", update) | (_, update @ "") => update.to_owned(),
            (beside, update) => format!("{beside} ;\n{update}"),
        }
    }
}

/// Applies an update. Returns whether it changed anything.
fn apply(text: &str, revision: &mut DatasetRevision<'_>) -> Result<bool, RunFailure> {
    if text.is_empty() {
        return Ok(false);
    }
    let before = count_of_changes(revision);
    let options = UpdateOptions { execute: ExecuteOptions::default(), default_target: None, loader: None };
    Update::parse(text, "update")?.apply(revision, options)?;
    Ok(count_of_changes(revision) != before)
}

/// Counts the triples that were added and removed. The updates of one change never undo each other.
fn count_of_changes(revision: &DatasetRevision<'_>) -> usize {
    revision.changes().iter().map(|change| change.added.len() + change.removed.len()).sum()
}

/// A change in words, for a message: `changed the answer of 1 question in`.
pub struct ChangeWording {
    /// The verb before and after the change: `change`, `changed`.
    pub verb: [&'static str; 2],
    /// The object of the change.
    pub what: String,
    /// The word before the name of the file.
    pub preposition: &'static str,
}

impl ChangeWording {
    pub(crate) fn told(&self, command: &str, place: &str, is_done: bool) -> Diagnostic {
        let Self { verb: [would, has], what, preposition } = self;
        let verb = if is_done { (*has).to_owned() } else { format!("would {would}") };
        let message = format!("{verb} {what} {preposition} {place}");
        Diagnostic::new(FindingSeverity::Note, format!("{command}::summary"), message)
    }
}

/// Returns `1 question`, `2 keywords`.
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {one}s", thousands(count as u64)) }
}

/// How far a change reaches in the text of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeExtent {
    /// Some values change.
    Within,
    /// One piece is added or removed; everything else is unchanged.
    OnePiece,
}
