//! Which files were found in a folder or by a pattern beside others, and not named: one of these that has no records does
//! not end a run.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::source::InputSource;

/// The files of a run that nobody named.
///
/// Clones share one set.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoundFiles(Arc<Mutex<HashSet<PathBuf>>>);

impl FoundFiles {
    /// Notes the files among sources that no argument names. One file alone is meant, however it was found.
    pub(crate) fn note(&self, sources: &[InputSource], arguments: &[String]) {
        if sources.len() < 2 {
            return;
        }
        let is_named = |source: &InputSource| arguments.iter().any(|argument| *argument == source.name());
        let found = sources.iter().filter(|source| !is_named(source)).filter_map(InputSource::path);
        let mut set = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        set.extend(found.map(Path::to_owned));
    }

    /// Tells whether a file was found and not named.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(path)
    }
}
