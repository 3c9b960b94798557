//! The files that were found in a folder or by a pattern, together with others, and that no argument names. If such a
//! file contains no records, the run continues, unless none of them contains any.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::source::InputSource;

/// The files of a run that no argument names.
///
/// Clones share one list.
#[derive(Debug, Clone, Default)]
pub struct FoundFiles(Arc<Mutex<FoundFilesState>>);

#[derive(Debug, Default)]
struct FoundFilesState {
    /// The number of all sources of the run.
    sources: usize,
    found: HashSet<PathBuf>,
    /// The files among them whose format is unknown.
    unknown: HashSet<PathBuf>,
}

impl FoundFiles {
    /// Notes the sources that are files and that no argument names. A single file counts as named, however it was
    /// found.
    pub fn note(&self, sources: &[InputSource], arguments: &[String]) {
        let is_named = |source: &InputSource| arguments.iter().any(|argument| *argument == source.name());
        let found = sources.iter().filter(|source| sources.len() > 1 && !is_named(source));
        let found = found.filter_map(InputSource::path).map(Path::to_owned).collect();
        *self.files() = FoundFilesState { sources: sources.len(), found, unknown: HashSet::new() };
    }

    /// Notes that the format of a file is unknown. Returns whether the file may be left out because it was not named.
    pub fn leaves_out(&self, path: &Path) -> bool {
        let mut files = self.files();
        let is_found = files.found.contains(path);
        if is_found {
            files.unknown.insert(path.to_owned());
        }
        is_found
    }

    /// Returns the number of files if all of them were left out.
    pub fn all_left_out(&self) -> Option<usize> {
        let files = self.files();
        (files.sources > 0 && files.unknown.len() == files.sources).then_some(files.sources)
    }

    fn files(&self) -> MutexGuard<'_, FoundFilesState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
