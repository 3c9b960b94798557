//! The JSON-LD processor with the options of a run: where contexts come from, and how losses are reported. RDF
//! formats use the same options.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::contexts_read::ContextsRead;
use super::large_checkpoint::CheckpointPieces;
use crate::input::input_options::{IriOptions, ReadingOptions};
use crate::input::local_contexts::LocalContexts;
use crate::input::origin::DocumentOrigin;
use crate::input::source::{BegunInput, InputSource, RawInput, unreadable};
use crate::input::url_sources::UrlSources;
use evalgraph_contexts::BuiltIn;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport};
use evalgraph_json::{JsonDocument, LARGEST_DOCUMENT, Limits, TextEncoding};
use evalgraph_jsonld::{
    DocumentLoader, FramingOptions, JsonLdErrorCode, JsonLdOptions, JsonLdProcessor, JsonLdWarning,
    LoadDocumentOptions, LoadError, ProcessingMode, RemoteDocument,
};
use evalgraph_rdf as rdf;

/// The options of one run for all its documents.
///
/// Other methods are in `checkpoint_division.rs`, `document_quads.rs`, `document_reading.rs`, `json_ld_operation.rs`,
/// `large_records.rs`, `parsed_input.rs` and `record_recognition.rs`.
#[derive(Debug)]
pub struct ReadSession {
    /// The options of the processor.
    pub options: JsonLdOptions,
    /// Where remote documents come from.
    pub remote: UrlSources,
    /// How inputs are read.
    pub reading: ReadingOptions,
    /// The contexts beside the file of `--context`, and the URL of that file.
    pub beside_context: Option<(LocalContexts, String)>,
    pub(crate) extract_all_scripts: Option<bool>,
    pub(crate) empty_pages: EmptyPage,
    /// `true` if JSON of an unknown format is accepted, which adds nothing to a graph.
    pub takes_unknown: bool,
    /// The contexts that are read for each file, if they are to be noted.
    pub contexts_read: Option<ContextsRead>,
    /// Which records files are read in pieces.
    pub record_pieces: PiecePolicy,
    /// Which checkpoints are read in pieces, if any. `DocumentLoading::pieces_of` returns their quads.
    pub checkpoint_pieces: Option<CheckpointPieces>,
    /// `true` if the SHA-256 of files is needed.
    pub is_hashed: bool,
}

/// Which records files are read in pieces. Reading in pieces yields no quads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PiecePolicy {
    /// None.
    Never,
    /// Large files.
    OfLarge,
    /// All files, in pieces of this many bytes.
    Of(u64),
}

/// How documents are loaded into a dataset.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// `true` if loading follows the specification exactly: no merged namespaces, no minted ids.
    pub plain: bool,
    /// The name of the dataset. Default: the root's `@id`, or else the file's stem.
    pub dataset: Option<String>,
    /// How IRIs are resolved and contexts are found.
    pub iris: IriOptions,
    /// The options of the JSON-LD API.
    pub json_ld: JsonLdSettings,
}

/// The settings of the JSON-LD API that apply to all documents.
#[derive(Debug, Clone, Default)]
pub struct JsonLdSettings {
    /// The initial context: a file, or a mapped or built-in URL.
    pub expand_context: Option<String>,
    /// The version of JSON-LD. Default: 1.1.
    pub processing_mode: Option<ProcessingMode>,
    /// `true` if keys are processed in code point order.
    pub ordered: bool,
    /// `true` to read every JSON-LD script of an HTML page, not only the first. By default a conversion to RDF reads
    /// all of them.
    pub extract_all_scripts: Option<bool>,
}

/// How a page without JSON-LD scripts is treated when all scripts are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyPage {
    /// As a fault: a download may have saved an error page instead of the file.
    Refused,
    /// As an empty document, as the JSON-LD API requires.
    Empty,
}

impl ReadSession {
    /// Creates the processor with these options.
    ///
    /// # Errors
    ///
    /// If `--expand-context` cannot be read, or if `--base` or `--document-url` is not an IRI.
    pub fn new(
        iris: &IriOptions,
        json_ld: &JsonLdSettings,
        reading: &ReadingOptions,
    ) -> Result<Self, RunFailure> {
        let limits = reading.limits;
        let remote = UrlSources::new(iris, limits, &reading.files_read)?;
        for (name, iri) in [("base", &iris.base), ("document-url", &iris.document_url)] {
            iri.as_ref().map_or(Ok(()), |iri| check_iri(name, iri))?;
        }
        let expand_context = match &json_ld.expand_context {
            Some(context) => Some(read_context(context, &remote, limits)?),
            None => None,
        };
        let options = JsonLdOptions {
            base: iris.base.clone(),
            document_url: iris.document_url.clone(),
            expand_context,
            processing_mode: json_ld.processing_mode.unwrap_or_default(),
            ordered: json_ld.ordered,
            ..JsonLdOptions::default()
        };
        Ok(Self {
            options,
            remote,
            reading: reading.clone(),
            beside_context: None,
            extract_all_scripts: json_ld.extract_all_scripts,
            empty_pages: EmptyPage::Refused,
            takes_unknown: false,
            contexts_read: None,
            record_pieces: PiecePolicy::Never,
            checkpoint_pieces: None,
            is_hashed: false,
        })
    }

    /// Returns whether a records file can be recognised by its beginning and read in pieces. This requires that the
    /// options name no format, no context, no columns, and no encoding other than UTF-8.
    pub fn takes_pieces(&self) -> bool {
        let reading = &self.reading;
        let is_utf8 = matches!(reading.encoding, None | Some(TextEncoding::Auto | TextEncoding::Utf8));
        let is_said =
            reading.named_format().is_some() || reading.content_type.is_some() || self.has_context();
        is_utf8 && !is_said && !reading.rows.has_mapping()
    }

    /// Accepts every document, like the JSON-LD API, even without a context.
    pub fn taking_any(self) -> Self {
        Self { empty_pages: EmptyPage::Empty, ..self }
    }

    /// Also accepts JSON of an unknown format, which is compared by its values or is meant to become a checkpoint.
    pub fn taking_unknown(self) -> Self {
        Self { takes_unknown: true, ..self }
    }

    /// Reads for a store, which keeps the SHA-256 of files and reads large checkpoints in pieces.
    pub fn for_store(self, pieces: CheckpointPieces) -> Self {
        Self { is_hashed: true, checkpoint_pieces: Some(pieces), ..self }
    }

    /// Notes which contexts are read for each file.
    pub fn noting_contexts(mut self) -> Self {
        self.contexts_read = Some(ContextsRead::default());
        self
    }

    /// Reads a context to compact with, optionally under an assumed URL. If the context is a URL, the result names the
    /// URL. The same applies to the schema.org context, which is too long to be copied into a document.
    ///
    /// # Errors
    ///
    /// If the context cannot be read, or if the URL of `--context-url` is not an IRI.
    pub fn context(
        &mut self,
        context: &str,
        context_url: Option<&str>,
    ) -> Result<Arc<JsonDocument>, RunFailure> {
        if let Some(url) = context_url {
            check_iri("context-url", url)?;
            self.options.argument_url = Some(url.to_owned());
        }
        let url = if context == "schema.org" { SCHEMA_ORG_URL } else { context };
        if is_url(url) {
            let text = serde_json::Value::from(url).to_string();
            return Ok(Arc::new(evalgraph_json::parse(url, text, self.reading.limits)?));
        }
        self.beside_context = LocalContexts::beside(Path::new(context), self.reading.limits);
        read_context(context, &self.remote, self.reading.limits)
    }

    /// Reads the frame of `--frame`, optionally under an assumed URL, and sets the framing options.
    ///
    /// # Errors
    ///
    /// If the frame cannot be read, or if the URL of `--frame-url` is not an IRI.
    pub fn frame(
        &mut self,
        frame: &str,
        frame_url: Option<&str>,
        options: FramingOptions,
    ) -> Result<Arc<JsonDocument>, RunFailure> {
        self.options.framing = FramingOptions { max_depth: Some(self.reading.limits.depth), ..options };
        if let Some(url) = frame_url {
            check_iri("frame-url", url)?;
            self.options.argument_url = Some(url.to_owned());
        } else if is_url(frame) {
            self.options.argument_url = Some(frame.to_owned());
        }
        if !is_url(frame) {
            self.beside_context = LocalContexts::beside(Path::new(frame), self.reading.limits);
        }
        read_context(frame, &self.remote, self.reading.limits)
    }

    /// Calls `run` with a processor for one document, which may be a file with contexts beside it.
    pub fn with_processor<T>(
        &self,
        origin: &DocumentOrigin,
        run: impl FnOnce(JsonLdProcessor<'_>) -> T,
    ) -> T {
        self.with_loader(origin, |loader, options| run(JsonLdProcessor::new(options, loader)))
    }

    /// Calls `run` with the context loader and the options for one document.
    pub fn with_loader<T>(
        &self,
        origin: &DocumentOrigin,
        run: impl FnOnce(&dyn DocumentLoader, JsonLdOptions) -> T,
    ) -> T {
        let mut options = self.options.clone();
        let mut local = None;
        let mut file_url = None;
        if let Some((loader, url)) =
            origin.path().and_then(|path| LocalContexts::beside(path, self.reading.limits))
        {
            (local, file_url) = (Some(loader), Some(url));
        }
        origin.apply(&mut options, file_url);
        if let Some((loader, url)) = &self.beside_context {
            options.argument_url.get_or_insert_with(|| url.clone());
            local = Some(local.map_or_else(|| loader.clone(), |local| local.and(loader)));
        }
        let loaders = self.remote.loaders(local.as_ref());
        match (&self.contexts_read, origin.path()) {
            (Some(read), Some(file)) => run(&read.noting(file, &loaders), options),
            _ => run(&loaders, options),
        }
    }

    /// Reads an input, which may be a URL.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::read`] and [`UrlSources::begin`].
    pub fn read(&self, source: &InputSource) -> Result<RawInput, Box<Diagnostic>> {
        self.read_rest(self.remote.begin(source)?)
    }

    /// Reads the rest of an input. In a records file, the size limit applies to each record.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::read`].
    pub fn read_rest(&self, mut begun: BegunInput) -> Result<RawInput, Box<Diagnostic>> {
        let (most, encoding) = (self.reading.limits.size, self.reading.encoding);
        if !begun.is_beyond(most)? || self.records_of(&begun)?.is_none() {
            return begun.read(most, &self.reading.rows)?.decoded(encoding);
        }
        let input = begun.read(LARGEST_DOCUMENT, &self.reading.rows)?;
        RawInput { most_of_record: Some(most), ..input }.decoded(encoding)
    }

    /// Returns the limits for text that this program makes from an input. It may be longer than the input, but not
    /// nested more deeply.
    pub fn limits_of_own_text(&self) -> Limits {
        Limits { size: u64::MAX, ..self.reading.limits }
    }

    /// Returns whether every document is taken as JSON-LD, as the JSON-LD API does.
    pub fn is_api(&self) -> bool {
        self.empty_pages == EmptyPage::Empty
    }

    /// Returns whether the documents get a context from the options.
    pub fn has_context(&self) -> bool {
        self.options.expand_context.is_some()
    }
}

fn check_iri(name: &'static str, iri: &str) -> Result<(), RunFailure> {
    if rdf::iri::is_iri(iri) {
        return Ok(());
    }
    let fault = Diagnostic::error(
        JsonLdErrorCode::InvalidBaseIri.as_str(),
        format!("`{iri}` is not an absolute IRI"),
    );
    Err(fault.with_help(help![setting(name), " needs one"]).into())
}

/// The schema.org context as documents name it.
const SCHEMA_ORG_URL: &str = "https://schema.org/";

/// Returns whether a context is named by a URL rather than a file.
fn is_url(context: &str) -> bool {
    context.contains("://") && !Path::new(context).exists()
}

/// Reads a context or a frame: a name, a file or a URL.
fn read_context(context: &str, remote: &UrlSources, limits: Limits) -> Result<Arc<JsonDocument>, RunFailure> {
    if let Some(document) = BuiltIn::named(context) {
        return Ok(document);
    }
    let options = LoadDocumentOptions::for_context();
    if !is_url(context) {
        let bytes = fs::read(context).map_err(|error| unreadable(context, &error))?;
        return Ok(RemoteDocument::from_bytes(context, "", bytes, None, &options, limits)?.document);
    }
    remote.loaders(None).load(context, &options).map(|remote| remote.document).map_err(|error| {
        let shown = rdf::iri::without_userinfo(context);
        let (message, help) = match error {
            LoadError::Unreadable(reason) => (reason, None),
            LoadError::Failed(failure) => {
                (format!("the context `{shown}` cannot be loaded: {}", failure.message), failure.help)
            }
            LoadError::Unknown | LoadError::Forbidden => (
                format!("the context `{shown}` is not built in, and the network is off"),
                Some(help!["map the URL to a file: ", setting("map").to(format!("{shown}=PATH"))]),
            ),
        };
        let mut fault = Diagnostic::error(JsonLdErrorCode::LoadingRemoteContextFailed.as_str(), message);
        fault.help.extend(help);
        fault.into()
    })
}

/// Reports what the processor dropped. `mints_ids` says whether ids that are not IRIs were kept under minted ones.
pub fn report_warnings(warnings: &[JsonLdWarning], mints_ids: bool, report: &mut RunReport) {
    // The lines of each document, which may be a context, are counted only once.
    let mut sources = HashMap::new();
    for warning in warnings {
        let document = &warning.document;
        report.add_with(FindingSeverity::Warning, warning.code.as_str(), Some(warning.cost), || {
            let source = sources.entry(Arc::as_ptr(document)).or_insert_with(|| document.source_text());
            // A loss with a cost was not kept, even if ids are minted.
            warning.diagnostic(source, mints_ids && warning.cost == 0)
        });
    }
}
