//! A clock that answers share, because a timer for each would cost as much as a small answer.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::sleep;

/// The time between two moments.
const MOMENT: Duration = Duration::from_millis(5);

/// Waits for the next moment.
pub(super) trait MomentWaiter: fmt::Debug + Send + Sync {
    /// Called when the moment has come.
    fn moment(&self);
}

/// The moments of a server. They only pass while there is a waiter.
#[derive(Debug, Default)]
pub(super) struct MomentClock {
    waiting: Mutex<Vec<Arc<dyn MomentWaiter>>>,
    is_awaited: Notify,
}

impl MomentClock {
    /// Adds a waker for the next moment.
    pub(super) fn wait(&self, who: Arc<dyn MomentWaiter>) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(who);
        self.is_awaited.notify_one();
    }

    /// Lets moments pass, forever.
    pub(super) async fn pass(&self) {
        loop {
            self.is_awaited.notified().await;
            sleep(MOMENT).await;
            let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            waiting.iter().for_each(|one| one.moment());
        }
    }
}
