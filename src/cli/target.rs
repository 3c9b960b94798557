//! What `convert` writes: an RDF format, or files as they were read.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::convert::WRITTEN;
use crate::rdf::RdfFormat;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// All that was read, in one format.
    Rdf(RdfFormat),
    /// Each file as it was read, with the changes made to its graph.
    Same,
}

impl Target {
    /// The name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Same => "same",
        }
    }

    /// Everything that can be written.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        WRITTEN.into_iter().map(Self::Rdf).chain([Self::Same])
    }
}

/// Accepts the names of targets.
pub(super) fn targets() -> impl TypedValueParser<Value = Target> {
    let names: Vec<&'static str> = Target::all().map(Target::name).collect();
    PossibleValuesParser::new(names).try_map(|name| {
        Target::all().find(|target| target.name() == name).ok_or_else(|| format!("`{name}` is no format"))
    })
}
