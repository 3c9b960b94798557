//! The files that data were read from, with their states at that time.

use std::collections::BTreeMap;
use std::path::PathBuf;

use evalgraph_engine::api::Loader;
use evalgraph_engine::input::files_read::FileState;

/// The states of files; none of a file that is not there.
pub(super) type FileStates = BTreeMap<PathBuf, Option<FileState>>;

/// The states of files by now.
pub(super) fn states(paths: impl Iterator<Item = PathBuf>) -> FileStates {
    let state = |path: PathBuf| {
        let state = FileState::now(&path);
        (path, state)
    };
    paths.map(state).collect()
}

/// The states of files, and those of all files that a loader has read; of a file that was read twice, the first counts.
pub(super) fn with_read(mut states: FileStates, loader: &Loader) -> FileStates {
    for (path, state) in loader.files_read().into_iter().rev() {
        states.insert(path, Some(state));
    }
    states
}
