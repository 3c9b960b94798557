//! Cancels work, and carries the reason.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use evalgraph_diagnostics::Diagnostic;

/// Cancels an evaluation. Clones share one state.
#[derive(Clone, Default)]
pub struct CancellationToken {
    is_cancelled: Arc<AtomicBool>,
    why: Arc<OnceLock<Diagnostic>>,
    turns: Option<Arc<dyn EvaluationTurns>>,
}

/// Lets long evaluations wait for others.
pub trait EvaluationTurns: Send + Sync {
    /// Returns when the evaluation may continue. It is called on any thread that works for the evaluation.
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

    /// Returns the same token, with which the evaluation of a query waits for others now and then.
    pub fn in_turns(self, turns: impl EvaluationTurns + 'static) -> Self {
        Self { turns: Some(Arc::new(turns)), ..self }
    }

    /// Returns `Ok` if the evaluation may continue. Waits for other evaluations first if it has to.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::check`].
    pub fn check_in_turn(&self) -> Result<(), Box<Diagnostic>> {
        if let Some(turns) = &self.turns {
            turns.look();
        }
        self.check()
    }

    /// Cancels the evaluation. Only the first reason is reported.
    pub fn cancel(&self, why: Diagnostic) {
        // Setting the reason fails if there is one already.
        let _ = self.why.set(why);
        self.is_cancelled.store(true, Ordering::Release);
    }

    /// Returns `Ok` if the evaluation may continue.
    ///
    /// # Errors
    ///
    /// The reason for the cancellation.
    pub fn check(&self) -> Result<(), Box<Diagnostic>> {
        if self.is_cancelled() { Err(Box::new(self.reason())) } else { Ok(()) }
    }

    /// Returns whether the work was cancelled.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    /// The reason why the evaluation may not continue.
    pub fn reason(&self) -> Diagnostic {
        let unknown = || Diagnostic::error("sparql::cancelled", "the evaluation was cancelled");
        self.why.get().cloned().unwrap_or_else(unknown)
    }
}
