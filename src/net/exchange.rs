//! One exchange of HTTP/1.1 with `ureq`: it connects to addresses that are allowed, and reads the answer within its
//! limits.
//!
//! The exchange connects to the very address that it checked, so that a name that changes its address in between
//! gains nothing. Proxies are not used, since they would choose the address. The caller follows redirects, since each
//! leads to a URL that has to be allowed.

use super::fault::{ANSWER, Bounds, Fault, MOST_HEAD};
use super::options::NetOptions;
use super::reach::{Reach, Reaching};
use super::target::RequestTarget;
use flate2::read::MultiGzDecoder;
use std::io::Read;
use std::time::{Duration, Instant};
use ureq::config::ConfigBuilder;
use ureq::http::HeaderMap;
use ureq::typestate::AgentScope;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Body, Error, http};

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

/// The client for all exchanges.
pub(super) fn agent(options: &NetOptions) -> Agent {
    let config = settings(options.connect_timeout).proxy(None);
    let resolver = Reaching(Reach::Allowed(options.allow), DefaultResolver::default());
    Agent::with_parts(config.build(), DefaultConnector::new(), resolver)
}

/// What all clients have in common. Connections are not kept: a document is requested once, and a connection that has
/// been idle may be closed by the time that a request is on its way.
pub(super) fn settings(connect_timeout: Duration) -> ConfigBuilder<AgentScope> {
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_idle_connections(0)
        .max_response_header_size(MOST_HEAD)
        .timeout_resolve(Some(connect_timeout))
        .timeout_connect(Some(connect_timeout))
        .accept_encoding("identity")
        .user_agent(concat!("evalgraph/", env!("CARGO_PKG_VERSION")))
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
            return Err(Fault::late(target, self.bounds()));
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
            return Err(Fault::new(
                ANSWER,
                format!("`{host}` sends in the coding `{coding}`, which is not known"),
            ));
        }
        if body.content_length().is_some_and(|length| length > most) {
            return Err(Fault::too_large(target, self.bounds()));
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
                if opened.len() as u64 > most {
                    Err(Fault::too_large(target, self.bounds()))
                } else {
                    Ok(opened)
                }
            }
            Some(coding) => Err(Fault::new(
                ANSWER,
                format!("`{host}` compresses with `{coding}`, which was not asked for"),
            )),
        }
    }

    fn bounds(&self) -> Bounds {
        Bounds { size: self.options.limits.size, timeout: self.options.timeout }
    }

    fn fault(&self, error: Error, target: &RequestTarget) -> Fault {
        Fault::of(error, target, self.bounds())
    }
}
