//! The files that the data were read from, with their states at that time.

use std::collections::BTreeMap;
use std::path::PathBuf;

use evalgraph_engine::api::Loader;
use evalgraph_engine::input::files_read::FileState;

/// The states of files; `None` for a file that does not exist.
pub(super) type FileStates = BTreeMap<PathBuf, Option<FileState>>;

/// Returns the current states of files.
pub(super) fn states(paths: impl Iterator<Item = PathBuf>) -> FileStates {
    let state = |path: PathBuf| {
        let state = FileState::now(&path);
        (path, state)
    };
    paths.map(state).collect()
}

/// Adds the states of all files that a loader has read. If a file was read twice, the first state counts.
pub(super) fn with_read(mut states: FileStates, loader: &Loader) -> FileStates {
    for (path, state) in loader.files_read().into_iter().rev() {
        states.insert(path, Some(state));
    }
    states
}
