//! Loads documents into a sink: opens sources, names their datasets, and passes on their quads.
//!
//! [`evalgraph_formats`] decides which changes loading makes beyond the specification. The loader counts them,
//! and makes none in a plain load.

use std::sync::Arc;

use super::dataset_document::DatasetDocument;
use super::dataset_names::{DatasetNames, StoredNames};
use super::large_records::LargeRecords;
use super::loaded_document_facts::{LoadingChanges, LoadingCosts};
use super::read_session::JsonLd;
use super::recognised_document::{CheckpointPieces, DIGESTED, DocumentContent, RecognisedDocument};
use super::record_recognition::{base, each_document};
use crate::input::corpus::corpus_of;
use crate::input::input_options::RunInputs;
use crate::input::origin::DocumentOrigin;
use crate::input::progress::WorkProgress;
use crate::input::source::{InputSource, RawInput};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, SourceText, thousands};
use evalgraph_formats::catalog;
use evalgraph_formats::karenina::{CheckpointAdaptation, CheckpointSurvey};
use evalgraph_formats::train::describe_corpus;
use evalgraph_json::JsonDocument;
use evalgraph_jsonld::LoadMode;
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::one_namespace::OneNamespace;
use evalgraph_rdf::{QuadSink, RdfFormat};
use evalgraph_store::{DocumentBuilder, NamedDocument};
use evalgraph_work::pool::on_all_cores;

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

/// Loads documents into a sink.
///
/// Other methods are in `catalog.rs`, `checkpoint_division.rs`, `checkpoint_pieces.rs`, `load_purpose.rs`,
/// `places_in_document.rs` and `record_file_counts.rs`.
pub struct DocumentLoading<'l> {
    pub(crate) input: &'l RunInputs,
    pub(crate) json_ld: &'l JsonLd,
    /// `true` if loading changes nothing beyond the specification.
    pub is_plain: bool,
    /// `true` if each change is reported as a separate finding.
    pub tells_changes: bool,
    /// Which records files are read in pieces.
    pub pieces: PiecePolicy,
    /// `true` if the buffer keeps the places of nodes.
    pub tells_places: bool,
    /// `true` if the SHA-256 of files is needed.
    pub is_hashed: bool,
    /// Which checkpoints [`DocumentLoading::pieces_of`] reads in pieces.
    pub checkpoints_in_pieces: Option<CheckpointPieces>,
}

impl<'l> DocumentLoading<'l> {
    /// Creates a loader that reads every input as a whole.
    pub fn new(input: &'l RunInputs, json_ld: &'l JsonLd, is_plain: bool, tells_changes: bool) -> Self {
        Self {
            input,
            json_ld,
            is_plain,
            tells_changes,
            pieces: PiecePolicy::Never,
            tells_places: false,
            is_hashed: false,
            checkpoints_in_pieces: None,
        }
    }

    /// Begins to show the progress of reading and loading sources.
    pub fn begin(&self, sources: &[InputSource]) -> Box<dyn WorkProgress> {
        self.input.reading.watch.begin("loading", 2 * sources.iter().map(InputSource::size).sum::<u64>())
    }

    /// Reads sources and names their datasets, avoiding the names in a store. Faults are reported. The caller advances
    /// the progress while it loads the documents.
    pub fn open_sources(
        &self,
        sources: Vec<InputSource>,
        dataset: Option<&str>,
        names: &StoredNames,
        report: &mut RunReport,
    ) -> (Vec<DatasetDocument>, Box<dyn WorkProgress>) {
        let progress = self.begin(&sources);
        let named = self.open_batch(sources, &mut DatasetNames::new(dataset, names), &*progress, report);
        (named, progress)
    }

    /// Reads sources and names their datasets, avoiding the names that are taken. Faults are reported.
    pub fn open_batch(
        &self,
        sources: Vec<InputSource>,
        names: &mut DatasetNames<'_>,
        progress: &dyn WorkProgress,
        report: &mut RunReport,
    ) -> Vec<DatasetDocument> {
        let opened = on_all_cores(sources, report, |source, part| {
            let opened = self.open(&source, part);
            progress.advance(source.size());
            opened.map(|opened| (opened, source.size()))
        });
        opened.into_iter().map(|(opened, size)| names.name(opened, size, report)).collect()
    }

    /// Passes the quads of one input to a sink, under the dataset name that the input would have if it were the only
    /// one. `None` if the input is at fault, which is reported.
    pub fn fill_from<S: QuadSink>(
        &self,
        source: &InputSource,
        sink: &mut S,
        report: &mut RunReport,
    ) -> Option<DatasetDocument> {
        let opened = self.open(source, report)?;
        let named = DatasetNames::new(None, &StoredNames::default()).name(opened, 0, report);
        self.fill(&named, sink, report)?;
        Some(named)
    }

    /// Returns one input as a document of a dataset.
    pub fn document(&self, source: &InputSource, report: &mut RunReport) -> Option<NamedDocument> {
        let mut builder = DocumentBuilder::new();
        let named = self.fill_from(source, &mut builder, report)?;
        Some(NamedDocument { graph: named.graph(), builder })
    }

    pub(super) fn open(&self, source: &InputSource, report: &mut RunReport) -> Option<RecognisedDocument> {
        let begun = report.told(self.json_ld.remote.begin(source))?;
        let is_large = match self.pieces {
            PiecePolicy::Never => false,
            PiecePolicy::OfLarge => begun.has_more(),
            PiecePolicy::Of(_) => true,
        };
        if is_large && let Some(found) = report.told(self.json_ld.records_of(&begun))? {
            let origin = begun.origin.clone();
            let large = LargeRecords::new(found, begun, source.clone(), DIGESTED);
            return Some(RecognisedDocument::new(
                origin,
                RdfFormat::JsonLd,
                DocumentContent::Large(Box::new(large)),
            ));
        }
        let begun = match self.open_in_pieces(begun, source, report) {
            Ok(opened) => return Some(opened),
            Err(begun) => *begun?,
        };
        let (input, format) = self.json_ld.input_of_begun(begun, report)?;
        // Decoded text differs from the bytes of the file.
        let is_as_in_file = self.input.reading.encoding.is_none() || input.origin.path.is_none();
        let sha256 = (self.is_hashed && is_as_in_file).then(|| catalog::sha256(&input.bytes));
        let opened = self.json_ld.opened(input, format, report)?;
        Some(RecognisedDocument { sha256, ..opened })
    }

    /// Returns the quads of a document, with the changes and costs of loading it. `None` if it is at fault, which is
    /// reported.
    pub fn built(
        &self,
        named: &DatasetDocument,
        report: &mut RunReport,
    ) -> Option<(DocumentBuilder, LoadingCosts)> {
        let mut part = report.part();
        let mut builder = DocumentBuilder::new();
        let changes = self.fill(named, &mut builder, &mut part);
        let costs = changes.map(|changes| LoadingCosts::from_report(changes, &part));
        report.absorb(part);
        Some((builder, costs?))
    }

    /// Passes the quads of a document to a sink. `None` if the document is at fault, which is reported.
    pub fn fill<S: QuadSink>(
        &self,
        named: &DatasetDocument,
        sink: &mut S,
        report: &mut RunReport,
    ) -> Option<LoadingChanges> {
        match &named.opened.content {
            DocumentContent::Json { document, survey, .. } => {
                let adaptation = self.adapt(document, survey, &named.dataset, report);
                let (mode, ids) = how(adaptation);
                self.convert(document, &named.opened.origin, mode, sink, report)?;
                Some(LoadingChanges { ids })
            }
            DocumentContent::Records { file, recognised, .. } => {
                let (dataset, part) = (&named.dataset, named.part.as_deref());
                each_document(file, recognised, dataset, part, report, |document, mode, report| {
                    self.convert(document, &named.opened.origin, mode, sink, report)
                })?;
                let corpus = corpus_of(recognised, named.opened.origin.path());
                if let Some(corpus) = report.told(corpus)? {
                    describe_corpus(&corpus, &base(recognised, &named.dataset), sink);
                }
                Some(LoadingChanges::default())
            }
            // Large records are counted in pieces, and large checkpoints are read with `pieces_of`.
            DocumentContent::Large(_) | DocumentContent::LargeCheckpoint(_) => None,
            DocumentContent::Other(input) => self.fill_other(input, named.opened.format, sink, report),
        }
    }

    /// Returns the changes that loading makes in a document, and reports them if wanted.
    pub fn adapt(
        &self,
        document: &JsonDocument,
        survey: &CheckpointSurvey,
        dataset: &str,
        report: &mut RunReport,
    ) -> Option<CheckpointAdaptation> {
        let mut encoded = String::new();
        percent_encode_into(dataset, &mut encoded);
        let adaptation = (!self.is_plain).then(|| survey.adapt(document, &encoded))?;
        if self.tells_changes {
            report.add_all(&adaptation.diagnostics(document));
        }
        Some(adaptation)
    }

    /// Converts JSON-LD. `None` if it is at fault, which is reported.
    pub fn convert<S: QuadSink>(
        &self,
        document: &Arc<JsonDocument>,
        origin: &DocumentOrigin,
        mode: LoadMode,
        sink: &mut S,
        report: &mut RunReport,
    ) -> Option<()> {
        let iris = self.json_ld.convert_into(document, origin, mode, sink, report)?;
        self.tell_moved(document.name(), iris, report);
        Some(())
    }

    fn fill_other<S: QuadSink>(
        &self,
        input: &RawInput,
        format: RdfFormat,
        sink: &mut S,
        report: &mut RunReport,
    ) -> Option<LoadingChanges> {
        if self.is_plain {
            return self.json_ld.read_other(input, format, sink, report).map(|_| LoadingChanges::default());
        }
        let mut sink = OneNamespace::new(sink);
        let reading = self.json_ld.read_other(input, format, &mut sink, report);
        self.tell_moved(&input.origin.name, sink.moved, report);
        reading.map(|_| LoadingChanges::default())
    }

    pub(crate) fn tell_moved(&self, name: &str, count: u64, report: &mut RunReport) {
        if count > 0 && self.tells_changes {
            let message = format!("{} moved to the namespace `http://schema.org/`", iris_were(count));
            let note = Diagnostic::new(FindingSeverity::Note, "load::schema-org", message);
            report.add(&note.at(SourceText::new(name, b"").place(0..0)));
        }
    }
}

/// Returns the load mode of a document with these changes, and how many ids in it are made distinct.
pub fn how(adaptation: Option<CheckpointAdaptation>) -> (LoadMode, u64) {
    let ids = adaptation.as_ref().map_or(0, CheckpointAdaptation::renamed) as u64;
    (adaptation.map(|adaptation| adaptation.load_mode).unwrap_or_default(), ids)
}

fn iris_were(count: u64) -> String {
    if count == 1 { "1 IRI was".to_owned() } else { format!("{} IRIs were", thousands(count)) }
}
