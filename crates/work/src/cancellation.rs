//! Tells work to end, and carries the reason.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use evalgraph_diagnostics::Diagnostic;

/// Tells an evaluation to end. Clones share one state.
#[derive(Clone, Default)]
pub struct CancellationToken {
    is_cancelled: Arc<AtomicBool>,
    why: Arc<OnceLock<Diagnostic>>,
    turns: Option<Arc<dyn EvaluationTurns>>,
}

/// Has evaluations that take long wait for others.
pub trait EvaluationTurns: Send + Sync {
    /// Returns when the evaluation may go on. Called on any thread that works for it.
    fn look(&self);
}

impl fmt::Debug for CancellationToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("why", &self.why.get()).finish_non_exhaustive()
    }
}

impl CancellationToken {
    /// A cancellation that has not been triggered yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, where the evaluation of a query waits for others now and then.
    pub fn in_turns(self, turns: impl EvaluationTurns + 'static) -> Self {
        Self { turns: Some(Arc::new(turns)), ..self }
    }

    /// Returns whether the evaluation may go on, after it has waited for others where it has to.
    ///
    /// # Errors
    ///
    /// As [`Self::check`].
    pub fn check_in_turn(&self) -> Result<(), Box<Diagnostic>> {
        if let Some(turns) = &self.turns {
            turns.look();
        }
        self.check()
    }

    /// Tells the evaluation to end. Only the first reason is reported.
    pub fn cancel(&self, why: Diagnostic) {
        // Setting the reason fails where another one came first.
        let _ = self.why.set(why);
        self.is_cancelled.store(true, Ordering::Release);
    }

    /// Returns whether the evaluation may go on.
    ///
    /// # Errors
    ///
    /// The reason of the cancellation.
    pub fn check(&self) -> Result<(), Box<Diagnostic>> {
        if self.is_cancelled() { Err(Box::new(self.reason())) } else { Ok(()) }
    }

    /// Returns whether the work was told to end.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    /// The reason why the evaluation may not go on.
    pub fn reason(&self) -> Diagnostic {
        let unknown = || Diagnostic::error("sparql::cancelled", "the evaluation was told to end");
        self.why.get().cloned().unwrap_or_else(unknown)
    }
}
