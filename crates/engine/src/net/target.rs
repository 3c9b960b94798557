//! The parts of a URL that a request needs.

use std::borrow::Cow;
use std::fmt;

use super::NetAllow;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingHelp};
use evalgraph_rdf::iri::{is_iri, without_userinfo};

/// The code for a URL that cannot be requested.
pub(super) const ADDRESS: &str = "server::address";

/// The server and path that a request goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequestTarget {
    pub(super) is_tls: bool,
    /// A name or an address. An IPv6 address is without its brackets.
    pub(super) host: String,
    pub(super) port: u16,
    /// The value of the header field `Host`.
    pub(super) authority: String,
    /// Path and query, percent-encoded.
    pub(super) path: String,
}

/// The reason why a URL cannot be requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BadTarget {
    NoUrl,
    OtherScheme,
    /// The scheme is `http`, which is not allowed.
    Unencrypted,
    UserInfo,
    Host,
}

impl RequestTarget {
    pub(super) fn parse(url: &str, allow: NetAllow) -> Result<Self, BadTarget> {
        if !is_iri(url) {
            return Err(BadTarget::NoUrl);
        }
        let (scheme, rest) = url.split_once(':').ok_or(BadTarget::NoUrl)?;
        let is_tls = scheme.eq_ignore_ascii_case("https");
        if !is_tls && !scheme.eq_ignore_ascii_case("http") {
            return Err(BadTarget::OtherScheme);
        }
        if !is_tls && !allow.http {
            return Err(BadTarget::Unencrypted);
        }
        let rest = rest.strip_prefix("//").ok_or(BadTarget::Host)?;
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.contains('@') {
            return Err(BadTarget::UserInfo);
        }
        let (host, port) = match authority.rsplit_once(':') {
            // The last colon of an IPv6 address is inside its brackets.
            Some((host, port)) if !port.ends_with(']') => (host, port),
            _ => (authority, ""),
        };
        let default_port = if is_tls { 443 } else { 80 };
        let port = if port.is_empty() { default_port } else { port.parse().map_err(|_| BadTarget::Host)? };
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        // A name with non-ASCII characters has an ASCII form, which the author of a URL has to use.
        if bare.is_empty() || !bare.is_ascii() || bare.contains('%') {
            return Err(BadTarget::Host);
        }
        let slash = if path.starts_with('/') { "" } else { "/" };
        Ok(Self {
            is_tls,
            host: bare.to_ascii_lowercase(),
            port,
            authority: if port == default_port { host.to_owned() } else { format!("{host}:{port}") },
            path: format!("{slash}{}", encoded(path)),
        })
    }
}

impl RequestTarget {
    /// Scheme, host and port, which identify a server.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.is_tls { "https" } else { "http" };
        format!("{scheme}://{}:{}", self.host, self.port)
    }

    /// Returns whether another target is on the same server.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        (self.is_tls, &self.host, self.port) == (other.is_tls, &other.host, other.port)
    }
}

impl fmt::Display for RequestTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_tls { "https" } else { "http" };
        write!(f, "{scheme}://{}{}", self.authority, self.path)
    }
}

impl BadTarget {
    /// Returns the fault of the URL in words, and help.
    pub(super) fn words(&self, url: &str) -> (String, Option<FindingHelp>) {
        let shown = without_userinfo(url);
        match self {
            Self::NoUrl => (format!("`{shown}` is not an absolute URL"), None),
            Self::OtherScheme => (
                format!("`{shown}` is not a URL of the scheme `https`"),
                Some("the URL of a server begins with `https://` or `http://`".into()),
            ),
            Self::Unencrypted => (
                format!("`{shown}` is a URL of the scheme `http`, which is not allowed"),
                Some(help![setting("net-allow").to("http"), " allows it"]),
            ),
            Self::UserInfo => (
                format!("`{shown}` contains a user name or password, which are never sent"),
                Some("take it out of the URL, or download the document first".into()),
            ),
            Self::Host => (format!("`{shown}` does not name a valid host"), None),
        }
    }
}

/// Rejects anything that is not the URL of a server, or that contains a password.
///
/// # Errors
///
/// `server::address`. The message leaves out the part of the URL that may contain a password.
pub fn check_address(url: &str) -> Result<(), Box<Diagnostic>> {
    let Err(fault) = RequestTarget::parse(url, NetAllow { http: true, ..NetAllow::default() }) else {
        return Ok(());
    };
    // The authority of an invalid URL may end anywhere, and so may a password in it.
    let (scheme, rest) = url.split_once("//").unwrap_or(("", url));
    let shown = match rest.rsplit_once('@') {
        Some((_, rest)) => format!("{scheme}//***@{rest}"),
        None => url.to_owned(),
    };
    let (message, help) = fault.words(&shown);
    let mut error = Diagnostic::error(ADDRESS, message);
    error.help.extend(match fault {
        BadTarget::UserInfo => Some(help![setting("user"), " and ", setting("password-file"), " name them"]),
        _ => help,
    });
    Err(Box::new(error))
}

/// A path and query with every byte outside ASCII percent-encoded (RFC 3987, section 3.1).
fn encoded(path: &str) -> Cow<'_, str> {
    if path.is_ascii() {
        return Cow::Borrowed(path);
    }
    let mut encoded = String::with_capacity(path.len() * 2);
    for byte in path.bytes() {
        if byte.is_ascii() {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    Cow::Owned(encoded)
}

#[test]
fn a_url_comes_apart_where_it_should() {
    let all = NetAllow { http: true, ..NetAllow::default() };
    let target = RequestTarget::parse("HTTPS://Example.ORG:444/ä?b#c", all).expect("a URL");
    assert_eq!((target.is_tls, target.host.as_str(), target.port), (true, "example.org", 444));
    assert_eq!((target.authority.as_str(), target.path.as_str()), ("Example.ORG:444", "/%C3%A4?b"));
    let target = RequestTarget::parse("http://[::1]?q", all).expect("a URL");
    assert_eq!((target.host.as_str(), target.port, target.path.as_str()), ("::1", 80, "/?q"));
    for (url, fault) in [
        ("https://a:b@example.org/", BadTarget::UserInfo),
        ("ftp://example.org/", BadTarget::OtherScheme),
        ("https:example.org", BadTarget::Host),
        ("https:///x", BadTarget::Host),
        ("https://ex%61mple.org/", BadTarget::Host),
        ("https://bücher.example/", BadTarget::Host),
        ("https://example.org:99999/", BadTarget::Host),
        ("https://example.org/a b", BadTarget::NoUrl),
    ] {
        assert_eq!(RequestTarget::parse(url, all), Err(fault), "{url}");
    }
    assert_eq!(RequestTarget::parse("http://example.org/", NetAllow::default()), Err(BadTarget::Unencrypted));
}
