//! Faults of an XML text.

use std::ops::Range;

use crate::diagnostic::Help;
use crate::rdf::iri;

/// The code of a text that is larger than a limit.
pub(super) const TOO_LARGE: &str = "rdf::size";

/// A fault of an XML text, with its place.
#[derive(Debug)]
pub(in crate::rdf) struct Fault {
    pub(in crate::rdf) code: &'static str,
    pub(in crate::rdf) bytes: Range<usize>,
    pub(in crate::rdf) message: String,
    pub(in crate::rdf) help: Option<Help>,
}

impl Fault {
    pub(in crate::rdf) fn new(bytes: Range<usize>, message: impl Into<String>) -> Self {
        Self { code: crate::rdf::syntax_error::CODE, bytes, message: message.into(), help: None }
    }

    pub(in crate::rdf) fn with_help(mut self, help: impl Into<Help>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The fault of a base or a namespace that is too long.
pub(in crate::rdf) fn too_long(bytes: Range<usize>) -> Fault {
    Fault { code: TOO_LARGE, ..Fault::new(bytes, iri::too_long("a base or a namespace")) }
}
