//! Takes documents out of a store without a look at any of their files, so that what is damaged can go.

use super::lock::Lock;
use super::manifest::{Manifest, StoredDocument};
use super::snapshot::Store;
use crate::diagnostic::Diagnostic;

/// A removal that was begun.
#[derive(Debug)]
pub struct Removal {
    store: Store,
    _lock: Lock,
    manifest: Manifest,
}

impl Removal {
    pub(super) fn new(store: Store, lock: Lock, manifest: Manifest) -> Self {
        Self { store, _lock: lock, manifest }
    }

    /// The documents before the removal.
    pub fn documents(&self) -> &[StoredDocument] {
        &self.manifest.documents
    }

    /// Removes the documents with these graphs, all or nothing. Their terms stay.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn commit<'g>(self, graphs: impl IntoIterator<Item = &'g str>) -> Result<(), Box<Diagnostic>> {
        let mut next = self.manifest.clone();
        for graph in graphs {
            next.documents.retain(|document| document.entry.graph != graph);
        }
        next.generation += 1;
        self.store.replace(&self.manifest, &next)
    }
}
