//! Backups of a store: checks the one that was just written, and makes a store from one.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::chosen_store::{FOLDER, folder_in, made_folder};
use super::oversight::WritingProcess;
use crate::input::compression::{DecompressedStream, ReadFailure, open};
use crate::input::path_text::plain;
use crate::input::source::unreadable;
use evalgraph_diagnostics::{Diagnostic, RunFailure};
use evalgraph_store::{FolderMedium, StoreFolder, StoreRestoration};

/// Where a backup is restored.
#[derive(Debug, Clone, Copy)]
pub struct RestoreOptions<'r> {
    /// The store, or the folder that contains it. Default: a store in the current folder.
    pub store: Option<&'r Path>,
    /// `true` to replace a store that is there.
    pub is_replacing: bool,
    /// How long to wait while another process changes the store.
    pub patience: Duration,
}

/// What was restored.
#[derive(Debug, Clone)]
pub struct RestoredStore {
    /// The folder of the store.
    pub folder: PathBuf,
    /// How many graphs of documents it has.
    pub graphs: usize,
    /// How many quads their documents have.
    pub quads: u64,
}

/// Reads back the backup of a store. It has to be the one whose SHA-256 is given.
///
/// # Errors
///
/// `backup::unverified` if the file does not contain what was written.
pub fn check_written(
    store: &StoreFolder,
    file: File,
    name: &str,
    sha256: &str,
) -> Result<(), Box<Diagnostic>> {
    let unverified = |what: &str| {
        let message = format!("the backup `{name}` was written, but reading it back fails: {what}");
        let fault = Diagnostic::error("backup::unverified", message);
        Box::new(fault.with_help("check the disk, or write the backup to another one"))
    };
    let (mut bytes, _) = open(file).map_err(|failure| unverified(&reason(&failure)))?;
    match store.check_backup(&mut bytes, name) {
        Ok(found) if found == sha256 => Ok(()),
        Ok(_) => Err(unverified("it is another backup")),
        Err(fault) => Err(unverified(&fault.message)),
    }
}

/// Makes a store from a backup. On failure everything is as it was.
///
/// # Errors
///
/// `restore::exists`, `restore::damaged`, and errors of the system.
pub fn restore(
    backup: &Path,
    options: RestoreOptions<'_>,
    writer: &WritingProcess<'_>,
) -> Result<RestoredStore, RunFailure> {
    let name = backup.display().to_string();
    // First, so that a name with a mistake makes no folder.
    let mut bytes = opened(backup, &name)?;
    let folder = options.store.map_or_else(|| FOLDER.into(), folder_in);
    // The outermost folder that is made.
    let made =
        folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists()).last();
    let made = made.map(Path::to_owned);
    if made.is_some() {
        made_folder(&folder)?;
    }
    let restored = restored_into(folder.clone(), &mut bytes, &name, options, writer);
    if let (Some(made), Err(_)) = (made, &restored) {
        // Only the lock and the file for Git are in it.
        let _ = fs::remove_dir_all(&made);
    }
    restored
}

fn restored_into(
    folder: PathBuf,
    backup: &mut dyn Read,
    name: &str,
    RestoreOptions { is_replacing, patience, .. }: RestoreOptions<'_>,
    writer: &WritingProcess<'_>,
) -> Result<RestoredStore, RunFailure> {
    let medium = Arc::new(FolderMedium::new(&folder));
    let mut restoration: StoreRestoration =
        StoreFolder::restoration(medium, &writer.who, is_replacing, patience)?;
    writer.oversight.change_begins(restoration.sweeper());
    let mut stoppable = StoppableReader { input: backup, writer };
    let read = restoration.read(&mut stoppable, name);
    writer.oversight.cancellation().check()?;
    read?;
    let documents = restoration.documents();
    let quads = documents.iter().map(|document| document.entry.quads).sum();
    let restored = RestoredStore { folder, graphs: documents.len(), quads };
    restoration.commit_unless(|| writer.oversight.settle())?;
    Ok(restored)
}

/// Reads a backup until the run has to end.
struct StoppableReader<'r> {
    input: &'r mut dyn Read,
    writer: &'r WritingProcess<'r>,
}

impl Read for StoppableReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.writer.oversight.cancellation().check().map_err(|reason| io::Error::other(reason.message))?;
        self.input.read(bytes)
    }
}

fn opened(backup: &Path, name: &str) -> Result<DecompressedStream, RunFailure> {
    let opened = if backup == Path::new("-") {
        open(io::stdin())
    } else {
        let file = File::open(backup).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(file),
        });
        open(file.map_err(|error| unreadable(name, &error))?)
    };
    let opened = opened.map_err(|failure| match &failure {
        ReadFailure::Unreadable(error) => unreadable(name, error),
        ReadFailure::Damaged { .. } | ReadFailure::TooLarge { .. } => {
            let message = format!("the backup `{name}` is damaged: {}", reason(&failure));
            Diagnostic::error("restore::damaged", message)
        }
    })?;
    Ok(opened.0)
}

fn reason(failure: &ReadFailure) -> String {
    match failure {
        ReadFailure::Damaged { cause, .. } | ReadFailure::Unreadable(cause) => plain(cause),
        ReadFailure::TooLarge { .. } => "it is too large".to_owned(),
    }
}
