//! The only way to open a file: reads it, recognises its content, and refuses unusable files.
//!
//! `Document` is defined in `document.rs`, and `ReadSession` in `read_session.rs`.

use std::sync::Arc;

use super::document::{DIGESTED, Document, DocumentContent};
use super::large_records::LargeRecords;
use super::parsed_input::ParsedInput;
use super::read_session::{PiecePolicy, ReadSession};
use super::server_format::format_of_server;
use crate::input::origin::DocumentOrigin;
use crate::input::source::{BegunInput, InputSource, RawInput};
use crate::input::syntax::{RecordSyntax, is_no_json};
use evalgraph_diagnostics::{ReportedResult, RunReport};
use evalgraph_formats::catalog;
use evalgraph_formats::checkpoint::{CheckpointSurvey, version_2_json_ld};
use evalgraph_formats::registry::system_of_rows;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::{self as rdf, RdfFormat};

impl Document {
    /// Reads a source and recognises its content. A checkpoint of version 2.0 becomes the JSON-LD that the user
    /// interface would make from it.
    ///
    /// # Errors
    ///
    /// If the source cannot be read, or if it is refused; both are reported.
    pub fn read(source: &InputSource, session: &ReadSession, report: &mut RunReport) -> ReportedResult<Self> {
        let begun = report.ok_or_report(session.remote.begin(source))?;
        let is_large = match session.record_pieces {
            PiecePolicy::Never => false,
            PiecePolicy::OfLarge => begun.has_more(),
            PiecePolicy::Of(_) => true,
        };
        if is_large && let Some(found) = report.ok_or_report(session.records_of(&begun))? {
            let origin = begun.origin.clone();
            let large = LargeRecords::new(found, begun, source.clone(), DIGESTED);
            return Ok(Self::new(origin, RdfFormat::JsonLd, DocumentContent::Large(Box::new(large))));
        }
        let begun = match session.read_in_pieces(begun, source, report) {
            Ok(document) => return Ok(document),
            Err(begun) => *begun?,
        };
        Self::read_begun(begun, session, report)
    }

    /// Like [`Self::read`], but for an input whose beginning was read. It is read as a whole.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::read`].
    pub fn read_begun(
        begun: BegunInput,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> ReportedResult<Self> {
        let (input, format) = session.rest_of_input(begun, report)?;
        // Decoded text differs from the bytes of the file.
        let is_decoded = session.reading.encoding.is_some() && input.origin.path.is_some();
        let is_as_in_file = !is_decoded && input.cells.is_none();
        let sha256 = (session.is_hashed && is_as_in_file).then(|| catalog::sha256(&input.bytes));
        let document = Self::from_input(input, format, session, report)?.into_json_ld(report)?;
        Ok(Self { sha256, ..document })
    }

    /// Recognises the content of an input of a known format. A checkpoint of version 2.0 stays as it is.
    ///
    /// # Errors
    ///
    /// If the input cannot be parsed, or if it is refused; both are reported.
    pub fn from_input(
        input: RawInput,
        format: RdfFormat,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> ReportedResult<Self> {
        if format != RdfFormat::JsonLd {
            return Ok(Self::new(input.origin.clone(), format, DocumentContent::Other(input)));
        }
        let ParsedInput { document, origin } = session.parse_data(input, report)?;
        match session.recognise(&document, &origin, report)? {
            Some(recognised) => {
                Ok(Self::new(origin, format, DocumentContent::Records { file: document, recognised }))
            }
            None => Self::from_json_ld(document, origin, session, report),
        }
    }

    /// Takes a parsed document as JSON-LD, even if it looks like records.
    ///
    /// # Errors
    ///
    /// If the document is refused, which is reported.
    pub fn from_json_ld(
        document: Arc<JsonDocument>,
        origin: DocumentOrigin,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> ReportedResult<Self> {
        let survey = CheckpointSurvey::from_document(&document);
        let detection = survey.detect();
        // The API accepts any JSON.
        let refusal =
            survey.refusal(&document, &detection, session.has_context()).filter(|_| !session.is_api());
        if let Some(refusal) = refusal {
            return Err(report.reported([&refusal]));
        }
        let root_id = root_id(&survey, &document);
        let content =
            DocumentContent::Json { document: Arc::clone(&document), survey, file: document, detection };
        Ok(Self { root_id, ..Self::new(origin, RdfFormat::JsonLd, content) })
    }

    /// Returns the document with the JSON-LD that the user interface would make from a checkpoint of version 2.0. Any
    /// other document stays as it is.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be converted, which is reported.
    pub fn into_json_ld(mut self, report: &mut RunReport) -> ReportedResult<Self> {
        if let DocumentContent::Json { document, survey, file, detection } = &mut self.content
            && detection.dialect.is_version_2()
            && let Some(made) = version_2_json_ld::as_json_ld(file)
        {
            let (made, findings) = made.map_err(|findings| report.reported(&findings))?;
            report.add_all(&findings);
            *document = Arc::new(made);
            *survey = CheckpointSurvey::from_document(document);
            self.root_id = root_id(survey, document);
        }
        Ok(self)
    }
}

/// Returns the `@id` of the outermost object.
fn root_id(survey: &CheckpointSurvey, document: &JsonDocument) -> Option<String> {
    survey.root_id.and_then(|id| document.string(id)).map(|id| id.into_owned())
}

impl ReadSession {
    /// Reads the bytes of a source and recognises their format.
    ///
    /// # Errors
    ///
    /// If the source cannot be read, which is reported.
    pub fn input_of(
        &self,
        source: &InputSource,
        report: &mut RunReport,
    ) -> ReportedResult<(RawInput, RdfFormat)> {
        let begun = report.ok_or_report(self.remote.begin(source))?;
        self.rest_of_input(begun, report)
    }

    /// Like [`Self::input_of`], but for an input whose beginning was read.
    fn rest_of_input(
        &self,
        begun: BegunInput,
        report: &mut RunReport,
    ) -> ReportedResult<(RawInput, RdfFormat)> {
        let mut input = report.ok_or_report(self.read_rest(begun))?;
        // The user decides first, then the syntax of records, then the media type of a server, and last the content.
        if let Some(format) = self.reading.named_format() {
            return Ok((input, format));
        }
        let RawInput { origin, bytes, .. } = &mut input;
        if origin.syntax == RecordSyntax::Json {
            origin.syntax = RecordSyntax::from_input(&origin.name, bytes).unwrap_or_default();
        }
        // A table without a name, such as stdin: the user names its columns or its system.
        let named = self.reading.named_system();
        let is_of_rows = named.is_some() && named == system_of_rows() || self.reading.rows.has_mapping();
        if origin.syntax == RecordSyntax::Json && is_of_rows && is_no_json(bytes) {
            origin.syntax = RecordSyntax::Csv;
        }
        if origin.syntax != RecordSyntax::Json || self.reading.named_system().is_some() {
            return Ok((input, RdfFormat::JsonLd));
        }
        if let Some(format) = format_of_server(origin) {
            return Ok((input, format));
        }
        if let Some(arrival) = &mut origin.arrival {
            // A media type that says nothing about the content must not overrule it.
            arrival.media_type = None;
        }
        let detection = report.ok_or_report(rdf::detect(&origin.name, bytes))?;
        report.add_all(&detection.note);
        Ok((input, detection.format))
    }
}
