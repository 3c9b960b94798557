//! How far work is, for those who watch it.

use std::fmt;

/// Work that is watched; it has ended when this is dropped.
pub(crate) trait Progress: Send + Sync {
    /// Says that so many bytes more are done.
    fn advance(&self, bytes: u64);
}

/// Work that nobody watches.
struct Unwatched;

impl Progress for Unwatched {
    fn advance(&self, _bytes: u64) {}
}

/// Begins to watch work, which has a name and so many bytes.
#[derive(Clone, Copy)]
pub(crate) struct Watch(pub(crate) fn(&'static str, u64) -> Box<dyn Progress>);

impl Watch {
    /// Begins work of that name on so many bytes.
    pub(crate) fn begin(self, name: &'static str, bytes: u64) -> Box<dyn Progress> {
        (self.0)(name, bytes)
    }
}

impl Default for Watch {
    fn default() -> Self {
        Self(|_, _| Box::new(Unwatched))
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}
