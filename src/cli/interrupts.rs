//! Ctrl-C while a query is evaluated: it is told to end, and the process ends where it does not
//! answer. A second Ctrl-C ends the process at once.

use std::sync::atomic::{AtomicI32, Ordering};

use super::output;
use super::overrun;
use crate::diagnostic::Diagnostic;
use crate::sparql::{Cancellation, GRACE};

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
pub(super) fn listen(cancellation: &Cancellation) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Without a handler the signals end the process, which is no worse.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let cancellation = cancellation.clone();
    std::thread::spawn(move || {
        let mut is_told = false;
        for signal in signals.forever() {
            STATUS.store(128 + signal, Ordering::Relaxed);
            if std::mem::replace(&mut is_told, true) {
                leave();
            }
            cancellation.cancel(interrupted());
            std::thread::spawn(|| {
                std::thread::sleep(GRACE);
                overrun::end(&interrupted());
                leave();
            });
        }
    });
}

/// Begins to listen, which this system has no signals for.
#[cfg(not(unix))]
pub(super) fn listen(_cancellation: &Cancellation) {}

/// Ends the process, and leaves no unfinished file behind.
#[cfg(unix)]
fn leave() -> ! {
    output::remove_unfinished();
    std::process::exit(status())
}
