//! The reasons why there is no response from a server, in words.

use std::fmt;
use std::io;
use std::time::Duration;

use ureq::{Error, Timeout};

use super::target::RequestTarget;
use evalgraph_diagnostics::help::raising;
use evalgraph_diagnostics::{Diagnostic, FindingHelp, plain, thousands};

/// The maximum size in bytes of a status line with header fields.
pub(super) const MOST_HEAD: usize = 64 << 10;

/// A response that is not what was requested.
pub(super) const ANSWER: &str = "server::answer";
/// A connection that ended too early.
pub(super) const BROKE_OFF: &str = "server::broke-off";
/// No secure connection.
pub(super) const CERTIFICATE: &str = "server::certificate";
/// A server that has failed.
pub(super) const FAILED: &str = "server::failed";
/// A proxy that does not let the request through.
pub(super) const PROXY: &str = "server::proxy";
/// A redirect that is not followed.
pub(super) const REDIRECT: &str = "server::redirect";
/// No answer in time.
pub(super) const TIMEOUT: &str = "server::timeout";
/// A server that requires credentials.
pub(super) const UNAUTHORIZED: &str = "server::unauthorized";
/// No connection.
pub(super) const UNREACHABLE: &str = "server::unreachable";

/// Returns whether a request with this fault may have been carried out anyway.
pub fn may_be_done(fault: &Diagnostic) -> bool {
    matches!(&*fault.code, ANSWER | BROKE_OFF | FAILED | TIMEOUT)
}

/// The reason why there is no response: a code, a sentence, and help.
#[derive(Debug, Clone)]
pub(super) struct NetFault {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: Option<FindingHelp>,
}

/// The bounds of a response.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResponseBounds {
    /// The maximum size in bytes.
    pub(super) size: u64,
    /// The longest time.
    pub(super) timeout: Duration,
}

impl NetFault {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None }
    }

    pub(super) fn with_help(mut self, help: impl Into<FindingHelp>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Describes an error of the HTTP client.
    pub(super) fn from_error(error: Error, target: &RequestTarget, bounds: ResponseBounds) -> Self {
        let host = &target.authority;
        let insecure = |why: &dyn fmt::Display| {
            Self::new(CERTIFICATE, format!("no secure connection to `{host}`: {why}"))
        };
        let unasked =
            |why: &dyn fmt::Display| Self::new(UNREACHABLE, format!("`{host}` cannot be asked: {why}"));
        match error {
            Error::Other(inner) => match inner.downcast::<Self>() {
                Ok(fault) => *fault,
                Err(inner) => unasked(&inner),
            },
            Error::BodyExceedsLimit(_) => Self::too_large(target, bounds),
            Error::Timeout(Timeout::Resolve) => {
                Self::new(UNREACHABLE, format!("the address of `{host}` was not found in time"))
            }
            Error::Timeout(Timeout::Connect) => {
                Self::new(UNREACHABLE, format!("`{host}` did not accept a connection in time"))
            }
            Error::Timeout(_) => Self::late(target, bounds),
            Error::HostNotFound => Self::new(UNREACHABLE, format!("`{host}` has no address")),
            Error::LargeResponseHeader(..) => {
                let most = thousands(MOST_HEAD as u64);
                Self::new(ANSWER, format!("`{host}` sends more than {most} bytes of header"))
            }
            Error::Protocol(fault) => {
                Self::new(ANSWER, format!("the answer of `{host}` is not HTTP: {fault}"))
            }
            Error::ConnectProxyFailed(why) => {
                // The message contains the status twice, separated by a slash.
                let why = why.rsplit_once('/').map_or("it did not answer", |(_, status)| status);
                let fault = Self::new(PROXY, format!("the proxy does not connect to `{host}`: {why}"));
                match why {
                    "407" => fault.with_help("`HTTPS_PROXY` can contain the user and password of the proxy"),
                    _ => fault,
                }
            }
            Error::Rustls(fault) => insecure(&fault),
            Error::Tls(fault) => insecure(&fault),
            Error::Io(error) => Self::of_connection(&error, target, bounds),
            Error::BodyStalled => Self::ended(host),
            error => unasked(&error),
        }
    }

    fn of_connection(error: &io::Error, target: &RequestTarget, bounds: ResponseBounds) -> Self {
        let host = &target.authority;
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::late(target, bounds),
            io::ErrorKind::InvalidData => {
                Self::new(CERTIFICATE, format!("no secure connection to `{host}`: {error}"))
            }
            io::ErrorKind::ConnectionRefused
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::AddrNotAvailable => {
                Self::new(UNREACHABLE, format!("`{host}` cannot be connected to: {}", plain(error)))
            }
            // A server without TLS closes the connection when it receives TLS. If the connection ends later, the error
            // has a message.
            io::ErrorKind::UnexpectedEof if target.is_tls && error.get_ref().is_none() => {
                Self::new(CERTIFICATE, format!("no secure connection to `{host}`, which closed it"))
            }
            io::ErrorKind::UnexpectedEof => Self::ended(host),
            _ => Self::new(BROKE_OFF, format!("the connection to `{host}` broke off: {}", plain(error))),
        }
    }

    pub(super) fn too_large(target: &RequestTarget, bounds: ResponseBounds) -> Self {
        let most = thousands(bounds.size);
        let message = format!("the answer of `{}` has more than {most} bytes", target.authority);
        Self::new(ANSWER, message).with_help(raising("max-size", "4GiB"))
    }

    pub(super) fn late(target: &RequestTarget, bounds: ResponseBounds) -> Self {
        let (host, seconds) = (&target.authority, bounds.timeout.as_secs_f64());
        let unit = if bounds.timeout == Duration::from_secs(1) { "second" } else { "seconds" };
        let message = format!("`{host}` did not answer within {seconds} {unit}");
        let more = if bounds.timeout < Duration::from_secs(300) { "5m" } else { "1h" };
        Self::new(TIMEOUT, message).with_help(raising("net-timeout", more))
    }

    /// Describes an error of the body of a response, or of its decompression.
    pub(super) fn of_body(error: io::Error, target: &RequestTarget, bounds: ResponseBounds) -> Self {
        let host = &target.authority;
        match error.downcast::<Error>() {
            Ok(error) => Self::from_error(error, target, bounds),
            Err(error) => match error.kind() {
                io::ErrorKind::UnexpectedEof => Self::ended(host),
                io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                    Self::new(ANSWER, format!("the answer of `{host}` cannot be read: {error}"))
                }
                _ => Self::of_connection(&error, target, bounds),
            },
        }
    }

    fn ended(host: &str) -> Self {
        Self::new(BROKE_OFF, format!("`{host}` closed the connection before its answer ended"))
    }
}

/// Returns whether the request may have succeeded in spite of the fault, or may succeed the next time.
pub fn is_passing(fault: &Diagnostic) -> bool {
    [BROKE_OFF, FAILED, PROXY, TIMEOUT].contains(&&*fault.code)
}

impl fmt::Display for NetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NetFault {}

impl From<NetFault> for Box<Diagnostic> {
    fn from(fault: NetFault) -> Self {
        let mut diagnostic = Diagnostic::error(fault.code, fault.message);
        diagnostic.help.extend(fault.help);
        Self::new(diagnostic)
    }
}
