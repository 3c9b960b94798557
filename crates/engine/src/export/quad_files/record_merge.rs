//! Merges runs of records into one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

use super::record_run::{RecordKey, RecordRun};

/// Records in their order, each once, from runs of which each is sorted.
pub(super) struct SortedRecords {
    runs: Vec<RecordRun>,
    /// The key of the current record of each run.
    next: BinaryHeap<Reverse<(RecordKey, usize)>>,
    /// The run whose record was returned last.
    taken: Option<usize>,
    key: RecordKey,
}

impl SortedRecords {
    /// Begins to merge runs.
    ///
    /// # Errors
    ///
    /// Fails if a run cannot be read.
    pub(super) fn new(mut runs: Vec<RecordRun>) -> io::Result<Self> {
        let mut next = BinaryHeap::with_capacity(runs.len());
        for (at, run) in runs.iter_mut().enumerate() {
            next.extend(run.advance()?.map(|key| Reverse((key, at))));
        }
        Ok(Self { runs, next, taken: None, key: RecordKey::default() })
    }

    /// Returns the next record, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// Fails if a run cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<(&RecordKey, &[u8])>> {
        let before = self.taken.is_some().then_some(self.key);
        loop {
            if let Some(taken) = self.taken.take() {
                let next = self.runs[taken].advance()?;
                self.next.extend(next.map(|key| Reverse((key, taken))));
            }
            let Some(Reverse((key, at))) = self.next.pop() else { return Ok(None) };
            self.taken = Some(at);
            if before != Some(key) {
                self.key = key;
                return Ok(Some((&self.key, self.runs[at].bytes())));
            }
        }
    }
}
