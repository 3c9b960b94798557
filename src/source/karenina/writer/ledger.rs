//! What a conversion could not keep, and what it had to fill in.

use crate::source::karenina::checkpoint::Origin;

/// What became of a part of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The form cannot hold it.
    Loss,
    /// The form requires it and the file lacks it.
    Default,
}

/// A part that was left out or filled in.
#[derive(Debug, Clone)]
pub struct Change<'d> {
    /// Which of the two.
    pub kind: ChangeKind,
    /// What it is, in words that are the same for all parts of a kind.
    pub subject: String,
    /// The path of the part in the model: `/items/2/question/template/name`. Traits and properties
    /// go by their names.
    pub part: String,
    /// Where the part stands; of what was filled in, where it is missing.
    pub origin: Origin<'d>,
}

/// The changes of one conversion, in the order of the model.
#[derive(Debug, Default)]
pub(super) struct Ledger<'d> {
    pub(super) changes: Vec<Change<'d>>,
}

impl<'d> Ledger<'d> {
    pub(super) fn loss(&mut self, subject: impl Into<String>, part: impl Into<String>, origin: Origin<'d>) {
        self.add(ChangeKind::Loss, subject.into(), part.into(), origin);
    }

    pub(super) fn filled(&mut self, subject: impl Into<String>, part: impl Into<String>, origin: Origin<'d>) {
        self.add(ChangeKind::Default, subject.into(), part.into(), origin);
    }

    fn add(&mut self, kind: ChangeKind, subject: String, part: String, origin: Origin<'d>) {
        self.changes.push(Change { kind, subject, part, origin });
    }
}
