//! Finds the sources that arguments name: files, folders, glob patterns, URLs and stdin. All faults are reported.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::corpus::{is_dataset, is_without_rows};
use super::path_text::{path_of_url, shown};
use super::source::{InputSource, unreadable};
use super::syntax::RecordSyntax;
use evalgraph_diagnostics::nearest::nearest;
use evalgraph_diagnostics::{Diagnostic, FindingSeverity, RunFailure, RunReport, SourceText};
use evalgraph_formats::corpus::{CORPUS, ROWS};
use evalgraph_formats::records::ReplyPath;
use evalgraph_formats::registry::reply_path;
use evalgraph_rdf::RdfFormat;

/// Finds the sources that the arguments name, in order. A directory's files are sorted by path.
///
/// # Errors
///
/// One finding per argument that names nothing: `input::not-found`, `input::no-match`, `input::empty-directory`,
/// `input::unreadable`, `input::pattern`.
pub fn find_sources(arguments: &[String]) -> (Vec<InputSource>, Vec<Diagnostic>) {
    let mut sources = Vec::new();
    let mut faults = Vec::new();
    for argument in arguments {
        match find_source(argument) {
            Ok(found) => sources.extend(found),
            Err(fault) => faults.push(*fault),
        }
    }
    if sources.iter().filter(|source| **source == InputSource::Stdin).count() > 1 {
        faults.push(Diagnostic::error("input::stdin", "`-` is given twice, but stdin can be read only once"));
    }
    (sources, faults)
}

/// Marks files below one folder that look like replies of an API as parts of one dataset. This needs at least two
/// files: the path of a single file shows nothing.
pub fn find_parts(sources: &mut [InputSource]) {
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
    // A name that is not UTF-8 can be given as the URL of the file.
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
    let siblings = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut siblings: Vec<String> =
        siblings.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    // The system lists a directory in any order, and two names may be equally near.
    siblings.sort();
    match nearest(&name, siblings.iter().map(String::as_str)) {
        Some(near) => {
            let near = parent.map_or(PathBuf::from(near), |parent| parent.join(near));
            fault.with_help(format!("did you mean `{}`?", near.display()))
        }
        None => fault,
    }
}

fn find_in_directory(argument: &str, directory: &Path) -> Result<Vec<InputSource>, Box<Diagnostic>> {
    let mut files = Vec::new();
    collect_files(directory, &mut files)
        .map_err(|(path, error)| Box::new(unreadable(&shown(&path), &error)))?;
    files.sort();
    if files.is_empty() && is_without_rows(directory) {
        let message = format!("the directory `{argument}` has `{CORPUS}/` but no `{ROWS}`");
        let help = format!("a dataset needs both: write its questions and answers to `{argument}/{ROWS}`");
        let help = help.replace("//", "/");
        return Err(Box::new(Diagnostic::error("input::empty-directory", message).with_help(help)));
    }
    if files.is_empty() {
        let of_rdf = RdfFormat::ALL.iter().map(|format| format.extensions()[0]);
        let of_records = RecordSyntax::ALL.iter().flat_map(|syntax| syntax.extensions().iter().copied());
        let extensions: Vec<String> = of_records.chain(of_rdf).map(|end| format!(".{end}")).collect();
        let message = format!("the directory `{argument}` contains no file to read");
        let help = format!("known extensions: {}, each also with .gz or .zst", extensions.join(", "));
        let fault = Diagnostic::error("input::empty-directory", message);
        let fault = match named_only(directory) {
            Some(end) => fault.with_help(
                format!("`.{end}` is read where it is named: `'{argument}/*.{end}'`").replace("//", "/"),
            ),
            None => fault,
        };
        return Err(Box::new(fault.with_help(help)));
    }
    Ok(files.into_iter().map(InputSource::File).collect())
}

/// Returns the extension of a file in a directory that is read only where it is named.
fn named_only(directory: &Path) -> Option<&'static str> {
    const ENDS: [&str; 3] = ["eval", "parquet", "xlsx"];
    let names = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut ends: Vec<_> = names.filter_map(|path| path.extension().map(ToOwned::to_owned)).collect();
    ends.sort();
    ends.iter().find_map(|end| ENDS.into_iter().find(|known| end == known))
}

/// Collects the files with a known extension from this folder and all folders below it. Hidden files are left out, and
/// links to folders are not followed, because they may form a cycle. In a dataset directory only the rows are
/// collected: the files of its corpus are documents.
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
    RdfFormat::from_file_name(name).is_some() || RecordSyntax::from_file_name(name).is_some()
}

fn find_by_pattern(argument: &str) -> Result<Vec<InputSource>, Box<Diagnostic>> {
    let unreadable = |(path, error): (PathBuf, io::Error)| Box::new(unreadable(&shown(&path), &error));
    let faulty = |error: glob::PatternError| {
        Box::new(Diagnostic::error("input::pattern", format!("`{argument}` is not a pattern: {}", error.msg)))
    };
    let mut files = Vec::new();
    if argument.contains("**") {
        // `**` is matched in all folders below the last folder that the pattern names.
        let named = argument.find(['*', '?', '[']).and_then(|wild| argument[..wild].rfind('/'));
        let (above, below) = argument.split_at(named.map_or(0, |separator| separator + 1));
        let pattern = glob::Pattern::new(below).map_err(faulty)?;
        match_below(Path::new(above), &pattern, Path::new(""), &mut files).map_err(unreadable)?;
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

/// Collects the paths that match a pattern. The pattern is matched in a folder and in all folders below it that are not
/// links.
fn match_below(
    first: &Path,
    pattern: &glob::Pattern,
    below: &Path,
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
            match_below(first, pattern, &path, found)?;
        } else if pattern.matches_with(&path.to_string_lossy(), options) {
            found.push(first.join(path));
        }
    }
    Ok(())
}

/// Finds the sources that the arguments name, each once. Faults are reported.
///
/// # Errors
///
/// If faults leave no source.
pub fn file_sources(arguments: &[String], report: &mut RunReport) -> Result<Vec<InputSource>, RunFailure> {
    let (sources, faults) = find_sources(arguments);
    let mut sources = each_once(sources, report);
    find_parts(&mut sources);
    report.add_all(&faults);
    if sources.is_empty() && !faults.is_empty() {
        return Err(RunFailure::Reported);
    }
    Ok(sources)
}

/// Leaves out the files that the run uses otherwise, unless an argument names them or there is nothing else. Returns a
/// note about each.
pub fn leave_out(
    beside: &[PathBuf],
    arguments: &[String],
    sources: &mut Vec<InputSource>,
) -> Vec<Diagnostic> {
    let canonical = |path: &Path| path.canonicalize().ok();
    let beside: Vec<PathBuf> = beside.iter().filter_map(|path| canonical(path)).collect();
    if beside.is_empty() {
        return Vec::new();
    }
    let is_beside = |source: &InputSource| {
        let is_named = || arguments.iter().any(|argument| *argument == source.name());
        source.path().and_then(canonical).is_some_and(|path| beside.contains(&path)) && !is_named()
    };
    if sources.iter().all(is_beside) {
        return Vec::new();
    }
    let left_out: Vec<InputSource> = sources.extract_if(.., |source| is_beside(source)).collect();
    let note = |source: InputSource| {
        let message = "the run uses this file for something else, so it is not an input";
        let note = Diagnostic::new(FindingSeverity::Note, "input::beside", message);
        note.at(SourceText::new(source.name(), b"").place(0..0))
    };
    left_out.into_iter().map(note).collect()
}

/// Leaves out sources that were named before, even if by another path or through a link. Adds a note about each.
fn each_once(sources: Vec<InputSource>, report: &mut RunReport) -> Vec<InputSource> {
    let mut known: HashMap<PathBuf, String> = HashMap::new();
    let mut is_new = |source: &InputSource| {
        let file = match source {
            InputSource::File(path) | InputSource::Part(path, _) => path.canonicalize().ok(),
            InputSource::Url(url) => Some(PathBuf::from(url)),
            InputSource::Stdin | InputSource::Stored(_) => None,
        };
        let name = source.name();
        let Some(first) = file.and_then(|file| match known.entry(file) {
            Entry::Occupied(first) => Some(first.get().clone()),
            Entry::Vacant(free) => {
                free.insert(name.clone());
                None
            }
        }) else {
            return true;
        };
        let message = match name == first {
            true => "the file is named twice, but read only once".to_owned(),
            false => format!("the file is the same as `{first}`, and is read only once"),
        };
        let note = Diagnostic::new(FindingSeverity::Note, "input::twice", message);
        report.add(&note.at(SourceText::new(name.as_str(), b"").place(0..0)));
        false
    };
    sources.into_iter().filter(|source| is_new(source)).collect()
}
