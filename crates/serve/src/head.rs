//! The head of a response.

use hyper::{HeaderMap, StatusCode};

/// The status and the headers of an answer.
#[derive(Debug)]
pub(super) struct ResponseHead {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
}
