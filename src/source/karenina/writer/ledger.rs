//! What a conversion could not keep, and what it had to fill in.

use crate::source::karenina::checkpoint::{Origin, Other, Property, Value};
use std::fmt;

/// Tells what became of a part of a checkpoint.
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
    pub(super) fn loss(&mut self, subject: impl Into<String>, part: impl fmt::Display, origin: Origin<'d>) {
        self.add(ChangeKind::Loss, subject.into(), part.to_string(), origin);
    }

    pub(super) fn filled(&mut self, subject: impl Into<String>, part: impl fmt::Display, origin: Origin<'d>) {
        self.add(ChangeKind::Default, subject.into(), part.to_string(), origin);
    }

    /// Notes a value as lost, where there is one.
    pub(super) fn lose_value(&mut self, subject: &str, part: impl fmt::Display, value: Option<&Value<'d>>) {
        if let Some(value) = value {
            self.loss(subject, part, value.origin);
        }
    }

    /// Notes keys that no dialect has: a program of Karenina's would drop them with the next save.
    pub(super) fn lose_others(&mut self, others: &[Other<'d>], of: impl fmt::Display, part: &Part<'_>) {
        for other in others {
            let subject = format!("`{}` of {of}", other.key);
            self.loss(subject, part.of("others").of(&other.key), other.value.origin);
        }
    }

    /// Notes what a property says beyond its name and value.
    pub(super) fn lose_of_property(&mut self, property: &Property<'d>, of: &str, part: &Part<'_>) {
        if let Some(id) = &property.id {
            self.loss(format!("`@id` of a property of {of}"), part.of("id"), id.origin);
        }
        self.lose_others(&property.others, format_args!("a property of {of}"), part);
    }

    fn add(&mut self, kind: ChangeKind, subject: String, part: String, origin: Origin<'d>) {
        self.changes.push(Change { kind, subject, part, origin });
    }
}

/// The path of a part of a checkpoint. It becomes a text where a change is listed; most parts have none.
#[derive(Clone, Copy)]
pub(super) struct Part<'p> {
    above: Option<&'p Part<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Name(&'p str),
    Number(usize),
    Value(&'p Value<'p>),
}

impl<'p> Part<'p> {
    /// A path that begins as told.
    pub(super) fn below(path: &'p str) -> Self {
        Self { above: None, step: Step::Name(path) }
    }

    /// A field, or what has that name.
    pub(super) fn of(&'p self, name: &'p str) -> Self {
        Self { above: Some(self), step: Step::Name(name) }
    }

    /// An item of a list.
    pub(super) fn at(&'p self, number: usize) -> Self {
        Self { above: Some(self), step: Step::Number(number) }
    }

    /// Returns what goes by that name.
    pub(super) fn named(&'p self, name: &'p Value<'_>) -> Self {
        Self { above: Some(self), step: Step::Value(name) }
    }
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            write!(f, "{above}/")?;
        }
        match self.step {
            Step::Name(name) => f.write_str(name),
            Step::Number(number) => write!(f, "{number}"),
            Step::Value(value) => f.write_str(&value.shown()),
        }
    }
}
