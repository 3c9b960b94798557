//! The formats that an input can be said to be in: an RDF format, or the system whose file an input is.

use crate::rdf::RdfFormat;
use crate::source::system::System;

/// A format that an input can be said to be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputFormat {
    /// An RDF format.
    Rdf(RdfFormat),
    /// A file of a system that is no JSON-LD.
    Records(System),
}

impl InputFormat {
    /// The name that people give it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Records(system) => system.name(),
        }
    }
}
