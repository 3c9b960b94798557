//! Ctrl-C while a query is evaluated or the store is changed: the run is told to end, and the process ends
//! where it does not answer, a change of the store being undone first. A second Ctrl-C ends the process at
//! once. What was asked too late comes to its end: a run that ends so has changed nothing.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::sparql::Cancellation;
use crate::store::Sweeper;

/// The code of the finding that says so.
pub(super) const INTERRUPTED: &str = "sparql::interrupted";

/// The exit status of a run that was interrupted: 128 and the number of the signal.
static STATUS: AtomicI32 = AtomicI32::new(130);

/// How far the run is.
static RUN: Mutex<Run> = Mutex::new(Run { is_told: false, change: Change::None });

struct Run {
    /// Whether it was told to end.
    is_told: bool,
    change: Change,
}

/// What a run does to the store.
enum Change {
    /// Nothing.
    None,
    /// It changes it, and the old state counts.
    UnderWay(Sweeper),
    /// The new state counts, or will in a moment.
    Made,
}

/// The exit status of a run that was interrupted.
pub(super) fn status() -> i32 {
    STATUS.load(Ordering::Relaxed)
}

fn interrupted() -> Diagnostic {
    Diagnostic::error(INTERRUPTED, "interrupted")
}

fn run() -> MutexGuard<'static, Run> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that a change of the store has begun: who ends the run has to sweep up after it.
pub(super) fn begin_change(sweeper: Sweeper) {
    run().change = Change::UnderWay(sweeper);
}

/// Whether a change of the store may be made. After this it is.
///
/// # Errors
///
/// Where the run was told to end.
pub(super) fn settle() -> Result<(), Box<Diagnostic>> {
    let mut run = run();
    if run.is_told {
        return Err(Box::new(interrupted()));
    }
    run.change = Change::Made;
    Ok(())
}

/// Begins to listen. Until then, and on systems without signals, Ctrl-C ends the process as it
/// always does.
#[cfg(unix)]
pub(super) fn listen(cancellation: &Cancellation, report: &Report) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Without a handler the signals end the process, which is no worse.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let (cancellation, report) = (cancellation.clone(), report.of_same_form());
    std::thread::spawn(move || {
        let mut report = Some(report);
        for signal in signals.forever() {
            STATUS.store(128 + signal, Ordering::Relaxed);
            run().is_told = true;
            let Some(last) = report.take() else {
                leave(None);
                continue;
            };
            cancellation.cancel(interrupted());
            std::thread::spawn(|| {
                std::thread::sleep(crate::sparql::GRACE);
                super::overrun::end(&interrupted());
                leave(Some(last));
            });
        }
    });
}

/// Begins to listen, which this system has no signals for.
#[cfg(not(unix))]
pub(super) fn listen(_cancellation: &Cancellation, _report: &Report) {}

/// Ends the process, and leaves no unfinished file behind; does nothing where the store was changed, whose run
/// is at its end.
#[cfg(unix)]
fn leave(last_words: Option<Report>) {
    // Held to the end, so that no change is made meanwhile.
    let run = run();
    match &run.change {
        Change::Made => return,
        Change::UnderWay(sweeper) => sweeper.sweep(),
        Change::None => {}
    }
    super::output::remove_unfinished();
    if let Some(mut report) = last_words {
        report.add(&interrupted());
        report.finish();
    }
    std::process::exit(status())
}
