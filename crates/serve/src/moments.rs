//! A clock that answers share: a timer for each would cost as much as a small answer.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::sleep;

/// The time from one moment to the next.
const MOMENT: Duration = Duration::from_millis(5);

/// Those who wait for the next moment.
pub(super) trait MomentWaiter: fmt::Debug + Send + Sync {
    /// The moment has come.
    fn moment(&self);
}

/// The moments of a server. They pass only while somebody waits for one.
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

    /// Lets moments pass, without end.
    pub(super) async fn pass(&self) {
        loop {
            self.is_awaited.notified().await;
            sleep(MOMENT).await;
            let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            waiting.iter().for_each(|one| one.moment());
        }
    }
}
