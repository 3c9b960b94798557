//! How files are read, whatever is done with them then.

use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::error::{Error, reported};
use crate::diagnostic::{Diagnostic, Failure, Report, Strictness};
use crate::input::clock::Clock;
use crate::input::options::{InputFormat, Inputs};
use crate::json::{Encoding, Limits};
use crate::load::json_ld::JsonLd;
use crate::load::json_ld::LoadOptions;
use crate::sparql::Cancellation;

/// Reads files of the four systems, JSON-LD and RDF, as `evalgraph query` reads them.
///
/// An input is a file, a folder, a glob pattern or a URL; what is compressed or an archive is opened. Each document
/// becomes a graph of its own. One loader may read any number of times.
#[derive(Debug, Clone, Default)]
pub struct Loader {
    pub(super) inputs: Inputs,
    pub(super) loading: LoadOptions,
    pub(super) cancellation: Cancellation,
}

impl Loader {
    /// A loader that recognises what it is given.
    pub fn new() -> Self {
        Self::default()
    }

    /// A loader by the options that are known.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "the command line alone asks for it"))]
    pub(crate) fn of(inputs: &Inputs, loading: &LoadOptions) -> Self {
        let (inputs, loading) = (inputs.clone(), loading.clone());
        Self { inputs, loading, cancellation: Cancellation::new() }
    }

    /// Loads exactly what the specification yields: no merged namespaces, no minted ids.
    #[must_use]
    pub fn plain(mut self) -> Self {
        self.loading.plain = true;
        self
    }

    /// Names the dataset, where it is not to be the root's `@id` or the file's stem.
    #[must_use]
    pub fn dataset(mut self, name: impl Into<String>) -> Self {
        self.loading.dataset = Some(name.into());
        self
    }

    /// Makes every warning an error.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.inputs.reading.strictness = Strictness::Strict;
        self
    }

    /// Does what can be done without the inputs that are at fault, which the report names.
    #[must_use]
    pub fn keep_going(mut self) -> Self {
        self.inputs.keep_going = true;
        self
    }

    /// Resolves relative IRIs against this one, not against the URL of the document.
    #[must_use]
    pub fn base(mut self, iri: impl Into<String>) -> Self {
        self.loading.iris.base = Some(iri.into());
        self
    }

    /// Reads a file, or those of a folder, in the place of a URL and of what lies below it.
    #[must_use]
    pub fn map(mut self, url: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        self.loading.iris.map.push((url.into(), path.into()));
        self
    }

    /// Reads URLs, contexts among them, from the network, and asks services there; without this nothing is asked for.
    #[must_use]
    pub fn with_network(mut self) -> Self {
        self.loading.iris.net.is_allowed = true;
        self
    }

    /// Reads inputs as this format, not as the one that their content and name tell.
    #[must_use]
    pub fn format(mut self, format: InputFormat) -> Self {
        self.inputs.reading.from = Some(format);
        self
    }

    /// Reads texts in an encoding other than UTF-8.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.inputs.reading.encoding = Some(encoding);
        self
    }

    /// Bounds the size of inputs, and how deep they may nest.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.inputs.reading.limits = limits;
        self
    }

    /// Dates what is made by this time, so that a run can be repeated.
    #[must_use]
    pub fn at(mut self, time: DateTime<Utc>) -> Self {
        self.inputs.clock = Clock::At(time);
        self
    }

    /// Lets somebody end what comes of this: queries over what was loaded, and updates.
    #[must_use]
    pub fn cancelled_by(mut self, cancellation: Cancellation) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// The loader with inputs of its own.
    ///
    /// # Errors
    ///
    /// `input::none` where there are none.
    pub(super) fn reading<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
    ) -> Result<Self, Error> {
        let inputs: Vec<String> = inputs.into_iter().map(Into::into).collect();
        if inputs.is_empty() {
            return Err(Box::new(Diagnostic::error("input::none", "there is no file to load")).into());
        }
        let mut loader = self.clone();
        loader.inputs.inputs = inputs;
        Ok(loader)
    }

    pub(super) fn reported<R: Send>(
        &self,
        work: impl FnOnce(&mut Report) -> Result<R, Failure> + Send,
    ) -> Result<(R, Report), Error> {
        reported(self.inputs.reading.strictness, work)
    }

    pub(super) fn json_ld(&self) -> Result<JsonLd, Failure> {
        JsonLd::new(&self.loading.iris, &self.loading.json_ld, &self.inputs.reading)
    }
}
