//! Sinks for quads: a caller hands over each term as text once, then by handle.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

use evalgraph_json::{JsonDocument, TokenId};

/// Takes terms and quads.
///
/// A term is interned once and named by its handle afterwards, so that no quad of owned strings is
/// ever built.
pub trait QuadSink {
    /// The handle of a term.
    type Term: Copy + Eq + Hash;

    /// `true` if the sink wants to hear [where quads stand](Self::quad_at). Others shall not pay for it.
    const HEARS_PLACES: bool = false;

    /// Takes the size of the document whose terms come next: the bytes of its text, and its JSON
    /// values and keys. A sink that has no use for the size does nothing.
    fn expect(&mut self, bytes: usize, tokens: usize) {
        let _ = (bytes, tokens);
    }

    /// Takes a prefix of the document, with its namespace. A sink that has no use for prefixes does nothing.
    fn prefix(&mut self, name: &str, namespace: &str) {
        let _ = (name, namespace);
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

    /// Returns whether nothing more is wanted, because the work was given up. Readers ask now and then, and stop without an
    /// error: the caller that gave the work up knows.
    #[inline]
    fn is_over(&self) -> bool {
        false
    }

    /// Takes a quad; no graph name is the default graph.
    fn quad(
        &mut self,
        subject: Self::Term,
        predicate: Self::Term,
        object: Self::Term,
        graph: Option<Self::Term>,
    );

    /// Takes the node of a token of a JSON-LD document: of an object, or of a string that refers to
    /// the node. A sink that has no use for places does nothing.
    #[inline]
    fn node_at(&mut self, token: TokenId, node: Self::Term) {
        let _ = (token, node);
    }

    /// Takes the `@id` of an object of a JSON-LD document that says nothing else of its node, or whose `@id` is not an IRI.
    /// Only a sink that [hears](Self::HEARS_PLACES) places is told.
    fn id_at(&mut self, object: TokenId, id: TokenId) {
        let _ = (object, id);
    }

    /// Takes the place of the quad that comes next, of a JSON-LD document: the key of its property, and the value that
    /// is its object, or its subject where the property is reversed. Only a sink that [hears](Self::HEARS_PLACES) is
    /// told.
    fn quad_at(&mut self, key: TokenId, value: TokenId) {
        let _ = (key, value);
    }

    /// Takes the JSON-LD document that has just ended. A sink that has no use for it does nothing.
    fn document_end(&mut self, document: &Arc<JsonDocument>) {
        let _ = document;
    }

    /// A blank node for lost quads, which stands for an IRI or a key that is not a term of a quad, with its text. A sink that
    /// keeps no losses takes it as any other.
    fn stand_in(&mut self, text: &str) -> Self::Term {
        let _ = text;
        self.blank_node()
    }

    /// Takes a quad that a fault of the input has cost. `cause` is the caller's number of the
    /// fault. A sink that does not count losses does nothing.
    fn lost_quad(&mut self, quad: HandleQuad<Self::Term>, cause: u32) {
        let _ = (quad, cause);
    }

    /// Returns how many distinct quads each cause of losses has cost since the last call. A sink that does not count
    /// losses returns none.
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
    /// The graph name; none is the default graph.
    pub graph: Option<Term>,
}

impl<Term> HandleQuad<Term> {
    /// A triple in a graph.
    pub fn new(triple: [Term; 3], graph: Option<Term>) -> Self {
        let [subject, predicate, object] = triple;
        Self { subject, predicate, object, graph }
    }
}

/// The items of a [`QuadSink`] that hand everything unchanged to another sink, a field of the type `S`.
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
