//! A graph of ours on its way to a server: its quads can be read several times, and from any of them on.

use std::cell::RefCell;
use std::ops::ControlFlow;

use crate::export::content_digest::GraphDigest;
use crate::export::export_data::{ExportTerms, check};
use evalgraph_diagnostics::RunFailure;
use evalgraph_rdf::minted::document_of_sidecar;
use evalgraph_sparql::CancellationToken;
use evalgraph_store::{Dataset, DocumentGraph, EncodedQuad, RdfTermKind, TermDictionary, TermId};

/// The quads of a graph, in an order that stays the same.
#[derive(Clone, Copy)]
pub(super) enum SourceGraphQuads<'s> {
    Dataset(&'s Dataset, TermId),
    /// A sidecar that the store does not have.
    Made(&'s DocumentGraph),
}

type SourceQuadIterator<'s> = Box<dyn Iterator<Item = EncodedQuad> + 's>;

/// A graph of ours.
pub(super) struct SourceGraph<'s> {
    pub(super) name: String,
    quads: SourceGraphQuads<'s>,
    texts: &'s RefCell<ExportTerms<'s>>,
    /// How far the quads without blank nodes were read, since a server takes them in pieces.
    reading: RefCell<(u64, Option<SourceQuadIterator<'s>>)>,
}

/// The facts about a graph that decide on its way.
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

    /// The name of the document whose graph or sidecar it is.
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

    /// Hands over all quads, until it is told to stop.
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

    /// The quads without blank nodes, from that number on.
    pub(super) fn plain_from(&self, number: u64) -> SourceQuadIterator<'s> {
        let (reached, reading) = std::mem::take(&mut *self.reading.borrow_mut());
        if let Some(reading) = reading.filter(|_| reached == number) {
            return reading;
        }
        let texts = self.texts;
        let is_plain = move |quad: &EncodedQuad| !has_node(*quad, texts.borrow().terms());
        Box::new(self.quads.iter().filter(is_plain).skip(usize::try_from(number).unwrap_or(usize::MAX)))
    }

    /// Takes the quads back that were read up to that number, to go on with them.
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

    /// Works with the terms, few of whose texts are kept.
    pub(super) fn with_terms<T>(&self, work: impl FnOnce(&TermDictionary) -> T) -> T {
        self.texts.borrow_mut().bound();
        work(self.texts.borrow().terms())
    }

    /// Fails where a file of the store is damaged: its quads would seem to have ended.
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
