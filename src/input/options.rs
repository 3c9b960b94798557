//! How inputs are read, and where IRIs lead.

use std::path::PathBuf;
use std::time::Duration;

use super::clock::Clock;
use super::files_read::FilesRead;
use super::progress::Watch;
use crate::diagnostic::{Failure, Report, Strictness};
use crate::json::{Encoding, Limits};
use crate::jsonld::MediaType;
use crate::rdf::RdfFormat;
use crate::source::rlcf::RecordName;
use crate::source::system::System;
use crate::source::train::RowOptions;

/// A format that an input can be said to be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputFormat {
    /// An RDF format.
    Rdf(RdfFormat),
    /// A file of a system that is no JSON-LD.
    Records(System),
}

impl InputFormat {
    /// The name that people give it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::Records(system) => system.name(),
        }
    }
}

/// Tells how one input is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadingOptions {
    /// The format, where it is not to be recognised by content and name.
    pub(crate) from: Option<InputFormat>,
    /// The media type, as a server would say it.
    pub(crate) content_type: Option<MediaType>,
    /// The encoding of texts; without it they are UTF-8.
    pub(crate) encoding: Option<Encoding>,
    /// How tables are read.
    pub(crate) rows: RowOptions,
    /// The kind of RLCF's records, where neither names nor keys tell it.
    pub(crate) record: Option<RecordName>,
    /// The most bytes of one input after decompression, or of one record of JSON with records, and the most levels
    /// that JSON may nest.
    pub(crate) limits: Limits,
    /// Whether warnings are errors.
    pub(crate) strictness: Strictness,
    /// Takes down which files are read.
    pub(crate) files_read: FilesRead,
    /// Shows how far reading is.
    pub(crate) watch: Watch,
}

impl ReadingOptions {
    /// The format that was named, in whichever way.
    pub(crate) fn named_format(&self) -> Option<RdfFormat> {
        // A page is read for the JSON-LD in it.
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

    /// The system that was named.
    pub(crate) fn named_system(&self) -> Option<System> {
        match self.from {
            Some(InputFormat::Records(system)) => Some(system),
            None if self.record.is_some() => Some(RecordName::SYSTEM),
            Some(InputFormat::Rdf(_)) | None => None,
        }
    }
}

/// Tells how IRIs are resolved and contexts are found.
#[derive(Debug, Clone, Default)]
pub(crate) struct IriOptions {
    /// The IRI that relative ones are resolved against; overrides the URL of the document.
    pub(crate) base: Option<String>,
    /// The URL that a local file is said to have.
    pub(crate) document_url: Option<String>,
    /// The files and folders that stand for URLs.
    pub(crate) map: Vec<(String, PathBuf)>,
    /// How the network is used.
    pub(crate) net: NetUse,
}

/// Tells whether and how the network is used.
#[derive(Debug, Clone, Default)]
#[cfg_attr(not(feature = "net"), allow(dead_code))]
pub(crate) struct NetUse {
    /// Whether URLs are read from the network.
    pub(crate) is_allowed: bool,
    /// Whether URLs without encryption are.
    pub(crate) http: bool,
    /// Whether this machine may be asked.
    pub(crate) loopback: bool,
    /// Whether private networks may be asked.
    pub(crate) private: bool,
    /// The longest that one URL may take, redirects included.
    pub(crate) timeout: Option<Duration>,
    /// The most redirects from a URL to its document.
    pub(crate) max_redirects: Option<usize>,
}

/// Holds what is read, and what happens when it is at fault.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inputs {
    /// Files, directories, glob patterns, URLs, or `-` for stdin; without any the documents of the store.
    pub(crate) inputs: Vec<String>,
    pub(crate) store: StoreChoice,
    pub(crate) reading: ReadingOptions,
    pub(crate) clock: Clock,
    /// Whether what can be done is done without the inputs that are at fault.
    pub(crate) keep_going: bool,
}

impl Inputs {
    /// Ends the run where something failed, unless the rest is wanted in spite of it.
    ///
    /// # Errors
    ///
    /// [`Failure::Reported`].
    pub(crate) fn check(&self, report: &Report) -> Result<(), Failure> {
        report.check(self.keep_going)
    }
}

/// The store that is meant, and how long to wait for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoreChoice {
    /// The store, or the folder that it is in; without it the nearest one upwards.
    pub(crate) store: Option<PathBuf>,
    /// How long a change waits while another process changes the store.
    pub(crate) wait: Duration,
}
