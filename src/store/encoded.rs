//! Triples and quads of the numbers of terms.

use super::term::TermId;

/// A quad of ids; no graph name is the default graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EncodedQuad {
    /// Its graph name.
    pub graph: Option<TermId>,
    /// Its subject.
    pub subject: TermId,
    /// Its predicate.
    pub predicate: TermId,
    /// Its object.
    pub object: TermId,
}

pub(super) type EncodedTriple = [TermId; 3];
