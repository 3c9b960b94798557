//! Evaluations in a process that outlives them, such as a server or a notebook.
//!
//! Each evaluation has its own thread. A cancelled evaluation ends within milliseconds. If its thread does not end in
//! time, for example because it waits for a service, it is abandoned: the caller gets the error at once, and the thread
//! ends when it can. Only a limited number of threads may be abandoned; at the limit, no new evaluation begins.

mod evaluation_place;
mod pool;
mod state;

use std::sync::mpsc;
use std::time::Duration;

use super::error::Error;
use super::loaded_data::LoadedData;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::CancellationToken;
pub use evaluation_place::EvaluationPlace;
pub use pool::RunningEvaluation;
use pool::{EvaluationPool, PendingEvaluation};
use state::EvaluationLimits;

/// Runs evaluations concurrently under common limits. A process needs only one; clones share their state.
///
/// ```
/// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
/// use evalgraph::sparql::QueryResults;
/// use evalgraph::{Error, Evaluations, Loader};
///
/// let loaded = Loader::new().load(["fixtures/karenina/p1-physics.jsonld"])?;
/// let evaluations = Evaluations::new().timeout(std::time::Duration::from_secs(10));
/// let is_there = evaluations.run(&loaded, |loaded| match loaded.query("ASK { ?q a s:Question }")? {
///     QueryResults::Boolean(answer) => Ok::<_, Error>(answer),
///     _ => unreachable!("it is an ASK"),
/// })?;
/// assert!(is_there);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Evaluations {
    limits: EvaluationLimits,
    pool: EvaluationPool,
}

impl Default for Evaluations {
    fn default() -> Self {
        Self::new()
    }
}

/// A message to the waiting caller.
enum EvaluationMessage<R> {
    Done(R),
    GivenUp(Diagnostic),
}

/// An evaluation that has begun or waits for a thread.
#[derive(Debug)]
pub struct EvaluationHandle {
    number: u64,
    pool: EvaluationPool,
    cancellation: CancellationToken,
}

impl EvaluationHandle {
    /// Cancels the evaluation. Has no effect if it has ended.
    pub fn cancel(&self, why: Diagnostic) {
        self.cancellation.cancel(why);
        self.pool.told(self.number);
    }
}

impl Evaluations {
    /// Creates evaluations without a limit of time, memory or number. Four threads may be abandoned.
    pub fn new() -> Self {
        let limits = EvaluationLimits {
            timeout: None,
            max_memory: None,
            max_given_up: 4,
            max_running: usize::MAX,
            max_waiting: usize::MAX,
            max_stalled: usize::MAX,
        };
        Self { limits, pool: EvaluationPool::default() }
    }

    /// Limits the time of one evaluation, including its results.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = Some(timeout);
        self
    }

    /// Limits the memory of the process in bytes, without mapped files. Above the limit, the most recent long
    /// evaluation is cancelled. Only Linux reports the memory; on other systems the limit has no effect.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.limits.max_memory = Some(bytes);
        self
    }

    /// Limits how many threads may be abandoned before no new evaluation begins.
    #[must_use]
    pub fn max_given_up(mut self, count: usize) -> Self {
        self.limits.max_given_up = count;
        self
    }

    /// Limits how many evaluations run concurrently, and how many more may wait. Waiting counts towards their time
    /// limit.
    #[must_use]
    pub fn max_running(mut self, running: usize, waiting: usize) -> Self {
        self.limits.max_running = running.max(1);
        self.limits.max_waiting = waiting;
        self
    }

    /// Limits how many more evaluations may wait, without a slot, for a client that does not read their results. Beyond
    /// the limit, the one that has waited longest is cancelled.
    #[must_use]
    pub fn max_stalled(mut self, count: usize) -> Self {
        self.limits.max_stalled = count;
        self
    }

    /// Returns how many evaluations wait for a client that does not read their results.
    pub fn stalled(&self) -> usize {
        self.pool.stalled()
    }

    /// Returns how many evaluations have not ended, including abandoned ones.
    pub fn running(&self) -> usize {
        self.pool.counts().0
    }

    /// Returns how many evaluations were abandoned and have not ended.
    pub fn given_up(&self) -> usize {
        self.pool.counts().1
    }

    /// Does work on its own thread and waits for its result. The work gets a handle to the data whose queries can be
    /// cancelled. It should also read the results, because they are evaluated as they are read.
    ///
    /// # Errors
    ///
    /// The errors of the work; `sparql::timeout` and `limit::memory` if a limit is exceeded; `limit::given-up` if the
    /// maximum number of abandoned threads is reached; `limit::busy` if the maximum number of evaluations run and wait;
    /// `limit::panic` if the work panicked.
    pub fn run<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        loaded: &LoadedData,
        work: impl FnOnce(&LoadedData) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let (sender, receiver) = mpsc::channel();
        let on_give_up = sender.clone();
        let loaded = loaded.clone();
        let work = move |cancellation: CancellationToken, running: RunningEvaluation| {
            let loaded = loaded.cancelled_by(cancellation);
            let done = work(&loaded);
            // Remove the evaluation from the list before the caller gets the result.
            drop((loaded, running));
            // The receiver is gone if the evaluation was abandoned.
            let _ = sender.send(EvaluationMessage::Done(done));
        };
        let given_up = move |why| {
            let _ = on_give_up.send(EvaluationMessage::GivenUp(why));
        };
        self.begin(work, given_up).map_err(Error::from)?;
        match receiver.recv() {
            Ok(EvaluationMessage::Done(done)) => done,
            Ok(EvaluationMessage::GivenUp(why)) => Err(Error::from(Box::new(why)).into()),
            Err(_) => Err(Error::from(Box::new(panicked())).into()),
        }
    }

    /// Starts work without waiting for it. Its cancellation says when it has to end. If it continues anyway, `given_up`
    /// is called with the reason.
    ///
    /// # Errors
    ///
    /// `limit::given-up` and `limit::busy`.
    pub fn begin(
        &self,
        work: impl FnOnce(CancellationToken, RunningEvaluation) + Send + 'static,
        given_up: impl FnOnce(Diagnostic) + Send + 'static,
    ) -> Result<EvaluationHandle, Box<Diagnostic>> {
        let cancellation = CancellationToken::new();
        let told = cancellation.clone();
        let task = PendingEvaluation {
            cancellation: cancellation.clone(),
            work: Box::new(move |running| work(told, running)),
            given_up: Box::new(given_up),
        };
        let number = self.pool.begin(self.limits, task)?;
        Ok(EvaluationHandle { number, pool: self.pool.clone(), cancellation })
    }
}

/// Returns the finding that an evaluation ended because of a fault of the program.
pub fn panicked() -> Diagnostic {
    Diagnostic::error("limit::panic", "the evaluation ended because of a fault in the program")
}
