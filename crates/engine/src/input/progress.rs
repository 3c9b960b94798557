//! The progress of work, for a display.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Work whose progress is shown. Dropping it ends the work.
pub trait WorkProgress: Send + Sync {
    /// Adds this many bytes, or other units, to the work done.
    fn advance(&self, count: u64);

    /// Tells which file is being worked on.
    fn at(&self, _file: &str) {}
}

/// Work whose progress is not shown.
struct UnshownProgress;

impl WorkProgress for UnshownProgress {
    fn advance(&self, _count: u64) {}
}

/// Work that looks at each byte twice, such as reading and loading. Each time counts half, so that the display shows the
/// bytes of the files.
struct TwoPasses {
    shown: Box<dyn WorkProgress>,
    /// The bytes of both passes so far.
    done: AtomicU64,
}

impl WorkProgress for TwoPasses {
    fn advance(&self, count: u64) {
        let before = self.done.fetch_add(count, Ordering::Relaxed);
        self.shown.advance((before + count) / 2 - before / 2);
    }

    fn at(&self, file: &str) {
        self.shown.at(file);
    }
}

/// Shows the progress of work, given its name and its size in bytes.
#[derive(Clone, Copy)]
pub struct ProgressDisplay(pub fn(&'static str, u64) -> Box<dyn WorkProgress>);

impl ProgressDisplay {
    /// Begins work with this name and this many bytes.
    pub fn begin(self, name: &'static str, bytes: u64) -> Box<dyn WorkProgress> {
        (self.0)(name, bytes)
    }

    /// Begins work that looks at each of this many bytes twice, and advances each time.
    pub fn begin_two_passes(self, name: &'static str, bytes: u64) -> Box<dyn WorkProgress> {
        Box::new(TwoPasses { shown: self.begin(name, bytes), done: AtomicU64::new(0) })
    }
}

impl Default for ProgressDisplay {
    fn default() -> Self {
        Self(|_, _| Box::new(UnshownProgress))
    }
}

impl fmt::Debug for ProgressDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
