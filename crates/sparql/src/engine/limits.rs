//! Limits the size of tables, and checks regularly whether the evaluation may continue.

use std::cell::Cell;
use std::cmp::Ordering;

use crate::environment::EvaluationError;
use evalgraph_diagnostics::{Diagnostic, thousands};
use evalgraph_work::CancellationToken;

/// The most rows of a table.
pub(super) const MOST_ROWS: usize = 1 << 25;

/// How much work, in numbers that are read, is done between two checks of the cancellation.
const WORK: usize = 1 << 14;

/// The rows of a block. A loop reports its work after each block.
pub(super) const BLOCK: usize = 1 << 10;

/// The reason why there is no table.
#[derive(Debug)]
pub(super) enum SolutionTableError {
    /// A step, once it is known, would have more rows than [`MOST_ROWS`].
    TooLarge(Option<String>),
    /// An expression that the plan has not foreseen.
    Unforeseen,
    /// The evaluation has failed or was cancelled.
    Failed(EvaluationError),
}

impl SolutionTableError {
    /// The same error with the label of the step in which it happened.
    pub(super) fn in_step(self, label: impl FnOnce() -> String) -> Self {
        match self {
            Self::TooLarge(None) => Self::TooLarge(Some(label())),
            other => other,
        }
    }

    pub(super) fn into_error(self) -> EvaluationError {
        match self {
            Self::Failed(error) => error,
            Self::TooLarge(step) => {
                let most = thousands(MOST_ROWS as u64);
                let step = step
                    .map_or_else(|| "a step of the query".to_owned(), |step| format!("the step `{step}`"));
                let message = format!("{step} has more than {most} solutions, which is the limit");
                let help = "tie the patterns of the query to each other, or ask for less at once";
                Box::new(Diagnostic::error("limit::rows", message).with_help(help))
            }
            Self::Unforeseen => {
                let message = "an expression cannot be evaluated in this place";
                Box::new(Diagnostic::error("sparql::evaluation", message))
            }
        }
    }
}

impl From<EvaluationError> for SolutionTableError {
    fn from(error: EvaluationError) -> Self {
        Self::Failed(error)
    }
}

/// Checks the cancellation at regular intervals. Other methods are in `cores.rs`.
pub(super) struct CancellationTicker<'e> {
    pub(super) cancellation: &'e CancellationToken,
    left: Cell<usize>,
    /// The most rows of a joined table.
    pub(super) most: Cell<usize>,
}

impl<'e> CancellationTicker<'e> {
    pub(super) fn new(cancellation: &'e CancellationToken) -> Self {
        Self { cancellation, left: Cell::new(0), most: Cell::new(MOST_ROWS) }
    }

    /// Reports that this much work was done.
    #[inline]
    pub(super) fn tick(&self, work: usize) -> Result<(), SolutionTableError> {
        match self.left.get().checked_sub(work) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => self.look(),
        }
    }

    /// Computes the values of `rows` rows, each of which costs `cost`.
    pub(super) fn collect<T>(
        &self,
        rows: usize,
        cost: usize,
        value: impl Fn(usize) -> T,
    ) -> Result<Vec<T>, SolutionTableError> {
        let mut values = Vec::with_capacity(rows);
        let length = (BLOCK * 4 / cost.max(4)).max(1);
        for begin in (0..rows).step_by(length) {
            let block = begin..rows.min(begin + length);
            self.tick(block.len() * cost)?;
            values.extend(block.map(&value));
        }
        Ok(values)
    }

    /// The numbers from 0 up to `rows`.
    #[expect(clippy::cast_possible_truncation, reason = "there are as many rows in 32 bits")]
    pub(super) fn rows(&self, rows: u32) -> Result<Vec<u32>, SolutionTableError> {
        self.collect(rows as usize, 1, |row| row as u32)
    }

    /// Sorts items stably. A comparison costs `cost`.
    pub(super) fn sort<T: Copy + Send>(
        &self,
        items: &mut [T],
        cost: usize,
        compare: impl Fn(&T, &T) -> Ordering + Sync,
    ) -> Result<(), SolutionTableError> {
        let sort = |items: &mut [T], ticks: &CancellationTicker<'_>| {
            for block in items.chunks_mut(BLOCK) {
                ticks.tick(block.len() * 10 * cost)?;
                block.sort_by(&compare);
            }
            ticks.merge_all(items, BLOCK, cost, &compare)
        };
        let sorted = self.on_cores(items, cost.saturating_mul(20), sort)?;
        self.merge_all(items, sorted, cost, &compare)
    }

    /// Merges sorted runs of `width` items until one is left.
    fn merge_all<T: Copy>(
        &self,
        items: &mut [T],
        mut width: usize,
        cost: usize,
        compare: &impl Fn(&T, &T) -> Ordering,
    ) -> Result<(), SolutionTableError> {
        let mut merged = Vec::new();
        while width < items.len() {
            merged.reserve(items.len());
            for pair in items.chunks(width * 2) {
                let sides = pair.split_at(width.min(pair.len()));
                self.merge(sides.into(), cost, compare, &mut merged)?;
            }
            items.copy_from_slice(&merged);
            merged.clear();
            width *= 2;
        }
        Ok(())
    }

    /// Adds the items of two sorted lists, those of the left one before equal ones of the right.
    fn merge<T: Copy>(
        &self,
        sides: [&[T]; 2],
        cost: usize,
        compare: &impl Fn(&T, &T) -> Ordering,
        merged: &mut Vec<T>,
    ) -> Result<(), SolutionTableError> {
        let [mut left, mut right] = sides;
        while let ([one, ..], [other, ..]) = (left, right) {
            self.tick(cost)?;
            let from = if compare(one, other).is_le() { &mut left } else { &mut right };
            merged.push(from[0]);
            *from = &from[1..];
        }
        merged.extend_from_slice(left);
        merged.extend_from_slice(right);
        Ok(())
    }

    #[cold]
    fn look(&self) -> Result<(), SolutionTableError> {
        self.left.set(WORK);
        Ok(self.cancellation.check_in_turn()?)
    }

    /// Fails if a joined table has become too large.
    #[inline]
    pub(super) fn grown(&self, rows: usize) -> Result<(), SolutionTableError> {
        if rows > self.most.get() { Err(SolutionTableError::TooLarge(None)) } else { Ok(()) }
    }
}
