//! A change of single statements of a graph, by the numbers of their terms. A store never reuses these numbers, so a
//! change can be undone exactly, including blank nodes.

use std::cmp::Ordering;

use oxrdf::NamedNodeRef;

use super::oversight::WritingProcess;
use super::revision_editor::{RevisionEditor, RevisionEdits};
use crate::load::document_loading::DocumentLoading;
use evalgraph_diagnostics::{RunFailure, RunReport};
use evalgraph_store::{Dataset, DatasetRevision, DefaultGraph, EncodedQuad, StoreFolder, TermId};

/// Statements to remove, and statements to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementsChange {
    graph: String,
    removed: Vec<[TermId; 3]>,
    added: Vec<[TermId; 3]>,
}

impl StatementsChange {
    /// Returns the change that turns a graph in one state of a store into the graph in another state.
    pub fn between(from: &Dataset, to: &Dataset, graph: &str) -> Self {
        let mut change = Self { graph: graph.to_owned(), removed: Vec::new(), added: Vec::new() };
        let (mut old, mut new) = (triples(from, graph).peekable(), triples(to, graph).peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return change,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.cmp(new),
            };
            if order != Ordering::Greater {
                change.removed.extend(old.next().filter(|_| order == Ordering::Less));
            }
            if order != Ordering::Less {
                change.added.extend(new.next().filter(|_| order == Ordering::Greater));
            }
        }
    }

    /// Returns the graph.
    pub fn graph(&self) -> &str {
        &self.graph
    }

    /// Returns whether there is nothing to change.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }

    /// Changes a store, all or nothing. Returns whether the statements to remove were present and the statements to add
    /// were absent.
    ///
    /// # Errors
    ///
    /// The errors of the store, and an error if a file could not be written back after the change.
    pub fn in_store(
        &self,
        store: &StoreFolder,
        loader: &DocumentLoading<'_>,
        writer: &WritingProcess<'_>,
        report: &mut RunReport,
    ) -> Result<bool, RunFailure> {
        let mut change = writer.begin(store)?;
        let Some(graph) = number_of(change.dataset(), &self.graph) else { return Ok(false) };
        let last = change.dataset().dictionary().len();
        let mut revision = DatasetRevision::new(change.dataset(), DefaultGraph::Union);
        let terms = self.removed.iter().chain(&self.added).flatten();
        let is_known = terms.into_iter().all(|term| term.index() <= last);
        if !is_known
            || !self.removed.iter().all(|triple| revision.remove(*triple, graph))
            || !self.added.iter().all(|triple| revision.insert(*triple, graph))
        {
            return Ok(false);
        }
        let editing = RevisionEditor { loader, store, change: &change };
        let RevisionEdits { edits, unwritten, .. } = editing.edits(&revision, report)?;
        report.add_all(&unwritten);
        if report.has_failed() {
            return Err(RunFailure::Reported);
        }
        drop(revision);
        change.edit(edits);
        writer.commit(change)?;
        Ok(true)
    }
}

fn number_of(dataset: &Dataset, graph: &str) -> Option<TermId> {
    dataset.dictionary().find(NamedNodeRef::new_unchecked(graph).into())
}

/// Returns the triples of a graph, ordered by the numbers of their terms.
fn triples<'d>(dataset: &'d Dataset, graph: &str) -> impl Iterator<Item = [TermId; 3]> + use<'d> {
    let quads = number_of(dataset, graph).into_iter().flat_map(|graph| dataset.graph_quads(graph));
    quads.map(|EncodedQuad { subject, predicate, object, .. }| [subject, predicate, object])
}
