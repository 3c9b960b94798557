//! The way of quads out of a dataset into any sink.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::dictionary::{Dictionary, Kind, TermId};
use super::document::EncodedQuad;
use crate::rdf::QuadSink;

impl Dictionary {
    /// Hands quads to a sink. Blank nodes keep the labels that [`Self::term`] gives them.
    pub fn copy_into<S: QuadSink>(&self, quads: impl Iterator<Item = EncodedQuad>, sink: &mut S) {
        let mut copy = Copy { dictionary: self, sink, copied: HashMap::default() };
        for quad in quads {
            let [subject, predicate, object] =
                [quad.subject, quad.predicate, quad.object].map(|term| copy.term(term));
            let graph = quad.graph.map(|graph| copy.term(graph));
            copy.sink.quad(subject, predicate, object, graph);
        }
    }
}

struct Copy<'d, 's, S: QuadSink> {
    dictionary: &'d Dictionary,
    sink: &'s mut S,
    copied: HashMap<TermId, S::Term, RandomState>,
}

impl<S: QuadSink> Copy<'_, '_, S> {
    fn term(&mut self, id: TermId) -> S::Term {
        if let Some(copied) = self.copied.get(&id) {
            return *copied;
        }
        let lexical = self.dictionary.lexical(id);
        let copied = match self.dictionary.kind(id) {
            Kind::Iri => self.sink.iri(lexical),
            Kind::BlankNode => self.sink.labelled_blank_node(&format!("b{id}")),
            Kind::String => self.sink.string(lexical),
            Kind::LangString => {
                let language = self.dictionary.language(id).unwrap_or_default();
                self.sink.language_string(lexical, language)
            }
            _ => {
                let datatype =
                    self.dictionary.datatype(id).map_or("", |datatype| self.dictionary.lexical(datatype));
                let datatype = self.sink.iri(datatype);
                self.sink.typed_literal(lexical, datatype)
            }
        };
        self.copied.insert(id, copied);
        copied
    }
}
