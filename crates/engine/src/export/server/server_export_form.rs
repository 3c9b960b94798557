//! The options of an export to a server, including what happens to existing graphs.

use crate::export::choice::GraphChoice;
use crate::export::server_place::ServerPlace;
use crate::net::HttpClientOptions;

/// An export to a server.
///
/// Other methods are in `export.rs`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerExport {
    /// The graphs.
    pub graphs: GraphChoice,
    /// The server.
    pub place: ServerPlace,
    /// How to connect to the server.
    pub server: HttpClientOptions,
    /// The policy for graphs that already exist.
    pub existing: ExistingGraphPolicy,
    /// `true` to continue where an earlier export has ended.
    pub resumes: bool,
    /// `true` to read each graph back and compare it before it is put in place. A graph with the wrong number of
    /// triples is compared in any case.
    pub verifies: bool,
    /// `true` to create the dataset or repository if it is missing.
    pub creates: bool,
}

/// The policy for graphs that already exist on the server.
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

/// The totals of what an export has sent to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SentTotals {
    /// How many quads the graphs have.
    pub quads: u64,
    /// How many graphs are in place.
    pub graphs: u64,
    /// How many requests were sent.
    pub requests: u64,
    /// How many bytes of quads were sent, after compression.
    pub bytes: u64,
}

impl ServerExport {
    /// All graphs of documents. Rejects graphs that already exist, and verifies each graph.
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
