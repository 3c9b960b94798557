//! The observer of a server: it receives requests and findings while the server runs.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use evalgraph_diagnostics::Diagnostic;

/// A request that was answered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AnsweredRequest {
    /// The address of the client.
    pub client: IpAddr,
    /// The method.
    pub method: String,
    /// The path as it was sent. Parameters are left out, because they may contain anything.
    pub path: String,
    /// The status.
    pub status: u16,
    /// How many bytes of the body were sent.
    pub sent: u64,
    /// The time from the head of the request to the end of the answer.
    pub time: Duration,
    /// `true` if the answer was sent to its end.
    pub is_whole: bool,
}

/// Receives requests and findings.
pub trait ServerObserver: fmt::Debug + Send + Sync {
    /// A request was answered.
    fn answered(&self, access: &AnsweredRequest);

    /// Reports a problem of the server.
    fn found(&self, finding: &Diagnostic);
}
