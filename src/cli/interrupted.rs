//! That a run was interrupted: the code of the finding, and the exit status.

use std::sync::atomic::{AtomicI32, Ordering};

/// The code of the finding that says so.
pub(super) const INTERRUPTED: &str = "sparql::interrupted";

/// The exit status of a run that was interrupted: 128 and the number of the signal.
static STATUS: AtomicI32 = AtomicI32::new(130);

/// The exit status of a run that was interrupted.
pub(super) fn status() -> i32 {
    STATUS.load(Ordering::Relaxed)
}

/// Notes by which signal the run was interrupted.
pub(super) fn note(signal: i32) {
    STATUS.store(128 + signal, Ordering::Relaxed);
}
