//! What `--from` may say: an RDF format, or the system whose file an input is.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::rdf::RdfFormat;
use crate::source::system::System;

/// A format that an input can be said to be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputFormat {
    /// An RDF format.
    Rdf(RdfFormat),
    /// A file of a system that is no JSON-LD.
    Records(System),
}

impl InputFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Records(system) => system.name(),
        }
    }
}

/// Accepts the names of what is read. Karenina's checkpoints are JSON-LD, or tell themselves.
pub(super) fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    let systems = System::ALL.into_iter().filter(|system| *system != System::Karenina);
    let all: Vec<InputFormat> =
        RdfFormat::ALL.into_iter().map(InputFormat::Rdf).chain(systems.map(InputFormat::Records)).collect();
    let names: Vec<&'static str> = all.iter().map(|format| format.name()).collect();
    PossibleValuesParser::new(names).try_map(move |name| {
        let format = all.iter().find(|format| format.name() == name).copied();
        format.ok_or_else(|| format!("`{name}` is no format"))
    })
}
