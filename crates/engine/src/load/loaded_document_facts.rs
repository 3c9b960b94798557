//! A loaded document: its dialect, figures and costs, besides its quads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::dataset_document::DatasetDocument;
use super::document::{Document, DocumentContent};
use crate::input::corpus::corpus_of;
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunReport, thousands};
use evalgraph_formats::checkpoint::DialectDetection;
use evalgraph_formats::checkpoint::checkpoint_figures::CheckpointFigures;
use evalgraph_formats::corpus::GoldDocuments;
use evalgraph_formats::named_figures::{NamedFigure, RecordTally, fact};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::rows::is_rows;
use evalgraph_json::JsonDocument;
use evalgraph_rdf::RdfFormat;
use evalgraph_store::{DocumentBuilder, NamedDocument};

/// Everything about a loaded document besides its quads.
#[derive(Debug)]
pub struct LoadedDocumentFacts {
    /// The name in messages.
    pub name: String,
    /// The format it was read in.
    pub format: RdfFormat,
    /// The name of its dataset.
    pub dataset: String,
    /// Its dialect. `None` for a format other than JSON-LD.
    pub detection: Option<DialectDetection>,
    /// Its figures, if it is a checkpoint.
    pub figures: Option<CheckpointFigures>,
    /// The file, if it has records and its figures are wanted.
    pub records: Option<RecordFile>,
    /// How many distinct quads it has.
    pub quads: u64,
    pub(crate) costs: LoadingCosts,
}

/// The changes that loading made in a document beyond the specification, except for moved IRIs. Every current
/// checkpoint has moved IRIs, so they are reported per document only if everything is reported.
#[derive(Debug, Default, Clone, Copy)]
pub struct LoadingChanges {
    /// How many ids were made distinct.
    pub ids: u64,
}

/// The changes and losses of loading a document.
#[derive(Debug, Clone, Copy)]
pub struct LoadingCosts {
    pub(crate) changes: LoadingChanges,
    /// How many warnings there were.
    pub warnings: u64,
    /// How many triples are missing.
    pub lost: u64,
}

impl LoadingCosts {
    /// Returns the costs according to a report that is about this document only.
    pub fn from_report(changes: LoadingChanges, told: &RunReport) -> Self {
        Self { changes, warnings: told.count(FindingSeverity::Warning), lost: told.cost() }
    }
}

/// Returns a loaded document and its quads, with its figures if `is_counted`.
pub fn loaded(
    named: DatasetDocument,
    mut builder: DocumentBuilder,
    is_counted: bool,
    costs: LoadingCosts,
) -> (LoadedDocumentFacts, NamedDocument) {
    let (mut detection, mut figures, mut records) = (None, None, None);
    match &named.opened.content {
        DocumentContent::Json { document, survey, detection: found, .. } => {
            detection = Some(found.clone());
            let count = || CheckpointFigures {
                dialect: found.dialect,
                ..CheckpointFigures::from_document(document, survey)
            };
            figures = is_counted.then(count);
        }
        DocumentContent::Records { file, recognised, .. } => {
            let path = named.opened.origin.path().map(Path::to_owned);
            let (held, recognised) = (HeldRecords::Document(Arc::clone(file)), recognised.clone());
            records = is_counted.then_some(RecordFile { held, recognised, path });
        }
        DocumentContent::LargeCheckpoint(large) => detection = Some(large.detection.clone()),
        DocumentContent::Large(_) | DocumentContent::Other(_) => {}
    }
    let quads = builder.finish() as u64;
    let graph = named.graph();
    let DatasetDocument { opened: Document { origin, format, .. }, dataset, .. } = named;
    let name = origin.name;
    let loaded = LoadedDocumentFacts { name, format, dataset, detection, figures, records, quads, costs };
    (loaded, NamedDocument { graph, builder })
}

/// Returns one finding for the changes in all documents.
pub fn all_changes(changes: impl Iterator<Item = LoadingChanges>) -> Option<Diagnostic> {
    let (mut files, mut ids) = (0, 0);
    for change in changes.filter(|change| change.ids > 0) {
        files += 1;
        ids += change.ids;
    }
    let files = match files {
        0 => return None,
        1 => "the graph of 1 file; the file is unchanged".to_owned(),
        _ => format!("the graphs of {} files; the files are unchanged", thousands(files)),
    };
    let ids =
        if ids == 1 { "1 duplicate id".to_owned() } else { format!("{} duplicate ids", thousands(ids)) };
    let message = format!("{ids} made distinct in {files}");
    let help = help![command("stats"), " lists them, ", setting("plain"), " switches it off"];
    Some(Diagnostic::new(FindingSeverity::Note, "load::changed", message).with_help(help))
}

/// The rows that an evaluation is compared with.
#[derive(Clone, Copy)]
pub struct HeldAgainst<'g> {
    pub(crate) gold: &'g GoldDocuments,
    /// `true` if the documents that rows name are needed.
    pub is_wanted: bool,
}

/// A records file.
#[derive(Debug)]
pub struct RecordFile {
    pub(crate) held: HeldRecords,
    pub(crate) recognised: RecognisedRecords,
    /// Its path. `None` for stdin and URLs.
    pub path: Option<PathBuf>,
}

/// The part of a file that is kept until all files were read.
#[derive(Debug)]
pub enum HeldRecords {
    /// The whole file.
    Document(Arc<JsonDocument>),
    /// The counts of a file that was read in pieces, and the documents that its rows name, if an evaluation is compared
    /// with them.
    Counted(Option<Box<dyn RecordTally>>, GoldDocuments),
}

/// Returns a tally that has counted nothing yet, or `None` for records of which only quads are counted.
pub fn tally_of(recognised: &RecognisedRecords) -> Option<Box<dyn RecordTally>> {
    recognised.system.entry().tally(recognised)
}

impl RecordFile {
    /// Returns the figures of the file. A corpus that cannot be searched is reported.
    pub fn facts(&self, gold: &GoldDocuments, report: &mut RunReport) -> Vec<NamedFigure> {
        let mut counted = tally_of(&self.recognised);
        let tally = match &self.held {
            HeldRecords::Counted(tally, _) => tally,
            HeldRecords::Document(document) => {
                counted.iter_mut().for_each(|tally| tally.add(document, gold));
                &counted
            }
        };
        let corpus = report.ok_or_report(corpus_of(&self.recognised, self.path.as_deref())).ok().flatten();
        let kind = fact("kind", "kind", self.recognised.dialect(), self.recognised.dialect());
        let facts = tally.iter().flat_map(|tally| tally.facts(corpus.as_ref()));
        std::iter::once(kind).chain(facts).collect()
    }
}

/// Returns the documents that the rows of all files name.
pub fn gold<'f>(files: impl Iterator<Item = &'f RecordFile>) -> GoldDocuments {
    let mut gold = GoldDocuments::default();
    for file in files {
        match &file.held {
            HeldRecords::Document(document) if is_rows(&file.recognised) => gold.add(document),
            HeldRecords::Document(_) => {}
            HeldRecords::Counted(_, named) => gold.merge(named.clone()),
        }
    }
    gold
}
