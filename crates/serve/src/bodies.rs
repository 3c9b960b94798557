//! Limits the memory for the bodies of all requests together: while they arrive, while they wait for a thread, and
//! while they are evaluated.
//!
//! A body is counted piece by piece as it arrives. If there is no room for another piece, a body that arrives slowly is
//! dropped. Small bodies are not counted, so clients with large bodies cannot keep queries out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use evalgraph_diagnostics::{Diagnostic, thousands};

/// Bodies up to this size are not counted. All connections together can have 32 MiB of them.
const SMALL: u64 = 64 << 10;
/// The size of the pieces in which bytes are counted.
const PIECE: u64 = 64 << 10;
/// A body that takes longer than this for a piece is dropped if others need room.
const SLOW: Duration = Duration::from_secs(1);

/// The bodies of a server.
#[derive(Debug)]
pub(super) struct BodyMemory {
    most: u64,
    state: Mutex<BodyMemoryState>,
}

#[derive(Debug, Default)]
struct BodyMemoryState {
    begun: u64,
    /// The bytes of all counted bodies.
    bytes: u64,
    bodies: HashMap<u64, CountedBody>,
}

/// A body.
#[derive(Debug)]
struct CountedBody {
    bytes: u64,
    /// The time when its last piece was counted and its reader, if it is still arriving.
    coming: Option<(Instant, Arc<Notify>)>,
}

/// The memory of a body. It is released on drop.
#[derive(Debug)]
pub(super) struct HeldBytes {
    bodies: Arc<BodyMemory>,
    number: u64,
    /// The bytes of the body.
    bytes: u64,
    /// How many bytes are already counted, or need not be.
    counted: u64,
    /// Notified when the body is dropped for others.
    ended: Arc<Notify>,
}

impl BodyMemory {
    /// Makes room for bodies of at most `most` bytes together; a single body may have more.
    pub(super) fn new(most: u64) -> Arc<Self> {
        Arc::new(Self { most, state: Mutex::default() })
    }

    /// Returns the memory for a body that begins to arrive.
    pub(super) fn begin(self: &Arc<Self>) -> HeldBytes {
        let ended = Arc::<Notify>::default();
        let mut state = self.lock();
        state.begun += 1;
        let number = state.begun;
        let coming = Some((Instant::now(), ended.clone()));
        state.bodies.insert(number, CountedBody { bytes: 0, coming });
        drop(state);
        HeldBytes { bodies: self.clone(), number, bytes: 0, counted: SMALL, ended }
    }

    fn lock(&self) -> MutexGuard<'_, BodyMemoryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyMemoryState {
    /// Counts one more piece of a body. If necessary, slow bodies are dropped to make room. Returns whether there is
    /// room.
    fn count(&mut self, number: u64, most: u64, now: Instant) -> bool {
        loop {
            let Some(own) = self.bodies.get_mut(&number) else { return false };
            if self.bytes == own.bytes || self.bytes + PIECE <= most {
                own.bytes += PIECE;
                self.bytes += PIECE;
                if let Some((since, _)) = &mut own.coming {
                    *since = now;
                }
                return true;
            }
            let slow = self.bodies.iter().filter(|(other, counted)| **other != number && counted.bytes > 0);
            let slow = slow.filter_map(|(other, counted)| Some((*other, counted.coming.as_ref()?.0)));
            let slowest = slow.min_by_key(|(_, since)| *since).filter(|(_, since)| *since + SLOW <= now);
            let Some((slowest, _)) = slowest else { return false };
            self.end(slowest);
        }
    }

    /// Removes a body, and stops it if it is still arriving.
    fn end(&mut self, number: u64) {
        let Some(body) = self.bodies.remove(&number) else { return };
        self.bytes -= body.bytes;
        if let Some((_, ended)) = body.coming {
            ended.notify_one();
        }
    }
}

impl HeldBytes {
    /// Counts further bytes.
    ///
    /// # Errors
    ///
    /// `limit::bodies` if there is no room for them.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), Box<Diagnostic>> {
        self.bytes += bytes as u64;
        while self.counted < self.bytes {
            if !self.bodies.lock().count(self.number, self.bodies.most, Instant::now()) {
                return Err(self.full());
            }
            self.counted += PIECE;
        }
        Ok(())
    }

    /// Notes that the body is complete. From now on it is not dropped for others.
    ///
    /// # Errors
    ///
    /// `limit::bodies` if it was dropped.
    pub(super) fn is_whole(&self) -> Result<(), Box<Diagnostic>> {
        match self.bodies.lock().bodies.get_mut(&self.number) {
            Some(body) => {
                body.coming = None;
                Ok(())
            }
            None => Err(self.full()),
        }
    }

    /// Waits until the body has to be dropped for another one.
    pub(super) async fn ended(&self) -> Box<Diagnostic> {
        self.ended.notified().await;
        self.full()
    }

    fn full(&self) -> Box<Diagnostic> {
        let most = thousands(self.bodies.most);
        let message = format!("the bodies of all requests together would take more than {most} bytes");
        Box::new(Diagnostic::error("limit::bodies", message).with_help("send it again later"))
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        self.bodies.lock().end(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(bodies: &BodyMemory, number: u64, now: Instant) -> bool {
        bodies.lock().count(number, bodies.most, now)
    }

    #[test]
    fn a_slow_body_gives_way_to_a_faster_one() {
        let bodies = BodyMemory::new(3 * PIECE);
        let (slow, fast) = (bodies.begin(), bodies.begin());
        let begin = Instant::now();
        assert!(count(&bodies, slow.number, begin) && count(&bodies, slow.number, begin));
        assert!(count(&bodies, fast.number, begin + SLOW / 2));
        // Its last piece came half of the time ago, and there is no room.
        assert!(!count(&bodies, fast.number, begin + SLOW / 2));
        assert!(count(&bodies, fast.number, begin + SLOW));
        assert!(!count(&bodies, slow.number, begin + SLOW));
        assert_eq!(slow.is_whole().expect_err("it gave way").code, "limit::bodies");
        assert_eq!(bodies.lock().bytes, 2 * PIECE);
        drop((slow, fast));
        assert_eq!(bodies.lock().bytes, 0);
    }

    #[test]
    fn a_whole_body_gives_way_to_none() {
        let bodies = BodyMemory::new(2 * PIECE);
        let (whole, other) = (bodies.begin(), bodies.begin());
        let begin = Instant::now();
        assert!(count(&bodies, whole.number, begin) && count(&bodies, whole.number, begin));
        whole.is_whole().expect("it has not given way");
        assert!(!count(&bodies, other.number, begin + 10 * SLOW));
        drop(whole);
        assert!(count(&bodies, other.number, begin + 10 * SLOW));
    }

    #[test]
    fn a_small_body_and_one_alone_have_room_always() {
        let bodies = BodyMemory::new(PIECE);
        let (mut large, mut small, mut further) = (bodies.begin(), bodies.begin(), bodies.begin());
        large.grow(10 << 20).expect("it is alone");
        small.grow(1 << 10).expect("it is small");
        assert_eq!(further.grow(10 << 20).expect_err("there is one").code, "limit::bodies");
        drop(large);
        further.grow(10 << 20).expect("it is alone now");
    }
}
