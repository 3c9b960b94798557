//! The threads of evaluations, and the one that watches them.
//!
//! A thread that has done its work waits a while for more. The watch tells evaluations to end whose time is over, or
//! the youngest where the memory exceeds its limit, and gives up those that were told and have not ended.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::api::memory::{INTERVAL, ProcessMemory};
use crate::diagnostic::Diagnostic;
use crate::load::pool::STACK;
use crate::sparql::{Cancellation, GRACE};

/// How long a thread without work, and the watch, stay.
const IDLE: Duration = Duration::from_secs(10);

/// An evaluation whose result was not taken for this long may have to end for another one; sooner where more of them wait.
const STALL: Duration = Duration::from_millis(500);
/// How soon the watch tries again to begin what has a place and no thread.
const AGAIN: Duration = Duration::from_millis(50);

/// The limits of all evaluations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) timeout: Option<Duration>,
    pub(super) max_memory: Option<u64>,
    pub(super) max_given_up: usize,
    /// How many evaluations run side by side.
    pub(super) max_running: usize,
    /// How many more may wait for a thread.
    pub(super) max_waiting: usize,
    /// How many more may wait for their results to be taken.
    pub(super) max_stalled: usize,
}

/// The work of an evaluation, which drops what it is handed when it is done.
type Work = Box<dyn FnOnce(Running) + Send>;

/// The work of an evaluation by its number.
type Numbered = (u64, Work);

/// Told that an evaluation is given up, and the reason why it had to end.
type Tell = Box<dyn FnOnce(Diagnostic) + Send>;

/// An evaluation that is to begin.
pub(super) struct Task {
    pub(super) cancellation: Cancellation,
    pub(super) work: Work,
    pub(super) given_up: Tell,
}

/// The threads with their work. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Wakes a thread that waits for work.
    work: Condvar,
    /// Wakes an evaluation that waits for a place to go on.
    places: Condvar,
    /// Wakes the watch.
    watch: Condvar,
}

#[derive(Default)]
struct State {
    /// The evaluations that have not ended, in the order in which they began.
    evaluations: Vec<Evaluation>,
    waiting: VecDeque<Numbered>,
    /// How many threads wait for work.
    idle: usize,
    begun: u64,
    /// How many threads there are.
    threads: usize,
    max_running: usize,
    max_stalled: usize,
    is_watched: bool,
    /// When the watch looks again; none where it looks at once.
    next_look: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Running,
    /// Waits since then for its result to be taken, and has no place meanwhile.
    #[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "only clients of a server take nothing"))]
    Stalled(Instant),
    /// Waits for a place to go on.
    Returning,
    GivenUp,
}

impl Stage {
    /// Returns whether the evaluation has no place because its client takes nothing.
    fn is_stalled(self) -> bool {
        matches!(self, Self::Stalled(_) | Self::Returning)
    }
}

struct Evaluation {
    number: u64,
    stage: Stage,
    cancellation: Cancellation,
    /// The time when it has to end, and how long that is in all.
    deadline: Option<(Instant, Duration)>,
    /// When the watch saw that the evaluation was told to end.
    told: Option<Instant>,
    /// None once it was called.
    given_up: Option<Tell>,
}

/// Held by the work of an evaluation: it leaves the list when this is dropped, in whatever way it ends.
pub(crate) struct Running {
    number: u64,
    pool: Pool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.pool.lock().evaluations.retain(|evaluation| evaluation.number != self.number);
        self.pool.0.places.notify_all();
    }
}

impl Running {
    /// The place of the evaluation among those that run.
    #[cfg(feature = "serve")]
    pub(crate) fn place(&self) -> EvaluationPlace {
        EvaluationPlace { number: self.number, pool: self.pool.clone() }
    }
}

/// The place of an evaluation among those that run side by side. An evaluation that waits for its client has none meanwhile.
#[cfg(feature = "serve")]
pub(crate) struct EvaluationPlace {
    number: u64,
    pool: Pool,
}

#[cfg(feature = "serve")]
impl EvaluationPlace {
    /// Gives the place to another evaluation. Returns `false` where it has to be kept, because as many evaluations as may
    /// wait for their clients, and each of them has sent something only now.
    pub(crate) fn leave(&self) -> bool {
        self.pool.leave(self.number)
    }

    /// Waits for a free place. An evaluation that was cancelled does not wait.
    pub(crate) fn take(&self) {
        self.pool.take_place(self.number);
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        let mut debug = f.debug_struct("Pool");
        debug.field("evaluations", &state.evaluations.len()).field("idle", &state.idle);
        debug.finish_non_exhaustive()
    }
}

impl Pool {
    /// Begins an evaluation, now or as soon as a thread is free, and returns its number.
    ///
    /// # Errors
    ///
    /// `limit::given-up` and `limit::busy`.
    pub(super) fn begin(&self, limits: Limits, task: Task) -> Result<u64, Box<Diagnostic>> {
        let mut state = self.lock();
        state.check(limits)?;
        state.begun += 1;
        let (number, now) = (state.begun, Instant::now());
        let deadline = limits.timeout.and_then(|timeout| Some((now.checked_add(timeout)?, timeout)));
        (state.max_running, state.max_stalled) = (limits.max_running, limits.max_stalled);
        // Those that wait come first.
        let is_free = state.taken() < limits.max_running && !state.has_waiting();
        let Task { cancellation, work, given_up } = task;
        let stage = if is_free { Stage::Running } else { Stage::Waiting };
        let given_up = Some(given_up);
        // A thread that waits may be on its way to other work already.
        let needs_thread = is_free && state.waiting.len() >= state.idle;
        state.evaluations.push(Evaluation { number, stage, cancellation, deadline, told: None, given_up });
        state.waiting.push_back((number, work));
        let ended = match needs_thread {
            true => self.more_threads(&mut state, number)?,
            false => None,
        };
        self.see_to_watch(&mut state, limits, deadline.map(|(at, _)| at));
        // Whoever wakes finds the lock free.
        drop(state);
        if !needs_thread {
            self.0.work.notify_one();
        }
        self.tell(ended);
        Ok(number)
    }

    /// Begins a thread for an evaluation that may run. Where the system has none, an evaluation that waits for its client
    /// ends and leaves its thread; else the evaluation waits for the next thread that is free.
    ///
    /// # Errors
    ///
    /// `limit::given-up` if there is not one thread. The evaluation is then removed from the list.
    fn more_threads(&self, state: &mut State, number: u64) -> Result<Option<GivenUpOne>, Box<Diagnostic>> {
        let Err(error) = self.spawn(state) else { return Ok(None) };
        if state.threads == 0 {
            state.evaluations.retain(|evaluation| evaluation.number != number);
            state.waiting.retain(|(waiting, _)| *waiting != number);
            let message = format!("no thread can be had for the evaluation: {error}");
            return Err(Box::new(Diagnostic::error("limit::given-up", message)));
        }
        if let Some(evaluation) = state.evaluations.iter_mut().find(|evaluation| evaluation.number == number)
        {
            evaluation.stage = Stage::Waiting;
        }
        state.next_look = None;
        Ok(state.end_stalled(Instant::now()))
    }

    /// Has the evaluation wait for its client without a place; `false` where it has to keep its place.
    #[cfg(feature = "serve")]
    fn leave(&self, number: u64) -> bool {
        let now = Instant::now();
        let mut state = self.lock();
        let stalled = state.stalled();
        let ended = if stalled < state.max_stalled { None } else { state.end_stalled(now) };
        if stalled >= state.max_stalled && ended.is_none() {
            return false;
        }
        let evaluation = state.evaluations.iter_mut().find(|evaluation| evaluation.number == number);
        let Some(evaluation) = evaluation.filter(|evaluation| evaluation.stage == Stage::Running) else {
            return false;
        };
        evaluation.stage = Stage::Stalled(now);
        let further = self.begin_waiting(&mut state, now);
        drop(state);
        self.0.places.notify_all();
        self.tell(ended);
        self.tell(further);
        true
    }

    /// Waits until an evaluation that goes on has a place.
    #[cfg(feature = "serve")]
    fn take_place(&self, number: u64) {
        let mut state = self.lock();
        loop {
            let running = state.running();
            let max_running = state.max_running;
            let evaluation = state.evaluations.iter_mut().find(|evaluation| evaluation.number == number);
            let Some(evaluation) = evaluation.filter(|evaluation| evaluation.stage.is_stalled()) else {
                return;
            };
            if running < max_running || evaluation.cancellation.check().is_err() {
                evaluation.stage = Stage::Running;
                return;
            }
            evaluation.stage = Stage::Returning;
            state = self.0.places.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells an evaluation that it is given up; the lock is free by then.
    fn tell(&self, ended: Option<GivenUpOne>) {
        if let Some((tell, why)) = ended {
            tell(why);
            self.0.places.notify_all();
            self.0.watch.notify_one();
        }
    }

    /// Sees at once that an evaluation was told to end.
    pub(super) fn told(&self, number: u64) {
        let mut state = self.lock();
        if state.evaluations.iter().any(|evaluation| evaluation.number == number) {
            state.next_look = None;
            self.0.watch.notify_one();
        }
    }

    /// How many evaluations have not ended, and how many of them were given up.
    pub(super) fn counts(&self) -> (usize, usize) {
        let state = self.lock();
        (state.evaluations.len(), state.given_up())
    }

    /// How many evaluations wait for their clients.
    #[cfg(feature = "serve")]
    pub(super) fn stalled(&self) -> usize {
        self.lock().stalled()
    }

    /// Begins a thread, which takes what waits.
    fn spawn(&self, state: &mut State) -> std::io::Result<()> {
        let most = state.max_running.saturating_add(state.max_stalled).saturating_add(state.given_up());
        if state.threads >= most {
            return Err(std::io::Error::other("there are as many as may be"));
        }
        let pool = self.clone();
        let thread = thread::Builder::new().name("evaluation".to_owned()).stack_size(STACK);
        thread.spawn(move || pool.work())?;
        state.threads += 1;
        Ok(())
    }

    /// Works to the end of all work.
    fn work(&self) {
        while let Some((number, work)) = self.next() {
            let running = Running { number, pool: self.clone() };
            // A panic has said its reason, and the caller hears of it since nothing comes.
            let _ = catch_unwind(AssertUnwindSafe(|| work(running)));
        }
    }

    fn next(&self) -> Option<Numbered> {
        let mut state = self.lock();
        loop {
            if let Some(next) = state.take_waiting() {
                // Further ones may have been waiting for places that became free at the same time.
                let ended = match state.has_place_for_waiting() {
                    true => self.begin_waiting(&mut state, Instant::now()),
                    false => None,
                };
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

    fn see_to_watch(&self, state: &mut State, limits: Limits, deadline: Option<Instant>) {
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
            state.next_look = Some(look);
            if !given_up.is_empty() {
                drop(state);
                self.0.places.notify_all();
                given_up.into_iter().for_each(|(tell, why)| tell(why));
                state = self.lock();
                // Somebody may have had something to look at meanwhile.
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

    /// Begins what waits, in places that have become free without their threads. Where the system has no further thread, an
    /// evaluation that waits for its client ends, and leaves its own.
    fn begin_waiting(&self, state: &mut State, now: Instant) -> Option<GivenUpOne> {
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

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The listener to notify that an evaluation was given up, and the reason.
type GivenUpOne = (Tell, Diagnostic);

/// All of them that are to be notified.
type GivenUp = Vec<GivenUpOne>;

impl State {
    fn check(&self, limits: Limits) -> Result<(), Box<Diagnostic>> {
        let given_up = self.given_up();
        if given_up > 0 && given_up >= limits.max_given_up {
            let message =
                format!("{given_up} cancelled evaluations are still running, so no new one can begin");
            let fault = Diagnostic::error("limit::given-up", message);
            return Err(Box::new(fault.with_help("ask again in a while")));
        }
        if self.running() >= limits.max_running && self.waiting.len() >= limits.max_waiting {
            let message = format!(
                "{} evaluations are running, and {} more are waiting",
                self.running(),
                self.waiting.len()
            );
            let fault = Diagnostic::error("limit::busy", message);
            return Err(Box::new(fault.with_help("ask again in a while")));
        }
        Ok(())
    }

    fn running(&self) -> usize {
        self.evaluations.iter().filter(|evaluation| evaluation.stage == Stage::Running).count()
    }

    /// How many places are taken, or about to be by an evaluation that goes on.
    fn taken(&self) -> usize {
        let is_returning = |evaluation: &&Evaluation| evaluation.stage == Stage::Returning;
        self.running() + self.evaluations.iter().filter(is_returning).count()
    }

    #[cfg(feature = "serve")]
    fn stalled(&self) -> usize {
        // One that goes on leaves the stalled ones; else those that run could not give it a place.
        let is_stalled = |evaluation: &&Evaluation| matches!(evaluation.stage, Stage::Stalled(_));
        self.evaluations.iter().filter(is_stalled).count()
    }

    /// Ends the evaluation that has waited longest for its client, where others wait for its place and that is long enough.
    fn end_stalled(&mut self, now: Instant) -> Option<GivenUpOne> {
        let waits = |it: &&Evaluation| matches!(it.stage, Stage::Waiting | Stage::Returning);
        let waiting = u32::try_from(self.evaluations.iter().filter(waits).count()).unwrap_or(u32::MAX);
        let since = |evaluation: &Evaluation| match evaluation.stage {
            Stage::Stalled(since) if evaluation.cancellation.check().is_ok() => Some(since),
            _ => None,
        };
        let longest =
            self.evaluations.iter_mut().filter(|it| since(it).is_some()).min_by_key(|it| since(it))?;
        if waiting == 0 || now < since(longest)? + STALL / waiting {
            return None;
        }
        longest.cancellation.cancel(stalled());
        longest.told = Some(now);
        self.next_look = None;
        longest.given_up.take().map(|tell| (tell, stalled()))
    }

    fn has_place_for_waiting(&self) -> bool {
        self.has_waiting() && self.taken() < self.max_running
    }

    fn has_waiting(&self) -> bool {
        self.evaluations.iter().any(|evaluation| evaluation.stage == Stage::Waiting)
    }

    fn given_up(&self) -> usize {
        self.evaluations.iter().filter(|evaluation| evaluation.stage == Stage::GivenUp).count()
    }

    /// Takes work for a thread, if there is any and more evaluations may run.
    fn take_waiting(&mut self) -> Option<Numbered> {
        let (number, _) = self.waiting.front()?;
        let number = *number;
        let counts = |evaluation: &&Evaluation| {
            matches!(evaluation.stage, Stage::Running | Stage::Returning) && evaluation.number != number
        };
        if self.evaluations.iter().filter(counts).count() >= self.max_running {
            return None;
        }
        if let Some(evaluation) = self.evaluations.iter_mut().find(|evaluation| evaluation.number == number) {
            evaluation.stage = Stage::Running;
        }
        self.waiting.pop_front()
    }

    /// Looks at all evaluations: tells those to end that have to, and gives up those that do not. Returns when to look
    /// again.
    fn look(&mut self, now: Instant, memory: Option<(u64, u64)>) -> (Instant, GivenUp) {
        let mut next = now + IDLE;
        let mut was_told = false;
        let mut given_up = GivenUp::new();
        for evaluation in &mut self.evaluations {
            if let Some((deadline, timeout)) = evaluation.deadline {
                if deadline <= now && evaluation.cancellation.check().is_ok() {
                    evaluation.cancellation.cancel(expired(timeout));
                }
                next = if deadline > now { next.min(deadline) } else { next };
            }
            if evaluation.cancellation.check().is_err() && evaluation.stage != Stage::GivenUp {
                let told = *evaluation.told.get_or_insert(now);
                was_told = true;
                // One that waits for its client does nothing that it would have to end first.
                let is_over = now >= told + GRACE;
                if is_over || evaluation.stage == Stage::Waiting || evaluation.stage.is_stalled() {
                    let reason = evaluation.cancellation.reason();
                    given_up.extend(evaluation.given_up.take().map(|tell| (tell, reason)));
                }
                match evaluation.stage {
                    Stage::Waiting => {}
                    _ if is_over => evaluation.stage = Stage::GivenUp,
                    _ => next = next.min(told + GRACE),
                }
            }
        }
        // An evaluation that has not begun never does.
        let told: Vec<u64> = self.told_while_waiting().collect();
        self.waiting.retain(|(number, _)| !told.contains(number));
        self.evaluations.retain(|evaluation| !told.contains(&evaluation.number));
        if let Some((limit, used)) = memory {
            next = next.min(now + INTERVAL);
            // Those that were told get time to free their memory before the next one has to end.
            if used > limit
                && !was_told
                && let Some(last) = self.last_for_memory()
            {
                last.cancellation.cancel(exceeded(limit));
                last.told = Some(now);
                if last.stage.is_stalled() {
                    given_up.extend(last.given_up.take().map(|tell| (tell, exceeded(limit))));
                }
            }
        }
        (next, given_up)
    }

    /// The evaluation that has to end where there is too much memory: the last of those that wait for their clients, or else
    /// the last of all.
    fn last_for_memory(&mut self) -> Option<&mut Evaluation> {
        let goes_on = |it: &Evaluation| it.cancellation.check().is_ok();
        let is_stalled = |it: &Evaluation| it.stage.is_stalled() && goes_on(it);
        let at = self.evaluations.iter().rposition(is_stalled);
        let at = at.or_else(|| self.evaluations.iter().rposition(goes_on))?;
        self.evaluations.get_mut(at)
    }

    fn told_while_waiting(&self) -> impl Iterator<Item = u64> {
        let is_told = |it: &&Evaluation| it.stage == Stage::Waiting && it.cancellation.check().is_err();
        self.evaluations.iter().filter(is_told).map(|evaluation| evaluation.number)
    }
}

fn expired(timeout: Duration) -> Diagnostic {
    let message = format!("the evaluation did not end within its time limit of {timeout:?}");
    Diagnostic::error("sparql::timeout", message).with_help("ask for less at once, or give it more time")
}

fn stalled() -> Diagnostic {
    let message = "the client took nothing of the answer while others waited";
    Diagnostic::error("limit::busy", message).with_help("ask again, and read the answer as it comes")
}

fn exceeded(limit: u64) -> Diagnostic {
    let message = format!(
        "the process has more memory than the limit of {} MiB, and this evaluation began last",
        limit.div_ceil(1 << 20)
    );
    Diagnostic::error("limit::memory", message).with_help("ask for less at once, or ask again in a while")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(number: u64) -> Evaluation {
        Evaluation {
            number,
            stage: Stage::Running,
            cancellation: Cancellation::new(),
            deadline: None,
            told: None,
            given_up: Some(Box::new(|_| {})),
        }
    }

    #[test]
    fn the_evaluation_that_began_last_is_ended_while_there_is_too_much_memory() {
        let mut state = State { evaluations: (1..=3).map(evaluation).collect(), ..State::default() };
        let told = |state: &State| {
            state.evaluations.iter().map(|it| it.cancellation.check().is_err()).collect::<Vec<_>>()
        };
        let begin = Instant::now();
        let (_, given_up) = state.look(begin, Some((1_000, 2_000)));
        assert!(given_up.is_empty());
        assert_eq!(told(&state), [false, false, true]);
        assert_eq!(state.evaluations[2].cancellation.reason().code, "limit::memory");
        // It gets time to free its memory.
        state.look(begin + INTERVAL, Some((1_000, 2_000)));
        assert_eq!(told(&state), [false, false, true]);
        let (_, given_up) = state.look(begin + GRACE, Some((1_000, 2_000)));
        assert_eq!((given_up.len(), state.given_up()), (1, 1));
        state.look(begin + GRACE + INTERVAL, Some((1_000, 2_000)));
        assert_eq!(told(&state), [false, true, true]);
        // Now there is room again, and the first ends by itself.
        state.look(begin + GRACE * 3, Some((1_000, 10)));
        assert_eq!(told(&state), [false, true, true]);
    }

    #[test]
    fn an_evaluation_that_waits_for_its_client_ends_only_for_others_that_wait() {
        let begin = Instant::now();
        let stalled = |number, since| Evaluation { stage: Stage::Stalled(since), ..evaluation(number) };
        let mut state = State {
            evaluations: vec![stalled(1, begin + STALL / 4), stalled(2, begin), evaluation(3)],
            ..State::default()
        };
        let told = |state: &State| {
            state.evaluations.iter().map(|it| it.cancellation.check().is_err()).collect::<Vec<_>>()
        };
        assert!(state.end_stalled(begin + 10 * STALL).is_none());
        state.evaluations.push(Evaluation { stage: Stage::Waiting, ..evaluation(4) });
        assert!(state.end_stalled(begin + STALL / 2).is_none());
        assert!(state.end_stalled(begin + STALL).is_some());
        assert_eq!(told(&state), [false, true, false, false]);
        // The more wait, the sooner.
        for number in 5..8 {
            state.evaluations.push(Evaluation { stage: Stage::Waiting, ..evaluation(number) });
        }
        assert!(state.end_stalled(begin + STALL / 2).is_some());
        assert_eq!(told(&state)[..3], [true, true, false]);
    }

    #[test]
    fn an_evaluation_that_waits_for_its_client_frees_its_memory_first() {
        let begin = Instant::now();
        let mut state = State { evaluations: (1..=3).map(evaluation).collect(), ..State::default() };
        state.evaluations[0].stage = Stage::Stalled(begin);
        let (_, given_up) = state.look(begin, Some((1_000, 2_000)));
        // It does nothing that it would have to end before.
        assert_eq!(given_up.len(), 1);
        assert!(state.evaluations[0].cancellation.check().is_err());
        assert!(state.evaluations[2].cancellation.check().is_ok());
    }
}
