//! Answers in JSON.

use std::io;
use std::rc::Rc;

use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{HeaderMap, StatusCode};
use serde_json::Value;

use crate::asked::Asked;
use crate::channel::Reply;
use crate::head::Head;
use crate::pieces::Pieces;
use crate::problem::Problem;
use crate::states::{begin, is_known};

/// Answers with an object. `state` is the name of the state of the data that it tells of.
///
/// # Errors
///
/// None; the form is that of all operations.
pub(super) fn answer(
    asked: &Asked,
    state: Option<&str>,
    value: &Value,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
    answer_with(asked, head(StatusCode::OK), state, value, reply)
}

/// The head of an answer in JSON.
pub(super) fn head(status: StatusCode) -> Head {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Head { status, headers }
}

/// Answers with an object and another head.
///
/// # Errors
///
/// None; the form is that of all operations.
pub(super) fn answer_with(
    asked: &Asked,
    head: Head,
    state: Option<&str>,
    value: &Value,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
    if !begin(asked, head, state, reply) {
        return Ok(());
    }
    let mut pieces = Pieces::of(reply, asked.compression());
    // An error here means that the client has disconnected.
    let _ = serde_json::to_writer(&mut pieces, value).map_err(io::Error::from).and_then(|()| pieces.finish());
    Ok(())
}

/// Answers with an object of a state, which is not made where the client has it already.
///
/// # Errors
///
/// Those of making it.
pub(super) fn answer_of(
    asked: &Asked,
    state: &str,
    make: impl FnOnce() -> Result<Value, Problem>,
    reply: &Rc<Reply>,
) -> Result<(), Problem> {
    let value = if is_known(asked, state) { Value::Null } else { make()? };
    answer(asked, Some(state), &value, reply)
}
