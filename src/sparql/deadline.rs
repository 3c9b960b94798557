//! Stops a query that runs too long.
//!
//! The evaluator looks at its token when it fetches a quad, the iterators of results look at it
//! for each result. What happens between two quads is not interrupted: a regular expression, a sort
//! inside a subquery, the combinations of a join without a shared variable. For these there is
//! [`ExecuteOptions::on_overrun`](super::ExecuteOptions::on_overrun).

use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;

use spareval::CancellationToken;

use crate::diagnostic::Diagnostic;

/// How long an evaluation that was told to end may take to do so.
const GRACE: Duration = Duration::from_secs(1);

/// A token that a timer cancels, unless the deadline is dropped before.
#[derive(Clone)]
pub(super) struct Deadline {
    token: CancellationToken,
    timeout: Option<Duration>,
    // Dropping the sender wakes the timer's thread, which then ends.
    _alive: Option<Rc<mpsc::Sender<()>>>,
}

impl Deadline {
    /// Starts the timer, where there is a limit.
    pub(super) fn start(timeout: Option<Duration>, on_overrun: Option<fn(&Diagnostic)>) -> Self {
        let token = CancellationToken::new();
        let alive = timeout.map(|timeout| {
            let (sender, receiver) = mpsc::channel::<()>();
            let token = token.clone();
            std::thread::spawn(move || {
                let expires = |after| receiver.recv_timeout(after) == Err(mpsc::RecvTimeoutError::Timeout);
                if expires(timeout) {
                    token.cancel();
                    if let Some(on_overrun) = on_overrun
                        && expires(GRACE)
                    {
                        on_overrun(&expired(timeout));
                    }
                }
            });
            Rc::new(sender)
        });
        Self { token, timeout, _alive: alive }
    }

    pub(super) fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Whether there is still time.
    pub(super) fn check(&self) -> Result<(), Box<Diagnostic>> {
        if self.token.is_cancelled() { Err(Box::new(self.expired())) } else { Ok(()) }
    }

    /// What is said when there is none.
    pub(super) fn expired(&self) -> Diagnostic {
        expired(self.timeout.unwrap_or_default())
    }
}

fn expired(timeout: Duration) -> Diagnostic {
    let message = format!("the query did not end within its time limit of {timeout:?}");
    Diagnostic::error("sparql::timeout", message)
        .with_help("narrow the query, or give it more time with `--timeout`")
}
