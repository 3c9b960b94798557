//! Answers in JSON.

use std::io;
use std::rc::Rc;

use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, StatusCode};
use serde_json::Value;

use crate::channel::ReplySender;
use crate::head::ResponseHead;
use crate::pieces::ReplyWriter;
use crate::problem::ProblemDetails;
use crate::received_request::ReceivedRequest;
use crate::states::{begin, is_known};

/// Answers with an object. `state` is the name of the state of the data that the object describes.
///
/// # Errors
///
/// None; it returns a `Result` like all operations.
pub(super) fn answer(
    asked: &ReceivedRequest,
    state: Option<&str>,
    value: &Value,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    answer_with(asked, head(StatusCode::OK), state, value, reply)
}

/// Returns the head of a JSON answer.
pub(super) fn head(status: StatusCode) -> ResponseHead {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    ResponseHead { status, headers }
}

/// Answers with an object and another head.
///
/// # Errors
///
/// None; it returns a `Result` like all operations.
pub(super) fn answer_with(
    asked: &ReceivedRequest,
    head: ResponseHead,
    state: Option<&str>,
    value: &Value,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    if !begin(asked, head, state, reply) {
        return Ok(());
    }
    let mut pieces = ReplyWriter::new(reply, asked.compression());
    // An error here means that the client has disconnected.
    let _ = serde_json::to_writer(&mut pieces, value).map_err(io::Error::from).and_then(|()| pieces.finish());
    Ok(())
}

/// Answers with an object of a state. It is not made if the client already has it.
///
/// # Errors
///
/// The errors of making it.
pub(super) fn answer_of(
    asked: &ReceivedRequest,
    state: &str,
    make: impl FnOnce() -> Result<Value, ProblemDetails>,
    reply: &Rc<ReplySender>,
) -> Result<(), ProblemDetails> {
    let value = if is_known(asked, state) { Value::Null } else { make()? };
    answer(asked, Some(state), &value, reply)
}
