//! Caches a value that is made once for a state of the data, until another state is asked for.

use std::sync::{Arc, Mutex, PoisonError};

use super::problem::ProblemDetails;

/// A value that is made from a state of the data.
#[derive(Debug)]
pub(super) struct StateCache<T>(Mutex<Option<StateCacheEntry<T>>>);

#[derive(Debug)]
struct StateCacheEntry<T> {
    state: String,
    made: Arc<T>,
}

impl<T> Default for StateCache<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> StateCache<T> {
    /// Returns the value of a state, if it has been made already.
    pub(super) fn now(&self, state: &str) -> Option<Arc<T>> {
        // If the lock is taken, the value is being made.
        let kept = self.0.try_lock().ok()?;
        kept.as_ref().filter(|made| made.state == state).map(|made| made.made.clone())
    }

    /// Returns the value of a state, and makes it if necessary. Other requests wait meanwhile.
    ///
    /// # Errors
    ///
    /// The errors of making it.
    pub(super) fn get_or_make(
        &self,
        state: &str,
        make: impl FnOnce() -> Result<T, ProblemDetails>,
    ) -> Result<Arc<T>, ProblemDetails> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(StateCacheEntry { state: known, made }) = kept.as_ref()
            && known == state
        {
            return Ok(made.clone());
        }
        let made = Arc::new(make()?);
        *kept = Some(StateCacheEntry { state: state.to_owned(), made: made.clone() });
        Ok(made)
    }
}
