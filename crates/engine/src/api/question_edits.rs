//! Changes one question, in a store or in its file.
//!
//! `Loader` is defined in `file_loader.rs` and `Store` in `api_store.rs`.

use std::path::Path;

use super::api_store::{Store, writer};
use super::error::Error;
use super::file_loader::Loader;
use crate::load::document_loading::DocumentLoading as DocumentsLoader;
use crate::question::edit::QuestionEdit;
use crate::workspace::question_change::{QuestionChange, QuestionChangeOutcome};
use evalgraph_diagnostics::{RunFailure, RunReport};

/// A file after a change.
#[derive(Debug)]
#[non_exhaustive]
pub struct EditedFile {
    /// Its new text, or `None` if the change makes no difference.
    pub text: Option<String>,
    /// The findings, and a summary of the change.
    pub report: RunReport,
}

impl Store {
    /// Changes one question, and sets the dates of the change. A file that is written from the store later contains the
    /// change. If several graphs contain the question, `graph` selects one by its IRI, its dataset, or its file.
    ///
    /// ```
    /// # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
    /// # let folder = tempfile::tempdir()?;
    /// let mut store = evalgraph::Store::create(folder.path())?;
    /// store.load(["fixtures/train/support-desk.json"])?;
    /// let (text, answer) = ("What is 2 + 2?".to_owned(), "4".to_owned());
    /// let edit = evalgraph::QuestionEdit::Add { text, answer, finished: None, keywords: Vec::new() };
    /// store.edit_question(&edit, None)?;
    /// let rows = store.convert(evalgraph::OutputForm::Same)?;
    /// assert!(rows.files[0].text.contains("2 + 2"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If no question or several have the name, if the files of the dataset cannot express the change, or if the store
    /// cannot be written.
    pub fn edit_question(&mut self, edit: &QuestionEdit, graph: Option<&str>) -> Result<RunReport, Error> {
        let work = |change: &QuestionChange<'_>, report: &mut RunReport| {
            change.in_store(&writer(&self.loader), report)
        };
        Ok(self.loader.question(edit, graph, false, work)?.1)
    }

    /// Returns the SPARQL update that would change one question. Nothing is changed.
    ///
    /// # Errors
    ///
    /// The errors of [`Store::edit_question`].
    pub fn question_update(&self, edit: &QuestionEdit, graph: Option<&str>) -> Result<String, Error> {
        let work = |change: &QuestionChange<'_>, report: &mut RunReport| {
            change.in_store(&writer(&self.loader), report)
        };
        match self.loader.question(edit, graph, true, work)?.0 {
            QuestionChangeOutcome::Text(text) => Ok(text),
            QuestionChangeOutcome::Done | QuestionChangeOutcome::File(..) => Ok(String::new()),
        }
    }
}

impl Loader {
    /// Returns the text of a file in which only one question and the dates of the change differ. Nothing is written to
    /// disk.
    ///
    /// # Errors
    ///
    /// The errors of [`Store::edit_question`], and an error if the file would get another layout or lose anything.
    pub fn edit_question(&self, file: impl AsRef<Path>, edit: &QuestionEdit) -> Result<EditedFile, Error> {
        let loader = self.reading([file.as_ref().display().to_string()])?;
        let work = |change: &QuestionChange<'_>, report: &mut RunReport| change.in_file(false, report);
        let (outcome, mut report) = loader.question(edit, None, false, work)?;
        let text = match outcome {
            QuestionChangeOutcome::File(_, text, told) => {
                report.add(&told);
                Some(text)
            }
            QuestionChangeOutcome::Text(_) | QuestionChangeOutcome::Done => None,
        };
        Ok(EditedFile { text, report })
    }

    fn question(
        &self,
        edit: &QuestionEdit,
        graph: Option<&str>,
        is_printed: bool,
        work: impl FnOnce(&QuestionChange<'_>, &mut RunReport) -> Result<QuestionChangeOutcome, RunFailure> + Send,
    ) -> Result<(QuestionChangeOutcome, RunReport), Error> {
        self.reported(|report| {
            let session = self.session()?;
            let loader = DocumentsLoader::new(&self.inputs, &session, false, report.shows_all());
            work(&QuestionChange { edit, graph, node: None, loader: &loader, is_printed }, report)
        })
    }
}
