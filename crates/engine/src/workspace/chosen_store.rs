//! The store that a command works on: the named one, or else the nearest store in this folder or above.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::stored_document::name_of;
use crate::input::input_options::StoreChoice;
use crate::input::path_text::{absolute, plain};
use evalgraph_diagnostics::help::{command, help, setting};
use evalgraph_diagnostics::{Diagnostic, RunFailure, codes};
use evalgraph_store::{DocumentEntry, FolderMedium, StoreFolder, StoredDocument};

/// The name of the folder that contains a store.
pub const FOLDER: &str = ".evalgraph";

impl StoreChoice {
    /// Opens the store.
    ///
    /// # Errors
    ///
    /// `store::missing` without a store, and the errors of [`StoreFolder::open`].
    pub fn open(&self) -> Result<StoreFolder, RunFailure> {
        let message = format!("there is no input, and no store `{FOLDER}` in this folder or above it");
        let help = help![
            "name files, or make a store with ",
            command("init"),
            " and fill it with ",
            command("load")
        ];
        self.open_else(|| Diagnostic::error(codes::STORE_MISSING, message).with_help(help))
    }

    /// Opens the store for commands that work only on the store, whatever their inputs.
    ///
    /// # Errors
    ///
    /// The errors of [`StoreChoice::open`].
    pub fn open_store(&self) -> Result<StoreFolder, RunFailure> {
        let message = format!("there is no store `{FOLDER}` in this folder or above it");
        let help = help!["make one with ", command("init"), ", or name one with ", setting("store")];
        self.open_else(|| Diagnostic::error(codes::STORE_MISSING, message).with_help(help))
    }

    fn open_else(&self, missing: impl FnOnce() -> Diagnostic) -> Result<StoreFolder, RunFailure> {
        let folder = match &self.store {
            Some(named) if named.is_file() => {
                let message = format!("`{}` is a file, and a store is a folder", named.display());
                let help = format!("name the folder `{FOLDER}`, or the one that it is in");
                return Err(Diagnostic::error(codes::STORE_MISSING, message).with_help(help).into());
            }
            Some(named) => folder_in(named),
            None => nearest().ok_or_else(missing)?,
        };
        Ok(StoreFolder::open(Arc::new(FolderMedium::new(folder)))?.waiting(self.wait))
    }
}

/// Returns the folder of the store that a path names: the path itself, or `.evalgraph` in it.
pub fn folder_in(path: &Path) -> PathBuf {
    let inside = path.join(FOLDER);
    if path.file_name().is_some_and(|name| name == FOLDER)
        || !inside.is_dir() && path.join("manifest").is_file()
    {
        path.to_owned()
    } else {
        inside
    }
}

fn nearest() -> Option<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.is_dir())
}

/// Returns the document with this name: its graph's IRI, its dataset or its path.
///
/// # Errors
///
/// `store::unknown-graph` if no document or several have that name.
pub fn document_named<'s>(
    documents: &'s [StoredDocument],
    name: &str,
) -> Result<&'s StoredDocument, RunFailure> {
    let path = absolute(Path::new(name));
    let is_meant = |entry: &DocumentEntry| {
        entry.graph == name
            || entry.dataset == name
            || entry.source.as_ref().is_some_and(|source| source.path == name || source.path == path)
            || entry.source.is_some() && name_of(entry) == name
    };
    let mut meant = documents.iter().filter(|document| is_meant(&document.entry));
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => {
            let message = format!("the store has no graph `{name}`");
            let help =
                help![command("graphs"), " lists them; a graph is named by its IRI, its dataset or its file"];
            Err(Diagnostic::error("store::unknown-graph", message).with_help(help).into())
        }
        (Some(one), Some(other)) => {
            let (one, other) = (&one.entry.graph, &other.entry.graph);
            let message = format!("`{name}` matches both `{one}` and `{other}`");
            Err(Diagnostic::error("store::unknown-graph", message).into())
        }
    }
}

/// Returns the fault that a name matches no graph of the files that were read.
pub fn no_graph_of_files(name: &str) -> Diagnostic {
    let help = help![command("stats"), " names their datasets; a graph is named by its IRI or its dataset"];
    Diagnostic::error("store::unknown-graph", format!("the files have no graph `{name}`")).with_help(help)
}

/// Creates an empty store in a folder, which is created if missing. Returns the folder of the store.
///
/// # Errors
///
/// The errors of [`StoreFolder::create`], and a folder that cannot be written.
pub fn create(folder: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    let folder = folder.join(FOLDER);
    std::fs::create_dir_all(&folder)
        .map_err(|error| unwritable(&error, &format!("cannot make the folder `{}`", folder.display())))?;
    StoreFolder::create(Arc::new(FolderMedium::new(&folder)))?;
    ignored_by_git(&folder)?;
    Ok(folder)
}

/// Makes the folder for a store that is yet to be made.
///
/// # Errors
///
/// A folder that cannot be written.
pub(super) fn made_folder(folder: &Path) -> Result<(), Box<Diagnostic>> {
    std::fs::create_dir_all(folder)
        .map_err(|error| unwritable(&error, &format!("cannot make the folder `{}`", folder.display())))?;
    ignored_by_git(folder)
}

/// Keeps Git away from a store: Git already has the files that the store is made from, or they are too large for Git.
fn ignored_by_git(folder: &Path) -> Result<(), Box<Diagnostic>> {
    let ignored = folder.join(".gitignore");
    std::fs::write(&ignored, "*\n")
        .map_err(|error| unwritable(&error, &format!("cannot write `{}`", ignored.display())))
}

fn unwritable(error: &std::io::Error, message: &str) -> Box<Diagnostic> {
    let reason = plain(error);
    let is_forbidden = [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem].contains(&error.kind());
    let code = if is_forbidden { "store::permission" } else { "store::io" };
    Box::new(Diagnostic::error(code, format!("{message}: {reason}")))
}
