//! Reads contexts that a local file names by a relative path. Only the folder of the file and folders below it are
//! read, never those above it.

use std::fs;
use std::path::{Path, PathBuf};

use super::path_text::{file_url, path_of_url, shown};
use super::source::unreadable;
use evalgraph_contexts::CheckpointSampleContext;
use evalgraph_files::read_regular;
use evalgraph_json::Limits;
use evalgraph_jsonld::{DocumentLoader, LoadDocumentOptions, LoadError, RemoteDocument};

/// Reads contexts in the folders of certain documents, and below.
#[derive(Debug, Clone)]
pub struct LocalContexts {
    folders: Vec<PathBuf>,
    limits: Limits,
}

impl LocalContexts {
    /// Returns the loader for the documents in the folder of a file, and the URL of the file, which is the base of its
    /// relative contexts. `None` if the file no longer exists.
    pub fn beside(file: &Path, limits: Limits) -> Option<(Self, String)> {
        let file = fs::canonicalize(file).ok()?;
        let folder = file.parent()?.to_owned();
        Some((Self { folders: vec![folder], limits }, file_url(&file)))
    }

    /// Adds the folders of another loader.
    pub fn and(mut self, other: &Self) -> Self {
        self.folders.extend_from_slice(&other.folders);
        self
    }
}

impl DocumentLoader for LocalContexts {
    fn load(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let Some(path) = path_of_url(url) else {
            return Err(LoadError::Unknown);
        };
        let Ok(found) = fs::canonicalize(&path) else {
            // A sample of Karenina names a file of its own repository. The content of that file is built in.
            return CheckpointSampleContext
                .load(url, options)
                .map_err(|_| LoadError::Unreadable(format!("there is no file `{}`", path.display())));
        };
        if !self.folders.iter().any(|folder| found.starts_with(folder)) {
            return Err(LoadError::Forbidden);
        }
        let name = found.strip_prefix(std::env::current_dir().unwrap_or_default()).unwrap_or(&found);
        let name = shown(name);
        let unread = |error| LoadError::Unreadable(unreadable(&name, &error).message);
        let bytes = read_regular(&found, self.limits.size).map_err(unread)?;
        RemoteDocument::from_bytes(&name, url, bytes, None, options, self.limits)
            .map_err(|error| LoadError::Unreadable(error.to_string()))
    }
}
