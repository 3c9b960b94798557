//! The limits of the network, and the addresses that it may reach.

use std::time::Duration;

use super::address::NetAllow;
use evalgraph_json::Limits;

/// The limits of the network, and the addresses that it may reach.
#[derive(Debug, Clone, Copy)]
pub struct NetOptions {
    /// The connections that are allowed beyond `https` to public addresses.
    pub allow: NetAllow,
    /// The most bytes of an answer, and the most levels of its JSON.
    pub limits: Limits,
    /// The most redirects from one URL to its document.
    pub max_redirects: usize,
    /// How long finding and reaching a server may take.
    pub connect_timeout: Duration,
    /// How long one document may take, all redirects together.
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
