//! Repairs a store. Damaged documents are rewritten from an intact order of their triples, or from the text that they
//! were read from. If terms are damaged, all documents are rewritten with new files of terms, which also frees the room
//! of unused terms. A removal deletes documents without reading any of their files, so damaged documents can be
//! removed, too. `StoreFolder` is defined in `snapshot.rs`.

use std::collections::HashSet;

use super::examination::{DamagedDocument, StoreExamination, examine};
use super::lock::StoreLock;
use super::manifest::{StoreManifest, StoredDocument};
use super::snapshot::{ChangeSweeper, StoreFolder, StoreSnapshot};
use super::store_change::{NewDocument, StoreChange};
use crate::dataset::Dataset;
use crate::dictionary::TermDictionary;
use crate::edits::{EditedDocument, StoreEdits};
use crate::term_renumbering::renumber;
use evalgraph_diagnostics::Diagnostic;

/// A repair in progress. Without a commit it has no effect.
#[derive(Debug)]
pub struct StoreRepair {
    store: StoreFolder,
    lock: StoreLock,
    manifest: StoreManifest,
    examination: StoreExamination,
    coming: Vec<NewDocument>,
}

impl StoreFolder {
    /// Begins a repair by examining the whole store.
    ///
    /// # Errors
    ///
    /// A store that another process is changing, and a manifest that cannot be read.
    pub fn repair(&self, who: &str) -> Result<StoreRepair, Box<Diagnostic>> {
        let lock = StoreLock::take(self.folder(), who, self.patience)?;
        let manifest = self.read_manifest()?;
        let examination = examine(self.medium(), &manifest);
        Ok(StoreRepair { store: self.clone(), lock, manifest, examination, coming: Vec::new() })
    }

    /// Begins a removal of documents. It works whatever is damaged.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::repair`].
    pub fn removal(&self, who: &str) -> Result<DocumentRemoval, Box<Diagnostic>> {
        let _lock = StoreLock::take(self.folder(), who, self.patience)?;
        let manifest = self.read_manifest()?;
        Ok(DocumentRemoval { store: self.clone(), _lock, manifest, who: who.to_owned() })
    }
}

impl StoreRepair {
    /// Returns the sweeper, which cleans up if the process ends before the repair is made.
    pub fn sweeper(&self) -> ChangeSweeper {
        ChangeSweeper::new(self.store.clone(), self.lock.is_held())
    }

    /// The damage that was found.
    pub fn examination(&self) -> &StoreExamination {
        &self.examination
    }

    /// The documents before the repair.
    pub fn documents(&self) -> &[StoredDocument] {
        &self.manifest.documents
    }

    /// Replaces the document with the same graph by one that was read again.
    pub fn put(&mut self, document: NewDocument) {
        self.coming.push(document);
    }

    /// The documents that stay damaged: they have no intact order and were not read again.
    pub fn left(&self) -> impl Iterator<Item = &DamagedDocument> {
        let coming = self.coming();
        let damaged = self.examination.damaged.iter();
        damaged.filter(move |damaged| {
            !damaged.is_readable() && !coming.contains(damaged.document.entry.graph.as_str())
        })
    }

    /// The graphs whose kept text is lost and that were not read again.
    pub fn lost_texts(&self) -> impl Iterator<Item = &str> {
        let coming = self.coming();
        let damaged = graphs_of(&self.examination.damaged);
        let texts = self.examination.texts.iter().map(|(graph, _)| graph.as_str());
        texts.filter(move |graph| !coming.contains(graph) && !damaged.contains(graph))
    }

    /// The graphs that were read again.
    fn coming(&self) -> HashSet<&str> {
        self.coming.iter().map(|coming| coming.entry.graph.as_str()).collect()
    }

    /// Returns whether any damage can be repaired.
    pub fn has_work(&self) -> bool {
        let StoreExamination { terms, damaged, .. } = &self.examination;
        !terms.is_empty() || !self.coming.is_empty() || damaged.iter().any(DamagedDocument::is_readable)
    }

    /// Makes the repair as [`StoreChange::commit_unless`] makes a change. All documents are rewritten if terms are
    /// damaged or if the repair `is_compact`; in that case no document may be left damaged.
    ///
    /// # Errors
    ///
    /// `store::damaged` for a document left damaged, errors of the system, and the error of `is_stopped`.
    pub fn commit_unless(
        self,
        is_compact: bool,
        is_stopped: impl FnOnce() -> Result<(), Box<Diagnostic>>,
    ) -> Result<(), Box<Diagnostic>> {
        let is_anew = is_compact || !self.examination.terms.is_empty();
        if is_anew && let Some(left) = self.left().next() {
            return Err(Box::new(left.fault.clone()));
        }
        let Self { store, lock, manifest, examination, coming } = self;
        let graphs_coming: HashSet<&str> = coming.iter().map(|coming| coming.entry.graph.as_str()).collect();
        let graphs_damaged = graphs_of(&examination.damaged);
        let is_coming = |document: &StoredDocument| graphs_coming.contains(document.entry.graph.as_str());
        let is_damaged = |document: &StoredDocument| graphs_damaged.contains(document.entry.graph.as_str());
        let staying = |document: &&StoredDocument| !is_damaged(document) && !is_coming(document);
        let whole: Vec<StoredDocument> = manifest.documents.iter().filter(staying).cloned().collect();
        let readable = examination.damaged.iter().filter(|damaged| !is_coming(&damaged.document));
        let mut edited: Vec<EditedDocument> = readable
            .filter_map(|damaged| {
                let entry = damaged.document.entry.clone();
                Some(EditedDocument { entry, graphs: damaged.graphs.clone()? })
            })
            .collect();
        // If no document is left to keep, files of terms that cannot be opened are not needed.
        let dataset = match is_anew && whole.is_empty() && edited.is_empty() {
            true => Dataset::of_parts(TermDictionary::new(), Vec::new(), None),
            false => StoreSnapshot::of_documents(store.medium(), &manifest, &whole)?,
        };
        let dictionary = if is_anew {
            for document in &whole {
                let (entry, graphs) = (document.entry.clone(), store.graphs_of(document)?);
                edited.push(EditedDocument { entry, graphs });
            }
            renumber(dataset.dictionary(), edited.iter_mut().flat_map(|document| &mut document.graphs))
        } else {
            dataset.dictionary().clone()
        };
        // A term that cannot be read looks like one without text, so nothing may be written after a fault.
        dataset.check()?;
        let edits = StoreEdits::of_documents(dictionary, edited);
        let mut change = StoreChange::of_repair(store, lock, manifest, dataset, edits);
        for document in coming {
            change.put(document)?;
        }
        change.commit_unless(is_stopped)
    }
}

fn graphs_of(damaged: &[DamagedDocument]) -> HashSet<&str> {
    damaged.iter().map(|damaged| damaged.document.entry.graph.as_str()).collect()
}

/// A removal of documents that was begun.
#[derive(Debug)]
pub struct DocumentRemoval {
    store: StoreFolder,
    _lock: StoreLock,
    manifest: StoreManifest,
    who: String,
}

impl DocumentRemoval {
    /// The documents before the removal.
    pub fn documents(&self) -> &[StoredDocument] {
        &self.manifest.documents
    }

    /// Removes the documents with these graphs, all or nothing. Their terms stay.
    ///
    /// # Errors
    ///
    /// An error of the system.
    pub fn commit<'g>(self, graphs: impl IntoIterator<Item = &'g str>) -> Result<(), Box<Diagnostic>> {
        let mut next = self.manifest.clone();
        let graphs: HashSet<&str> = graphs.into_iter().collect();
        next.documents.retain(|document| !graphs.contains(document.entry.graph.as_str()));
        next.generation += 1;
        self.store.replace(&self.manifest, &mut next, Some(&self.who))
    }
}
