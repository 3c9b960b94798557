//! The data that are served: files in memory, or a store, which other processes may change meanwhile.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::file_states::{FileStates, states, with_read};
use super::lengths::MappedFileLengths;
use super::problem::ProblemDetails;
use evalgraph_diagnostics::{Diagnostic, RunFailure, RunReport, SourcePlace};
use evalgraph_engine::api::{Error, LoadedData, Loader, ServedFileFindings, StoreUpdate};
use evalgraph_engine::input::files_read::FileState;
use evalgraph_engine::load::load_purpose::LoadPurpose;
use evalgraph_engine::load::places_in_document::PlacesInDocument;
use evalgraph_engine::validation::document_places::{WantedInGraph, WantedTerm};
use evalgraph_files::open_regular;
use evalgraph_sparql::CancellationToken;

/// How many bytes of the manifest have its checksum and the number of changes.
const BEGINNING: u64 = 64;

/// A file that is older than this when it is read has other facts once it is replaced: no clock is so coarse.
const OLD: Duration = Duration::from_secs(5);

/// The data, in the state that they have by now.
#[derive(Debug)]
pub(super) struct ServedData {
    loader: Loader,
    /// The file that is replaced by each change of the store.
    manifest: Option<PathBuf>,
    /// A number of this run, so that states of another one are not taken for its own.
    run: u64,
    state: Mutex<ServedDataState>,
    /// The files by their states when they were read.
    files: Mutex<FileStates>,
    /// Held by the change whose turn it is.
    turn: Mutex<()>,
}

#[derive(Debug)]
struct ServedDataState {
    loaded: LoadedData,
    manifest: ManifestSnapshot,
    /// The lengths of the store's files.
    lengths: MappedFileLengths,
    version: u64,
}

/// The manifest as it was read.
#[derive(Debug, Default)]
struct ManifestSnapshot {
    /// Its beginning, which has its checksum and counts the changes: of files that replace each other quickly, the system's
    /// facts can be the same.
    beginning: Option<Vec<u8>>,
    /// The system's facts, where they tell of each change.
    facts: Option<FileState>,
}

impl ManifestSnapshot {
    fn read(path: &Path) -> Self {
        let facts = FileState::now(path).filter(|facts| facts.is_older_than(OLD));
        let mut beginning = Vec::with_capacity(BEGINNING as usize);
        let read = open_regular(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
        Self { beginning: read.is_ok().then_some(beginning), facts }
    }

    /// Reads the manifest again where it may have changed, and tells whether it has.
    fn follow(&mut self, path: &Path) -> bool {
        if self.facts.as_ref().is_some_and(|facts| facts.is_of(path)) {
            return false;
        }
        let before = std::mem::replace(self, Self::read(path));
        before.beginning != self.beginning
    }
}

/// The lengths of the files beside a manifest.
fn lengths(manifest: &Path) -> MappedFileLengths {
    manifest.parent().map(MappedFileLengths::from_folder).unwrap_or_default()
}

/// One state of the data.
#[derive(Debug)]
pub(super) struct DataSnapshot {
    pub(super) loaded: LoadedData,
    /// Another one for each state.
    pub(super) name: String,
}

impl ServedData {
    /// Reads the files of a loader, or opens its store; the report has the findings.
    ///
    /// # Errors
    ///
    /// Those of reading.
    pub(super) fn open(loader: Loader) -> Result<(Self, RunReport), Error> {
        let manifest = loader.manifest()?;
        let state = manifest.as_deref().map(ManifestSnapshot::read).unwrap_or_default();
        let before = states(loader.named_files());
        let (loaded, report) =
            loader.reported(|report| LoadedData::read(&loader, LoadPurpose::Catalog, report))?;
        let files = Mutex::new(with_read(before, &loader));
        let run = RandomState::new().build_hasher().finish();
        let lengths = manifest.as_deref().map(lengths).unwrap_or_default();
        let state = Mutex::new(ServedDataState { loaded, manifest: state, lengths, version: 0 });
        Ok((Self { loader, manifest, run, state, files, turn: Mutex::default() }, report))
    }

    /// The state of now.
    ///
    /// # Errors
    ///
    /// Where the store cannot be read.
    pub(super) fn now(&self) -> Result<DataSnapshot, ProblemDetails> {
        let mut state = self.lock();
        if let Some(path) = &self.manifest
            && state.manifest.follow(path)
        {
            state.loaded = self.read().inspect_err(|_| state.manifest = ManifestSnapshot::default())?;
            state.lengths = lengths(path);
            state.version += 1;
        }
        self.seen(&state)
    }

    /// The state of now if it is known without reading or waiting, and is not at fault.
    pub(super) fn at_hand(&self) -> Option<DataSnapshot> {
        let state = self.state.try_lock().ok()?;
        let is_as_read = self
            .manifest
            .as_deref()
            .is_none_or(|path| state.manifest.facts.as_ref().is_some_and(|facts| facts.is_of(path)));
        is_as_read.then(|| self.seen(&state).ok()).flatten()
    }

    fn seen(&self, state: &ServedDataState) -> Result<DataSnapshot, ProblemDetails> {
        state.lengths.check()?;
        let name = format!("{:x}-{}", self.run, state.version);
        Ok(DataSnapshot { loaded: state.loaded.clone(), name })
    }

    /// Lets go of the texts of terms that were read, where they take more than so many bytes. Queries that are running keep
    /// the state that they began with, and its texts go with the last of them.
    pub(super) fn let_go(&self, most: u64) {
        let mut state = self.lock();
        if state.loaded.kept() > most
            && state.loaded.let_go() == 0
            && let Ok(loaded) = self.read()
        {
            // The same state, or a later one, which the next request sees to be new.
            state.loaded = loaded;
            state.lengths = self.manifest.as_deref().map(lengths).unwrap_or_default();
        }
    }

    fn read(&self) -> Result<LoadedData, Error> {
        let read = |report: &mut _| LoadedData::read(&self.loader, LoadPurpose::Catalog, report);
        Ok(self.loader.reported(read)?.0)
    }

    /// Reads the files again where one has changed, or one more is named by now. Files at fault leave the data as they are.
    ///
    /// # Errors
    ///
    /// The findings about files at fault.
    pub(super) fn read_again(&self) -> Result<(), Vec<Diagnostic>> {
        let named = states(self.loader.named_files());
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = named.keys().any(|path| !files.contains_key(path));
        let is_changed = |(path, state): (&PathBuf, &Option<FileState>)| FileState::now(path) != *state;
        if self.is_store() || !is_new && !files.iter().any(is_changed) {
            return Ok(());
        }
        let loader = self.loader.reading_anew();
        let read = loader.reported(|report| LoadedData::read(&loader, LoadPurpose::Catalog, report));
        *files = with_read(named, &loader);
        let (loaded, _) = read.map_err(|error| error.findings().cloned().collect::<Vec<_>>())?;
        let mut state = self.lock();
        state.loaded = loaded;
        state.version += 1;
        Ok(())
    }

    /// The places of wanted statements and nodes in the document of a graph, with its text if it has at most so many bytes;
    /// nothing where its file is another one by now.
    ///
    /// # Errors
    ///
    /// Where the store cannot be read.
    pub(super) fn places(
        &self,
        loaded: &LoadedData,
        graph: &str,
        wanted: &[Vec<WantedTerm>],
        most: u64,
    ) -> Result<Option<PlacesInDocument>, ProblemDetails> {
        let path = loaded.path_of(graph);
        let is_as_read = || path.is_none_or(|path| self.is_as_read(path));
        if !is_as_read() {
            return Ok(None);
        }
        let found = loaded.places_of_graph(&self.loader, graph, wanted, most)?;
        Ok(found.filter(|_| is_as_read()))
    }

    /// As [`Self::places`], for several graphs: the places in each.
    ///
    /// # Errors
    ///
    /// Where the store cannot be read.
    pub(super) fn places_of_graphs(
        &self,
        loaded: &LoadedData,
        asked: &[WantedInGraph<'_>],
    ) -> Result<Vec<Vec<Option<SourcePlace>>>, ProblemDetails> {
        let mut found = loaded.places_of_graphs(&self.loader, asked)?;
        for (asked, places) in asked.iter().zip(&mut found) {
            if loaded.path_of(asked.graph).is_some_and(|path| !self.is_as_read(path)) {
                places.clear();
            }
        }
        Ok(found)
    }

    /// What rules and the check find in the files, or in the documents of the store, by now.
    ///
    /// # Errors
    ///
    /// Where the store cannot be read, and where the cancellation says so.
    pub(super) fn findings(
        &self,
        cancellation: &CancellationToken,
    ) -> Result<ServedFileFindings, ProblemDetails> {
        Ok(self.loader.clone().cancelled_by(cancellation.clone()).findings()?)
    }

    /// Returns whether a file is the one that was read.
    fn is_as_read(&self, path: &Path) -> bool {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(path).is_some_and(|state| *state == FileState::now(path))
    }

    /// Returns whether the data can be changed: they are those of a store.
    pub(super) fn is_store(&self) -> bool {
        self.manifest.is_some()
    }

    /// Changes the store. One change is made after the other, and each waits so long for other processes.
    ///
    /// # Errors
    ///
    /// Those of the change; then nothing has changed.
    pub(super) fn change(&self, change: &StoreUpdate<'_>, patience: Duration) -> Result<(), ProblemDetails> {
        self.change_by(|loader, report| change.make(loader, patience, report))?;
        Ok(())
    }

    /// Changes the store in the way of the caller, as [`Self::change`] does; returns what was found on the way, too.
    ///
    /// # Errors
    ///
    /// Those of the change; then nothing has changed.
    pub(super) fn change_by<R>(
        &self,
        change: impl FnOnce(&Loader, &mut RunReport) -> Result<R, RunFailure>,
    ) -> Result<(R, RunReport), ProblemDetails> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(self.loader.reported_here(|report| change(&self.loader, report))?)
    }

    fn lock(&self) -> MutexGuard<'_, ServedDataState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
