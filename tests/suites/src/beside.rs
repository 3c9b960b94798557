//! The data that lie beside the project and are not part of it: suites, and files of other programs.
//!
//! A test that needs them is `#[ignore = "needs …"]`, so that it never counts as passed in a clone with nothing
//! beside it; `cargo test -- --include-ignored` runs it, and there missing data are a failure.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The folder of the project, against which paths in variables are resolved: each crate's tests run in its own folder.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file or folder of `../shared`, which has to be there.
pub fn shared(path: &str) -> PathBuf {
    let found = project().join("../shared").join(path);
    assert!(found.exists(), "{} is not there, and the test needs it", found.display());
    found
}

/// The files of Karenina's programs, for a test that also goes over fixtures; empty where they are not there, which
/// is said.
pub fn karenina_files() -> Vec<PathBuf> {
    let folder = project().join("../shared/karenina");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        skipped("the files of Karenina's programs", &format!("{} is not there", folder.display()));
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end != "md")).collect();
    files.sort();
    files
}

/// The folder of the suites: `EVALGRAPH_SUITES`, else `../shared/suites`.
pub fn suites() -> PathBuf {
    let folder = std::env::var_os("EVALGRAPH_SUITES").unwrap_or_else(|| "../shared/suites".into());
    let folder = project().join(folder);
    assert!(folder.join("json-ld-api").is_dir(), "no suites in {}; set EVALGRAPH_SUITES", folder.display());
    folder
}

/// Says loudly that something was not tested; the test harness does not capture it.
pub fn skipped(what: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {what}: {why}");
}
