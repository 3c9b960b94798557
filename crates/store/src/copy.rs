//! Copies quads of a dataset into any sink, and some quads of a document into a buffer. `TermDictionary` is defined
//! in `dictionary.rs`. `DocumentBuilder` is defined in `document_builder.rs`.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::dictionary::{RdfTermKind, TermDictionary, TermId};
use super::document_builder::{DocumentBuilder, EncodedQuad, EncodedTriple};
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_rdf::{QuadBuffer, QuadSink, quad_buffer};

impl TermDictionary {
    /// Passes quads to a sink. Blank nodes keep the labels that [`Self::term`] gives them.
    pub fn copy_into<S: QuadSink>(&self, quads: impl Iterator<Item = EncodedQuad>, sink: &mut S) {
        let mut copy = DictionaryCopy { dictionary: self, sink, copied: HashMap::default() };
        for quad in quads {
            let [subject, predicate, object] =
                [quad.subject, quad.predicate, quad.object].map(|term| copy.term(term));
            let graph = quad.graph.map(|graph| copy.term(graph));
            copy.sink.quad(subject, predicate, object, graph);
        }
    }

    /// Passes a term to a sink; `datatype` passes the datatype of a literal.
    fn copy_term<S: QuadSink>(
        &self,
        id: TermId,
        sink: &mut S,
        datatype: impl FnOnce(TermId, &mut S) -> S::Term,
    ) -> S::Term {
        let lexical = self.lexical(id);
        match self.kind(id) {
            RdfTermKind::Iri => sink.iri(lexical),
            RdfTermKind::BlankNode => sink.labelled_blank_node(&format!("b{id}")),
            RdfTermKind::String => sink.string(lexical),
            RdfTermKind::LangString => sink.language_string(lexical, self.language(id).unwrap_or_default()),
            _ => {
                let datatype = match self.datatype(id) {
                    Some(id) => datatype(id, sink),
                    // The term cannot be read.
                    None => sink.iri(""),
                };
                sink.typed_literal(lexical, datatype)
            }
        }
    }
}

struct DictionaryCopy<'d, 's, S: QuadSink> {
    dictionary: &'d TermDictionary,
    sink: &'s mut S,
    copied: HashMap<TermId, S::Term, RandomState>,
}

impl<S: QuadSink> DictionaryCopy<'_, '_, S> {
    fn term(&mut self, id: TermId) -> S::Term {
        if let Some(copied) = self.copied.get(&id) {
            return *copied;
        }
        let copied = self
            .dictionary
            .copy_term(id, self.sink, |datatype, sink| sink.iri(self.dictionary.lexical(datatype)));
        self.copied.insert(id, copied);
        copied
    }
}

/// Statements about some nodes in the default graph of a document.
#[derive(Debug)]
pub struct DocumentExcerpt {
    /// The quads.
    pub quads: QuadBuffer,
    /// The terms in the numbering of the document, by their numbers in the buffer.
    terms: Vec<TermId>,
}

impl DocumentExcerpt {
    /// The number that a term of the buffer has in the document.
    pub fn term(&self, id: quad_buffer::BufferTermId) -> TermId {
        self.terms[id.index()]
    }
}

impl DocumentBuilder {
    /// Returns the statements of the default graph, except nodes whose classes are all in `classes`, and statements
    /// with a property in `properties`.
    pub fn excerpt(&mut self, classes: &[&str], properties: &[&str]) -> DocumentExcerpt {
        self.finish();
        let (triples, dictionary) = (self.default_graph(), self.dictionary());
        let rdf_type = dictionary.find_stored(RdfTermKind::Iri, rdf::TYPE);
        let terms_of = |iris: &[&str]| -> Vec<TermId> {
            iris.iter().filter_map(|iri| dictionary.find_stored(RdfTermKind::Iri, iri)).collect()
        };
        let (without, properties) = (terms_of(classes), terms_of(properties));
        let is_left_out = |node: &[EncodedTriple]| {
            // Without a class `all` would be true, but such a node is kept.
            let mut classes = node.iter().filter(|[_, predicate, _]| Some(*predicate) == rdf_type).peekable();
            classes.peek().is_some() && classes.all(|[.., class]| without.contains(class))
        };
        let mut quads = QuadBuffer::new();
        let mut terms = Vec::new();
        let mut copied = vec![None; dictionary.len() + 1];
        for node in triples.chunk_by(|one, other| one[0] == other[0]).filter(|node| !is_left_out(node)) {
            for triple in node.iter().filter(|[_, property, _]| !properties.contains(property)) {
                let [subject, predicate, object] = triple.map(|id| {
                    *copied[id.index()].get_or_insert_with(|| {
                        let copy = dictionary.copy_term(id, &mut quads, |id, sink| {
                            // Datatypes are separate terms.
                            let iri = sink.iri(dictionary.lexical(id));
                            if iri.index() == terms.len() {
                                terms.push(id);
                            }
                            iri
                        });
                        // The buffer numbers terms in the order in which they come, so a new one has the next number.
                        if copy.index() == terms.len() {
                            terms.push(id);
                        }
                        copy
                    })
                });
                quads.quad(subject, predicate, object, None);
            }
        }
        DocumentExcerpt { quads, terms }
    }
}
