//! The graphs of one document in a file: its default graph, the named graphs that it contains, its sidecar and its
//! share of the catalog. They are added and removed together.
//!
//! | section | content |
//! |---|---|
//! | 12 a graph | for each order, by subject, predicate and object: the pairs, the keys that are found by search, the starts of their runs, the starts of the runs of all later keys |
//! | the last | for each graph eight numbers of 8 bytes: the term that names it; 1 for the document's default graph, plus 2 for a graph that only queries naming it see; the number of triples; the first key of the array of starts, for three orders; two times 0 |

use std::io;
use std::sync::Arc;

use super::damage::{StoreDamage, damaged};
use super::medium::StoreMedium;
use super::sections::{FileFacts, SectionedFile, StoreFileKind};
use super::sections_writer::SectionsWriter;
use super::sorted_runs::SortedTripleRuns;
use crate::column::ImmutableColumn;
use crate::dictionary::TermId;
use crate::graph_index::{GraphIndex, TermIdPair, TriplePermutation};
use crate::part::GraphPart;
use evalgraph_diagnostics::Diagnostic;

const IS_DEFAULT: u64 = 1;
const BY_NAME_ONLY: u64 = 2;

/// How many pairs are written at once.
const PAIRS: usize = 1 << 13;

/// Sections of a graph.
const SECTIONS: usize = 12;

/// The name of a graph, and whether queries see it without naming it.
#[derive(Debug, Clone, Copy)]
pub(super) struct GraphFacts {
    pub(super) name: TermId,
    pub(super) is_default: bool,
    pub(super) by_name_only: bool,
}

/// A file of graphs that is being written.
pub(super) struct SegmentWriter {
    file: SectionsWriter,
    graphs: Vec<[u64; 8]>,
}

impl SegmentWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn create(medium: &dyn StoreMedium, name: &str) -> io::Result<Self> {
        Ok(Self { file: SectionsWriter::create(medium, name, StoreFileKind::Segment)?, graphs: Vec::new() })
    }

    /// Writes a graph that is in memory.
    pub(super) fn part(&mut self, part: &GraphPart) -> io::Result<()> {
        let GraphPart { name, is_default, by_name_only, graph } = part;
        let facts = GraphFacts { name: *name, is_default: *is_default, by_name_only: *by_name_only };
        let graph = graph.get();
        let permutations = graph.permutations();
        self.facts(facts, graph.len() as u64, permutations.map(|permutation| permutation.first_dense));
        for permutation in permutations {
            self.file.whole_section(bytemuck::cast_slice(permutation.pairs.all()))?;
            self.file.whole_section(bytemuck::cast_slice(permutation.early_keys.all()))?;
            self.file.whole_section(bytemuck::cast_slice(permutation.early_starts.all()))?;
            self.file.whole_section(bytemuck::cast_slice(permutation.dense_starts.all()))?;
        }
        Ok(())
    }

    /// Writes a graph from sorted runs, and returns how many triples it has.
    pub(super) fn runs(
        &mut self,
        medium: &dyn StoreMedium,
        facts: GraphFacts,
        runs: &SortedTripleRuns,
    ) -> io::Result<u64> {
        let mut triples = 0;
        let mut first_keys = [0; 3];
        for (order, first_key) in (0..).zip(&mut first_keys) {
            (triples, *first_key) = self.permutation(medium, order, runs)?;
        }
        self.facts(facts, triples, first_keys);
        Ok(triples)
    }

    /// Writes one order of a graph, and returns its number of triples and the first key of its array of starts.
    fn permutation(
        &mut self,
        medium: &dyn StoreMedium,
        order: u64,
        runs: &SortedTripleRuns,
    ) -> io::Result<(u64, usize)> {
        let mut counts: Vec<(TermId, u32)> = Vec::new();
        let mut pairs: Vec<TermIdPair> = Vec::with_capacity(PAIRS);
        let mut triples = 0;
        self.file.section()?;
        runs.merge(medium, order, |[key, first, second]| {
            let key = TermId::from_number(key);
            match counts.last_mut() {
                Some((last, count)) if *last == key => *count += 1,
                _ => counts.push((key, 1)),
            }
            pairs.push([first, second]);
            triples += 1;
            if triples > u64::from(u32::MAX) {
                return Err(io::Error::other("a graph holds at most 4,294,967,295 triples"));
            }
            if pairs.len() == PAIRS {
                self.file.bytes(bytemuck::cast_slice(&pairs))?;
                pairs.clear();
            }
            Ok(())
        })?;
        self.file.bytes(bytemuck::cast_slice(&pairs))?;
        let starts = TriplePermutation::of_lengths(&counts);
        self.file.whole_section(bytemuck::cast_slice(starts.early_keys.all()))?;
        self.file.whole_section(bytemuck::cast_slice(starts.early_starts.all()))?;
        self.file.whole_section(bytemuck::cast_slice(starts.dense_starts.all()))?;
        Ok((triples, starts.first_dense))
    }

    fn facts(&mut self, facts: GraphFacts, triples: u64, first_keys: [usize; 3]) {
        let flags = u64::from(facts.is_default) * IS_DEFAULT + u64::from(facts.by_name_only) * BY_NAME_ONLY;
        let [by_subject, by_predicate, by_object] = first_keys.map(|key| key as u64);
        let name = facts.name.index() as u64;
        self.graphs.push([name, flags, triples, by_subject, by_predicate, by_object, 0, 0]);
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<FileFacts> {
        self.file.whole_section(bytemuck::cast_slice(&self.graphs))?;
        self.file.finish()
    }
}

/// Opens the graphs of a document.
///
/// # Errors
///
/// A file that is damaged, or belongs to another store.
pub(super) fn open_segment(
    medium: &dyn StoreMedium,
    facts: &FileFacts,
    damage: &StoreDamage,
) -> Result<(Arc<SectionedFile>, Vec<GraphPart>), Box<Diagnostic>> {
    let file = Arc::new(SectionedFile::open(medium, facts, StoreFileKind::Segment, damage)?);
    let graphs = ImmutableColumn::<[u64; 8]>::stored(&file, file.count().saturating_sub(1));
    let parts = graphs.all().iter().enumerate().map(|(position, graph)| part(&file, position, graph));
    let wrong = || Box::new(damaged(medium.folder(), &facts.name, "its graphs are not what was written"));
    let parts: Vec<GraphPart> = parts.collect::<Option<_>>().ok_or_else(wrong)?;
    if file.count() != 1 + SECTIONS * parts.len() {
        return Err(wrong());
    }
    Ok((file, parts))
}

fn part(file: &Arc<SectionedFile>, position: usize, facts: &[u64; 8]) -> Option<GraphPart> {
    let [name, flags, triples, first_keys @ .., _, _] = *facts;
    let mut section = SECTIONS * position;
    let mut permutations = first_keys.map(|first_dense| {
        let permutation = TriplePermutation {
            pairs: ImmutableColumn::stored(file, section),
            early_keys: ImmutableColumn::stored(file, section + 1),
            early_starts: ImmutableColumn::stored(file, section + 2),
            first_dense: usize::try_from(first_dense).unwrap_or(usize::MAX),
            dense_starts: ImmutableColumn::stored(file, section + 3),
        };
        section += 4;
        permutation
    });
    let is_as_long = |permutation: &mut TriplePermutation| permutation.pairs.len() as u64 == triples;
    // Numbers of terms have 32 bits.
    let is_within = |permutation: &mut TriplePermutation| {
        let last = permutation.first_dense.checked_add(permutation.dense_starts.len());
        last.is_some_and(|last| u32::try_from(last).is_ok())
    };
    if !permutations.iter_mut().all(is_as_long) || !permutations.iter_mut().all(is_within) {
        return None;
    }
    Some(GraphPart {
        name: TermId::from_number(u32::try_from(name).ok()?),
        is_default: flags & IS_DEFAULT != 0,
        by_name_only: flags & BY_NAME_ONLY != 0,
        graph: GraphIndex::of_permutations(permutations).into(),
    })
}
