//! The threads of evaluations, and the thread that watches them.
//!
//! A thread that has done its work waits a while for more. The watch cancels evaluations whose time is over. If the
//! memory exceeds its limit, it cancels the last long evaluation. It abandons cancelled evaluations that have not
//! ended.
//!
//! Half of the slots are for long evaluations. A long query in the other half gives its slot to an evaluation that has
//! not begun, and waits for its turn to continue. So short evaluations never wait for long.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::state::{
    EvaluationLimits, EvaluationStage, GiveUpCallback, GivenUpOne, IDLE, PoolState, PooledEvaluation,
};
use crate::api::memory::ProcessMemory;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::CancellationToken;
use evalgraph_work::pool::STACK;

/// How soon the watch tries again to begin evaluations that have a slot but no thread.
const AGAIN: Duration = Duration::from_millis(50);

/// The work of an evaluation. It drops its argument when it is done.
type EvaluationWork = Box<dyn FnOnce(RunningEvaluation) + Send>;

type EvaluationPoolState = PoolState<EvaluationWork>;

/// An evaluation that is about to begin.
pub(super) struct PendingEvaluation {
    pub(super) cancellation: CancellationToken,
    pub(super) work: EvaluationWork,
    pub(super) given_up: GiveUpCallback,
}

/// The threads and their work. Clones share it.
#[derive(Clone, Default)]
pub(super) struct EvaluationPool(Arc<PoolMonitor>);

#[derive(Default)]
struct PoolMonitor {
    state: Mutex<EvaluationPoolState>,
    /// Wakes a thread that waits for work.
    work: Condvar,
    /// Wakes an evaluation that waits for a slot in order to continue.
    places: Condvar,
    /// Wakes the watch.
    watch: Condvar,
}

/// A guard that the work of an evaluation owns. Dropping it removes the evaluation from the list, however the work
/// ends.
pub struct RunningEvaluation {
    pub(super) number: u64,
    pub(super) pool: EvaluationPool,
}

impl Drop for RunningEvaluation {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.evaluations.retain(|evaluation| evaluation.number != self.number);
        state.wake_paused();
        drop(state);
        self.pool.0.places.notify_all();
    }
}

impl fmt::Debug for EvaluationPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        let mut debug = f.debug_struct("Pool");
        debug.field("evaluations", &state.evaluations.len()).field("idle", &state.idle);
        debug.finish_non_exhaustive()
    }
}

impl EvaluationPool {
    /// Begins an evaluation, now or as soon as a thread is free, and returns its number.
    ///
    /// # Errors
    ///
    /// `limit::given-up` and `limit::busy`.
    pub(super) fn begin(
        &self,
        limits: EvaluationLimits,
        task: PendingEvaluation,
    ) -> Result<u64, Box<Diagnostic>> {
        let mut state = self.lock();
        state.check(limits)?;
        state.begun += 1;
        let (number, now) = (state.begun, Instant::now());
        let deadline = limits.timeout.and_then(|timeout| Some((now.checked_add(timeout)?, timeout)));
        (state.max_running, state.max_stalled) = (limits.max_running, limits.max_stalled);
        // Waiting evaluations come first.
        let is_free = state.taken() < limits.max_running && !state.has_waiting();
        let PendingEvaluation { cancellation, work, given_up } = task;
        let stage = if is_free { EvaluationStage::Running } else { EvaluationStage::Waiting };
        let given_up = Some(given_up);
        // An idle thread may already be about to take other work.
        let needs_thread = is_free && state.waiting.len() >= state.idle;
        let (began, thread, told) = (None, None, None);
        let evaluation =
            PooledEvaluation { number, stage, began, thread, cancellation, deadline, told, given_up };
        state.evaluations.push(evaluation);
        state.waiting.push_back((number, work));
        let ended = match needs_thread {
            true => self.more_threads(&mut state, number)?,
            false => None,
        };
        self.see_to_watch(&mut state, limits, deadline.map(|(at, _)| at));
        // Unlock first, so that the woken thread does not block.
        drop(state);
        if !needs_thread {
            self.0.work.notify_one();
        }
        self.tell(ended);
        Ok(number)
    }

    /// Begins a thread for an evaluation that may run. If the system refuses a thread, an evaluation that waits for its
    /// client is cancelled to free its thread; if there is none, the evaluation waits for the next free thread.
    ///
    /// # Errors
    ///
    /// `limit::given-up` if there is no thread at all. The evaluation is then removed from the list.
    fn more_threads(
        &self,
        state: &mut EvaluationPoolState,
        number: u64,
    ) -> Result<Option<GivenUpOne>, Box<Diagnostic>> {
        let Err(error) = self.spawn(state) else { return Ok(None) };
        if state.threads == 0 {
            state.evaluations.retain(|evaluation| evaluation.number != number);
            state.waiting.retain(|(waiting, _)| *waiting != number);
            let message = format!("cannot start a thread for the evaluation: {error}");
            return Err(Box::new(Diagnostic::error("limit::given-up", message)));
        }
        if let Some(evaluation) = state.evaluation(number) {
            evaluation.stage = EvaluationStage::Waiting;
        }
        state.next_look = None;
        Ok(state.end_stalled(Instant::now()))
    }

    /// Lets the evaluation wait for its client without a slot. Returns `false` if it has to keep its slot.
    pub(super) fn leave(&self, number: u64) -> bool {
        let now = Instant::now();
        let mut state = self.lock();
        let stalled = state.stalled();
        let ended = if stalled < state.max_stalled { None } else { state.end_stalled(now) };
        if stalled >= state.max_stalled && ended.is_none() {
            return false;
        }
        let evaluation = state.evaluations.iter_mut().find(|evaluation| evaluation.number == number);
        let Some(evaluation) = evaluation.filter(|evaluation| evaluation.stage == EvaluationStage::Running)
        else {
            return false;
        };
        evaluation.stage = EvaluationStage::Stalled(now);
        let further = self.begin_waiting(&mut state, now);
        state.wake_paused();
        drop(state);
        self.0.places.notify_all();
        self.tell(ended);
        self.tell(further);
        true
    }

    /// Waits until an evaluation that continues has a slot.
    pub(super) fn take_place(&self, number: u64) {
        let mut state = self.lock();
        loop {
            let running = state.running();
            let max_running = state.max_running;
            let evaluation = state.evaluations.iter_mut().find(|evaluation| evaluation.number == number);
            let Some(evaluation) = evaluation.filter(|evaluation| evaluation.stage.is_stalled()) else {
                return;
            };
            if running < max_running || evaluation.cancellation.check().is_err() {
                evaluation.stage = EvaluationStage::Running;
                return;
            }
            evaluation.stage = EvaluationStage::Returning;
            state = self.0.places.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Pauses a long evaluation in favour of one that has not begun, until its turn comes.
    pub(super) fn pause(&self, number: u64) {
        let now = Instant::now();
        let mut state = self.lock();
        if !state.has_waiting() || state.long(now) <= state.places_of_long() {
            return;
        }
        let long = state.time_of_long();
        let is_meant =
            |it: &&mut PooledEvaluation| it.stage == EvaluationStage::Running && it.has_run(now, long);
        let Some(evaluation) = state.evaluation(number).filter(is_meant) else { return };
        (evaluation.stage, evaluation.thread) = (EvaluationStage::Paused, Some(thread::current()));
        let ended = self.begin_waiting(&mut state, now);
        drop(state);
        self.tell(ended);
        loop {
            let mut state = self.lock();
            if state.may_go_on(number) {
                if let Some(evaluation) =
                    state.evaluation(number).filter(|it| it.stage == EvaluationStage::Paused)
                {
                    (evaluation.stage, evaluation.thread) = (EvaluationStage::Running, None);
                }
                // There may be a slot for another one.
                state.wake_paused();
                return;
            }
            drop(state);
            // A wake-up before this call ends it at once, and it may end without one, so the turn is checked again.
            thread::park();
        }
    }

    /// Notifies an evaluation that it is abandoned. The caller must have released the lock.
    fn tell(&self, ended: Option<GivenUpOne>) {
        if let Some((tell, why)) = ended {
            tell(why);
            self.0.places.notify_all();
            self.0.watch.notify_one();
        }
    }

    /// Makes the watch react at once to a cancelled evaluation.
    pub(super) fn told(&self, number: u64) {
        let mut state = self.lock();
        if state.evaluations.iter().any(|evaluation| evaluation.number == number) {
            state.next_look = None;
            self.0.watch.notify_one();
        }
    }

    /// Returns how many evaluations have not ended, and how many of them were abandoned.
    pub(super) fn counts(&self) -> (usize, usize) {
        let state = self.lock();
        (state.evaluations.len(), state.given_up())
    }

    /// Returns how many evaluations wait for their clients.
    pub(super) fn stalled(&self) -> usize {
        self.lock().stalled()
    }

    /// Begins a thread, which takes waiting work.
    fn spawn(&self, state: &mut EvaluationPoolState) -> std::io::Result<()> {
        let most = [state.max_stalled, state.given_up(), state.paused()]
            .into_iter()
            .fold(state.max_running, usize::saturating_add);
        if state.threads >= most {
            return Err(std::io::Error::other("the maximum number of threads is running"));
        }
        let pool = self.clone();
        let thread = thread::Builder::new().name("evaluation".to_owned()).stack_size(STACK);
        thread.spawn(move || pool.work())?;
        state.threads += 1;
        Ok(())
    }

    /// Works until no work is left.
    fn work(&self) {
        while let Some((number, work)) = self.next() {
            let running = RunningEvaluation { number, pool: self.clone() };
            // The panic hook has reported the reason, and the caller notices because its channel closes.
            let _ = catch_unwind(AssertUnwindSafe(|| work(running)));
        }
    }

    fn next(&self) -> Option<(u64, EvaluationWork)> {
        let mut state = self.lock();
        loop {
            if let Some(next) = state.take_waiting() {
                // More evaluations may be waiting for slots that became free at the same time.
                let ended = match state.has_place_for_waiting() {
                    true => self.begin_waiting(&mut state, Instant::now()),
                    false => None,
                };
                state.wake_paused();
                drop(state);
                self.tell(ended);
                return Some(next);
            }
            state.idle += 1;
            let waited = self.0.work.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            state.idle -= 1;
            if waited.1.timed_out() && state.waiting.is_empty() {
                state.threads -= 1;
                return None;
            }
        }
    }

    fn see_to_watch(
        &self,
        state: &mut EvaluationPoolState,
        limits: EvaluationLimits,
        deadline: Option<Instant>,
    ) {
        if state.is_watched {
            let is_sooner = |look: Instant| deadline.is_some_and(|deadline| deadline < look);
            if state.next_look.is_some_and(is_sooner) || limits.max_memory.is_some() {
                state.next_look = None;
                self.0.watch.notify_one();
            }
            return;
        }
        let pool = self.clone();
        let memory = limits.max_memory.zip(ProcessMemory::open());
        let watch = move || pool.watch(memory);
        state.is_watched = thread::Builder::new().name("watch".to_owned()).spawn(watch).is_ok();
    }

    /// Watches evaluations until there have been none for a while.
    fn watch(&self, mut memory: Option<(u64, ProcessMemory)>) {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            let limit = memory.as_ref().map(|(limit, _)| *limit);
            let used = match (&mut memory, state.evaluations.is_empty()) {
                (Some((_, memory)), false) => memory.bytes(),
                _ => None,
            };
            let (mut look, mut given_up) = state.look(now, limit.zip(used));
            if state.has_place_for_waiting() {
                given_up.extend(self.begin_waiting(&mut state, now));
                look = look.min(now + AGAIN);
            }
            state.wake_paused();
            state.next_look = Some(look);
            if !given_up.is_empty() {
                drop(state);
                self.0.places.notify_all();
                given_up.into_iter().for_each(|(tell, why)| tell(why));
                state = self.lock();
                // A look may have been requested while the lock was released.
                if state.next_look.is_none() {
                    continue;
                }
            }
            let pause = look.saturating_duration_since(Instant::now());
            state = self.0.watch.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
            if state.evaluations.is_empty() && Instant::now() >= look {
                state.is_watched = false;
                return;
            }
        }
    }

    /// Begins waiting evaluations in free slots that have no thread. If the system refuses another thread, an
    /// evaluation that waits for its client is cancelled to free its thread.
    fn begin_waiting(&self, state: &mut EvaluationPoolState, now: Instant) -> Option<GivenUpOne> {
        if state.idle > 0 {
            self.0.work.notify_all();
            return None;
        }
        let places = state.max_running.saturating_sub(state.taken());
        for _ in 0..places.min(state.waiting.len()) {
            if self.spawn(state).is_err() {
                // The watch tries again soon.
                state.next_look = None;
                return state.end_stalled(now);
            }
        }
        None
    }

    fn lock(&self) -> MutexGuard<'_, EvaluationPoolState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;
    use evalgraph_work::EvaluationTurns;

    #[test]
    fn what_takes_long_gives_a_place_to_what_has_not_begun_and_goes_on() {
        let pool = EvaluationPool::default();
        let limits = EvaluationLimits {
            timeout: None,
            max_memory: None,
            max_given_up: 4,
            max_running: 2,
            max_waiting: 8,
            max_stalled: 2,
        };
        let begin = |work: EvaluationWork| {
            let task = PendingEvaluation {
                cancellation: CancellationToken::new(),
                work,
                given_up: Box::new(|_| {}),
            };
            pool.begin(limits, task).expect("there is room")
        };
        let is_over = Arc::new(AtomicBool::new(false));
        let looks: [Arc<AtomicUsize>; 3] = std::array::from_fn(|_| Arc::default());
        let (sender, ended) = mpsc::channel();
        for own in &looks {
            let (own, is_over, sender) = (own.clone(), is_over.clone(), sender.clone());
            begin(Box::new(move |running| {
                let place = running.place();
                while !is_over.load(Ordering::Acquire) {
                    place.look();
                    own.fetch_add(1, Ordering::Relaxed);
                }
                drop(running);
                let _ = sender.send("long");
            }));
        }
        // Three of them share two slots with evaluations that come later.
        for _ in 0..10 {
            let sender = sender.clone();
            begin(Box::new(move |running| {
                drop(running);
                let _ = sender.send("short");
            }));
            let first = ended.recv_timeout(Duration::from_secs(60));
            assert_eq!(first, Ok("short"));
        }
        // Nothing else waits, so two slots are free for them again.
        let seen = || looks.iter().map(|own| own.load(Ordering::Relaxed)).collect::<Vec<_>>();
        let before = seen();
        let going_on = || seen().iter().zip(&before).filter(|(now, before)| now > before).count();
        let end = Instant::now() + Duration::from_secs(60);
        while going_on() < 2 {
            assert!(Instant::now() < end, "those that were paused do not go on");
            thread::yield_now();
        }
        is_over.store(true, Ordering::Release);
        for _ in 0..3 {
            assert_eq!(ended.recv_timeout(Duration::from_secs(60)), Ok("long"));
        }
        assert_eq!(pool.counts(), (0, 0));
    }
}
