//! Ctrl-C while a query is evaluated or the store is changed: the run is told to end, and the process ends
//! where it does not answer, a change of the store being undone first. A second Ctrl-C ends the process at
//! once.

use super::interrupted::{INTERRUPTED, note};
use crate::diagnostic::Diagnostic;

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
            note(signal);
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
