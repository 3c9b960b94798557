//! The JSON-LD processor with the options of the command line: where contexts come from, and how
//! losses are reported. RDF formats go through the same door.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{
    CompactionArguments, ContextArguments, IriArguments, JsonLdArguments, ReadingArguments,
};
use super::guard::Guard;
use super::input::{Begun, Input, InputSource, find_sources};
use super::json_ld_output::parsed_from_rdf;
use super::local_contexts::LocalContexts;
use super::named::{Content, Opened};
use super::origin::{Origin, folder_name, stem};
use super::reading_digest::ContextsRead;
use super::records::{check_sizes, each_document, part_of};
use super::remote::Remote;
use super::report::Report;
use super::syntax::Syntax;
use super::{Stop, documents};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::json::{Document, Encoding, LARGEST_DOCUMENT, Limits};
use crate::jsonld::{
    BuiltIn, DocumentLoader, FramingOptions, JsonLdErrorCode, JsonLdOptions, JsonLdProcessor,
    LoadDocumentOptions, LoadError, LoadMode, MediaType, RdfDirection, RemoteDocument, Warning,
};
use crate::rdf::detect::html_page;
use crate::rdf::read::Reading;
use crate::rdf::{self, QuadBuffer, QuadSink, RdfFormat, ReadOptions};
use crate::source::karenina::version_2;
use crate::source::records::Recognised;
use crate::source::rlcf::RecordName;
use crate::source::system::System;
use crate::source::train::RowOptions;

/// The options of one command for all its documents.
#[derive(Debug)]
pub(super) struct JsonLd {
    options: JsonLdOptions,
    remote: Remote,
    limits: Limits,
    /// The contexts beside the file of `--context`, and the URL of that file.
    beside_context: Option<(LocalContexts, String)>,
    named_format: Option<RdfFormat>,
    named_system: Option<System>,
    /// `--record`
    record: Option<RecordName>,
    encoding: Option<Encoding>,
    rows: RowOptions,
    /// `--content-type`
    media_type: Option<MediaType>,
    extract_all_scripts: Option<bool>,
    empty_pages: EmptyPage,
    /// The contexts that are read for each file, where that is asked for.
    contexts_read: Option<ContextsRead>,
}

/// What a page without JSON-LD scripts is, where all scripts are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EmptyPage {
    /// No data: a download may have saved an error page in the place of the file.
    Refused,
    /// An empty document, as the API has it.
    Empty,
}

/// A document that was parsed, and where it comes from.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) document: Arc<Document>,
    pub(super) origin: Origin,
}

impl JsonLd {
    /// Takes the options.
    ///
    /// # Errors
    ///
    /// Where `--expand-context` cannot be read, or `--base` or `--document-url` is no IRI.
    pub(super) fn new(
        iris: &IriArguments,
        json_ld: &JsonLdArguments,
        reading: &ReadingArguments,
    ) -> Result<Self, Stop> {
        let limits = Limits { size: reading.max_size, depth: reading.max_depth };
        let remote = Remote::new(iris, limits)?;
        for (flag, iri) in [("--base", &iris.base), ("--document-url", &iris.document_url)] {
            iri.as_ref().map_or(Ok(()), |iri| check_iri(flag, iri))?;
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
            limits,
            beside_context: None,
            named_format: reading.named_format(),
            named_system: reading.named_system(),
            record: reading.record,
            encoding: reading.encoding,
            rows: reading.rows(),
            media_type: reading.content_type.clone(),
            extract_all_scripts: json_ld.extract_all_scripts,
            empty_pages: EmptyPage::Refused,
            contexts_read: None,
        })
    }

    /// Whether a file of records can be told by its beginning and read in pieces: it is UTF-8, and its keys
    /// are its own.
    pub(super) fn takes_pieces(&self) -> bool {
        let is_utf8 = matches!(self.encoding, None | Some(Encoding::Auto | Encoding::Utf8));
        let is_said = self.named_format.is_some() || self.media_type.is_some() || self.has_context();
        is_utf8 && !is_said && self.rows.columns.is_empty()
    }

    /// The limits on texts.
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// The RDF format that was named for the inputs.
    pub(super) fn named_format(&self) -> Option<RdfFormat> {
        self.named_format
    }

    /// How rows are read.
    pub(super) fn rows(&self) -> &RowOptions {
        &self.rows
    }

    /// The kind that was named for records of RLCF.
    pub(super) fn record(&self) -> Option<RecordName> {
        self.record
    }

    /// The system that was named for the inputs.
    pub(super) fn named_system(&self) -> Option<System> {
        self.named_system
    }

    /// Says how a base direction reaches RDF.
    pub(super) fn with_rdf_direction(mut self, direction: Option<RdfDirection>) -> Self {
        self.options.rdf_direction = direction;
        self
    }

    /// Says whether blank nodes may be predicates.
    pub(super) fn with_generalized_rdf(mut self, is_wanted: bool) -> Self {
        self.options.produce_generalized_rdf = is_wanted;
        self
    }

    /// Says whether RDF booleans and numbers become JSON's.
    pub(super) fn with_native_types(mut self, are_wanted: bool) -> Self {
        self.options.use_native_types = are_wanted;
        self
    }

    /// Says whether `rdf:type` stays a property.
    pub(super) fn with_rdf_type(mut self, is_wanted: bool) -> Self {
        self.options.use_rdf_type = is_wanted;
        self
    }

    /// The options of the API.
    pub(super) fn options(&self) -> &JsonLdOptions {
        &self.options
    }

    /// Says what a page without JSON-LD scripts is on the way to RDF.
    pub(super) fn with_empty_pages(mut self, empty_pages: EmptyPage) -> Self {
        self.empty_pages = empty_pages;
        self
    }

    /// Notes which contexts are read for each file.
    pub(super) fn noting_contexts(mut self) -> Self {
        self.contexts_read = Some(ContextsRead::default());
        self
    }

    /// The contexts that were read, where they are noted.
    pub(super) fn contexts_read(&self) -> Option<&ContextsRead> {
        self.contexts_read.as_ref()
    }

    /// Says how results are compacted.
    pub(super) fn with_compaction(mut self, compaction: &CompactionArguments) -> Self {
        self.options.compact_arrays = compaction.compact_arrays;
        self.options.compact_to_relative = compaction.compact_to_relative;
        self
    }

    /// Reads the context of `--context`, if there is one. A URL is kept as it is, and so is
    /// schema.org's context, which is too long to stand in a document.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or `--context-url` is no IRI.
    pub(super) fn context(&mut self, arguments: &ContextArguments) -> Result<Option<Arc<Document>>, Stop> {
        let Some(context) = &arguments.context else { return Ok(None) };
        if let Some(url) = &arguments.context_url {
            check_iri("--context-url", url)?;
            self.options.argument_url = Some(url.clone());
        }
        let url = if context == "schema.org" { SCHEMA_ORG_URL } else { context };
        if is_url(url) {
            let text = serde_json::Value::from(url).to_string();
            return Ok(Some(Arc::new(crate::json::parse(url, text, self.limits)?)));
        }
        self.beside_context = LocalContexts::beside(Path::new(context), self.limits);
        read_context(context, &self.remote, self.limits).map(Some)
    }

    /// Reads the frame of `--frame`, said to live at a URL, and takes the options of framing.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or the URL of `--frame-url` is no IRI.
    pub(super) fn frame(
        &mut self,
        frame: &str,
        frame_url: Option<&str>,
        options: FramingOptions,
    ) -> Result<Arc<Document>, Stop> {
        self.options.framing = FramingOptions { max_depth: Some(self.limits.depth), ..options };
        if let Some(url) = frame_url {
            check_iri("--frame-url", url)?;
            self.options.argument_url = Some(url.to_owned());
        } else if is_url(frame) {
            self.options.argument_url = Some(frame.to_owned());
        }
        if !is_url(frame) {
            self.beside_context = LocalContexts::beside(Path::new(frame), self.limits);
        }
        read_context(frame, &self.remote, self.limits)
    }

    /// Runs something with a processor for one document, which may be a file with contexts beside it.
    pub(super) fn with_processor<T>(&self, origin: &Origin, run: impl FnOnce(JsonLdProcessor<'_>) -> T) -> T {
        self.with_loader(origin, |loader, options| run(JsonLdProcessor::new(options, loader)))
    }

    /// Runs something with the contexts and options for one document.
    pub(super) fn with_loader<T>(
        &self,
        origin: &Origin,
        run: impl FnOnce(&dyn DocumentLoader, JsonLdOptions) -> T,
    ) -> T {
        let mut options = self.options.clone();
        let mut local = None;
        let mut file_url = None;
        if let Some((loader, url)) = origin.path().and_then(|path| LocalContexts::beside(path, self.limits)) {
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
    /// As [`InputSource::read`] and [`Remote::begin`].
    pub(super) fn read(&self, source: &InputSource) -> Result<Input, Box<Diagnostic>> {
        self.read_rest(self.begin(source)?)
    }

    /// Begins to read an input, which may be a URL.
    ///
    /// # Errors
    ///
    /// As [`Remote::begin`].
    pub(super) fn begin(&self, source: &InputSource) -> Result<Begun, Box<Diagnostic>> {
        self.remote.begin(source)
    }

    /// Reads the rest of an input. Of a file of records the limit on size is on each record.
    ///
    /// # Errors
    ///
    /// As [`InputSource::read`].
    pub(super) fn read_rest(&self, mut begun: Begun) -> Result<Input, Box<Diagnostic>> {
        let most = self.limits.size;
        if !begun.is_beyond(most)? || self.records_of(&begun)?.is_none() {
            return begun.read(most)?.decoded(self.encoding);
        }
        let input = begun.read(LARGEST_DOCUMENT)?;
        Input { most_of_record: Some(most), ..input }.decoded(self.encoding)
    }

    /// Parses the only input of a command.
    ///
    /// # Errors
    ///
    /// Where it is none or several, cannot be read or is no JSON; the last is reported.
    pub(super) fn parse_only(&self, command: &str, input: &str, report: &mut Report) -> Result<Parsed, Stop> {
        let (sources, faults) = find_sources(&[input.to_owned()]);
        report.add_all(&faults);
        match sources.as_slice() {
            [] => Err(Stop::Failed),
            [source] => self.parse_any(self.read(source)?, report).ok_or(Stop::Failed),
            several => {
                let found = several.len();
                let message = format!("`{command}` takes one document, and the input is {found} files");
                Err(Diagnostic::error("input::several", message).into())
            }
        }
    }

    /// Parses JSON-LD, or makes it of another RDF format; none where the input is at fault, which is
    /// reported. What is not known to be another format is JSON-LD, whatever it looks like.
    fn parse_any(&self, input: Input, report: &mut Report) -> Option<Parsed> {
        let format = self.named_format.or_else(|| documents::format_of_server(&input));
        let format = format.or_else(|| Some(rdf::detect(&input.name, &input.bytes).ok()?.format));
        let Some(format) = format.filter(|format| *format != RdfFormat::JsonLd) else {
            return self.parse(input, report);
        };
        let (name, origin) = (input.name.clone(), Origin::of(&input));
        let mut quads = QuadBuffer::new();
        if !self.read_into(input, format, &mut quads, report) {
            return None;
        }
        parsed_from_rdf((&name, origin), &quads, self).map_err(|fault| report.add(&fault)).ok()
    }

    /// The limits of a text that was made here: it may be longer than the input, and not deeper.
    pub(super) fn limits_of_own_text(&self) -> Limits {
        Limits { size: u64::MAX, ..self.limits }
    }

    /// Parses JSON, or the first script of a page; none where it is at fault, which is reported.
    pub(super) fn parse(&self, input: Input, report: &mut Report) -> Option<Parsed> {
        self.parse_or_fail(input, false, EmptyPage::Empty, report).map_err(|fault| report.add(&fault)).ok()
    }

    /// Parses JSON, or all scripts of a page, of which there has to be one; none where it is at
    /// fault, which is reported.
    pub(super) fn parse_data(&self, input: Input, report: &mut Report) -> Option<Parsed> {
        self.parse_or_fail(input, true, self.empty_pages, report).map_err(|fault| report.add(&fault)).ok()
    }

    fn parse_or_fail(
        &self,
        input: Input,
        all_scripts: bool,
        empty_pages: EmptyPage,
        report: &mut Report,
    ) -> Result<Parsed, Box<Diagnostic>> {
        let guard = Guard::of(&input.bytes);
        let most_of_record = input.most_of_record;
        // A table, and YAML, are no JSON-LD, whatever their names.
        let is_of_records = self.named_system.is_some() || matches!(input.syntax, Syntax::Csv | Syntax::Yaml);
        let mut parsed = guard.checked(self.parse_input(input, all_scripts, empty_pages, report))?;
        // What stands in a page is JSON-LD.
        if !parsed.document.text().trim_start().starts_with('<') {
            let document = Arc::get_mut(&mut parsed.document);
            let document = document.expect("a document that was just parsed is nobody else's");
            match is_of_records {
                true => guard.hide_in_records(document, report),
                false => guard.hide(document, report),
            }
        }
        most_of_record.map_or(Ok(()), |most| check_sizes(&parsed.document, most))?;
        report_duplicate_keys(&parsed.document, report);
        Ok(parsed)
    }

    fn parse_input(
        &self,
        input: Input,
        all_scripts: bool,
        empty_pages: EmptyPage,
        report: &mut Report,
    ) -> Result<Parsed, Box<Diagnostic>> {
        let mut origin = Origin::of(&input);
        let mut input = input;
        let limits = match input.most_of_record {
            Some(_) => self.limits_of_own_text(),
            None => self.limits,
        };
        if let Some(parsed) = input.syntax.parse(&mut input, &self.rows, limits) {
            return Ok(Parsed { document: parsed?, origin });
        }
        let options = LoadDocumentOptions {
            extract_all_scripts: self.extract_all_scripts.unwrap_or(all_scripts),
            ..LoadDocumentOptions::default()
        };
        let media_type = self.media_type.as_ref().or(origin.media_type());
        let url = origin.url().or(self.options.document_url.as_deref()).unwrap_or_default();
        let Input { name, bytes, .. } = input;
        let remote = RemoteDocument::from_bytes((&name, url), bytes, media_type, &options, limits)?;
        let document = remote.document;
        // Scripts have at least a character, or they are no JSON.
        if document.bytes(document.root()).is_empty() {
            if empty_pages == EmptyPage::Refused {
                return Err(html_page(&name, document.text().as_bytes()));
            }
            let empty = Diagnostic::warning("html::no-script", "the page has no JSON-LD script");
            report.add(&empty.at(document.source_text().place(0..0)));
        }
        origin.set_base_href(remote.base_href);
        Ok(Parsed { document, origin })
    }

    /// A document as JSON-LD, where it is a checkpoint of version 2.0; any other document as it is.
    /// None where it is at fault, which is reported.
    pub(super) fn of_any_version(
        &self,
        document: Arc<Document>,
        report: &mut Report,
    ) -> Option<Arc<Document>> {
        match version_2::as_json_ld(&document) {
            None => Some(document),
            Some(Ok((document, findings))) => {
                report.add_all(&findings);
                Some(Arc::new(document))
            }
            Some(Err(findings)) => {
                report.add_all(&findings);
                None
            }
        }
    }

    /// Reads the records of a file into the buffer; none where it is at fault, which is reported.
    pub(super) fn read_records(
        &self,
        (file, recognised): (&Document, &Recognised),
        origin: &Origin,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> Option<()> {
        let by_path = part_of(recognised, origin);
        let (dataset, part) = match origin.stored() {
            Some(stored) => (stored.dataset.clone(), stored.part.as_deref()),
            None => {
                let dataset = by_path.map_or_else(|| stem(origin), folder_name);
                (dataset, by_path.map(|part| part.part.as_str()))
            }
        };
        let dataset = (dataset.as_str(), part);
        self.read_records_as((file, recognised), dataset, origin, quads, report)
    }

    /// Reads the records of a file into the buffer under the name of a dataset, and of a part of it.
    pub(super) fn read_records_as(
        &self,
        (file, recognised): (&Document, &Recognised),
        dataset: (&str, Option<&str>),
        origin: &Origin,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> Option<()> {
        each_document(file, recognised, dataset, report, |document, mode, report| {
            let sink = (&mut *quads, QuadBuffer::take_lost_costs);
            self.convert_into((document, origin), (mode, StrayIds::Kept), sink, report).map(drop)
        })
    }

    /// Reads a document into the buffer; false where it is at fault, which is reported.
    pub(super) fn read_into(
        &self,
        input: Input,
        format: RdfFormat,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> bool {
        self.opened(input, format, report).is_some_and(|opened| self.read_opened(&opened, quads, report))
    }

    /// Reads what was opened into the buffer, as the specification has it; false where it is at fault,
    /// which is reported.
    pub(super) fn read_opened(&self, opened: &Opened, quads: &mut QuadBuffer, report: &mut Report) -> bool {
        let origin = &opened.origin;
        match &opened.content {
            Content::Other(input) => self.read_rdf(input, opened.format, quads, report),
            Content::Records { file, recognised, .. } => {
                self.read_records((file, recognised), origin, quads, report).is_some()
            }
            Content::Json { document, .. } => {
                let how = (LoadMode::default(), StrayIds::Dropped);
                let sink = (quads, QuadBuffer::take_lost_costs);
                self.convert_into((document, origin), how, sink, report).is_some()
            }
            Content::Large(_) | Content::LargeCheckpoint(_) => false,
        }
    }

    fn read_rdf(
        &self,
        input: &Input,
        format: RdfFormat,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> bool {
        let Some(reading) = self.read_other(input, format, quads, report) else {
            return false;
        };
        for (name, namespace) in &reading.prefixes {
            quads.declare_prefix(name, namespace);
        }
        true
    }

    /// Reads a document of another format than JSON-LD; none where it is at fault, which is
    /// reported.
    pub(super) fn read_other<S: QuadSink>(
        &self,
        input: &Input,
        format: RdfFormat,
        sink: &mut S,
        report: &mut Report,
    ) -> Option<Reading> {
        let url = input.arrival.as_ref().map(|arrival| arrival.url.as_str());
        let base = self.options.base.as_deref().or(self.options.document_url.as_deref()).or(url);
        let options = ReadOptions { format, base };
        match rdf::read_within(&input.name, &input.bytes, options, self.limits.size, sink) {
            Ok(reading) => {
                report.add_all(&reading.warnings);
                Some(reading)
            }
            Err(errors) => {
                let guard = Guard::of(&input.bytes);
                for error in errors {
                    if let Err(fault) = guard.checked::<()>(Err(Box::new(error))) {
                        report.add(&fault);
                    }
                }
                None
            }
        }
    }

    /// Whether documents are taken as the API takes them, whatever they look like.
    pub(super) fn is_api(&self) -> bool {
        self.empty_pages == EmptyPage::Empty
    }

    /// Whether the documents get a context from the command line.
    pub(super) fn has_context(&self) -> bool {
        self.options.expand_context.is_some()
    }
}

fn check_iri(flag: &str, iri: &str) -> Result<(), Stop> {
    if rdf::iri::is_iri(iri) {
        return Ok(());
    }
    let message = format!("`{iri}` is not an absolute IRI, and `{flag}` wants one");
    Err(Diagnostic::error(JsonLdErrorCode::InvalidBaseIri.as_str(), message).into())
}

/// The context of schema.org as documents name it.
const SCHEMA_ORG_URL: &str = "https://schema.org/";

/// Whether a context is named by a URL, not a file.
fn is_url(context: &str) -> bool {
    context.contains("://") && !Path::new(context).exists()
}

/// Reads a context or a frame: a name, a file or a URL.
fn read_context(context: &str, remote: &Remote, limits: Limits) -> Result<Arc<Document>, Stop> {
    if let Some(document) = BuiltIn::named(context) {
        return Ok(document);
    }
    let path = PathBuf::from(context);
    let options = LoadDocumentOptions::for_context();
    if !is_url(context) {
        let bytes = fs::read(&path).map_err(|error| {
            let reason = super::path_text::plain(&error);
            Diagnostic::error(codes::INPUT_UNREADABLE, format!("`{context}` cannot be read: {reason}"))
        })?;
        return Ok(RemoteDocument::from_bytes((context, ""), bytes, None, &options, limits)?.document);
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
                Some(format!("map the URL to a file: `--map {shown}=PATH`")),
            ),
        };
        let mut fault = Diagnostic::error(JsonLdErrorCode::LoadingRemoteContextFailed.as_str(), message);
        fault.help.extend(help);
        fault.into()
    })
}

/// What becomes of ids that are no IRIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StrayIds {
    /// They are dropped, as the specification says.
    Dropped,
    /// They are kept under a minted id.
    Kept,
}

/// Reports what the processor dropped.
pub(super) fn report_warnings(warnings: &[Warning], ids: StrayIds, report: &mut Report) {
    // Lines are counted once for each document, which may be a context.
    let mut sources = HashMap::new();
    for warning in warnings {
        let document = &warning.document;
        report.add_with(Severity::Warning, warning.code.as_str(), Some(warning.cost), || {
            let source = sources.entry(Arc::as_ptr(document)).or_insert_with(|| document.source_text());
            // What costs something was not kept, whatever was wanted.
            warning.diagnostic(source, ids == StrayIds::Kept && warning.cost == 0)
        });
    }
}

pub(super) fn report_duplicate_keys(document: &Document, report: &mut Report) {
    for duplicate in document.duplicate_keys() {
        report.add_with(Severity::Warning, "json::duplicate-key", None, || {
            let key = document.string(duplicate.kept).unwrap_or_default();
            let message = format!("the key `{key}` stands twice in one object; the last one counts");
            Diagnostic::warning("json::duplicate-key", message)
                .at(document.place(duplicate.kept))
                .with_related(document.place(duplicate.replaced), "the first one, which counts no more")
        });
    }
}
