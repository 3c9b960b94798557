//! The options of a server: where it listens, which clients it answers, and its limits.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::access_token::AccessToken;
use super::observer::ServerObserver;
use evalgraph_engine::named_queries::NamedQueries;
use evalgraph_engine::workspace::rule_switch::RuleSwitch;
use evalgraph_sparql::QueryPrefixes;

/// Which clients may change the data.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum WriteAccess {
    /// No client.
    #[default]
    Refused,
    /// Clients that send this token.
    WithToken(AccessToken),
    /// All clients that can reach the server.
    Free,
}

/// The options of a server. By default it answers programs on this machine, and does not allow changes.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The address to listen at; port 0 means any free port.
    pub bind: SocketAddr,
    /// The names by which clients may call the server, besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// The token that clients must send, unless they send the one for writing; without it, every client may ask.
    pub read_token: Option<AccessToken>,
    /// The servers whose pages may ask and, with the token of [`WriteAccess::WithToken`], change data; `*` means all.
    pub origins: Vec<String>,
    /// The named queries; `None` means those of evalgraph.
    pub queries: Option<NamedQueries>,
    /// The prefixes that queries and updates need not declare.
    pub prefixes: QueryPrefixes,
    /// The rules that are switched in findings.
    pub rules: Vec<RuleSwitch>,
    /// The folder that the names of files are relative to. It decides which files are in the folder of a switch.
    pub folder: PathBuf,
    /// `true` if files are read again when they change.
    pub watches: bool,
    /// Receives requests and findings.
    pub observer: Option<Arc<dyn ServerObserver>>,
    /// Which clients may change the data, which must be in a store.
    pub writes: WriteAccess,
    /// The time limit of one request, including its answer.
    pub timeout: Duration,
    /// The longest time that a client may take for the head of a request, for a piece of its body, or to receive a
    /// piece of an answer.
    pub idle: Duration,
    /// If the process uses more memory, an evaluation is ended: the most recent of those that take long.
    pub max_memory: Option<u64>,
    /// The most bytes of the body of a request, after decompression.
    pub max_body: u64,
    /// The most evaluations that run at the same time.
    pub max_running: usize,
    /// How many bytes of texts of a store's terms are kept from one request to the next.
    pub cache: u64,
    /// The most connections.
    pub max_connections: usize,
}

impl ServerOptions {
    /// The most requests that wait for a thread.
    pub(super) const MAX_WAITING: usize = 128;
    /// The most cancelled evaluations that have not ended yet.
    pub(super) const MAX_GIVEN_UP: usize = 4;
    /// The most bytes of the bodies of all requests, if the memory has no limit.
    const MAX_BODIES: u64 = 512 << 20;

    /// Returns the most bytes of the bodies of all requests together. A single body may have this many, and again this
    /// many while it is decompressed.
    pub(super) fn max_bodies(&self) -> u64 {
        // The rest of the memory is for data and evaluations.
        self.max_memory.map_or(Self::MAX_BODIES.max(self.max_body), |memory| memory / 4)
    }

    /// Returns the most bytes of one body, before and after decompression.
    pub(super) fn most_of_body(&self) -> u64 {
        self.max_body.min(self.max_bodies())
    }
}

impl Default for ServerOptions {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 7878)),
            hosts: Vec::new(),
            read_token: None,
            origins: Vec::new(),
            queries: None,
            prefixes: QueryPrefixes::new(),
            rules: Vec::new(),
            folder: PathBuf::new(),
            watches: false,
            observer: None,
            writes: WriteAccess::Refused,
            timeout: Duration::from_secs(30),
            idle: Duration::from_secs(30),
            max_memory: None,
            max_body: 64 << 20,
            max_running: (2 * cores).max(4),
            cache: 256 << 20,
            max_connections: 512,
        }
    }
}
