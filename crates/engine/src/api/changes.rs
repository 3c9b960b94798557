//! Changes of a store that a server makes for a page: editing one question, and undoing that.

use std::time::Duration;

use oxrdf::Term;

use super::api_store::writer;
use super::file_loader::Loader;
use crate::load::document_loading::DocumentLoading as DocumentsLoader;
use crate::question::edit::QuestionEdit;
use crate::workspace::oversight::{RunOversight, WritingProcess};
use crate::workspace::question_change::QuestionChange;
use crate::workspace::statements_change::StatementsChange;
use evalgraph_diagnostics::{RunFailure, RunReport};

/// How a store is changed.
#[derive(Clone, Copy)]
pub struct StoreChangeOptions<'w> {
    /// Oversees the change.
    pub oversight: &'w dyn RunOversight,
    /// `true` to find out what would change without changing it.
    pub is_dry: bool,
    /// How long to wait for another change to end.
    pub patience: Duration,
}

/// A change of one question, which is identified by its graph and its node.
pub struct StoreQuestionEdit<'u> {
    /// The change.
    pub edit: &'u QuestionEdit,
    /// The graph.
    pub graph: &'u str,
    /// The node of the question.
    pub node: &'u Term,
    /// How the change is written.
    pub writing: StoreChangeOptions<'u>,
}

impl StoreQuestionEdit<'_> {
    /// Changes the store of a loader, all or nothing, and returns the update that does it, or `None` if there is
    /// nothing to change.
    ///
    /// # Errors
    ///
    /// The errors of [`super::Store::edit_question`].
    pub fn make(&self, loader: &Loader, report: &mut RunReport) -> Result<Option<String>, RunFailure> {
        let Self { edit, graph, node, writing: StoreChangeOptions { oversight, is_dry, patience } } = *self;
        let store = loader.inputs.store.open()?.waiting(patience);
        let session = loader.session()?;
        let documents = DocumentsLoader::new(&loader.inputs, &session, false, report.shows_all());
        let (graph, node) = (Some(graph), Some(node));
        let change = QuestionChange { edit, graph, node, loader: &documents, is_printed: false };
        let made =
            change.in_this_store(&store, &WritingProcess { oversight, is_dry, ..writer(loader) }, report)?;
        Ok(made.map(|made| made.update))
    }
}

/// A change of statements of one graph.
pub struct StatementsUpdate<'u> {
    /// The statements.
    pub change: &'u StatementsChange,
    /// How the change is written.
    pub writing: StoreChangeOptions<'u>,
}

impl StatementsUpdate<'_> {
    /// Changes the store of a loader, all or nothing. Returns whether all statements were as the change requires.
    ///
    /// # Errors
    ///
    /// The errors of the store, and an error if a file could not be written back after the change.
    pub fn make(&self, loader: &Loader, report: &mut RunReport) -> Result<bool, RunFailure> {
        let Self { change, writing: StoreChangeOptions { oversight, is_dry, patience } } = *self;
        let store = loader.inputs.store.open()?.waiting(patience);
        let session = loader.session()?;
        let documents = DocumentsLoader::new(&loader.inputs, &session, false, report.shows_all());
        change.in_store(&store, &documents, &WritingProcess { oversight, is_dry, ..writer(loader) }, report)
    }
}
