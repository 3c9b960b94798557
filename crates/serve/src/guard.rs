//! Access checks: the names that the server accepts for itself, and the pages that may change data.
//!
//! A page from elsewhere can make a browser send requests to this server. A name that was made to point here (DNS
//! rebinding) shows in the `Host` header, and a page of another server in the `Origin` header.

use std::net::IpAddr;

use hyper::header::{HOST, HeaderValue, ORIGIN};
use hyper::{HeaderMap, StatusCode, Uri};

use super::problem::ProblemDetails;
use super::server_options::{ServerOptions, WriteAccess};

/// Returns the name and the port by which a client calls the server.
///
/// # Errors
///
/// `serve::host` if there is no name, if there are several, or if it is not a name of this server.
pub(super) fn authority(uri: &Uri, headers: &HeaderMap, hosts: &[String]) -> Result<String, ProblemDetails> {
    let mut named = headers.get_all(HOST).into_iter();
    let (host, other) = (named.next(), named.next());
    let host = host.and_then(|host| host.to_str().ok()).filter(|_| other.is_none());
    let host = host
        .ok_or_else(|| ProblemDetails::bad("serve::host", "a request must have exactly one Host header"))?;
    let in_uri = uri.authority().map_or(host, |authority| authority.as_str());
    if !in_uri.eq_ignore_ascii_case(host) {
        return Err(ProblemDetails::bad("serve::host", "the URL and the Host header name different servers"));
    }
    let name = name_of(host);
    let is_known = |known: &str| known.eq_ignore_ascii_case(name);
    let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    if is_address || is_known("localhost") || hosts.iter().any(|host| is_known(host)) {
        return Ok(host.to_owned());
    }
    let message = "the Host header has a name that this server does not know";
    Err(ProblemDetails::new(StatusCode::MISDIRECTED_REQUEST, "serve::host", message))
}

/// Checks that a request may read.
///
/// # Errors
///
/// `serve::token`.
pub(super) fn check_read(options: &ServerOptions, headers: &HeaderMap) -> Result<(), ProblemDetails> {
    let Some(token) = &options.read_token else { return Ok(()) };
    let may_write = matches!(&options.writes, WriteAccess::WithToken(token) if token.is_in(headers));
    match may_write || token.is_in(headers) {
        true => Ok(()),
        false => Err(ProblemDetails::unauthorized("requests need a token of this server")),
    }
}

/// Returns the origin of the page that sent the request, if the page may read answers.
pub(super) fn allowed_origin<'h>(options: &ServerOptions, headers: &'h HeaderMap) -> Option<&'h HeaderValue> {
    let origin = headers.get(ORIGIN)?;
    let is_it = |known: &String| known == "*" || origin.as_bytes().eq_ignore_ascii_case(known.as_bytes());
    options.origins.iter().any(is_it).then_some(origin)
}

/// Checks that a request may change data.
///
/// # Errors
///
/// `serve::read-only`, `serve::token`, `serve::origin`.
pub(super) fn check_write(
    options: &ServerOptions,
    authority: &str,
    headers: &HeaderMap,
) -> Result<(), ProblemDetails> {
    if let WriteAccess::WithToken(token) = &options.writes
        && !token.is_in(headers)
    {
        return Err(ProblemDetails::unauthorized("changing data needs the token of this server"));
    }
    check_page(options, authority, headers)?;
    match &options.writes {
        // A browser adds a password that its user gave once to the requests of every page, even if the page does not
        // know it.
        WriteAccess::WithToken(token) if !is_own(authority, headers) && !token.is_borne(headers) => {
            Err(foreign("a page of another server must send `Authorization: Bearer TOKEN` to change data"))
        }
        _ => Ok(()),
    }
}

/// Checks that the page that sent the request may change data at all, whatever its token. A preflight asks for this,
/// and sends no token.
///
/// # Errors
///
/// `serve::read-only`, `serve::origin`.
pub(super) fn check_page(
    options: &ServerOptions,
    authority: &str,
    headers: &HeaderMap,
) -> Result<(), ProblemDetails> {
    let is_allowed =
        || allowed_origin(options, headers).is_some() && headers.get_all(ORIGIN).into_iter().count() == 1;
    match &options.writes {
        WriteAccess::Refused => {
            let message = "this server does not allow changes";
            Err(ProblemDetails::new(StatusCode::FORBIDDEN, "serve::read-only", message))
        }
        _ if is_own(authority, headers) => Ok(()),
        // Without a token, there is no way to distinguish a page that may write from all others.
        WriteAccess::Free if is_allowed() => {
            Err(foreign("a page of another server may read here, but needs a token to change data"))
        }
        WriteAccess::WithToken(_) if is_allowed() => Ok(()),
        WriteAccess::WithToken(_) | WriteAccess::Free => {
            Err(foreign("pages of other servers cannot change data here"))
        }
    }
}

/// Returns whether a request was sent by no page, or by a page of this server.
fn is_own(authority: &str, headers: &HeaderMap) -> bool {
    headers.get_all(ORIGIN).into_iter().all(|origin| {
        let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        origin.is_some_and(|(_, host)| host.eq_ignore_ascii_case(authority))
    })
}

fn foreign(message: &str) -> ProblemDetails {
    ProblemDetails::new(StatusCode::FORBIDDEN, "serve::origin", message)
}

/// Returns the name without the port.
fn name_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hosts: &[&'static str]) -> Result<String, StatusCode> {
        let mut headers = HeaderMap::new();
        for host in hosts {
            headers.append(HOST, HeaderValue::from_static(host));
        }
        let known = ["data.example".to_owned()];
        authority(&Uri::from_static("/query"), &headers, &known).map_err(|problem| problem.status)
    }

    #[test]
    fn a_host_is_an_address_localhost_or_named() {
        for good in ["localhost", "LOCALHOST:80", "127.0.0.1:7878", "[::1]:1", "10.0.0.1", "data.example:443"]
        {
            assert_eq!(check(&[good]), Ok(good.to_owned()));
        }
        for bad in ["evil.example", "localhost.evil.example", "data.example.", "127.0.0.1.evil.example:80"] {
            assert_eq!(check(&[bad]), Err(StatusCode::MISDIRECTED_REQUEST), "{bad}");
        }
        assert_eq!(check(&[]), Err(StatusCode::BAD_REQUEST));
        assert_eq!(check(&["localhost", "localhost"]), Err(StatusCode::BAD_REQUEST));
        let uri = Uri::from_static("http://evil.example/query");
        let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static("localhost"))]);
        assert_eq!(authority(&uri, &headers, &[]).expect_err("they differ").status, StatusCode::BAD_REQUEST);
    }
}
