//! Loads remote documents (section 9.4, `LoadDocumentCallback`). By default, none are loaded.

use crate::JsonLdErrorCode;
use crate::remote::remote_document::{LoadDocumentOptions, RemoteDocument};
use evalgraph_diagnostics::FindingHelp;
use evalgraph_files::read_regular;
use evalgraph_json::Limits;
use std::path::{Path, PathBuf};

/// The reason why a loader has no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// The URL is unknown, and the network is off.
    Unknown,
    /// The file that the URL is mapped to cannot be read or parsed; with the reason.
    Unreadable(String),
    /// Reading the URL is not allowed: it lies outside the folder of the document.
    Forbidden,
    /// The server or its answer is faulty.
    Failed(Box<LoadFailure>),
}

/// A fault of a server or its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadFailure {
    /// The specification's code.
    pub code: JsonLdErrorCode,
    /// The message, with the offending text in backticks.
    pub message: String,
    /// How to fix it, if that is known.
    pub help: Option<FindingHelp>,
}

/// Finds documents by URL.
///
/// ```
/// use evalgraph_json::{Limits, parse};
/// use evalgraph_jsonld::{
///     DocumentLoader, JsonLdOptions, JsonLdProcessor, JsonLdLayout, LoadDocumentOptions, LoadError, RemoteDocument,
/// };
/// use std::sync::Arc;
///
/// struct OneContext;
///
/// impl DocumentLoader for OneContext {
///     fn load(&self, url: &str, _options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
///         let text = r#"{"@context": {"name": "http://schema.org/name"}}"#;
///         let document = parse(url, text.to_owned(), Limits::default());
///         document
///             .map(|document| RemoteDocument::new(url, Arc::new(document)))
///             .map_err(|fault| LoadError::Unreadable(fault.to_string()))
///     }
/// }
///
/// let text = r#"{"@context": "https://example.org/context", "name": "Ada"}"#;
/// let document = Arc::new(parse("ada.jsonld", text.to_owned(), Limits::default())?);
/// let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &OneContext);
/// let expanded = processor.expand(&document)?.to_json(JsonLdLayout::Compact);
/// assert_eq!(expanded, "[{\"http://schema.org/name\":[{\"@value\":\"Ada\"}]}]\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait DocumentLoader: Sync {
    /// Returns the document at an absolute URL (`LoadDocumentCallback`).
    ///
    /// # Errors
    /// The reason why there is no document.
    fn load(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError>;
}

/// A loader without documents.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLoader;

impl DocumentLoader for NoLoader {
    fn load(&self, _url: &str, _options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        Err(LoadError::Unknown)
    }
}

/// `--map URL=PATH`: maps an exact URL to a file, or a prefix that ends in `/` to a folder.
#[derive(Debug, Clone, Default)]
pub struct FileMapLoader {
    entries: Vec<(String, PathBuf)>,
    limits: Limits,
}

impl FileMapLoader {
    /// Starts without entries.
    pub fn new(limits: Limits) -> Self {
        Self { entries: Vec::new(), limits }
    }

    /// Adds an entry. If several entries match a URL, the first counts.
    pub fn add(&mut self, url: impl Into<String>, path: impl Into<PathBuf>) {
        self.entries.push((url.into(), path.into()));
    }

    /// Returns the file for a URL, whether it exists or not.
    pub fn path(&self, url: &str) -> Option<PathBuf> {
        self.entries.iter().find_map(|(from, to)| {
            if url == from {
                return Some(to.clone());
            }
            let rest = url.strip_prefix(from.as_str()).filter(|_| from.ends_with('/'))?;
            let inside = rest.split('/').all(|segment| !matches!(segment, "" | "." | ".."));
            inside.then(|| to.join(rest))
        })
    }

    /// Returns the reason why the file for a URL may not be read: it is below a folder of an entry, but a link leads
    /// out of that folder. The URL comes from a document, which must not choose other files of the machine.
    pub fn objection(&self, path: &Path) -> Option<String> {
        let folders = self.entries.iter().filter(|(url, to)| url.ends_with('/') && path.starts_with(to));
        let found = std::fs::canonicalize(path).ok()?;
        let is_outside =
            |folder: &Path| std::fs::canonicalize(folder).is_ok_and(|folder| !found.starts_with(folder));
        let (_, folder) = folders.into_iter().find(|(_, folder)| is_outside(folder))?;
        Some(format!("`{}` is a link out of `{}`", path.display(), folder.display()))
    }
}

impl DocumentLoader for FileMapLoader {
    fn load(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        let path = self.path(url.split('#').next().unwrap_or(url)).ok_or(LoadError::Unknown)?;
        if let Some(objection) = self.objection(&path) {
            return Err(LoadError::Unreadable(objection));
        }
        let name = path.display().to_string();
        let bytes = read_regular(&path, self.limits.size)
            .map_err(|error| LoadError::Unreadable(format!("`{name}`: {error}")))?;
        // The media type follows from the name of the file, or otherwise from its content.
        RemoteDocument::from_bytes(&name, url, bytes, None, options, self.limits)
            .map_err(|error| LoadError::Unreadable(error.to_string()))
    }
}

/// Asks several loaders in order. The first that knows the URL returns the document.
///
/// ```
/// use evalgraph_json::Limits;
/// use evalgraph_jsonld::{LoaderChain, DocumentLoader, LoadDocumentOptions, LoadError, FileMapLoader, NoLoader};
///
/// let mut mapped = FileMapLoader::new(Limits::default());
/// mapped.add("https://example.org/contexts/", "contexts");
/// let loaders = LoaderChain::default().and(&mapped).and(&NoLoader);
/// let unknown = loaders.load("https://example.org/other", &LoadDocumentOptions::for_context());
/// assert!(matches!(unknown, Err(LoadError::Unknown)));
/// ```
#[derive(Default)]
pub struct LoaderChain<'l> {
    loaders: Vec<&'l dyn DocumentLoader>,
}

impl<'l> LoaderChain<'l> {
    /// Adds a loader after the others.
    #[must_use]
    pub fn and(mut self, loader: &'l dyn DocumentLoader) -> Self {
        self.loaders.push(loader);
        self
    }
}

impl DocumentLoader for LoaderChain<'_> {
    fn load(&self, url: &str, options: &LoadDocumentOptions) -> Result<RemoteDocument, LoadError> {
        self.loaders
            .iter()
            .map(|loader| loader.load(url, options))
            .find(|answer| !matches!(answer, Err(LoadError::Unknown)))
            .unwrap_or(Err(LoadError::Unknown))
    }
}
