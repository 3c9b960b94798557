//! RDF Patch (<https://afs.github.io/rdf-patch/>): the changes that turn one dataset into another.

use std::fmt::Write as _;

use crate::rdf::QuadSink;
use crate::rdf::difference::Difference;
use crate::rdf::sink::LostQuad;
use crate::source::karenina::identifiers::text_md5;

/// A difference as one transaction. The id of the patch is made of what is in it, so that equal
/// patches are equal.
pub(super) fn to_rdf_patch(difference: &Difference) -> String {
    let mut changes = String::new();
    for line in &difference.removed {
        let _ = writeln!(changes, "D {line}");
    }
    for line in &difference.added {
        let _ = writeln!(changes, "A {line}");
    }
    format!("H id <uuid:{}> .\nTX .\n{changes}TC .\n", uuid(&changes))
}

/// A UUID of version 3, which is one made of an MD5.
fn uuid(text: &str) -> String {
    let digits = text_md5(text);
    format!("{}-{}-3{}-8{}-{}", &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..])
}

/// Takes quads and puts those of the default graph into a named one.
pub(super) struct InGraph<'s, S: QuadSink> {
    sink: &'s mut S,
    graph: S::Term,
}

impl<'s, S: QuadSink> InGraph<'s, S> {
    /// Names the graph.
    pub(super) fn new(sink: &'s mut S, graph: &str) -> Self {
        let graph = sink.iri(graph);
        Self { sink, graph }
    }
}

impl<S: QuadSink> QuadSink for InGraph<'_, S> {
    type Term = S::Term;

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
        self.sink.quad(subject, predicate, object, graph.or(Some(self.graph)));
    }

    fn lost_quad(&mut self, quad: LostQuad<S::Term>, cause: u32) {
        let graph = quad.graph.or(Some(self.graph));
        self.sink.lost_quad(LostQuad { graph, ..quad }, cause);
    }
}
