//! One immutable graph: its triples in three orders. Each order is an index of one term over sorted pairs of the two
//! others, so every triple pattern is one contiguous run of pairs.

use std::ops::{ControlFlow, Range};
use std::slice;

use bytemuck::AnyBitPattern;

use super::column::ImmutableColumn;
use super::dictionary::TermId;
use super::encoded_quads::EncodedTriple;

/// The numbers of two terms of a triple whose third is known. Files hold pairs in this form.
pub(super) type TermIdPair = [u32; 2];

/// Above this many triples the orders of one graph are built in parallel. Below, handing the work to another thread
/// costs more than it saves.
const PARALLEL_TRIPLES: usize = 20_000;

/// Up to this many pairs a linear scan is quicker than a binary search.
const WALK_PAIRS: usize = 16;

/// How many orders there are: by subject, by predicate, by object.
pub(super) const ORDERS: usize = 3;

/// Subject → (predicate, object), predicate → (subject, object), object → (predicate, subject).
#[derive(Debug)]
pub(super) struct GraphIndex {
    by_subject: TriplePermutation,
    by_predicate: TriplePermutation,
    by_object: TriplePermutation,
}

impl GraphIndex {
    /// Takes sorted distinct triples.
    pub(super) fn from_sorted(triples: Vec<EncodedTriple>) -> Self {
        let by_subject = TriplePermutation::from_grouped(&triples);
        // Within a predicate the triples are sorted by subject and object, so these runs are in order already.
        let by_predicate = || {
            TriplePermutation::from_scattered(&triples, RunOrder::InOrder, |[subject, predicate, object]| {
                (predicate, [subject.number(), object.number()])
            })
        };
        // Within an object they are sorted by subject, but the pairs begin with the predicate.
        let by_object = || {
            TriplePermutation::from_scattered(&triples, RunOrder::ToSort, |[subject, predicate, object]| {
                (object, [predicate.number(), subject.number()])
            })
        };
        let (by_predicate, by_object) = if triples.len() > PARALLEL_TRIPLES {
            rayon::join(by_predicate, by_object)
        } else {
            (by_predicate(), by_object())
        };
        drop(triples);
        Self { by_subject, by_predicate, by_object }
    }

    /// The graph made of its three orders: by subject, by predicate, by object.
    pub(super) fn of_permutations([by_subject, by_predicate, by_object]: [TriplePermutation; 3]) -> Self {
        Self { by_subject, by_predicate, by_object }
    }

    /// The three orders: by subject, by predicate, by object.
    pub(super) fn permutations(&self) -> [&TriplePermutation; 3] {
        [&self.by_subject, &self.by_predicate, &self.by_object]
    }

    pub(super) fn len(&self) -> usize {
        self.by_subject.pairs.len()
    }

    /// The (predicate, object) pairs of a subject.
    #[inline]
    pub(super) fn of_subject(&self, subject: TermId) -> &[TermIdPair] {
        self.by_subject.run(subject)
    }

    /// The (subject, object) pairs of a predicate.
    #[inline]
    pub(super) fn of_predicate(&self, predicate: TermId) -> &[TermIdPair] {
        self.by_predicate.run(predicate)
    }

    /// The (predicate, subject) pairs of an object.
    #[inline]
    pub(super) fn of_object(&self, object: TermId) -> &[TermIdPair] {
        self.by_object.run(object)
    }

    /// The pairs of a subject from `low` to `high`, and possibly some before and after these.
    #[inline]
    pub(super) fn of_subject_around(
        &self,
        subject: TermId,
        low: TermIdPair,
        high: TermIdPair,
    ) -> &[TermIdPair] {
        self.by_subject.run_around(subject, low, high)
    }

    /// The pairs of an object from `low` to `high`, and possibly some before and after these.
    #[inline]
    pub(super) fn of_object_around(
        &self,
        object: TermId,
        low: TermIdPair,
        high: TermIdPair,
    ) -> &[TermIdPair] {
        self.by_object.run_around(object, low, high)
    }

    /// How many triples a subject has.
    pub(super) fn count_of_subject(&self, subject: TermId) -> usize {
        self.by_subject.run_length(subject)
    }

    /// How many triples a predicate has.
    pub(super) fn count_of_predicate(&self, predicate: TermId) -> usize {
        self.by_predicate.run_length(predicate)
    }

    /// How many triples an object has.
    pub(super) fn count_of_object(&self, object: TermId) -> usize {
        self.by_object.run_length(object)
    }

    /// The subjects, ascending.
    pub(super) fn subjects(&self) -> impl Iterator<Item = TermId> + '_ {
        self.by_subject.keys()
    }

    /// The predicates, ascending.
    pub(super) fn predicates(&self) -> impl Iterator<Item = TermId> + '_ {
        self.by_predicate.keys()
    }

    /// The objects, ascending.
    pub(super) fn objects(&self) -> impl Iterator<Item = TermId> + '_ {
        self.by_object.keys()
    }

    /// The triples in one of the [`ORDERS`].
    pub(super) fn triples_by(&self, order: usize) -> impl Iterator<Item = EncodedTriple> + '_ {
        let runs = self.permutations()[order].runs();
        let triple = move |key: TermId, [first, second]: TermIdPair| {
            let (first, second) = (TermId::from_number(first), TermId::from_number(second));
            match order {
                0 => [key, first, second],
                1 => [first, key, second],
                _ => [second, first, key],
            }
        };
        runs.flat_map(move |(key, pairs)| pairs.iter().map(move |pair| triple(key, *pair)))
    }

    /// The triples, sorted.
    pub(super) fn triples(&self) -> OrderedGraphTriples<'_> {
        OrderedGraphTriples { runs: self.by_subject.runs(), subject: TermId::FIRST, pairs: [].iter() }
    }
}

/// The pairs whose first term is `first`, of sorted pairs.
#[inline]
pub(super) fn with_first(pairs: &[TermIdPair], first: TermId) -> &[TermIdPair] {
    let first = first.number();
    if pairs.len() <= WALK_PAIRS {
        let start = pairs.iter().position(|pair| pair[0] >= first).unwrap_or(pairs.len());
        let rest = &pairs[start..];
        let length = rest.iter().position(|pair| pair[0] != first).unwrap_or(rest.len());
        &rest[..length]
    } else {
        let start = pairs.partition_point(|pair| pair[0] < first);
        let rest = &pairs[start..];
        &rest[..rest.partition_point(|pair| pair[0] == first)]
    }
}

/// The one pair equal to `pair`, or none, of sorted pairs.
#[inline]
pub(super) fn equal_to(pairs: &[TermIdPair], pair: TermIdPair) -> &[TermIdPair] {
    let position = if pairs.len() <= WALK_PAIRS {
        pairs.iter().position(|other| *other == pair)
    } else {
        pairs.binary_search(&pair).ok()
    };
    position.map_or(&[], |position| &pairs[position..=position])
}

/// Walks the triples of a graph in order.
#[derive(Debug, Clone)]
pub(super) struct OrderedGraphTriples<'g> {
    runs: PermutationRuns<'g>,
    subject: TermId,
    pairs: slice::Iter<'g, TermIdPair>,
}

impl Iterator for OrderedGraphTriples<'_> {
    type Item = EncodedTriple;

    fn next(&mut self) -> Option<EncodedTriple> {
        loop {
            if let Some([predicate, object]) = self.pairs.next() {
                return Some([self.subject, TermId::from_number(*predicate), TermId::from_number(*object)]);
            }
            let (subject, pairs) = self.runs.next()?;
            self.subject = subject;
            self.pairs = pairs.iter();
        }
    }
}

impl OrderedGraphTriples<'_> {
    /// Calls `step` for each triple until it breaks. The triples after that remain to be visited.
    pub(super) fn visit<B>(
        &mut self,
        mut step: impl FnMut(EncodedTriple) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        loop {
            let subject = self.subject;
            visit_pairs(&mut self.pairs, |[predicate, object]| {
                step([subject, TermId::from_number(predicate), TermId::from_number(object)])
            })?;
            let Some((subject, pairs)) = self.runs.next() else { return ControlFlow::Continue(()) };
            (self.subject, self.pairs) = (subject, pairs.iter());
        }
    }

    /// Calls `step` for each subject with the number of its triples, until it breaks or that many triples are counted.
    /// The subjects after that remain to be visited.
    pub(super) fn visit_subjects<B>(
        &mut self,
        mut most: usize,
        mut step: impl FnMut(TermId, usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        loop {
            let pairs = self.pairs.as_slice();
            let count = pairs.len().min(most);
            self.pairs = pairs[count..].iter();
            most -= count;
            if count > 0 {
                step(self.subject, count)?;
            }
            if most == 0 {
                return ControlFlow::Continue(());
            }
            let Some((subject, pairs)) = self.runs.next() else { return ControlFlow::Continue(()) };
            (self.subject, self.pairs) = (subject, pairs.iter());
        }
    }
}

/// Calls `step` for each pair until it breaks. The pairs after that remain to be visited.
#[inline]
pub(super) fn visit_pairs<B>(
    pairs: &mut slice::Iter<'_, TermIdPair>,
    mut step: impl FnMut(TermIdPair) -> ControlFlow<B>,
) -> ControlFlow<B> {
    // A local slice: its length and position stay in registers during the loop.
    let all = pairs.as_slice();
    for (at, pair) in all.iter().enumerate() {
        if let ControlFlow::Break(told) = step(*pair) {
            *pairs = all[at + 1..].iter();
            return ControlFlow::Break(told);
        }
    }
    *pairs = [].iter();
    ControlFlow::Continue(())
}

/// Runs of sorted pairs, found by a key term.
///
/// The terms that a document adds have neighbouring numbers, so the starts of their runs are an array over these
/// numbers. Keys with lower numbers, which came with earlier documents, are sparse and are found by binary search.
#[derive(Debug, Default)]
pub(super) struct TriplePermutation {
    pub(super) early_keys: ImmutableColumn<u32>,
    pub(super) early_starts: ImmutableColumn<u32>,
    pub(super) first_dense: usize,
    pub(super) dense_starts: ImmutableColumn<u32>,
    pub(super) pairs: ImmutableColumn<TermIdPair>,
}

/// A lookup in a run reads up to this many pairs at once: the pairs that one checksum covers.
const NEIGHBOURS: u32 = 512;

/// The order in which the pairs of a run already are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RunOrder {
    InOrder,
    ToSort,
}

impl TriplePermutation {
    /// Takes triples that are sorted in this order, by the key first.
    fn from_grouped(triples: &[EncodedTriple]) -> Self {
        let pairs = triples.iter().map(|[_, first, second]| [first.number(), second.number()]).collect();
        let runs = triples.chunk_by(|left, right| left[0] == right[0]);
        let counts: Vec<_> = runs.map(|run| (run[0][0], run_length(run.len()))).collect();
        Self::new(&counts, pairs)
    }

    /// Takes triples in another order. Runs that are not sorted keep that order.
    fn from_scattered(
        triples: &[EncodedTriple],
        order: RunOrder,
        entry: impl Fn(EncodedTriple) -> (TermId, TermIdPair),
    ) -> Self {
        let keys = || triples.iter().map(|triple| entry(*triple).0.index());
        let (Some(lowest), Some(highest)) = (keys().min(), keys().max()) else { return Self::default() };
        let range = highest - lowest + 1;
        if !is_worth_counting(range, triples.len()) {
            let mut entries: Vec<_> = triples.iter().map(|triple| entry(*triple)).collect();
            // Stable, like the counting below: `InOrder` relies on the order of the triples within a run.
            entries.sort_by_key(|(key, _)| *key);
            let runs = entries.chunk_by(|left, right| left.0 == right.0);
            let counts: Vec<_> = runs.map(|run| (run[0].0, run_length(run.len()))).collect();
            let mut pairs: Vec<TermIdPair> = entries.into_iter().map(|(_, pair)| pair).collect();
            sort_runs(&mut pairs, &counts, order);
            return Self::new(&counts, pairs);
        }
        // A place is the number of triples of its key, then the start of its run, then where its next pair goes.
        let mut places = vec![0_usize; range];
        for key in keys() {
            places[key - lowest] += 1;
        }
        let mut counts = Vec::new();
        let mut start = 0;
        for (position, place) in places.iter_mut().enumerate() {
            if *place > 0 {
                counts.push((TermId::from_index(lowest + position), run_length(*place)));
            }
            start += std::mem::replace(place, start);
        }
        let mut pairs: Vec<TermIdPair> = vec![[0; 2]; triples.len()];
        for triple in triples {
            let (key, pair) = entry(*triple);
            let place = &mut places[key.index() - lowest];
            pairs[*place] = pair;
            *place += 1;
        }
        sort_runs(&mut pairs, &counts, order);
        Self::new(&counts, pairs)
    }

    /// Takes the length of every run, by ascending key.
    fn new(counts: &[(TermId, u32)], pairs: Vec<TermIdPair>) -> Self {
        Self { pairs: pairs.into(), ..Self::of_lengths(counts) }
    }

    /// Computes the starts of runs of these lengths, by ascending key, without the pairs.
    pub(super) fn of_lengths(counts: &[(TermId, u32)]) -> Self {
        let Some((last, _)) = counts.last() else { return Self::default() };
        let early = early_keys(counts);
        let mut start = 0_u32;
        let mut next = |count: u32| {
            let end = start.checked_add(count).expect("a graph holds at most 4,294,967,295 triples");
            std::mem::replace(&mut start, end)
        };
        let mut early_starts: Vec<u32> = counts[..early].iter().map(|(_, count)| next(*count)).collect();
        // The end of the last early run.
        early_starts.push(next(0));
        let (mut first_dense, mut dense_starts) = (0, Vec::new());
        if let Some((first, _)) = counts.get(early) {
            first_dense = first.index();
            dense_starts.reserve_exact(last.index() - first_dense + 2);
            for (key, count) in &counts[early..] {
                // Keys that are missing in between have empty runs.
                dense_starts.resize(key.index() - first_dense + 1, next(*count));
            }
            dense_starts.push(next(0));
        }
        let early_keys = counts[..early].iter().map(|(key, _)| key.number()).collect::<Vec<_>>();
        Self {
            early_keys: ImmutableColumn::from(early_keys),
            early_starts: early_starts.into(),
            first_dense,
            dense_starts: dense_starts.into(),
            pairs: ImmutableColumn::default(),
        }
    }

    #[inline]
    fn run(&self, key: TermId) -> &[TermIdPair] {
        self.bounds(key).map_or(&[], |bounds| self.between(bounds))
    }

    /// The length of a run, found without reading its pairs.
    fn run_length(&self, key: TermId) -> usize {
        let length = self.bounds(key).map_or(0, |[start, end]| end.saturating_sub(start) as usize);
        length.min(self.pairs.len())
    }

    /// The pairs of a run from `low` to `high`, and some neighbours. For a long run in a file, only the blocks needed
    /// to find these are read and checked.
    #[inline]
    fn run_around(&self, key: TermId, low: TermIdPair, high: TermIdPair) -> &[TermIdPair] {
        match self.bounds(key) {
            Some([start, end]) if self.pairs.is_stored() && end.saturating_sub(start) > NEIGHBOURS => {
                self.between(self.narrowed([start, end], low, high))
            }
            Some(bounds) => self.between(bounds),
            None => &[],
        }
    }

    fn narrowed(&self, bounds: [u32; 2], low: TermIdPair, high: TermIdPair) -> [u32; 2] {
        let halved = |bounds: [u32; 2], is_before: &dyn Fn(TermIdPair) -> bool| {
            let [mut start, mut end] = bounds;
            // All pairs before `start` are before the bound, and none from `end` on is.
            while end - start > NEIGHBOURS {
                let middle = start + (end - start) / 2;
                // The fault of a pair that cannot be read is kept, so the result is discarded anyway.
                match self.pairs.slice(middle as usize..middle as usize + 1).first() {
                    Some(pair) if is_before(*pair) => start = middle,
                    _ => end = middle,
                }
            }
            [start, end]
        };
        let [start, _] = halved(bounds, &|pair| pair < low);
        let [_, end] = halved([start, bounds[1]], &|pair| pair <= high);
        [start, end]
    }

    #[inline]
    fn bounds(&self, key: TermId) -> Option<[u32; 2]> {
        // A key before the dense ones becomes a place beyond the array, and is looked up among the early ones.
        let place = key.index().wrapping_sub(self.first_dense);
        self.dense_starts.two(place).or_else(|| self.early_bounds(key))
    }

    fn early_bounds(&self, key: TermId) -> Option<[u32; 2]> {
        let place = self.early_keys.all().binary_search(&key.number()).ok()?;
        self.early_starts.two(place)
    }

    /// Reads all columns, so that their blocks are checked.
    pub(super) fn read(&self) {
        for column in [&self.early_keys, &self.early_starts, &self.dense_starts] {
            column.all();
        }
        self.pairs.all();
    }

    #[inline]
    fn between(&self, [start, end]: [u32; 2]) -> &[TermIdPair] {
        self.pairs.slice(start as usize..end as usize)
    }

    /// The runs by ascending key; some are empty.
    pub(super) fn runs(&self) -> PermutationRuns<'_> {
        let (early, dense) = (self.early_keys.len(), self.dense_starts.len().saturating_sub(1));
        let (starts, pairs) = (ColumnWindow::default(), ColumnWindow::default());
        PermutationRuns { permutation: self, position: 0, early, end: early + dense, starts, pairs }
    }

    fn keys(&self) -> impl Iterator<Item = TermId> + '_ {
        self.runs().filter(|(_, pairs)| !pairs.is_empty()).map(|(key, _)| key)
    }
}

fn sort_runs(pairs: &mut [TermIdPair], counts: &[(TermId, u32)], order: RunOrder) {
    if order == RunOrder::InOrder {
        return;
    }
    let mut rest = pairs;
    for (_, count) in counts {
        let (run, later) = rest.split_at_mut(*count as usize);
        if run.len() > 1 {
            run.sort_unstable();
        }
        rest = later;
    }
}

/// The runs of a permutation by ascending key; some are empty.
#[derive(Debug, Clone)]
pub(super) struct PermutationRuns<'g> {
    permutation: &'g TriplePermutation,
    position: usize,
    /// Where the dense keys begin and end.
    early: usize,
    end: usize,
    starts: ColumnWindow<'g, u32>,
    pairs: ColumnWindow<'g, TermIdPair>,
}

impl<'g> Iterator for PermutationRuns<'g> {
    type Item = (TermId, &'g [TermIdPair]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let TriplePermutation { early_keys, early_starts, first_dense, dense_starts, pairs, .. } =
            self.permutation;
        let position = self.position;
        if position == self.end {
            return None;
        }
        self.position += 1;
        let (key, [start, end]) = match position.checked_sub(self.early) {
            Some(place) => {
                let bounds = self.starts.get(dense_starts, place..place + 2).first_chunk()?;
                (TermId::from_index(first_dense + place), *bounds)
            }
            None => {
                let key = early_keys.slice(position..position + 1).first()?;
                (TermId::from_number(*key), early_starts.two(position)?)
            }
        };
        Some((key, self.pairs.get(pairs, start as usize..end as usize)))
    }
}

/// Some items of a column that is walked in order. Runs are read from this window, which saves a lookup and a check for
/// each.
#[derive(Debug, Clone)]
struct ColumnWindow<'g, T> {
    start: usize,
    items: &'g [T],
}

impl<T> Default for ColumnWindow<'_, T> {
    fn default() -> Self {
        Self { start: 0, items: &[] }
    }
}

impl<'g, T: AnyBitPattern> ColumnWindow<'g, T> {
    /// How many bytes are read at once: those that one checksum covers.
    const BYTES: usize = 4 << 10;

    /// A range of items; empty if the file cannot be read.
    #[inline]
    fn get(&mut self, column: &'g ImmutableColumn<T>, range: Range<usize>) -> &'g [T] {
        if range.start < self.start || range.end > self.start + self.items.len() {
            let ahead = (range.start + Self::BYTES / size_of::<T>()).min(column.len());
            if range.start > range.end || range.end > column.len() {
                // There is no such range: the column records the fault.
                return column.slice(range);
            }
            let end = range.end.max(ahead);
            *self = Self { start: range.start, items: column.slice(range.start..end) };
        }
        self.items.get(range.start - self.start..range.end - self.start).unwrap_or_default()
    }
}

/// Returns how many keys are left to binary search: the smallest number for which an array over the remaining keys
/// takes no more room than keys and starts would.
fn early_keys(counts: &[(TermId, u32)]) -> usize {
    let Some((last, _)) = counts.last() else { return 0 };
    let is_dense = |position: usize| {
        let range = last.index() - counts[position].0.index() + 1;
        range <= 4 * (counts.len() - position)
    };
    // The property is not monotonic, which rules out a binary search. Trying every position is cheap: there are as many
    // as runs, and each takes two subtractions.
    (0..counts.len()).find(|position| is_dense(*position)).unwrap_or(counts.len())
}

/// The length of a run, or the start of the next one, in 32 bits.
fn run_length(count: usize) -> u32 {
    u32::try_from(count).expect("a graph holds at most 4,294,967,295 triples")
}

/// Returns whether counting beats sorting: counting passes once over the range of keys, sorting several times over the
/// triples.
fn is_worth_counting(range: usize, triples: usize) -> bool {
    range / 4 <= triples
}

/// Sorts triples and removes duplicates.
pub(super) fn sort_distinct(triples: &mut Vec<EncodedTriple>) {
    if triples.is_sorted_by(|left, right| left < right) {
        return;
    }
    let subjects = || triples.iter().map(|triple| triple[0].index());
    let (Some(lowest), Some(highest)) = (subjects().min(), subjects().max()) else { return };
    let range = highest - lowest + 1;
    if is_worth_counting(range, triples.len()) {
        *triples = sorted_by_counting(triples, lowest, range);
    } else {
        triples.sort_unstable();
    }
    triples.dedup();
}

/// Sorts by subject in two passes, then the few triples within each subject.
fn sorted_by_counting(triples: &[EncodedTriple], lowest: usize, range: usize) -> Vec<EncodedTriple> {
    let mut places = vec![0_usize; range];
    for [subject, ..] in triples {
        places[subject.index() - lowest] += 1;
    }
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    let mut sorted = vec![[TermId::FIRST; 3]; triples.len()];
    for triple in triples {
        let place = &mut places[triple[0].index() - lowest];
        sorted[*place] = *triple;
        *place += 1;
    }
    let mut start = 0;
    // Each place has moved from the start of its run to the end.
    for end in places {
        if end - start > 1 {
            sorted[start..end].sort_unstable();
        }
        start = end;
    }
    sorted
}
