//! A graph of a document, as it is to be.

use super::dictionary::TermId;
use super::encoded::EncodedQuad;

/// A graph of a document.
#[derive(Debug, Clone)]
pub struct DocumentGraph {
    /// Its name.
    pub name: TermId,
    /// Whether it is the document's default graph.
    pub is_default: bool,
    /// Its triples.
    pub triples: Vec<[TermId; 3]>,
}

impl DocumentGraph {
    /// The quads.
    pub fn quads(&self) -> impl Iterator<Item = EncodedQuad> + '_ {
        self.triples.iter().map(|[subject, predicate, object]| EncodedQuad {
            graph: Some(self.name),
            subject: *subject,
            predicate: *predicate,
            object: *object,
        })
    }
}
