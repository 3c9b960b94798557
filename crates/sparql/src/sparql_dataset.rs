//! The data that queries run over: a dataset of the store, or a revision of one.

use evalgraph_store::{DatasetView, RevisionView};

/// A dataset as a query sees it.
#[derive(Clone)]
pub struct SparqlDataset<'d> {
    pub(super) view: DatasetView<'d>,
    /// The revision, if it has changed anything.
    pub(super) changed: Option<RevisionView<'d>>,
}

impl<'d> From<DatasetView<'d>> for SparqlDataset<'d> {
    fn from(view: DatasetView<'d>) -> Self {
        Self { view, changed: None }
    }
}

impl<'d> From<RevisionView<'d>> for SparqlDataset<'d> {
    fn from(revision: RevisionView<'d>) -> Self {
        Self { view: revision.terms(), changed: Some(revision).filter(|revision| revision.is_changed()) }
    }
}
