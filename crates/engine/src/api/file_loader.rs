//! The options for reading files, which all operations share.

use std::path::Path;
use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::error::reported_here;
use super::error::{Error, reported};
use crate::input::clock::RunClock;
use crate::input::files_read::{FileState, FilesRead};
use crate::input::find::{find_sources, leave_out};
use crate::input::input_options::{InputFormat, RunInputs};
use crate::input::source::InputSource;
use crate::load::document_loading::DocumentLoading as DocumentsLoader;
use crate::load::read_session::LoadOptions;
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, RunStrictness};
use evalgraph_json::{Limits, TextEncoding};
use evalgraph_jsonld::MediaType;
use evalgraph_rdf::QuadBuffer;
use evalgraph_sparql::CancellationToken;

/// Reads files of the four systems, JSON-LD and RDF, as `evalgraph query` reads them.
///
/// An input is a file, a folder, a glob pattern or a URL. Compressed files are decompressed. Each document becomes its
/// own graph. A loader can be used any number of times.
///
/// Other methods are in `expectation_check.rs`, `file_conversion.rs`, `file_updates.rs`, `file_validation.rs`, `graph_export.rs`,
/// `json_ld_operations.rs`, `loaded_data.rs`, `place_lookup.rs`, `question_edits.rs` and `statistics.rs`.
#[derive(Debug, Clone, Default)]
pub struct Loader {
    pub(super) inputs: RunInputs,
    pub(super) loading: LoadOptions,
    pub(super) cancellation: CancellationToken,
    pub(super) leaves_out_catalog: bool,
}

impl Loader {
    /// Creates a loader that recognises the format of its inputs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a loader with these options.
    pub fn from_options(inputs: &RunInputs, loading: &LoadOptions) -> Self {
        let (inputs, loading) = (inputs.clone(), loading.clone());
        Self { inputs, loading, ..Self::default() }
    }

    /// Returns the same loader with further inputs, which are also read beside the documents of a store.
    #[must_use]
    pub fn with_further(&self, inputs: &[&str]) -> Self {
        let mut loader = self.clone();
        loader.inputs.further.extend(inputs.iter().map(|input| (*input).to_owned()));
        loader
    }

    /// Returns the inputs and how they are loaded.
    pub fn options(&self) -> (&RunInputs, &LoadOptions) {
        (&self.inputs, &self.loading)
    }

    /// Loads exactly as the specification says: namespaces are not merged, and no ids are minted.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.loading.plain = true;
        self
    }

    /// Loads files without their catalog entries, in less than half the time. Queries then find nothing in the
    /// catalog.
    #[must_use]
    pub fn without_catalog(mut self) -> Self {
        self.leaves_out_catalog = true;
        self
    }

    /// Names the dataset. Default: the root's `@id`, or else the file's stem.
    #[must_use]
    pub fn dataset(mut self, name: impl Into<String>) -> Self {
        self.loading.dataset = Some(name.into());
        self
    }

    /// Turns every warning into an error.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.inputs.reading.strictness = RunStrictness::Strict;
        self
    }

    /// Continues without invalid inputs. The report names them.
    #[must_use]
    pub fn keep_going(mut self) -> Self {
        self.inputs.keep_going = true;
        self
    }

    /// Resolves relative IRIs against this IRI instead of the document's URL.
    #[must_use]
    pub fn base(mut self, iri: impl Into<String>) -> Self {
        self.loading.iris.base = Some(iri.into());
        self
    }

    /// Reads a local file instead of a URL, or the files of a folder instead of the URLs below a URL.
    #[must_use]
    pub fn map(mut self, url: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.loading.iris.map.push((url.into(), path.into()));
        self
    }

    /// Allows network access: URLs and contexts are read, and services are queried. Without this, the network is not
    /// used.
    #[must_use]
    pub fn with_network(mut self) -> Self {
        self.loading.iris.net.is_allowed = true;
        self
    }

    /// Reads inputs as this format, whatever their content and name suggest.
    #[must_use]
    pub fn format(mut self, format: InputFormat) -> Self {
        self.inputs.reading.from = Some(format);
        self
    }

    /// Reads text in an encoding other than UTF-8.
    #[must_use]
    pub fn encoding(mut self, encoding: TextEncoding) -> Self {
        self.inputs.reading.encoding = Some(encoding);
        self
    }

    /// Limits the size of inputs and their nesting depth.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.inputs.reading.limits = limits;
        self
    }

    /// Uses this time for all dates, so that a run can be repeated.
    #[must_use]
    pub fn at(mut self, time: DateTime<Utc>) -> Self {
        self.inputs.clock = RunClock::At(time);
        self
    }

    /// Lets the caller cancel work of this loader: updates, and queries over loaded files.
    #[must_use]
    pub fn cancelled_by(mut self, cancellation: CancellationToken) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// Returns a copy of the loader with these inputs.
    ///
    /// # Errors
    ///
    /// `input::none` if there are no inputs.
    pub fn reading<I: Into<String>>(&self, inputs: impl IntoIterator<Item = I>) -> Result<Self, Error> {
        let inputs: Vec<String> = inputs.into_iter().map(Into::into).collect();
        if inputs.is_empty() {
            return Err(Box::new(Diagnostic::error("input::none", "there is no file to load")).into());
        }
        let mut loader = self.clone();
        loader.inputs.inputs = inputs;
        Ok(loader)
    }

    /// Runs work that reports findings, on the threads that process documents.
    pub fn reported<R: Send>(
        &self,
        work: impl FnOnce(&mut RunReport) -> Result<R, RunFailure> + Send,
    ) -> Result<(R, RunReport), Error> {
        reported(self.inputs.reading.strictness, work)
    }

    /// Returns the files that the inputs name at this moment.
    pub fn named_files(&self) -> impl Iterator<Item = PathBuf> {
        let RunInputs { inputs, beside, .. } = &self.inputs;
        let (mut sources, _) = find_sources(inputs);
        leave_out(beside, inputs, &mut sources);
        sources.into_iter().filter_map(|source| source.path().map(Path::to_owned))
    }

    /// Returns the files that were read, with their states.
    pub fn files_read(&self) -> Vec<(PathBuf, FileState)> {
        self.inputs.reading.files_read.states()
    }

    /// Returns a copy of the loader that has read nothing.
    pub fn reading_anew(&self) -> Self {
        let mut loader = self.clone();
        loader.inputs.reading.files_read = FilesRead::default();
        loader
    }

    /// Like [`Loader::reported`], but on the caller's thread.
    pub fn reported_here<R>(
        &self,
        work: impl FnOnce(&mut RunReport) -> Result<R, RunFailure>,
    ) -> Result<(R, RunReport), Error> {
        reported_here(self.inputs.reading.strictness, work)
    }

    /// Returns the quads of one document.
    ///
    /// # Errors
    ///
    /// If the document is invalid, with the place.
    pub fn quads_of(
        &self,
        source: &InputSource,
        content_type: Option<MediaType>,
        quads: QuadBuffer,
    ) -> Result<QuadBuffer, Error> {
        let mut inputs = self.inputs.clone();
        inputs.reading.content_type = content_type;
        let work = |report: &mut RunReport| {
            let session = ReadSession::new(&self.loading.iris, &self.loading.json_ld, &inputs.reading)?;
            let loader = DocumentsLoader::new(&inputs, &session, self.loading.plain, report.shows_all());
            let mut quads = quads;
            loader.fill_from(source, &mut quads, report)?;
            Ok(quads)
        };
        Ok(self.reported(work)?.0)
    }

    /// Returns the file that every change of the store replaces, or `None` if there are inputs.
    ///
    /// # Errors
    ///
    /// `store::missing` if there are neither inputs nor a store.
    pub fn manifest(&self) -> Result<Option<PathBuf>, Error> {
        if !self.inputs.inputs.is_empty() {
            return Ok(None);
        }
        let (store, _) = self.reported(|_| self.inputs.store.open())?;
        Ok(Some(store.folder().join(evalgraph_store::StoreFolder::MANIFEST)))
    }

    /// Returns how JSON-LD is read.
    pub fn session(&self) -> Result<ReadSession, RunFailure> {
        ReadSession::new(&self.loading.iris, &self.loading.json_ld, &self.inputs.reading)
    }
}
