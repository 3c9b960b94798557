//! The files of a folder of named queries: few, short and regular ones. The folder of a project cannot be trusted, so
//! nothing in it may lead out of the project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use evalgraph_diagnostics::{Diagnostic, thousands};
use evalgraph_files::read_regular;

/// The maximum size of a file in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// The maximum size of all files of a folder in bytes.
const MOST_BYTES_OF_ALL: usize = 16 << 20;
/// The maximum number of files in a folder.
const MOST_FILES: usize = 1_000;

/// A folder of named queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryFolder {
    pub(crate) path: PathBuf,
    /// The folder that its files must be in, if it belongs to a project.
    pub project: Option<PathBuf>,
}

/// Reads each `*.rq` file of a folder, sorted by name.
///
/// # Errors
///
/// `sparql::unreadable` if the folder or a file cannot be read, is too large, or leads out of the project.
pub(super) fn query_files(folder: &QueryFolder) -> Result<Vec<(PathBuf, String)>, Box<Diagnostic>> {
    let QueryFolder { path: directory, project } = folder;
    let project = match project {
        Some(project) => Some(fs::canonicalize(project).map_err(|error| unreadable(project, &error))?),
        None => None,
    };
    check_is_inside(directory, project.as_deref())?;
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(|error| unreadable(directory, &error))? {
        let path = entry.map_err(|error| unreadable(directory, &error))?.path();
        if path.extension().is_none_or(|extension| extension != "rq") {
            continue;
        }
        paths.push(path);
        if paths.len() > MOST_FILES {
            let most = thousands(MOST_FILES as u64);
            return Err(fault(directory, &format!("a folder may contain at most {most} queries")));
        }
    }
    paths.sort();
    let (mut files, mut size) = (Vec::new(), 0);
    for path in paths {
        check_is_inside(&path, project.as_deref())?;
        let bytes = read_regular(&path, MOST_BYTES).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => fault(&path, "a named query may have at most 1 MiB"),
            _ => unreadable(&path, &error),
        })?;
        size += bytes.len();
        if size > MOST_BYTES_OF_ALL {
            return Err(fault(directory, "the queries of a folder may have at most 16 MiB together"));
        }
        let text = String::from_utf8(bytes).map_err(|_| fault(&path, "a query has to be UTF-8"))?;
        files.push((path, text));
    }
    Ok(files)
}

/// Refuses a path that leads out of a project through a link.
fn check_is_inside(path: &Path, project: Option<&Path>) -> Result<(), Box<Diagnostic>> {
    let Some(project) = project else { return Ok(()) };
    let found = fs::canonicalize(path).map_err(|error| unreadable(path, &error))?;
    match found.starts_with(project) {
        true => Ok(()),
        false => Err(fault(path, "it is a link out of the project; queries of a project must be inside it")),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    fault(path, &error.to_string())
}

fn fault(path: &Path, reason: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("sparql::unreadable", format!("`{}`: {reason}", path.display())))
}
