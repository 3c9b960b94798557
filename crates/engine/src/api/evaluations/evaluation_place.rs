//! The slot in which an evaluation runs. A stalled evaluation leaves it to another.

use std::thread::{self, ThreadId};
use std::time::Instant;

use super::pool::{EvaluationPool, RunningEvaluation};
use super::state::LONG_FOR_MEMORY;
use evalgraph_work::EvaluationTurns;

impl RunningEvaluation {
    /// Returns the slot of the evaluation.
    pub fn place(&self) -> EvaluationPlace {
        let thread = thread::current().id();
        EvaluationPlace { number: self.number, pool: self.pool.clone(), begun: Instant::now(), thread }
    }
}

/// The slot in which an evaluation runs. An evaluation that waits for its client has no slot.
pub struct EvaluationPlace {
    number: u64,
    pool: EvaluationPool,
    begun: Instant,
    /// The thread of the evaluation. Threads that help it never pause, because they also work for other evaluations.
    thread: ThreadId,
}

impl EvaluationTurns for EvaluationPlace {
    fn look(&self) {
        if self.begun.elapsed() >= LONG_FOR_MEMORY && thread::current().id() == self.thread {
            self.pool.pause(self.number);
        }
    }
}

impl EvaluationPlace {
    /// Leaves the slot to another evaluation. Returns `false` if the evaluation has to keep it: the maximum number of
    /// evaluations already wait for their clients, and each of them has sent something only recently.
    pub fn leave(&self) -> bool {
        self.pool.leave(self.number)
    }

    /// Waits for a free slot. A cancelled evaluation does not wait.
    pub fn take(&self) {
        self.pool.take_place(self.number);
    }
}
