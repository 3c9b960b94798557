//! Exports graphs to files and to servers.
//!
//! `Loader` is defined in `file_loader.rs` and `Store` in `api_store.rs`.

use std::path::Path;

use super::api_store::Store;
use super::error::Error;
use super::file_loader::Loader;
use crate::export::export_data::ExportData;
#[cfg(feature = "tables")]
use crate::export::files_export_form::FilesExportResult;
use crate::export::files_export_form::{ExportedFile, FilesExport};
use crate::export::files_export_run::ExportWatch;
#[cfg(feature = "tables")]
use crate::export::quad_files::{FolderChange, ParquetExport};
#[cfg(feature = "net")]
use crate::export::server::server_export_form::{SentTotals, ServerExport};
#[cfg(feature = "net")]
use crate::input::progress::ProgressDisplay;
#[cfg(feature = "tables")]
use crate::load::document_loading::DocumentLoading as DocumentsLoader;
#[cfg(feature = "tables")]
use crate::load::quads::CompanionGraph;
#[cfg(feature = "tables")]
use evalgraph_diagnostics::RunFailure;
use evalgraph_diagnostics::RunReport;

/// The result of an export.
#[derive(Debug)]
#[non_exhaustive]
pub struct ExportedFiles {
    /// The files in the folder.
    pub files: Vec<ExportedFile>,
    /// The findings of loading and of the export.
    pub report: RunReport,
}

/// The result of an export to a server.
#[cfg(feature = "net")]
#[derive(Debug)]
#[non_exhaustive]
pub struct ExportedGraphs {
    /// What was sent.
    pub sent: SentTotals,
    /// `true` if all graphs are in place. A graph that the server did not keep exactly as sent is not put in place; a
    /// warning names it.
    pub are_in_place: bool,
    /// The findings of loading and of the export.
    pub report: RunReport,
}

impl Loader {
    /// Loads inputs and writes their graphs into files in a folder, as `evalgraph export files` does. The folder
    /// appears complete or not at all.
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, if a named graph does not exist, or if the folder already has files or cannot
    /// be written.
    pub fn export_files<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        export: impl Into<FilesExport>,
        folder: impl AsRef<Path>,
    ) -> Result<ExportedFiles, Error> {
        self.reading(inputs)?.export_inputs(&export.into(), folder.as_ref())
    }

    /// Loads inputs, some at a time, and writes their graphs as Parquet into a folder, as `evalgraph export parquet`
    /// does. The folder appears complete or not at all.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// # let folder = tempfile::tempdir()?;
    /// let lake = folder.path().join("lake");
    /// let export = evalgraph::ParquetExport { has_tables: true, ..Default::default() };
    /// let loader = evalgraph::Loader::new();
    /// let exported = loader.export_parquet(["fixtures/karenina/p1-physics.jsonld"], &export, &lake)?;
    /// assert!(exported.files.iter().any(|file| file.name == "tables/answers.parquet"));
    ///
    /// let change = evalgraph::FolderChange::Append;
    /// loader.add_to_parquet(["fixtures/train/support-desk.json"], change, &lake)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, if a named graph does not exist, or if the folder already has files or cannot
    /// be written.
    #[cfg(feature = "tables")]
    pub fn export_parquet<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        export: &ParquetExport,
        folder: impl AsRef<Path>,
    ) -> Result<ExportedFiles, Error> {
        let (loader, folder) = (self.reading(inputs)?, folder.as_ref());
        if !export.graphs.with.is_empty() {
            return loader.write_parquet(export, folder);
        }
        loader.with_documents(export, |documents, watch, report| {
            export.write_files(documents, folder, watch, report)
        })
    }

    /// Loads inputs and adds their graphs to a folder that [`Loader::export_parquet`] has written, as `evalgraph export
    /// parquet --append` and `--update` do. The other graphs are kept, and their files are not read again.
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, if the folder is not such an export, or if it already has a graph that is not
    /// to be replaced.
    #[cfg(feature = "tables")]
    pub fn add_to_parquet<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        change: FolderChange,
        folder: impl AsRef<Path>,
    ) -> Result<ExportedFiles, Error> {
        let (loader, folder) = (self.reading(inputs)?, folder.as_ref());
        let (export, _) = self.reported(|_| ParquetExport::from_folder(folder))?;
        loader.with_documents(&export, |documents, watch, report| {
            export.add_files(change, documents, folder, watch, report)
        })
    }

    /// Passes the documents of the loader's inputs to an export.
    #[cfg(feature = "tables")]
    fn with_documents(
        &self,
        export: &ParquetExport,
        write: impl FnOnce(
            &DocumentsLoader<'_>,
            &ExportWatch<'_>,
            &mut RunReport,
        ) -> Result<FilesExportResult, RunFailure>
        + Send,
    ) -> Result<ExportedFiles, Error> {
        let work = |report: &mut RunReport| {
            let session = export.session(self.session()?);
            let documents = DocumentsLoader::new(&self.inputs, &session, self.loading.plain, false);
            let watch = ExportWatch { display: self.inputs.reading.watch, cancellation: &self.cancellation };
            write(&documents, &watch, report)
        };
        let (exported, report) = self.reported(work)?;
        Ok(ExportedFiles { files: exported.files, report })
    }

    /// Exports the inputs of the loader or, without inputs, the graphs of its store as Parquet.
    #[cfg(feature = "tables")]
    fn write_parquet(&self, export: &ParquetExport, folder: &Path) -> Result<ExportedFiles, Error> {
        let work = |report: &mut RunReport| {
            export.check(folder)?;
            let session = self.session()?;
            // The catalog has the paths of files.
            let mut data = ExportData::read(&self.inputs, &session, &[CompanionGraph::Catalog], report)?;
            let graphs = data.graphs(&export.graphs)?;
            let watch = ExportWatch { display: self.inputs.reading.watch, cancellation: &self.cancellation };
            export.write(&mut data, &graphs, folder, &watch)
        };
        let (exported, report) = self.reported(work)?;
        Ok(ExportedFiles { files: exported.files, report })
    }

    /// Loads inputs and sends their graphs to a server, as `evalgraph export fuseki` and its siblings do.
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, if a named graph does not exist, or if the server already has a graph that is
    /// to be neither replaced nor extended; and the faults of the server.
    #[cfg(feature = "net")]
    pub fn export_to_server<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        export: &ServerExport,
    ) -> Result<ExportedGraphs, Error> {
        self.reading(inputs)?.send_inputs(export)
    }

    /// Sends the inputs of the loader to a server or, without inputs, the graphs of its store.
    #[cfg(feature = "net")]
    fn send_inputs(&self, export: &ServerExport) -> Result<ExportedGraphs, Error> {
        let work = |report: &mut RunReport| {
            let session = self.session()?;
            let mut data = ExportData::read(&self.inputs, &session, &export.graphs.with, report)?;
            let graphs = data.graphs(&export.graphs)?;
            let outcome = export.send(&mut data, &graphs, ProgressDisplay::default(), report)?;
            report.add_all(&outcome.differences);
            Ok(outcome)
        };
        let (outcome, report) = self.reported(work)?;
        Ok(ExportedGraphs { sent: outcome.sent, are_in_place: outcome.differences.is_empty(), report })
    }

    /// Exports the inputs of the loader or, without inputs, the graphs of its store.
    fn export_inputs(&self, export: &FilesExport, folder: &Path) -> Result<ExportedFiles, Error> {
        let work = |report: &mut RunReport| {
            export.check(folder)?;
            let session = self.session()?;
            let mut data = ExportData::read(&self.inputs, &session, &export.graphs.with, report)?;
            let graphs = data.graphs(&export.graphs)?;
            let watch = ExportWatch { display: self.inputs.reading.watch, cancellation: &self.cancellation };
            export.write(&mut data, &graphs, folder, &watch, report)
        };
        let (exported, report) = self.reported(work)?;
        Ok(ExportedFiles { files: exported.files, report })
    }
}

impl Store {
    /// Writes graphs into files in a folder, using memory that does not grow with the store; see
    /// [`Loader::export_files`].
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// # let folder = tempfile::tempdir()?;
    /// let mut store = evalgraph::Store::create(folder.path())?;
    /// store.load(["fixtures/karenina/p1-physics.jsonld"])?;
    /// let exported = store.export_files(evalgraph::rdf::RdfFormat::NQuads, folder.path().join("out"))?;
    /// assert_eq!(exported.files[0].name, "data.nq");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::export_files`], and an error if the store is damaged.
    pub fn export_files(
        &self,
        export: impl Into<FilesExport>,
        folder: impl AsRef<Path>,
    ) -> Result<ExportedFiles, Error> {
        self.loader.export_inputs(&export.into(), folder.as_ref())
    }

    /// Writes graphs as Parquet into a folder, using memory that does not grow with the store; see
    /// [`Loader::export_parquet`].
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// # let folder = tempfile::tempdir()?;
    /// let mut store = evalgraph::Store::create(folder.path())?;
    /// store.load(["fixtures/karenina/p1-physics.jsonld"])?;
    /// let exported = store.export_parquet(&Default::default(), folder.path().join("lake"))?;
    /// assert_eq!(exported.files[0].name, "p/rest.parquet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::export_parquet`], and an error if the store is damaged.
    #[cfg(feature = "tables")]
    pub fn export_parquet(
        &self,
        export: &ParquetExport,
        folder: impl AsRef<Path>,
    ) -> Result<ExportedFiles, Error> {
        self.loader.write_parquet(export, folder.as_ref())
    }

    /// Sends graphs to a server, using memory that does not grow with the store; see [`Loader::export_to_server`].
    ///
    /// ```
    /// use evalgraph::{ServerExport, ServerPlace};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let store = evalgraph::Store::create(folder.path())?;
    /// let (url, dataset) = ("http://127.0.0.1:1".to_owned(), "evaluations".to_owned());
    /// let export = ServerExport::to(ServerPlace::Fuseki { url, dataset });
    /// let fault = store.export_to_server(&export).expect_err("nothing listens there");
    /// assert!(fault.to_string().contains("cannot be connected to"), "{fault}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Loader::export_to_server`], and an error if the store is damaged.
    #[cfg(feature = "net")]
    pub fn export_to_server(&self, export: &ServerExport) -> Result<ExportedGraphs, Error> {
        self.loader.send_inputs(export)
    }
}
