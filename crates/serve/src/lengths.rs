//! Checks the lengths of a store's files, which are mapped into memory. If another program truncates a mapped file, the
//! system ends a process that reads after its end. So the lengths are checked before each request.

use std::fs;
use std::path::{Path, PathBuf};

use super::problem::ProblemDetails;
use evalgraph_diagnostics::Diagnostic;

/// Files of a store that are rewritten under the same name.
const WRITTEN_AGAIN: [&str; 2] = ["manifest", "lock"];
/// Shorter files are read instead of mapped.
const SHORT: u64 = 64 << 10;

/// The mapped files of a store, with their lengths.
#[derive(Debug, Default)]
pub(super) struct MappedFileLengths(Vec<(PathBuf, u64)>);

impl MappedFileLengths {
    /// Returns the current lengths of the files in the folder of a store.
    pub(super) fn from_folder(folder: &Path) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let files = entries.filter_map(|entry| {
            let is_of_state = WRITTEN_AGAIN.iter().all(|name| entry.file_name() != *name);
            let length = entry.metadata().ok().filter(fs::Metadata::is_file)?.len();
            (is_of_state && length >= SHORT).then(|| (entry.path(), length))
        });
        Self(files.collect())
    }

    /// Checks that no file is shorter than it was. A file that was deleted stays readable for processes that have
    /// mapped it.
    ///
    /// # Errors
    ///
    /// `store::damaged`.
    pub(super) fn check(&self) -> Result<(), ProblemDetails> {
        let is_cut = |(path, length): &&(PathBuf, u64)| {
            fs::metadata(path).is_ok_and(|metadata| metadata.len() < *length)
        };
        let Some((path, _)) = self.0.iter().find(is_cut) else { return Ok(()) };
        let message = format!("`{}` is shorter than it was when the server opened it", path.display());
        let fault = Diagnostic::error("store::damaged", message);
        let help = "copy the file back, or stop the server before the store is replaced";
        Err(Box::new(fault.with_help(help)).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_cut_short_is_found_and_one_that_is_gone_does_no_harm() {
        let folder = tempfile::tempdir().expect("there is room");
        let write = |name: &str, length: u64| {
            let file = fs::File::create(folder.path().join(name)).expect("the folder is ours");
            file.set_len(length).expect("there is room");
        };
        [("a", SHORT), ("b", SHORT), ("small", 10), ("manifest", SHORT)]
            .iter()
            .for_each(|(name, length)| write(name, *length));
        let lengths = MappedFileLengths::from_folder(folder.path());
        write("small", 0);
        write("manifest", 0);
        write("b", SHORT + 1);
        fs::remove_file(folder.path().join("a")).expect("the folder is ours");
        assert!(lengths.check().is_ok());
        write("b", SHORT - 1);
        assert_eq!(lengths.check().expect_err("it is cut short").code(), "store::damaged");
        write("b", SHORT);
        assert!(lengths.check().is_ok());
    }
}
