//! Finds and reads the inputs of a command: files, directories, glob patterns and stdin. URLs are
//! found here and read by [`remote`](super::remote).
//!
//! Every fault is a finding with a code of its own; one fault does not hide the next. What the
//! bytes mean is left to [`rdf::detect`](crate::rdf::detect()).

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::archive::archive;
use super::compression::{Opened, ReadFailure, open};
use super::corpus::{ROWS, is_dataset};
use super::files_read;
use super::guard::Guard;
use super::path_text::{path_of_url, plain, shown};
use super::remote::Arrival;
use super::syntax::Syntax;
use crate::diagnostic::nearest::nearest;
use crate::diagnostic::{Diagnostic, codes, thousands};
use crate::json::{Encoding, decode_as};
use crate::rdf::RdfFormat;
use crate::rdf::iri::without_userinfo;
#[cfg(feature = "parquet")]
use crate::source::parquet::{is_parquet, json_lines};
use crate::source::rlcf::{ReplyPath, reply_path};
use crate::source::system::System;

/// Where an input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InputSource {
    /// A file.
    File(PathBuf),
    /// A file that lies among others as the parts of one dataset do.
    Part(PathBuf, ReplyPath),
    /// The standard input.
    Stdin,
    /// What lies under a URL.
    Url(String),
    /// A document of a store: the name in messages, its path, and its text.
    Stored(StoredText),
}

/// The text of a document of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredText {
    /// The file that it was read from, as messages name it.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) dataset: Option<StoredName>,
}

/// What the dataset of a document is called in the store, whatever its text would make of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredName {
    pub(super) dataset: String,
    /// Which part of the dataset the document is, where that has several.
    pub(super) part: Option<String>,
    /// Whose records it was found to have, or said.
    pub(super) system: Option<System>,
}

/// An input that was read.
#[derive(Debug)]
pub(super) struct Input {
    /// The name in messages: the path as given, or `-`.
    pub name: String,
    /// The path; none for stdin.
    pub path: Option<PathBuf>,
    /// Where it lies among others as the parts of one dataset do.
    pub part: Option<ReplyPath>,
    /// What its dataset is called, where it comes from the store.
    pub stored: Option<StoredName>,
    /// What stands in it, opened where it was compressed.
    pub bytes: Vec<u8>,
    /// What its server said; none for what has no URL.
    pub arrival: Option<Arrival>,
    /// How values are written down, where it is no RDF.
    pub syntax: Syntax,
    /// The encoding that it was in.
    pub encoding: Encoding,
    /// The most bytes of one record, where it may have more as a whole.
    pub most_of_record: Option<u64>,
}

impl Input {
    /// The input as UTF-8, where an encoding was named.
    ///
    /// # Errors
    ///
    /// `json::encoding` where it is not in that encoding.
    pub(super) fn decoded(mut self, encoding: Option<Encoding>) -> Result<Self, Box<Diagnostic>> {
        let Some(named) = encoding else { return Ok(self) };
        let is_utf_16 = matches!(self.bytes.as_slice(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
        self.encoding = if named == Encoding::Auto && is_utf_16 { Encoding::Utf16 } else { named };
        let guard = Guard::of(&self.bytes);
        self.bytes = guard.checked(decode_as(&self.name, self.bytes, named))?.into_bytes();
        Ok(self)
    }
}

/// Finds the sources that the arguments name, in order; a directory's files are sorted by path.
///
/// # Errors
///
/// One finding for each argument that names nothing: `input::not-found`, `input::no-match`,
/// `input::empty-directory`, `input::unreadable`, `input::pattern`.
pub(super) fn find_sources(arguments: &[String]) -> (Vec<InputSource>, Vec<Diagnostic>) {
    let mut sources = Vec::new();
    let mut faults = Vec::new();
    for argument in arguments {
        match find_source(argument) {
            Ok(found) => sources.extend(found),
            Err(fault) => faults.push(*fault),
        }
    }
    if sources.iter().filter(|source| **source == InputSource::Stdin).count() > 1 {
        faults.push(Diagnostic::error("input::stdin", "`-` is given twice, and stdin can be read once"));
    }
    (sources, faults)
}

/// Says of files that lie below one folder as replies of an API do that they are parts of one dataset: of
/// two files at least, for one is not told by its path.
pub(super) fn find_parts(sources: &mut [InputSource]) {
    let path_of = |source: &InputSource| match source {
        InputSource::File(path) => reply_path(path.to_str()?),
        _ => None,
    };
    let found: Vec<Option<ReplyPath>> = sources.iter().map(path_of).collect();
    let mut folders: HashMap<&str, usize> = HashMap::new();
    for part in found.iter().flatten() {
        *folders.entry(&part.folder).or_default() += 1;
    }
    for (source, part) in sources.iter_mut().zip(&found) {
        if let (InputSource::File(path), Some(part)) = (&*source, part)
            && folders.get(part.folder.as_str()).is_some_and(|&files| files > 1)
        {
            *source = InputSource::Part(path.clone(), part.clone());
        }
    }
}

fn find_source(argument: &str) -> Result<Vec<InputSource>, Box<Diagnostic>> {
    if argument == "-" {
        return Ok(vec![InputSource::Stdin]);
    }
    // A name that is no UTF-8 can be given as the URL of the file.
    let url = path_of_url(argument).filter(|_| !Path::new(argument).exists());
    let path = url.as_deref().unwrap_or(Path::new(argument));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => find_in_directory(argument, path),
        Ok(_) => Ok(vec![InputSource::File(path.to_owned())]),
        Err(_) if is_url(argument) => Ok(vec![InputSource::Url(argument.to_owned())]),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_pattern(argument) => {
            find_by_pattern(argument)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Box::new(not_found(argument, path))),
        Err(error) => Err(Box::new(unreadable(argument, &error))),
    }
}

fn is_url(argument: &str) -> bool {
    let scheme = argument.split_once("://").unwrap_or_default().0;
    ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
}

fn network_is_off(url: &str) -> Diagnostic {
    Diagnostic::error("input::url", format!("`{}` is a URL, and the network is off", without_userinfo(url)))
        .with_help("let it be read with `--net`, or download it first and give the file")
}

fn is_pattern(argument: &str) -> bool {
    argument.contains(['*', '?', '['])
}

fn not_found(argument: &str, path: &Path) -> Diagnostic {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new("."));
    let fault = Diagnostic::error("input::not-found", format!("there is no file `{argument}`"));
    if !directory.is_dir() {
        return fault.with_help(format!("there is no directory `{}` either", directory.display()));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut siblings: Vec<String> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    // A directory is listed in no order, and two names may be equally near.
    siblings.sort();
    match nearest(&name, siblings.iter().map(String::as_str)) {
        Some(near) => {
            let near = parent.map_or(PathBuf::from(near), |parent| parent.join(near));
            fault.with_help(format!("did you mean `{}`?", near.display()))
        }
        None => fault,
    }
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error(codes::INPUT_UNREADABLE, format!("`{name}` cannot be read: {}", plain(error)))
}

fn find_in_directory(argument: &str, directory: &Path) -> Result<Vec<InputSource>, Box<Diagnostic>> {
    let mut files = Vec::new();
    collect_files(directory, &mut files)
        .map_err(|(path, error)| Box::new(unreadable(&shown(&path), &error)))?;
    files.sort();
    if files.is_empty() {
        let extensions: Vec<String> =
            RdfFormat::ALL.iter().map(|format| format!(".{}", format.extensions()[0])).collect();
        return Err(Box::new(
            Diagnostic::error(
                "input::empty-directory",
                format!("the directory `{argument}` holds no file to read"),
            )
            .with_help(format!("known extensions: {}, each also with .gz or .zst", extensions.join(", "))),
        ));
    }
    Ok(files.into_iter().map(InputSource::File).collect())
}

/// The files with a known extension, in all folders below. Hidden ones are left alone, and links
/// to folders are not followed, for they may lead round in a circle. Of a dataset directory the rows are
/// read: what lies in its corpus are documents.
fn collect_files(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    let at = |error| (directory.to_owned(), error);
    if is_dataset(directory) {
        files.push(directory.join(ROWS));
        return Ok(());
    }
    for entry in fs::read_dir(directory).map_err(at)? {
        let entry = entry.map_err(at)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        if entry.file_type().map_err(at)?.is_dir() {
            collect_files(&path, files)?;
        } else if is_read(&name) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn is_read(name: &str) -> bool {
    RdfFormat::from_file_name(name).is_some() || Syntax::from_file_name(name).is_some()
}

fn find_by_pattern(argument: &str) -> Result<Vec<InputSource>, Box<Diagnostic>> {
    let unreadable = |(path, error): (PathBuf, io::Error)| Box::new(unreadable(&shown(&path), &error));
    let faulty = |error: glob::PatternError| {
        Box::new(Diagnostic::error("input::pattern", format!("`{argument}` is not a pattern: {}", error.msg)))
    };
    let mut files = Vec::new();
    if argument.contains("**") {
        // All folders below the last one that is named.
        let named = argument.find(['*', '?', '[']).and_then(|wild| argument[..wild].rfind('/'));
        let (above, below) = argument.split_at(named.map_or(0, |separator| separator + 1));
        let pattern = glob::Pattern::new(below).map_err(faulty)?;
        match_below(Path::new(above), (&pattern, Path::new("")), &mut files).map_err(unreadable)?;
    } else {
        for path in glob::glob(argument).map_err(faulty)? {
            files.push(path.map_err(|error| unreadable((error.path().to_owned(), error.into())))?);
        }
    }
    files.retain(|path| path.is_file());
    if files.is_empty() {
        let message = format!("no file matches the pattern `{argument}`");
        return Err(Box::new(Diagnostic::error("input::no-match", message)));
    }
    files.sort();
    Ok(files.into_iter().map(InputSource::File).collect())
}

/// The paths in a folder, and in all folders below that are no links, that match a pattern from the first folder on.
fn match_below(
    first: &Path,
    (pattern, below): (&glob::Pattern, &Path),
    found: &mut Vec<PathBuf>,
) -> Result<(), (PathBuf, io::Error)> {
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::new() };
    let directory = first.join(below);
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { &directory };
    let at = |error| (directory.to_owned(), error);
    let entries = match fs::read_dir(directory) {
        Err(error) if below.as_os_str().is_empty() && error.kind() == io::ErrorKind::NotFound => {
            return Ok(());
        }
        entries => entries.map_err(at)?,
    };
    for entry in entries {
        let entry = entry.map_err(at)?;
        let path = below.join(entry.file_name());
        if entry.file_type().map_err(at)?.is_dir() {
            match_below(first, (pattern, &path), found)?;
        } else if pattern.matches_with(&path.to_string_lossy(), options) {
            found.push(first.join(path));
        }
    }
    Ok(())
}

impl InputSource {
    /// The name in messages.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) | Self::Part(path, _) => shown(path),
            Self::Stdin => "-".to_owned(),
            Self::Url(url) => without_userinfo(url).into_owned(),
            Self::Stored(stored) => stored.name.clone(),
        }
    }

    /// The size on disk, where it is known.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::File(path) | Self::Part(path, _) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            Self::Stdin | Self::Url(_) => 0,
            Self::Stored(stored) => stored.bytes.len() as u64,
        }
    }

    /// Reads the source and opens it where it is compressed.
    ///
    /// # Errors
    ///
    /// `input::unreadable`, `input::damaged` for a broken compressed stream, `input::too-large`
    /// where more than `max_size` bytes come out, `input::url` for a URL, which the network reads.
    pub(super) fn read(&self, max_size: u64) -> Result<Input, Box<Diagnostic>> {
        self.begin()?.read(max_size)
    }

    /// Reads the beginning of the source.
    ///
    /// # Errors
    ///
    /// As [`InputSource::read`], whatever its size.
    pub(super) fn begin(&self) -> Result<Begun, Box<Diagnostic>> {
        let name = self.name();
        let begun = match self {
            Self::File(path) | Self::Part(path, _) => {
                let file = File::open(path).map_err(|error| Box::new(unreadable(&name, &error)))?;
                files_read::note(path, &file);
                Begun::of(name, file)?
            }
            Self::Stdin => Begun::of(name, io::stdin())?,
            Self::Url(url) => return Err(Box::new(network_is_off(url))),
            Self::Stored(stored) => Begun::of(name, io::Cursor::new(stored.bytes.clone()))?,
        };
        let (path, part) = match self {
            Self::File(path) => (Some(path.clone()), None),
            Self::Part(path, part) => (Some(path.clone()), Some(part.clone())),
            Self::Stored(stored) => (Some(PathBuf::from(&stored.name)), None),
            Self::Stdin | Self::Url(_) => (None, None),
        };
        let stored = match self {
            Self::Stored(stored) => stored.dataset.clone(),
            _ => None,
        };
        Ok(Begun { path, part, stored, ..begun })
    }
}

/// An input of which the beginning was read.
pub(super) struct Begun {
    /// The name in messages.
    pub(super) name: String,
    /// The path; none for stdin.
    pub(super) path: Option<PathBuf>,
    /// Where it lies among others as the parts of one dataset do.
    pub(super) part: Option<ReplyPath>,
    /// What its dataset is called, where it comes from the store.
    pub(super) stored: Option<StoredName>,
    /// What its server said; none for what has no URL.
    pub(super) arrival: Option<Arrival>,
    /// Its first bytes, opened where they were compressed.
    pub(super) head: Vec<u8>,
    /// What comes behind; none where that is nothing.
    rest: Option<Opened>,
    /// How it was compressed.
    inside: Option<&'static str>,
}

impl Begun {
    /// Begins to read a source.
    ///
    /// # Errors
    ///
    /// As [`InputSource::begin`].
    pub(super) fn of(name: String, source: impl io::Read + Send + 'static) -> Result<Self, Box<Diagnostic>> {
        let fault = |failure| Box::new(read_fault(&name, failure, 0));
        let (mut opened, inside) = open(source).map_err(fault)?;
        let mut head = Vec::new();
        let read = opened.by_ref().take(HEAD + 1).read_to_end(&mut head);
        read.map_err(|error| fault(ReadFailure::of(error, inside)))?;
        let rest = (head.len() as u64 > HEAD).then_some(opened);
        Ok(Self { name, path: None, part: None, stored: None, arrival: None, head, rest, inside })
    }

    /// Whether something comes behind the beginning.
    pub(super) fn has_more(&self) -> bool {
        self.rest.is_some()
    }

    /// Reads on until it is known whether it has more bytes than a limit, and says so.
    ///
    /// # Errors
    ///
    /// As [`InputSource::read`].
    pub(super) fn is_beyond(&mut self, limit: u64) -> Result<bool, Box<Diagnostic>> {
        let length = self.head.len() as u64;
        if length <= limit
            && let Some(rest) = &mut self.rest
        {
            // One byte more than the limit tells that there are more.
            let wanted = limit.saturating_add(1) - length;
            let read = rest.take(wanted).read_to_end(&mut self.head);
            let fault = |error| Box::new(read_fault(&self.name, ReadFailure::of(error, self.inside), limit));
            if (read.map_err(fault)? as u64) < wanted {
                self.rest = None;
            }
        }
        Ok(self.head.len() as u64 > limit)
    }

    /// All bytes, as they are read.
    pub(super) fn into_bytes(self) -> Opened {
        let head = io::Cursor::new(self.head);
        match self.rest {
            Some(rest) => Box::new(head.chain(rest)),
            None => Box::new(head),
        }
    }

    /// Reads the rest.
    ///
    /// # Errors
    ///
    /// As [`InputSource::read`].
    pub(super) fn read(self, max_size: u64) -> Result<Input, Box<Diagnostic>> {
        let Self { name, path, part, stored, arrival, head: mut bytes, rest, inside } = self;
        let fault = |failure| Box::new(read_fault(&name, failure, max_size));
        if let Some(rest) = rest {
            // One byte more than the limit tells that there are more.
            let left = max_size.saturating_add(1).saturating_sub(bytes.len() as u64);
            let read = rest.take(left).read_to_end(&mut bytes);
            read.map_err(|error| fault(ReadFailure::of(error, inside)))?;
        }
        if bytes.len() as u64 > max_size {
            return Err(fault(ReadFailure::TooLarge { inside }));
        }
        #[cfg(feature = "parquet")]
        if is_parquet(&bytes) {
            let lines = json_lines(&name, bytes, max_size)?;
            let too_large = ReadFailure::TooLarge { inside: Some("Parquet") };
            let lines = lines.ok_or_else(|| Box::new(read_fault(&name, too_large, max_size)))?;
            let (bytes, syntax, encoding) = (lines.into_bytes(), Syntax::JsonLines, Encoding::Utf8);
            return Ok(Input {
                name,
                path,
                part,
                stored,
                bytes,
                arrival,
                syntax,
                encoding,
                most_of_record: None,
            });
        }
        if let Some(fault) = archive(&name, &bytes) {
            return Err(Box::new(fault));
        }
        let (syntax, encoding) = (Syntax::Json, Encoding::Utf8);
        Ok(Input { name, path, part, stored, bytes, arrival, syntax, encoding, most_of_record: None })
    }
}

/// How many bytes of an input are its beginning, by which it is told what it is: enough for the longest
/// list of a file to show, and few beside what is made of them.
const HEAD: u64 = 32 << 20;

fn read_fault(name: &str, failure: ReadFailure, max_size: u64) -> Diagnostic {
    match failure {
        ReadFailure::Unreadable(error) => unreadable(name, &error),
        ReadFailure::Damaged { inside, cause } => {
            let message = format!("the {inside} stream in `{name}` is damaged or cut off: {}", plain(&cause));
            Diagnostic::error("input::damaged", message)
        }
        ReadFailure::TooLarge { inside } => {
            let what = match inside {
                Some(compression) => format!("`{name}` opens ({compression}) to"),
                None => format!("`{name}` holds"),
            };
            Diagnostic::error(
                codes::INPUT_TOO_LARGE,
                format!("{what} more than {} bytes", thousands(max_size)),
            )
            .with_help("raise the limit with `--max-size`, for example `--max-size 4GiB`")
        }
    }
}
