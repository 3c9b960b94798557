//! Triples that match a pattern, from one graph or from several graphs as a set.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::iter::Copied;
use std::mem::take;
use std::ops::ControlFlow;
use std::{slice, vec};

use super::dictionary::TermId;
use super::document_builder::EncodedTriple;
use super::graph_index::{GraphIndex, OrderedGraphTriples, TermIdPair, equal_to, visit_pairs, with_first};

/// A triple pattern: given terms must match, missing ones match anything.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct EncodedTriplePattern {
    pub(super) subject: Option<TermId>,
    pub(super) predicate: Option<TermId>,
    pub(super) object: Option<TermId>,
}

/// The term that all pairs of a run share.
#[derive(Debug, Clone, Copy)]
enum SharedRunTerm {
    Subject(TermId),
    Predicate(TermId),
    Object(TermId),
}

impl SharedRunTerm {
    #[inline]
    fn triple(self, pair: TermIdPair) -> EncodedTriple {
        let (first, second) = (TermId::from_number(pair[0]), TermId::from_number(pair[1]));
        match self {
            Self::Subject(subject) => [subject, first, second],
            Self::Predicate(predicate) => [first, predicate, second],
            Self::Object(object) => [second, first, object],
        }
    }
}

/// Iterates over the distinct triples that match a pattern, sorted by the numbers of terms. The sort order depends only
/// on which terms are given.
#[derive(Debug)]
pub struct PatternTriples<'g> {
    shared: SharedRunTerm,
    source: TripleMatchSource<'g>,
}

#[derive(Debug)]
enum TripleMatchSource<'g> {
    Run(slice::Iter<'g, TermIdPair>),
    Owned(vec::IntoIter<TermIdPair>),
    /// Runs that do not overlap: each ends before the next one begins. This is common, since documents share few nodes.
    Chained(Box<ChainedRuns<'g>>),
    Merged(BinaryHeap<SequenceHead<TermIdPair, Copied<slice::Iter<'g, TermIdPair>>>>),
    Whole(OrderedGraphTriples<'g>),
    All(Box<MergedTriples<'g>>),
}

/// Runs one after the other.
#[derive(Debug)]
struct ChainedRuns<'g> {
    run: slice::Iter<'g, TermIdPair>,
    later: vec::IntoIter<&'g [TermIdPair]>,
}

impl Iterator for ChainedRuns<'_> {
    type Item = TermIdPair;

    #[inline]
    fn next(&mut self) -> Option<TermIdPair> {
        loop {
            if let Some(pair) = self.run.next() {
                return Some(*pair);
            }
            self.run = self.later.next()?.iter();
        }
    }
}

impl<'g> PatternTriples<'g> {
    /// No triples.
    pub fn none() -> Self {
        Self { shared: SharedRunTerm::Subject(TermId::FIRST), source: TripleMatchSource::Run([].iter()) }
    }

    /// The matching triples of one graph.
    #[inline]
    pub(super) fn of_graph(graph: &'g GraphIndex, pattern: EncodedTriplePattern) -> Self {
        match shared(pattern) {
            Some(shared) => match run(graph, pattern) {
                Some(pairs) => Self { shared, source: TripleMatchSource::Run(pairs.iter()) },
                None => Self::between(&[graph], pattern),
            },
            None => Self::all([graph].into_iter()),
        }
    }

    /// The matching triples of several graphs, as a set.
    pub(super) fn of_graphs(
        graphs: impl Iterator<Item = &'g GraphIndex> + Clone,
        pattern: EncodedTriplePattern,
    ) -> Self {
        let Some(shared) = shared(pattern) else { return Self::all(graphs) };
        if pattern.subject.is_some() && pattern.predicate.is_none() && pattern.object.is_some() {
            return Self::between(&graphs.collect::<Vec<_>>(), pattern);
        }
        let mut runs = graphs.filter_map(|graph| run(graph, pattern).filter(|pairs| !pairs.is_empty()));
        let Some(first) = runs.next() else { return Self::none() };
        let Some(second) = runs.next() else {
            return Self { shared, source: TripleMatchSource::Run(first.iter()) };
        };
        let mut runs: Vec<&[TermIdPair]> = [first, second].into_iter().chain(runs).collect();
        runs.sort_unstable_by_key(|pairs| pairs.first());
        // Strictly lower: runs that have a pair in common must be merged, so it is returned once.
        if runs.windows(2).all(|two| two[0].last() < two[1].first()) {
            let chained = ChainedRuns { run: [].iter(), later: runs.into_iter() };
            return Self { shared, source: TripleMatchSource::Chained(Box::new(chained)) };
        }
        let heads = runs.into_iter().filter_map(|pairs| SequenceHead::new(pairs.iter().copied())).collect();
        Self { shared, source: TripleMatchSource::Merged(heads) }
    }

    fn all(graphs: impl Iterator<Item = &'g GraphIndex> + Clone) -> Self {
        // Both sources return whole triples, so this term is never read.
        let shared = SharedRunTerm::Subject(TermId::FIRST);
        let mut first_two = graphs.clone();
        let source = match (first_two.next(), first_two.next()) {
            (Some(only), None) => TripleMatchSource::Whole(only.triples()),
            _ => TripleMatchSource::All(Box::new(MergedTriples::new(graphs))),
        };
        Self { shared, source }
    }

    /// The triples with a given subject and object. No order has them in one run, so the shorter of the two runs is
    /// searched.
    fn between(graphs: &[&'g GraphIndex], pattern: EncodedTriplePattern) -> Self {
        let (Some(subject), Some(object)) = (pattern.subject, pattern.object) else { return Self::none() };
        let mut pairs: Vec<TermIdPair> = Vec::new();
        for graph in graphs {
            let of_subject = graph.of_subject(subject);
            let of_object = graph.of_object(object);
            if of_subject.len() <= of_object.len() {
                pairs.extend(of_subject.iter().filter(|pair| pair[1] == object.number()));
            } else {
                let matching = of_object.iter().filter(|pair| pair[1] == subject.number());
                pairs.extend(matching.map(|pair| [pair[0], object.number()]));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Self { shared: SharedRunTerm::Subject(subject), source: TripleMatchSource::Owned(pairs.into_iter()) }
    }
}

impl Iterator for PatternTriples<'_> {
    type Item = EncodedTriple;

    #[inline]
    fn next(&mut self) -> Option<EncodedTriple> {
        let pair = match &mut self.source {
            TripleMatchSource::Run(pairs) => *pairs.next()?,
            TripleMatchSource::Owned(pairs) => pairs.next()?,
            TripleMatchSource::Chained(pairs) => pairs.next()?,
            TripleMatchSource::Merged(heads) => next_of(heads)?,
            TripleMatchSource::Whole(triples) => return triples.next(),
            TripleMatchSource::All(triples) => return triples.next(),
        };
        Some(self.shared.triple(pair))
    }
}

impl PatternTriples<'_> {
    /// Calls `step` for each triple until it breaks. The triples after that remain to be visited. This is a plain loop
    /// over the pairs of a run; `next` would have to decide again for each triple where it comes from.
    pub fn visit<B>(&mut self, mut step: impl FnMut(EncodedTriple) -> ControlFlow<B>) -> ControlFlow<B> {
        let shared = self.shared;
        let mut step_of = |pair: TermIdPair| step(shared.triple(pair));
        match &mut self.source {
            TripleMatchSource::Run(pairs) => visit_pairs(pairs, step_of),
            TripleMatchSource::Owned(pairs) => pairs.try_for_each(step_of),
            TripleMatchSource::Chained(chained) => loop {
                visit_pairs(&mut chained.run, &mut step_of)?;
                match chained.later.next() {
                    Some(run) => chained.run = run.iter(),
                    None => return ControlFlow::Continue(()),
                }
            },
            TripleMatchSource::Whole(triples) => triples.visit(step),
            TripleMatchSource::Merged(_) | TripleMatchSource::All(_) => self.try_for_each(step),
        }
    }

    /// Calls `step` for each subject with the number of its triples, until it breaks or that many triples are counted.
    /// The subjects after that remain to be visited. Returns none if this would not be faster than visiting each
    /// triple.
    pub fn visit_subjects<B>(
        &mut self,
        most: usize,
        step: impl FnMut(TermId, usize) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        match &mut self.source {
            TripleMatchSource::Whole(triples) => Some(triples.visit_subjects(most, step)),
            _ => None,
        }
    }

    /// Leaves out triples whose term at a position is outside of a range; triples must be sorted by that position. Some
    /// triples outside of the range may remain.
    pub fn narrow(&mut self, place: usize, [lowest, highest]: [TermId; 2]) {
        let shared = self.shared;
        let narrowed = |pairs: &'_ [TermIdPair]| {
            let term = |pair: &TermIdPair| shared.triple(*pair)[place];
            let start = pairs.partition_point(|pair| term(pair) < lowest);
            let length = pairs[start..].partition_point(|pair| term(pair) <= highest);
            start..start + length
        };
        match &mut self.source {
            TripleMatchSource::Run(pairs) => {
                let all = pairs.as_slice();
                *pairs = all[narrowed(all)].iter();
            }
            TripleMatchSource::Chained(chained) => {
                let all = std::iter::once(chained.run.as_slice()).chain(take(&mut chained.later));
                let some = all.map(|run| &run[narrowed(run)]).filter(|run| !run.is_empty());
                chained.later = some.collect::<Vec<_>>().into_iter();
                chained.run = [].iter();
            }
            TripleMatchSource::Owned(_)
            | TripleMatchSource::Merged(_)
            | TripleMatchSource::Whole(_)
            | TripleMatchSource::All(_) => {}
        }
    }
}

/// The term that the pairs of the matching run share; none for a pattern without terms.
#[inline]
fn shared(pattern: EncodedTriplePattern) -> Option<SharedRunTerm> {
    match (pattern.subject, pattern.predicate, pattern.object) {
        (Some(subject), _, _) => Some(SharedRunTerm::Subject(subject)),
        (None, Some(predicate), None) => Some(SharedRunTerm::Predicate(predicate)),
        (None, _, Some(object)) => Some(SharedRunTerm::Object(object)),
        (None, None, None) => None,
    }
}

/// The matching pairs, if one run has them all.
#[inline]
fn run(graph: &GraphIndex, pattern: EncodedTriplePattern) -> Option<&[TermIdPair]> {
    let all_with = |first: TermId| ([first.number(), 0], [first.number(), u32::MAX]);
    match (pattern.subject, pattern.predicate, pattern.object) {
        (Some(subject), Some(predicate), None) => {
            let (low, high) = all_with(predicate);
            Some(with_first(graph.of_subject_around(subject, low, high), predicate))
        }
        (Some(subject), Some(predicate), Some(object)) => {
            let pair = [predicate.number(), object.number()];
            Some(equal_to(graph.of_subject_around(subject, pair, pair), pair))
        }
        (None, Some(predicate), None) => Some(graph.of_predicate(predicate)),
        (None, Some(predicate), Some(object)) => {
            let (low, high) = all_with(predicate);
            Some(with_first(graph.of_object_around(object, low, high), predicate))
        }
        (Some(subject), None, None) => Some(graph.of_subject(subject)),
        (None, None, Some(object)) => Some(graph.of_object(object)),
        (Some(_), None, Some(_)) | (None, None, None) => None,
    }
}

/// An upper bound for the triples of a graph that match a pattern. It is not exact for a subject and an object without
/// a predicate, which have no run.
pub(super) fn run_length(graph: &GraphIndex, pattern: EncodedTriplePattern) -> usize {
    match (pattern.subject, pattern.predicate, pattern.object) {
        (None, None, None) => graph.len(),
        (Some(subject), None, None) => graph.count_of_subject(subject),
        (None, Some(predicate), None) => graph.count_of_predicate(predicate),
        (None, None, Some(object)) => graph.count_of_object(object),
        (Some(subject), None, Some(object)) => {
            graph.count_of_subject(subject).min(graph.count_of_object(object))
        }
        (Some(_), Some(_), _) | (None, Some(_), Some(_)) => {
            run(graph, pattern).map_or(0, <[TermIdPair]>::len)
        }
    }
}

/// The rest of a sorted sequence that is merged with others, and its next item. Heads are ordered by the next item in
/// reverse, since a heap returns its greatest element first.
#[derive(Debug)]
struct SequenceHead<T, R> {
    next: T,
    rest: R,
}

impl<T: Ord + Copy, R: Iterator<Item = T>> SequenceHead<T, R> {
    fn new(mut rest: R) -> Option<Self> {
        Some(Self { next: rest.next()?, rest })
    }
}

impl<T: Ord, R> PartialEq for SequenceHead<T, R> {
    fn eq(&self, other: &Self) -> bool {
        self.next == other.next
    }
}

impl<T: Ord, R> Eq for SequenceHead<T, R> {}

impl<T: Ord, R> PartialOrd for SequenceHead<T, R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord, R> Ord for SequenceHead<T, R> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.next.cmp(&self.next)
    }
}

/// Returns the lowest item of all sequences, and removes it from every sequence that has it.
fn next_of<T: Ord + Copy, R: Iterator<Item = T>>(heads: &mut BinaryHeap<SequenceHead<T, R>>) -> Option<T> {
    let lowest = heads.peek()?.next;
    // Changing the head in place restores the heap once; `pop` and `push` would do it twice.
    while let Some(mut head) = heads.peek_mut() {
        if head.next != lowest {
            break;
        }
        match head.rest.next() {
            Some(next) => head.next = next,
            None => {
                PeekMut::pop(head);
            }
        }
    }
    Some(lowest)
}

/// All triples of several graphs, sorted, each once.
#[derive(Debug)]
pub(super) struct MergedTriples<'g> {
    heads: BinaryHeap<SequenceHead<EncodedTriple, OrderedGraphTriples<'g>>>,
}

impl<'g> MergedTriples<'g> {
    pub(super) fn new(graphs: impl Iterator<Item = &'g GraphIndex>) -> Self {
        Self { heads: graphs.filter_map(|graph| SequenceHead::new(graph.triples())).collect() }
    }
}

impl Iterator for MergedTriples<'_> {
    type Item = EncodedTriple;

    fn next(&mut self) -> Option<EncodedTriple> {
        next_of(&mut self.heads)
    }
}
