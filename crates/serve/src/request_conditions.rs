//! The names of states in the conditions of a request (RFC 9110, section 13.1).

use hyper::HeaderMap;
use hyper::header::HeaderName;

/// Returns whether a header names a state; `None` if there is no such header.
pub(super) fn names(headers: &HeaderMap, header: &HeaderName, state: &str) -> Option<bool> {
    let mut values = headers.get_all(header).iter().peekable();
    values.peek()?;
    let mut names = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let is_state = |name: &str| name == "*" || name.trim_start_matches("W/").trim_matches('"') == state;
    Some(names.any(|name| is_state(name.trim())))
}
