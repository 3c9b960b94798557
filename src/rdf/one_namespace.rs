//! A sink that moves every form of the schema.org namespace into the one that the store uses.

use std::sync::Arc;

use crate::json::{Document, TokenId};
use crate::rdf::QuadSink;
use crate::rdf::sink::LostQuad;
use crate::rdf::vocabulary::schema_org_alias;

/// Hands everything on, IRIs of schema.org moved and counted.
pub(crate) struct OneNamespace<'s, S> {
    sink: &'s mut S,
    iri: String,
    /// How often an IRI was moved.
    pub(crate) moved: u64,
}

impl<'s, S: QuadSink> OneNamespace<'s, S> {
    pub(crate) fn new(sink: &'s mut S) -> Self {
        Self { sink, iri: String::new(), moved: 0 }
    }
}

impl<S: QuadSink> QuadSink for OneNamespace<'_, S> {
    type Term = S::Term;

    fn expect(&mut self, bytes: usize, tokens: usize) {
        self.sink.expect(bytes, tokens);
    }

    fn iri(&mut self, iri: &str) -> S::Term {
        let Some(local) = schema_org_alias(iri) else {
            return self.sink.iri(iri);
        };
        self.moved += 1;
        self.iri.clear();
        self.iri.push_str(crate::rdf::vocabulary::SCHEMA_ORG);
        self.iri.push_str(local);
        self.sink.iri(&self.iri)
    }

    fn blank_node(&mut self) -> S::Term {
        self.sink.blank_node()
    }

    fn labelled_blank_node(&mut self, label: &str) -> S::Term {
        self.sink.labelled_blank_node(label)
    }

    fn string(&mut self, value: &str) -> S::Term {
        self.sink.string(value)
    }

    fn typed_literal(&mut self, lexical: &str, datatype: S::Term) -> S::Term {
        self.sink.typed_literal(lexical, datatype)
    }

    fn language_string(&mut self, value: &str, language: &str) -> S::Term {
        self.sink.language_string(value, language)
    }

    fn quad(&mut self, subject: S::Term, predicate: S::Term, object: S::Term, graph: Option<S::Term>) {
        self.sink.quad(subject, predicate, object, graph);
    }

    fn node_at(&mut self, token: TokenId, node: S::Term) {
        self.sink.node_at(token, node);
    }

    fn document_end(&mut self, document: &Arc<Document>) {
        self.sink.document_end(document);
    }

    fn lost_quad(&mut self, quad: LostQuad<S::Term>, cause: u32) {
        self.sink.lost_quad(quad, cause);
    }
}
