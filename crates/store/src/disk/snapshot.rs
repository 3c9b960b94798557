//! A store, and the snapshot that one reader sees.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::damage::StoreDamage;
use super::document_list::DocumentList;
use super::kept_source::{CompressedText, read_compressed, read_source};
use super::lock::{LOCK, StoreLock};
use super::manifest::{
    LIST_PREFIX, MANIFEST, ManifestHead, NEXT_MANIFEST, StoreManifest, StoredDocument, damaged_manifest,
};
use super::medium::StoreMedium;
use super::pack::GraphPack;
use super::segment::open_segment;
use super::store_location::{FileRef, PartOfFile, StoreLocation};
use super::stored_terms::StoredTerms;
use super::undo_record::{NEXT_UNDO, UNDO, UndoRecord};
use super::{fault, sorted_runs};
use crate::dataset::Dataset;
use crate::dictionary::{TermDictionary, TermId};
use crate::edits::DocumentGraph;
use crate::part::GraphPart;
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::{Diagnostic, codes};

/// How often opening is tried again if a change has removed the files in the meantime.
const ATTEMPTS: usize = 100;

/// The prefixes of the names of files that a manifest names, or that a change needs temporarily.
pub(super) const PREFIXES: [&str; 5] = ["terms-", "graphs-", "source-", LIST_PREFIX, sorted_runs::PREFIX];

/// A store on disk. Other methods are in `backup.rs`, `change_undo.rs`, `examination.rs`,
/// `repair.rs`, `restoration.rs` and `store_change.rs`.
#[derive(Debug, Clone)]
pub struct StoreFolder {
    medium: Arc<dyn StoreMedium>,
    /// How long a change waits for another one to end.
    pub(super) patience: Duration,
}

/// The reason why it is not certain that a new manifest is in place.
pub(super) enum NotInPlace {
    /// The new manifest is not in place: the old one is valid.
    Failed(Box<Diagnostic>),
    /// The new manifest is in place, but may not survive a loss of power: the files of both states have to stay.
    Unsafe(Box<Diagnostic>),
}

/// The state of a store when it was opened, unaffected by later changes.
#[derive(Debug)]
pub struct StoreSnapshot {
    /// The manifest, without the documents that are listed in a separate file.
    manifest: StoreManifest,
    list: Option<DocumentList>,
    /// All documents, read on first use.
    documents: OnceLock<Vec<StoredDocument>>,
    dataset: Dataset,
}

impl StoreFolder {
    /// The name of the file that each change of a store replaces.
    pub const MANIFEST: &'static str = MANIFEST;

    /// Makes an empty store in a folder that has none.
    ///
    /// # Errors
    ///
    /// A folder that has a store already, and errors of the system.
    pub fn create(medium: Arc<dyn StoreMedium>) -> Result<Self, Box<Diagnostic>> {
        let store = Self { medium, patience: Duration::ZERO };
        let _lock = StoreLock::take(store.folder(), "the command that makes it", Duration::ZERO)?;
        // Checked under the lock, since another process may make a store at the same time.
        if store.medium.open(MANIFEST).is_ok() {
            let message = format!("`{}` is a store already", store.folder().display());
            return Err(Box::new(Diagnostic::error("store::exists", message)));
        }
        store.refuse_orphans()?;
        let seed = RandomState::new().build_hasher().finish();
        match store.put_in_place(&StoreManifest::new(seed), None) {
            Ok(()) => Ok(store),
            Err(NotInPlace::Failed(fault) | NotInPlace::Unsafe(fault)) => Err(fault),
        }
    }

    /// The store in a folder.
    ///
    /// # Errors
    ///
    /// A folder without a store.
    pub fn open(medium: Arc<dyn StoreMedium>) -> Result<Self, Box<Diagnostic>> {
        let store = Self { medium, patience: Duration::ZERO };
        match store.medium.open(MANIFEST) {
            Ok(_) => Ok(store),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                store.refuse_orphans()?;
                let message = format!("`{}` is not a store", store.folder().display());
                let missing = Diagnostic::error(codes::STORE_MISSING, message);
                Err(Box::new(missing.with_help(help![command("init"), " makes one"])))
            }
            Err(error) => Err(Box::new(fault(&error, &store.folder().join(MANIFEST), "read"))),
        }
    }

    /// The store of a folder that may have none, or a damaged one.
    pub(super) fn unopened(medium: Arc<dyn StoreMedium>, patience: Duration) -> Self {
        Self { medium, patience }
    }

    /// The same store. Its changes wait up to `patience` for an earlier change to end.
    #[must_use]
    pub fn waiting(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Rejects a folder that has files of a store but no manifest: creating an empty store would remove the files.
    pub(super) fn refuse_orphans(&self) -> Result<(), Box<Diagnostic>> {
        let is_ours = |name: &String| PREFIXES.iter().any(|start| name.starts_with(start));
        match self.medium.names().is_ok_and(|names| names.iter().any(is_ours)) {
            true => Err(Box::new(damaged_manifest(self.folder(), "it is missing"))),
            false => Ok(()),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.medium.folder()
    }

    /// The store as it is now.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn snapshot(&self) -> Result<StoreSnapshot, Box<Diagnostic>> {
        self.read_now(|head| StoreSnapshot::open(self.medium(), head))
    }

    /// The text that a document was read from, with secrets overwritten; none for a document made by an update.
    ///
    /// # Errors
    ///
    /// A file that is damaged or missing.
    pub fn source(&self, document: &StoredDocument) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
        document.kept.as_ref().map(|kept| read_source(self.medium(), kept)).transpose()
    }

    /// Like [`Self::source`], but compressed, as it is stored: a tenth of the size. It is decompressed while it is
    /// read.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::source`], except those that only decompression would reveal.
    pub fn compressed_source(
        &self,
        document: &StoredDocument,
    ) -> Result<Option<CompressedText>, Box<Diagnostic>> {
        document.kept.as_ref().map(|kept| read_compressed(self.medium(), kept)).transpose()
    }

    /// The graphs of a document, with the numbers of the snapshot's terms.
    ///
    /// # Errors
    ///
    /// A file that is damaged or missing.
    pub fn graphs_of(&self, document: &StoredDocument) -> Result<Vec<DocumentGraph>, Box<Diagnostic>> {
        self.of_graphs(document, |part| DocumentGraph {
            name: part.name,
            is_default: part.is_default,
            triples: part.graph.get().triples().collect(),
        })
    }

    /// The names of the graphs of a document.
    ///
    /// # Errors
    ///
    /// A file that is damaged or missing.
    pub fn graph_names_of(&self, document: &StoredDocument) -> Result<Vec<TermId>, Box<Diagnostic>> {
        self.of_graphs(document, |part| part.name)
    }

    /// Reads a value from each graph of a document.
    fn of_graphs<T>(
        &self,
        document: &StoredDocument,
        read: impl Fn(&GraphPart) -> T,
    ) -> Result<Vec<T>, Box<Diagnostic>> {
        let StoreLocation { file, part } = &document.graphs;
        let damage = StoreDamage::default();
        let mut graphs = OpenGraphs::default();
        graphs.open(self.medium(), file, *part, &damage)?;
        let read = graphs.parts.iter().map(read).collect();
        damage.check().map(|()| read)
    }

    /// The documents, without opening their files.
    ///
    /// # Errors
    ///
    /// A manifest that cannot be read.
    pub fn documents(&self) -> Result<Vec<StoredDocument>, Box<Diagnostic>> {
        Ok(self.read_manifest()?.documents)
    }

    pub(super) fn medium(&self) -> &dyn StoreMedium {
        &*self.medium
    }

    /// The manifest with all documents.
    pub(super) fn read_manifest(&self) -> Result<StoreManifest, Box<Diagnostic>> {
        self.read_now(|head| head.complete(self.medium()))
    }

    /// Reads files that the manifest names; tries again with a new manifest if a change has removed files in between.
    pub(super) fn read_now<T>(
        &self,
        read: impl Fn(ManifestHead) -> Result<T, Box<Diagnostic>>,
    ) -> Result<T, Box<Diagnostic>> {
        let mut head = self.read_head()?;
        for _ in 0..ATTEMPTS {
            let fault = match read(head.clone()) {
                Ok(read) => return Ok(read),
                Err(fault) => fault,
            };
            let now = self.read_head()?;
            // There was no change in between, so no file was removed: the fault is real.
            if now == head {
                return Err(fault);
            }
            head = now;
        }
        let message = format!("the store `{}` changes faster than it can be opened", self.folder().display());
        Err(Box::new(Diagnostic::error("store::busy", message)))
    }

    fn read_head(&self) -> Result<ManifestHead, Box<Diagnostic>> {
        let unreadable =
            |error: std::io::Error| Box::new(fault(&error, &self.folder().join(MANIFEST), "read"));
        let mut bytes = Vec::new();
        self.medium.open(MANIFEST).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(unreadable)?;
        ManifestHead::read(self.medium(), &bytes)
    }

    /// Puts the new manifest in place, which completes a change, and then the record of the change.
    pub(super) fn put_in_place(
        &self,
        manifest: &StoreManifest,
        record: Option<&UndoRecord>,
    ) -> Result<(), NotInPlace> {
        let failed = |error: std::io::Error| fault(&error, &self.folder().join(NEXT_MANIFEST), "write");
        let write = || {
            if let Some(record) = record {
                self.write_anew(NEXT_UNDO, &record.to_text())?;
            }
            self.write_anew(NEXT_MANIFEST, &manifest.to_text())?;
            // The names of the files in the manifest have to be safe before the manifest.
            self.medium.sync()?;
            self.medium.rename(NEXT_MANIFEST, MANIFEST)
        };
        write().map_err(|error| NotInPlace::Failed(Box::new(failed(error))))?;
        if record.is_some() {
            // Without its record the change counts, too, but it cannot be undone.
            let _ = self.medium.rename(NEXT_UNDO, UNDO);
        }
        self.medium.sync().map_err(|error| {
            let mut fault = failed(error);
            fault.message.push_str("; the change is made, but a loss of power may still undo it");
            fault.help.clear();
            NotInPlace::Unsafe(Box::new(fault))
        })
    }

    /// Writes a small file under a name that a failed change may have left behind.
    fn write_anew(&self, name: &str, text: &str) -> std::io::Result<()> {
        let _ = self.medium.remove(name);
        let mut file = self.medium.create(name)?;
        file.write_all(text.as_bytes())?;
        file.flush()?;
        file.sync()
    }

    /// Replaces a manifest by another one, and removes the files that are no longer used. The old state is kept as the
    /// one that undoing the change of `who` brings back; without `who` it is not kept.
    ///
    /// # Errors
    ///
    /// An error of the system. The old state remains valid, unless the message says that the change is made.
    pub(super) fn replace(
        &self,
        before: &StoreManifest,
        next: &mut StoreManifest,
        who: Option<&str>,
    ) -> Result<(), Box<Diagnostic>> {
        if let Err(error) = next.write_list(self.medium()) {
            self.collect(before);
            return Err(Box::new(fault(&error, &self.folder().join(MANIFEST), "write")));
        }
        let record = who.map(|who| UndoRecord::new(before, next, who));
        match self.put_in_place(next, record.as_ref()) {
            Ok(()) => self.collect(next),
            Err(NotInPlace::Failed(fault)) => {
                self.collect(before);
                return Err(fault);
            }
            Err(NotInPlace::Unsafe(fault)) => return Err(fault),
        }
        Ok(())
    }

    /// Removes the files of a change that will never finish. The caller must hold the lock.
    pub(super) fn sweep(&self) {
        // The writer may still run. Without this it could create a file after the sweep.
        self.medium.close();
        // If the manifest cannot be read now, the next change removes the files.
        if let Ok(manifest) = self.read_manifest() {
            self.collect(&manifest);
        }
    }

    /// Removes the files that neither the manifest names nor the manifest before the last change, if that change can be
    /// undone. Readers of an older state have these files open, and can read them until they are done.
    pub(super) fn collect(&self, manifest: &StoreManifest) {
        let Ok(names) = self.medium.names() else { return };
        let record = UndoRecord::read(self.medium(), manifest.generation);
        let before = record.and_then(|record| record.before(self.medium()).ok());
        let mut named: HashSet<&str> = manifest.file_names().collect();
        match &before {
            Some(head) => named.extend(head.file_names()),
            // A record of another change is not needed any more.
            None if names.iter().any(|name| name == UNDO) => drop(self.medium.remove(UNDO)),
            None => {}
        }
        let is_ours = |name: &str| PREFIXES.iter().any(|start| name.starts_with(start));
        for name in names.iter().filter(|name| is_ours(name) && !named.contains(name.as_str())) {
            // A file that cannot be removed only costs room, and the next change tries again.
            let _ = self.medium.remove(name);
        }
        for name in [NEXT_MANIFEST, NEXT_UNDO] {
            let _ = self.medium.remove(name);
        }
    }

    /// Returns whether a file of the folder belongs to the store.
    pub fn is_part(name: &str) -> bool {
        [MANIFEST, NEXT_MANIFEST, UNDO, NEXT_UNDO, LOCK].contains(&name)
            || PREFIXES.iter().any(|start| name.starts_with(start))
    }
}

impl StoreSnapshot {
    pub(super) fn open(medium: &dyn StoreMedium, head: ManifestHead) -> Result<Self, Box<Diagnostic>> {
        let ManifestHead { manifest, files } = head;
        let damage = StoreDamage::default();
        let mut graphs = OpenGraphs::default();
        for document in &manifest.documents {
            let StoreLocation { file, part } = &document.graphs;
            graphs.open(medium, file, *part, &damage)?;
        }
        let mut list = None;
        if let Some(facts) = &manifest.list {
            let opened = DocumentList::open(medium, facts, files, &damage)?;
            for place in opened.graphs()? {
                let (file, part) = place?;
                graphs.open(medium, file, part, &damage)?;
            }
            list = Some(opened);
        }
        let dataset = dataset(medium, &manifest, graphs.parts, damage)?;
        Ok(Self { manifest, list, documents: OnceLock::new(), dataset })
    }

    /// A snapshot of only some documents of a store.
    pub(super) fn of_documents(
        medium: &dyn StoreMedium,
        manifest: &StoreManifest,
        documents: &[StoredDocument],
    ) -> Result<Dataset, Box<Diagnostic>> {
        let damage = StoreDamage::default();
        let mut graphs = OpenGraphs::default();
        for StoredDocument { graphs: StoreLocation { file, part }, .. } in documents {
            graphs.open(medium, file, *part, &damage)?;
        }
        dataset(medium, manifest, graphs.parts, damage)
    }

    /// The quads.
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// The documents, in the order in which they were first loaded.
    ///
    /// # Errors
    ///
    /// A file of documents that is damaged.
    pub fn documents(&self) -> Result<&[StoredDocument], Box<Diagnostic>> {
        if let Some(documents) = self.documents.get() {
            return Ok(documents);
        }
        let mut documents = self.manifest.documents.clone();
        if let Some(list) = &self.list {
            documents.extend(list.documents()?);
        }
        Ok(self.documents.get_or_init(|| documents))
    }

    /// Frees the texts of terms that were read, and returns how many bytes they had.
    pub fn let_go(&mut self) -> u64 {
        self.dataset.dictionary_mut().let_go()
    }

    /// Returns how many bytes of text of terms were read and are in memory.
    pub fn kept(&self) -> u64 {
        self.dataset.dictionary().kept()
    }

    /// How many changes the store has had.
    pub fn generation(&self) -> u64 {
        self.manifest.generation
    }

    pub(super) fn into_parts(self) -> Result<(StoreManifest, Dataset), Box<Diagnostic>> {
        let documents = self.documents()?.to_vec();
        Ok((StoreManifest { documents, ..self.manifest }, self.dataset))
    }
}

fn dataset(
    medium: &dyn StoreMedium,
    manifest: &StoreManifest,
    parts: Vec<GraphPart>,
    damage: StoreDamage,
) -> Result<Dataset, Box<Diagnostic>> {
    let terms = StoredTerms::open(medium, manifest.terms.iter(), manifest.seed, &damage)?;
    let dictionary = match terms.count() {
        0 => TermDictionary::new(),
        _ => TermDictionary::of_stored(terms),
    };
    Ok(Dataset::of_parts(dictionary, parts, Some(damage)))
}

/// Removes the files of an unfinished change while the change holds the lock. It is for a thread that ends the process
/// in the middle of a change.
#[derive(Debug, Clone)]
pub struct ChangeSweeper {
    store: StoreFolder,
    is_held: Arc<Mutex<bool>>,
}

impl ChangeSweeper {
    pub(super) fn new(store: StoreFolder, is_held: Arc<Mutex<bool>>) -> Self {
        Self { store, is_held }
    }

    /// Removes the files that the manifest does not name. Does nothing if the change is over: then such files belong to
    /// another change.
    pub fn sweep(&self) {
        // While the mutex is held, the lock is not released.
        let is_held = self.is_held.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_held {
            self.store.sweep();
        }
    }
}

/// The graphs of opened files. A shared file is opened only once.
#[derive(Debug, Default)]
pub(super) struct OpenGraphs {
    packs: HashMap<String, GraphPack>,
    /// The graphs of the documents opened so far.
    pub(super) parts: Vec<GraphPart>,
}

impl OpenGraphs {
    /// Adds the graphs of a document.
    ///
    /// # Errors
    ///
    /// A file that is damaged.
    pub(super) fn open(
        &mut self,
        medium: &dyn StoreMedium,
        file: &FileRef,
        part: Option<PartOfFile>,
        damage: &StoreDamage,
    ) -> Result<(), Box<Diagnostic>> {
        let Some(part) = part else {
            self.parts.extend(open_segment(medium, &file.facts(), damage)?.1);
            return Ok(());
        };
        if !self.packs.contains_key(file.name()) {
            let pack = GraphPack::open(medium, &file.facts(), damage)?;
            self.packs.insert(file.name().to_owned(), pack);
        }
        if let Some(pack) = self.packs.get(file.name()) {
            self.parts.extend(pack.parts(part)?);
        }
        Ok(())
    }
}
