//! Decides which files are in a folder that a configuration file names.

use std::path::{Component, Path, PathBuf};

/// Returns whether a file is in a folder. The name of the file is relative to the working folder; both folders are
/// absolute.
///
/// ```
/// # use std::path::Path;
/// use evalgraph_engine::workspace::folder_scope::is_in_folder;
///
/// let (folder, working) = (Path::new("/project/drafts"), Path::new("/project/final"));
/// assert!(is_in_folder(folder, working, "../drafts/a.jsonld"));
/// assert!(!is_in_folder(folder, working, "a.jsonld"));
/// ```
pub fn is_in_folder(folder: &Path, working: &Path, name: &str) -> bool {
    plain(&working.join(name)).starts_with(plain(folder))
}

/// Returns a path without `.` and `..`. Links are not followed: a file belongs to the folder that names it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
