//! Recognises dataset directories of train.json, and inspects their corpus.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::source::unreadable;
use super::syntax::RecordSyntax;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_formats::corpus::{CORPUS, Corpus, CorpusFile, ROWS};
use evalgraph_formats::records::RecognisedRecords;
use evalgraph_formats::rows::is_rows;
use evalgraph_rdf::RdfFormat;

/// Returns whether a directory is a dataset. The files of its corpus are documents, not data to load.
pub fn is_dataset(directory: &Path) -> bool {
    directory.join(ROWS).is_file() && directory.join(CORPUS).is_dir()
}

/// Returns whether a directory has a corpus but nothing else to read, which means that the rows of the dataset are
/// missing.
pub fn is_without_rows(directory: &Path) -> bool {
    let corpus = directory.join(CORPUS);
    if directory.join(ROWS).exists() || !corpus.is_dir() {
        return false;
    }
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if is_folder && !name.starts_with('.') {
                folders.push(entry.path());
            } else if is_data(&name) {
                return false;
            }
        }
    }
    true
}

/// Returns whether a file is read as data. HTML pages can be data, but in a corpus they are documents.
fn is_data(name: &str) -> bool {
    let is_page = [".html", ".htm", ".xhtml"].iter().any(|end| name.ends_with(end));
    !is_page && (RdfFormat::from_file_name(name).is_some() || RecordSyntax::from_file_name(name).is_some())
}

/// Returns the corpus of a directory, whether or not it has rows, or `None` if it has no such folder.
///
/// # Errors
///
/// The errors of [`corpus_beside`].
pub fn corpus_in(directory: &Path) -> Result<Option<Corpus>, Box<Diagnostic>> {
    corpus_beside(&directory.join(ROWS))
}

/// Returns the corpus of a file that contains the rows of a dataset.
///
/// # Errors
///
/// The errors of [`corpus_beside`].
pub fn corpus_of(
    recognised: &RecognisedRecords,
    path: Option<&Path>,
) -> Result<Option<Corpus>, Box<Diagnostic>> {
    path.filter(|_| is_rows(recognised)).map_or(Ok(None), corpus_beside)
}

/// Returns the corpus beside a file of rows, if the file is called `train.json`.
///
/// # Errors
///
/// `input::unreadable` if the folder, or a file in it, cannot be read.
pub fn corpus_beside(rows: &Path) -> Result<Option<Corpus>, Box<Diagnostic>> {
    let folder = rows.with_file_name(CORPUS);
    if rows.file_name() != Some(OsStr::new(ROWS)) || !folder.is_dir() {
        return Ok(None);
    }
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let unreadable = |error: io::Error| Box::new(unreadable(&folder.display().to_string(), &error));
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            // Hidden files belong to the system, and links to folders may form a cycle.
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if entry.file_type().map_err(unreadable)?.is_dir() {
                folders.push(entry.path());
            } else if entry.path().is_file() {
                files.push(file(&entry.path(), entry.file_name().as_encoded_bytes())?);
            }
        }
    }
    Ok(Some(Corpus::new(files)))
}

fn file(path: &Path, name: &[u8]) -> Result<CorpusFile, Box<Diagnostic>> {
    let read = || -> io::Result<CorpusFile> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut head = Vec::new();
        file.take(CorpusFile::HEAD as u64).read_to_end(&mut head)?;
        Ok(CorpusFile { path: path.display().to_string(), name: name.to_vec(), size, head })
    };
    read().map_err(|error| Box::new(unreadable(&path.display().to_string(), &error)))
}
