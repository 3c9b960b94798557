//! The files that were found in a folder or by a pattern beside others, and that no argument names: one of them that has no
//! records does not end a run, unless none of them has any.

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
    /// The files among them that are of no known format.
    unknown: HashSet<PathBuf>,
}

impl FoundFiles {
    /// Notes the files among sources that no argument names. One file alone is meant, however it was found.
    pub fn note(&self, sources: &[InputSource], arguments: &[String]) {
        let is_named = |source: &InputSource| arguments.iter().any(|argument| *argument == source.name());
        let found = sources.iter().filter(|source| sources.len() > 1 && !is_named(source));
        let found = found.filter_map(InputSource::path).map(Path::to_owned).collect();
        *self.files() = FoundFilesState { sources: sources.len(), found, unknown: HashSet::new() };
    }

    /// Notes that a file is of no known format; returns whether it may be left out, since it was not named.
    pub fn leaves_out(&self, path: &Path) -> bool {
        let mut files = self.files();
        let is_found = files.found.contains(path);
        if is_found {
            files.unknown.insert(path.to_owned());
        }
        is_found
    }

    /// The number of files where each of them was left out.
    pub fn all_left_out(&self) -> Option<usize> {
        let files = self.files();
        (files.sources > 0 && files.unknown.len() == files.sources).then_some(files.sources)
    }

    fn files(&self) -> MutexGuard<'_, FoundFilesState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
