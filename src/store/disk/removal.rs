//! Takes documents out of a store without a look at any of their files, so that what is damaged can go.

use std::collections::HashSet;

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

impl Store {
    /// Begins to take documents out, whatever is damaged.
    ///
    /// # Errors
    ///
    /// As [`Self::repair`].
    pub fn removal(&self, who: &str) -> Result<Removal, Box<Diagnostic>> {
        let _lock = Lock::take(self.folder(), who, self.patience)?;
        Ok(Removal { store: self.clone(), _lock, manifest: self.read_manifest()? })
    }
}

impl Removal {
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
        let graphs: HashSet<&str> = graphs.into_iter().collect();
        next.documents.retain(|document| !graphs.contains(document.entry.graph.as_str()));
        next.generation += 1;
        self.store.replace(&self.manifest, &mut next)
    }
}
