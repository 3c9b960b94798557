//! Copies the answer to CONSTRUCT into a buffer, each term once. Until then, terms are numbers. `QueryTriples` is
//! defined in `graph_triples.rs`.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use oxrdf::{BlankNode, Term};

use crate::environment::EvaluationError;
use crate::results::construct::TemplateValue;
use crate::results::graph_triples::{FoundTriple, QueryTriples};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::sink::QuadSink;
use evalgraph_store::{DatasetView, TermId};

/// The handle of a term in a buffer.
type BufferTermHandle = <QuadBuffer as QuadSink>::Term;

impl QueryTriples<'_> {
    /// Puts the triples into a buffer, each term once.
    ///
    /// # Errors
    ///
    /// The first error among the triples.
    pub fn copy_into(mut self, buffer: &mut QuadBuffer) -> Result<(), EvaluationError> {
        let Some(terms) = &self.terms else { return buffer.extend_triples(self) };
        let (known, blank_nodes) = (HashMap::default(), HashMap::default());
        let mut copied = TermCopies { terms, known, blank_nodes, last: [None; 3] };
        let before = buffer.len();
        while buffer.len() - before < self.left {
            let Some(made) = self.triples.next() else { break };
            let FoundTriple::Filled(filled) = made? else { continue };
            if let Some([subject, predicate, object]) = copied.triple(filled, buffer) {
                buffer.quad(subject, predicate, object, None);
            }
        }
        self.check()
    }
}

/// The terms of a buffer, by their numbers in the dataset.
struct TermCopies<'t> {
    terms: &'t DatasetView<'t>,
    known: HashMap<u32, CopiedTerm, FixedState>,
    blank_nodes: HashMap<BlankNode, BufferTermHandle, FixedState>,
    /// The last term of each place: neighbouring triples share many terms.
    last: [Option<(u32, CopiedTerm)>; 3],
}

/// A term in the buffer.
#[derive(Clone, Copy)]
struct CopiedTerm {
    id: BufferTermHandle,
    is_literal: bool,
    is_blank: bool,
}

impl TermCopies<'_> {
    /// The terms of a triple, or `None` if they do not form a valid triple.
    fn triple(
        &mut self,
        [subject, predicate, object]: [TemplateValue; 3],
        buffer: &mut QuadBuffer,
    ) -> Option<[BufferTermHandle; 3]> {
        let subject = self.copy(0, subject, buffer);
        let predicate = self.copy(1, predicate, buffer);
        let object = self.copy(2, object, buffer);
        let is_triple = !subject.is_literal && !predicate.is_literal && !predicate.is_blank;
        is_triple.then_some([subject.id, predicate.id, object.id])
    }

    fn copy(&mut self, place: usize, filled: TemplateValue, buffer: &mut QuadBuffer) -> CopiedTerm {
        let id = match filled {
            TemplateValue::Id(id) => id,
            TemplateValue::Blank(node) => {
                let id = *self.blank_nodes.entry(node).or_insert_with(|| buffer.blank_node());
                return CopiedTerm { id, is_literal: false, is_blank: true };
            }
        };
        if let Some((last, copied)) = self.last[place]
            && last == id
        {
            return copied;
        }
        let copied = match self.known.get(&id) {
            Some(copied) => *copied,
            None => {
                let copied = copied(&self.terms.term(TermId::from_index(id as usize)), buffer);
                self.known.insert(id, copied);
                copied
            }
        };
        self.last[place] = Some((id, copied));
        copied
    }
}

fn copied(term: &Term, buffer: &mut QuadBuffer) -> CopiedTerm {
    let id = match term {
        Term::NamedNode(node) => buffer.iri(node.as_str()),
        Term::BlankNode(_) => buffer.blank_node(),
        Term::Literal(literal) => buffer.literal(literal),
    };
    CopiedTerm { id, is_literal: term.is_literal(), is_blank: term.is_blank_node() }
}
