//! The options for reading inputs and resolving IRIs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::clock::RunClock;
use super::files_read::FilesRead;
use super::found_files::FoundFiles;
use super::progress::ProgressDisplay;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, RunStrictness, thousands};
use evalgraph_formats::rlcf::RecordName;
use evalgraph_formats::system_name::SystemName;
use evalgraph_formats::train::RowOptions;
use evalgraph_json::{Limits, TextEncoding};
use evalgraph_jsonld::MediaType;
use evalgraph_rdf::RdfFormat;
use evalgraph_sparql::SparqlServer;

/// A format that the user can name for an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputFormat {
    /// An RDF format.
    Rdf(RdfFormat),
    /// A file of records of a system.
    Records(SystemName),
}

impl InputFormat {
    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Records(system) => system.name(),
        }
    }
}

/// The options for reading an input.
#[derive(Debug, Clone, Default)]
pub struct ReadingOptions {
    /// The format; without it the content and the name decide.
    pub from: Option<InputFormat>,
    /// The media type, as a server would give it.
    pub content_type: Option<MediaType>,
    /// The encoding of texts; without it they are UTF-8.
    pub encoding: Option<TextEncoding>,
    /// How tables are read.
    pub rows: RowOptions,
    /// The kind of RLCF's records, where neither names nor keys tell it.
    pub record: Option<RecordName>,
    /// The most bytes of one input after decompression, or of one record of JSON with records, and the most levels
    /// that JSON may nest.
    pub limits: Limits,
    /// What warnings do to the run.
    pub strictness: RunStrictness,
    /// Notes which files are read.
    pub files_read: FilesRead,
    /// The files that were found and not named.
    pub found: FoundFiles,
    /// Shows the progress of reading.
    pub watch: ProgressDisplay,
}

impl ReadingOptions {
    /// The options for files beside the inputs: what is said of the form of these does not hold for them.
    pub fn for_files_beside(&self) -> Self {
        Self {
            limits: self.limits,
            strictness: self.strictness,
            files_read: self.files_read.clone(),
            ..Self::default()
        }
    }

    /// The RDF format that was named, as a format or as a media type.
    pub fn named_format(&self) -> Option<RdfFormat> {
        // Pages are read for their JSON-LD.
        let format = |media_type: &MediaType| match media_type.is_html() {
            true => Some(RdfFormat::JsonLd),
            false => RdfFormat::from_media_type(media_type.essence()),
        };
        match self.from {
            Some(InputFormat::Rdf(format)) => Some(format),
            Some(InputFormat::Records(_)) => None,
            None => self.content_type.as_ref().and_then(format),
        }
    }

    /// The system that was named, as a format or by a kind of record.
    pub fn named_system(&self) -> Option<SystemName> {
        match self.from {
            Some(InputFormat::Records(system)) => Some(system),
            None if self.record.is_some() => Some(RecordName::SYSTEM),
            Some(InputFormat::Rdf(_)) | None => None,
        }
    }
}

/// The options for resolving IRIs and finding contexts.
#[derive(Debug, Clone, Default)]
pub struct IriOptions {
    /// The IRI against which relative IRIs are resolved; it overrides the URL of the document.
    pub base: Option<String>,
    /// The URL that a local file is said to have.
    pub document_url: Option<String>,
    /// The files and folders that are read in the place of URLs.
    pub map: Vec<(String, PathBuf)>,
    /// How the network is used.
    pub net: NetUse,
}

/// The options for the network.
#[derive(Debug, Clone, Default)]
#[cfg_attr(not(feature = "net"), allow(dead_code))]
pub struct NetUse {
    /// `true` if URLs are read from the network.
    pub is_allowed: bool,
    /// `true` if URLs without encryption are read.
    pub http: bool,
    /// `true` if requests may go to this machine.
    pub loopback: bool,
    /// `true` if requests may go to private networks.
    pub private: bool,
    /// The longest that one URL may take, redirects included.
    pub timeout: Option<Duration>,
    /// The most redirects from a URL to its document.
    pub max_redirects: Option<usize>,
}

/// The inputs of a run, how they are read, and what happens where they are at fault.
#[derive(Debug, Clone, Default)]
pub struct RunInputs {
    /// Files, directories, glob patterns, URLs, or `-` for stdin; without inputs, the documents of the store.
    pub inputs: Vec<String>,
    /// The store that is meant.
    pub store: StoreChoice,
    /// How one input is read.
    pub reading: ReadingOptions,
    /// The time of the run.
    pub clock: RunClock,
    /// `true` if a run goes on without the inputs that are at fault.
    pub keep_going: bool,
    /// Files with another part in the run, such as its output: a folder or a pattern does not mean them.
    pub beside: Vec<PathBuf>,
    /// The server whose graphs are read instead.
    pub endpoint: Option<Arc<dyn SparqlServer>>,
}

impl RunInputs {
    /// Ends the run where an error was reported, unless `keep_going` is set, and where each file was left out.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Reported`], and `input::unknown` where none of the files that were found is of a known format.
    pub fn check(&self, report: &RunReport) -> Result<(), RunFailure> {
        report.check(self.keep_going)?;
        match self.reading.found.all_left_out() {
            None => Ok(()),
            Some(count) => {
                let message = format!("none of the {} files is of a known format", thousands(count as u64));
                Err(Diagnostic::error("input::unknown", message).into())
            }
        }
    }
}

/// The store of a run, and how long to wait for it.
#[derive(Debug, Clone, Default)]
pub struct StoreChoice {
    /// The store, or the folder that contains it; by default the nearest store upwards.
    pub store: Option<PathBuf>,
    /// How long a change waits while another process changes the store.
    pub wait: Duration,
}
