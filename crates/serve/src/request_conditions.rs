//! The names of states that a request has in its conditions (RFC 9110, section 13.1).

use hyper::HeaderMap;
use hyper::header::HeaderName;

/// Returns whether a header names a state; nothing where it is not there.
pub(super) fn names(headers: &HeaderMap, header: &HeaderName, state: &str) -> Option<bool> {
    let mut values = headers.get_all(header).iter().peekable();
    values.peek()?;
    let mut names = values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let is_state = |name: &str| name == "*" || name.trim_start_matches("W/").trim_matches('"') == state;
    Some(names.any(|name| is_state(name.trim())))
}
