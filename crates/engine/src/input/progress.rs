//! The progress of work, for a display.

use std::fmt;

/// Work whose progress is shown; dropping it ends the work.
pub trait WorkProgress: Send + Sync {
    /// Counts so many more bytes, or whatever is counted, as done.
    fn advance(&self, count: u64);
}

/// Work whose progress is not shown.
struct UnshownProgress;

impl WorkProgress for UnshownProgress {
    fn advance(&self, _count: u64) {}
}

/// Begins to show the progress of work, by its name and its bytes.
#[derive(Clone, Copy)]
pub struct ProgressDisplay(pub fn(&'static str, u64) -> Box<dyn WorkProgress>);

impl ProgressDisplay {
    /// Begins work of that name on so many bytes.
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
