//! Sorts more triples than fit in memory, in three orders: sorted runs are written to files and merged into one
//! ascending sequence. The files are removed before the change is complete.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};

use super::medium::StoreMedium;
use crate::document_builder::EncodedTriple;
use crate::graph_index::{GraphIndex, sort_distinct};

/// The prefix of the names of the files.
pub(super) const PREFIX: &str = "run-";

/// How many bytes of each run are read at once.
const BUFFER: usize = 256 << 10;

/// The terms of a triple, the key of the order first.
pub(super) type KeyedTriple = [u32; 3];

const ENTRY_BYTES: u64 = 12;

/// The triples of a graph that are in files.
#[derive(Debug, Default)]
pub(super) struct SortedTripleRuns {
    /// The files, and how many triples each has.
    files: Vec<(String, u64)>,
}

impl SortedTripleRuns {
    /// Returns whether there are no files.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes triples to a file, in three orders.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn add(
        &mut self,
        medium: &dyn StoreMedium,
        name: String,
        mut triples: Vec<EncodedTriple>,
    ) -> io::Result<()> {
        sort_distinct(&mut triples);
        let graph = GraphIndex::from_sorted(triples);
        let mut file = BufWriter::with_capacity(BUFFER, medium.create(&name)?);
        self.files.push((name, graph.len() as u64));
        for permutation in graph.permutations() {
            for (key, pairs) in permutation.runs() {
                for [first, second] in pairs {
                    file.write_all(bytemuck::cast_slice(&[key.number(), *first, *second]))?;
                }
            }
        }
        file.flush()
    }

    /// Passes the distinct triples of all files to a callback, in one of the three orders.
    pub(super) fn merge(
        &self,
        medium: &dyn StoreMedium,
        order: u64,
        mut take: impl FnMut(KeyedTriple) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut runs = Vec::new();
        let mut next = BinaryHeap::new();
        for (name, triples) in &self.files {
            let mut run = TripleOrderRun::open(medium, name, *triples, order)?;
            if let Some(entry) = run.next()? {
                next.push(Reverse((entry, runs.len())));
            }
            runs.push(run);
        }
        // Runs may have triples in common. Equal ones follow each other.
        let mut last = None;
        let mut take_once = |entry| match last.replace(entry) == Some(entry) {
            true => Ok(()),
            false => take(entry),
        };
        while let Some(Reverse((entry, at))) = next.pop() {
            take_once(entry)?;
            // Documents mostly have separate terms, so one run often continues for long before the next is due.
            let due = next.peek().map(|Reverse((entry, _))| *entry);
            while let Some(entry) = runs[at].next()? {
                if due.is_some_and(|due| due < entry) {
                    next.push(Reverse((entry, at)));
                    break;
                }
                take_once(entry)?;
            }
        }
        Ok(())
    }

    /// Removes the files.
    pub(super) fn remove(self, medium: &dyn StoreMedium) -> io::Result<()> {
        self.files.iter().try_for_each(|(name, _)| medium.remove(name))
    }
}

/// One order of one file.
struct TripleOrderRun(BufReader<Take<std::fs::File>>);

impl TripleOrderRun {
    fn open(medium: &dyn StoreMedium, name: &str, triples: u64, order: u64) -> io::Result<Self> {
        let mut file = medium.open(name)?;
        file.seek(SeekFrom::Start(order * triples * ENTRY_BYTES))?;
        Ok(Self(BufReader::with_capacity(BUFFER, file.take(triples * ENTRY_BYTES))))
    }

    #[inline]
    fn next(&mut self) -> io::Result<Option<KeyedTriple>> {
        let mut entry: KeyedTriple = [0; 3];
        match self.0.read_exact(bytemuck::cast_slice_mut(&mut entry)) {
            Ok(()) => Ok(Some(entry)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && self.0.get_ref().limit() == 0 => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
