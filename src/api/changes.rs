//! Changes of a store that a server makes for a page: of one question, and back again.

use std::time::Duration;

use oxrdf::Term;

use super::loader::Loader;
use super::store::writer;
use crate::diagnostic::{Failure, Report};
use crate::load::loader::Loader as DocumentsLoader;
use crate::question::edit::QuestionEdit;
use crate::workspace::oversight::{Oversight, Writer};
use crate::workspace::question_change::QuestionChange;
use crate::workspace::statements_change::StatementsChange;

/// How a store is changed.
#[derive(Clone, Copy)]
pub(crate) struct Writing<'w> {
    pub(crate) oversight: &'w dyn Oversight,
    /// Whether the run only finds out what would change.
    pub(crate) is_dry: bool,
    /// How long it waits for another change to end.
    pub(crate) patience: Duration,
}

/// A change of one question, which is known by its graph and its node.
pub(crate) struct QuestionUpdate<'u> {
    pub(crate) edit: &'u QuestionEdit,
    pub(crate) graph: &'u str,
    pub(crate) node: &'u Term,
    pub(crate) writing: Writing<'u>,
}

impl QuestionUpdate<'_> {
    /// Changes the store of a loader, all or nothing, and returns the update that does it; none where there is nothing to
    /// change.
    ///
    /// # Errors
    ///
    /// As [`super::Store::edit_question`].
    pub(crate) fn make(&self, loader: &Loader, report: &mut Report) -> Result<Option<String>, Failure> {
        let Self { edit, graph, node, writing: Writing { oversight, is_dry, patience } } = *self;
        let store = loader.inputs.store.open()?.waiting(patience);
        let json_ld = loader.json_ld()?;
        let documents = DocumentsLoader::new(&loader.inputs, &json_ld, false, report.shows_all());
        let (graph, node) = (Some(graph), Some(node));
        let change = QuestionChange { edit, graph, node, loader: &documents, is_printed: false };
        let made = change.in_this_store(&store, &Writer { oversight, is_dry, ..writer(loader) }, report)?;
        Ok(made.map(|made| made.update))
    }
}

/// A change of statements of one graph.
pub(crate) struct StatementsUpdate<'u> {
    pub(crate) change: &'u StatementsChange,
    pub(crate) writing: Writing<'u>,
}

impl StatementsUpdate<'_> {
    /// Changes the store of a loader, all or nothing; tells whether all statements were as they have to be.
    ///
    /// # Errors
    ///
    /// Those of the store, and a file that could not be written back after the change.
    pub(crate) fn make(&self, loader: &Loader, report: &mut Report) -> Result<bool, Failure> {
        let Self { change, writing: Writing { oversight, is_dry, patience } } = *self;
        let store = loader.inputs.store.open()?.waiting(patience);
        let json_ld = loader.json_ld()?;
        let documents = DocumentsLoader::new(&loader.inputs, &json_ld, false, report.shows_all());
        change.in_store(&store, &documents, &Writer { oversight, is_dry, ..writer(loader) }, report)
    }
}
