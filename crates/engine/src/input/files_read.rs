//! The files that a run has read, each with its state at that moment. A run that writes a file back, in place or as its
//! output, must not overwrite changes that another program has made meanwhile.

use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use evalgraph_diagnostics::Diagnostic;

/// The files that were read, in order of reading. Paths are kept as the user gave them, because few runs ever look one
/// up.
///
/// Clones share one list.
#[derive(Debug, Clone, Default)]
pub struct FilesRead(Arc<Mutex<Vec<(PathBuf, FileState)>>>);

/// The minimum pause between two looks at watched files.
pub const SHORTEST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Returns the pause after a look that took this long. Looking at many files takes at most a tenth of the time.
pub fn pause_after(look: Duration) -> Duration {
    (look * 10).clamp(SHORTEST_PAUSE, LONGEST_PAUSE)
}

/// The state of a file. It changes when the file is written or replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    length: u64,
    modified: Option<std::time::SystemTime>,
    /// The device and the number of the file, and the time of its last change of any kind.
    #[cfg(unix)]
    identity: (u64, u64, i64, i64),
}

impl FileState {
    fn from_metadata(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            identity: (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Returns the current state of a file, or `None` if there is no file.
    pub fn now(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().as_ref().map(Self::from_metadata)
    }

    /// Returns whether the file was last written longer ago than this.
    pub fn is_older_than(&self, age: Duration) -> bool {
        self.modified.and_then(|modified| modified.elapsed().ok()).is_some_and(|elapsed| elapsed > age)
    }

    /// Returns whether a file has this state.
    pub fn is_of(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| Self::from_metadata(&metadata) == *self)
    }
}

impl FilesRead {
    /// Notes that a file is about to be read.
    pub fn note(&self, path: &Path, file: &File) {
        if let Ok(metadata) = file.metadata().as_ref()
            && metadata.is_file()
        {
            self.read().push((path.to_owned(), FileState::from_metadata(metadata)));
        }
    }

    /// Returns the state of a file when it was first read, or `None` if it was not read. The path is canonical.
    pub fn state_of(&self, canonical: &Path) -> Option<FileState> {
        let read = self.read();
        let found = read.iter().find(|(path, _)| is_path_of(path, canonical));
        found.map(|(_, state)| state.clone())
    }

    /// Returns the files with their states, in order of reading.
    pub fn states(&self) -> Vec<(PathBuf, FileState)> {
        self.read().clone()
    }

    /// Returns whether a file has changed since it was read.
    pub fn has_changed(&self, path: &Path) -> bool {
        let state = fs::canonicalize(path).ok().and_then(|canonical| self.state_of(&canonical));
        state.is_some_and(|state| !state.is_of(path))
    }

    /// Forgets a file that this run itself has written.
    pub fn forget(&self, canonical: &Path) {
        self.read().retain(|(path, _)| !is_path_of(path, canonical));
    }

    fn read(&self) -> MutexGuard<'_, Vec<(PathBuf, FileState)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_path_of(path: &Path, canonical: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|path| path == canonical)
}

/// Returns the fault that another program has written a file.
pub fn changed(path: &Path) -> Diagnostic {
    let message = format!("`{}` has changed since it was read, so it was not overwritten", path.display());
    Diagnostic::error("output::changed", message)
        .with_help("another program has written it: run the command again")
}
