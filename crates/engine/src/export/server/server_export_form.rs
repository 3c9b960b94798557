//! The form of an export to a server, and what becomes of graphs that are there.

use crate::export::choice::GraphChoice;
use crate::export::server_place::ServerPlace;
use crate::net::HttpClientOptions;

/// An export to a server.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerExport {
    /// The graphs.
    pub graphs: GraphChoice,
    /// The server.
    pub place: ServerPlace,
    /// How the server is asked.
    pub server: HttpClientOptions,
    /// What becomes of graphs that are there.
    pub existing: ExistingGraphPolicy,
    /// `true` if the export goes on where an earlier one has ended.
    pub resumes: bool,
    /// `true` if each graph is read back and compared before it takes its place. A graph whose number of triples is not the
    /// right one is compared in any case.
    pub verifies: bool,
    /// `true` if the dataset or repository is made where it is missing.
    pub creates: bool,
}

/// What becomes of graphs that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExistingGraphPolicy {
    /// Nothing: the export is refused.
    #[default]
    Kept,
    /// They are replaced.
    Replaced,
    /// The triples are added to them.
    Extended,
}

/// What an export has sent to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SentTotals {
    /// How many quads the graphs have.
    pub quads: u64,
    /// How many graphs are in place.
    pub graphs: u64,
    /// How many requests were sent.
    pub requests: u64,
    /// How many bytes of quads were sent, compressed.
    pub bytes: u64,
}

impl ServerExport {
    /// All graphs of documents; a graph that is there is refused, and each is verified.
    pub fn to(place: ServerPlace) -> Self {
        Self {
            graphs: GraphChoice::default(),
            place,
            server: HttpClientOptions::default(),
            existing: ExistingGraphPolicy::default(),
            resumes: false,
            verifies: true,
            creates: false,
        }
    }
}
