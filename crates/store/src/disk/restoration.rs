//! Restores a store from a backup, as one change: new files are written beside the old ones, and the manifest is
//! replaced when all of them are complete and checked. `StoreFolder` is defined in `snapshot.rs`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use super::backup::{BackupStep, read_backup};
use super::examination::examine;
use super::fault;
use super::lock::StoreLock;
use super::manifest::{MANIFEST, ManifestHead, StoreManifest, StoredDocument};
use super::medium::{MediumFile, StoreMedium};
use super::sections::FileFacts;
use super::snapshot::{ChangeSweeper, NotInPlace, PREFIXES, StoreFolder};
use super::store_location::{FileRef, StoreLocation, number_of};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};

/// Numbers of files and changes stay below this one, so that the store can be changed as often as one likes.
const MOST: u64 = 1 << 53;

/// A restoration that was begun. Without a commit it has no effect.
#[derive(Debug)]
pub struct StoreRestoration {
    store: StoreFolder,
    lock: StoreLock,
    who: String,
    /// The store before; none if its manifest cannot be read.
    before: Option<StoreManifest>,
    /// `true` if the folder had no store.
    is_new: bool,
    /// The names of the files that were written.
    written: Vec<String>,
    /// The state after.
    next: Option<StoreManifest>,
}

impl StoreFolder {
    /// Begins to restore a store into a folder, which must exist. If it has a store with documents, or a damaged one,
    /// `is_replacing` is necessary. Waits up to `patience` for another change to end.
    ///
    /// # Errors
    ///
    /// `restore::exists` for a store that may not be replaced, a store that another process is changing, and errors of
    /// the system.
    pub fn restoration(
        medium: Arc<dyn StoreMedium>,
        who: &str,
        is_replacing: bool,
        patience: Duration,
    ) -> Result<StoreRestoration, Box<Diagnostic>> {
        let lock = StoreLock::take(medium.folder(), who, patience)?;
        let store = Self::unopened(medium, patience);
        let (before, is_new) = match store.medium().open(MANIFEST) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && store.refuse_orphans().is_ok() => {
                let empty = StoreManifest::new(RandomState::new().build_hasher().finish());
                // With a manifest, the files of a restoration that is ended early can be told from those of a store.
                match store.put_in_place(&empty, None) {
                    Ok(()) => (Some(empty), true),
                    Err(NotInPlace::Failed(fault) | NotInPlace::Unsafe(fault)) => return Err(fault),
                }
            }
            _ => (store.read_manifest().ok(), false),
        };
        let is_empty = before.as_ref().is_some_and(|before| before.documents.is_empty());
        if !is_replacing && !is_empty {
            let message = format!("`{}` is a store already", store.folder().display());
            let fault = Diagnostic::error("restore::exists", message);
            return Err(Box::new(fault.with_help(help![
                setting("force"),
                " replaces it, and ",
                setting("store"),
                " names another folder"
            ])));
        }
        let who = who.to_owned();
        Ok(StoreRestoration { store, lock, who, before, is_new, written: Vec::new(), next: None })
    }
}

impl StoreRestoration {
    /// Returns the sweeper, which cleans up if the process ends before the restoration is made.
    pub fn sweeper(&self) -> ChangeSweeper {
        ChangeSweeper::new(self.store.clone(), self.lock.is_held())
    }

    /// Returns whether the folder had no store.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The documents of the backup that was read.
    pub fn documents(&self) -> &[StoredDocument] {
        self.next.as_ref().map_or(&[], |next| &next.documents)
    }

    /// Reads a backup with this name, writes its files, and checks them.
    ///
    /// # Errors
    ///
    /// `restore::damaged` for a backup that is damaged or cut, and errors of the system.
    pub fn read(&mut self, backup: &mut dyn Read, name: &str) -> Result<(), Box<Diagnostic>> {
        let base = self.first_number();
        let too_large = || {
            let message = format!("the backup `{name}` is damaged: the numbers of its files are too large");
            Box::new(Diagnostic::error("restore::damaged", message))
        };
        let Self { store, written, .. } = self;
        let medium = store.medium();
        let mut open: Option<(String, Box<dyn MediumFile>)> = None;
        let (_, head) = read_backup(medium, backup, name, &mut |step| {
            let unwritable = |error: std::io::Error, name: &str| {
                Box::new(fault(&error, &medium.folder().join(name), "write"))
            };
            match step {
                BackupStep::Manifest(head) => {
                    let largest = head.file_names().map(number_of).max().unwrap_or_default();
                    let last = largest.max(head.manifest.next_file);
                    return if last < MOST && base < MOST { Ok(()) } else { Err(too_large()) };
                }
                BackupStep::File(facts) => {
                    let name = renamed(&facts.name, base).ok_or_else(too_large)?;
                    let file = medium.create(&name).map_err(|error| unwritable(error, &name))?;
                    written.push(name.clone());
                    open = Some((name, file));
                }
                BackupStep::Bytes(bytes) => {
                    if let Some((name, file)) = &mut open {
                        file.write_all(bytes).map_err(|error| unwritable(error, name))?;
                    }
                }
                BackupStep::End => {
                    if let Some((name, mut file)) = open.take() {
                        file.flush().and_then(|()| file.sync()).map_err(|error| unwritable(error, &name))?;
                    }
                }
            }
            Ok(())
        })?;
        let next = with_new_names(head, base).complete(medium)?;
        let examination = examine(medium, &next);
        let faults = examination.terms.iter().chain(examination.texts.iter().map(|(_, fault)| fault));
        let fault = faults.chain(examination.damaged.iter().map(|damaged| &damaged.fault)).next();
        if let Some(fault) = fault {
            let message = format!("the backup `{name}` is damaged: {}", fault.message);
            return Err(Box::new(Diagnostic::error("restore::damaged", message)));
        }
        self.next = Some(next);
        Ok(())
    }

    /// The number from which files are numbered: larger than that of any file of the folder.
    fn first_number(&self) -> u64 {
        let known = self.before.as_ref().map_or(0, |before| before.next_file);
        let names = self.store.medium().names().unwrap_or_default();
        known.max(names.iter().map(|name| number_of(name).saturating_add(1)).max().unwrap_or_default())
    }

    /// Makes the restored state the state of the store, unless `is_stopped` fails. A store that it replaces can be
    /// brought back by undoing the change, if its manifest could be read.
    ///
    /// # Errors
    ///
    /// The error of `is_stopped`, and errors of the system. The store is as it was, unless the message says that the
    /// change is made.
    pub fn commit_unless(
        mut self,
        is_stopped: impl FnOnce() -> Result<(), Box<Diagnostic>>,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(mut next) = self.next.take() else { return Ok(()) };
        is_stopped()?;
        // The files are now those of the store, whose changes remove what is not needed.
        self.written.clear();
        let Some(before) = self.before.take() else {
            next.write_list(self.store.medium())
                .map_err(|error| Box::new(fault(&error, &self.store.folder().join(MANIFEST), "write")))?;
            return match self.store.put_in_place(&next, None) {
                Ok(()) => {
                    self.store.collect(&next);
                    Ok(())
                }
                Err(NotInPlace::Failed(fault) | NotInPlace::Unsafe(fault)) => Err(fault),
            };
        };
        next.generation = before.generation.saturating_add(1);
        let who = (!self.is_new).then_some(self.who.as_str());
        let made = self.store.replace(&before, &mut next, who);
        self.before = made.is_err().then_some(before);
        made
    }
}

impl Drop for StoreRestoration {
    fn drop(&mut self) {
        for name in &self.written {
            // A file that cannot be removed only costs room, and the next change tries again.
            let _ = self.store.medium().remove(name);
        }
        if self.is_new && self.before.is_some() {
            let _ = self.store.medium().remove(MANIFEST);
        }
    }
}

/// The name of a restored file: of the same kind, with a number that is larger by `base`.
fn renamed(name: &str, base: u64) -> Option<String> {
    let kind = PREFIXES.iter().find(|kind| name.starts_with(**kind))?;
    let number: u64 = name.strip_prefix(kind)?.parse().ok()?;
    Some(format!("{kind}{}", number.checked_add(base)?))
}

/// Gives all files the names under which they were restored.
fn with_new_names(head: ManifestHead, base: u64) -> ManifestHead {
    let ManifestHead { mut manifest, mut files } = head;
    let facts = |file: &mut FileFacts| {
        if let Some(name) = renamed(&file.name, base) {
            file.name = name;
        }
    };
    let reference = |file: &mut FileRef| {
        let mut new = file.facts();
        facts(&mut new);
        *file = FileRef::from_facts(new);
    };
    manifest.terms.iter_mut().chain(&mut manifest.list).for_each(facts);
    for StoredDocument { graphs, kept, .. } in &mut manifest.documents {
        for StoreLocation { file, .. } in std::iter::once(graphs).chain(kept) {
            reference(file);
        }
    }
    files.iter_mut().for_each(reference);
    manifest.next_file = manifest.next_file.saturating_add(base);
    ManifestHead { manifest, files }
}
