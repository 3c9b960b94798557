//! The options for reading inputs and resolving IRIs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::clock::RunClock;
use super::files_read::FilesRead;
use super::found_files::FoundFiles;
use super::progress::ProgressDisplay;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, RunStrictness, thousands};
use evalgraph_formats::records::RecordName;
use evalgraph_formats::rows::RowOptions;
use evalgraph_formats::system_name::SystemName;
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
    /// A records file of a system.
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
    /// The format. Default: the content and the name decide.
    pub from: Option<InputFormat>,
    /// The media type, as a server would give it.
    pub content_type: Option<MediaType>,
    /// The encoding of text. Default: UTF-8.
    pub encoding: Option<TextEncoding>,
    /// How tables are read.
    pub rows: RowOptions,
    /// The kind of RLCF records, if neither names nor keys identify it.
    pub record: Option<RecordName>,
    /// The maximum size in bytes of one input after decompression, or of one record in JSON with records, and the
    /// maximum nesting depth of JSON.
    pub limits: Limits,
    /// How warnings affect the run.
    pub strictness: RunStrictness,
    /// Notes which files are read.
    pub files_read: FilesRead,
    /// The files that were found but not named.
    pub found: FoundFiles,
    /// Shows the progress of reading.
    pub watch: ProgressDisplay,
}

impl ReadingOptions {
    /// Returns the options for files beside the inputs. The user's options about the form of the inputs do not apply to
    /// them.
    pub fn for_files_beside(&self) -> Self {
        Self {
            limits: self.limits,
            strictness: self.strictness,
            files_read: self.files_read.clone(),
            ..Self::default()
        }
    }

    /// Returns the RDF format that was named, as a format or as a media type.
    pub fn named_format(&self) -> Option<RdfFormat> {
        // HTML pages are read for their JSON-LD.
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

    /// Returns the system that was named, as a format or by a kind of record.
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
    /// The IRI against which relative IRIs are resolved. It overrides the URL of the document.
    pub base: Option<String>,
    /// The URL that is assumed for a local file.
    pub document_url: Option<String>,
    /// The files and folders to read instead of URLs.
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
    /// `true` if unencrypted URLs are read.
    pub http: bool,
    /// `true` if requests may go to the loopback interface.
    pub loopback: bool,
    /// `true` if requests may go to private networks.
    pub private: bool,
    /// The maximum time for one URL, including redirects.
    pub timeout: Option<Duration>,
    /// The maximum number of redirects from a URL to its document.
    pub max_redirects: Option<usize>,
}

/// The inputs of a run, how they are read, and what happens if they are at fault.
#[derive(Debug, Clone, Default)]
pub struct RunInputs {
    /// Files, directories, glob patterns, URLs, or `-` for stdin. Default: the documents of the store.
    pub inputs: Vec<String>,
    /// Further files, directories, glob patterns and URLs, which are also read beside the documents of a store.
    pub further: Vec<String>,
    /// The store to use.
    pub store: StoreChoice,
    /// How one input is read.
    pub reading: ReadingOptions,
    /// The time of the run.
    pub clock: RunClock,
    /// `true` if a run continues without invalid inputs.
    pub keep_going: bool,
    /// Files that the run uses otherwise, such as its output. They are left out of folders and patterns.
    pub beside: Vec<PathBuf>,
    /// The server whose graphs are read instead.
    pub endpoint: Option<Arc<dyn SparqlServer>>,
}

impl RunInputs {
    /// Returns whether the documents of a store are the only input.
    pub fn is_store(&self) -> bool {
        self.inputs.is_empty() && self.further.is_empty()
    }

    /// Ends the run if an error was reported and `keep_going` is not set, or if all files were left out.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Reported`], or [`RunFailure::AtInput`] if there are several inputs; and `input::unknown` if none of the files that were found has a known format.
    pub fn check(&self, report: &RunReport) -> Result<(), RunFailure> {
        let names_several = |input: &String| Path::new(input).is_dir() || input.contains('*');
        let has_several = || self.inputs.len() > 1 || self.inputs.iter().any(names_several);
        report.check(self.keep_going).map_err(|failure| match failure {
            RunFailure::Reported if has_several() => RunFailure::AtInput,
            other => other,
        })?;
        match self.reading.found.all_left_out() {
            None => Ok(()),
            Some(count) => {
                let message = format!("none of the {} files has a known format", thousands(count as u64));
                Err(Diagnostic::error("input::unknown", message).into())
            }
        }
    }
}

/// The store of a run, and how long to wait for it.
#[derive(Debug, Clone, Default)]
pub struct StoreChoice {
    /// The store, or the folder that contains it. Default: the nearest store in this folder or above.
    pub store: Option<PathBuf>,
    /// How long to wait while another process changes the store.
    pub wait: Duration,
}
