//! What `convert` writes: an RDF format, files as they were read, or a form that the programs of one of
//! the systems load.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::convert_kwanzaa::KwanzaaForm;
use super::rdf_output::WRITTEN;
use crate::rdf::RdfFormat;
use crate::source::karenina::writer::{Form, Version2Shape};
use crate::source::rlcf::export::ExportFormat;
use crate::source::system::System;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// All that was read, in one format.
    Rdf(RdfFormat),
    /// Each file as it was read, with the changes made to its graph.
    Same,
    /// Checkpoints in a form.
    Karenina(Form),
    /// What models are trained with.
    Training(ExportFormat),
    /// A dataset directory of train.json.
    Train,
    /// Tasks for experts.
    Rlcf,
    /// Kwanzaa's datasets, or conversations made of them.
    Kwanzaa(KwanzaaForm),
}

impl Target {
    /// The name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Same => "same",
            Self::Karenina(form) => form.name(),
            Self::Training(format) => format.name(),
            Self::Train => System::Train.name(),
            Self::Rlcf => System::Rlcf.name(),
            Self::Kwanzaa(form) => form.name(),
        }
    }

    /// Everything that can be written; version 2.0 in its last shape.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let formats = WRITTEN.into_iter().map(Self::Rdf);
        let forms = [Self::Same].into_iter().chain(Form::ALL.map(Self::Karenina));
        let forms = forms.chain(KwanzaaForm::ALL.map(Self::Kwanzaa)).chain([Self::Train, Self::Rlcf]);
        formats.chain(forms).chain(ExportFormat::ALL.map(Self::Training))
    }

    /// The shape counts for version 2.0 only.
    pub(super) fn with_shape(self, shape: Version2Shape) -> Self {
        match self {
            Self::Karenina(Form::Version2(_)) => Self::Karenina(Form::Version2(shape)),
            target => target,
        }
    }
}

/// Accepts the names of targets.
pub(super) fn targets() -> impl TypedValueParser<Value = Target> {
    let names: Vec<&'static str> = Target::all().map(Target::name).collect();
    PossibleValuesParser::new(names).try_map(|name| {
        Target::all().find(|target| target.name() == name).ok_or_else(|| format!("`{name}` is no format"))
    })
}

/// Accepts the shapes of version 2.0.
pub(super) fn shapes() -> impl TypedValueParser<Value = Version2Shape> {
    PossibleValuesParser::new(["a", "b", "c"]).map(|name| match name.as_str() {
        "a" => Version2Shape::A,
        "b" => Version2Shape::B,
        _ => Version2Shape::C,
    })
}

/// Accepts what an update of files writes. Other forms are made of that by `convert`.
pub(super) fn update_targets() -> impl TypedValueParser<Value = Target> {
    let targets = || WRITTEN.into_iter().map(Target::Rdf).chain([Target::Same]);
    let names: Vec<&'static str> = targets().map(Target::name).collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        targets().find(|target| target.name() == name).ok_or_else(|| format!("`{name}` is no format"))
    })
}
