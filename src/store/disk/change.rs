//! A change of a store: documents that come, and documents that go, all or nothing.

use std::io;

use super::damage::Damage;
use super::fault;
use super::kept_source::{CompressedText, write_source};
use super::lock::Lock;
use super::manifest::{DocumentEntry, Manifest, StoredDocument};
use super::medium::Medium;
use super::sections::FileFacts;
use super::segment::write_segment;
use super::snapshot::{NotInPlace, Snapshot, Store};
use super::terms::StoredTerms;
use super::terms_writer::{merge_terms, write_terms};
use crate::diagnostic::Diagnostic;
use crate::rdf::vocabulary::is_sidecar;
use crate::store::dataset::{Dataset, NamedDocument, Part, Piece, merge, parts_of_document};
use crate::store::dictionary::Dictionary;
use crate::store::document::DocumentBuilder;
use crate::store::edits::{EditedDocument, Edits};
use crate::store::revision::Revision;

/// A change that was begun. What is not committed has not happened.
#[derive(Debug)]
pub struct Change {
    store: Store,
    _lock: Lock,
    manifest: Manifest,
    dataset: Dataset,
    coming: Vec<NewDocument>,
    going: Vec<String>,
    edits: Option<Edits>,
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
        Self { store, _lock: lock, manifest, dataset, coming: Vec::new(), going: Vec::new(), edits: None }
    }

    /// The documents before the change.
    pub fn documents(&self) -> &[StoredDocument] {
        &self.manifest.documents
    }

    /// The quads before the change.
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// Puts a document in, in the place of the one with its graph.
    pub fn put(&mut self, document: NewDocument) {
        self.coming.push(document);
    }

    /// Takes a document out.
    pub fn remove(&mut self, graph: &str) {
        self.going.push(graph.to_owned());
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
        let Self { store, _lock, manifest, dataset, coming, going, edits } = self;
        let damage = dataset.damage().cloned();
        if let Some(fault) = dataset.fault() {
            return Err(Box::new(fault.clone()));
        }
        // What a change has left that was killed stands where new files are to go.
        store.collect(&manifest);
        let mut next = Files { medium: store.medium(), manifest: manifest.clone(), last: String::new() };
        let (dictionary, edited) = match edits {
            Some(Edits { dictionary, documents, .. }) => (dictionary, documents),
            None => (dataset.into_dictionary(), Vec::new()),
        };
        let written = next.write(dictionary, coming, edited, &going);
        let Files { manifest: mut next, last, .. } = next;
        // Terms that could not be read were taken for new ones.
        if let Some(fault) = damage.as_ref().and_then(Damage::get) {
            store.collect(&manifest);
            return Err(Box::new(fault.clone()));
        }
        if let Err(error) = written {
            store.collect(&manifest);
            return Err(Box::new(fault(&error, &store.folder().join(last), "write")));
        }
        next.generation += 1;
        match store.put_in_place(&next) {
            Ok(()) => store.collect(&next),
            Err(NotInPlace::Failed(fault)) => {
                store.collect(&manifest);
                return Err(fault);
            }
            Err(NotInPlace::Unsafe(fault)) => return Err(fault),
        }
        Ok(())
    }
}

/// The files of the state after the change, as far as they are written.
struct Files<'m> {
    medium: &'m dyn Medium,
    manifest: Manifest,
    /// The file that was written last.
    last: String,
}

impl Files<'_> {
    fn write(
        &mut self,
        dictionary: Dictionary,
        coming: Vec<NewDocument>,
        edited: Vec<EditedDocument>,
        going: &[String],
    ) -> io::Result<()> {
        let (mut entries, mut documents) = (Vec::new(), Vec::new());
        for NewDocument { entry, builder, source } in coming {
            documents.push(NamedDocument { graph: entry.graph.clone(), builder });
            let kept = match source {
                Some(text) => {
                    let name = self.next_name("source");
                    Some(write_source(self.medium, &name, &text)?)
                }
                None => None,
            };
            entries.push((entry, kept));
        }
        self.manifest.documents.retain(|document| !going.contains(&document.entry.graph));
        let (dictionary, documents) = merge(dictionary, documents);
        for ((entry, kept), pieces) in entries.into_iter().zip(documents) {
            let parts = parts_of_document(&dictionary, pieces);
            self.write_document(entry, kept, &parts)?;
        }
        for EditedDocument { mut entry, graphs } in edited {
            let pieces =
                graphs.into_iter().map(|graph| Piece::of_known(graph.name, graph.is_default, graph.triples));
            let parts = parts_of_document(&dictionary, pieces.collect());
            let is_known = |known: &&StoredDocument| known.entry.graph == entry.graph;
            let kept = self.manifest.documents.iter().find(is_known).and_then(|known| known.kept.clone());
            if parts.is_empty() && entry.source.is_none() {
                self.manifest.documents.retain(|known| known.entry.graph != entry.graph);
                continue;
            }
            let counted = parts.iter().filter(|part| !is_sidecar(dictionary.lexical(part.name)));
            entry.quads = counted.map(|part| part.graph.len() as u64).sum();
            self.write_document(entry, kept, &parts)?;
        }
        self.write_terms(&dictionary)
    }

    /// Writes the graphs of a document, which takes the place of the one with its name.
    fn write_document(
        &mut self,
        entry: DocumentEntry,
        kept: Option<FileFacts>,
        parts: &[Part],
    ) -> io::Result<()> {
        let name = self.next_name("graphs");
        let file = write_segment(self.medium, &name, parts)?;
        let document = StoredDocument { file, kept, entry };
        let known =
            self.manifest.documents.iter_mut().find(|known| known.entry.graph == document.entry.graph);
        match known {
            Some(known) => *known = document,
            None => self.manifest.documents.push(document),
        }
        Ok(())
    }

    /// Writes the terms that are in no file yet. Files that are not much larger than what follows them
    /// become one with it, so that there are never more than a few, and each term is written a few times.
    fn write_terms(&mut self, dictionary: &Dictionary) -> io::Result<()> {
        let first = dictionary.stored_count() + 1;
        if dictionary.len() < first {
            return Ok(());
        }
        let name = self.next_name("terms");
        let seed = self.manifest.seed;
        let file = write_terms(self.medium, &name, (first, seed), dictionary.own_terms())?;
        self.manifest.terms.push(file);
        let unreadable = |fault: Box<Diagnostic>| io::Error::other(fault.message);
        let damage = Damage::default();
        let all =
            StoredTerms::open(self.medium, self.manifest.terms.iter(), seed, &damage).map_err(unreadable)?;
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
            let kept = self.manifest.terms.len() - together;
            let name = self.next_name("terms");
            let merged: FileFacts = merge_terms(self.medium, &name, &all.files()[kept..])?;
            if let Some(fault) = damage.get() {
                return Err(io::Error::other(fault.message.clone()));
            }
            self.manifest.terms.truncate(kept);
            self.manifest.terms.push(merged);
        }
        Ok(())
    }

    fn next_name(&mut self, what: &str) -> String {
        self.last = format!("{what}-{}", self.manifest.next_file);
        self.manifest.next_file += 1;
        self.last.clone()
    }
}
