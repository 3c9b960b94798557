//! The place of a triple in a text.

use std::ops::Range;

/// The bytes of the terms of a triple in its document.
///
/// A node in brackets stands at the opening bracket. Of the triples that a collection is short for, the first node
/// stands at the bracket, each other one at its item, and predicates at their subjects. In RDF/XML, a term stands at
/// the attribute, the text or else the name of the element that makes it, and a node of a collection at its item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TripleSpan {
    /// The bytes of the subject.
    pub subject: Range<usize>,
    /// The bytes of the predicate.
    pub predicate: Range<usize>,
    /// The bytes of the object; of a literal with its language or datatype.
    pub object: Range<usize>,
}

impl TripleSpan {
    /// The same place in a text with so many bytes more before it.
    pub(super) fn moved(self, by: usize) -> Self {
        let moved = |span: Range<usize>| span.start + by..span.end + by;
        Self { subject: moved(self.subject), predicate: moved(self.predicate), object: moved(self.object) }
    }
}
