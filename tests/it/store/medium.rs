//! A folder for a store that remembers what was done to it, and fails where a test wants it to.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use evalgraph::store::{FolderMedium, MediumFile, StoreMedium};

/// Something that was done to a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A file was made; files are told apart by number, since a name can be given again.
    Create(String, usize),
    /// Bytes were appended to a file.
    Write(usize, Vec<u8>),
    /// All that was written to a file is safe.
    SyncFile(usize),
    Rename(String, String),
    Remove(String),
    /// All names are safe.
    SyncFolder,
}

#[derive(Debug, Default)]
struct Record {
    operations: Vec<Operation>,
    files: usize,
    /// How many operations succeed before one fails, with what it fails.
    failing: Option<(usize, io::ErrorKind)>,
}

/// A real folder; every operation is recorded.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    folder: FolderMedium,
    record: Arc<Mutex<Record>>,
}

impl Recorder {
    pub(crate) fn new(path: &Path) -> Self {
        Self { folder: FolderMedium::new(path), record: Arc::default() }
    }

    /// Lets the operation after so many fail, and all that follow it: a full disk stays full.
    pub(crate) fn fail_after(&self, operations: usize, with: io::ErrorKind) {
        self.record.lock().expect("no test panics with it").failing = Some((operations, with));
    }

    /// Lets everything succeed from here on.
    pub(crate) fn mend(&self) {
        self.record.lock().expect("no test panics with it").failing = None;
    }

    /// What was done since this was asked last.
    pub(crate) fn take(&self) -> Vec<Operation> {
        std::mem::take(&mut self.record.lock().expect("no test panics with it").operations)
    }

    fn note(&self, operation: impl FnOnce(&mut usize) -> Operation) -> io::Result<()> {
        let mut record = self.record.lock().expect("no test panics with it");
        let operation = operation(&mut record.files);
        let takes_room = !matches!(operation, Operation::Remove(_));
        if let Some((left, kind)) = &mut record.failing
            && takes_room
        {
            if *left == 0 {
                return Err((*kind).into());
            }
            *left -= 1;
        }
        record.operations.push(operation);
        Ok(())
    }
}

impl StoreMedium for Recorder {
    fn folder(&self) -> &Path {
        self.folder.folder()
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn MediumFile>> {
        let mut number = 0;
        self.note(|files| {
            *files += 1;
            number = *files;
            Operation::Create(name.to_owned(), number)
        })?;
        Ok(Box::new(RecordedFile { file: self.folder.create(name)?, number, recorder: self.clone() }))
    }

    fn open(&self, name: &str) -> io::Result<File> {
        self.folder.open(name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.note(|_| Operation::Rename(from.to_owned(), to.to_owned()))?;
        self.folder.rename(from, to)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.folder.remove(name)?;
        self.note(|_| Operation::Remove(name.to_owned()))
    }

    fn sync(&self) -> io::Result<()> {
        self.note(|_| Operation::SyncFolder)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.folder.names()
    }
}

struct RecordedFile {
    file: Box<dyn MediumFile>,
    number: usize,
    recorder: Recorder,
}

impl Write for RecordedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.recorder.note(|_| Operation::Write(self.number, bytes.to_vec()))?;
        self.file.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl MediumFile for RecordedFile {
    fn sync(&mut self) -> io::Result<()> {
        self.recorder.note(|_| Operation::SyncFile(self.number))
    }
}

/// The files of a folder: contents by name.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// What a folder holds after a loss of power: the operations up to some moment were asked for, and of those
/// that no sync has made safe, some are lost. `is_lost` says which.
pub(crate) fn after_power_loss(
    before: &Files,
    operations: &[Operation],
    mut is_lost: impl FnMut() -> bool,
) -> Files {
    let safe = safe_operations(operations);
    let mut contents: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    // Numbers of files that were there before lie beyond all others.
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for (position, (name, content)) in before.iter().enumerate() {
        names.insert(name.clone(), usize::MAX - position);
        contents.insert(usize::MAX - position, content.clone());
    }
    for (operation, is_safe) in operations.iter().zip(safe) {
        if !is_safe && is_lost() {
            if let Operation::Write(file, bytes) = operation {
                // The length may have been kept without the bytes.
                contents.entry(*file).or_default().extend(std::iter::repeat_n(0, bytes.len()));
            }
            continue;
        }
        match operation {
            Operation::Create(name, file) => {
                names.insert(name.clone(), *file);
                contents.entry(*file).or_default();
            }
            Operation::Write(file, bytes) => contents.entry(*file).or_default().extend_from_slice(bytes),
            Operation::Rename(from, to) => {
                if let Some(file) = names.remove(from) {
                    names.insert(to.clone(), file);
                }
            }
            Operation::Remove(name) => {
                names.remove(name);
            }
            Operation::SyncFile(_) | Operation::SyncFolder => {}
        }
    }
    names.into_iter().map(|(name, file)| (name, contents.get(&file).cloned().unwrap_or_default())).collect()
}

/// Which operations a later sync has made safe; syncs themselves have nothing to lose.
pub(crate) fn safe_operations(operations: &[Operation]) -> Vec<bool> {
    let mut safe = vec![false; operations.len()];
    for (position, operation) in operations.iter().enumerate() {
        let is_covered = |earlier: &Operation| match (operation, earlier) {
            (Operation::SyncFile(file), Operation::Write(written, _)) => file == written,
            (Operation::SyncFolder, Operation::Create(..) | Operation::Rename(..) | Operation::Remove(_)) => {
                true
            }
            _ => false,
        };
        for earlier in 0..position {
            safe[earlier] = safe[earlier] || is_covered(&operations[earlier]);
        }
        safe[position] = matches!(operation, Operation::SyncFile(_) | Operation::SyncFolder);
    }
    safe
}

/// The files of a folder.
pub(crate) fn files_of(folder: &Path) -> Files {
    let mut files = Files::new();
    for entry in std::fs::read_dir(folder).expect("the folder is readable") {
        let entry = entry.expect("the folder is readable");
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, std::fs::read(entry.path()).expect("the file is readable"));
    }
    files
}

/// Makes a folder hold these files and no others.
pub(crate) fn put_files(folder: &Path, files: &Files) {
    for name in files_of(folder).keys().filter(|name| !files.contains_key(*name)) {
        std::fs::remove_file(folder.join(name)).expect("the file can be removed");
    }
    for (name, content) in files {
        std::fs::write(folder.join(name), content).expect("the file can be written");
    }
}
