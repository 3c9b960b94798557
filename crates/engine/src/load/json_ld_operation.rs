//! The operations of the JSON-LD API on single documents, from the name of an input to the text of the result.
//!
//! `ReadSession` is defined in `read_session.rs`.

use std::sync::Arc;

use super::document::Document;
use super::document_quads::{QuadChanges, QuadRules};
use super::parsed_input::ParsedInput;
use super::read_session::{ReadSession, report_warnings};
use super::server_format::format_of_server;
use crate::input::find::find_sources;
use crate::input::source::RawInput;
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunFailure, RunReport};
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::{
    FlattenedDocument, FramingOptions, FromRdfError, JsonLdLayout, JsonLdProcessor, NoLoader,
};
use evalgraph_rdf::{self as rdf, QuadBuffer, RdfFormat};

/// An operation of the JSON-LD API on one document, with its arguments (JSON-LD 1.1 Processing Algorithms and API,
/// section 9).
///
/// Contexts and frames are files, mapped or built-in URLs, or `karenina`, `karenina-spec`, `karenina-gui` and
/// `schema.org`.
#[derive(Debug, Clone)]
pub struct JsonLdOperation {
    algorithm: OperationAlgorithm,
    /// The URL that is assumed for the context or the frame.
    url: Option<String>,
    compact_arrays: bool,
    compact_to_relative: bool,
}

#[derive(Debug, Clone)]
enum OperationAlgorithm {
    Expand,
    Compact { context: String },
    Flatten { context: Option<String> },
    Frame { frame: String, options: FramingOptions },
}

impl JsonLdOperation {
    /// The Expansion Algorithm: every IRI in full, every value an object.
    pub fn expand() -> Self {
        Self::new(OperationAlgorithm::Expand)
    }

    /// The Compaction Algorithm: IRIs and values in the short forms of a context.
    pub fn compact(context: impl Into<String>) -> Self {
        Self::new(OperationAlgorithm::Compact { context: context.into() })
    }

    /// The Flattening Algorithm: every node appears once. The result is compacted if there is a context.
    pub fn flatten(context: Option<String>) -> Self {
        Self::new(OperationAlgorithm::Flatten { context })
    }

    /// The Framing Algorithm: the nodes that a frame matches, as trees in its shape. The limits bound the depth.
    pub fn frame(frame: impl Into<String>, options: FramingOptions) -> Self {
        Self::new(OperationAlgorithm::Frame { frame: frame.into(), options })
    }

    fn new(algorithm: OperationAlgorithm) -> Self {
        Self { algorithm, url: None, compact_arrays: true, compact_to_relative: true }
    }

    /// Sets the URL of the context or the frame. Its relative IRIs are resolved against this URL.
    #[must_use]
    pub fn living_at(mut self, url: Option<String>) -> Self {
        self.url = url;
        self
    }

    /// Sets whether an array with one value becomes that value.
    #[must_use]
    pub fn compact_arrays(mut self, is_wanted: bool) -> Self {
        self.compact_arrays = is_wanted;
        self
    }

    /// Sets whether IRIs become relative to the base.
    #[must_use]
    pub fn compact_to_relative(mut self, is_wanted: bool) -> Self {
        self.compact_to_relative = is_wanted;
        self
    }

    /// Returns the name of the operation in messages.
    fn name(&self) -> &'static str {
        match self.algorithm {
            OperationAlgorithm::Expand => "expand",
            OperationAlgorithm::Compact { .. } => "compact",
            OperationAlgorithm::Flatten { .. } => "flatten",
            OperationAlgorithm::Frame { .. } => "frame",
        }
    }
}

impl ReadSession {
    /// Runs an operation on the only document of an input, and passes the expanded or compacted result to `write`.
    ///
    /// # Errors
    ///
    /// If the input, the context or the frame cannot be read, or if the algorithm refuses them.
    pub fn process<T, E: From<RunFailure>>(
        mut self,
        operation: &JsonLdOperation,
        input: &str,
        report: &mut RunReport,
        write: impl FnOnce(&FlattenedDocument<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let url = operation.url.as_deref();
        let argument = match &operation.algorithm {
            OperationAlgorithm::Expand | OperationAlgorithm::Flatten { context: None } => None,
            OperationAlgorithm::Compact { context }
            | OperationAlgorithm::Flatten { context: Some(context) } => Some(self.context(context, url)?),
            OperationAlgorithm::Frame { frame, options } => Some(self.frame(frame, url, *options)?),
        };
        self.options.compact_arrays = operation.compact_arrays;
        self.options.compact_to_relative = operation.compact_to_relative;
        let ParsedInput { document, origin } = self.parse_only(operation.name(), input, report)?;
        self.with_processor(&origin, |mut processor| {
            let processed = match (&operation.algorithm, &argument) {
                (OperationAlgorithm::Flatten { .. }, context) => {
                    processor.flatten(&document, context.as_ref())
                }
                (OperationAlgorithm::Compact { .. }, Some(context)) => {
                    processor.compact(&document, context).map(FlattenedDocument::Compacted)
                }
                (OperationAlgorithm::Frame { .. }, Some(frame)) => {
                    processor.frame(&document, frame).map(FlattenedDocument::Compacted)
                }
                (
                    OperationAlgorithm::Expand
                    | OperationAlgorithm::Compact { .. }
                    | OperationAlgorithm::Frame { .. },
                    _,
                ) => processor.expand(&document).map(FlattenedDocument::Expanded),
            };
            let processed = processed.map_err(|error| RunFailure::from(error.diagnostic()))?;
            report_warnings(processed.warnings(), false, report);
            if report.has_failed() {
                return Err(RunFailure::Reported.into());
            }
            write(&processed)
        })
    }

    /// Parses the only input of a command.
    ///
    /// # Errors
    ///
    /// If the input is not a file, is several files, cannot be read, or is not JSON; the last is reported.
    fn parse_only(
        &self,
        command: &str,
        input: &str,
        report: &mut RunReport,
    ) -> Result<ParsedInput, RunFailure> {
        let (sources, faults) = find_sources(&[input.to_owned()]);
        report.add_all(&faults);
        match sources.as_slice() {
            [] => Err(RunFailure::Reported),
            [source] => Ok(self.parse_any(self.read(source)?, report)?),
            several => {
                let found = several.len();
                let message = format!("`{command}` takes one document, but the input is {found} files");
                Err(Diagnostic::error("input::several", message).into())
            }
        }
    }

    /// Parses JSON-LD, or converts another RDF format to it. An input of any other format is taken as JSON-LD.
    fn parse_any(&self, input: RawInput, report: &mut RunReport) -> ReportedResult<ParsedInput> {
        let format = self.reading.named_format().unwrap_or_else(|| format_of_any(&input));
        if format == RdfFormat::JsonLd {
            return self.parse(input, report);
        }
        let mut quads = QuadBuffer::new();
        let source = Document::from_input(input, format, self, report)?;
        source.quads_into(QuadRules::new(QuadChanges::Nothing), self, &mut quads, report)?;
        let document = report.ok_or_report(expanded(&source.origin.name, &quads, self))?;
        Ok(ParsedInput { document, origin: source.origin })
    }
}

/// Returns the format of an input of the JSON-LD API: an RDF format that its server or its content names, or else
/// JSON-LD.
pub fn format_of_any(input: &RawInput) -> RdfFormat {
    let detected =
        || rdf::detect(&input.origin.name, &input.bytes).map_or(RdfFormat::JsonLd, |found| found.format);
    format_of_server(&input.origin).unwrap_or_else(detected)
}

/// Returns quads as a parsed document. Findings in this document have no place in the input.
pub fn expanded(
    name: &str,
    quads: &QuadBuffer,
    session: &ReadSession,
) -> Result<Arc<JsonDocument>, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    from_rdf(quads, session, JsonLdLayout::Compact, &mut bytes).map_err(|error| match error {
        FromRdfError::JsonLd(error) => Box::new(error.diagnostic()),
        FromRdfError::Io(error) => Box::new(Diagnostic::error("output::unwritable", error.to_string())),
    })?;
    let text = evalgraph_json::decode(name, bytes)?;
    Ok(Arc::new(evalgraph_json::parse(name, text, session.limits_of_own_text())?.made_of_file()))
}

/// Writes quads as expanded JSON-LD.
pub fn from_rdf(
    quads: &QuadBuffer,
    session: &ReadSession,
    layout: JsonLdLayout,
    out: impl std::io::Write,
) -> Result<(), FromRdfError> {
    JsonLdProcessor::new(session.options.clone(), &NoLoader).from_rdf(quads, layout, out)
}
