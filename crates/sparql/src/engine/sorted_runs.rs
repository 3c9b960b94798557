//! ORDER BY of more rows than fit in memory: sorted runs go to a temporary file, and are merged as they are read.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use super::limits::SolutionTableError;
use super::plan_evaluator::PlanEvaluator;
use super::solution_table::{BindingNumber, SolutionColumn, SolutionTable, VariableNumber, VariableSet};
use crate::expression::TermValue;
use crate::expression::value_order::compare;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::TermId;

/// The approximate number of rows of a run. In debug builds runs are short, so that tests cover their boundaries.
pub(super) const RUN: usize = if cfg!(debug_assertions) { 1 << 10 } else { 1 << 21 };

/// How many bytes of a run are read at once.
const BUFFER: usize = 64 << 10;

/// Rows in sorted runs.
pub(super) struct SortedSolutionRuns {
    columns: Vec<VariableNumber>,
    /// The places of the keys among the columns, and whether they descend.
    keys: Rc<[(usize, bool)]>,
    file: Option<File>,
    runs: Vec<SolutionRun>,
    /// The first remaining row of each run.
    heads: BinaryHeap<Reverse<SolutionRunHead>>,
    is_read: bool,
}

/// A part of the file.
struct SolutionRun {
    /// Where the unread bytes begin.
    start: u64,
    end: u64,
    buffer: Vec<u8>,
    /// How many bytes of the buffer were taken.
    taken: usize,
}

/// The first row of a run.
struct SolutionRunHead {
    values: Vec<Option<TermValue>>,
    row: Vec<BindingNumber>,
    run: usize,
    keys: Rc<[(usize, bool)]>,
}

impl SortedSolutionRuns {
    /// Creates an empty set of runs with these columns, in the order of the keys.
    pub(super) fn new(columns: VariableSet, keys: &[(VariableNumber, bool)]) -> Self {
        let columns: Vec<VariableNumber> = columns.iter().collect();
        let place = |(var, descends): &(VariableNumber, bool)| {
            columns.iter().position(|column| column == var).map(|place| (place, *descends))
        };
        let keys = keys.iter().filter_map(place).collect();
        Self { columns, keys, file: None, runs: Vec::new(), heads: BinaryHeap::new(), is_read: false }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds a table whose rows are in order.
    pub(super) fn add(
        &mut self,
        table: &SolutionTable,
        engine: &PlanEvaluator<'_, '_>,
    ) -> Result<(), SolutionTableError> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile().map_err(|error| fault(&error))?),
        };
        let start = file.seek(SeekFrom::End(0)).map_err(|error| fault(&error))?;
        let mut out = BufWriter::with_capacity(BUFFER, &mut *file);
        let columns: Vec<Option<&[BindingNumber]>> =
            self.columns.iter().map(|var| table.numbers(*var)).collect();
        for row in 0..table.rows {
            engine.ticks.tick(columns.len())?;
            for column in &columns {
                let number = column.map_or(0, |numbers| numbers[row]);
                out.write_all(&number.to_ne_bytes()).map_err(|error| fault(&error))?;
            }
        }
        out.flush().map_err(|error| fault(&error))?;
        drop(out);
        let end = file.stream_position().map_err(|error| fault(&error))?;
        self.runs.push(SolutionRun { start, end, buffer: Vec::new(), taken: 0 });
        Ok(())
    }

    /// The next rows, at most `most`, with the wanted columns. `None` after the last row.
    pub(super) fn next(
        &mut self,
        most: usize,
        wanted: VariableSet,
        engine: &PlanEvaluator<'_, '_>,
    ) -> Result<Option<SolutionTable>, SolutionTableError> {
        let Self { columns, keys, file: Some(file), runs, heads, is_read } = self else { return Ok(None) };
        if !std::mem::replace(is_read, true) {
            for (at, run) in runs.iter_mut().enumerate() {
                let row = vec![0; columns.len()];
                let mut head =
                    SolutionRunHead { values: vec![None; keys.len()], row, run: at, keys: Rc::clone(keys) };
                if head.advance(run, file, engine)? {
                    heads.push(Reverse(head));
                }
            }
        }
        let mut numbers: Vec<Vec<BindingNumber>> = vec![Vec::new(); columns.len()];
        let mut rows = 0;
        while rows < most
            && let Some(mut first) = heads.peek_mut()
        {
            engine.ticks.tick(columns.len() * 8)?;
            let Reverse(head) = &mut *first;
            numbers.iter_mut().zip(&head.row).for_each(|(column, number)| column.push(*number));
            rows += 1;
            if !head.advance(&mut runs[head.run], file, engine)? {
                PeekMut::pop(first);
            }
        }
        let mut table = SolutionTable { rows, ..SolutionTable::default() };
        for (var, numbers) in columns.iter().zip(numbers) {
            if wanted.has(*var) {
                table.columns.push((*var, SolutionColumn::from_numbers(numbers)));
            }
        }
        Ok((rows > 0).then_some(table))
    }
}

impl SolutionRunHead {
    /// Moves to the next row of the run, if there is one. Repeated values are not decoded again.
    fn advance(
        &mut self,
        run: &mut SolutionRun,
        file: &mut File,
        engine: &PlanEvaluator<'_, '_>,
    ) -> Result<bool, SolutionTableError> {
        let Self { values, row, keys, .. } = self;
        let Some(next) = run.next_row(file, row.len()).map_err(|error| fault(&error))? else {
            return Ok(false);
        };
        for (value, (place, _)) in values.iter_mut().zip(keys.iter()) {
            let number = number_at(next, *place);
            if number != row[*place] {
                *value = TermId::of_number(number).map(|id| TermValue::stored(engine.view, id));
            }
        }
        row.iter_mut().enumerate().for_each(|(place, own)| *own = number_at(next, place));
        Ok(true)
    }
}

fn number_at(row: &[u8], place: usize) -> BindingNumber {
    let bytes = row.as_chunks().0.get(place).copied().unwrap_or_default();
    BindingNumber::from_ne_bytes(bytes)
}

impl SolutionRun {
    /// The bytes of the next row.
    fn next_row(&mut self, file: &mut File, columns: usize) -> io::Result<Option<&[u8]>> {
        let bytes = columns * size_of::<BindingNumber>();
        if self.buffer.len() - self.taken < bytes {
            // A row may begin in one piece of the run and end in the next.
            self.buffer.drain(..self.taken);
            self.taken = 0;
            let room = u64::try_from(BUFFER.max(bytes)).unwrap_or(u64::MAX);
            let length = usize::try_from((self.end - self.start).min(room)).unwrap_or(BUFFER);
            let before = self.buffer.len();
            self.buffer.resize(before + length, 0);
            file.seek(SeekFrom::Start(self.start))?;
            file.read_exact(&mut self.buffer[before..])?;
            self.start += length as u64;
        }
        let begin = self.taken;
        let row = self.buffer.get(begin..begin + bytes).filter(|_| bytes > 0);
        self.taken += row.map_or(0, <[u8]>::len);
        Ok(row)
    }
}

impl Ord for SolutionRunHead {
    fn cmp(&self, other: &Self) -> Ordering {
        let each = self.values.iter().zip(&other.values).zip(self.keys.iter());
        let by_keys = each.map(|((left, right), (_, descends))| {
            let order = match (left, right) {
                (Some(left), Some(right)) => compare(left, right),
                (left, right) => left.is_some().cmp(&right.is_some()),
            };
            if *descends { order.reverse() } else { order }
        });
        // Equal rows keep their order.
        by_keys.fold(Ordering::Equal, Ordering::then).then(self.run.cmp(&other.run))
    }
}

impl PartialOrd for SolutionRunHead {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SolutionRunHead {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SolutionRunHead {}

fn fault(error: &io::Error) -> SolutionTableError {
    let message = format!("the rows of ORDER BY cannot be kept in a temporary file: {error}");
    let help = "make room, or name another folder with the environment variable TMPDIR";
    SolutionTableError::Failed(Box::new(Diagnostic::error("sparql::temporary-file", message).with_help(help)))
}
