//! A sink that moves every form of the schema.org namespace into the one that the store uses.

use super::sink::{HandleQuad, QuadSink, hand_on};
use super::vocabulary::{SCHEMA_ORG, schema_org_alias};

/// Passes everything on; IRIs of schema.org are moved and counted.
pub struct OneNamespace<'s, S> {
    sink: &'s mut S,
    iri: String,
    /// How often an IRI was moved.
    pub moved: u64,
}

impl<'s, S: QuadSink> OneNamespace<'s, S> {
    /// Returns a sink that passes everything to `sink`.
    pub fn new(sink: &'s mut S) -> Self {
        Self { sink, iri: String::new(), moved: 0 }
    }
}

impl<S: QuadSink> QuadSink for OneNamespace<'_, S> {
    type Term = S::Term;

    hand_on!(sink);

    fn iri(&mut self, iri: &str) -> S::Term {
        let Some(local) = schema_org_alias(iri) else {
            return self.sink.iri(iri);
        };
        self.moved += 1;
        self.iri.clear();
        self.iri.push_str(SCHEMA_ORG);
        self.iri.push_str(local);
        self.sink.iri(&self.iri)
    }

    fn quad(&mut self, subject: S::Term, predicate: S::Term, object: S::Term, graph: Option<S::Term>) {
        self.sink.quad(subject, predicate, object, graph);
    }

    fn lost_quad(&mut self, quad: HandleQuad<S::Term>, cause: u32) {
        self.sink.lost_quad(quad, cause);
    }
}
