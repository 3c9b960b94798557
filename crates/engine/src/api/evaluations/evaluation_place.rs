//! The place of an evaluation among those that run side by side, which it gives to others.

use std::thread::{self, ThreadId};
use std::time::Instant;

use super::pool::{EvaluationPool, RunningEvaluation};
use super::state::LONG_FOR_MEMORY;
use evalgraph_work::EvaluationTurns;

impl RunningEvaluation {
    /// The place of the evaluation among those that run.
    pub fn place(&self) -> EvaluationPlace {
        let thread = thread::current().id();
        EvaluationPlace { number: self.number, pool: self.pool.clone(), begun: Instant::now(), thread }
    }
}

/// The place of an evaluation among those that run side by side. An evaluation that waits for its client has none meanwhile.
pub struct EvaluationPlace {
    number: u64,
    pool: EvaluationPool,
    begun: Instant,
    /// The thread of the evaluation: others that work for it do not wait, since they work for other evaluations, too.
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
    /// Gives the place to another evaluation. Returns `false` where it has to be kept, because as many evaluations as may
    /// wait for their clients, and each of them has sent something only now.
    pub fn leave(&self) -> bool {
        self.pool.leave(self.number)
    }

    /// Waits for a free place. An evaluation that was cancelled does not wait.
    pub fn take(&self) {
        self.pool.take_place(self.number);
    }
}
