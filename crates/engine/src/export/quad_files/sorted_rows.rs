//! Sorts rows on disk, so that memory does not grow with their number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use evalgraph_store::TermId;

/// How many rows an export sorts in memory.
pub(super) const HELD: usize = 1 << 20;
/// The size of a row on disk.
const SIZE: usize = 4 + 4 * 8 + 4 * 4;

/// A row, in the order of its fields: the numbers of its terms, and the terms in the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SortedRow {
    /// The file that the row belongs to.
    pub(super) file: u32,
    /// Predicate, subject, object, graph.
    pub(super) numbers: [i64; 4],
    pub(super) terms: [TermId; 4],
}

impl SortedRow {
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&self.file.to_le_bytes())?;
        self.numbers.iter().try_for_each(|number| output.write_all(&number.to_le_bytes()))?;
        self.terms.iter().try_for_each(|term| output.write_all(&term.number().to_le_bytes()))
    }

    /// Reads the next row, or returns `None` at the end.
    fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = [0; SIZE];
        match input.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let four = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let number = |at: usize| {
            let at = 4 + 8 * at;
            (u64::from(four(at)) | u64::from(four(at + 4)) << 32).cast_signed()
        };
        let term = |at: usize| {
            TermId::of_number(four(4 + 32 + 4 * at))
                .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
        };
        Ok(Some(Self {
            file: four(0),
            numbers: [0, 1, 2, 3].map(number),
            terms: [term(0)?, term(1)?, term(2)?, term(3)?],
        }))
    }
}

/// Rows that are being collected.
pub(super) struct RowSorter<'f> {
    folder: &'f Path,
    /// How many rows are sorted in memory.
    most: usize,
    held: Vec<SortedRow>,
    runs: Vec<File>,
}

impl<'f> RowSorter<'f> {
    /// Collects rows, of which at most `most` are in memory. The others are in files without a name in the folder.
    pub(super) fn new(folder: &'f Path, most: usize) -> Self {
        Self { folder, most, held: Vec::new(), runs: Vec::new() }
    }

    pub(super) fn push(&mut self, row: SortedRow) -> io::Result<()> {
        self.held.push(row);
        if self.held.len() < self.most {
            return Ok(());
        }
        self.held.sort_unstable();
        let mut run = BufWriter::new(tempfile::tempfile_in(self.folder)?);
        self.held.drain(..).try_for_each(|row| row.write(&mut run))?;
        let mut run = run.into_inner().map_err(io::IntoInnerError::into_error)?;
        run.rewind()?;
        self.runs.push(run);
        Ok(())
    }

    /// Returns the rows in their order.
    pub(super) fn finish(mut self) -> io::Result<SortedRows> {
        self.held.sort_unstable();
        let mut rows = SortedRows {
            held: self.held.into_iter(),
            runs: self.runs.into_iter().map(BufReader::new).collect(),
            next: BinaryHeap::new(),
        };
        for run in 0..=rows.runs.len() {
            rows.advance(run)?;
        }
        Ok(rows)
    }
}

/// Rows in their order.
pub(super) struct SortedRows {
    held: std::vec::IntoIter<SortedRow>,
    runs: Vec<BufReader<File>>,
    /// The next row of each run. The rows in memory are the last run.
    next: BinaryHeap<Reverse<NextRow>>,
}

/// The next row of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct NextRow {
    row: SortedRow,
    run: usize,
}

impl SortedRows {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let row = match self.runs.get_mut(run) {
            Some(run) => SortedRow::read(run)?,
            None => self.held.next(),
        };
        self.next.extend(row.map(|row| Reverse(NextRow { row, run })));
        Ok(())
    }

    /// Returns the next row of a file, or `None` after the last one.
    pub(super) fn next_of(&mut self, file: u32) -> io::Result<Option<SortedRow>> {
        match self.next.peek() {
            Some(Reverse(next)) if next.row.file == file => {}
            _ => return Ok(None),
        }
        let Some(Reverse(NextRow { row, run })) = self.next.pop() else { return Ok(None) };
        self.advance(run)?;
        Ok(Some(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_on_disk_are_those_that_were_written() {
        let term = |number| TermId::of_number(number).expect("it is a number of a term");
        let row = SortedRow {
            file: 7,
            numbers: [i64::MIN, -1, 0, i64::MAX],
            terms: [term(1), term(2), term(3), term(u32::MAX >> 4)],
        };
        let mut bytes = Vec::new();
        row.write(&mut bytes).expect("memory takes it");
        assert_eq!(bytes.len(), SIZE);
        let mut input = bytes.as_slice();
        assert_eq!(SortedRow::read(&mut input).expect("it is whole"), Some(row));
        assert_eq!(SortedRow::read(&mut input).expect("it is at its end"), None);
    }

    proptest::proptest! {
        #[test]
        fn rows_are_in_order_however_many_are_in_memory(
            rows in proptest::collection::vec((0u32..3, -2i64..3), 0..40),
            most in 1usize..9,
        ) {
            let folder = std::env::temp_dir();
            let term = TermId::of_number(1).expect("it is a number of a term");
            let made = |(file, number)| SortedRow { file, numbers: [number, 0, 0, 0], terms: [term; 4] };
            let mut expected: Vec<SortedRow> = rows.into_iter().map(made).collect();
            let mut sorter = RowSorter::new(&folder, most);
            expected.iter().for_each(|row| sorter.push(*row).expect("the folder takes it"));
            expected.sort_unstable();
            let mut sorted = sorter.finish().expect("the folder has it");
            let mut found = Vec::new();
            for file in 0..3 {
                while let Some(row) = sorted.next_of(file).expect("the folder has it") {
                    found.push(row);
                }
            }
            proptest::prop_assert_eq!(found, expected);
        }
    }
}
