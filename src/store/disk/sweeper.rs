//! Removes what a change has left that does not come to its end: for who ends the process in the middle of one.

use std::sync::{Arc, Mutex, PoisonError};

use super::snapshot::Store;

/// Sweeps up after one change, as long as that holds the lock.
#[derive(Debug, Clone)]
pub struct Sweeper {
    store: Store,
    is_held: Arc<Mutex<bool>>,
}

impl Sweeper {
    pub(super) fn new(store: Store, is_held: Arc<Mutex<bool>>) -> Self {
        Self { store, is_held }
    }

    /// Removes the files that no manifest names. Does nothing where the change is over: then they are those of
    /// another one.
    pub fn sweep(&self) {
        // The lock is not let go of meanwhile.
        let is_held = self.is_held.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_held {
            self.store.sweep();
        }
    }
}
