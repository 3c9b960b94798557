//! Sorts records on disk, so that memory does not grow with their number.
//!
//! A record is a key of four numbers, and bytes that follow from the key. Records with the same key are the same.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use super::record_merge::SortedRecords;
use super::record_run::{HeldRecord, RecordKey, RecordRun};

/// How many runs are merged at once. Each needs a file and the buffers of a decompressor.
const MOST_RUNS: usize = 64;
/// A fast compression level: most records are read again soon, and only once.
const LEVEL: i32 = -3;
/// How many bytes a record usually needs, at least.
const USUAL: usize = 2 * size_of::<HeldRecord>();
/// The bytes that are read from a run at once.
const BUFFER: usize = 1 << 16;

/// Records that are being collected.
pub(super) struct RecordSorter<'f> {
    folder: &'f Path,
    /// How many bytes of records are sorted in memory.
    most: usize,
    bytes: Vec<u8>,
    held: Vec<HeldRecord>,
    runs: Vec<RecordRun>,
}

impl<'f> RecordSorter<'f> {
    /// Collects records, of which at most `most` bytes are in memory. The others are in files without a name in the
    /// folder.
    pub(super) fn new(folder: &'f Path, most: usize) -> Self {
        Self { folder, most, bytes: Vec::new(), held: Vec::new(), runs: Vec::new() }
    }

    /// Adds a record, whose bytes `write` appends.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written.
    pub(super) fn push(&mut self, key: RecordKey, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        if self.held.is_empty() {
            // Room that is not used costs addresses but no memory; growing in steps would copy everything again.
            self.bytes.reserve(self.most);
            self.held.reserve(self.most / USUAL);
        }
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.held.push(HeldRecord { key, start, end: self.bytes.len() });
        if self.bytes.len() + self.held.len() * size_of::<HeldRecord>() < self.most {
            return Ok(());
        }
        let held = self.take_held();
        let run = self.written(SortedRecords::new(vec![held])?)?;
        self.runs.push(run);
        Ok(())
    }

    /// Adds records that are sorted already.
    pub(super) fn add_run(&mut self, records: impl Read + Send + 'static) {
        self.runs.push(RecordRun::from_reader(records));
    }

    /// Returns the records in their order, each once.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written, or a run is damaged.
    pub(super) fn finish(mut self) -> io::Result<SortedRecords> {
        while self.runs.len() > MOST_RUNS {
            let rest = self.runs.split_off(MOST_RUNS);
            let merged = SortedRecords::new(std::mem::replace(&mut self.runs, rest))?;
            let run = self.written(merged)?;
            self.runs.push(run);
        }
        let held = self.take_held();
        self.runs.push(held);
        SortedRecords::new(self.runs)
    }

    fn take_held(&mut self) -> RecordRun {
        self.held.sort_unstable_by_key(|record| record.key);
        RecordRun::from_held(std::mem::take(&mut self.held), std::mem::take(&mut self.bytes))
    }

    /// Writes records into a file without a name.
    fn written(&self, records: SortedRecords) -> io::Result<RecordRun> {
        let mut file = tempfile::tempfile_in(self.folder)?;
        write_records(records, &mut file)?;
        file.rewind()?;
        Ok(RecordRun::from_reader(opened(file)?))
    }
}

/// Writes records, compressed, and returns their number.
///
/// # Errors
///
/// Fails if the output cannot be written, or the records cannot be read.
pub(super) fn write_records(mut records: SortedRecords, output: &mut File) -> io::Result<u64> {
    let mut encoder = zstd::Encoder::new(BufWriter::new(output), LEVEL)?;
    let mut count = 0;
    while let Some((key, bytes)) = records.next()? {
        let length = u32::try_from(bytes.len()).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        key.iter().try_for_each(|number| encoder.write_all(&number.to_le_bytes()))?;
        encoder.write_all(&length.to_le_bytes())?;
        encoder.write_all(bytes)?;
        count += 1;
    }
    encoder.finish()?.flush()?;
    Ok(count)
}

/// Returns the records of a file that [`write_records`] wrote.
///
/// # Errors
///
/// Fails if the decompressor cannot be made.
pub(super) fn opened(file: File) -> io::Result<impl Read + Send + 'static> {
    Ok(BufReader::with_capacity(BUFFER, zstd::Decoder::new(file)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn records_are_in_order_and_once_however_many_are_in_memory(
            records in proptest::collection::vec((-2i64..3, -2i64..3), 0..200),
            most in 1usize..2000,
        ) {
            let folder = std::env::temp_dir();
            let mut expected: Vec<(RecordKey, Vec<u8>)> = records
                .into_iter()
                .map(|(one, other)| ([one, other, i64::MIN, i64::MAX], format!("{one} {other}").into_bytes()))
                .collect();
            let mut sorter = RecordSorter::new(&folder, most);
            for (key, bytes) in &expected {
                sorter.push(*key, |output| output.extend_from_slice(bytes)).expect("the folder takes it");
            }
            expected.sort();
            expected.dedup();
            let mut sorted = sorter.finish().expect("the folder has it");
            let mut found = Vec::new();
            while let Some((key, bytes)) = sorted.next().expect("the folder has it") {
                found.push((*key, bytes.to_vec()));
            }
            proptest::prop_assert_eq!(found, expected);
        }
    }
}
