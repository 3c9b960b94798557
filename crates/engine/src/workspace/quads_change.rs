//! A change of single quads of a store, whose terms need not be in the store yet.

use std::collections::BTreeMap;

use oxrdf::{GraphName, Quad, Term};

use super::oversight::WritingProcess;
use super::revision_editor::{RevisionEditor, RevisionEdits};
use crate::load::document_loading::DocumentLoading;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport};
use evalgraph_rdf::minted::is_beside_documents;
use evalgraph_store::{DatasetRevision, DefaultGraph, StoreFolder, TermId};

/// Quads to remove, and quads to add. A blank node with the label of a node of the store is this node; any other label
/// is a new node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuadsChange {
    /// The quads to remove.
    pub removed: Vec<Quad>,
    /// The quads to add.
    pub added: Vec<Quad>,
}

impl QuadsChange {
    /// Changes a store, all or nothing. Quads that are already there, or already gone, are not errors. Returns the labels that
    /// new blank nodes have in the store, by those that they have here.
    ///
    /// # Errors
    ///
    /// `sparql::protected-graph` for a graph whose name is not an IRI, or that the store makes itself; the errors of the
    /// store, and an error if a file could not be written back after the change.
    pub fn in_store(
        &self,
        store: &StoreFolder,
        loader: &DocumentLoading<'_>,
        writer: &WritingProcess<'_>,
        report: &mut RunReport,
    ) -> Result<BTreeMap<String, String>, RunFailure> {
        let mut change = writer.begin(store)?;
        let known = change.dataset().dictionary().len();
        let mut revision = DatasetRevision::new(change.dataset(), DefaultGraph::Union);
        let mut new_nodes: BTreeMap<String, TermId> = BTreeMap::new();
        for (quads, is_added) in [(&self.removed, false), (&self.added, true)] {
            for Quad { subject, predicate, object, graph_name } in quads {
                let graph = named_graph(graph_name)?;
                let [subject, predicate, object, graph] =
                    [subject.clone().into(), predicate.clone().into(), object.clone(), graph].map(
                        |term: Term| {
                            let label = match &term {
                                Term::BlankNode(node) => Some(node.as_str().to_owned()),
                                _ => None,
                            };
                            let id = revision.intern(term);
                            if let Some(label) = label.filter(|_| id.index() > known) {
                                new_nodes.insert(label, id);
                            }
                            id
                        },
                    );
                if is_added {
                    revision.insert([subject, predicate, object], graph);
                } else {
                    revision.remove([subject, predicate, object], graph);
                }
            }
        }
        let editing = RevisionEditor { loader, store, change: &change };
        let RevisionEdits { edits, unwritten, .. } = editing.edits(&revision, report)?;
        report.add_all(&unwritten);
        if report.has_failed() {
            return Err(RunFailure::Reported);
        }
        drop(revision);
        let label = |id| match edits.dictionary().term(edits.number_in_store(id)?) {
            Term::BlankNode(node) => Some(node.as_str().to_owned()),
            _ => None,
        };
        let labels = new_nodes.into_iter().filter_map(|(node, id)| Some((node, label(id)?))).collect();
        // A run that is cancelled before the change is ready changes nothing.
        writer.oversight.cancellation().check()?;
        if edits.documents.is_empty() {
            return Ok(labels);
        }
        change.edit(edits);
        writer.commit(change)?;
        Ok(labels)
    }
}

fn named_graph(name: &GraphName) -> Result<Term, RunFailure> {
    match name {
        GraphName::NamedNode(node) if !is_beside_documents(node.as_str()) => Ok(node.clone().into()),
        other => {
            let message = format!("a store cannot change the graph `{other}`");
            Err(Diagnostic::error("sparql::protected-graph", message).into())
        }
    }
}
