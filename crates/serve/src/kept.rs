//! What is made once for a state of the data, and kept until another state is asked for.

use std::sync::{Arc, Mutex, PoisonError};

use super::problem::ProblemDetails;

/// Something that is made from a state of the data.
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
    /// What is kept for a state, if it is there by now.
    pub(super) fn now(&self, state: &str) -> Option<Arc<T>> {
        // While it is being made, it is not there.
        let kept = self.0.try_lock().ok()?;
        kept.as_ref().filter(|made| made.state == state).map(|made| made.made.clone())
    }

    /// What is kept for a state, made if it is not there. Requests wait for it meanwhile.
    ///
    /// # Errors
    ///
    /// Those of making it.
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
