//! One HTTP/1.1 exchange with `ureq`, for a URL that may come from a document. It connects only to allowed addresses.
//!
//! The exchange connects to exactly the address that was checked, so a name whose address changes in between gains
//! nothing. Proxies are not used, since they would choose the address. Redirects are left to the caller, since each
//! leads to a URL that must be allowed.

use super::answer::ClientResponse;
use super::net_fault::{MOST_HEAD, NetFault, ResponseBounds};
use super::net_options::NetOptions;
use super::reach::{ReachableAddresses, RestrictedResolver};
use super::target::RequestTarget;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::typestate::AgentScope;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::DefaultConnector;

/// The HTTP client for all exchanges.
pub(super) fn agent(options: &NetOptions) -> Agent {
    let config = settings(options.connect_timeout).proxy(None);
    let resolver = RestrictedResolver(ReachableAddresses::Allowed(options.allow), DefaultResolver::default());
    Agent::with_parts(config.build(), DefaultConnector::new(), resolver)
}

/// The settings common to all HTTP clients. Connections are not reused: a document is requested once, and a server may
/// close an idle connection while a request is on its way.
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

/// A request in progress.
pub(super) struct HttpExchange<'e> {
    pub(super) options: &'e NetOptions,
    pub(super) agent: &'e Agent,
    pub(super) accept: &'e str,
    /// The time by which the whole document must have been read.
    pub(super) deadline: Instant,
}

impl HttpExchange<'_> {
    /// Requests a document.
    pub(super) fn get(&self, target: &RequestTarget) -> Result<ClientResponse, NetFault> {
        let bounds = ResponseBounds { size: self.options.limits.size, timeout: self.options.timeout };
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NetFault::late(target, bounds));
        }
        let request = self.agent.get(target.to_string()).config().timeout_global(Some(left)).build();
        let request = request.header("accept", self.accept).header("connection", "close");
        let answer = request.call().map_err(|error| NetFault::from_error(error, target, bounds))?;
        Ok(ClientResponse::from_response(answer, target, bounds))
    }
}
