//! Ctrl-C while a query is evaluated or the store is changed: the run is told to end, and the process ends
//! where it does not answer, a change of the store being undone first. A second Ctrl-C ends the process at
//! once.

use std::sync::atomic::{AtomicI32, Ordering};

use crate::diagnostic::Diagnostic;

/// The code of the finding that says so.
pub(super) const INTERRUPTED: &str = "sparql::interrupted";

/// The exit status of a run that was interrupted: 128 and the number of the signal.
static STATUS: AtomicI32 = AtomicI32::new(130);

/// The exit status of a run that was interrupted.
pub(super) fn status() -> i32 {
    STATUS.load(Ordering::Relaxed)
}

fn interrupted() -> Diagnostic {
    Diagnostic::error(INTERRUPTED, "interrupted")
}

/// Begins to listen. Until then, and on systems without signals, Ctrl-C ends the process as it
/// always does.
#[cfg(unix)]
pub(super) fn listen() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::ending;

    // Without a handler the signals end the process, which is no worse.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        let mut is_first = true;
        for signal in signals.forever() {
            STATUS.store(128 + signal, Ordering::Relaxed);
            if std::mem::take(&mut is_first) {
                std::thread::spawn(|| ending::tell(&interrupted()));
            } else {
                ending::end(None);
            }
        }
    });
}

/// Begins to listen, which this system has no signals for.
#[cfg(not(unix))]
pub(super) fn listen() {}
