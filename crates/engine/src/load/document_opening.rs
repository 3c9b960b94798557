//! The only way to open a file: reads it, recognises its content, and refuses unusable files. Files are also converted
//! to quads here, so that every command reports the same losses.
//!
//! `JsonLd` is defined in `read_session.rs`.

use std::sync::Arc;

use super::parsed_input::ParsedInput;
use super::read_session::{JsonLd, report_warnings};
use super::recognised_document::{DocumentContent, RecognisedDocument};
use super::record_recognition::{each_document, part_of};
use super::server_format::format_of_server;
use crate::input::guard::SecretGuard;
use crate::input::origin::{DocumentOrigin, folder_name, stem};
use crate::input::source::{BegunInput, InputSource, RawInput};
use crate::input::syntax::{RecordSyntax, is_no_json};
use evalgraph_diagnostics::RunReport;
use evalgraph_formats::karenina::{CheckpointSurvey, version_2_json_ld};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::registry::system_of_rows;
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::{LoadMode, inline_prefixes};
use evalgraph_rdf::minted::node_base;
use evalgraph_rdf::read::RdfReadOutcome;
use evalgraph_rdf::{self as rdf, QuadBuffer, QuadSink, RdfFormat, ReadOptions};

impl JsonLd {
    /// Opens a source. `None` if the source is at fault, which is reported.
    pub fn open(&self, source: &InputSource, report: &mut RunReport) -> Option<RecognisedDocument> {
        let (input, format) = self.input_of(source, report)?;
        self.opened(input, format, report)
    }

    /// Reads a source and recognises its format. `None` if the source is at fault, which is reported.
    pub fn input_of(&self, source: &InputSource, report: &mut RunReport) -> Option<(RawInput, RdfFormat)> {
        let begun = report.told(self.remote.begin(source))?;
        self.input_of_begun(begun, report)
    }

    /// Like [`Self::input_of`], but for an input whose beginning was read.
    pub fn input_of_begun(&self, begun: BegunInput, report: &mut RunReport) -> Option<(RawInput, RdfFormat)> {
        let mut input = report.told(self.read_rest(begun))?;
        // The user decides first, then the syntax of records, then the media type of a server, and last the content.
        if let Some(format) = self.reading.named_format() {
            return Some((input, format));
        }
        let RawInput { origin, bytes, .. } = &mut input;
        if origin.syntax == RecordSyntax::Json {
            origin.syntax = RecordSyntax::from_input(&origin.name, bytes).unwrap_or_default();
        }
        // A table without a name, such as stdin: the user names its columns or its system.
        let named = self.reading.named_system();
        let is_of_rows =
            named.is_some() && named == system_of_rows() || !self.reading.rows.columns.is_empty();
        if origin.syntax == RecordSyntax::Json && is_of_rows && is_no_json(bytes) {
            origin.syntax = RecordSyntax::Csv;
        }
        if origin.syntax != RecordSyntax::Json || self.reading.named_system().is_some() {
            return Some((input, RdfFormat::JsonLd));
        }
        if let Some(format) = format_of_server(origin) {
            return Some((input, format));
        }
        if let Some(arrival) = &mut origin.arrival {
            // A media type that says nothing about the content must not overrule it.
            arrival.media_type = None;
        }
        let detection = report.told(rdf::detect(&origin.name, bytes))?;
        report.add_all(&detection.note);
        Some((input, detection.format))
    }

    /// Opens an input of a known format. `None` if the input is at fault, which is reported. A checkpoint of version
    /// 2.0 becomes the JSON-LD that the user interface would make from it.
    pub fn opened(
        &self,
        input: RawInput,
        format: RdfFormat,
        report: &mut RunReport,
    ) -> Option<RecognisedDocument> {
        let mut opened = self.opened_as_it_is(input, format, report)?;
        if let DocumentContent::Json { document, survey, file, detection } = &mut opened.content {
            if detection.dialect.is_version_2()
                && let Some(made) = version_2_json_ld::as_json_ld(file)
            {
                let (made, findings) = made.map_err(|findings| report.add_all(&findings)).ok()?;
                report.add_all(&findings);
                *document = Arc::new(made);
                *survey = CheckpointSurvey::from_document(document);
            }
            let root_id = survey.root_id.and_then(|id| document.string(id));
            opened.root_id = root_id.map(|id| id.into_owned());
        }
        Some(opened)
    }

    /// Like [`Self::opened`], but leaves a checkpoint of version 2.0 unchanged.
    pub fn opened_as_it_is(
        &self,
        input: RawInput,
        format: RdfFormat,
        report: &mut RunReport,
    ) -> Option<RecognisedDocument> {
        if format != RdfFormat::JsonLd {
            return Some(RecognisedDocument::new(
                input.origin.clone(),
                format,
                DocumentContent::Other(input),
            ));
        }
        let ParsedInput { document, origin } = self.parse_data(input, report)?;
        if let Some(recognised) = self.recognise(&document, &origin, report).ok()? {
            return Some(RecognisedDocument::new(
                origin,
                format,
                DocumentContent::Records { file: document, recognised },
            ));
        }
        self.opened_json_ld(document, origin, report)
    }

    /// Opens a document as JSON-LD, even if it looks like records. `None` if the document is refused, which is
    /// reported.
    pub fn opened_json_ld(
        &self,
        document: Arc<JsonDocument>,
        origin: DocumentOrigin,
        report: &mut RunReport,
    ) -> Option<RecognisedDocument> {
        let survey = CheckpointSurvey::from_document(&document);
        let detection = survey.detect();
        // The API accepts any JSON.
        let refusal = survey.refusal(&document, &detection, self.has_context()).filter(|_| !self.is_api());
        if let Some(refusal) = refusal {
            report.add(&refusal);
            return None;
        }
        let content =
            DocumentContent::Json { document: Arc::clone(&document), survey, file: document, detection };
        Some(RecognisedDocument::new(origin, RdfFormat::JsonLd, content))
    }

    /// Passes the quads of a JSON-LD document to a sink, and reports losses. Returns how many schema.org IRIs were
    /// moved, or `None` if the document is at fault, which is reported.
    pub fn convert_into<S: QuadSink>(
        &self,
        document: &Arc<JsonDocument>,
        origin: &DocumentOrigin,
        mode: LoadMode,
        sink: &mut S,
        report: &mut RunReport,
    ) -> Option<u64> {
        let mints_ids = mode.mint_below.is_some();
        let result =
            self.with_processor(origin, |processor| processor.with_load_mode(mode).to_rdf(document, sink));
        if result.is_ok() {
            for (name, namespace) in inline_prefixes(document) {
                sink.prefix(&name, &namespace);
            }
            sink.document_end(document);
        }
        let conversion = result.map_err(|error| report.add(&error.diagnostic())).ok()?;
        report_warnings(&conversion.warnings, mints_ids, report);
        Some(conversion.moved_to_schema_org.len() as u64)
    }

    /// Reads the records of a file into the buffer. `None` if the file is at fault, which is reported.
    pub fn read_records(
        &self,
        file: &JsonDocument,
        recognised: &RecognisedRecords,
        origin: &DocumentOrigin,
        quads: &mut QuadBuffer,
        report: &mut RunReport,
    ) -> Option<()> {
        let by_path = part_of(recognised, origin);
        let (dataset, part) = match &origin.stored {
            Some(stored) => (stored.dataset.clone(), stored.part.as_deref()),
            None => {
                let dataset = by_path.map_or_else(|| stem(origin), folder_name);
                (dataset, by_path.map(|part| part.part.as_str()))
            }
        };
        each_document(file, recognised, &dataset, part, report, |document, mode, report| {
            self.convert_into(document, origin, mode, quads, report).map(drop)
        })
    }

    /// Reads a document into the buffer. Returns `false` if the document is at fault, which is reported.
    pub fn read_into(
        &self,
        input: RawInput,
        format: RdfFormat,
        ids: FaultyIds,
        quads: &mut QuadBuffer,
        report: &mut RunReport,
    ) -> bool {
        self.opened(input, format, report).is_some_and(|opened| self.read_opened(&opened, ids, quads, report))
    }

    /// Reads an opened document into the buffer exactly by the specification, except that invalid ids are kept. Returns
    /// `false` if the document is at fault, which is reported.
    pub fn read_opened(
        &self,
        opened: &RecognisedDocument,
        ids: FaultyIds,
        quads: &mut QuadBuffer,
        report: &mut RunReport,
    ) -> bool {
        let origin = &opened.origin;
        match &opened.content {
            DocumentContent::Other(input) => self.read_other(input, opened.format, quads, report).is_some(),
            DocumentContent::Records { file, recognised, .. } => {
                self.read_records(file, recognised, origin, quads, report).is_some()
            }
            DocumentContent::Json { document, detection, .. } => {
                let is_kept = ids == FaultyIds::Kept && detection.dialect.is_checkpoint();
                let mint_below = is_kept.then(|| below_dataset(opened));
                let mode = LoadMode { mint_below, ..LoadMode::default() };
                self.convert_into(document, origin, mode, quads, report).is_some()
            }
            DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) => false,
        }
    }

    /// Returns the options for reading a document in a format other than JSON-LD.
    pub(super) fn read_options<'o>(&'o self, input: &'o RawInput, format: RdfFormat) -> ReadOptions<'o> {
        let base = self.options.base.as_deref().or(self.options.document_url.as_deref());
        ReadOptions { format, base: base.or(input.origin.url()) }
    }

    /// Reads a document in a format other than JSON-LD. `None` if the document is at fault, which is reported.
    pub fn read_other<S: QuadSink>(
        &self,
        input: &RawInput,
        format: RdfFormat,
        sink: &mut S,
        report: &mut RunReport,
    ) -> Option<RdfReadOutcome> {
        let RawInput { origin, bytes, .. } = input;
        let options = self.read_options(input, format);
        let read = rdf::read_within(&origin.name, bytes, options, self.reading.limits.size, sink);
        let faults = |errors| {
            let guard = SecretGuard::from_bytes(bytes);
            for error in errors {
                report.told::<()>(guard.checked(Err(Box::new(error))));
            }
        };
        let reading = read.map_err(faults).ok()?;
        report.add_all(&reading.warnings);
        Some(reading)
    }
}

/// How checkpoint ids that are not IRIs are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultyIds {
    /// Their nodes are dropped and reported, as the JSON-LD specification requires.
    Lost,
    /// They are kept under the name of the dataset, as loading does.
    Kept,
}

/// Returns the prefix of the IRIs for ids that are not IRIs. The dataset is named by the root's `@id`, or else by the
/// file.
fn below_dataset(opened: &RecognisedDocument) -> String {
    let root_id = opened.root_id.clone().filter(|id| !id.is_empty());
    let dataset = root_id.unwrap_or_else(|| stem(&opened.origin));
    node_base(SystemName::JSON_LD.name(), &dataset)
}
