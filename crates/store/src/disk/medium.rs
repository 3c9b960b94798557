//! The operations that a store needs from the file system. They are few and simple: tests can record them, or make any
//! of them fail.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder that holds a store.
pub trait StoreMedium: Debug + Send + Sync {
    /// The folder, for messages and for mapping files.
    fn folder(&self) -> &Path;

    /// Creates a file, which must not exist yet.
    ///
    /// # Errors
    ///
    /// An error of the system.
    fn create(&self, name: &str) -> io::Result<Box<dyn MediumFile>>;

    /// Refuses to create files from now on: a thread other than the writer is about to end the process.
    fn close(&self) {}

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// An error of the system.
    fn open(&self, name: &str) -> io::Result<File>;

    /// Renames a file, and atomically replaces a file that had the name.
    ///
    /// # Errors
    ///
    /// An error of the system.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    ///
    /// An error of the system.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Waits until new, changed and removed names are safe against a loss of power.
    ///
    /// # Errors
    ///
    /// An error of the system.
    fn sync(&self) -> io::Result<()>;

    /// The names of the files in the folder.
    ///
    /// # Errors
    ///
    /// An error of the system.
    fn names(&self) -> io::Result<Vec<String>>;
}

/// A file that is being written.
pub trait MediumFile: Write + Send {
    /// Waits until all bytes written are safe against a loss of power.
    ///
    /// # Errors
    ///
    /// An error of the system.
    fn sync(&mut self) -> io::Result<()>;
}

/// Refuses a file of a store that is a link, or not a regular file. Otherwise a store in a foreign repository could
/// choose which files of its user are written or read, or make the program wait for a pipe forever.
pub(super) fn refuse_other_kinds(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link, which no file of a store is"))
        }
        Ok(metadata) => evalgraph_files::check(&metadata),
        // Opening the file reports all other errors.
        Err(_) => Ok(()),
    }
}

/// Refuses to overwrite a file with a second name: the second name may be a file outside of the store.
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

/// Accepts every file to be overwritten: this system does not report whether a file has a second name.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it may be refused")]
pub(super) fn refuse_second_name(_: &File) -> io::Result<()> {
    Ok(())
}

/// A folder of the file system.
#[derive(Debug, Clone)]
pub struct FolderMedium {
    path: PathBuf,
    is_closed: Arc<Mutex<bool>>,
}

impl FolderMedium {
    /// The folder of that path.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), is_closed: Arc::default() }
    }
}

impl StoreMedium for FolderMedium {
    fn folder(&self) -> &Path {
        &self.path
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn MediumFile>> {
        // Held while the file is created, so the thread that closes the folder sees all files.
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
        refuse_other_kinds(&path)?;
        evalgraph_files::open_regular(&path)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    fn sync(&self) -> io::Result<()> {
        // Only Unix can open folders as files; elsewhere the system saves names without being asked.
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
