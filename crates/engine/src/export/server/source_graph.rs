//! A graph to be sent to a server. Its quads can be read several times, starting at any of them.

use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::export::content_digest::GraphDigest;
use crate::export::export_data::{ExportTerms, check};
use evalgraph_diagnostics::RunFailure;
use evalgraph_rdf::minted::document_of_sidecar;
use evalgraph_sparql::CancellationToken;
use evalgraph_store::{Dataset, DocumentGraph, EncodedQuad, RdfTermKind, TermDictionary, TermId};

/// The quads of a graph, in a stable order.
#[derive(Clone, Copy)]
pub(super) enum SourceGraphQuads<'s> {
    Dataset(&'s Dataset, TermId),
    /// A sidecar that the store does not contain.
    Made(&'s DocumentGraph),
}

type SourceQuadIterator<'s> = Box<dyn Iterator<Item = EncodedQuad> + 's>;

/// A local graph.
pub(super) struct SourceGraph<'s> {
    pub(super) name: String,
    quads: SourceGraphQuads<'s>,
    texts: &'s RefCell<ExportTerms<'s>>,
    /// How far the quads without blank nodes were read. A server gets them in pieces, so reading continues from here.
    reading: RefCell<(u64, Option<SourceQuadIterator<'s>>)>,
}

/// The facts about a graph that decide how it is sent.
#[derive(Debug, Default, Clone)]
pub(super) struct GraphSurvey {
    /// How many quads it has, and how many of these have blank nodes.
    pub(super) quads: u64,
    pub(super) with_nodes: u64,
    /// The short name of its content.
    pub(super) digest: String,
}

impl<'s> SourceGraph<'s> {
    pub(super) fn new(
        name: String,
        quads: SourceGraphQuads<'s>,
        texts: &'s RefCell<ExportTerms<'s>>,
    ) -> Self {
        Self { name, quads, texts, reading: RefCell::new((0, None)) }
    }

    /// The name of the document that the graph or sidecar belongs to.
    pub(super) fn document(&self) -> String {
        document_of_sidecar(&self.name).unwrap_or_else(|| self.name.clone())
    }

    /// Reads all quads once.
    pub(super) fn survey(
        &self,
        mut see: impl FnMut(EncodedQuad, &TermDictionary),
        cancellation: &CancellationToken,
    ) -> Result<GraphSurvey, RunFailure> {
        let (mut survey, mut digest) = (GraphSurvey::default(), GraphDigest::default());
        self.each(&mut |quad, terms| {
            survey.quads += 1;
            survey.with_nodes += u64::from(has_node(quad, terms));
            digest.quad(quad, terms);
            see(quad, terms);
            match cancellation.check() {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        cancellation.check()?;
        survey.digest = digest.name();
        Ok(survey)
    }

    /// Passes all quads to `take` until it breaks.
    pub(super) fn each(
        &self,
        take: &mut dyn FnMut(EncodedQuad, &TermDictionary) -> ControlFlow<()>,
    ) -> Result<(), RunFailure> {
        for quad in self.quads.iter() {
            if self.with_terms(|terms| take(quad, terms)).is_break() {
                break;
            }
        }
        self.check()
    }

    /// The quads without blank nodes, starting at a number.
    pub(super) fn plain_from(&self, number: u64) -> SourceQuadIterator<'s> {
        let (reached, reading) = std::mem::take(&mut *self.reading.borrow_mut());
        if let Some(reading) = reading.filter(|_| reached == number) {
            return reading;
        }
        let texts = self.texts;
        let is_plain = move |quad: &EncodedQuad| !has_node(*quad, texts.borrow().terms());
        Box::new(self.quads.iter().filter(is_plain).skip(usize::try_from(number).unwrap_or(usize::MAX)))
    }

    /// Keeps an iterator that has read up to a number, so a later call can continue with it.
    pub(super) fn read_up_to(&self, number: u64, quads: SourceQuadIterator<'s>) {
        *self.reading.borrow_mut() = (number, Some(quads));
    }

    /// All quads.
    pub(super) fn all(&self) -> SourceQuadIterator<'s> {
        self.quads.iter()
    }

    /// The quads with blank nodes.
    pub(super) fn with_nodes(&self) -> SourceQuadIterator<'s> {
        let texts = self.texts;
        Box::new(self.quads.iter().filter(move |quad| has_node(*quad, texts.borrow().terms())))
    }

    /// Calls `work` with the terms. Only a few texts stay in memory.
    pub(super) fn with_terms<T>(&self, work: impl FnOnce(&TermDictionary) -> T) -> T {
        self.texts.borrow_mut().bound();
        work(self.texts.borrow().terms())
    }

    /// Fails if a file of the store is damaged. Without this check, the quads would only seem to end early.
    pub(super) fn check(&self) -> Result<(), RunFailure> {
        if let SourceGraphQuads::Dataset(dataset, _) = self.quads {
            check(dataset)?;
        }
        self.texts.borrow().check()
    }
}

impl<'s> SourceGraphQuads<'s> {
    fn iter(self) -> SourceQuadIterator<'s> {
        match self {
            Self::Dataset(dataset, graph) => Box::new(dataset.graph_quads(graph)),
            Self::Made(graph) => Box::new(graph.quads()),
        }
    }
}

fn has_node(quad: EncodedQuad, terms: &TermDictionary) -> bool {
    [quad.subject, quad.object].into_iter().any(|term| terms.kind(term) == RdfTermKind::BlankNode)
}
