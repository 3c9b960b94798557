//! The served data: files in memory, or a store, which other processes may change while it is served.

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

/// How many bytes at the beginning of the manifest contain its checksum and the number of changes.
const BEGINNING: u64 = 64;

/// If a file is older than this when it is read, its metadata differ after it is replaced: no clock is that coarse.
const OLD: Duration = Duration::from_secs(5);

/// The data in their current state.
#[derive(Debug)]
pub(super) struct ServedData {
    loader: Loader,
    /// The file that each change of the store replaces.
    manifest: Option<PathBuf>,
    /// The number of this run, so that states of another run are not mistaken for its own.
    run: u64,
    state: Mutex<ServedDataState>,
    /// The files, with their states when they were read.
    files: Mutex<FileStates>,
    /// Locked by the change whose turn it is.
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
    /// Its beginning, which has its checksum and the number of changes. If files replace each other quickly, their
    /// metadata can be the same.
    beginning: Option<Vec<u8>>,
    /// The system's metadata, if they differ after each change.
    facts: Option<FileState>,
}

impl ManifestSnapshot {
    fn read(path: &Path) -> Self {
        let facts = FileState::now(path).filter(|facts| facts.is_older_than(OLD));
        let mut beginning = Vec::with_capacity(BEGINNING as usize);
        let read = open_regular(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
        Self { beginning: read.is_ok().then_some(beginning), facts }
    }

    /// Reads the manifest again if it may have changed, and returns whether it has.
    fn follow(&mut self, path: &Path) -> bool {
        if self.facts.as_ref().is_some_and(|facts| facts.is_of(path)) {
            return false;
        }
        let before = std::mem::replace(self, Self::read(path));
        before.beginning != self.beginning
    }
}

/// Returns the lengths of the files beside a manifest.
fn lengths(manifest: &Path) -> MappedFileLengths {
    manifest.parent().map(MappedFileLengths::from_folder).unwrap_or_default()
}

/// One state of the data.
#[derive(Debug)]
pub(super) struct DataSnapshot {
    pub(super) loaded: LoadedData,
    /// The name of the state. Each state has another one.
    pub(super) name: String,
}

impl ServedData {
    /// Reads the files of a loader, or opens its store. The report has the findings.
    ///
    /// # Errors
    ///
    /// The errors of reading.
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

    /// Returns the current state.
    ///
    /// # Errors
    ///
    /// An error if the store cannot be read.
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

    /// Returns the current state if it is known without reading or waiting, and has no fault.
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

    /// Drops the texts of terms that were read, if they exceed a size. Running queries keep the state with which they
    /// began, and its texts are freed with the last of them.
    pub(super) fn let_go(&self, most: u64) {
        let mut state = self.lock();
        if state.loaded.kept() > most
            && state.loaded.let_go() == 0
            && let Ok(loaded) = self.read()
        {
            // This is the same state or a later one. The next request notices that it is new.
            state.loaded = loaded;
            state.lengths = self.manifest.as_deref().map(lengths).unwrap_or_default();
        }
    }

    fn read(&self) -> Result<LoadedData, Error> {
        let read = |report: &mut _| LoadedData::read(&self.loader, LoadPurpose::Catalog, report);
        Ok(self.loader.reported(read)?.0)
    }

    /// Reads the files again if one has changed or a new one is named. Faulty files leave the data as they are.
    ///
    /// # Errors
    ///
    /// The findings about faulty files.
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

    /// Returns the places of wanted statements and nodes in the document of a graph, with its text if that is not
    /// longer than the limit; `None` if the file has changed since it was read.
    ///
    /// # Errors
    ///
    /// An error if the store cannot be read.
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

    /// Like [`Self::places`], but for several graphs. Returns the places in each.
    ///
    /// # Errors
    ///
    /// An error if the store cannot be read.
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

    /// Returns the current findings of rules and of the check in the files, or in the documents of the store.
    ///
    /// # Errors
    ///
    /// An error if the store cannot be read, or if the evaluation was cancelled.
    pub(super) fn findings(
        &self,
        cancellation: &CancellationToken,
    ) -> Result<ServedFileFindings, ProblemDetails> {
        Ok(self.loader.clone().cancelled_by(cancellation.clone()).findings()?)
    }

    /// Returns whether a file is unchanged since it was read.
    fn is_as_read(&self, path: &Path) -> bool {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(path).is_some_and(|state| *state == FileState::now(path))
    }

    /// Returns whether the data can be changed, which means that they are in a store.
    pub(super) fn is_store(&self) -> bool {
        self.manifest.is_some()
    }

    /// Changes the store. Changes are made one after another, and each waits at most `patience` for other processes.
    ///
    /// # Errors
    ///
    /// The errors of the change; then nothing has changed.
    pub(super) fn change(&self, change: &StoreUpdate<'_>, patience: Duration) -> Result<(), ProblemDetails> {
        self.change_by(|loader, report| change.make(loader, patience, report))?;
        Ok(())
    }

    /// Changes the store like [`Self::change`], but with a function of the caller. Also returns the findings.
    ///
    /// # Errors
    ///
    /// The errors of the change; then nothing has changed.
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
