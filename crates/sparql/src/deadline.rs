//! Stops a query that runs too long.
//!
//! All loops of an evaluation check the cancellation, and the iterators of results check it for each result.

use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;

use evalgraph_diagnostics::Diagnostic;
use evalgraph_work::CancellationToken;

/// How long a cancelled evaluation may take to end.
pub const GRACE: Duration = Duration::from_millis(100);

/// A cancellation that a timer triggers, unless the deadline is dropped before.
#[derive(Clone)]
pub(super) struct EvaluationDeadline {
    pub(super) cancellation: CancellationToken,
    // Dropping the sender wakes the timer's thread, which then ends.
    _alive: Option<Rc<mpsc::Sender<()>>>,
}

impl EvaluationDeadline {
    /// Starts the timer if there is a time limit. In the message, `of` names what is limited: query or update.
    pub(super) fn start(
        cancellation: CancellationToken,
        timeout: Option<Duration>,
        of: &'static str,
    ) -> Self {
        let alive = timeout.map(|timeout| {
            let (sender, receiver) = mpsc::channel::<()>();
            let cancellation = cancellation.clone();
            std::thread::spawn(move || {
                if receiver.recv_timeout(timeout) == Err(mpsc::RecvTimeoutError::Timeout) {
                    cancellation.cancel(expired(timeout, of));
                }
            });
            Rc::new(sender)
        });
        Self { cancellation, _alive: alive }
    }

    /// Returns whether the evaluation may go on.
    pub(super) fn check(&self) -> Result<(), Box<Diagnostic>> {
        self.cancellation.check()
    }
}

fn expired(timeout: Duration, of: &str) -> Diagnostic {
    let message = format!("the {of} did not end within its time limit of {timeout:?}");
    Diagnostic::error("sparql::timeout", message).with_help(format!("narrow the {of}, or give it more time"))
}
