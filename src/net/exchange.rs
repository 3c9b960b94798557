//! One exchange of HTTP/1.1 with `ureq`: it connects to addresses that are allowed, and reads the answer within its
//! limits.
//!
//! The exchange connects to the very address that it checked, so that a name that changes its address in between
//! gains nothing. Proxies are not used, since they would choose the address. The caller follows redirects, since each
//! leads to a URL that has to be allowed.

use super::address::AddressClass;
use super::options::NetOptions;
use super::target::RequestTarget;
use crate::diagnostic::help::{help, raising, setting};
use crate::diagnostic::{Help, plain, thousands};
use flate2::read::MultiGzDecoder;
use std::fmt;
use std::io::{self, Read};
use std::time::Instant;
use ureq::http::HeaderMap;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Error, Timeout, http};

/// The most bytes of a status line with header fields.
const MOST_HEAD: usize = 64 << 10;

/// The answer of a server.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: http::StatusCode,
    fields: HeaderMap,
    /// The body; empty unless the status is one of success.
    pub(super) body: Vec<u8>,
}

impl Reply {
    /// The values of all header fields of a name.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = String> {
        let values = self.fields.get_all(name).iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
    }

    /// The value of the first header field of a name.
    pub(super) fn first(&self, name: &'static str) -> Option<String> {
        self.all(name).next()
    }
}

/// The reason why there is no answer: a sentence, and help.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) help: Option<Help>,
}

impl Fault {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    fn with_help(mut self, help: impl Into<Help>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// The client for all exchanges. Connections are not kept: each document is requested once.
pub(super) fn agent(options: &NetOptions) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .max_idle_connections(0)
        .max_response_header_size(MOST_HEAD)
        .timeout_resolve(Some(options.connect_timeout))
        .timeout_connect(Some(options.connect_timeout))
        .accept_encoding("identity")
        .user_agent(concat!("evalgraph/", env!("CARGO_PKG_VERSION")))
        .build();
    Agent::with_parts(config, DefaultConnector::new(), AllowedAddresses(*options, DefaultResolver::default()))
}

/// Resolves a name to the addresses that the program may connect to.
#[derive(Debug)]
struct AllowedAddresses(NetOptions, DefaultResolver);

impl Resolver for AllowedAddresses {
    fn resolve(
        &self,
        uri: &http::Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_ascii_lowercase();
        let addresses = self.1.resolve(uri, config, timeout).map_err(|error| match error {
            Error::Io(error) => {
                Error::Other(Box::new(Fault::new(format!("`{host}` has no address: {}", plain(&error)))))
            }
            error => error,
        })?;
        let mut allowed = self.empty();
        for address in &addresses {
            if AddressClass::of(address.ip()).is_allowed(self.0.allow) {
                allowed.push(*address);
            }
        }
        if !allowed.is_empty() {
            return Ok(allowed);
        }
        let address = addresses.first().ok_or(Error::HostNotFound)?.ip();
        let (class, flag) = AddressClass::of(address).words();
        let fault = Fault::new(format!("`{host}` is at {address}, {class} address, which is not allowed"));
        Err(Error::Other(Box::new(match flag {
            Some(flag) => fault.with_help(help![setting("net-allow").to(flag), " allows it"]),
            None => fault,
        })))
    }
}

/// One request under way.
pub(super) struct Exchange<'e> {
    pub(super) options: &'e NetOptions,
    pub(super) agent: &'e Agent,
    pub(super) accept: &'e str,
    /// The time by which the whole document has to be read.
    pub(super) deadline: Instant,
}

impl Exchange<'_> {
    /// Requests a document.
    pub(super) fn get(&self, target: &RequestTarget) -> Result<Reply, Fault> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.late(target));
        }
        let request = self.agent.get(target.to_string()).config().timeout_global(Some(left)).build();
        let request = request.header("accept", self.accept).header("connection", "close");
        let (head, body) = request.call().map_err(|error| self.fault(error, target))?.into_parts();
        let mut reply = Reply { status: head.status, fields: head.headers, body: Vec::new() };
        if reply.status.is_success() {
            reply.body = self.body(body, &reply, target)?;
        }
        Ok(reply)
    }

    fn body(&self, mut body: Body, reply: &Reply, target: &RequestTarget) -> Result<Vec<u8>, Fault> {
        let (host, most) = (&target.authority, self.options.limits.size);
        let coding = reply.first("transfer-encoding");
        if let Some(coding) = coding.filter(|coding| !coding.eq_ignore_ascii_case("chunked")) {
            return Err(Fault::new(format!("`{host}` sends in the coding `{coding}`, which is not known")));
        }
        if body.content_length().is_some_and(|length| length > most) {
            return Err(self.too_large(target));
        }
        let read = body.with_config().limit(most).read_to_vec();
        let bytes = read.map_err(|error| self.fault(error, target))?;
        // Some servers compress although the request does not accept it.
        match reply.first("content-encoding").map(|coding| coding.to_ascii_lowercase()).as_deref() {
            None | Some("" | "identity") => Ok(bytes),
            Some("gzip" | "x-gzip") => {
                let mut opened = Vec::new();
                let mut decoder = MultiGzDecoder::new(bytes.as_slice()).take(most.saturating_add(1));
                decoder.read_to_end(&mut opened).map_err(|error| self.fault(Error::Io(error), target))?;
                if opened.len() as u64 > most { Err(self.too_large(target)) } else { Ok(opened) }
            }
            Some(coding) => {
                Err(Fault::new(format!("`{host}` compresses with `{coding}`, which was not asked for")))
            }
        }
    }

    fn too_large(&self, target: &RequestTarget) -> Fault {
        let most = thousands(self.options.limits.size);
        let message = format!("the answer of `{}` has more than {most} bytes", target.authority);
        Fault::new(message).with_help(raising("max-size", "4GiB"))
    }

    fn late(&self, target: &RequestTarget) -> Fault {
        let (host, seconds) = (&target.authority, self.options.timeout.as_secs_f64());
        let message = format!("`{host}` did not answer within {seconds} seconds");
        Fault::new(message).with_help(raising("net-timeout", "5m"))
    }

    fn fault(&self, error: Error, target: &RequestTarget) -> Fault {
        let host = &target.authority;
        Fault::new(match error {
            Error::Other(inner) => match inner.downcast::<Fault>() {
                Ok(fault) => return *fault,
                Err(inner) => format!("`{host}` cannot be asked: {inner}"),
            },
            Error::BodyExceedsLimit(_) => return self.too_large(target),
            Error::Timeout(Timeout::Resolve) => format!("the address of `{host}` was not found in time"),
            Error::Timeout(Timeout::Connect) => format!("`{host}` did not accept a connection in time"),
            Error::Timeout(_) => return self.late(target),
            Error::HostNotFound => format!("`{host}` has no address"),
            Error::LargeResponseHeader(..) => {
                format!("`{host}` sends more than {} bytes of header", thousands(MOST_HEAD as u64))
            }
            Error::Protocol(fault) => format!("the answer of `{host}` is not HTTP: {fault}"),
            Error::Rustls(fault) => format!("no secure connection to `{host}`: {fault}"),
            Error::Tls(fault) => format!("no secure connection to `{host}`: {fault}"),
            Error::Io(error) => match error.kind() {
                io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => return self.late(target),
                io::ErrorKind::InvalidData => format!("no secure connection to `{host}`: {error}"),
                io::ErrorKind::ConnectionRefused
                | io::ErrorKind::HostUnreachable
                | io::ErrorKind::NetworkUnreachable
                | io::ErrorKind::AddrNotAvailable => {
                    format!("`{host}` cannot be connected to: {}", plain(&error))
                }
                // A server without TLS closes the connection when it receives TLS.
                io::ErrorKind::UnexpectedEof if target.is_tls => {
                    format!("no secure connection to `{host}`, which closed it")
                }
                io::ErrorKind::UnexpectedEof => ended(host),
                _ => format!("the connection to `{host}` broke off: {}", plain(&error)),
            },
            Error::BodyStalled => ended(host),
            error => format!("`{host}` cannot be asked: {error}"),
        })
    }
}

fn ended(host: &str) -> String {
    format!("`{host}` closed the connection before its answer ended")
}
