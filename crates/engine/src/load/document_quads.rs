//! The only way from a document to quads, so that every command reports the same losses.
//!
//! `Document` is defined in `document.rs`, and `ReadSession` in `read_session.rs`.

use std::sync::Arc;

use super::document::{Document, DocumentContent};
use super::loaded_document_facts::LoadingChanges;
use super::read_session::{ReadSession, report_warnings};
use super::record_recognition::{RecordReading, base, each_document, part_of};
use crate::input::corpus::corpus_of;
use crate::input::guard::SecretGuard;
use crate::input::origin::{DocumentOrigin, folder_name, stem};
use crate::input::source::RawInput;
use evalgraph_diagnostics::{
    AlreadyReported, Diagnostic, FindingSeverity, ReportedResult, RunReport, SourceText, thousands,
};
use evalgraph_formats::checkpoint::{CheckpointSurvey, DialectDetection};
use evalgraph_formats::corpus::describe_corpus;
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::{LoadMode, ReplacedIds, inline_prefixes};
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::minted::node_base;
use evalgraph_rdf::one_namespace::OneNamespace;
use evalgraph_rdf::{self as rdf, QuadSink, RdfFormat, ReadOptions};

/// How the quads of a document are made.
#[derive(Debug, Clone, Copy)]
pub struct QuadRules<'n> {
    /// The dataset of the document, and the part of the dataset that the document is. By default, its root or its
    /// origin names them.
    pub dataset: Option<(&'n str, Option<&'n str>)>,
    /// The changes that are made in it.
    pub changes: QuadChanges,
}

/// The changes that are made in a document beyond what the specification of its format says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuadChanges {
    /// None. Nodes of a checkpoint whose ids are not IRIs are dropped and reported, as JSON-LD requires.
    Nothing,
    /// These nodes are kept, under the name of the dataset.
    KeptIds,
    /// None, but rows get the documents of a corpus beside them.
    PlainLoading,
    /// Those of loading: ids are kept and made distinct, and schema.org has one namespace. Rows get their corpus.
    Loading {
        /// `true` if each change is reported as a separate finding.
        are_reported: bool,
    },
}

impl QuadRules<'_> {
    /// The rules for a document that its root or its origin names.
    pub fn new(changes: QuadChanges) -> Self {
        Self { dataset: None, changes }
    }
}

/// The changes that were made in a document.
#[derive(Debug, Default)]
pub struct QuadChangesMade {
    /// How many there are.
    pub counts: LoadingChanges,
    /// The new ids of nodes whose ids were not distinct.
    pub replaced_ids: ReplacedIds,
}

impl Document {
    /// Passes the quads of the document to a sink, and reports losses. The catalog and the sidecar of the document are
    /// made from these quads.
    ///
    /// # Errors
    ///
    /// If the document is at fault, which is reported. A file that is read in pieces has no quads of its own.
    pub fn quads_into<S: QuadSink>(
        &self,
        rules: QuadRules<'_>,
        session: &ReadSession,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<QuadChangesMade> {
        let writing = QuadWriting { document: self, rules, session };
        match &self.content {
            DocumentContent::Json { document, survey, detection, .. } => {
                writing.checkpoint(document, survey, detection, sink, report)
            }
            DocumentContent::Records { file, recognised } => {
                writing.records(file, recognised, sink, report).map(|()| QuadChangesMade::default())
            }
            DocumentContent::Other(input) => {
                writing.other(input, sink, report).map(|()| QuadChangesMade::default())
            }
            DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) => Err(AlreadyReported),
        }
    }
}

/// The conversion of one document.
struct QuadWriting<'w> {
    document: &'w Document,
    rules: QuadRules<'w>,
    session: &'w ReadSession,
}

impl QuadWriting<'_> {
    fn checkpoint<S: QuadSink>(
        &self,
        document: &Arc<JsonDocument>,
        survey: &CheckpointSurvey,
        detection: &DialectDetection,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<QuadChangesMade> {
        let (mode, counts) = match self.rules.changes {
            QuadChanges::KeptIds if detection.dialect.is_checkpoint() => {
                let base = node_base(SystemName::JSON_LD.name(), &self.dataset_of_ids());
                let mode = LoadMode { mint_below: Some(base), ..LoadMode::default() };
                (mode, LoadingChanges::default())
            }
            QuadChanges::Loading { are_reported } => {
                let mut encoded = String::new();
                percent_encode_into(&self.dataset_of_ids(), &mut encoded);
                let adaptation = survey.adapt(document, &encoded);
                if are_reported {
                    report.add_all(&adaptation.diagnostics(document));
                }
                let counts = LoadingChanges { ids: adaptation.renamed() as u64 };
                (adaptation.load_mode, counts)
            }
            QuadChanges::Nothing | QuadChanges::KeptIds | QuadChanges::PlainLoading => Default::default(),
        };
        let replaced_ids = mode.replaced_ids.clone();
        self.json_ld(document, mode, sink, report)?;
        Ok(QuadChangesMade { counts, replaced_ids })
    }

    fn json_ld<S: QuadSink>(
        &self,
        document: &Arc<JsonDocument>,
        mode: LoadMode,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let moved = self.session.json_ld_into(document, &self.document.origin, mode, sink, report)?;
        self.report_moved(document.name(), moved, report);
        Ok(())
    }

    fn records<S: QuadSink>(
        &self,
        file: &JsonDocument,
        recognised: &RecognisedRecords,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let origin = &self.document.origin;
        let (dataset, part) = match self.rules.dataset {
            Some((dataset, part)) => (dataset.to_owned(), part),
            None => dataset_of_records(recognised, origin),
        };
        let rows = &self.session.reading.rows;
        let reading = RecordReading { recognised, dataset: &dataset, part, rows };
        each_document(file, reading, report, |document, mode, report| {
            self.json_ld(document, mode, sink, report)
        })?;
        if matches!(self.rules.changes, QuadChanges::PlainLoading | QuadChanges::Loading { .. })
            && let Some(corpus) = report.ok_or_report(corpus_of(recognised, origin.path()))?
        {
            describe_corpus(&corpus, &base(recognised, &dataset), sink);
        }
        Ok(())
    }

    fn other<S: QuadSink>(
        &self,
        input: &RawInput,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let QuadChanges::Loading { .. } = self.rules.changes else {
            return self.rdf(input, sink, report);
        };
        let mut sink = OneNamespace::new(sink);
        let read = self.rdf(input, &mut sink, report);
        self.report_moved(&input.origin.name, sink.moved, report);
        read
    }

    fn rdf<S: QuadSink>(&self, input: &RawInput, sink: &mut S, report: &mut RunReport) -> ReportedResult<()> {
        let RawInput { origin, bytes, .. } = input;
        let options = self.session.read_options(input, self.document.format);
        let read = rdf::read_within(&origin.name, bytes, options, self.session.reading.limits.size, sink);
        let reading = read.map_err(|errors| {
            let guard = SecretGuard::from_bytes(bytes);
            let shown =
                errors.into_iter().filter_map(|error| guard.checked::<()>(Err(Box::new(error))).err());
            report.reported(&shown.map(|error| *error).collect::<Vec<_>>())
        })?;
        report.add_all(&reading.warnings);
        Ok(())
    }

    /// Returns the name of the dataset for ids that are not IRIs: by default the root's `@id`, or else the file's stem.
    fn dataset_of_ids(&self) -> String {
        let root_id = || self.document.root_id.clone().filter(|id| !id.is_empty());
        let named = self.rules.dataset.map(|(dataset, _)| dataset.to_owned()).or_else(root_id);
        named.unwrap_or_else(|| stem(&self.document.origin))
    }

    fn report_moved(&self, name: &str, count: u64, report: &mut RunReport) {
        if self.rules.changes == (QuadChanges::Loading { are_reported: true }) {
            report_moved(name, count, report);
        }
    }
}

/// Returns the dataset of a file of records, and the part of it that the file is.
fn dataset_of_records<'o>(
    recognised: &RecognisedRecords,
    origin: &'o DocumentOrigin,
) -> (String, Option<&'o str>) {
    if let Some(stored) = &origin.stored {
        return (stored.dataset.clone(), stored.part.as_deref());
    }
    let by_path = part_of(recognised, origin);
    let dataset = by_path.map_or_else(|| stem(origin), folder_name);
    (dataset, by_path.map(|part| part.part.as_str()))
}

/// Reports how many IRIs of a document were moved to the one namespace of schema.org.
pub(super) fn report_moved(name: &str, count: u64, report: &mut RunReport) {
    if count > 0 {
        let iris =
            if count == 1 { "1 IRI was".to_owned() } else { format!("{} IRIs were", thousands(count)) };
        let message = format!("{iris} moved to the namespace `http://schema.org/`");
        let note = Diagnostic::new(FindingSeverity::Note, "load::schema-org", message);
        report.add(&note.at(SourceText::new(name, b"").place(0..0)));
    }
}

impl ReadSession {
    /// Passes the quads of a JSON-LD document to a sink, and reports losses. Returns how many IRIs were moved to the one
    /// namespace of schema.org.
    pub(super) fn json_ld_into<S: QuadSink>(
        &self,
        document: &Arc<JsonDocument>,
        origin: &DocumentOrigin,
        mode: LoadMode,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<u64> {
        let mints_ids = mode.mint_below.is_some();
        let result =
            self.with_processor(origin, |processor| processor.with_load_mode(mode).to_rdf(document, sink));
        let conversion = result.map_err(|error| report.reported([&error.diagnostic()]))?;
        for (name, namespace) in inline_prefixes(document) {
            sink.prefix(&name, &namespace);
        }
        sink.document_end(document);
        report_warnings(&conversion.warnings, mints_ids, report);
        Ok(conversion.moved_to_schema_org.len() as u64)
    }

    /// Returns the options for reading a document in a format other than JSON-LD.
    pub(super) fn read_options<'o>(&'o self, input: &'o RawInput, format: RdfFormat) -> ReadOptions<'o> {
        let base = self.options.base.as_deref().or(self.options.document_url.as_deref());
        ReadOptions { format, base: base.or(input.origin.url()) }
    }
}
