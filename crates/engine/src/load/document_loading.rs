//! Loads documents into a sink: opens sources, names their datasets, and passes on their quads.
//!
//! [`evalgraph_formats`] decides which changes loading makes beyond the specification. The loader counts them,
//! and makes none in a plain load.

use super::dataset_document::DatasetDocument;
use super::dataset_names::{DatasetNames, StoredNames};
use super::document::Document;
use super::document_quads::{QuadChanges, QuadChangesMade, QuadRules};
use super::loaded_document_facts::LoadingCosts;
use super::read_session::ReadSession;
use crate::input::input_options::RunInputs;
use crate::input::progress::WorkProgress;
use crate::input::source::InputSource;
use evalgraph_diagnostics::{ReportedResult, RunReport};
use evalgraph_rdf::QuadSink;
use evalgraph_store::{DocumentBuilder, NamedDocument};
use evalgraph_work::pool::on_all_cores;

/// Loads documents into a sink.
///
/// Other methods are in `catalog.rs`, `checkpoint_pieces.rs`, `load_purpose.rs`,
/// `places_in_document.rs` and `record_file_counts.rs`.
pub struct DocumentLoading<'l> {
    pub(crate) input: &'l RunInputs,
    pub(crate) session: &'l ReadSession,
    /// `true` if loading changes nothing beyond the specification.
    pub is_plain: bool,
    /// `true` if each change is reported as a separate finding.
    pub tells_changes: bool,
    /// `true` if the buffer keeps the places of nodes.
    pub tells_places: bool,
}

impl<'l> DocumentLoading<'l> {
    /// Creates a loader that reads every input as a whole.
    pub fn new(input: &'l RunInputs, session: &'l ReadSession, is_plain: bool, tells_changes: bool) -> Self {
        Self { input, session, is_plain, tells_changes, tells_places: false }
    }

    /// Begins to show the progress of reading and loading sources.
    pub fn begin(&self, sources: &[InputSource]) -> Box<dyn WorkProgress> {
        self.input.reading.watch.begin_two_passes("loading", sources.iter().map(InputSource::size).sum())
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
            progress.at(&source.name());
            let opened = Document::read(&source, self.session, part);
            progress.advance(source.size());
            opened.ok().map(|opened| (opened, source.size()))
        });
        opened.into_iter().map(|(opened, size)| names.name(opened, size, report)).collect()
    }

    /// Passes the quads of one input to a sink, under the dataset name that the input would have if it were the only
    /// one.
    ///
    /// # Errors
    ///
    /// If the input is at fault, which is reported.
    pub fn fill_from<S: QuadSink>(
        &self,
        source: &InputSource,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<DatasetDocument> {
        let opened = Document::read(source, self.session, report)?;
        let named = DatasetNames::new(None, &StoredNames::default()).name(opened, 0, report);
        self.fill(&named, sink, report)?;
        Ok(named)
    }

    /// Returns one input as a document of a dataset.
    ///
    /// # Errors
    ///
    /// If the input is at fault, which is reported.
    pub fn document(&self, source: &InputSource, report: &mut RunReport) -> ReportedResult<NamedDocument> {
        let mut builder = DocumentBuilder::new();
        let named = self.fill_from(source, &mut builder, report)?;
        Ok(NamedDocument { graph: named.graph(), builder })
    }

    /// Returns the quads of a document, with the changes and costs of loading it.
    ///
    /// # Errors
    ///
    /// If the document is at fault, which is reported.
    pub fn built(
        &self,
        named: &DatasetDocument,
        report: &mut RunReport,
    ) -> ReportedResult<(DocumentBuilder, LoadingCosts)> {
        let mut part = report.part();
        let mut builder = DocumentBuilder::new();
        let made = self.fill(named, &mut builder, &mut part);
        let costs = made.map(|made| LoadingCosts::from_report(made.counts, &part));
        report.absorb(part);
        Ok((builder, costs?))
    }

    /// Passes the quads of a document to a sink, with the changes of loading.
    ///
    /// # Errors
    ///
    /// If the document is at fault, which is reported.
    pub fn fill<S: QuadSink>(
        &self,
        named: &DatasetDocument,
        sink: &mut S,
        report: &mut RunReport,
    ) -> ReportedResult<QuadChangesMade> {
        let changes = match self.is_plain {
            true => QuadChanges::PlainLoading,
            false => QuadChanges::Loading { are_reported: self.tells_changes },
        };
        let rules = QuadRules { dataset: Some((&named.dataset, named.part.as_deref())), changes };
        named.opened.quads_into(rules, self.session, sink, report)
    }
}
