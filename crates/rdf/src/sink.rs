//! Sinks for quads: a caller passes each term as text once, and then uses its handle.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use evalgraph_json::{JsonDocument, TokenId};

/// Receives terms and quads.
///
/// A term is interned once and afterwards referred to by its handle, so quads of owned strings are never built.
pub trait QuadSink {
    /// The handle of a term.
    type Term: Copy + Eq + Hash;

    /// `true` if the sink wants [the places of quads](Self::quad_at). Other sinks should not pay for them.
    const HEARS_PLACES: bool = false;

    /// Receives the size of the next document: the bytes of its text, and its JSON values and keys. Does nothing by
    /// default.
    fn expect(&mut self, bytes: usize, tokens: usize) {
        let _ = (bytes, tokens);
    }

    /// Receives a prefix of the document, with its namespace. Does nothing by default.
    fn prefix(&mut self, name: &str, namespace: &str) {
        let _ = (name, namespace);
    }

    /// The handle of an IRI, which must be absolute and well formed.
    fn iri(&mut self, iri: &str) -> Self::Term;

    /// A blank node that differs from all others.
    fn blank_node(&mut self) -> Self::Term;

    /// A blank node that differs from all others, with the label that it has in its document. By default the label is
    /// ignored.
    fn labelled_blank_node(&mut self, label: &str) -> Self::Term {
        let _ = label;
        self.blank_node()
    }

    /// The handle of an `xsd:string`.
    fn string(&mut self, value: &str) -> Self::Term;

    /// The handle of a literal of another datatype, with its lexical form as written.
    fn typed_literal(&mut self, lexical: &str, datatype: Self::Term) -> Self::Term;

    /// The handle of a string with a language. The tag is kept as given.
    fn language_string(&mut self, value: &str, language: &str) -> Self::Term;

    /// Returns whether to stop, because the work was abandoned. Readers ask now and then, and stop without an error:
    /// the caller that abandoned the work knows.
    #[inline]
    fn is_over(&self) -> bool {
        false
    }

    /// Receives a quad; no graph name means the default graph.
    fn quad(
        &mut self,
        subject: Self::Term,
        predicate: Self::Term,
        object: Self::Term,
        graph: Option<Self::Term>,
    );

    /// Receives the node of a token of a JSON-LD document: of an object, or of a string that refers to the node. Does
    /// nothing by default.
    #[inline]
    fn node_at(&mut self, token: TokenId, node: Self::Term) {
        let _ = (token, node);
    }

    /// Receives the `@id` of an object of a JSON-LD document, if the object says nothing else about its node, or if the
    /// `@id` is not an IRI. Called only for a sink that [wants](Self::HEARS_PLACES) places.
    fn id_at(&mut self, object: TokenId, id: TokenId) {
        let _ = (object, id);
    }

    /// Receives the place of the next quad of a JSON-LD document: the key of its property, and the value that is its
    /// object (its subject, if the property is reversed). Called only for a sink that [wants](Self::HEARS_PLACES)
    /// places.
    fn quad_at(&mut self, key: TokenId, value: TokenId) {
        let _ = (key, value);
    }

    /// Receives the JSON-LD document that has just ended. Does nothing by default.
    fn document_end(&mut self, document: &Arc<JsonDocument>) {
        let _ = document;
    }

    /// A blank node for lost quads, in place of an IRI or a key that is not a term of a quad, with its text. By default
    /// the text is ignored.
    fn stand_in(&mut self, text: &str) -> Self::Term {
        let _ = text;
        self.blank_node()
    }

    /// Receives a quad that was lost to a fault of the input. `cause` is the caller's number of the fault. Does nothing
    /// by default.
    fn lost_quad(&mut self, quad: HandleQuad<Self::Term>, cause: u32) {
        let _ = (quad, cause);
    }

    /// Returns how many distinct quads each cause of losses has cost since the last call. By default returns none.
    fn take_lost_costs(&mut self) -> BTreeMap<u32, u64> {
        BTreeMap::new()
    }
}

/// A quad of handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandleQuad<Term> {
    /// The subject.
    pub subject: Term,
    /// The predicate; a blank node only in generalized RDF.
    pub predicate: Term,
    /// The object.
    pub object: Term,
    /// The graph name; none for the default graph.
    pub graph: Option<Term>,
}

impl<Term> HandleQuad<Term> {
    /// A triple in a graph.
    pub fn new(triple: [Term; 3], graph: Option<Term>) -> Self {
        let [subject, predicate, object] = triple;
        Self { subject, predicate, object, graph }
    }
}

/// The items of a [`QuadSink`] that pass everything unchanged to another sink, a field of type `S`.
macro_rules! hand_on {
    ($sink:ident) => {
        const HEARS_PLACES: bool = S::HEARS_PLACES;

        fn expect(&mut self, bytes: usize, tokens: usize) {
            self.$sink.expect(bytes, tokens);
        }

        fn prefix(&mut self, name: &str, namespace: &str) {
            self.$sink.prefix(name, namespace);
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

        fn stand_in(&mut self, text: &str) -> Self::Term {
            self.$sink.stand_in(text)
        }

        fn typed_literal(&mut self, lexical: &str, datatype: Self::Term) -> Self::Term {
            self.$sink.typed_literal(lexical, datatype)
        }

        fn language_string(&mut self, value: &str, language: &str) -> Self::Term {
            self.$sink.language_string(value, language)
        }

        fn node_at(&mut self, token: evalgraph_json::TokenId, node: Self::Term) {
            self.$sink.node_at(token, node);
        }

        fn id_at(&mut self, object: evalgraph_json::TokenId, id: evalgraph_json::TokenId) {
            self.$sink.id_at(object, id);
        }

        fn quad_at(&mut self, key: evalgraph_json::TokenId, value: evalgraph_json::TokenId) {
            self.$sink.quad_at(key, value);
        }

        fn document_end(&mut self, document: &std::sync::Arc<evalgraph_json::JsonDocument>) {
            self.$sink.document_end(document);
        }

        fn take_lost_costs(&mut self) -> std::collections::BTreeMap<u32, u64> {
            self.$sink.take_lost_costs()
        }
    };
}
pub(super) use hand_on;
