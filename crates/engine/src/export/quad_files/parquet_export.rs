//! Exports graphs as Parquet: from a store, from files, and in parts.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use oxrdf::NamedNodeRef;

use super::document_rows::DocumentRows;
use super::earlier_export::EarlierExport;
use super::export_making::FolderContent;
use super::folder_writing::write_folder;
use super::part_folder::{ExportPartNumber, PARTS, PartAbout, hash_of_files, read_part, write_part};
use super::part_joining::add_parts;
use super::property_tables::in_fixed_order;
use super::row_collector::{CollectedRows, RowCollector};
use crate::export::choice::GraphChoice;
use crate::export::export_data::{ExportData, check};
use crate::export::export_folder::{ExportFolder, check_beside, unwritable};
use crate::export::files_export_form::FilesExportResult;
use crate::export::files_export_run::ExportWatch;
use crate::load::document_loading::DocumentLoading;
use crate::load::large_checkpoint::CheckpointPieces;
use crate::load::quads::CompanionGraph;
use crate::load::read_session::ReadSession;
use crate::tables::record_tables::RecordTable;
use crate::workspace::command_sources::sources;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_rdf::minted::CATALOG_GRAPH;
use evalgraph_rdf::vocabulary::evalgraph;
use evalgraph_store::{Dataset, TermDictionary, TermId};

/// An export as Parquet.
#[derive(Debug, Clone)]
pub struct ParquetExport {
    /// The graphs.
    pub graphs: GraphChoice,
    /// How many rows a predicate has that gets a file of its own.
    pub own_file: u64,
    /// The predicates, by IRI, whose closures get a file: the pairs of terms that lead to each other over one or more
    /// steps.
    pub closures: Vec<String>,
    /// `true` to write tables of questions, answers, results and more, too.
    pub has_tables: bool,
    /// `true` to replace an earlier export in the folder.
    pub replaces: bool,
}

impl Default for ParquetExport {
    /// All graphs, without tables and closures, and with a file for each predicate that has a million rows or more.
    fn default() -> Self {
        Self {
            graphs: GraphChoice::default(),
            own_file: 1_000_000,
            closures: Vec::new(),
            has_tables: false,
            replaces: false,
        }
    }
}

/// The way in which files are added to an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderChange {
    /// Files that are there already are refused.
    Append,
    /// The graphs of files that are there already are replaced.
    Update,
}

impl ParquetExport {
    /// Rejects a folder that the export would not write into, and graphs that it does not write.
    ///
    /// # Errors
    ///
    /// `export::exists`, `export::other-files`, `export::sidecar`.
    pub fn check(&self, folder: &Path) -> Result<(), RunFailure> {
        self.check_graphs()?;
        check_beside(folder, self.replaces, &[])
    }

    fn check_graphs(&self) -> Result<(), RunFailure> {
        if !self.graphs.with.contains(&CompanionGraph::Sidecar) {
            return Ok(());
        }
        let message = "sidecars are not exported as Parquet: they are texts of files, and not data to query";
        Err(Diagnostic::error("export::sidecar", message).into())
    }

    /// Writes graphs into a folder, which appears complete or not at all.
    ///
    /// # Errors
    ///
    /// The errors of [`ParquetExport::check`], and `export::collision`. Also fails if the folder cannot be written, the
    /// store is damaged, or the run is cancelled.
    pub fn write(
        &self,
        data: &mut ExportData<'_>,
        graphs: &[TermId],
        place: &Path,
        watch: &ExportWatch<'_>,
    ) -> Result<FilesExportResult, RunFailure> {
        self.check(place)?;
        let folder = ExportFolder::begin(place, self.replaces)?;
        let path = folder.path();
        let mut collector = RowCollector::new(&path, watch.cancellation);
        let (dataset, mut texts) = data.quads_and_texts();
        let files = paths(dataset, texts.terms());
        for graph in graphs {
            let name = collector.graph_name(*graph, "", &mut texts)?;
            let file = files.get(graph).map(String::as_str);
            collector.add_graph(&name, file, || dataset.graph_quads(*graph), &mut texts)?;
            check(dataset)?;
            texts.check()?;
        }
        let named =
            files.iter().map(|(graph, file)| (texts.terms().lexical(*graph).to_owned(), file.clone()));
        let files = Arc::new(named.collect());
        for (at, table) in (0..).zip(self.tables()?) {
            let mut rows = in_fixed_order(table.rows(dataset, &files, watch.cancellation)?);
            // A store has no files to count lines in.
            table.add_lines(&mut rows, &HashMap::new());
            collector.add_table_rows(at, 0, &rows)?;
        }
        let written = self.finish(collector.finish()?, false, &folder, watch)?;
        folder.finish(self.replaces)?;
        Ok(written)
    }

    /// Writes the graphs of files into a folder, which appears complete or not at all. Only some files are in memory at a
    /// time.
    ///
    /// # Errors
    ///
    /// The errors of [`ParquetExport::check`], a file at fault, `store::unknown-graph`, and `export::collision`. Also
    /// fails if the folder cannot be written, or the run is cancelled.
    pub fn write_files(
        &self,
        loader: &DocumentLoading<'_>,
        place: &Path,
        watch: &ExportWatch<'_>,
        report: &mut RunReport,
    ) -> Result<FilesExportResult, RunFailure> {
        self.check(place)?;
        let folder = ExportFolder::begin(place, self.replaces)?;
        let path = folder.path();
        let mut collector = RowCollector::new(&path, watch.cancellation);
        let sources = sources(loader.input, report)?;
        let tables = self.tables()?;
        DocumentRows::new(loader, &self.graphs, &tables, &mut collector).add(sources, report)?;
        let written = self.finish(collector.finish()?, true, &folder, watch)?;
        folder.finish(self.replaces)?;
        Ok(written)
    }

    /// Returns the export that has written a folder, for adding files to it: it has the same options.
    ///
    /// # Errors
    ///
    /// `export::append` if files cannot be added to the folder, and `export::damaged`.
    pub fn from_folder(place: &Path) -> Result<Self, RunFailure> {
        let making = EarlierExport::read(place)?.making;
        let (own_file, closures, has_tables) = (making.own_file, making.closures, making.has_tables);
        Ok(Self { graphs: GraphChoice::default(), own_file, closures, has_tables, replaces: true })
    }

    /// Adds the graphs of files to the export in a folder, whose files are not read again, and replaces the folder as a
    /// whole. The result is what [`ParquetExport::write_files`] writes for all files.
    ///
    /// # Errors
    ///
    /// The errors of [`ParquetExport::from_folder`] and [`ParquetExport::write_files`], and `export::same-graph`.
    pub fn add_files(
        &self,
        change: FolderChange,
        loader: &DocumentLoading<'_>,
        place: &Path,
        watch: &ExportWatch<'_>,
        report: &mut RunReport,
    ) -> Result<FilesExportResult, RunFailure> {
        let earlier = EarlierExport::read(place)?;
        let sources = sources(loader.input, report)?;
        let kept = earlier.kept(&sources, change == FolderChange::Update)?;
        let folder = ExportFolder::begin(place, true)?;
        let path = folder.path();
        let mut collector = RowCollector::new(&path, watch.cancellation);
        earlier.add_rows(&kept, &mut collector)?;
        let tables = self.tables()?;
        let rows = DocumentRows::new(loader, &self.graphs, &tables, &mut collector).beside(&kept);
        rows.add(sources, report)?;
        let written = self.finish(collector.finish()?, true, &folder, watch)?;
        earlier.check_unchanged()?;
        folder.finish(true)?;
        Ok(written)
    }

    /// Returns the tables to write.
    fn tables(&self) -> Result<Vec<RecordTable>, RunFailure> {
        if self.has_tables { RecordTable::built_in() } else { Ok(Vec::new()) }
    }

    fn finish(
        &self,
        collected: CollectedRows,
        is_of_files: bool,
        folder: &ExportFolder,
        watch: &ExportWatch<'_>,
    ) -> Result<FilesExportResult, RunFailure> {
        let (own_file, closures, has_tables) = (self.own_file, self.closures.as_slice(), self.has_tables);
        let content = FolderContent { own_file, closures, has_tables, is_of_files };
        write_folder(collected, content, &folder.path(), watch)
    }

    /// Writes the rows of a part of the files into a folder for parts, where the part appears complete or not at all.
    /// Returns `None` if it is there already.
    ///
    /// # Errors
    ///
    /// The errors of [`ParquetExport::write_files`], except for collisions, and `export::exists` for a part of other
    /// files.
    pub fn write_part(
        &self,
        part: ExportPartNumber,
        loader: &DocumentLoading<'_>,
        place: &Path,
        watch: &ExportWatch<'_>,
        report: &mut RunReport,
    ) -> Result<Option<FilesExportResult>, RunFailure> {
        self.check_graphs()?;
        check_beside(place, self.replaces, &[PARTS])?;
        let all = sources(loader.input, report)?;
        let has_tables = self.has_tables;
        let files = hash_of_files(&all, has_tables);
        let place = place.join(PARTS).join(part.folder());
        let is_there = read_part(&place).is_some_and(|there| there.files == files);
        if is_there && !self.replaces {
            return Ok(None);
        }
        let folder = ExportFolder::begin(&place, self.replaces)?;
        let path = folder.path();
        let mut collector = RowCollector::new(&path, watch.cancellation);
        let own = all.into_iter().enumerate().filter(|(at, _)| part.has(*at)).map(|(_, source)| source);
        let tables = self.tables()?;
        let rows = DocumentRows::new(loader, &self.graphs, &tables, &mut collector);
        let owners = rows.add(own.collect(), report)?;
        let collected = collector.finish()?;
        let graphs = collected.facts.graphs.len();
        let written = write_part(collected, PartAbout { files, has_tables, owners }, &path);
        let files = written.map_err(|error| unwritable(&place, &error))?;
        folder.finish(self.replaces)?;
        Ok(Some(FilesExportResult { files, graphs, empty_tables: Vec::new() }))
    }

    /// Joins the parts of an export, which replace their folder.
    ///
    /// # Errors
    ///
    /// `export::missing-parts`, `export::other-parts`, `export::same-name`, and the errors of [`ParquetExport::write`].
    pub fn join(&self, place: &Path, watch: &ExportWatch<'_>) -> Result<FilesExportResult, RunFailure> {
        let folder = ExportFolder::begin_beside(place, self.replaces, &[PARTS])?;
        let path = folder.path();
        let mut collector = RowCollector::new(&path, watch.cancellation);
        let has_tables = add_parts(place, &mut collector)?;
        let export = Self { has_tables, ..self.clone() };
        let written = export.finish(collector.finish()?, true, &folder, watch)?;
        folder.finish(self.replaces)?;
        Ok(written)
    }

    /// Returns the session of an export of files: large checkpoints are read in pieces, except for tables, which are made
    /// from whole files.
    #[must_use]
    pub fn session(&self, session: ReadSession) -> ReadSession {
        let checkpoint_pieces = (!self.has_tables).then(CheckpointPieces::default);
        ReadSession { checkpoint_pieces, ..session }
    }
}

/// The paths of the files of graphs, which the catalog has.
fn paths(dataset: &Dataset, terms: &TermDictionary) -> HashMap<TermId, String> {
    let find = |iri: &str| terms.find(NamedNodeRef::new_unchecked(iri).into());
    let (Some(catalog), Some(path)) = (find(CATALOG_GRAPH), find(evalgraph::PATH)) else {
        return HashMap::new();
    };
    let quads = dataset.graph_quads(catalog).filter(|quad| quad.predicate == path);
    quads.map(|quad| (quad.subject, terms.lexical(quad.object).to_owned())).collect()
}
