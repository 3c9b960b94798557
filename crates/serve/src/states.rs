//! The names of states of the data in responses (ETag, RFC 9110, section 8.8.3), and the conditions of clients about
//! them.

use hyper::header::{CACHE_CONTROL, ETAG, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use hyper::{Method, StatusCode};

use super::channel::ReplySender;
use super::head::ResponseHead;
use super::received_request::ReceivedRequest;
use super::request_conditions::names;
use evalgraph_diagnostics::Diagnostic;

/// Returns whether a request only reads.
pub(super) fn is_read(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

/// Begins an answer, with the name of the state if it has one. Returns whether the client wants the body: 304 and HEAD
/// have none.
///
/// The name is a weak one, because the labels of blank nodes may differ, and the order if none is asked for.
pub(super) fn begin(
    asked: &ReceivedRequest,
    mut head: ResponseHead,
    state: Option<&str>,
    reply: &ReplySender,
) -> bool {
    let mut is_known = false;
    if let Some(state) = state
        && let Ok(name) = HeaderValue::from_str(&format!("W/\"{state}\""))
    {
        head.headers.insert(ETAG, name);
        head.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        is_known = self::is_known(asked, state);
    }
    if is_known {
        head.status = StatusCode::NOT_MODIFIED;
    }
    reply.begin(head);
    !is_known && asked.method != Method::HEAD
}

/// Returns the name of an answer that contains the findings of a state. They come later than the state, and change the
/// answer.
pub(super) fn with_findings(state: &str) -> String {
    format!("{state}+findings")
}

/// Returns whether the client already has the answer of a state.
pub(super) fn is_known(asked: &ReceivedRequest, state: &str) -> bool {
    names(&asked.headers, &IF_NONE_MATCH, state).unwrap_or(false)
}

/// Refuses a change that is meant for another state. A name means all data, so a weak name is as good as a strong
/// one.
///
/// # Errors
///
/// `serve::changed`.
pub(super) fn check_is_meant(asked: &ReceivedRequest, state: &str) -> Result<(), Box<Diagnostic>> {
    let is_named = |name: &str| names(&asked.headers, &IF_MATCH, name).unwrap_or(true);
    if is_named(state) || is_named(&with_findings(state)) {
        return Ok(());
    }
    let message = "the data are not in the state that `If-Match` names";
    Err(Box::new(Diagnostic::error("serve::changed", message)))
}
