//! A directory of the graphs that have a term as a subject or as an object. With a thousand small graphs, a lookup
//! searches only the one or two that can have a result.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{ops, slice};

use super::dictionary::TermId;
use super::graph_index::GraphIndex;
use super::part::GraphPart;
use super::triples::EncodedTriplePattern;

/// Up to this many parts are all searched: that is as fast as a lookup in the directory.
pub(super) const FEW_PARTS: usize = 4;

/// How many lookups a dataset answers before it builds a directory without being asked. Building one reads all keys,
/// and a query for a single term should not wait for that.
const LOOKUPS_WITHOUT: usize = 1000;

/// After that, the dataset does without a directory until lookups have searched one part per this many terms: a
/// directory lists every term, and would cost more than the searches so far.
const TERMS_A_SEARCH: usize = 4;

/// How many parts may be searched without a directory in total: with very many parts, a few lookups cost as much as
/// building one.
const ASKED_WITHOUT: usize = 1_000_000;

/// A directory that is built when it is worth it.
#[derive(Debug, Default)]
pub(super) struct LazyDirectory {
    directory: OnceLock<Option<PartDirectory>>,
    lookups: AtomicUsize,
}

impl LazyDirectory {
    /// Builds the directory now.
    pub(super) fn prepare(&self, parts: &[GraphPart], terms: usize) {
        self.directory.get_or_init(|| PartDirectory::new(parts, terms));
    }

    /// The directory, if it exists or is worth building now.
    #[inline]
    pub(super) fn get(&self, parts: &[GraphPart], terms: usize) -> Option<&PartDirectory> {
        match self.directory.get() {
            Some(directory) => directory.as_ref(),
            None => self.get_later(parts, terms),
        }
    }

    fn get_later(&self, parts: &[GraphPart], terms: usize) -> Option<&PartDirectory> {
        let before = self.lookups.fetch_add(1, Ordering::Relaxed);
        let asked = before.saturating_mul(parts.len());
        let is_cheaper = before < LOOKUPS_WITHOUT || asked < terms / TERMS_A_SEARCH;
        if parts.len() > FEW_PARTS && is_cheaper && asked < ASKED_WITHOUT {
            return None;
        }
        self.prepare(parts, terms);
        self.directory.get().and_then(Option::as_ref)
    }
}

/// Lists of parts by term: eight bytes per term, and eight more for each part that has the term.
#[derive(Debug)]
pub(super) struct PartDirectory {
    of_subjects: PartLists,
    of_objects: PartLists,
}

impl PartDirectory {
    /// The directory of parts whose terms have numbers up to `terms`; none for few parts.
    pub(super) fn new(parts: &[GraphPart], terms: usize) -> Option<Self> {
        if parts.len() <= FEW_PARTS {
            return None;
        }
        let (of_subjects, of_objects) = rayon::join(
            || PartLists::new(parts, terms, GraphIndex::subjects),
            || PartLists::new(parts, terms, GraphIndex::objects),
        );
        Some(Self { of_subjects, of_objects })
    }

    /// The parts that may hold matching triples; none for a pattern with neither subject nor object.
    pub(super) fn candidates(&self, pattern: EncodedTriplePattern) -> Option<&[u32]> {
        let of_subject = pattern.subject.map(|subject| self.of_subjects.parts(subject));
        let of_object = pattern.object.map(|object| self.of_objects.parts(object));
        match (of_subject, of_object) {
            (Some(of_subject), Some(of_object)) if of_object.len() < of_subject.len() => Some(of_object),
            (Some(of_subject), _) => Some(of_subject),
            (None, of_object) => of_object,
        }
    }
}

#[derive(Debug)]
struct PartLists {
    starts: Box<[u32]>,
    parts: Box<[u32]>,
}

impl PartLists {
    fn new<'p, I: Iterator<Item = TermId>>(
        parts: &'p [GraphPart],
        terms: usize,
        keys: impl Fn(&'p GraphIndex) -> I,
    ) -> Self {
        // After counting, entry `n + 1` is the start of the list of term `n`. Filling moves it to the
        // end of the list, where the next one starts.
        let mut starts = vec![0_u32; terms + 3];
        for part in parts {
            // Only a damaged file can contain a number that no term has.
            for key in keys(part.graph.get()).filter(|key| key.index() <= terms) {
                starts[key.index() + 2] += 1;
            }
        }
        let mut total = 0_u32;
        for start in &mut starts {
            total = total.checked_add(*start).expect("a dataset holds at most 4,294,967,295 lists");
            *start = total;
        }
        let mut lists = vec![0_u32; total as usize].into_boxed_slice();
        for (number, part) in (0_u32..).zip(parts) {
            for key in keys(part.graph.get()).filter(|key| key.index() <= terms) {
                let place = &mut starts[key.index() + 1];
                lists[*place as usize] = number;
                *place += 1;
            }
        }
        starts.truncate(terms + 2);
        Self { starts: starts.into_boxed_slice(), parts: lists }
    }

    #[inline]
    fn parts(&self, term: TermId) -> &[u32] {
        match self.starts.get(term.index()..).and_then(<[u32]>::first_chunk) {
            Some([start, end]) => &self.parts[*start as usize..*end as usize],
            // A term that a query computed has a number above those of the dataset.
            None => &[],
        }
    }
}

/// The parts that may hold matching triples, in their order.
#[derive(Debug, Clone)]
pub(super) struct CandidateParts<'d> {
    parts: &'d [GraphPart],
    numbers: PartNumbers<'d>,
    pattern: EncodedTriplePattern,
}

#[derive(Debug, Clone)]
enum PartNumbers<'d> {
    All(ops::Range<usize>),
    Listed(slice::Iter<'d, u32>),
}

impl<'d> CandidateParts<'d> {
    /// The candidates among a range of the parts.
    pub(super) fn new(
        parts: &'d [GraphPart],
        range: ops::Range<usize>,
        directory: Option<&'d PartDirectory>,
        pattern: EncodedTriplePattern,
    ) -> Self {
        let numbers = match directory.and_then(|directory| directory.candidates(pattern)) {
            Some(listed) => {
                let [start, end] =
                    [range.start, range.end].map(|end| listed.partition_point(|part| (*part as usize) < end));
                PartNumbers::Listed(listed[start..end].iter())
            }
            None => PartNumbers::All(range),
        };
        Self { parts, numbers, pattern }
    }

    /// Every part of a range of few parts.
    pub(super) fn all(
        parts: &'d [GraphPart],
        range: ops::Range<usize>,
        pattern: EncodedTriplePattern,
    ) -> Self {
        Self { parts, numbers: PartNumbers::All(range), pattern }
    }

    /// The parts of the next graph name.
    pub(super) fn next_graph(&mut self) -> Option<Vec<&'d GraphPart>> {
        let first = self.next()?;
        let mut same = vec![first];
        loop {
            let mut ahead = self.clone();
            match ahead.next() {
                Some(part) if part.name == first.name => same.push(part),
                _ => return Some(same),
            }
            *self = ahead;
        }
    }
}

impl<'d> Iterator for CandidateParts<'d> {
    type Item = &'d GraphPart;

    #[inline]
    fn next(&mut self) -> Option<&'d GraphPart> {
        match &mut self.numbers {
            PartNumbers::All(numbers) => {
                let rest = self.parts.get(numbers.clone())?;
                let skipped = rest.iter().position(|part| part.graph.may_match(self.pattern))?;
                self.parts.get(numbers.nth(skipped)?)
            }
            PartNumbers::Listed(numbers) => self.parts.get(*numbers.next()? as usize),
        }
    }
}
