//! Statements of a document that are missing from its graph: a sink records them while the document is loaded.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use evalgraph_rdf::QuadSink;
use evalgraph_rdf::iri;
use evalgraph_rdf::sink::HandleQuad;
use evalgraph_store::{DocumentBuilder, EncodedQuad, TermId};

/// Receives the quads of one document like a [`DocumentBuilder`], and records the [`DocumentLosses`]. If a node is lost
/// because of its IRI, its statements are kept under a blank node, so they are checked like others.
///
/// The document has to be loaded according to the specification: if loading moves namespaces and mints ids, faults of
/// both are hidden.
#[derive(Debug, Default)]
pub struct LossCollector {
    builder: DocumentBuilder,
    losses: DocumentLosses,
}

/// The statements that a document lost because of something that is not a term, with the numbers of its terms.
#[derive(Debug, Default)]
pub struct DocumentLosses {
    stand_ins: HashMap<TermId, Box<str>, RandomState>,
    pub(super) statements: Vec<EncodedQuad>,
}

/// Something that is not a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoTerm<'l> {
    BadIri(&'l str),
    RelativeIri(&'l str),
    /// A key that the context maps to nothing.
    Key(&'l str),
}

impl LossCollector {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// The quads, and the losses. The losses are valid only for a dataset of just this document.
    pub fn into_parts(self) -> (DocumentBuilder, DocumentLosses) {
        (self.builder, self.losses)
    }
}

impl DocumentLosses {
    /// The text of a subject, object, type or graph that is not an IRI.
    pub(super) fn iri(&self, term: TermId) -> Option<NoTerm<'_>> {
        let text = self.stand_in(term)?;
        // Strings that look like keywords are dropped whatever the base is.
        let is_relative = iri::scheme_length(text.as_bytes()).is_none()
            && iri::is_iri_reference(text)
            && !text.starts_with('@');
        Some(if is_relative { NoTerm::RelativeIri(text) } else { NoTerm::BadIri(text) })
    }

    /// Returns whether an IRI is lost because there is no base.
    pub fn has_relative_iri(&self) -> bool {
        self.stand_ins.keys().any(|term| matches!(self.iri(*term), Some(NoTerm::RelativeIri(_))))
    }

    /// The text of a predicate that is not an IRI.
    pub(super) fn predicate(&self, term: TermId) -> Option<NoTerm<'_>> {
        let text = self.stand_in(term)?;
        // A key with a colon counts as an IRI (Expansion 13.3).
        Some(if text.contains(':') { NoTerm::BadIri(text) } else { NoTerm::Key(text) })
    }

    /// The text that a blank node was created for. A well-formed IRI is not what was lost: its value may be null.
    fn stand_in(&self, term: TermId) -> Option<&str> {
        self.stand_ins.get(&term).map(|text| &**text).filter(|text| !iri::is_iri(text))
    }
}

impl<'l> NoTerm<'l> {
    pub(super) fn text(self) -> &'l str {
        match self {
            Self::BadIri(text) | Self::RelativeIri(text) | Self::Key(text) => text,
        }
    }
}

impl QuadSink for LossCollector {
    type Term = TermId;

    fn expect(&mut self, bytes: usize, tokens: usize) {
        self.builder.expect(bytes, tokens);
    }

    fn iri(&mut self, iri: &str) -> TermId {
        self.builder.iri(iri)
    }

    fn blank_node(&mut self) -> TermId {
        self.builder.blank_node()
    }

    fn labelled_blank_node(&mut self, label: &str) -> TermId {
        QuadSink::labelled_blank_node(&mut self.builder, label)
    }

    fn string(&mut self, value: &str) -> TermId {
        self.builder.string(value)
    }

    fn typed_literal(&mut self, lexical: &str, datatype: TermId) -> TermId {
        self.builder.typed_literal(lexical, datatype)
    }

    fn language_string(&mut self, value: &str, language: &str) -> TermId {
        self.builder.language_string(value, language)
    }

    fn quad(&mut self, subject: TermId, predicate: TermId, object: TermId, graph: Option<TermId>) {
        self.builder.quad(subject, predicate, object, graph);
    }

    fn stand_in(&mut self, text: &str) -> TermId {
        let node = self.builder.blank_node();
        self.losses.stand_ins.insert(node, text.into());
        node
    }

    fn lost_quad(&mut self, quad: HandleQuad<TermId>, cause: u32) {
        let is_stand_in = |term: &TermId| self.losses.stand_ins.contains_key(term);
        let nodes = [quad.subject, quad.object].into_iter().chain(quad.graph);
        let stand_ins: Vec<TermId> = nodes.filter(is_stand_in).collect();
        if is_stand_in(&quad.predicate) {
            self.losses.statements.push(quad);
        } else if !stand_ins.is_empty() {
            self.losses.statements.push(quad);
            if stand_ins.iter().all(|node| self.losses.iri(*node).is_some()) {
                self.builder.quad(quad.subject, quad.predicate, quad.object, quad.graph);
            }
        }
        self.builder.lost_quad(quad, cause);
    }

    fn take_lost_costs(&mut self) -> BTreeMap<u32, u64> {
        self.builder.take_lost_costs()
    }
}
