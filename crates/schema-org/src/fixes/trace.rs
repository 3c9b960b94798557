//! The quads of a document in order, each with its tokens.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use evalgraph_json::TokenId;
use evalgraph_rdf::QuadSink;
use evalgraph_rdf::sink::HandleQuad;
use evalgraph_rdf::vocabulary::xsd;

/// The number of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TracedTermNumber(u32);

/// A term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum TracedTerm {
    Iri(Box<str>),
    /// By its position among all blank nodes.
    BlankNode(u64),
    Literal {
        lexical: Box<str>,
        datatype: TracedTermNumber,
        language: Option<Box<str>>,
    },
    /// Anything that is not a term.
    StandIn(Box<str>),
}

/// A quad, which may be lost.
#[derive(Debug)]
pub(super) struct TracedQuad {
    pub(super) quad: HandleQuad<TracedTermNumber>,
    pub(super) is_lost: bool,
    /// The key of the property, and the value.
    pub(super) tokens: Option<(TokenId, TokenId)>,
}

/// Records everything that a document passes to a sink.
#[derive(Debug, Default)]
pub(super) struct DocumentTrace {
    terms: Vec<TracedTerm>,
    numbers: HashMap<TracedTerm, TracedTermNumber, RandomState>,
    pub(super) quads: Vec<TracedQuad>,
    /// The tokens of nodes.
    pub(super) nodes: Vec<(TokenId, TracedTermNumber)>,
    next: Option<(TokenId, TokenId)>,
    blank_nodes: u64,
}

impl DocumentTrace {
    pub(super) fn term(&self, number: TracedTermNumber) -> &TracedTerm {
        &self.terms[number.0 as usize]
    }

    /// The text of an IRI; empty for other terms.
    pub(super) fn iri(&self, number: TracedTermNumber) -> &str {
        if let TracedTerm::Iri(iri) = self.term(number) { iri } else { "" }
    }

    /// The IRI of a literal's datatype; empty for other terms.
    pub(super) fn datatype(&self, number: TracedTermNumber) -> &str {
        if let TracedTerm::Literal { datatype, .. } = self.term(number) { self.iri(*datatype) } else { "" }
    }

    fn number(&mut self, term: TracedTerm) -> TracedTermNumber {
        if let Some(number) = self.numbers.get(&term) {
            return *number;
        }
        let number =
            TracedTermNumber(u32::try_from(self.terms.len()).expect("a document has fewer than 2^32 terms"));
        self.terms.push(term.clone());
        self.numbers.insert(term, number);
        number
    }

    fn literal(
        &mut self,
        lexical: &str,
        datatype: TracedTermNumber,
        language: Option<&str>,
    ) -> TracedTermNumber {
        self.number(TracedTerm::Literal {
            lexical: lexical.into(),
            datatype,
            language: language.map(Into::into),
        })
    }
}

impl QuadSink for DocumentTrace {
    type Term = TracedTermNumber;

    const HEARS_PLACES: bool = true;

    fn iri(&mut self, iri: &str) -> TracedTermNumber {
        self.number(TracedTerm::Iri(iri.into()))
    }

    fn blank_node(&mut self) -> TracedTermNumber {
        self.blank_nodes += 1;
        self.number(TracedTerm::BlankNode(self.blank_nodes))
    }

    fn string(&mut self, value: &str) -> TracedTermNumber {
        let datatype = QuadSink::iri(self, xsd::STRING);
        self.literal(value, datatype, None)
    }

    fn typed_literal(&mut self, lexical: &str, datatype: TracedTermNumber) -> TracedTermNumber {
        self.literal(lexical, datatype, None)
    }

    fn language_string(&mut self, value: &str, language: &str) -> TracedTermNumber {
        let datatype = QuadSink::iri(self, evalgraph_rdf::vocabulary::rdf::LANG_STRING);
        self.literal(value, datatype, Some(language))
    }

    fn quad(
        &mut self,
        subject: TracedTermNumber,
        predicate: TracedTermNumber,
        object: TracedTermNumber,
        graph: Option<TracedTermNumber>,
    ) {
        let quad = HandleQuad::new([subject, predicate, object], graph);
        self.quads.push(TracedQuad { quad, is_lost: false, tokens: self.next.take() });
    }

    fn node_at(&mut self, token: TokenId, node: TracedTermNumber) {
        self.nodes.push((token, node));
    }

    fn quad_at(&mut self, key: TokenId, value: TokenId) {
        self.next = Some((key, value));
    }

    fn stand_in(&mut self, text: &str) -> TracedTermNumber {
        self.number(TracedTerm::StandIn(text.into()))
    }

    fn lost_quad(&mut self, quad: HandleQuad<TracedTermNumber>, _cause: u32) {
        self.quads.push(TracedQuad { quad, is_lost: true, tokens: self.next.take() });
    }
}
