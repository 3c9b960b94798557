//! A sink that puts what has no graph name into a named graph.

use super::sink::{LostQuad, QuadSink};
use crate::json::{Document, TokenId};
use std::sync::Arc;

/// Hands everything on; quads of the default graph become quads of a named one.
#[derive(Debug)]
pub struct InGraph<'s, S: QuadSink> {
    sink: &'s mut S,
    graph: S::Term,
}

impl<'s, S: QuadSink> InGraph<'s, S> {
    /// The graph of that name in a sink.
    pub fn new(sink: &'s mut S, name: &str) -> Self {
        let graph = sink.iri(name);
        Self { sink, graph }
    }

    /// The sink that everything goes to.
    pub fn inner(&mut self) -> &mut S {
        self.sink
    }
}

impl<S: QuadSink> QuadSink for InGraph<'_, S> {
    type Term = S::Term;

    fn expect(&mut self, bytes: usize, tokens: usize) {
        self.sink.expect(bytes, tokens);
    }

    fn iri(&mut self, iri: &str) -> S::Term {
        self.sink.iri(iri)
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
        self.sink.quad(subject, predicate, object, Some(graph.unwrap_or(self.graph)));
    }

    fn node_at(&mut self, token: TokenId, node: S::Term) {
        self.sink.node_at(token, node);
    }

    fn document_end(&mut self, document: &Arc<Document>) {
        self.sink.document_end(document);
    }

    fn lost_quad(&mut self, quad: LostQuad<S::Term>, cause: u32) {
        self.sink.lost_quad(LostQuad { graph: Some(quad.graph.unwrap_or(self.graph)), ..quad }, cause);
    }
}
