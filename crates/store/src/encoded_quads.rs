//! Triples, quads and graphs made of term numbers.

use super::term::TermId;
use evalgraph_rdf::sink::HandleQuad;

/// A quad of ids; no graph name is the default graph.
pub type EncodedQuad = HandleQuad<TermId>;

pub(super) type EncodedTriple = [TermId; 3];

/// A graph of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentGraph {
    /// Its name.
    pub name: TermId,
    /// `true` if it is the document's default graph.
    pub is_default: bool,
    /// Its triples.
    pub triples: Vec<[TermId; 3]>,
}

impl DocumentGraph {
    /// The quads.
    pub fn quads(&self) -> impl Iterator<Item = EncodedQuad> + '_ {
        self.triples.iter().map(|triple| HandleQuad::new(*triple, Some(self.name)))
    }
}
