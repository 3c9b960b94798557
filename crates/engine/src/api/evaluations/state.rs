//! The evaluations of a pool that have not ended: which ones run, which ones wait and for what, and which ones have to
//! end.

use std::collections::VecDeque;
use std::thread::Thread;
use std::time::{Duration, Instant};

use crate::api::memory::INTERVAL;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_sparql::{CancellationToken, GRACE};

/// How long an idle thread, or an idle watch, stays.
pub(super) const IDLE: Duration = Duration::from_secs(10);
/// If a client has read nothing for this long, its evaluation may be cancelled in favour of another. The time is
/// divided by the number of evaluations that wait.
const STALL: Duration = Duration::from_millis(500);
/// How long a cancelled evaluation has to free its memory before another one is cancelled, too.
const RELEASE: Duration = Duration::from_millis(15);
/// One part in `MARGIN` of the memory limit is kept free for what others allocate until a cancelled evaluation has
/// freed its memory.
const MARGIN: u64 = 16;
/// An evaluation that has run for this long counts as long. The time is shorter if more than half of the memory is
/// used, so that no evaluation takes much of the rest.
const LONG: Duration = Duration::from_millis(20);
pub(super) const LONG_FOR_MEMORY: Duration = Duration::from_millis(5);

/// The limits of all evaluations.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvaluationLimits {
    pub(super) timeout: Option<Duration>,
    pub(super) max_memory: Option<u64>,
    pub(super) max_given_up: usize,
    /// How many evaluations run concurrently.
    pub(super) max_running: usize,
    /// How many more may wait for a thread.
    pub(super) max_waiting: usize,
    /// How many more may wait for their results to be taken.
    pub(super) max_stalled: usize,
}

/// Called with the reason for the cancellation when an evaluation is abandoned.
pub(super) type GiveUpCallback = Box<dyn FnOnce(Diagnostic) + Send>;

/// The state of a pool; `W` is the work of one evaluation.
pub(super) struct PoolState<W> {
    /// The evaluations that have not ended, in the order in which they began.
    pub(super) evaluations: Vec<PooledEvaluation>,
    /// The work of the evaluations that wait for a thread, with their numbers.
    pub(super) waiting: VecDeque<(u64, W)>,
    /// How many threads wait for work.
    pub(super) idle: usize,
    pub(super) begun: u64,
    /// How many threads there are.
    pub(super) threads: usize,
    pub(super) max_running: usize,
    pub(super) max_stalled: usize,
    pub(super) is_watched: bool,
    /// `true` if more than half of the memory is used.
    pub(super) is_short_of_memory: bool,
    /// When the watch looks again; `None` means at once.
    pub(super) next_look: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EvaluationStage {
    Waiting,
    Running,
    /// Has waited since then for its client to read results, and has no slot meanwhile.
    Stalled(Instant),
    /// Waits for a slot to continue.
    Returning,
    /// Is long, and waits for its turn to continue.
    Paused,
    GivenUp,
}

impl EvaluationStage {
    /// Returns whether the evaluation has no slot because its client has read nothing.
    pub(super) fn is_stalled(self) -> bool {
        matches!(self, Self::Stalled(_) | Self::Returning)
    }
}

pub(super) struct PooledEvaluation {
    pub(super) number: u64,
    pub(super) stage: EvaluationStage,
    /// When it began to run.
    pub(super) began: Option<Instant>,
    /// Its thread, while it is paused.
    pub(super) thread: Option<Thread>,
    pub(super) cancellation: CancellationToken,
    /// The time when it has to end, and its time limit.
    pub(super) deadline: Option<(Instant, Duration)>,
    /// When the watch noticed the cancellation.
    pub(super) told: Option<Instant>,
    /// `None` after it was called.
    pub(super) given_up: Option<GiveUpCallback>,
}

impl PooledEvaluation {
    /// Returns whether it has run for at least this time.
    pub(super) fn has_run(&self, now: Instant, time: Duration) -> bool {
        self.began.is_some_and(|began| now >= began + time)
    }

    /// If it is paused, wakes its thread, which checks whether it may continue.
    pub(super) fn wake(&self) {
        self.thread.iter().for_each(Thread::unpark);
    }
}

/// A listener to notify that an evaluation was abandoned, and the reason.
pub(super) type GivenUpOne = (GiveUpCallback, Diagnostic);

/// All listeners to notify.
pub(super) type GivenUp = Vec<GivenUpOne>;

impl<W> Default for PoolState<W> {
    fn default() -> Self {
        Self {
            evaluations: Vec::new(),
            waiting: VecDeque::new(),
            idle: 0,
            begun: 0,
            threads: 0,
            max_running: 0,
            max_stalled: 0,
            is_watched: false,
            is_short_of_memory: false,
            next_look: None,
        }
    }
}

impl<W> PoolState<W> {
    pub(super) fn check(&self, limits: EvaluationLimits) -> Result<(), Box<Diagnostic>> {
        let given_up = self.given_up();
        if given_up > 0 && given_up >= limits.max_given_up {
            let message =
                format!("{given_up} cancelled evaluations are still running, so no new one can begin");
            let fault = Diagnostic::error("limit::given-up", message);
            return Err(Box::new(fault.with_help("ask again in a while")));
        }
        let (running, waiting) = (self.running(), self.waiting.len() + self.paused());
        if running >= limits.max_running && waiting >= limits.max_waiting {
            let message = format!("{running} evaluations are running, and {waiting} more are waiting");
            let fault = Diagnostic::error("limit::busy", message);
            return Err(Box::new(fault.with_help("ask again in a while")));
        }
        Ok(())
    }

    pub(super) fn evaluation(&mut self, number: u64) -> Option<&mut PooledEvaluation> {
        self.evaluations.iter_mut().find(|evaluation| evaluation.number == number)
    }

    pub(super) fn running(&self) -> usize {
        self.evaluations.iter().filter(|evaluation| evaluation.stage == EvaluationStage::Running).count()
    }

    /// Returns how many slots are taken, or about to be taken by an evaluation that continues.
    pub(super) fn taken(&self) -> usize {
        let is_returning = |evaluation: &&PooledEvaluation| evaluation.stage == EvaluationStage::Returning;
        self.running() + self.evaluations.iter().filter(is_returning).count()
    }

    pub(super) fn stalled(&self) -> usize {
        // A returning evaluation does not count, or running evaluations could not leave it their slots.
        let is_stalled =
            |evaluation: &&PooledEvaluation| matches!(evaluation.stage, EvaluationStage::Stalled(_));
        self.evaluations.iter().filter(is_stalled).count()
    }

    /// Cancels the evaluation that has waited longest for its client, if others wait for a slot and it has waited long
    /// enough.
    pub(super) fn end_stalled(&mut self, now: Instant) -> Option<GivenUpOne> {
        let waits = |it: &&PooledEvaluation| {
            matches!(it.stage, EvaluationStage::Waiting | EvaluationStage::Returning)
        };
        let waiting = u32::try_from(self.evaluations.iter().filter(waits).count()).unwrap_or(u32::MAX);
        let since = |evaluation: &PooledEvaluation| match evaluation.stage {
            EvaluationStage::Stalled(since) if evaluation.cancellation.check().is_ok() => Some(since),
            _ => None,
        };
        let longest =
            self.evaluations.iter_mut().filter(|it| since(it).is_some()).min_by_key(|it| since(it))?;
        // The more evaluations wait, the sooner one of them gets the slot.
        if waiting == 0 || now < since(longest)? + STALL / waiting {
            return None;
        }
        longest.cancellation.cancel(stalled());
        longest.told = Some(now);
        self.next_look = None;
        longest.given_up.take().map(|tell| (tell, stalled()))
    }

    pub(super) fn has_place_for_waiting(&self) -> bool {
        self.has_waiting() && self.taken() < self.max_running
    }

    pub(super) fn has_waiting(&self) -> bool {
        self.evaluations.iter().any(|evaluation| evaluation.stage == EvaluationStage::Waiting)
    }

    pub(super) fn paused(&self) -> usize {
        self.evaluations.iter().filter(|evaluation| evaluation.stage == EvaluationStage::Paused).count()
    }

    /// Returns how many long evaluations are running.
    pub(super) fn long(&self, now: Instant) -> usize {
        let long = self.time_of_long();
        self.evaluations
            .iter()
            .filter(|it| it.stage == EvaluationStage::Running && it.has_run(now, long))
            .count()
    }

    /// Returns how long an evaluation has to run to count as long.
    pub(super) fn time_of_long(&self) -> Duration {
        if self.is_short_of_memory { LONG_FOR_MEMORY } else { LONG }
    }

    /// Returns how many slots long evaluations have while evaluations that have not begun are waiting.
    pub(super) fn places_of_long(&self) -> usize {
        (self.max_running / 2).max(1)
    }

    /// Returns the paused evaluation whose turn comes first.
    pub(super) fn first_paused(&self) -> Option<&PooledEvaluation> {
        self.evaluations.iter().find(|evaluation| evaluation.stage == EvaluationStage::Paused)
    }

    /// Returns whether there is a slot for the first paused evaluation.
    pub(super) fn has_place_for_paused(&self) -> bool {
        self.taken() < self.max_running
            && (!self.has_waiting() || self.long(Instant::now()) < self.places_of_long())
    }

    pub(super) fn may_go_on(&self, number: u64) -> bool {
        let Some(evaluation) = self.evaluations.iter().find(|evaluation| evaluation.number == number) else {
            return true;
        };
        let is_first = self.first_paused().is_none_or(|first| first.number == number);
        evaluation.stage != EvaluationStage::Paused
            || evaluation.cancellation.check().is_err()
            || is_first && self.has_place_for_paused()
    }

    /// Wakes the paused evaluation whose turn it is, if there is a slot for it.
    pub(super) fn wake_paused(&self) {
        if let Some(first) = self.first_paused()
            && self.has_place_for_paused()
        {
            first.wake();
        }
    }

    pub(super) fn given_up(&self) -> usize {
        self.evaluations.iter().filter(|evaluation| evaluation.stage == EvaluationStage::GivenUp).count()
    }

    /// Takes work for a thread, if there is any and another evaluation may run.
    pub(super) fn take_waiting(&mut self) -> Option<(u64, W)> {
        let (number, _) = self.waiting.front()?;
        let number = *number;
        let counts = |evaluation: &&PooledEvaluation| {
            matches!(evaluation.stage, EvaluationStage::Running | EvaluationStage::Returning)
                && evaluation.number != number
        };
        if self.evaluations.iter().filter(counts).count() >= self.max_running {
            return None;
        }
        if let Some(evaluation) = self.evaluation(number) {
            (evaluation.stage, evaluation.began) = (EvaluationStage::Running, Some(Instant::now()));
        }
        self.waiting.pop_front()
    }

    /// Checks all evaluations: cancels those that have to end, and abandons those that do not end. Returns when to look
    /// again.
    pub(super) fn look(&mut self, now: Instant, memory: Option<(u64, u64)>) -> (Instant, GivenUp) {
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
            if evaluation.cancellation.check().is_err() && evaluation.stage != EvaluationStage::GivenUp {
                let told = *evaluation.told.get_or_insert(now);
                // While a cancelled evaluation still frees its memory, no other one is cancelled for lack of it.
                was_told |= now < told + RELEASE;
                evaluation.wake();
                // An evaluation that waits for its client does no work, so it is given no time to end.
                let is_over = now >= told + GRACE;
                if is_over || evaluation.stage == EvaluationStage::Waiting || evaluation.stage.is_stalled() {
                    let reason = evaluation.cancellation.reason();
                    given_up.extend(evaluation.given_up.take().map(|tell| (tell, reason)));
                }
                match evaluation.stage {
                    EvaluationStage::Waiting => {}
                    _ if is_over => evaluation.stage = EvaluationStage::GivenUp,
                    _ => next = next.min(told + GRACE),
                }
            }
        }
        // A cancelled evaluation that has not begun never begins.
        let told: Vec<u64> = self.told_while_waiting().collect();
        self.waiting.retain(|(number, _)| !told.contains(number));
        self.evaluations.retain(|evaluation| !told.contains(&evaluation.number));
        self.is_short_of_memory = memory.is_some_and(|(limit, used)| used > limit / 2);
        if let Some((limit, used)) = memory {
            next = next.min(now + INTERVAL);
            if used > limit - limit / MARGIN
                && !was_told
                && let Some(last) = self.last_for_memory(now)
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

    /// Returns the evaluation to cancel when there is too little memory: the last one that waits for its client,
    /// otherwise the last long one, otherwise the last one that has begun.
    pub(super) fn last_for_memory(&mut self, now: Instant) -> Option<&mut PooledEvaluation> {
        let goes_on = |it: &PooledEvaluation| it.began.is_some() && it.cancellation.check().is_ok();
        let last = |is_meant: &dyn Fn(&PooledEvaluation) -> bool| {
            self.evaluations.iter().rposition(|it| goes_on(it) && is_meant(it))
        };
        let at = last(&|it| it.stage.is_stalled())
            .or_else(|| last(&|it| it.has_run(now, LONG_FOR_MEMORY)))
            .or_else(|| last(&|_| true))?;
        self.evaluations.get_mut(at)
    }

    pub(super) fn told_while_waiting(&self) -> impl Iterator<Item = u64> {
        let is_told =
            |it: &&PooledEvaluation| it.stage == EvaluationStage::Waiting && it.cancellation.check().is_err();
        self.evaluations.iter().filter(is_told).map(|evaluation| evaluation.number)
    }
}

fn expired(timeout: Duration) -> Diagnostic {
    let message = format!("the evaluation did not end within its time limit of {timeout:?}");
    Diagnostic::error("sparql::timeout", message).with_help("ask for less at once, or give it more time")
}

fn stalled() -> Diagnostic {
    let message = "the client did not read the answer while others waited";
    Diagnostic::error("limit::busy", message).with_help("ask again, and read the answer as it comes")
}

fn exceeded(limit: u64) -> Diagnostic {
    let limit = limit.div_ceil(1 << 20);
    let message =
        format!("the process is close to its memory limit of {limit} MiB, so this evaluation was cancelled");
    Diagnostic::error("limit::memory", message).with_help("ask for less at once, or ask again in a while")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(number: u64) -> PooledEvaluation {
        PooledEvaluation {
            number,
            stage: EvaluationStage::Running,
            began: Some(Instant::now()),
            thread: None,
            cancellation: CancellationToken::new(),
            deadline: None,
            told: None,
            given_up: Some(Box::new(|_| {})),
        }
    }

    #[test]
    fn the_evaluation_that_began_last_is_ended_while_there_is_too_much_memory() {
        let mut state =
            PoolState::<()> { evaluations: (1..=3).map(evaluation).collect(), ..PoolState::default() };
        let told = |state: &PoolState<()>| {
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
        // Now memory is below the limit again, apart from the margin, and the first evaluation is left alone.
        state.look(begin + GRACE * 3, Some((1_600, 1_500)));
        assert_eq!(told(&state), [false, true, true]);
        state.look(begin + GRACE * 4, Some((1_600, 1_501)));
        assert_eq!(told(&state), [true, true, true]);
    }

    #[test]
    fn what_takes_little_time_does_not_end_for_the_memory_of_what_takes_long() {
        let begin = Instant::now();
        let long = |number| PooledEvaluation { began: Some(begin), ..evaluation(number) };
        let short = PooledEvaluation { began: Some(begin + LONG), ..evaluation(3) };
        let waiting = PooledEvaluation { stage: EvaluationStage::Waiting, began: None, ..evaluation(4) };
        let mut state =
            PoolState::<()> { evaluations: vec![long(1), long(2), short, waiting], ..PoolState::default() };
        let mut ended = || {
            state.last_for_memory(begin + LONG).map(|it| {
                it.cancellation.cancel(exceeded(0));
                it.number
            })
        };
        assert_eq!([ended(), ended(), ended(), ended()], [Some(2), Some(1), Some(3), None]);
    }

    #[test]
    fn an_evaluation_that_waits_for_its_client_ends_only_for_others_that_wait() {
        let begin = Instant::now();
        let stalled =
            |number, since| PooledEvaluation { stage: EvaluationStage::Stalled(since), ..evaluation(number) };
        let mut state = PoolState::<()> {
            evaluations: vec![stalled(1, begin + STALL / 4), stalled(2, begin), evaluation(3)],
            ..PoolState::default()
        };
        let told = |state: &PoolState<()>| {
            state.evaluations.iter().map(|it| it.cancellation.check().is_err()).collect::<Vec<_>>()
        };
        assert!(state.end_stalled(begin + 10 * STALL).is_none());
        state.evaluations.push(PooledEvaluation { stage: EvaluationStage::Waiting, ..evaluation(4) });
        assert!(state.end_stalled(begin + STALL / 2).is_none());
        assert!(state.end_stalled(begin + STALL).is_some());
        assert_eq!(told(&state), [false, true, false, false]);
        // The more wait, the sooner.
        for number in 5..8 {
            state
                .evaluations
                .push(PooledEvaluation { stage: EvaluationStage::Waiting, ..evaluation(number) });
        }
        assert!(state.end_stalled(begin + STALL / 2).is_some());
        assert_eq!(told(&state)[..3], [true, true, false]);
    }

    #[test]
    fn an_evaluation_that_waits_for_its_client_frees_its_memory_first() {
        let begin = Instant::now();
        let mut state =
            PoolState::<()> { evaluations: (1..=3).map(evaluation).collect(), ..PoolState::default() };
        state.evaluations[0].stage = EvaluationStage::Stalled(begin);
        let (_, given_up) = state.look(begin, Some((1_000, 2_000)));
        // It does no work, so it is given no time to end.
        assert_eq!(given_up.len(), 1);
        assert!(state.evaluations[0].cancellation.check().is_err());
        assert!(state.evaluations[2].cancellation.check().is_ok());
    }
}
