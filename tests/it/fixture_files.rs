//! All fixtures, for the tests that go through every format.

use std::path::{Path, PathBuf};

/// The folder of the fixtures.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The folder of the files that break one rule each, with a table of the shapes that find them. Tests that go through
/// all fixtures leave it out: these are small copies of a few files, each with a fault.
pub(crate) const OF_SHAPES: &str = "shapes";

/// The folder of files of other programs, with a table of what is read of each. Tests that go through all fixtures leave
/// it out, too: many of its files are refused, and some are not UTF-8.
pub(crate) const FOREIGN: &str = "foreign";

/// Every file of data below a folder of the fixtures, sorted.
pub(crate) fn files_below(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                // What lies in a corpus is not data.
                if !["corpus", OF_SHAPES, FOREIGN].iter().any(|name| path.ends_with(name)) {
                    folders.push(path);
                }
            } else if ["json", "jsonl", "jsonld", "csv", "yaml"].contains(&extension.as_str()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The path of a fixture below the folder of all of them.
pub(crate) fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
