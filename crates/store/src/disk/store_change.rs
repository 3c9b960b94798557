//! A change of a store: documents are added and removed, all or nothing. `StoreFolder` is defined in `snapshot.rs`.

use std::collections::{HashMap, HashSet};
use std::io;

use super::coming_documents::{ComingDocuments, SharedFileWriters};
use super::damage::StoreDamage;
use super::fault;
use super::kept_source::{CompressedText, TextsWriter, frame_of};
use super::lock::StoreLock;
use super::manifest::{DocumentEntry, StoreManifest, StoredDocument};
use super::medium::StoreMedium;
use super::new_terms::{NewTerms, properties};
use super::pack::{GraphPack, PackWriter};
use super::sections::{FileFacts, SectionedFile, StoreFileKind};
use super::segment::open_segment;
use super::snapshot::{ChangeSweeper, StoreFolder};
use super::store_location::{FULL, FileRef, SHARED, StoreLocation, WITH_OWN_FILES, to_be_joined};
use super::stored_terms::StoredTerms;
use super::terms_writer::{TermsWriter, merge_terms};
use crate::dataset::Dataset;
use crate::dictionary::{RdfTermKind, TermDictionary, TermId};
use crate::document_builder::DocumentBuilder;
use crate::edits::{EditedDocument, StoreEdits};
use crate::part::GraphPart;
use crate::revision::DatasetRevision;
use evalgraph_diagnostics::Diagnostic;

/// A change in progress. Without a commit it has no effect. Other methods are in `document_writer.rs`.
#[derive(Debug)]
pub struct StoreChange {
    store: StoreFolder,
    lock: StoreLock,
    /// The state before.
    manifest: StoreManifest,
    dataset: Dataset,
    /// The state after the change, as far as its files are written; its documents are in `documents`.
    next: StoreManifest,
    pub(super) documents: ComingDocuments,
    shared: SharedFileWriters,
    terms: NewTerms,
    edits: Option<StoreEdits>,
    /// The file that was written last; none at first.
    last: Option<String>,
    /// Faults in files of terms that were to be merged.
    merging: StoreDamage,
    /// The fault that prevents the commit.
    fault: Option<Box<Diagnostic>>,
    /// The process that makes the change, in the record with which it can be undone; none if it cannot be undone.
    who: Option<String>,
    /// `true` if the new state has replaced the old one, or may have.
    is_made: bool,
}

/// A document on its way into a store.
#[derive(Debug)]
pub struct NewDocument {
    /// The facts about it.
    pub entry: DocumentEntry,
    /// Its quads.
    pub builder: DocumentBuilder,
    /// The text that it was read from.
    pub source: Option<CompressedText>,
}

impl StoreFolder {
    /// Begins a change. There is one at a time: other processes that want to change the store see `who` in their error.
    ///
    /// # Errors
    ///
    /// A store that another process is changing, and the errors of [`Self::snapshot`].
    pub fn change(&self, who: &str) -> Result<StoreChange, Box<Diagnostic>> {
        let lock = StoreLock::take(self.folder(), who, self.patience)?;
        let (manifest, dataset) = self.snapshot()?.into_parts()?;
        let terms = NewTerms::beside(dataset.dictionary().stored_terms().cloned(), manifest.seed);
        let mut change = StoreChange::with_terms_of(self.clone(), lock, manifest, dataset, terms);
        change.who = Some(who.to_owned());
        Ok(change)
    }
}

impl StoreChange {
    fn with_terms_of(
        store: StoreFolder,
        lock: StoreLock,
        manifest: StoreManifest,
        dataset: Dataset,
        terms: NewTerms,
    ) -> Self {
        Self {
            store,
            lock,
            terms,
            documents: ComingDocuments::new(&manifest.documents),
            shared: SharedFileWriters::default(),
            next: StoreManifest { documents: Vec::new(), ..manifest.clone() },
            manifest,
            dataset,
            edits: None,
            last: None,
            merging: StoreDamage::default(),
            fault: None,
            who: None,
            is_made: false,
        }
    }

    /// A change that repairs the quads of documents; `dataset` may lack these documents. Edits with renumbered terms
    /// replace all terms of the store. A repair cannot be undone: the state before is damaged, or only larger.
    pub(super) fn of_repair(
        store: StoreFolder,
        lock: StoreLock,
        manifest: StoreManifest,
        dataset: Dataset,
        edits: StoreEdits,
    ) -> Self {
        let stored = edits.dictionary.stored_terms().cloned();
        let is_anew = stored.is_none();
        let terms = NewTerms::beside(stored, manifest.seed);
        let mut change = Self::with_terms_of(store, lock, manifest, dataset, terms);
        if is_anew {
            change.next.terms.clear();
        }
        change.edits = Some(edits);
        change
    }

    /// Returns the sweeper, which cleans up if the process ends before the change is made.
    pub fn sweeper(&self) -> ChangeSweeper {
        ChangeSweeper::new(self.store.clone(), self.lock.is_held())
    }

    /// The documents before the change.
    pub fn documents(&self) -> &[StoredDocument] {
        &self.manifest.documents
    }

    /// The quads before the change.
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// Adds a document, or replaces the one with the same graph, and returns how many quads it has.
    ///
    /// # Errors
    ///
    /// An error of the system. After it the change can no longer be committed.
    pub fn put(&mut self, document: NewDocument) -> Result<u64, Box<Diagnostic>> {
        let NewDocument { entry, builder, source } = document;
        let mut writer = self.document();
        writer.piece(builder)?;
        if let Some(text) = source {
            writer.whole_text(text);
        }
        writer.finish(entry)
    }

    /// Removes the document of a graph.
    pub fn remove(&mut self, graph: &str) {
        self.documents.remove(graph);
    }

    /// The documents that a revision of [`Self::dataset`] has changed.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn edits_of(&self, revision: &DatasetRevision<'_>) -> Result<StoreEdits, Box<Diagnostic>> {
        StoreEdits::from_revision(revision, &self.dataset, &self.store, &self.manifest.documents)
    }

    /// Replaces the quads of documents. Their kept texts stay as they were.
    pub fn edit(&mut self, edits: StoreEdits) {
        self.edits = Some(edits);
    }

    /// Makes the change. On success it is safe against a loss of power; on failure the store is as it was.
    ///
    /// # Errors
    ///
    /// Errors of the system, and damage that prevents the change.
    pub fn commit(self) -> Result<(), Box<Diagnostic>> {
        self.commit_unless(|| Ok(()))
    }

    /// Makes the change, unless `is_stopped` fails. `is_stopped` is called once, when all files are written and none is
    /// in use yet; nothing stops the change afterwards.
    ///
    /// # Errors
    ///
    /// The errors of [`Self::commit`], and the error of `is_stopped`.
    pub fn commit_unless(
        mut self,
        is_stopped: impl FnOnce() -> Result<(), Box<Diagnostic>>,
    ) -> Result<(), Box<Diagnostic>> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.check()?;
        let written = self.write_rest();
        // Terms that could not be read have become new terms: such a change must not be committed.
        self.check()?;
        self.noting(written)?;
        is_stopped()?;
        self.next.documents = std::mem::take(&mut self.documents).into_list();
        self.next.generation += 1;
        // `replace` removes unused files itself, whether it succeeds or fails.
        self.is_made = true;
        self.store.replace(&self.manifest, &mut self.next, self.who.as_deref())
    }

    /// Fails if a file that was read is damaged.
    fn check(&self) -> Result<(), Box<Diagnostic>> {
        self.dataset.check()?;
        self.merging.check()
    }

    /// Writes everything that is still in memory.
    fn write_rest(&mut self) -> io::Result<()> {
        if let Some(StoreEdits { dictionary, documents, .. }) = self.edits.take() {
            let triples =
                documents.iter().flat_map(|document| &document.graphs).flat_map(|graph| &graph.triples);
            let properties = properties(&dictionary, triples);
            let numbers = self.numbers_of(&dictionary, &properties)?;
            documents
                .into_iter()
                .try_for_each(|document| self.write_edited(&dictionary, &numbers, document))?;
        }
        self.join_files()?;
        self.finish_shared()?;
        // Last, since writing documents adds terms.
        self.write_terms()
    }

    fn write_edited(
        &mut self,
        dictionary: &TermDictionary,
        numbers: &[TermId],
        EditedDocument { entry, graphs }: EditedDocument,
    ) -> io::Result<()> {
        if entry.source.is_none() && graphs.iter().all(|graph| graph.triples.is_empty()) {
            self.remove(&entry.graph);
            return Ok(());
        }
        let kept = self.documents.get(&entry.graph).and_then(|known| known.kept.clone());
        let known = dictionary.stored_count();
        let new = |id: TermId| numbers.get(id.index().checked_sub(known).filter(|new| *new > 0)?).copied();
        let number = |id: TermId| new(id).unwrap_or(id);
        let mut writer = self.document();
        for graph in graphs {
            let name = (!graph.is_default).then(|| (number(graph.name), dictionary.iri(graph.name)));
            writer.graph(name, graph.triples.into_iter().map(|triple| triple.map(number)));
        }
        let document = StoredDocument { kept, ..writer.write(entry, |_| None)? };
        self.documents.put(document);
        Ok(())
    }

    /// Writes the terms that are not in a file yet. A file that is not much larger than all files after it is merged
    /// with them: this way there are never more than a few files, and each term is written only a few times.
    fn write_terms(&mut self) -> io::Result<()> {
        let seed = self.manifest.seed;
        let terms = std::mem::replace(&mut self.terms, NewTerms::beside(None, seed));
        let Some(file) = terms.finish()? else { return Ok(()) };
        self.next.terms.push(file);
        let unreadable = |fault: Box<Diagnostic>| io::Error::other(fault.message);
        let all = StoredTerms::open(self.medium(), self.next.terms.iter(), seed, &self.merging)
            .map_err(unreadable)?;
        // Each file has at least twice as many terms as the next one, so n terms need about log₂ n files at most.
        let mut counts = all.files().iter().map(super::stored_terms::TermFile::count).rev();
        let (mut together, mut terms) = (1, counts.next().unwrap_or_default());
        for count in counts {
            if count >= 2 * terms {
                break;
            }
            terms += count;
            together += 1;
        }
        if together > 1 {
            let kept = self.next.terms.len() - together;
            let name = self.next_name("terms");
            let merged: FileFacts = merge_terms(self.medium(), &name, &all.files()[kept..])?;
            if let Some(fault) = self.merging.get() {
                return Err(io::Error::other(fault.message.clone()));
            }
            self.next.terms.truncate(kept);
            self.next.terms.push(merged);
        }
        Ok(())
    }

    /// The numbers of the terms that a dictionary has in memory, by their positions in memory, from 1; with their
    /// [`properties`].
    pub(super) fn numbers_of(
        &mut self,
        dictionary: &TermDictionary,
        properties: &[u32],
    ) -> io::Result<Vec<TermId>> {
        self.with_terms(|terms, begin| terms.take(dictionary, properties, begin))
    }

    /// The number of an IRI.
    pub(super) fn number_of_iri(&mut self, iri: &str) -> io::Result<TermId> {
        self.with_terms(|terms, begin| terms.number(RdfTermKind::Iri, iri, 0, begin))
    }

    /// Calls `ask` with the new terms, and with a function that begins a file for them.
    fn with_terms<T>(
        &mut self,
        ask: impl FnOnce(&mut NewTerms, &mut dyn FnMut(usize) -> io::Result<TermsWriter>) -> io::Result<T>,
    ) -> io::Result<T> {
        // `ask` may need the change for the name of a file, so the terms are taken out of it meanwhile.
        let mut terms = std::mem::replace(&mut self.terms, NewTerms::beside(None, 0));
        let answer = ask(&mut terms, &mut |first| {
            let name = self.next_name("terms");
            TermsWriter::create(self.medium(), &name, first)
        });
        self.terms = terms;
        answer
    }

    pub(super) fn medium(&self) -> &dyn StoreMedium {
        self.store.medium()
    }

    /// A name for the next file.
    pub(super) fn next_name(&mut self, what: &str) -> String {
        if self.last.is_none() {
            // Files left by an aborted change may have the names of the next files.
            self.store.collect(&self.manifest);
        }
        let name = format!("{what}-{}", self.next.next_file);
        self.next.next_file += 1;
        self.last = Some(name.clone());
        name
    }

    /// Returns whether a part of a document, of that many bytes, goes to a shared file. The first documents never
    /// share: in a small store, damage affects only one document.
    pub(super) fn is_shared(&self, graph: &str, bytes: u64) -> bool {
        self.documents.place_of(graph) >= WITH_OWN_FILES && bytes < SHARED
    }

    /// Writes graphs of a document into a file that it shares.
    pub(super) fn shared_graphs(&mut self, parts: &[GraphPart]) -> io::Result<StoreLocation> {
        let (file, mut writer) = match self.shared.graphs.take() {
            Some(begun) => begun,
            None => {
                let name = self.next_name("graphs");
                let writer = PackWriter::create(self.medium(), &name)?;
                (FileRef::coming(name), writer)
            }
        };
        let part = Some(writer.document(parts.iter())?);
        let place = StoreLocation { file: file.clone(), part };
        if writer.bytes() < FULL {
            self.shared.graphs = Some((file, writer));
        } else {
            file.arrived(writer.finish()?);
        }
        Ok(place)
    }

    /// Writes a compressed text into a file that it shares.
    pub(super) fn shared_text(&mut self, frame: &[u8]) -> io::Result<StoreLocation> {
        let (file, mut writer) = match self.shared.texts.take() {
            Some(begun) => begun,
            None => {
                let name = self.next_name("source");
                let writer = TextsWriter::create(self.medium(), &name)?;
                (FileRef::coming(name), writer)
            }
        };
        let part = Some(writer.frame(frame)?);
        let place = StoreLocation { file: file.clone(), part };
        if writer.bytes() < FULL {
            self.shared.texts = Some((file, writer));
        } else {
            file.arrived(writer.finish()?);
        }
        Ok(place)
    }

    /// Moves the content of small or mostly unused shared files into the shared files of this change. Damaged content
    /// stays where it is.
    fn join_files(&mut self) -> io::Result<()> {
        let coming = [self.shared.graphs_name(), self.shared.texts_name()];
        let coming: Vec<&str> = coming.iter().flatten().map(String::as_str).collect();
        let of_graphs =
            to_be_joined(self.documents.iter().map(|(at, document)| (at, &document.graphs)), &coming);
        let of_texts = to_be_joined(
            self.documents.iter().filter_map(|(at, document)| Some((at, document.kept.as_ref()?))),
            &coming,
        );
        if of_graphs.is_empty() && of_texts.is_empty() {
            return Ok(());
        }
        let (of_graphs, of_texts): (HashSet<String>, HashSet<String>) =
            (of_graphs.into_iter().collect(), of_texts.into_iter().collect());
        let (mut packs, mut texts) = (HashMap::new(), HashMap::new());
        for at in 0..self.documents.len() {
            let Some(StoredDocument { graphs, kept, .. }) = self.documents.at(at) else { continue };
            let graphs = of_graphs.contains(graphs.file.name()).then(|| graphs.clone());
            let kept = kept.clone().filter(|kept| of_texts.contains(kept.file.name()));
            let graphs = graphs.map(|place| self.joined_graphs(&place, &mut packs)).transpose()?.flatten();
            let kept = kept.map(|place| self.joined_text(&place, &mut texts)).transpose()?.flatten();
            self.documents.move_to(at, graphs, kept);
        }
        Ok(())
    }

    /// Moves graphs, and returns their new place; none if they cannot be read.
    fn joined_graphs(
        &mut self,
        place: &StoreLocation,
        packs: &mut HashMap<String, Option<GraphPack>>,
    ) -> io::Result<Option<StoreLocation>> {
        let damage = StoreDamage::default();
        let parts: Option<Vec<GraphPart>> = match place.part {
            Some(part) => {
                let pack = packs.entry(place.file.name().to_owned()).or_insert_with(|| {
                    let pack = GraphPack::open(self.store.medium(), &place.file.facts(), &damage).ok()?;
                    // A file with a fault stays until it is repaired.
                    (pack.damaged_blocks() == 0).then_some(pack)
                });
                pack.as_ref().and_then(|pack| Some(pack.parts(part).ok()?.collect()))
            }
            None => {
                let segment = open_segment(self.store.medium(), &place.file.facts(), &damage).ok();
                segment.filter(|(file, _)| file.damaged_blocks() == 0).map(|(_, parts)| parts)
            }
        };
        parts.map(|parts| self.shared_graphs(&parts)).transpose()
    }

    /// Moves a text, and returns its new place; none if it cannot be read.
    fn joined_text(
        &mut self,
        place: &StoreLocation,
        texts: &mut HashMap<String, Option<SectionedFile>>,
    ) -> io::Result<Option<StoreLocation>> {
        let damage = StoreDamage::default();
        let name = place.file.name().to_owned();
        let file = texts.entry(name).or_insert_with(|| {
            let file =
                SectionedFile::open(self.store.medium(), &place.file.facts(), StoreFileKind::Source, &damage);
            file.ok().filter(|file| file.damaged_blocks() == 0)
        });
        let Some(file) = file else { return Ok(None) };
        let frame = frame_of(file, place).to_owned();
        self.shared_text(&frame).map(Some)
    }

    /// Finishes the files that documents share.
    fn finish_shared(&mut self) -> io::Result<()> {
        if let Some((file, writer)) = self.shared.graphs.take() {
            file.arrived(writer.finish()?);
        }
        if let Some((file, writer)) = self.shared.texts.take() {
            file.arrived(writer.finish()?);
        }
        Ok(())
    }

    /// Records an error, so that half-written files are never used.
    pub(super) fn noting<T>(&mut self, written: io::Result<T>) -> Result<T, Box<Diagnostic>> {
        written.map_err(|error| {
            let file = self.store.folder().join(self.last.as_deref().unwrap_or_default());
            let fault = Box::new(fault(&error, &file, "write"));
            self.fault = Some(fault.clone());
            fault
        })
    }
}

impl Drop for StoreChange {
    fn drop(&mut self) {
        if self.last.is_some() && !self.is_made {
            self.store.collect(&self.manifest);
        }
    }
}
