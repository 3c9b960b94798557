//! Keeps the quads of a file, and notes for each subject in which records of the file it occurs.

use std::sync::Arc;

use hashbrown::HashMap;

use evalgraph_json::{JsonDocument, TokenId};
use evalgraph_rdf::quad_buffer::{BufferQuad, BufferTermId};
use evalgraph_rdf::{QuadBuffer, QuadSink};

/// The quads of a file, with the bytes of the file at which each subject has a value.
#[derive(Debug, Default)]
pub(super) struct PlacedQuads {
    /// The quads.
    pub quads: QuadBuffer,
    /// The bytes of values of each subject, in the order of the quads.
    pub places: HashMap<BufferTermId, Vec<usize>>,
    /// The value of the quad that comes next.
    next: Option<TokenId>,
    /// The subjects and values of the document that is being processed.
    open: Vec<(BufferTermId, TokenId)>,
}

impl QuadSink for PlacedQuads {
    type Term = BufferTermId;

    const HEARS_PLACES: bool = true;

    fn expect(&mut self, bytes: usize, tokens: usize) {
        self.quads.expect(bytes, tokens);
    }

    fn prefix(&mut self, name: &str, namespace: &str) {
        self.quads.prefix(name, namespace);
    }

    fn iri(&mut self, iri: &str) -> BufferTermId {
        self.quads.iri(iri)
    }

    fn blank_node(&mut self) -> BufferTermId {
        self.quads.blank_node()
    }

    fn labelled_blank_node(&mut self, label: &str) -> BufferTermId {
        self.quads.labelled_blank_node(label)
    }

    fn string(&mut self, value: &str) -> BufferTermId {
        self.quads.string(value)
    }

    fn typed_literal(&mut self, lexical: &str, datatype: BufferTermId) -> BufferTermId {
        self.quads.typed_literal(lexical, datatype)
    }

    fn language_string(&mut self, value: &str, language: &str) -> BufferTermId {
        self.quads.language_string(value, language)
    }

    fn quad_at(&mut self, _key: TokenId, value: TokenId) {
        self.next = Some(value);
    }

    fn quad(
        &mut self,
        subject: BufferTermId,
        predicate: BufferTermId,
        object: BufferTermId,
        graph: Option<BufferTermId>,
    ) {
        if let Some(value) = self.next.take() {
            self.open.push((subject, value));
        }
        self.quads.quad(subject, predicate, object, graph);
    }

    fn lost_quad(&mut self, quad: BufferQuad, cause: u32) {
        self.next = None;
        self.quads.lost_quad(quad, cause);
    }

    fn take_lost_costs(&mut self) -> std::collections::BTreeMap<u32, u64> {
        self.quads.take_lost_costs()
    }

    /// Values that were added to the text of the file have no place in it.
    fn document_end(&mut self, document: &Arc<JsonDocument>) {
        for (subject, value) in self.open.drain(..) {
            if document.is_written(value) {
                self.places.entry(subject).or_default().push(document.marked(value).start);
            }
        }
    }
}
