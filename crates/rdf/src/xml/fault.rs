//! Faults of an XML text.

use std::ops::Range;

use crate::iri;
use evalgraph_diagnostics::Help;

/// The code of a text that is larger than a limit.
pub(super) const TOO_LARGE: &str = "rdf::size";

/// A fault of an XML text, with its place.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: &'static str,
    pub(crate) bytes: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<Help>,
}

impl Fault {
    pub(crate) fn new(bytes: Range<usize>, message: impl Into<String>) -> Self {
        Self { code: crate::syntax_error::CODE, bytes, message: message.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<Help>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The fault of a base or a namespace that is too long.
pub(crate) fn too_long(bytes: Range<usize>) -> Fault {
    Fault { code: TOO_LARGE, ..Fault::new(bytes, iri::too_long("a base or a namespace")) }
}
