//! The names that states of the data have in responses (ETag, RFC 9110, section 8.8.3), and whether a client has one.

use hyper::Method;
use hyper::header::{CACHE_CONTROL, ETAG, HeaderValue, IF_NONE_MATCH};

use super::asked::Asked;
use super::head::Head;

/// Tells whether a request asks and changes nothing.
pub(super) fn is_read(method: &Method) -> bool {
    method == Method::GET || method == Method::HEAD
}

/// Names the state of the data in the headers of an answer. The name is a weak one: labels of blank nodes, and the order
/// where none is asked for, may differ.
pub(super) fn name_state(state: &str, head: &mut Head) {
    if let Ok(value) = HeaderValue::from_str(&format!("W/\"{state}\"")) {
        head.headers.insert(ETAG, value);
        head.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
}

/// Tells whether the client has the answer that this head begins.
pub(super) fn is_known(asked: &Asked, head: &Head) -> bool {
    let name = head.headers.get(ETAG).and_then(|name| name.to_str().ok()).unwrap_or_default();
    let weak = |name: &str| name.trim().trim_start_matches("W/").to_owned();
    let known = asked.headers.get_all(IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    known.flat_map(|value| value.split(',')).any(|known| known.trim() == "*" || weak(known) == weak(name))
}
