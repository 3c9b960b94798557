//! The names that states of the data have in responses (ETag, RFC 9110, section 8.8.3), and what clients ask of them.

use hyper::header::{CACHE_CONTROL, ETAG, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use hyper::{Method, StatusCode};

use super::asked::Asked;
use super::channel::Reply;
use super::head::Head;
use crate::diagnostic::Diagnostic;

/// Tells whether a request asks and changes nothing.
pub(super) fn is_read(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

/// Begins an answer, from a state where that has a name, and tells whether the client wants its body: 304 has none, nor has HEAD.
///
/// The name is a weak one: labels of blank nodes, and the order where none is asked for, may differ.
pub(super) fn begin(asked: &Asked, mut head: Head, state: Option<&str>, reply: &Reply) -> bool {
    let mut is_known = false;
    if let Some(state) = state
        && let Ok(name) = HeaderValue::from_str(&format!("W/\"{state}\""))
    {
        head.headers.insert(ETAG, name);
        head.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        is_known = names(asked, &IF_NONE_MATCH, state).unwrap_or(false);
    }
    if is_known {
        head.status = StatusCode::NOT_MODIFIED;
    }
    reply.begin(head);
    !is_known && asked.method != Method::HEAD
}

/// Refuses a change that is meant for another state. A name stands for all data, so that a weak one is as good as a strong one.
///
/// # Errors
///
/// `serve::changed`.
pub(super) fn check_is_meant(asked: &Asked, state: &str) -> Result<(), Box<Diagnostic>> {
    if names(asked, &IF_MATCH, state).unwrap_or(true) {
        return Ok(());
    }
    let message = "the data are in another state than the one that `If-Match` names";
    Err(Box::new(Diagnostic::error("serve::changed", message)))
}

/// Tells whether a header names a state; nothing where it is not there.
fn names(asked: &Asked, header: &HeaderName, state: &str) -> Option<bool> {
    let mut values = asked.headers.get_all(header).iter().peekable();
    values.peek()?;
    let mut names = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let is_state = |name: &str| name == "*" || name.trim_start_matches("W/").trim_matches('"') == state;
    Some(names.any(|name| is_state(name.trim())))
}
