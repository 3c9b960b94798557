//! Evaluations in a process that outlives them: a server, a notebook.
//!
//! Each evaluation has a thread of its own. An evaluation that is told to end does so within a moment, except in work
//! between two quads: a sort, a regular expression, a join without a shared variable. A thread that does not end in
//! time is given up: the caller gets the error at once, and the thread ends when it can. Only a limited number of
//! threads may be in that state; beyond it, no new evaluation begins.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::error::Error;
use super::loaded::Loaded;
use super::memory::{INTERVAL, ProcessMemory};
use crate::diagnostic::Diagnostic;
use crate::load::pool::STACK;
use crate::sparql::{Cancellation, GRACE};

/// Runs evaluations side by side under common limits. A process needs one; clones share their state.
///
/// ```
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
    timeout: Option<Duration>,
    max_memory: Option<u64>,
    max_given_up: usize,
    shared: Arc<Mutex<Shared>>,
}

impl Default for Evaluations {
    fn default() -> Self {
        Self::new()
    }
}

/// The state that the threads share.
#[derive(Debug, Default)]
struct Shared {
    /// The evaluations in the order in which they began.
    running: Vec<Running>,
    begun: u64,
    is_watched: bool,
}

/// An evaluation that has not ended.
struct Running {
    number: u64,
    cancellation: Cancellation,
    /// Wakes the waiting caller when the evaluation is told to end.
    wake: Box<dyn Fn() + Send>,
    is_given_up: Arc<AtomicBool>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("number", &self.number).finish_non_exhaustive()
    }
}

/// The messages to the waiting caller.
enum Message<R> {
    Done(R),
    Cancelled,
}

/// Takes an evaluation off the list when its thread ends in any way.
struct Entry {
    number: u64,
    shared: Arc<Mutex<Shared>>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        lock(&self.shared).running.retain(|running| running.number != self.number);
    }
}

impl Evaluations {
    /// Evaluations without a limit of time or memory; four threads may be given up.
    pub fn new() -> Self {
        Self { timeout: None, max_memory: None, max_given_up: 4, shared: Arc::default() }
    }

    /// Limits the time of one evaluation, its results included.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// Limits the memory of the process in bytes, without mapped files: above the limit the evaluation that began last
    /// is ended. Systems other than Linux do not report the memory; there the limit has no effect.
    #[must_use]
    pub fn max_memory(self, bytes: u64) -> Self {
        Self { max_memory: Some(bytes), ..self }
    }

    /// Limits how many threads may be given up before no new evaluation begins.
    #[must_use]
    pub fn max_given_up(self, count: usize) -> Self {
        Self { max_given_up: count, ..self }
    }

    /// Returns how many evaluations have not ended, also those that were given up.
    pub fn running(&self) -> usize {
        lock(&self.shared).running.len()
    }

    /// Returns how many evaluations were given up and have not ended.
    pub fn given_up(&self) -> usize {
        lock(&self.shared).given_up()
    }

    /// Does work on a thread of its own and waits for its result. The work gets a handle to the data whose queries can
    /// be ended. It should also read the results, since they are evaluated as they are read.
    ///
    /// # Errors
    ///
    /// Those of the work; `sparql::timeout` and `limit::memory` where a limit is exceeded; `limit::given-up` where the
    /// most threads that are allowed were given up and have not ended; `limit::panic` where the work panicked.
    pub fn run<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        loaded: &Loaded,
        work: impl FnOnce(&Loaded) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let cancellation = Cancellation::new();
        let loaded = loaded.cancelled_by(cancellation.clone());
        let (sender, receiver) = mpsc::channel();
        let waker = sender.clone();
        let is_given_up = Arc::new(AtomicBool::new(false));
        let wake = Box::new(move || {
            // A caller that has its answer has dropped the receiver.
            let _ = waker.send(Message::Cancelled);
        });
        let running =
            Running { number: 0, cancellation: cancellation.clone(), wake, is_given_up: is_given_up.clone() };
        let entry = self.begin(running).map_err(Error::from)?;
        let on_thread = move || {
            let entry = entry;
            let done = work(&loaded);
            // The list no longer has the evaluation when the caller gets the result.
            drop((loaded, entry));
            let _ = sender.send(Message::Done(done));
        };
        let spawned = thread::Builder::new().name("evaluation".to_owned()).stack_size(STACK).spawn(on_thread);
        if let Err(error) = spawned {
            let message = format!("no thread can be had for the evaluation: {error}");
            return Err(Error::from(Box::new(Diagnostic::error("limit::given-up", message))).into());
        }
        let waiting = Waiting { receiver, cancellation, is_given_up };
        waiting.wait(self.timeout)?
    }

    fn begin(&self, mut running: Running) -> Result<Entry, Box<Diagnostic>> {
        let mut shared = lock(&self.shared);
        let given_up = shared.given_up();
        if given_up > 0 && given_up >= self.max_given_up {
            let message =
                format!("{given_up} cancelled evaluations are still running, so no new one can begin");
            return Err(Box::new(
                Diagnostic::error("limit::given-up", message).with_help("ask again in a while"),
            ));
        }
        shared.begun += 1;
        running.number = shared.begun;
        shared.running.push(running);
        let number = shared.begun;
        if let Some(limit) = self.max_memory.filter(|_| !shared.is_watched)
            && let Some(mut memory) = ProcessMemory::open()
        {
            let watched = self.shared.clone();
            let watch = move || watch_memory(&watched, limit, move || memory.bytes());
            shared.is_watched = thread::Builder::new().spawn(watch).is_ok();
        }
        Ok(Entry { number, shared: self.shared.clone() })
    }
}

impl Shared {
    fn given_up(&self) -> usize {
        self.running.iter().filter(|running| running.is_given_up.load(Ordering::Relaxed)).count()
    }
}

/// The caller that waits for an evaluation.
struct Waiting<R> {
    receiver: Receiver<Message<R>>,
    cancellation: Cancellation,
    is_given_up: Arc<AtomicBool>,
}

impl<R> Waiting<R> {
    fn wait(self, timeout: Option<Duration>) -> Result<R, Error> {
        let first = match timeout {
            Some(timeout) => self.receiver.recv_timeout(timeout),
            None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match (first, timeout) {
            (Ok(Message::Done(done)), _) => return Ok(done),
            (Err(RecvTimeoutError::Disconnected), _) => return Err(panicked()),
            (Ok(Message::Cancelled), _) | (_, None) => {}
            (Err(RecvTimeoutError::Timeout), Some(timeout)) => self.cancellation.cancel(expired(timeout)),
        }
        let deadline = Instant::now() + GRACE;
        loop {
            match self.receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Message::Done(done)) => return Ok(done),
                Ok(Message::Cancelled) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(panicked()),
                Err(RecvTimeoutError::Timeout) => {
                    self.is_given_up.store(true, Ordering::Relaxed);
                    return Err(Box::new(self.cancellation.reason()).into());
                }
            }
        }
    }
}

/// Ends evaluations, the last one first, as long as the memory exceeds the limit. Returns when no evaluation runs.
fn watch_memory(shared: &Mutex<Shared>, limit: u64, mut bytes: impl FnMut() -> Option<u64>) {
    loop {
        let mut pause = INTERVAL;
        {
            let mut shared = lock(shared);
            if shared.running.is_empty() {
                shared.is_watched = false;
                return;
            }
            let is_too_much = bytes().is_some_and(|bytes| bytes > limit);
            let last = shared.running.iter().rev().find(|running| running.cancellation.check().is_ok());
            if let Some(last) = last.filter(|_| is_too_much) {
                last.cancellation.cancel(exceeded(limit));
                (last.wake)();
                // The evaluation gets time to free its memory before the next one has to end.
                pause = GRACE;
            }
        }
        thread::sleep(pause);
    }
}

fn expired(timeout: Duration) -> Diagnostic {
    let message = format!("the evaluation did not end within its time limit of {timeout:?}");
    Diagnostic::error("sparql::timeout", message).with_help("ask for less at once, or give it more time")
}

fn exceeded(limit: u64) -> Diagnostic {
    let message = format!(
        "the process has more memory than the limit of {} MiB, and this evaluation began last",
        limit.div_ceil(1 << 20)
    );
    Diagnostic::error("limit::memory", message).with_help("ask for less at once, or ask again in a while")
}

fn panicked() -> Error {
    Box::new(Diagnostic::error("limit::panic", "the evaluation met a fault of the program, and ended")).into()
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(number: u64) -> Running {
        Running {
            number,
            cancellation: Cancellation::new(),
            wake: Box::new(|| {}),
            is_given_up: Arc::default(),
        }
    }

    #[test]
    fn the_evaluation_that_began_last_is_ended_while_there_is_too_much_memory() {
        let shared =
            Arc::new(Mutex::new(Shared { running: (1..=3).map(running).collect(), ..Shared::default() }));
        let is_told = |shared: &Shared, at: usize| shared.running[at].cancellation.check().is_err();
        let seen = shared.clone();
        // Two have to end; then the memory is below the limit, and the first ends by itself.
        let mut looks = 0;
        let bytes = move || {
            looks += 1;
            Some(if looks <= 2 { 2_000 } else { 10 })
        };
        let watcher = thread::spawn(move || watch_memory(&seen, 1_000, bytes));
        while !is_told(&lock(&shared), 1) {
            thread::sleep(INTERVAL);
        }
        assert!(is_told(&lock(&shared), 2));
        thread::sleep(GRACE * 2);
        assert!(!is_told(&lock(&shared), 0));
        let reason = lock(&shared).running[2].cancellation.reason();
        assert_eq!(reason.code, "limit::memory");
        lock(&shared).running.clear();
        watcher.join().expect("it ends where nothing runs");
        assert!(!lock(&shared).is_watched);
    }
}
