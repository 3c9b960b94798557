//! The parts that a conversion could not keep or had to fill in.

use crate::checkpoint::model::{PlacedValue, PropertyValue, TokenOrigin, UnknownMember};
use std::fmt;

/// The change to a part of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The form cannot represent the part.
    Loss,
    /// The form requires the part and the file lacks it.
    Default,
}

/// A part that was left out or filled in.
#[derive(Debug, Clone)]
pub struct PartChange<'d> {
    /// The part was left out, or filled in.
    pub kind: ChangeKind,
    /// The name of the part, the same for all parts of a kind.
    pub subject: String,
    /// The path of the part in the model; traits and properties are given by name: `/items/2/question/template/name`.
    pub part: String,
    /// The place of the part; for a part that was filled in, the place where it is missing.
    pub origin: TokenOrigin<'d>,
}

/// The changes of one conversion, in the order of the model.
#[derive(Debug, Default)]
pub(super) struct ConversionLedger<'d> {
    pub(super) changes: Vec<PartChange<'d>>,
}

impl<'d> ConversionLedger<'d> {
    pub(super) fn loss(
        &mut self,
        subject: impl Into<String>,
        part: impl fmt::Display,
        origin: TokenOrigin<'d>,
    ) {
        self.add(ChangeKind::Loss, subject.into(), part.to_string(), origin);
    }

    pub(super) fn filled(
        &mut self,
        subject: impl Into<String>,
        part: impl fmt::Display,
        origin: TokenOrigin<'d>,
    ) {
        self.add(ChangeKind::Default, subject.into(), part.to_string(), origin);
    }

    /// Records a value as lost, if there is one.
    pub(super) fn lose_value(
        &mut self,
        subject: &str,
        part: impl fmt::Display,
        value: Option<&PlacedValue<'d>>,
    ) {
        if let Some(value) = value {
            self.loss(subject, part, value.origin);
        }
    }

    /// Records unknown keys as lost: Karenina's programs would drop them at the next save.
    pub(super) fn lose_others(
        &mut self,
        others: &[UnknownMember<'d>],
        of: impl fmt::Display,
        part: &PartPath<'_>,
    ) {
        for other in others {
            let subject = format!("`{}` of {of}", other.key);
            self.loss(subject, part.field("others").field(&other.key), other.value.origin);
        }
    }

    /// Records the members of a property other than its name and value as lost.
    pub(super) fn lose_of_property(&mut self, property: &PropertyValue<'d>, of: &str, part: &PartPath<'_>) {
        if let Some(id) = &property.id {
            self.loss(format!("`@id` of a property of {of}"), part.field("id"), id.origin);
        }
        self.lose_others(&property.others, format_args!("a property of {of}"), part);
    }

    fn add(&mut self, kind: ChangeKind, subject: String, part: String, origin: TokenOrigin<'d>) {
        self.changes.push(PartChange { kind, subject, part, origin });
    }
}

/// The path of a part of a checkpoint. It becomes a string only when a change is recorded, which is rare.
#[derive(Clone, Copy)]
pub(super) struct PartPath<'p> {
    above: Option<&'p PartPath<'p>>,
    step: PartStep<'p>,
}

#[derive(Clone, Copy)]
enum PartStep<'p> {
    Name(&'p str),
    Number(usize),
    Value(&'p PlacedValue<'p>),
}

impl<'p> PartPath<'p> {
    /// Starts a path at `path`.
    pub(super) fn below(path: &'p str) -> Self {
        Self { above: None, step: PartStep::Name(path) }
    }

    /// Adds a field or a name to the path.
    pub(super) fn field(&'p self, name: &'p str) -> Self {
        Self { above: Some(self), step: PartStep::Name(name) }
    }

    /// Adds the number of a list item to the path.
    pub(super) fn at(&'p self, number: usize) -> Self {
        Self { above: Some(self), step: PartStep::Number(number) }
    }

    /// Adds a name that is a JSON value to the path.
    pub(super) fn named(&'p self, name: &'p PlacedValue<'_>) -> Self {
        Self { above: Some(self), step: PartStep::Value(name) }
    }
}

impl fmt::Display for PartPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            write!(f, "{above}/")?;
        }
        match self.step {
            PartStep::Name(name) => f.write_str(name),
            PartStep::Number(number) => write!(f, "{number}"),
            PartStep::Value(value) => f.write_str(&value.shown()),
        }
    }
}
