//! A sink that puts the quads of the default graph into a named graph.

use super::sink::{HandleQuad, QuadSink, hand_on};

/// Passes everything on; quads of the default graph become quads of a named one.
#[derive(Debug)]
pub struct InGraph<'s, S: QuadSink> {
    sink: &'s mut S,
    graph: S::Term,
}

impl<'s, S: QuadSink> InGraph<'s, S> {
    /// Returns a sink that fills the graph with that name in `sink`.
    pub fn new(sink: &'s mut S, name: &str) -> Self {
        let graph = sink.iri(name);
        Self { sink, graph }
    }
}

impl<S: QuadSink> QuadSink for InGraph<'_, S> {
    type Term = S::Term;

    hand_on!(sink);

    fn iri(&mut self, iri: &str) -> S::Term {
        self.sink.iri(iri)
    }

    fn quad(&mut self, subject: S::Term, predicate: S::Term, object: S::Term, graph: Option<S::Term>) {
        self.sink.quad(subject, predicate, object, Some(graph.unwrap_or(self.graph)));
    }

    fn lost_quad(&mut self, quad: HandleQuad<S::Term>, cause: u32) {
        self.sink.lost_quad(HandleQuad { graph: Some(quad.graph.unwrap_or(self.graph)), ..quad }, cause);
    }
}
