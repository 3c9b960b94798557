//! A change of a store: documents that come, and documents that go, all or nothing.

use std::io;

use super::damage::Damage;
use super::document_writer::DocumentWriter;
use super::fault;
use super::kept_source::CompressedText;
use super::lock::Lock;
use super::manifest::{DocumentEntry, Manifest, StoredDocument};
use super::medium::Medium;
use super::new_terms::NewTerms;
use super::sections::FileFacts;
use super::snapshot::{Snapshot, Store};
use super::sweeper::Sweeper;
use super::terms::StoredTerms;
use super::terms_writer::{TermsWriter, merge_terms};
use crate::diagnostic::Diagnostic;
use crate::store::dataset::Dataset;
use crate::store::dictionary::{Dictionary, Kind, TermId};
use crate::store::document::DocumentBuilder;
use crate::store::edits::{EditedDocument, Edits};
use crate::store::revision::Revision;

/// A change that was begun. What is not committed has not happened.
#[derive(Debug)]
pub struct Change {
    store: Store,
    lock: Lock,
    /// The state before.
    manifest: Manifest,
    dataset: Dataset,
    /// The state after, as far as its files are written.
    next: Manifest,
    terms: NewTerms,
    edits: Option<Edits>,
    /// The file that was written last; none while none was.
    last: Option<String>,
    /// What is wrong with files of terms that were to become one.
    merging: Damage,
    /// What went wrong; the change cannot be made.
    fault: Option<Box<Diagnostic>>,
    /// Whether the state after has taken the place of the one before, or may have.
    is_made: bool,
}

/// A document on its way into a store.
#[derive(Debug)]
pub struct NewDocument {
    /// What is known of it.
    pub entry: DocumentEntry,
    /// Its quads.
    pub builder: DocumentBuilder,
    /// The text that it was read from.
    pub source: Option<CompressedText>,
}

impl Change {
    pub(super) fn new(store: Store, lock: Lock, snapshot: Snapshot) -> Self {
        let (manifest, dataset) = snapshot.into_parts();
        let terms = NewTerms::beside(dataset.dictionary().stored_terms().cloned(), manifest.seed);
        Self::with_terms_of((store, lock, manifest, dataset), terms)
    }

    fn with_terms_of(
        (store, lock, manifest, dataset): (Store, Lock, Manifest, Dataset),
        terms: NewTerms,
    ) -> Self {
        Self {
            store,
            lock,
            terms,
            next: manifest.clone(),
            manifest,
            dataset,
            edits: None,
            last: None,
            merging: Damage::default(),
            fault: None,
            is_made: false,
        }
    }

    /// A change that gives documents their quads, of a store whose dataset may be without them. Where the terms
    /// of the edits are numbered anew, they take the place of all others.
    pub(super) fn of_repair(
        (store, lock, manifest, dataset): (Store, Lock, Manifest, Dataset),
        edits: Edits,
    ) -> Self {
        let stored = edits.dictionary.stored_terms().cloned();
        let is_anew = stored.is_none();
        let terms = NewTerms::beside(stored, manifest.seed);
        let mut change = Self::with_terms_of((store, lock, manifest, dataset), terms);
        if is_anew {
            change.next.terms.clear();
        }
        change.edits = Some(edits);
        change
    }

    /// Who sweeps up where the process is ended before the change is made.
    pub fn sweeper(&self) -> Sweeper {
        Sweeper::new(self.store.clone(), self.lock.is_held())
    }

    /// The documents before the change.
    pub fn documents(&self) -> &[StoredDocument] {
        &self.manifest.documents
    }

    /// The quads before the change.
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// Puts a document in, in the place of the one with its graph, and says how many quads it has.
    ///
    /// # Errors
    ///
    /// What the system says; the change cannot be made any more.
    pub fn put(&mut self, document: NewDocument) -> Result<u64, Box<Diagnostic>> {
        let NewDocument { entry, builder, source } = document;
        let mut writer = self.document();
        writer.piece(builder)?;
        if let Some(text) = source {
            writer.whole_text(&text)?;
        }
        writer.finish(entry)
    }

    /// Begins a document that comes piece by piece.
    pub fn document(&mut self) -> DocumentWriter<'_> {
        DocumentWriter::new(self)
    }

    /// Takes a document out.
    pub fn remove(&mut self, graph: &str) {
        self.next.documents.retain(|document| document.entry.graph != graph);
    }

    /// The documents that a revision of [`Self::dataset`] has changed.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn edits_of(&self, revision: &Revision<'_>) -> Result<Edits, Box<Diagnostic>> {
        Edits::of(revision, &self.dataset, (&self.store, &self.manifest.documents))
    }

    /// Gives documents other quads. What they were read from stays as it was.
    pub fn edit(&mut self, edits: Edits) {
        self.edits = Some(edits);
    }

    /// Makes the change. When this returns it outlasts a loss of power; where it fails, the store is as it
    /// was.
    ///
    /// # Errors
    ///
    /// What the system says, and damage that stands in the way.
    pub fn commit(self) -> Result<(), Box<Diagnostic>> {
        self.commit_unless(|| Ok(()))
    }

    /// Makes the change, unless something is against it when all is written and nothing counts yet. That is
    /// asked once, and nothing stops the change afterwards.
    ///
    /// # Errors
    ///
    /// As [`Self::commit`], and what is against it.
    pub fn commit_unless(
        mut self,
        is_stopped: impl FnOnce() -> Result<(), Box<Diagnostic>>,
    ) -> Result<(), Box<Diagnostic>> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.check()?;
        let written = self.write_rest();
        // Terms that could not be read were taken for new ones.
        self.check()?;
        self.noting(written)?;
        is_stopped()?;
        self.next.generation += 1;
        // Whatever comes now sweeps up by itself.
        self.is_made = true;
        self.store.replace(&self.manifest, &self.next)
    }

    /// What was found to be wrong with files that were read.
    fn check(&self) -> Result<(), Box<Diagnostic>> {
        let fault = self.dataset.fault().or_else(|| self.merging.get());
        fault.map_or(Ok(()), |fault| Err(Box::new(fault.clone())))
    }

    /// Writes what was not written as it came.
    fn write_rest(&mut self) -> io::Result<()> {
        if let Some(Edits { dictionary, documents, .. }) = self.edits.take() {
            let numbers = self.numbers_of(&dictionary)?;
            documents
                .into_iter()
                .try_for_each(|document| self.write_edited((&dictionary, &numbers), document))?;
        }
        self.write_terms()
    }

    fn write_edited(
        &mut self,
        (dictionary, numbers): (&Dictionary, &[TermId]),
        EditedDocument { entry, graphs }: EditedDocument,
    ) -> io::Result<()> {
        if entry.source.is_none() && graphs.iter().all(|graph| graph.triples.is_empty()) {
            self.remove(&entry.graph);
            return Ok(());
        }
        let is_known = |known: &&StoredDocument| known.entry.graph == entry.graph;
        let kept = self.next.documents.iter().find(is_known).and_then(|known| known.kept.clone());
        let known = dictionary.stored_count();
        let new = |id: TermId| numbers.get(id.index().checked_sub(known).filter(|new| *new > 0)?).copied();
        let number = |id: TermId| new(id).unwrap_or(id);
        let mut writer = self.document();
        for graph in graphs {
            let name = (!graph.is_default).then(|| (number(graph.name), dictionary.iri(graph.name)));
            writer.graph(name, graph.triples.into_iter().map(|triple| triple.map(number)));
        }
        let document = StoredDocument { kept, ..writer.write(entry, |_| None)? };
        self.arrive(document);
        Ok(())
    }

    /// Writes the terms that are in no file yet. Files that are not much larger than what follows them
    /// become one with it, so that there are never more than a few, and each term is written a few times.
    fn write_terms(&mut self) -> io::Result<()> {
        let seed = self.manifest.seed;
        let terms = std::mem::replace(&mut self.terms, NewTerms::beside(None, seed));
        let Some(file) = terms.finish()? else { return Ok(()) };
        self.next.terms.push(file);
        let unreadable = |fault: Box<Diagnostic>| io::Error::other(fault.message);
        let all = StoredTerms::open(self.medium(), self.next.terms.iter(), seed, &self.merging)
            .map_err(unreadable)?;
        let mut counts = all.files().iter().map(super::terms::TermFile::count).rev();
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

    /// The numbers of the terms that a dictionary has in memory, by their places among these, from 1.
    pub(super) fn numbers_of(&mut self, dictionary: &Dictionary) -> io::Result<Vec<TermId>> {
        self.with_terms(|terms, begin| terms.take(dictionary, begin))
    }

    /// The number of an IRI.
    pub(super) fn number_of_iri(&mut self, iri: &str) -> io::Result<TermId> {
        self.with_terms(|terms, begin| terms.number(Kind::Iri, iri, begin))
    }

    /// Asks for numbers of terms, which may need a file for new ones.
    fn with_terms<T>(
        &mut self,
        ask: impl FnOnce(&mut NewTerms, &mut dyn FnMut(usize) -> io::Result<TermsWriter>) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut terms = std::mem::replace(&mut self.terms, NewTerms::beside(None, 0));
        let answer = ask(&mut terms, &mut |first| {
            let name = self.next_name("terms");
            TermsWriter::create(self.medium(), &name, first)
        });
        self.terms = terms;
        answer
    }

    pub(super) fn medium(&self) -> &dyn Medium {
        self.store.medium()
    }

    /// A name for the next file.
    pub(super) fn next_name(&mut self, what: &str) -> String {
        if self.last.is_none() {
            // What a change has left that was killed stands where new files are to go.
            self.store.collect(&self.manifest);
        }
        let name = format!("{what}-{}", self.next.next_file);
        self.next.next_file += 1;
        self.last = Some(name.clone());
        name
    }

    /// A document that is written whole, in the place of the one with its graph.
    pub(super) fn arrive(&mut self, document: StoredDocument) {
        let graph = &document.entry.graph;
        match self.next.documents.iter_mut().find(|known| known.entry.graph == *graph) {
            Some(known) => *known = document,
            None => self.next.documents.push(document),
        }
    }

    /// Keeps what went wrong: files that are half written must not count.
    pub(super) fn noting<T>(&mut self, written: io::Result<T>) -> Result<T, Box<Diagnostic>> {
        written.map_err(|error| {
            let file = self.store.folder().join(self.last.as_deref().unwrap_or_default());
            let fault = Box::new(fault(&error, &file, "write"));
            self.fault = Some(fault.clone());
            fault
        })
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        if self.last.is_some() && !self.is_made {
            self.store.collect(&self.manifest);
        }
    }
}
