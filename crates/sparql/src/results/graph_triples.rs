//! The answer to CONSTRUCT and DESCRIBE: triples, each once.

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use oxrdf::{NamedNode, NamedOrBlankNode, Term, Triple};

use crate::environment::EvaluationError;
use crate::results::construct::TemplateValue;
use evalgraph_store::{DatasetView, StoreDamage, TermId};

/// An iterator over distinct triples. It ends after the first error. Other methods are in `copied_triples.rs`.
pub struct QueryTriples<'a> {
    pub(crate) triples: Box<dyn Iterator<Item = Result<FoundTriple, EvaluationError>> + 'a>,
    /// Looks up terms by their numbers.
    pub(crate) terms: Option<Box<DatasetView<'a>>>,
    /// The earlier triples, if triples may be repeated. Triples with new blank nodes are never repeated.
    seen: Option<Box<SeenTriples>>,
    /// The last subject and the last predicate: neighbouring triples share many.
    last: [Option<(u32, Term)>; 2],
    /// How many more triples may be returned.
    pub(crate) left: usize,
    /// The record of damage to the files, if the dataset has files.
    damage: Option<StoreDamage>,
}

/// The longest run of triples with one subject that is searched linearly.
const LONGEST_RUN: usize = 16;

/// Earlier triples. Most patterns return triples in the order of their subjects. While subjects ascend, a triple can
/// only repeat one of the last triples, and nothing needs to be hashed.
enum SeenTriples {
    /// All triples so far, and the index of the first one with the last subject.
    Ascending { triples: Vec<[u32; 3]>, run: usize },
    /// The subjects do not ascend, or one subject has many triples.
    Hashed(HashSet<[u32; 3], RandomState>),
}

impl SeenTriples {
    /// Adds a triple. Returns whether it is new.
    fn insert(&mut self, triple: [u32; 3]) -> bool {
        let (triples, run) = match self {
            Self::Hashed(triples) => return triples.insert(triple),
            Self::Ascending { triples, run } => (triples, run),
        };
        let last = triples.last().map(|[subject, ..]| *subject);
        let own = triples.get(*run..).unwrap_or_default();
        if last.is_some_and(|last| last > triple[0]) || (last == Some(triple[0]) && own.len() >= LONGEST_RUN)
        {
            let mut hashed: HashSet<_, _> = std::mem::take(triples).into_iter().collect();
            let is_new = hashed.insert(triple);
            *self = Self::Hashed(hashed);
            return is_new;
        }
        if last != Some(triple[0]) {
            *run = triples.len();
        } else if own.contains(&triple) {
            return false;
        }
        triples.push(triple);
        true
    }
}

/// A triple as it was found.
pub(crate) enum FoundTriple {
    /// A triple that is not repeated.
    Triple(Triple),
    /// Terms that may repeat a triple or not form a valid one.
    Filled([TemplateValue; 3]),
}

impl<'a> QueryTriples<'a> {
    /// Wraps distinct triples that were found elsewhere.
    pub(crate) fn new(triples: impl Iterator<Item = Result<Triple, EvaluationError>> + 'a) -> Self {
        Self::from_found(triples.map(|triple| triple.map(FoundTriple::Triple)), None)
    }

    /// Wraps triples, without repeated ones.
    pub fn distinct(triples: impl Iterator<Item = Result<Triple, EvaluationError>> + 'a) -> Self {
        Self::new(distinct(triples))
    }

    /// Wraps triples of term numbers, without repeated ones and without those whose terms do not form a valid triple.
    pub(crate) fn filled(
        triples: impl Iterator<Item = Result<[TemplateValue; 3], EvaluationError>> + 'a,
        terms: DatasetView<'a>,
    ) -> Self {
        Self::from_found(triples.map(|triple| triple.map(FoundTriple::Filled)), Some(Box::new(terms)))
    }

    fn from_found(
        triples: impl Iterator<Item = Result<FoundTriple, EvaluationError>> + 'a,
        terms: Option<Box<DatasetView<'a>>>,
    ) -> Self {
        let seen = Some(Box::new(SeenTriples::Ascending { triples: Vec::new(), run: 0 }));
        Self { triples: Box::new(triples), terms, seen, last: [None, None], left: usize::MAX, damage: None }
    }

    /// If `is_once`, no triple is repeated, so none is kept for comparison.
    pub(crate) fn each_once(self, is_once: bool) -> Self {
        Self { seen: self.seen.filter(|_| !is_once), ..self }
    }

    /// Ends the triples with an error once damage to the dataset's files is found.
    pub(crate) fn unless_damaged(self, damage: StoreDamage) -> Self {
        Self { damage: Some(damage), ..self }
    }

    /// The first `limit` triples.
    pub(crate) fn limited(self, limit: usize) -> Self {
        Self { left: self.left.min(limit), ..self }
    }

    pub(crate) fn check(&self) -> Result<(), EvaluationError> {
        self.damage.as_ref().map_or(Ok(()), StoreDamage::check)
    }

    fn triple(&mut self, filled: [TemplateValue; 3]) -> Option<Triple> {
        let terms = self.terms.as_ref()?;
        if let [TemplateValue::Id(subject), TemplateValue::Id(predicate), TemplateValue::Id(object)] = filled
            && let Some(seen) = &mut self.seen
            && !seen.insert([subject, predicate, object])
        {
            return None;
        }
        let mut term = |place: usize, filled: TemplateValue| {
            let number = match filled {
                TemplateValue::Id(number) => number,
                TemplateValue::Blank(node) => return node.into(),
            };
            let known = || terms.term(TermId::from_index(number as usize));
            match self.last.get_mut(place) {
                Some(Some((last, term))) if *last == number => term.clone(),
                Some(last) => last.insert((number, known())).1.clone(),
                None => known(),
            }
        };
        let [subject, predicate, object] = filled;
        let subject = NamedOrBlankNode::try_from(term(0, subject)).ok()?;
        let predicate = NamedNode::try_from(term(1, predicate)).ok()?;
        Some(Triple { subject, predicate, object: term(2, object) })
    }
}

impl Iterator for QueryTriples<'_> {
    type Item = Result<Triple, EvaluationError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left > 0 {
            let triple = match self.triples.next() {
                Some(Ok(FoundTriple::Triple(triple))) => Ok(Some(triple)),
                Some(Ok(FoundTriple::Filled(filled))) => Ok(self.triple(filled)),
                Some(Err(error)) => Err(error),
                None => {
                    self.left = 0;
                    Ok(None)
                }
            };
            // Damage found on the way to this triple is recorded by now. It may also be the reason why the triples end
            // here.
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
pub(crate) fn distinct<E>(
    triples: impl Iterator<Item = Result<Triple, E>>,
) -> impl Iterator<Item = Result<Triple, E>> {
    let mut seen = HashSet::<Triple, RandomState>::default();
    triples.filter(move |triple| match triple {
        Ok(triple) => seen.insert(triple.clone()),
        Err(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_triple_is_new_once(triples in prop::collection::vec((0_u32..4, 0_u32..6, 0_u32..8), 0..400), is_sorted: bool) {
            let mut triples: Vec<[u32; 3]> = triples.into_iter().map(|(s, p, o)| [s, p, o]).collect();
            if is_sorted {
                triples.sort_by_key(|[subject, ..]| *subject);
            }
            let mut seen = SeenTriples::Ascending { triples: Vec::new(), run: 0 };
            let mut known = HashSet::<[u32; 3]>::default();
            for triple in triples {
                prop_assert_eq!(seen.insert(triple), known.insert(triple));
            }
        }
    }
}
