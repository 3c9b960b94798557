//! The triples with blank nodes on one side of a graph. RDFC-1.0 compares them with those of the other side.

use std::collections::HashMap;

use crate::export::hashed_triple::{LiteralText, TermText};
use evalgraph_canonicalization::{CanonicalizationOptions, canonicalize};
use evalgraph_rdf::quad_buffer::BufferTermId;
use evalgraph_rdf::vocabulary::xsd;
use evalgraph_rdf::{QuadBuffer, QuadSink};

/// How many triples of a graph may have blank nodes.
pub(super) const MOST_TRIPLES: usize = 50_000;

/// The maximum size of their text in bytes.
pub(super) const MOST_TEXT: usize = 16 << 20;

/// The triples with blank nodes.
#[derive(Debug, Default)]
pub(super) struct BlankNodeTriples {
    quads: QuadBuffer,
    nodes: HashMap<u64, BufferTermId>,
    text: usize,
    /// `true` if there were too many to compare. Then none is kept.
    are_too_many: bool,
}

impl BlankNodeTriples {
    /// Adds a triple, whose literal must be in its normal form.
    pub(super) fn add(&mut self, triple: [TermText<'_>; 3]) {
        if self.are_too_many {
            return;
        }
        let [subject, predicate, object] = triple.map(|term| self.term(term));
        self.quads.quad(subject, predicate, object, None);
        if self.quads.len() > MOST_TRIPLES || self.text > MOST_TEXT {
            // Replacing everything frees the memory: a graph beyond the limit is not compared by its nodes at all.
            *self = Self { are_too_many: true, ..Self::default() };
        }
    }

    fn term(&mut self, term: TermText<'_>) -> BufferTermId {
        let Self { quads, nodes, .. } = self;
        let (text, term) = match term {
            TermText::Iri(iri) => (iri, quads.iri(iri)),
            TermText::BlankNode(number) => ("", *nodes.entry(number).or_insert_with(|| quads.blank_node())),
            TermText::Literal(LiteralText { lexical, datatype: xsd::STRING, .. }) => {
                (lexical, quads.string(lexical))
            }
            TermText::Literal(LiteralText { lexical, datatype, language: "" }) => {
                let datatype = quads.iri(datatype);
                (lexical, quads.typed_literal(lexical, datatype))
            }
            TermText::Literal(LiteralText { lexical, language, .. }) => {
                // RDFC-1.0 compares texts, and servers may change the case of a language tag.
                (lexical, quads.language_string(lexical, &language.to_ascii_lowercase()))
            }
        };
        self.text += text.len();
        term
    }

    /// Returns whether both sides are equal. `None` if they are too large or too hard to compare.
    pub(super) fn say_the_same(&self, other: &Self) -> Option<bool> {
        if self.are_too_many || other.are_too_many {
            return None;
        }
        let canonical = |side| canonicalize(side, CanonicalizationOptions::default()).ok();
        Some(canonical(&self.quads)?.is_same_as(&canonical(&other.quads)?))
    }
}
