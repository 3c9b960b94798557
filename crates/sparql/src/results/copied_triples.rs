//! The answer to CONSTRUCT in a buffer, each term once: numbers until they are written.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use oxrdf::{BlankNode, Term};

use crate::environment::EvaluationError;
use crate::results::construct::Filled;
use crate::results::graph_triples::{GraphTriples, Made};
use evalgraph_rdf::QuadBuffer;
use evalgraph_rdf::sink::QuadSink;
use evalgraph_store::{DatasetView, TermId};

/// The handle of a term in a buffer.
type Handle = <QuadBuffer as QuadSink>::Term;

impl GraphTriples<'_> {
    /// Puts the triples into a buffer, each term once.
    ///
    /// # Errors
    ///
    /// The first error among the triples.
    pub fn copy_into(mut self, buffer: &mut QuadBuffer) -> Result<(), EvaluationError> {
        let Some(terms) = &self.terms else { return buffer.extend_triples(self) };
        let (known, blank_nodes) = (HashMap::default(), HashMap::default());
        let mut copied = Copies { terms, known, blank_nodes, last: [None; 3] };
        let before = buffer.len();
        while buffer.len() - before < self.left {
            let Some(made) = self.triples.next() else { break };
            let Made::Filled(filled) = made? else { continue };
            if let Some([subject, predicate, object]) = copied.triple(filled, buffer) {
                buffer.quad(subject, predicate, object, None);
            }
        }
        self.check()
    }
}

/// The terms that a buffer has of those behind numbers.
struct Copies<'t> {
    terms: &'t DatasetView<'t>,
    known: HashMap<u32, Copied, FixedState>,
    blank_nodes: HashMap<BlankNode, Handle, FixedState>,
    /// The last term of each place: neighbours have many in common.
    last: [Option<(u32, Copied)>; 3],
}

/// A term in the buffer.
#[derive(Clone, Copy)]
struct Copied {
    id: Handle,
    is_literal: bool,
    is_blank: bool,
}

impl Copies<'_> {
    /// The terms of a triple; none where they form none.
    fn triple(
        &mut self,
        [subject, predicate, object]: [Filled; 3],
        buffer: &mut QuadBuffer,
    ) -> Option<[Handle; 3]> {
        let subject = self.copy(0, subject, buffer);
        let predicate = self.copy(1, predicate, buffer);
        let object = self.copy(2, object, buffer);
        let is_triple = !subject.is_literal && !predicate.is_literal && !predicate.is_blank;
        is_triple.then_some([subject.id, predicate.id, object.id])
    }

    fn copy(&mut self, place: usize, filled: Filled, buffer: &mut QuadBuffer) -> Copied {
        let id = match filled {
            Filled::Id(id) => id,
            Filled::Blank(node) => {
                let id = *self.blank_nodes.entry(node).or_insert_with(|| buffer.blank_node());
                return Copied { id, is_literal: false, is_blank: true };
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

fn copied(term: &Term, buffer: &mut QuadBuffer) -> Copied {
    let id = match term {
        Term::NamedNode(node) => buffer.iri(node.as_str()),
        Term::BlankNode(_) => buffer.blank_node(),
        Term::Literal(literal) => buffer.literal(literal),
    };
    Copied { id, is_literal: term.is_literal(), is_blank: term.is_blank_node() }
}
