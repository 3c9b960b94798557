//! Passes an answer from the thread that makes it to its connection.
//!
//! The thread writes bytes, and waits while the connection has many unsent ones; meanwhile another evaluation uses its
//! place. The connection takes large pieces at once, and small ones after a moment. If the answer is complete by then,
//! the connection wakes only once, and the answer has a length; if it has failed by then, it is an error with a status.
//! A later fault breaks the connection, so an incomplete answer does not look complete.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use hyper::HeaderMap;

use super::head::ResponseHead;
use super::moments::{MomentClock, MomentWaiter};
use super::problem::ProblemDetails;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::{EvaluationHandle, EvaluationPlace};

/// Pieces of this size are sent at once.
const PIECE: usize = 1 << 15;
/// The thread waits if this many bytes are unsent.
const MOST: usize = 1 << 18;
/// When a thread that could not give up its place tries again.
const AGAIN: Duration = Duration::from_millis(25);

/// The thread's end. When it is dropped, the answer ends: with a fault, unless it was finished.
pub(super) struct ReplySender {
    channel: Arc<ReplyChannel>,
    /// The place among evaluations, which the thread gives up while it waits.
    place: Option<EvaluationPlace>,
}

/// The connection's end. When it is dropped, the evaluation is cancelled.
pub(super) struct ReplyReceiver {
    channel: Arc<ReplyChannel>,
    evaluation: Option<EvaluationHandle>,
    moments: Arc<MomentClock>,
}

/// Ends an answer on behalf of its thread.
pub(super) struct ReplyCloser(Arc<ReplyChannel>);

#[derive(Debug, Default)]
struct ReplyChannel {
    state: Mutex<ReplyChannelState>,
    has_room: Condvar,
}

#[derive(Debug, Default)]
struct ReplyChannelState {
    head: Option<ResponseHead>,
    bytes: Vec<u8>,
    end: Option<Result<(), ProblemDetails>>,
    /// `true` if the connection no longer takes bytes.
    is_gone: bool,
    /// `true` if the work has already had an effect, so only its own end says how it ended.
    is_settled: bool,
    /// `true` if the connection has to be woken at the next moment.
    is_waiting: bool,
    /// `true` if a moment has passed, and there were bytes.
    is_over: bool,
    /// `true` if a moment has passed without any byte: the next byte wakes the connection.
    is_awaited: bool,
    waker: Option<Waker>,
}

/// The beginning of an answer.
pub(super) enum ReplyBeginning {
    Whole(ResponseHead, Bytes),
    /// The head. The rest is read from the answer.
    Begun(ResponseHead),
    Failed(ProblemDetails),
}

/// Makes the two ends of an answer, and a third one that can end it.
pub(super) fn channel(moments: &Arc<MomentClock>) -> (ReplySender, ReplyCloser, ReplyReceiver) {
    let channel = Arc::<ReplyChannel>::default();
    let answer = ReplyReceiver { channel: channel.clone(), evaluation: None, moments: moments.clone() };
    (ReplySender { channel: channel.clone(), place: None }, ReplyCloser(channel), answer)
}

impl ReplyChannelState {
    /// Returns whether the thread has to wait before it writes more.
    fn is_full(&self) -> bool {
        self.bytes.len() >= MOST && !self.is_gone && self.end.is_none()
    }
}

impl ReplyChannel {
    fn lock(&self) -> MutexGuard<'_, ReplyChannelState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, end: Result<(), ProblemDetails>) {
        let mut state = self.lock();
        if state.end.is_none() {
            state.end = Some(end);
        }
        let waker = state.waker.take();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl ReplySender {
    /// Stores the place of the evaluation that makes the answer.
    pub(super) fn at(mut self, place: EvaluationPlace) -> Self {
        self.place = Some(place);
        self
    }

    /// Sets the status and the headers, before the first byte.
    pub(super) fn begin(&self, head: ResponseHead) {
        self.channel.lock().head = Some(head);
    }

    /// Changes the headers before the first byte is pushed.
    pub(super) fn with_headers(&self, change: impl FnOnce(&mut HeaderMap)) {
        if let Some(head) = &mut self.channel.lock().head {
            change(&mut head.headers);
        }
    }

    /// From now on, only the end of the work ends the answer, unless it was cancelled before.
    ///
    /// # Errors
    ///
    /// The answer was cancelled.
    pub(super) fn settle(&self) -> Result<(), Box<Diagnostic>> {
        let mut state = self.channel.lock();
        if state.end.is_some() {
            return Err(Box::new(Diagnostic::error("serve::gone", "the change was cancelled")));
        }
        state.is_settled = true;
        Ok(())
    }

    /// Passes bytes to the connection.
    ///
    /// # Errors
    ///
    /// `BrokenPipe` if the connection no longer takes them.
    pub(super) fn push(&self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let mut state = self.channel.lock();
        if state.is_full() {
            drop(state);
            self.wait_for_room();
            state = self.channel.lock();
        }
        if state.is_gone || state.end.is_some() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let before = state.bytes.len();
        // An empty buffer is swapped, so the bytes are not copied.
        if before == 0 {
            std::mem::swap(&mut state.bytes, bytes);
        } else {
            state.bytes.append(bytes);
        }
        let is_due = before < PIECE && (state.is_awaited || state.bytes.len() >= PIECE);
        let waker = state.waker.take_if(|_| is_due);
        drop(state);
        waker.into_iter().for_each(Waker::wake);
        Ok(())
    }

    /// Waits until the connection takes bytes. Gives up the place among evaluations meanwhile, if that is allowed.
    fn wait_for_room(&self) {
        let mut has_left = false;
        loop {
            if !has_left {
                has_left = self.place.as_ref().is_some_and(EvaluationPlace::leave);
            }
            let state = self.channel.lock();
            if !state.is_full() {
                break;
            }
            let room = &self.channel.has_room;
            if has_left {
                drop(room.wait(state).unwrap_or_else(PoisonError::into_inner));
            } else {
                drop(room.wait_timeout(state, AGAIN).unwrap_or_else(PoisonError::into_inner));
            }
        }
        if let Some(place) = self.place.as_ref().filter(|_| has_left) {
            place.take();
        }
    }

    /// Ends the answer.
    pub(super) fn finish(&self, end: Result<(), ProblemDetails>) {
        self.channel.end(end);
    }
}

impl Drop for ReplySender {
    fn drop(&mut self) {
        self.channel.end(Err(ProblemDetails::panicked()));
    }
}

impl ReplyCloser {
    /// Ends the answer with a fault. Its thread continues without it.
    pub(super) fn give_up(self, why: Diagnostic) {
        if self.0.lock().is_settled {
            return;
        }
        self.0.end(Err(ProblemDetails::from(Box::new(why))));
        self.0.has_room.notify_all();
    }
}

impl ReplyReceiver {
    /// Stores the evaluation that makes the answer.
    pub(super) fn with_evaluation(mut self, evaluation: EvaluationHandle) -> Self {
        self.evaluation = Some(evaluation);
        self
    }

    /// Waits for the beginning.
    pub(super) async fn beginning(&mut self) -> ReplyBeginning {
        std::future::poll_fn(|context| self.poll_beginning(context)).await
    }

    fn poll_beginning(&mut self, context: &mut Context<'_>) -> Poll<ReplyBeginning> {
        if self.poll_due(context).is_pending() {
            return Poll::Pending;
        }
        let mut state = self.channel.lock();
        let head = state.head.take();
        Poll::Ready(match (head, state.end.take()) {
            (head, Some(end)) => {
                // The answer has ended, even if not all of it is taken.
                state.end = Some(Ok(()));
                match (head, end) {
                    (_, Err(problem)) => ReplyBeginning::Failed(problem),
                    (None, Ok(())) => ReplyBeginning::Failed(ProblemDetails::panicked()),
                    (Some(head), Ok(())) => {
                        ReplyBeginning::Whole(head, std::mem::take(&mut state.bytes).into())
                    }
                }
            }
            (None, None) => ReplyBeginning::Failed(ProblemDetails::panicked()),
            (Some(head), None) => ReplyBeginning::Begun(head),
        })
    }

    /// Takes the next bytes; `None` at the end.
    pub(super) fn poll_bytes(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        if self.poll_due(context).is_pending() {
            return Poll::Pending;
        }
        let mut state = self.channel.lock();
        if let Some(Err(_)) = &state.end {
            return Poll::Ready(Some(Err(io::Error::other("the answer could not be finished"))));
        }
        if state.bytes.is_empty() {
            return Poll::Ready(None);
        }
        let bytes = std::mem::take(&mut state.bytes);
        drop(state);
        self.channel.has_room.notify_all();
        Poll::Ready(Some(Ok(bytes.into())))
    }

    /// Waits for the end, for a piece, or for a moment after a few bytes.
    fn poll_due(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.channel.lock();
        let is_over = std::mem::take(&mut state.is_over);
        if state.end.is_some() || state.bytes.len() >= PIECE || is_over && !state.bytes.is_empty() {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        state.is_awaited = state.is_awaited && state.bytes.is_empty();
        let waits = !state.is_awaited && !std::mem::replace(&mut state.is_waiting, true);
        drop(state);
        if waits {
            self.moments.wait(self.channel.clone());
        }
        Poll::Pending
    }
}

impl MomentWaiter for ReplyChannel {
    fn moment(&self) {
        let mut state = self.lock();
        state.is_waiting = false;
        // If there is nothing yet, the first byte wakes the connection, not the next moment.
        let is_over = !state.bytes.is_empty();
        (state.is_over, state.is_awaited) = (is_over, !is_over);
        let waker = state.waker.take_if(|_| is_over);
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Drop for ReplyReceiver {
    fn drop(&mut self) {
        {
            let mut state = self.channel.lock();
            state.is_gone = true;
            state.bytes = Vec::new();
            if state.end.is_some() {
                return;
            }
        }
        self.channel.has_room.notify_all();
        if let Some(evaluation) = &self.evaluation {
            evaluation.cancel(Diagnostic::error("serve::gone", "the client disconnected"));
        }
    }
}
