//! The names that states of the data have in responses (ETag, RFC 9110, section 8.8.3), and what clients ask of them.

use hyper::header::{CACHE_CONTROL, ETAG, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use hyper::{Method, StatusCode};

use super::channel::ReplySender;
use super::head::ResponseHead;
use super::received_request::ReceivedRequest;
use super::request_conditions::names;
use evalgraph_diagnostics::Diagnostic;

/// Returns whether a request asks and changes nothing.
pub(super) fn is_read(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

/// Begins an answer, from a state where that has a name, and tells whether the client wants its body: 304 has none, nor has HEAD.
///
/// The name is a weak one: labels of blank nodes, and the order where none is asked for, may differ.
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

/// The name of an answer that has the findings of a state: they come later than the state, and the answer is another one then.
pub(super) fn with_findings(state: &str) -> String {
    format!("{state}+findings")
}

/// Returns whether the client has the answer of a state already.
pub(super) fn is_known(asked: &ReceivedRequest, state: &str) -> bool {
    names(&asked.headers, &IF_NONE_MATCH, state).unwrap_or(false)
}

/// Refuses a change that is meant for another state. A name stands for all data, so that a weak one is as good as a strong one.
///
/// # Errors
///
/// `serve::changed`.
pub(super) fn check_is_meant(asked: &ReceivedRequest, state: &str) -> Result<(), Box<Diagnostic>> {
    let is_named = |name: &str| names(&asked.headers, &IF_MATCH, name).unwrap_or(true);
    if is_named(state) || is_named(&with_findings(state)) {
        return Ok(());
    }
    let message = "the data are in another state than the one that `If-Match` names";
    Err(Box::new(Diagnostic::error("serve::changed", message)))
}
