//! Exports graphs into files.

use std::path::Path;

use super::error::Error;
use super::loader::Loader;
use super::store::Store;
use crate::diagnostic::Report;
use crate::export::data::ExportData;
use crate::export::form::{ExportedFile, FilesExport};

/// The result of an export.
#[derive(Debug)]
#[non_exhaustive]
pub struct ExportedFiles {
    /// The files in the folder.
    pub files: Vec<ExportedFile>,
    /// The findings of loading and of the export.
    pub report: Report,
}

impl Loader {
    /// Loads inputs and writes their graphs into files in a folder, as `evalgraph export files` does. The folder appears
    /// whole or not at all.
    ///
    /// # Errors
    ///
    /// Where an input is missing or at fault, where a graph is named that is not there, and where the folder has files
    /// already or cannot be written.
    pub fn export_files<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        export: impl Into<FilesExport>,
        folder: impl AsRef<Path>,
    ) -> Result<ExportedFiles, Error> {
        self.reading(inputs)?.export_inputs(&export.into(), folder.as_ref())
    }

    /// Exports the inputs of the loader; without inputs, the graphs of its store.
    fn export_inputs(&self, export: &FilesExport, folder: &Path) -> Result<ExportedFiles, Error> {
        let work = |report: &mut Report| {
            export.check(folder)?;
            let json_ld = self.json_ld()?;
            let mut data = ExportData::read(&self.inputs, &json_ld, &export.graphs.with, report)?;
            let graphs = data.graphs(&export.graphs)?;
            export.write(&mut data, &graphs, folder, &self.cancellation, report)
        };
        let (exported, report) = self.reported(work)?;
        Ok(ExportedFiles { files: exported.files, report })
    }
}

impl Store {
    /// Writes graphs into files in a folder, in memory that does not grow with the store; see [`Loader::export_files`].
    ///
    /// ```
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
    /// As [`Loader::export_files`], and where the store is damaged.
    pub fn export_files(
        &self,
        export: impl Into<FilesExport>,
        folder: impl AsRef<Path>,
    ) -> Result<ExportedFiles, Error> {
        self.loader.export_inputs(&export.into(), folder.as_ref())
    }
}
