//! The JSON-LD processor with the options of the command line: where contexts come from, and how
//! losses are reported. RDF formats go through the same door.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Stop;
use super::arguments::{
    CompactionArguments, ContextArguments, FramingArguments, IriArguments, JsonLdArguments, ReadingArguments,
};
use super::input::Input;
use super::local_contexts::LocalContexts;
use super::report::Report;
use crate::diagnostic::{Diagnostic, Severity};
use crate::json::{self, Document, Limits};
use crate::jsonld::{
    BuiltIn, Chain, DocumentLoader, FramingOptions, JsonLdOptions, JsonLdProcessor, LoadError, Mapped,
    RdfDirection, Warning,
};
use crate::rdf::read::Reading;
use crate::rdf::{self, QuadBuffer, QuadSink, RdfFormat, ReadOptions};

/// The options of one command for all its documents.
#[derive(Debug)]
pub(super) struct JsonLd {
    options: JsonLdOptions,
    mapped: Mapped,
    limits: Limits,
    /// The contexts beside the file of `--context`, and the URL of that file.
    beside_context: Option<(LocalContexts, String)>,
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
        let mut mapped = Mapped::new(limits);
        for (url, path) in &iris.map {
            mapped.add(url.clone(), path.clone());
        }
        for (flag, iri) in [("--base", &iris.base), ("--document-url", &iris.document_url)] {
            iri.as_ref().map_or(Ok(()), |iri| check_iri(flag, iri))?;
        }
        let expand_context = match &json_ld.expand_context {
            Some(context) => Some(read_context(context, &mapped, limits)?),
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
        Ok(Self { options, mapped, limits, beside_context: None })
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
            self.options.context_url = Some(url.clone());
        }
        let url = if context == "schema.org" { SCHEMA_ORG_URL } else { context };
        if is_url(url) {
            let text = serde_json::Value::from(url).to_string();
            return Ok(Some(Arc::new(json::parse(url, text, self.limits)?)));
        }
        self.beside_context = LocalContexts::beside(Path::new(context), self.limits);
        read_context(context, &self.mapped, self.limits).map(Some)
    }

    /// Reads the frame of `--frame`, and takes the options of framing.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or `--frame-url` is no IRI.
    pub(super) fn frame(&mut self, arguments: &FramingArguments) -> Result<Arc<Document>, Stop> {
        self.options.framing = FramingOptions {
            embed: arguments.embed,
            explicit: arguments.explicit,
            omit_default: arguments.omit_default,
            require_all: arguments.require_all,
            omit_graph: arguments.omit_graph,
            max_depth: Some(self.limits.depth),
        };
        let frame = &arguments.frame;
        if let Some(url) = &arguments.frame_url {
            check_iri("--frame-url", url)?;
            self.options.context_url = Some(url.clone());
        } else if is_url(frame) {
            self.options.context_url = Some(frame.clone());
        }
        if !is_url(frame) {
            self.beside_context = LocalContexts::beside(Path::new(frame), self.limits);
        }
        read_context(frame, &self.mapped, self.limits)
    }

    /// Runs something with a processor for one document, which may be a file with contexts beside it.
    pub(super) fn with_processor<T>(
        &self,
        path: Option<&Path>,
        run: impl FnOnce(JsonLdProcessor<'_>) -> T,
    ) -> T {
        let mut options = self.options.clone();
        let mut local = None;
        if let Some((loader, url)) = path.and_then(|path| LocalContexts::beside(path, self.limits)) {
            // A file that is said to live elsewhere has its contexts there.
            if options.document_url.is_none() {
                options.context_base = Some(url);
            }
            local = Some(loader);
        }
        if let Some((loader, url)) = &self.beside_context {
            options.context_url.get_or_insert_with(|| url.clone());
            local = Some(local.map_or_else(|| loader.clone(), |local| local.and(loader)));
        }
        let mut loaders = Chain::default().and(&self.mapped);
        if let Some(local) = &local {
            loaders = loaders.and(local);
        }
        let loaders = loaders.and(&BuiltIn);
        run(JsonLdProcessor::new(options, &loaders))
    }

    /// Parses JSON; none where it is at fault, which is reported.
    pub(super) fn parse(&self, input: Input, report: &mut Report) -> Option<Arc<Document>> {
        if let Some(page) = rdf::detect::html_page(&input.name, &input.bytes) {
            report.add(&page);
            return None;
        }
        let parsed = json::decode(&input.name, input.bytes)
            .and_then(|text| json::parse(input.name.as_str(), text, self.limits));
        match parsed {
            Ok(document) => {
                report_duplicate_keys(&document, report);
                Some(Arc::new(document))
            }
            Err(fault) => {
                report.add(&fault);
                None
            }
        }
    }

    /// Reads a document into the buffer; false where it is at fault, which is reported.
    pub(super) fn read_into(
        &self,
        input: Input,
        format: RdfFormat,
        quads: &mut QuadBuffer,
        report: &mut Report,
    ) -> bool {
        if format != RdfFormat::JsonLd {
            return self.read_rdf(&input, format, quads, report);
        }
        let path = input.path.clone();
        let Some(document) = self.parse(input, report) else {
            return false;
        };
        match self.with_processor(path.as_deref(), |mut processor| processor.to_rdf(&document, quads)) {
            Ok(mut conversion) => {
                conversion.set_costs(quads.take_lost_costs());
                report_warnings(&conversion.warnings, StrayIds::Dropped, report);
                true
            }
            Err(error) => {
                report.add(&error.diagnostic());
                quads.take_lost_costs();
                false
            }
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
        let base = self.options.base.as_deref().or(self.options.document_url.as_deref());
        match rdf::read(&input.name, &input.bytes, ReadOptions { format, base }, sink) {
            Ok(reading) => {
                report.add_all(&reading.warnings);
                Some(reading)
            }
            Err(errors) => {
                report.add_all(&errors);
                None
            }
        }
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
    Err(Diagnostic::error("invalid base IRI", message).into())
}

/// The context of schema.org as documents name it.
const SCHEMA_ORG_URL: &str = "https://schema.org/";

/// Whether a context is named by a URL, not a file.
fn is_url(context: &str) -> bool {
    context.contains("://") && !Path::new(context).exists()
}

/// Reads a context: a file, or a URL that is mapped or built in.
fn read_context(context: &str, mapped: &Mapped, limits: Limits) -> Result<Arc<Document>, Stop> {
    if let Some(document) = BuiltIn::named(context) {
        return Ok(document);
    }
    let path = PathBuf::from(context);
    if !is_url(context) {
        let bytes = fs::read(&path).map_err(|error| {
            let reason = super::input::plain(&error);
            Diagnostic::error("input::unreadable", format!("`{context}` cannot be read: {reason}"))
        })?;
        let text = json::decode(context, bytes)?;
        return Ok(Arc::new(json::parse(context, text, limits)?));
    }
    let loaders = Chain::default().and(mapped).and(&BuiltIn);
    match loaders.load(context) {
        Ok(remote) => Ok(remote.document),
        Err(LoadError::Unreadable(reason)) => {
            Err(Diagnostic::error("loading remote context failed", reason).into())
        }
        Err(LoadError::Unknown | LoadError::Forbidden) => {
            let message = format!("the context `{context}` is not built in, and the network is off");
            let help = format!("map the URL to a file: `--map {context}=PATH`");
            Err(Diagnostic::error("loading remote context failed", message).with_help(help).into())
        }
    }
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

fn report_duplicate_keys(document: &Document, report: &mut Report) {
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
