//! The answer to CONSTRUCT and DESCRIBE: triples, each once, as owned terms or in a buffer.

use foldhash::fast::{FixedState, RandomState};
use hashbrown::{HashMap, HashSet};
use oxrdf::{BlankNode, NamedNode, NamedOrBlankNode, Term, Triple};

use super::construct::{Filled, Terms};
use super::environment::EvaluationError;
use crate::rdf::QuadBuffer;
use crate::rdf::sink::QuadSink;
use crate::store::Damage;

/// The handle of a term in a buffer.
type Handle = <QuadBuffer as QuadSink>::Term;

/// Triples, one after the other, each once. Ends after the first error.
pub struct GraphTriples<'a> {
    triples: Box<dyn Iterator<Item = Result<Made, EvaluationError>> + 'a>,
    /// The terms behind numbers.
    terms: Option<Box<dyn Terms + 'a>>,
    /// The triples that came before. Those with new blank nodes come once.
    seen: HashSet<[u32; 3], RandomState>,
    /// The last subject and the last predicate: neighbours have many in common.
    last: [Option<(u32, Term)>; 2],
    /// How many more triples there may be.
    left: usize,
    /// Where damage of the files is noted, if the dataset has files.
    damage: Option<Damage>,
}

/// A triple as it was found.
enum Made {
    /// One that comes once.
    Triple(Triple),
    /// Terms that may have come before, or form no triple.
    Filled([Filled; 3]),
}

impl<'a> GraphTriples<'a> {
    /// Triples that somebody else has found, each once.
    pub(super) fn new(triples: impl Iterator<Item = Result<Triple, EvaluationError>> + 'a) -> Self {
        Self::of(triples.map(|triple| triple.map(Made::Triple)), None)
    }

    /// Triples, of which repeated ones are left out.
    pub(crate) fn distinct(triples: impl Iterator<Item = Result<Triple, EvaluationError>> + 'a) -> Self {
        Self::new(distinct(triples))
    }

    /// Triples of numbers, of which repeated ones, and those whose terms form no triple, are left out.
    pub(super) fn filled(
        triples: impl Iterator<Item = Result<[Filled; 3], EvaluationError>> + 'a,
        terms: impl Terms + 'a,
    ) -> Self {
        Self::of(triples.map(|triple| triple.map(Made::Filled)), Some(Box::new(terms)))
    }

    fn of(
        triples: impl Iterator<Item = Result<Made, EvaluationError>> + 'a,
        terms: Option<Box<dyn Terms + 'a>>,
    ) -> Self {
        let (seen, last) = (HashSet::default(), [None, None]);
        Self { triples: Box::new(triples), terms, seen, last, left: usize::MAX, damage: None }
    }

    /// Ends the triples with an error once damage of the dataset's files is found.
    pub(super) fn unless_damaged(self, damage: Damage) -> Self {
        Self { damage: Some(damage), ..self }
    }

    /// The first triples, so many at most.
    pub(super) fn limited(self, limit: usize) -> Self {
        Self { left: self.left.min(limit), ..self }
    }

    /// Puts the triples into a buffer, each term once.
    ///
    /// # Errors
    ///
    /// The first error among the triples.
    pub(crate) fn copy_into(mut self, buffer: &mut QuadBuffer) -> Result<(), EvaluationError> {
        let Some(terms) = &self.terms else { return buffer.extend_triples(self) };
        let (known, blank_nodes) = (HashMap::default(), HashMap::default());
        let mut copied = Copies { terms: &**terms, known, blank_nodes, last: [None; 3] };
        let before = buffer.len();
        while buffer.len() - before < self.left {
            let Some(made) = self.triples.next() else { break };
            let Made::Filled(filled) = made? else { continue };
            if let Some([subject, predicate, object]) = copied.triple(filled, buffer)? {
                buffer.quad(subject, predicate, object, None);
            }
        }
        self.check()
    }

    fn check(&self) -> Result<(), EvaluationError> {
        self.damage.as_ref().map_or(Ok(()), Damage::check)
    }

    fn triple(&mut self, filled: [Filled; 3]) -> Result<Option<Triple>, EvaluationError> {
        let Some(terms) = &self.terms else { return Ok(None) };
        if let [Filled::Id(subject), Filled::Id(predicate), Filled::Id(object)] = filled
            && !self.seen.insert([subject, predicate, object])
        {
            return Ok(None);
        }
        let mut term = |place: usize, filled: Filled| {
            let id = match filled {
                Filled::Id(id) => id,
                Filled::Blank(node) => return Ok(node.into()),
            };
            let Some(last) = self.last.get_mut(place) else { return terms.term(id) };
            match last {
                Some((known, term)) if *known == id => Ok(term.clone()),
                _ => Ok(last.insert((id, terms.term(id)?)).1.clone()),
            }
        };
        let [subject, predicate, object] = filled;
        let Ok(subject) = NamedOrBlankNode::try_from(term(0, subject)?) else { return Ok(None) };
        let Ok(predicate) = NamedNode::try_from(term(1, predicate)?) else { return Ok(None) };
        Ok(Some(Triple { subject, predicate, object: term(2, object)? }))
    }
}

impl Iterator for GraphTriples<'_> {
    type Item = Result<Triple, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 {
            let triple = match self.triples.next() {
                Some(Ok(Made::Triple(triple))) => Ok(Some(triple)),
                Some(Ok(Made::Filled(filled))) => self.triple(filled),
                Some(Err(error)) => Err(error),
                None => {
                    self.left = 0;
                    Ok(None)
                }
            };
            // Damage met on the way to this triple is noted by now; it may also be why the triples end here.
            if let Err(fault) = self.check() {
                self.left = 0;
                return Some(Err(fault));
            }
            if let Some(triple) = triple.transpose() {
                self.left -= 1;
                return Some(triple);
            }
        }
        None
    }
}

/// Leaves repeated triples out.
pub(super) fn distinct<E>(
    triples: impl Iterator<Item = Result<Triple, E>>,
) -> impl Iterator<Item = Result<Triple, E>> {
    let mut seen = HashSet::<Triple, RandomState>::default();
    triples.filter(move |triple| match triple {
        Ok(triple) => seen.insert(triple.clone()),
        Err(_) => true,
    })
}

/// The terms that a buffer has of those behind numbers.
struct Copies<'t> {
    terms: &'t dyn Terms,
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
    ) -> Result<Option<[Handle; 3]>, EvaluationError> {
        let subject = self.copy(0, subject, buffer)?;
        let predicate = self.copy(1, predicate, buffer)?;
        let object = self.copy(2, object, buffer)?;
        let is_triple = !subject.is_literal && !predicate.is_literal && !predicate.is_blank;
        Ok(is_triple.then_some([subject.id, predicate.id, object.id]))
    }

    fn copy(
        &mut self,
        place: usize,
        filled: Filled,
        buffer: &mut QuadBuffer,
    ) -> Result<Copied, EvaluationError> {
        let id = match filled {
            Filled::Id(id) => id,
            Filled::Blank(node) => {
                let id = *self.blank_nodes.entry(node).or_insert_with(|| buffer.blank_node());
                return Ok(Copied { id, is_literal: false, is_blank: true });
            }
        };
        if let Some((last, copied)) = self.last[place]
            && last == id
        {
            return Ok(copied);
        }
        let copied = match self.known.get(&id) {
            Some(copied) => *copied,
            None => {
                let copied = copied(&self.terms.term(id)?, buffer);
                self.known.insert(id, copied);
                copied
            }
        };
        self.last[place] = Some((id, copied));
        Ok(copied)
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
