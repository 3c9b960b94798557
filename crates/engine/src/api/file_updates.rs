//! Changes files by an update, and merges checkpoints. The new files are kept in memory; nothing is written to disk.
//!
//! `Loader` is defined in `file_loader.rs`.

use super::api_store::update_environment;
use super::error::Error;
use super::file_conversion::{ConvertedFiles, files_of};
use super::file_loader::Loader;
use crate::convert::checkpoint::merged;
use crate::convert::conversion::{Conversion, ConversionOutput};
use crate::convert::output_form::OutputForm;
use crate::load::checkpoint_file::{check_size, checkpoint, read_files};
use crate::load::document_loading::DocumentLoading as DocumentsLoader;
use crate::workspace::update_run::UpdateRun;
use crate::workspace::updated_files::OpenedFiles;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_formats::checkpoint::checkpoint_merge::MergePreference;
use evalgraph_formats::writing::WrittenFile;
use evalgraph_sparql::Update;

impl Loader {
    /// Runs a SPARQL 1.1 update over inputs. With [`OutputForm::Same`], each file keeps its form and gets the changes.
    /// With an RDF format, the result is one file with all quads.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// let update = "INSERT { ?q s:keywords 'seen' } WHERE { ?q a s:Question }";
    /// let files = ["fixtures/karenina/p1-physics.jsonld"];
    /// let made = evalgraph::Loader::new().update(files, update, evalgraph::OutputForm::Same)?;
    /// assert!(made.files[0].text.contains("seen"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an input is missing or invalid, if the update is not valid SPARQL (with line and column), or if its
    /// evaluation fails; and `output::format` for any other kind of form.
    pub fn update<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        update: &str,
        form: OutputForm,
    ) -> Result<ConvertedFiles, Error> {
        let is_same = form == OutputForm::Same;
        if !is_same && !matches!(form, OutputForm::Rdf(_)) {
            let message = "the output of an update is RDF, or the files that it changed";
            return Err(Box::new(Diagnostic::error("output::format", message)).into());
        }
        let loader = self.reading(inputs)?;
        let update = Update::parse(update, "update")?.with_environment(update_environment(&loader));
        let work = |report: &mut RunReport| {
            let session = loader.session()?;
            let documents =
                DocumentsLoader::new(&loader.inputs, &session, loader.loading.plain, report.shows_all());
            let opened = OpenedFiles::open(&documents, loader.loading.dataset.as_deref(), report)?;
            let files = opened.read(is_same, report)?;
            let run = UpdateRun { update: &update, graph: None, loader: &documents, read: None };
            let revision = run.over_files(&files, report)?;
            let converted = match is_same {
                true => ConversionOutput::Same(Box::new(files.changed(&revision))),
                false => ConversionOutput::Quads(files.quads(&revision, &update.prefixes())),
            };
            files_of(converted, &Conversion::from(form), &session, report)
        };
        let (files, report) = loader.reported(work)?;
        Ok(ConvertedFiles { files, copies: Vec::new(), report })
    }

    /// Merges checkpoints into one that contains all their questions. If they contradict each other, `prefer` decides;
    /// without it, they are refused.
    ///
    /// # Errors
    ///
    /// If an input is missing, invalid or not a checkpoint; and `merge::conflict`.
    pub fn merge<I: Into<String>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        prefer: Option<MergePreference>,
    ) -> Result<ConvertedFiles, Error> {
        let loader = self.reading(inputs)?;
        let work = |report: &mut RunReport| {
            let files = read_files(&loader.inputs.inputs, &loader.inputs.reading, report)?;
            let checkpoints: Result<Vec<_>, RunFailure> =
                files.iter().map(|(_, document)| checkpoint(document, report)).collect();
            let text = merged(&checkpoints?, prefer, report)?;
            check_size("the result", text.len(), report);
            if report.has_failed() { Err(RunFailure::Reported) } else { Ok(text) }
        };
        let (text, report) = loader.reported(work)?;
        Ok(ConvertedFiles {
            files: vec![WrittenFile::of_stem("merged", "jsonld", text)],
            copies: Vec::new(),
            report,
        })
    }
}
