//! A change of a question, as an update of its graph and of the dates that say when this was.

use crate::diagnostic::{Diagnostic, Failure, Severity, thousands};
use crate::sparql::{ExecuteOptions, Update, UpdateOptions};
use crate::store::Revision;

/// A change of a question.
pub(crate) struct ChangeText {
    /// The update.
    pub(crate) update: String,
    /// The update of the dates that say when this was; it comes first, and nothing of it is done where the other
    /// changes nothing.
    pub(crate) dates: String,
    /// What becomes of the text of a file by it.
    pub(crate) extent: Extent,
    /// What was done, once it is.
    pub(crate) deed: Deed,
}

impl ChangeText {
    /// Sets the dates.
    pub(crate) fn date(&self, revision: &mut Revision<'_>) -> Result<(), Failure> {
        apply(&self.dates, revision).map(drop)
    }

    /// Makes the update; says whether anything is another than before.
    pub(crate) fn apply(&self, revision: &mut Revision<'_>) -> Result<bool, Failure> {
        apply(&self.update, revision)
    }

    /// All that would be done, as one update; empty where that is nothing.
    pub(crate) fn whole(&self) -> String {
        match (self.dates.as_str(), self.update.as_str()) {
            ("", update) | (_, update @ "") => update.to_owned(),
            (dates, update) => format!("{dates} ;\n{update}"),
        }
    }
}

/// Makes an update; says whether anything is another than before.
fn apply(text: &str, revision: &mut Revision<'_>) -> Result<bool, Failure> {
    if text.is_empty() {
        return Ok(false);
    }
    let before = count_of_changes(revision);
    let options = UpdateOptions { execute: ExecuteOptions::default(), default_target: None, loader: None };
    Update::parse(text, "update")?.apply(revision, options)?;
    Ok(count_of_changes(revision) != before)
}

/// Tells how many triples came and went; no update here takes back what another one did.
fn count_of_changes(revision: &Revision<'_>) -> usize {
    revision.changes().iter().map(|change| change.added.len() + change.removed.len()).sum()
}

/// Holds what a command does, in the words that people are told it in: `changed the answer of 1 question in`.
pub(crate) struct Deed {
    /// `change`, and `changed` once it is done.
    pub(crate) verb: [&'static str; 2],
    /// What is changed.
    pub(crate) what: String,
    /// What stands before the name of the file.
    pub(crate) preposition: &'static str,
}

impl Deed {
    pub(crate) fn told(&self, command: &str, place: &str, is_done: bool) -> Diagnostic {
        let Self { verb: [would, has], what, preposition } = self;
        let verb = if is_done { (*has).to_owned() } else { format!("would {would}") };
        let message = format!("{verb} {what} {preposition} {place}");
        Diagnostic::new(Severity::Note, format!("{command}::summary"), message)
    }
}

/// `1 question`, `2 keywords`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {one}s", thousands(count as u64)) }
}

/// Tells what becomes of the text of a file by a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Some values change.
    Within,
    /// One piece is added, or taken away, and everything else stays.
    OnePiece,
}
