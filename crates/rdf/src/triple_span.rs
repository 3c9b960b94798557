//! The place of a triple in a text.

use std::ops::Range;

/// The bytes of the terms of a triple in its document.
///
/// A node in brackets is placed at the opening bracket. A collection is short for several triples: its first node is
/// placed at the bracket, each other node at its item, and predicates at their subjects. In RDF/XML, a term is placed
/// at the attribute or text that produces it, or else at the name of the element; a node of a collection is placed at
/// its item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TripleSpan {
    /// The bytes of the subject.
    pub subject: Range<usize>,
    /// The bytes of the predicate.
    pub predicate: Range<usize>,
    /// The bytes of the object, including the language or datatype of a literal.
    pub object: Range<usize>,
}

impl TripleSpan {
    /// The same place in a text with that many more bytes before it.
    pub(super) fn moved(self, by: usize) -> Self {
        let moved = |span: Range<usize>| span.start + by..span.end + by;
        Self { subject: moved(self.subject), predicate: moved(self.predicate), object: moved(self.object) }
    }
}
