//! Faults in an XML text.

use std::ops::Range;

use crate::iri;
use evalgraph_diagnostics::FindingHelp;

/// The code of a text that is larger than a limit.
pub(super) const TOO_LARGE: &str = "rdf::size";

/// A fault in an XML text, with its place.
#[derive(Debug)]
pub(crate) struct XmlFault {
    pub(crate) code: &'static str,
    pub(crate) bytes: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<FindingHelp>,
}

impl XmlFault {
    pub(crate) fn new(bytes: Range<usize>, message: impl Into<String>) -> Self {
        Self { code: crate::syntax_error::CODE, bytes, message: message.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<FindingHelp>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The fault for a base or a namespace that is too long.
pub(crate) fn too_long(bytes: Range<usize>) -> XmlFault {
    XmlFault { code: TOO_LARGE, ..XmlFault::new(bytes, iri::too_long("a base or a namespace")) }
}
