//! Limits the connections of a server. If there is no room for a new one, a connection that waits for its client is
//! closed: the one that was silent for the longest time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A client that was active within this time may be about to send something.
const RECENT: Duration = Duration::from_millis(100);
/// How often the server looks for a connection that it can close.
const AGAIN: Duration = Duration::from_millis(10);

/// The connections of a server.
#[derive(Debug)]
pub(super) struct OpenConnections {
    most: u32,
    room: Arc<Semaphore>,
    begin: Instant,
    number: AtomicU64,
    open: Mutex<HashMap<u64, Arc<ConnectionStatus>>>,
}

/// The state of one connection.
#[derive(Debug)]
pub(super) struct ConnectionStatus {
    begin: Instant,
    /// When the client last sent or took something, in milliseconds from the beginning.
    heard: AtomicU64,
    /// `true` if the client waits for the server: its request has arrived, and its answer has not ended.
    is_answered: AtomicBool,
    /// `true` if the client takes nothing of the data sent to it.
    is_stalled: AtomicBool,
    closed: Notify,
}

/// The permit of a connection, which is returned on drop.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    number: u64,
    pub(super) seat: Arc<ConnectionStatus>,
    connections: Arc<OpenConnections>,
    _place: OwnedSemaphorePermit,
}

impl OpenConnections {
    /// Allows at most `most` connections.
    pub(super) fn new(most: usize) -> Arc<Self> {
        let most = u32::try_from(most.min(Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        let room = Arc::new(Semaphore::new(most as usize));
        let (begin, number, open) = (Instant::now(), AtomicU64::default(), Mutex::default());
        Arc::new(Self { most, room, begin, number, open })
    }

    /// Gets a permit for a new connection.
    pub(super) async fn seat(self: &Arc<Self>) -> Option<ConnectionPermit> {
        loop {
            if self.room.available_permits() == 0 {
                self.close_one();
            }
            match timeout(AGAIN, self.room.clone().acquire_owned()).await {
                Ok(place) => return place.ok().map(|place| self.seated(place)),
                Err(_) => continue,
            }
        }
    }

    fn seated(self: &Arc<Self>, place: OwnedSemaphorePermit) -> ConnectionPermit {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let seat = Arc::new(ConnectionStatus::new(self.begin));
        self.lock().insert(number, seat.clone());
        ConnectionPermit { number, seat, connections: self.clone(), _place: place }
    }

    /// Closes the connection that has waited for its client for the longest time, if that time is long enough.
    pub(super) fn close_one(&self) {
        let mut open = self.lock();
        let waiting = open.iter().filter(|(_, seat)| seat.waits_for_client());
        let longest = waiting.map(|(number, seat)| (seat.heard.load(Ordering::Relaxed), *number)).min();
        let is_over = |heard| self.begin.elapsed() >= Duration::from_millis(heard) + RECENT;
        if let Some((_, number)) = longest.filter(|(heard, _)| is_over(*heard))
            && let Some(seat) = open.remove(&number)
        {
            seat.closed.notify_one();
        }
    }

    /// Waits until all connections have ended.
    pub(super) async fn ended(&self) {
        // The semaphore is never closed.
        let _ = self.room.acquire_many(self.most).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<ConnectionStatus>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionStatus {
    fn new(begin: Instant) -> Self {
        let seat = Self {
            begin,
            heard: AtomicU64::default(),
            is_answered: AtomicBool::default(),
            is_stalled: AtomicBool::default(),
            closed: Notify::default(),
        };
        seat.heard();
        seat
    }

    /// Notes that the client has sent or taken something.
    pub(super) fn heard(&self) {
        let now = u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.heard.store(now, Ordering::Relaxed);
        self.is_stalled.store(false, Ordering::Relaxed);
    }

    /// Notes that the client takes nothing of the data sent to it.
    pub(super) fn stalls(&self) {
        self.is_stalled.store(true, Ordering::Relaxed);
    }

    /// Notes whether the client waits for the server.
    pub(super) fn is_answered(&self, is_answered: bool) {
        self.is_answered.store(is_answered, Ordering::Relaxed);
    }

    fn waits_for_client(&self) -> bool {
        !self.is_answered.load(Ordering::Relaxed) || self.is_stalled.load(Ordering::Relaxed)
    }

    /// Waits until the connection has to be closed for another one.
    pub(super) async fn closed(&self) {
        self.closed.notified().await;
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.connections.lock().remove(&self.number);
    }
}
