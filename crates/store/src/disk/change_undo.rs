//! Undoes the last change of a store: the state before it becomes the next state. `StoreFolder` is defined in
//! `snapshot.rs`.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::lock::StoreLock;
use super::manifest::{DocumentEntry, StoreManifest, StoredDocument};
use super::snapshot::{StoreFolder, StoreSnapshot};
use super::undo_record::UndoRecord;
use evalgraph_diagnostics::Diagnostic;

/// The undoing of the last change. Without a commit it has no effect.
#[derive(Debug)]
pub struct ChangeUndo {
    store: StoreFolder,
    _lock: StoreLock,
    who: String,
    now: StoreManifest,
    before: StoreManifest,
    record: UndoRecord,
}

/// What the last change did to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentDifference {
    /// The change added it.
    Added,
    /// The change replaced it, or changed its quads.
    Changed,
    /// The change removed it.
    Removed,
}

impl StoreFolder {
    /// Begins to undo the last change; none if there is no change, or if it cannot be undone.
    ///
    /// # Errors
    ///
    /// A store that another process is changing, a manifest that cannot be read, and a state before that is damaged.
    pub fn undo(&self, who: &str) -> Result<Option<ChangeUndo>, Box<Diagnostic>> {
        let lock = StoreLock::take(self.folder(), who, self.patience)?;
        let now = self.read_manifest()?;
        let Some(record) = UndoRecord::read(self.medium(), now.generation) else { return Ok(None) };
        let head = record.before(self.medium())?;
        // The files that the older manifest names must be there, with the right ends.
        StoreSnapshot::open(self.medium(), head.clone())?.dataset().check()?;
        let before = head.complete(self.medium())?;
        Ok(Some(ChangeUndo { store: self.clone(), _lock: lock, who: who.to_owned(), now, before, record }))
    }
}

impl ChangeUndo {
    /// The process that made the change.
    pub fn who(&self) -> &str {
        &self.record.who
    }

    /// When the change was made.
    pub fn time(&self) -> SystemTime {
        UNIX_EPOCH.checked_add(Duration::from_secs(self.record.seconds)).unwrap_or(UNIX_EPOCH)
    }

    /// The documents that the change added, changed or removed.
    pub fn differences(&self) -> Vec<(&DocumentEntry, DocumentDifference)> {
        let mut before: HashMap<&str, &StoredDocument> =
            self.before.documents.iter().map(|document| (document.entry.graph.as_str(), document)).collect();
        let mut differences = Vec::new();
        for document in &self.now.documents {
            match before.remove(document.entry.graph.as_str()) {
                None => differences.push((&document.entry, DocumentDifference::Added)),
                Some(known) if self.is_same(known, document) => {}
                Some(_) => differences.push((&document.entry, DocumentDifference::Changed)),
            }
        }
        let is_gone = |document: &&StoredDocument| before.contains_key(document.entry.graph.as_str());
        let gone = self.before.documents.iter().filter(is_gone);
        differences.extend(gone.map(|document| (&document.entry, DocumentDifference::Removed)));
        differences
    }

    /// Returns whether a document is the same. A change may have moved an unchanged document into another shared file.
    fn is_same(&self, before: &StoredDocument, after: &StoredDocument) -> bool {
        let is_moved = || {
            let graphs = |document| self.store.graphs_of(document).ok();
            graphs(before).is_some_and(|before| graphs(after).is_some_and(|after| before == after))
        };
        let are_shared = before.graphs.part.is_some() || after.graphs.part.is_some();
        before.entry == after.entry && (before.graphs == after.graphs || are_shared && is_moved())
    }

    /// Undoes the change. It can be undone itself.
    ///
    /// # Errors
    ///
    /// An error of the system. The store is as it was, unless the message says that the change is made.
    pub fn commit(self) -> Result<(), Box<Diagnostic>> {
        let Self { store, who, now, before, _lock, .. } = self;
        // No number of a file is ever used twice.
        let mut next = StoreManifest {
            generation: now.generation + 1,
            next_file: now.next_file.max(before.next_file),
            ..before
        };
        store.replace(&now, &mut next, Some(&who))
    }
}
