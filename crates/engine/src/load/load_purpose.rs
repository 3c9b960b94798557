//! Loads documents: reads and parses them on all cores, names their datasets, and makes a graph of each.
//!
//! `DocumentLoading` is defined in `document_loading.rs`.

use std::path::Path;

use super::dataset_document::{DatasetDocument, in_datasets};
use super::dataset_names::StoredNames;
use super::document::{Document, DocumentContent};
use super::document_loading::DocumentLoading;
use super::loaded_document_facts::{HeldAgainst, LoadedDocumentFacts, RecordFile, all_changes, gold, loaded};
use super::read_session::{LoadOptions, PiecePolicy, ReadSession};
use crate::input::input_options::RunInputs;
use crate::input::source::InputSource;
use evalgraph_diagnostics::{AlreadyReported, ReportedResult, RunFailure, RunReport};
use evalgraph_formats::corpus::GoldDocuments;
use evalgraph_store::{DocumentBuilder, NamedDocument};
use evalgraph_work::pool::on_all_cores;

/// What the caller wants from the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadPurpose {
    /// Their quads.
    Quads,
    /// Their quads, and their catalog entries.
    Catalog,
    /// How many quads they have, and their figures.
    Figures {
        /// The size of pieces for all records files, however small they are. Default: only large files are read in
        /// pieces.
        in_pieces_of: Option<u64>,
    },
}

/// Loads each source into its own graph.
///
/// # Errors
///
/// An input that is at fault, unless `keep_going` is set. All inputs are checked first.
pub fn load(
    sources: Vec<InputSource>,
    input: &RunInputs,
    loading: &LoadOptions,
    wanted: LoadPurpose,
    report: &mut RunReport,
) -> Result<Vec<(LoadedDocumentFacts, NamedDocument)>, RunFailure> {
    // A list of single changes must not bury the result of a query. Figures include that list.
    let tells_changes = matches!(wanted, LoadPurpose::Figures { .. }) || report.shows_all();
    let record_pieces = match wanted {
        LoadPurpose::Figures { in_pieces_of } => in_pieces_of.map_or(PiecePolicy::OfLarge, PiecePolicy::Of),
        LoadPurpose::Quads | LoadPurpose::Catalog => PiecePolicy::Never,
    };
    let is_plain = loading.plain;
    let session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading)?;
    let session = ReadSession { record_pieces, ..session };
    let loader = DocumentLoading::new(input, &session, is_plain, tells_changes);
    let names = StoredNames::default();
    let (named, progress) = loader.open_sources(sources, loading.dataset.as_deref(), &names, report);
    let groups = match wanted {
        LoadPurpose::Catalog => in_datasets(named),
        LoadPurpose::Quads | LoadPurpose::Figures { .. } => {
            named.into_iter().map(|named| vec![named]).collect()
        }
    };
    let of = |group: &[DatasetDocument], has: fn(&DocumentContent) -> bool| {
        group.iter().any(|named| has(&named.opened.content))
    };
    let is_wanted = groups.iter().any(|group| of(group, DocumentContent::is_evaluation));
    // Evaluations that are read in pieces are measured last, because recall needs the rows of every other file.
    let (later, now): (Vec<_>, Vec<_>) =
        groups.into_iter().enumerate().partition(|(_, group)| of(group, DocumentContent::is_measured_once));
    let load_group =
        |(at, group): (usize, Vec<DatasetDocument>), gold: &GoldDocuments, part: &mut RunReport| {
            let size = group.iter().map(|named| named.size).sum();
            group.iter().for_each(|named| progress.at(&named.opened.origin.name));
            let loaded = loader.load(group, wanted, HeldAgainst { gold, is_wanted }, part);
            progress.advance(size);
            Some((at, loaded))
        };
    let mut loaded =
        on_all_cores(now, report, |group, part| load_group(group, &GoldDocuments::default(), part));
    if !later.is_empty() {
        let done = loaded.iter().flat_map(|(_, loaded)| loaded);
        let gold = gold(done.filter_map(|(loaded, _)| loaded.records.as_ref()));
        loaded.extend(on_all_cores(later, report, |group, part| load_group(group, &gold, part)));
        loaded.sort_by_key(|(at, _)| *at);
    }
    let loaded: Vec<_> = loaded.into_iter().flat_map(|(_, loaded)| loaded).collect();
    input.check(report)?;
    if !tells_changes {
        report.add_all(&all_changes(loaded.iter().map(|(loaded, _)| loaded.costs.changes)));
    }
    Ok(loaded)
}

impl DocumentLoading<'_> {
    /// Loads the documents of one group. Documents at fault are left out.
    fn load(
        &self,
        group: Vec<DatasetDocument>,
        wanted: LoadPurpose,
        held_against: HeldAgainst<'_>,
        report: &mut RunReport,
    ) -> Vec<(LoadedDocumentFacts, NamedDocument)> {
        if matches!(wanted, LoadPurpose::Catalog) {
            return self.load_with_catalog(group, report);
        }
        let load = |named: DatasetDocument| {
            if matches!(named.opened.content, DocumentContent::Large(_)) {
                return self.load_in_pieces(named, held_against, report).ok();
            }
            let (builder, costs) = self.built(&named, report).ok()?;
            Some(loaded(named, builder, matches!(wanted, LoadPurpose::Figures { .. }), costs))
        };
        group.into_iter().filter_map(load).collect()
    }

    /// Counts a file that is read in pieces. Its graph stays empty.
    fn load_in_pieces(
        &self,
        named: DatasetDocument,
        held_against: HeldAgainst<'_>,
        report: &mut RunReport,
    ) -> ReportedResult<(LoadedDocumentFacts, NamedDocument)> {
        let graph = named.graph();
        let DatasetDocument { opened: Document { format, origin, content, .. }, dataset, .. } = named;
        let DocumentContent::Large(mut large) = content else { return Err(AlreadyReported) };
        let (held, quads, costs) =
            self.count_in_pieces(&mut large, &origin, &dataset, held_against, report)?;
        let path = origin.path().map(Path::to_owned);
        let records = Some(RecordFile { held, recognised: large.found.recognised, path });
        let (detection, figures) = (None, None);
        let name = origin.name;
        let loaded = LoadedDocumentFacts { name, format, dataset, detection, figures, records, quads, costs };
        Ok((loaded, NamedDocument { graph, builder: DocumentBuilder::new() }))
    }
}
