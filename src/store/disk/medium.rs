//! What a store asks of the file system: few and plain operations, so that tests can stand in between
//! and record them, or let any of them fail.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder that holds a store.
pub trait Medium: Debug + Send + Sync {
    /// The folder, for messages and for mapping files.
    fn folder(&self) -> &Path;

    /// Makes a file, which must not be there yet.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn create(&self, name: &str) -> io::Result<Box<dyn MediumFile>>;

    /// Makes no file from now on: the process is about to be ended by another thread than the one that writes.
    fn close(&self) {}

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn open(&self, name: &str) -> io::Result<File>;

    /// Gives a file another name; what had that name is replaced in one step.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Returns when names that were given, changed and removed will outlast a loss of power.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn sync(&self) -> io::Result<()>;

    /// The names of the files in the folder.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn names(&self) -> io::Result<Vec<String>>;
}

/// A file that is being written.
pub trait MediumFile: Write + Send {
    /// Returns when what was written will outlast a loss of power.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn sync(&mut self) -> io::Result<()>;
}

/// Refuses a file of a store that is a link: a store that came with a repository would else say which file of
/// its reader is written, or read.
pub(super) fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link, which no file of a store is"))
        }
        // Who opens it says what else is the matter.
        _ => Ok(()),
    }
}

/// Refuses a file that is to be overwritten where another name of it may be somebody else's file.
#[cfg(unix)]
pub(super) fn refuse_second_name(file: &File) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;

    if file.metadata()?.nlink() > 1 {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it has a second name, which no file of a store has",
        ));
    }
    Ok(())
}

/// Refuses a file that is to be overwritten where another name of it may be somebody else's file, which cannot be
/// told here.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it may be refused")]
pub(super) fn refuse_second_name(_: &File) -> io::Result<()> {
    Ok(())
}

/// A folder of the file system.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    is_closed: Arc<Mutex<bool>>,
}

impl Folder {
    /// The folder of that path.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), is_closed: Arc::default() }
    }
}

impl Medium for Folder {
    fn folder(&self) -> &Path {
        &self.path
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn MediumFile>> {
        // Held while the file is made, so that whoever closes the folder sees all that there are.
        let is_closed = self.is_closed.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_closed {
            return Err(io::Error::other("the run is being ended"));
        }
        Ok(Box::new(File::create_new(self.path.join(name))?))
    }

    fn close(&self) {
        *self.is_closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    fn open(&self, name: &str) -> io::Result<File> {
        let path = self.path.join(name);
        refuse_link(&path)?;
        File::open(path)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    fn sync(&self) -> io::Result<()> {
        // Only Unix opens folders as files; elsewhere the system keeps names by itself.
        if cfg!(unix) { File::open(&self.path)?.sync_all() } else { Ok(()) }
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let names =
            fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    }
}

impl MediumFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}
