//! The body of a response: bytes that are complete, or an answer that is still being made. Its end is recorded.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Instant;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use super::channel::ReplyReceiver;
use super::connections::ConnectionStatus;
use super::observer::AnsweredRequest;
use super::server_context::ServerContext;

/// The content of a response.
pub(super) enum ReplyContent {
    Whole(Bytes),
    Answer(ReplyReceiver),
}

/// The body of a response.
pub(super) struct ReplyBody {
    content: ReplyContent,
    record: AccessRecord,
}

/// The record about a request, written when the body of its response is dropped.
pub(super) struct AccessRecord {
    pub(super) context: Arc<ServerContext>,
    pub(super) seat: Arc<ConnectionStatus>,
    pub(super) resource: &'static str,
    pub(super) begin: Instant,
    pub(super) access: AnsweredRequest,
}

impl ReplyBody {
    /// Makes a body whose end is recorded.
    pub(super) fn new(content: ReplyContent, mut record: AccessRecord) -> Self {
        // An empty body is never polled.
        record.access.is_whole = matches!(&content, ReplyContent::Whole(bytes) if bytes.is_empty());
        Self { content, record }
    }
}

impl Drop for AccessRecord {
    fn drop(&mut self) {
        let Self { context, seat, resource, begin, access } = self;
        seat.is_answered(false);
        access.time = begin.elapsed();
        context.metrics.count(resource, access.status, access.sent, access.time);
        if let Some(observer) = &context.options.observer {
            observer.answered(access);
        }
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        task: &mut Task<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let Self { content, record } = self.get_mut();
        let next = match content {
            ReplyContent::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            ReplyContent::Whole(bytes) => Poll::Ready(Some(Ok(std::mem::take(bytes)))),
            ReplyContent::Answer(answer) => answer.poll_bytes(task),
        };
        match &next {
            Poll::Ready(Some(Ok(bytes))) => {
                record.access.sent += bytes.len() as u64;
                record.access.is_whole = matches!(content, ReplyContent::Whole(_));
            }
            Poll::Ready(None) => record.access.is_whole = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        next.map(|next| next.map(|bytes| bytes.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.content, ReplyContent::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            ReplyContent::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            ReplyContent::Answer(_) => SizeHint::default(),
        }
    }
}
