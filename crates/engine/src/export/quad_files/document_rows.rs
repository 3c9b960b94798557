//! The rows of files, which are loaded some at a time, so that memory does not grow with their number.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::earlier_export::KeptGraphs;
use super::property_tables::in_fixed_order;
use super::record_lines::lines_of;
use super::row_collector::{NumberedGraph, RowCollector};
use crate::export::choice::GraphChoice;
use crate::export::export_data::ExportTerms;
use crate::input::source::InputSource;
use crate::load::dataset_document::DatasetDocument;
use crate::load::dataset_names::{DatasetNames, StoredNames};
use crate::load::document::DocumentContent;
use crate::load::document_loading::DocumentLoading;
use crate::load::loaded_document_facts::{LoadingChanges, all_changes};
use crate::load::record_recognition::part_of;
use crate::tables::record_tables::{RecordTable, TableRow};
use crate::workspace::chosen_store::no_graph_of_files;
use crate::workspace::import::batches;
use evalgraph_diagnostics::{AlreadyReported, Diagnostic, RunFailure, RunReport};
use evalgraph_rdf::minted::{document_graph, is_beside_documents};
use evalgraph_store::{Dataset, DocumentBuilder, NamedDocument};
use evalgraph_work::pool::on_all_cores;

/// How many bytes of files are loaded at a time. One file may exceed this.
const BATCH: u64 = 8 << 20;

/// The name of a dataset, and the file or folder that it names. Only one may have it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DatasetOwner {
    pub(super) dataset: String,
    pub(super) owner: String,
}

impl DatasetOwner {
    fn from_document(named: &DatasetDocument) -> Self {
        let recognised = named.opened.content.recognised().filter(|_| named.part.is_some());
        let path = recognised.and_then(|recognised| part_of(recognised, &named.opened.origin));
        let owner = path.map_or_else(|| named.address.clone(), |path| path.folder.clone());
        Self { dataset: named.dataset.clone(), owner }
    }
}

/// Collects the rows of files.
pub(super) struct DocumentRows<'r, 'c> {
    loader: &'r DocumentLoading<'r>,
    choice: &'r GraphChoice,
    tables: &'r [RecordTable],
    collector: &'r mut RowCollector<'c>,
    /// The graphs that are there already, if files are added to an export.
    kept: Option<&'r KeptGraphs>,
    owners: BTreeSet<DatasetOwner>,
    /// The names of graphs that no file has had yet.
    missing: BTreeSet<&'r str>,
}

impl<'r, 'c> DocumentRows<'r, 'c> {
    /// Collects the rows of the chosen graphs, and those of tables.
    pub(super) fn new(
        loader: &'r DocumentLoading<'r>,
        choice: &'r GraphChoice,
        tables: &'r [RecordTable],
        collector: &'r mut RowCollector<'c>,
    ) -> Self {
        let missing = choice.names.iter().map(String::as_str).collect();
        Self { loader, choice, tables, collector, kept: None, owners: BTreeSet::new(), missing }
    }

    /// Sets the graphs that are there already.
    pub(super) fn beside(self, kept: &'r KeptGraphs) -> Self {
        Self { kept: Some(kept), ..self }
    }

    /// Adds the rows of files. Returns the names of their datasets.
    ///
    /// # Errors
    ///
    /// A file at fault, unless `keep_going` is set; `store::unknown-graph` if a name matches no graph. Also fails if the
    /// folder cannot be written, or the run is cancelled.
    pub(super) fn add(
        mut self,
        sources: Vec<InputSource>,
        report: &mut RunReport,
    ) -> Result<BTreeSet<DatasetOwner>, RunFailure> {
        let progress = self.loader.begin(&sources);
        let none = StoredNames::default();
        let mut names = DatasetNames::new(None, self.kept.map_or(&none, |kept| &kept.names));
        let mut changes = Vec::new();
        for batch in batches(sources, BATCH) {
            let named = self.loader.open_batch(batch, &mut names, &*progress, report);
            self.owners.extend(named.iter().map(DatasetOwner::from_document));
            let is_large =
                |named: &DatasetDocument| matches!(named.opened.content, DocumentContent::LargeCheckpoint(_));
            let (large, whole): (Vec<_>, Vec<_>) = named.into_iter().partition(is_large);
            let built = on_all_cores(whole, report, |named, part| {
                let built = self.loader.built(&named, part);
                progress.advance(named.size);
                let (mut builder, costs) = built.ok()?;
                builder.finish();
                Some((named, builder, costs.changes))
            });
            let mut documents = Vec::new();
            for (named, builder, changed) in built {
                changes.push(changed);
                let graph = named.graph();
                self.add_document(&graph, &named.opened.origin.name, &builder)?;
                if !self.tables.is_empty() {
                    documents.push((named, NamedDocument { graph, builder }));
                }
            }
            self.add_tables(documents, report)?;
            for named in large {
                changes.extend(self.add_pieces(&named, report)?);
                progress.advance(named.size);
            }
        }
        self.loader.input.check(report)?;
        if let Some(name) = self.missing.first() {
            return Err(no_graph_of_files(name).into());
        }
        if !self.loader.tells_changes {
            report.add_all(&all_changes(changes.into_iter()));
        }
        Ok(self.owners)
    }

    /// Adds the rows of tables about documents, each with its file and its line.
    fn add_tables(
        &mut self,
        documents: Vec<(DatasetDocument, NamedDocument)>,
        report: &mut RunReport,
    ) -> Result<(), RunFailure> {
        let (tables, cancellation, loader) = (self.tables, self.collector.cancellation(), self.loader);
        let of_documents = on_all_cores(documents, report, |(named, document), _| {
            let graph = NumberedGraph::from_iri(&document.graph).number;
            let file = named.opened.origin.name.clone();
            let files = Arc::new(HashMap::from([(document.graph.clone(), file)]));
            let dataset = Dataset::from_documents(vec![document]);
            let rows =
                tables.iter().map(|table| table.rows(&dataset, &files, cancellation).map(in_fixed_order));
            let rows = rows.collect::<Result<Vec<_>, _>>();
            Some((graph, rows.map(|rows| with_lines(tables, rows, loader, &named))))
        });
        for (graph, rows) in of_documents {
            for (table, rows) in (0..).zip(&rows?) {
                self.collector.add_table_rows(table, graph, rows)?;
            }
        }
        Ok(())
    }

    /// Adds a checkpoint that is read in pieces. Each piece has its own terms.
    fn add_pieces(
        &mut self,
        named: &DatasetDocument,
        report: &mut RunReport,
    ) -> Result<Option<LoadingChanges>, RunFailure> {
        let (graph, file, mut fault) = (named.graph(), &named.opened.origin.name, None);
        let changes = self.loader.pieces_of(named, report, &mut |mut piece, _| {
            piece.builder.finish();
            // `take` can only report that it failed, so the reason is kept here.
            self.add_document(&graph, file, &piece.builder).map_err(|failure| {
                fault = Some(failure);
                AlreadyReported
            })
        });
        fault.map_or(Ok(changes.ok()), Err)
    }

    /// Adds the graphs of a document. `graph` is the one that the document's default graph becomes.
    fn add_document(&mut self, graph: &str, file: &str, builder: &DocumentBuilder) -> Result<(), RunFailure> {
        let mut texts = ExportTerms::Loaded(builder.dictionary());
        self.collector.begin_dictionary();
        if self.takes(graph) {
            let default = NumberedGraph::from_iri(graph);
            self.collector.add_graph(&default, Some(file), || builder.quads_of(None), &mut texts)?;
        }
        for name in builder.graph_names() {
            let named = self.collector.graph_name(name, graph, &mut texts)?;
            if self.takes(named.name()) {
                self.check_inner(named.name(), file)?;
                self.collector.add_graph(&named, None, || builder.quads_of(Some(name)), &mut texts)?;
                self.collector.note_holder(&named, file);
            }
        }
        Ok(())
    }

    /// Rejects a graph inside a file that is the graph of a document which is there already.
    fn check_inner(&self, name: &str, file: &str) -> Result<(), RunFailure> {
        if self.kept.is_none_or(|kept| !kept.documents.contains(name)) {
            return Ok(());
        }
        let message =
            format!("the graph `{name}` in `{file}` is that of another file in the export; nothing is added");
        Err(Diagnostic::error("export::same-graph", message).with_help("give the graph another name").into())
    }

    /// Returns whether a graph is chosen.
    fn takes(&mut self, graph: &str) -> bool {
        if is_beside_documents(graph) {
            return false;
        }
        let is_meant = |name: &&str| *name == graph || document_graph(name, None) == graph;
        let names = &self.choice.names;
        if names.is_empty() {
            return true;
        }
        self.missing.retain(|name| !is_meant(name));
        names.iter().map(String::as_str).any(|name| is_meant(&name))
    }
}

/// Returns the rows of tables with the lines of their records in a document.
fn with_lines(
    tables: &[RecordTable],
    mut rows: Vec<Vec<TableRow>>,
    loader: &DocumentLoading<'_>,
    document: &DatasetDocument,
) -> Vec<Vec<TableRow>> {
    let mut records = BTreeSet::new();
    tables.iter().zip(&rows).for_each(|(table, rows)| table.add_records(rows, &mut records));
    let lines = lines_of(loader, document, &records);
    tables.iter().zip(&mut rows).for_each(|(table, rows)| table.add_lines(rows, &lines));
    rows
}
