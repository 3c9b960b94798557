//! The way of quads into a store: terms are handed over as text once, then by handle.

use std::hash::Hash;
use std::sync::Arc;

use crate::json::{Document, TokenId};

/// Takes terms and quads.
///
/// A term is interned once and named by its handle afterwards, so that no quad of owned strings is
/// ever built.
pub trait QuadSink {
    /// The handle of a term.
    type Term: Copy + Eq + Hash;

    /// Hears how large the document is whose terms come next: the bytes of its text, and its JSON
    /// values and keys. A sink that has no use for that does nothing.
    fn expect(&mut self, bytes: usize, tokens: usize) {
        let _ = (bytes, tokens);
    }

    /// The handle of an IRI, absolute and well formed.
    fn iri(&mut self, iri: &str) -> Self::Term;

    /// A blank node that differs from all others.
    fn blank_node(&mut self) -> Self::Term;

    /// A blank node that differs from all others, with the label that it has in its document. A
    /// sink that keeps no labels takes it as any other.
    fn labelled_blank_node(&mut self, label: &str) -> Self::Term {
        let _ = label;
        self.blank_node()
    }

    /// The handle of an `xsd:string`.
    fn string(&mut self, value: &str) -> Self::Term;

    /// The handle of a literal of another datatype, with its lexical form as written.
    fn typed_literal(&mut self, lexical: &str, datatype: Self::Term) -> Self::Term;

    /// The handle of a string with a language, the tag as it is to be kept.
    fn language_string(&mut self, value: &str, language: &str) -> Self::Term;

    /// Takes a quad; no graph name is the default graph.
    fn quad(
        &mut self,
        subject: Self::Term,
        predicate: Self::Term,
        object: Self::Term,
        graph: Option<Self::Term>,
    );

    /// Hears which node the object of that token in a JSON-LD document is, or the string that refers
    /// to it. A sink that has no use for that does nothing.
    #[inline]
    fn node_at(&mut self, token: TokenId, node: Self::Term) {
        let _ = (token, node);
    }

    /// Hears which JSON-LD document has just come. A sink that has no use for that does nothing.
    fn document_end(&mut self, document: &Arc<Document>) {
        let _ = document;
    }

    /// Hears of a quad that would be there, were the input not at fault. `cause` is the caller's
    /// number of the fault. A sink that does not count losses does nothing.
    fn lost_quad(&mut self, quad: Quad<Self::Term>, cause: u32) {
        let _ = (quad, cause);
    }
}

/// A quad of handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quad<Term> {
    /// The subject.
    pub subject: Term,
    /// The predicate; a blank node only in generalized RDF.
    pub predicate: Term,
    /// The object.
    pub object: Term,
    /// The graph name; none is the default graph.
    pub graph: Option<Term>,
}

impl<Term> Quad<Term> {
    /// A triple in a graph.
    pub fn new(triple: [Term; 3], graph: Option<Term>) -> Self {
        let [subject, predicate, object] = triple;
        Self { subject, predicate, object, graph }
    }
}

/// The methods by which a [`QuadSink`] hands on to another one, a field of it, what it leaves as it is.
macro_rules! hand_on {
    ($sink:ident) => {
        fn expect(&mut self, bytes: usize, tokens: usize) {
            self.$sink.expect(bytes, tokens);
        }

        fn blank_node(&mut self) -> Self::Term {
            self.$sink.blank_node()
        }

        fn labelled_blank_node(&mut self, label: &str) -> Self::Term {
            self.$sink.labelled_blank_node(label)
        }

        fn string(&mut self, value: &str) -> Self::Term {
            self.$sink.string(value)
        }

        fn typed_literal(&mut self, lexical: &str, datatype: Self::Term) -> Self::Term {
            self.$sink.typed_literal(lexical, datatype)
        }

        fn language_string(&mut self, value: &str, language: &str) -> Self::Term {
            self.$sink.language_string(value, language)
        }

        fn node_at(&mut self, token: crate::json::TokenId, node: Self::Term) {
            self.$sink.node_at(token, node);
        }

        fn document_end(&mut self, document: &std::sync::Arc<crate::json::Document>) {
            self.$sink.document_end(document);
        }
    };
}
pub(super) use hand_on;
