//! The progress of work, for a display.

use std::fmt;

/// Work whose progress is shown. Dropping it ends the work.
pub trait WorkProgress: Send + Sync {
    /// Adds this many bytes, or other units, to the work done.
    fn advance(&self, count: u64);
}

/// Work whose progress is not shown.
struct UnshownProgress;

impl WorkProgress for UnshownProgress {
    fn advance(&self, _count: u64) {}
}

/// Shows the progress of work, given its name and its size in bytes.
#[derive(Clone, Copy)]
pub struct ProgressDisplay(pub fn(&'static str, u64) -> Box<dyn WorkProgress>);

impl ProgressDisplay {
    /// Begins work with this name and this many bytes.
    pub fn begin(self, name: &'static str, bytes: u64) -> Box<dyn WorkProgress> {
        (self.0)(name, bytes)
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
