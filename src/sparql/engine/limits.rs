//! How much an evaluation may hold, and when it looks whether it may go on.

use std::cell::Cell;

use crate::sparql::environment::{Cancellation, EvaluationError};

/// The most rows of a table; `spareval`, which holds one row at a time, evaluates what would have more.
const MOST_ROWS: usize = 1 << 25;

/// How much work is done between two looks at the cancellation.
const WORK: usize = 1 << 16;

/// The reason why there is no table.
#[derive(Debug)]
pub(super) enum Unfit {
    /// It would be too large.
    TooLarge,
    /// An expression that the plan has not foreseen.
    NotTaken,
    /// The evaluation has failed, or was told to end.
    Failed(EvaluationError),
}

impl From<EvaluationError> for Unfit {
    fn from(error: EvaluationError) -> Self {
        Self::Failed(error)
    }
}

/// Looks at the cancellation now and then.
pub(super) struct Ticks<'e> {
    cancellation: &'e Cancellation,
    left: Cell<usize>,
}

impl<'e> Ticks<'e> {
    pub(super) fn of(cancellation: &'e Cancellation) -> Self {
        Self { cancellation, left: Cell::new(0) }
    }

    /// Notes that so much work was done.
    #[inline]
    pub(super) fn tick(&self, work: usize) -> Result<(), Unfit> {
        match self.left.get().checked_sub(work) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => self.look(),
        }
    }

    #[cold]
    fn look(&self) -> Result<(), Unfit> {
        self.left.set(WORK);
        Ok(self.cancellation.check()?)
    }

    /// Fails where a table has become too large.
    #[inline]
    pub(super) fn grown(&self, rows: usize) -> Result<(), Unfit> {
        if rows > MOST_ROWS { Err(Unfit::TooLarge) } else { Ok(()) }
    }
}
