//! The folder of an export, which appears complete or not at all.
//!
//! Files are written into a hidden folder beside it, which is moved into place at the end. A killed run leaves its
//! hidden folder behind; the next export to the same place removes it. A lock marks the folders of runs that are still
//! active.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::input::path_text::plain;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_files::{open_regular, read_regular};

/// The file that lists the files of an export.
pub(super) const LIST: &str = "export.json";

/// The maximum size of that file in bytes: a name of 100 bytes for each of 600,000 files.
pub(super) const MOST_OF_LIST: u64 = 64 << 20;

/// How many files a message names.
const SHOWN: usize = 8;

/// How many attempts are made to create a hidden folder, since another run may remove it.
const ATTEMPTS: usize = 10;

/// The folder of an export while it is written.
pub(super) struct ExportFolder {
    /// The final place.
    place: PathBuf,
    hidden: HiddenFolder,
    /// Names at the final place that are not of an export, and are removed with it.
    beside: &'static [&'static str],
    /// Locked while the run is active.
    _lock: File,
}

/// A hidden folder, which is removed when this value is dropped.
struct HiddenFolder(PathBuf);

/// The names in the hidden folder.
const LOCK: &str = "lock";
const NEW: &str = "new";
const OLD: &str = "old";

impl ExportFolder {
    /// Starts writing a folder.
    ///
    /// # Errors
    ///
    /// The errors of [`check`]. Also fails if the folder cannot be created.
    pub(super) fn begin(place: &Path, replaces: bool) -> Result<Self, RunFailure> {
        Self::begin_beside(place, replaces, &[])
    }

    /// Starts writing a folder. The one at its place may also have these names, which are removed with it.
    ///
    /// # Errors
    ///
    /// The errors of [`ExportFolder::begin`].
    pub(super) fn begin_beside(
        place: &Path,
        replaces: bool,
        beside: &'static [&'static str],
    ) -> Result<Self, RunFailure> {
        let place = resolved(place)?;
        let (parent, prefix) = parent_and_prefix(&place);
        let begun = || -> io::Result<_> {
            fs::create_dir_all(&parent)?;
            sweep(&place, &parent, &prefix)?;
            (1..ATTEMPTS)
                .find_map(|attempt| hidden(&parent, &prefix, attempt).ok())
                .map_or_else(|| hidden(&parent, &prefix, ATTEMPTS), Ok)
        };
        let (hidden, lock) = begun().map_err(|error| unwritable(&place, &error))?;
        check_beside(&place, replaces, beside)?;
        Ok(Self { place, hidden, beside, _lock: lock })
    }

    /// The folder that files are written into.
    pub(super) fn path(&self) -> PathBuf {
        self.hidden.0.join(NEW)
    }

    /// Moves the folder into place.
    ///
    /// # Errors
    ///
    /// The errors of [`check`], and errors of the operating system.
    pub(super) fn finish(self, replaces: bool) -> Result<(), RunFailure> {
        // Something may have been created there in the meantime.
        check_beside(&self.place, replaces, self.beside)?;
        let (new, old) = (self.path(), self.hidden.0.join(OLD));
        let placed = || -> io::Result<()> {
            sync(&new);
            match fs::rename(&self.place, &old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            if let Err(error) = fs::rename(&new, &self.place) {
                // Restore the old folder rather than leave none.
                let _ = fs::rename(&old, &self.place);
                return Err(error);
            }
            sync(self.place.parent().unwrap_or(Path::new("/")));
            Ok(())
        };
        placed().map_err(|error| unwritable(&self.place, &error))
    }
}

/// Rejects a place that contains something an export does not replace.
///
/// # Errors
///
/// `export::exists` and `export::other-files`.
pub(super) fn check(place: &Path, replaces: bool) -> Result<(), RunFailure> {
    check_beside(place, replaces, &[])
}

/// Rejects a place that contains something an export does not replace. It may have the names `beside`.
///
/// # Errors
///
/// The errors of [`check`].
pub(super) fn check_beside(place: &Path, replaces: bool, beside: &[&str]) -> Result<(), RunFailure> {
    let mut found: Vec<String> = match fs::read_dir(place) {
        Ok(entries) => {
            let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
            names.collect::<io::Result<_>>().map_err(|error| unwritable(place, &error))?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unwritable(place, &error)),
    };
    found.retain(|name| !beside.contains(&name.as_str()));
    let listed = listed(place);
    let mut others: Vec<&str> =
        found.iter().filter(|name| !listed.contains(name)).map(String::as_str).collect();
    if !others.is_empty() {
        others.sort_unstable();
        let more = if others.len() > SHOWN { ", …" } else { "" };
        others.truncate(SHOWN);
        let message = format!(
            "`{}` has files that are not part of an export: {}{more}; nothing is written",
            place.display(),
            others.join(", ")
        );
        let fault = Diagnostic::error("export::other-files", message);
        return Err(fault.with_help("name another folder").into());
    }
    if !found.is_empty() && !replaces {
        let message = format!("`{}` has an export already; nothing is written", place.display());
        let help = help![setting("replace"), " replaces it; or name another folder"];
        return Err(Diagnostic::error("export::exists", message).with_help(help).into());
    }
    Ok(())
}

/// The names of the files of the export in a folder. Empty for any other folder.
fn listed(place: &Path) -> Vec<String> {
    let list = read_regular(&place.join(LIST), MOST_OF_LIST).unwrap_or_default();
    let Ok(list) = serde_json::from_slice::<Value>(&list) else { return Vec::new() };
    let names = list["files"].as_array().into_iter().flatten().filter_map(|file| file["name"].as_str());
    // A file may be in a folder of the export.
    let names = names.filter_map(|name| name.split('/').next());
    names.map(str::to_owned).chain([LIST.to_owned()]).collect()
}

/// The path of a folder with links resolved, so a link is kept as a link.
fn resolved(place: &Path) -> Result<PathBuf, RunFailure> {
    let path = fs::canonicalize(place).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => std::path::absolute(place),
        _ => Err(error),
    });
    path.map_err(|error| unwritable(place, &error))
}

/// The parent of a folder, and the prefix of the names of its hidden folders.
fn parent_and_prefix(place: &Path) -> (PathBuf, String) {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    (place.parent().unwrap_or(place).to_owned(), format!(".{name}.evalgraph-"))
}

/// Creates a hidden folder with a lock. Before it is locked, another run may take it for an abandoned one and remove
/// it.
fn hidden(parent: &Path, prefix: &str, attempt: usize) -> io::Result<(HiddenFolder, File)> {
    let path = parent.join(format!("{prefix}{}-{attempt}", std::process::id()));
    fs::create_dir(&path)?;
    let hidden = HiddenFolder(path);
    let lock = File::create_new(hidden.0.join(LOCK))?;
    lock.try_lock().map_err(io::Error::from)?;
    fs::create_dir(hidden.0.join(NEW))?;
    Ok((hidden, lock))
}

impl Drop for HiddenFolder {
    fn drop(&mut self) {
        // The next export removes what is left behind.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes the hidden folders of runs that have ended. If a run ended between the two renames, restores the old folder.
fn sweep(place: &Path, parent: &Path, prefix: &str) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        // The lock is created first and may be removed first. So a folder with files but no lock is being removed, and
        // an empty folder without a lock is being created.
        let is_empty = fs::read_dir(entry.path()).is_ok_and(|mut files| files.next().is_none());
        let Ok(lock) = open_regular(&entry.path().join(LOCK)) else {
            let _ = if is_empty { fs::remove_dir(entry.path()) } else { fs::remove_dir_all(entry.path()) };
            continue;
        };
        if lock.try_lock().is_err() {
            continue;
        }
        let old = entry.path().join(OLD);
        if old.exists() && !place.exists() {
            fs::rename(old, place)?;
        }
        fs::remove_dir_all(entry.path())?;
    }
    Ok(())
}

/// Flushes the names in a folder to disk, on systems that can, so they survive a power failure.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// The failure for a file or folder that cannot be written.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> RunFailure {
    let message = format!("`{}` cannot be written: {}", path.display(), plain(error));
    Diagnostic::error("output::unwritable", message).into()
}
