//! The limits of the network, and the addresses that it may reach.

use std::time::Duration;

use super::address::NetAllow;
use evalgraph_json::Limits;

/// The limits of the network, and the addresses that it may reach.
#[derive(Debug, Clone, Copy)]
pub struct NetOptions {
    /// The connections that are allowed in addition to `https` to public addresses.
    pub allow: NetAllow,
    /// The limits on the size of a response in bytes, and on the nesting of its JSON.
    pub limits: Limits,
    /// The maximum number of redirects from a URL to its document.
    pub max_redirects: usize,
    /// The time limit for resolving the name of a server and connecting to it.
    pub connect_timeout: Duration,
    /// The time limit for one document, including all redirects.
    pub timeout: Duration,
}

impl Default for NetOptions {
    /// 10 redirects, 10 seconds to connect, 60 seconds in all.
    fn default() -> Self {
        Self {
            allow: NetAllow::default(),
            limits: Limits::default(),
            max_redirects: 10,
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(60),
        }
    }
}
