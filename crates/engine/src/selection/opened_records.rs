//! A file that was opened for the choice of some of its records.

use std::sync::Arc;

pub use super::record_facts::RecordFacts;
use super::record_facts::facts_of;
use super::record_places::PlacedQuads;
use crate::input::origin::DocumentOrigin;
use crate::input::source::{InputSource, RawInput};
use crate::input::syntax::RecordSyntax;
use crate::load::document::{Document, DocumentContent};
use crate::load::document_quads::{QuadChanges, QuadRules};
use crate::load::read_session::ReadSession;
use evalgraph_diagnostics::codes::INPUT_SECRET;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, ReportedResult, RunFailure, RunReport, SourcePlace};
use evalgraph_formats::checkpoint::CheckpointDialect;
use evalgraph_formats::file_records::FileRecords;
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::{QuadBuffer, RdfFormat};

/// A file with its records, and what is known about them.
pub struct OpenedRecords {
    /// Where the file is.
    pub source: InputSource,
    /// The file as it was read.
    pub file: Arc<JsonDocument>,
    /// The dialect of a checkpoint.
    pub dialect: CheckpointDialect,
    /// The system that the file belongs to.
    pub system: SystemName,
    /// The facts about each record.
    pub facts: Vec<RecordFacts>,
    origin: DocumentOrigin,
    hides_secrets: bool,
    /// The quads of the file.
    pub(super) quads: QuadBuffer,
}

impl OpenedRecords {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not text with records, or is at fault.
    pub fn read(
        source: &InputSource,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let document = |part: &mut RunReport| Document::read(source, session, part);
        Self::opened(source, document, session, report)
    }

    /// Opens a changed text of a file.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::read`].
    pub(super) fn from_text(
        before: &Self,
        text: String,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let input = RawInput::from_bytes(before.origin.clone(), text.into_bytes());
        let document = |part: &mut RunReport| {
            Document::from_input(input, RdfFormat::JsonLd, session, part)?.into_json_ld(part)
        };
        Self::opened(&before.source, document, session, report)
    }

    fn opened(
        source: &InputSource,
        document: impl FnOnce(&mut RunReport) -> ReportedResult<Document>,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let mut part = report.part();
        let opened = document(&mut part).map_err(RunFailure::from);
        let opened = opened.and_then(|document| Self::from_document(source, document, session, &mut part));
        if opened.is_err() || part.has_failed() {
            report.absorb(part);
            return opened;
        }
        // What the graph lacks stays in the text, so only faults of the text itself matter.
        let is_of_text = |finding: &&Diagnostic| OF_TEXT.iter().any(|area| finding.code.starts_with(area));
        report.add_all(part.findings().filter(is_of_text));
        let hides_secrets = part.findings().any(|finding| finding.code == INPUT_SECRET);
        opened.map(|opened| Self { hides_secrets, ..opened })
    }

    fn from_document(
        source: &InputSource,
        document: Document,
        session: &ReadSession,
        report: &mut RunReport,
    ) -> Result<Self, RunFailure> {
        let (file, system) = match &document.content {
            DocumentContent::Json { file, .. } => (Arc::clone(file), SystemName::JSON_LD),
            DocumentContent::Records { file, recognised } => (Arc::clone(file), recognised.system),
            DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) | DocumentContent::Other(_) => {
                return Err(no_records(&document.origin.name).into());
            }
        };
        let dialect = match &document.content {
            DocumentContent::Json { detection, .. } => detection.dialect,
            _ => CheckpointDialect::None,
        };
        if document.origin.syntax == RecordSyntax::Yaml || !file.is_whole_file() {
            return Err(no_records(&document.origin.name).into());
        }
        let mut sink = PlacedQuads::default();
        let rules = QuadRules::new(QuadChanges::Loading { are_reported: false });
        document.quads_into(rules, session, &mut sink, report)?;
        let list = FileRecords::from_document(&file, dialect)?;
        let facts = facts_of(&list, &sink, dialect.has_questions());
        let (source, origin) = (source.clone(), document.origin);
        Ok(Self { source, origin, hides_secrets: false, dialect, system, facts, quads: sink.quads, file })
    }

    /// Returns the records as parts of the text.
    ///
    /// # Errors
    ///
    /// None, since the records were found when the file was opened.
    pub fn list(&self) -> Result<FileRecords<'_>, Box<Diagnostic>> {
        FileRecords::from_document(&self.file, self.dialect)
    }

    /// Refuses a file that cannot be changed in place: its text here is not all that is in it.
    ///
    /// # Errors
    ///
    /// `selection::secret` if API keys of the file are hidden.
    pub fn check_is_whole(&self) -> Result<(), Box<Diagnostic>> {
        if !self.hides_secrets {
            return Ok(());
        }
        let message = format!("`{}` contains API keys, which would be overwritten", self.source.name());
        let fault = Diagnostic::error("selection::secret", message);
        Err(Box::new(fault.with_help("move them out of the file first")))
    }

    /// Returns the place of a record.
    pub fn place(&self, list: &FileRecords<'_>, record: usize) -> SourcePlace {
        self.file.place(list.value(record))
    }
}

/// The areas of findings about a text, not about what it means.
const OF_TEXT: [&str; 2] = ["input::", "json::"];

fn no_records(name: &str) -> Diagnostic {
    let message = format!("`{name}` has no records whose text could be kept");
    let fault = Diagnostic::error("selection::no-list", message);
    fault.with_help(help![
        "convert it first: ",
        command("convert").with(setting("to").to(SystemName::JSON_LD.name()))
    ])
}
