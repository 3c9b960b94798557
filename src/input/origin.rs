//! Where a document comes from, as far as the meaning of what stands in it depends on that.

use std::path::{Path, PathBuf};

use super::path_text::shown;
use super::syntax::Syntax;
use crate::jsonld::{JsonLdOptions, MediaType};
use crate::rdf::iri;
use crate::source::rlcf::ReplyPath;
use crate::source::system::System;

/// Tells where a document comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    /// The name in messages: the path as given, the URL, or `-`.
    pub(crate) name: String,
    /// The path; none for stdin.
    pub(crate) path: Option<PathBuf>,
    /// Where the file lies among others as the parts of one dataset do.
    pub(crate) part: Option<ReplyPath>,
    /// What the dataset is called, where the document comes from the store.
    pub(crate) stored: Option<StoredName>,
    /// What the server said; none for what has no URL.
    pub(crate) arrival: Option<Arrival>,
    /// What the `base` element says, where the document is a page.
    pub(crate) base_href: Option<String>,
    /// How values are written down, where it is no RDF.
    pub(crate) syntax: Syntax,
}

/// Holds what the dataset of a document is called in the store, whatever its text would make of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredName {
    pub(crate) dataset: String,
    /// Which part of the dataset the document is, where that has several.
    pub(crate) part: Option<String>,
    /// Whose records it was found to have, or said.
    pub(crate) system: Option<System>,
}

/// Holds what a server said of a document beside its content.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    /// The final URL, with the fragment that was asked for.
    pub(crate) url: String,
    /// The context that the server names for plain JSON.
    pub(crate) context_url: Option<String>,
    /// The media type; none where a file stands for the URL.
    pub(crate) media_type: Option<MediaType>,
}

impl Origin {
    /// The file, where it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The URL, where it has one.
    pub(crate) fn url(&self) -> Option<&str> {
        self.arrival.as_ref().map(|arrival| arrival.url.as_str())
    }

    /// The media type that its server gave.
    pub(crate) fn media_type(&self) -> Option<&MediaType> {
        self.arrival.as_ref()?.media_type.as_ref()
    }

    /// The name of the file, or what the URL has in its place.
    pub(crate) fn file_name(&self) -> Option<String> {
        if let Some(url) = self.url() {
            let path = url.split(['?', '#']).next().unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or_default();
            return (!name.is_empty()).then(|| iri::percent_decode(name));
        }
        Some(shown(Path::new(self.path()?.file_name()?)))
    }

    /// Says in the options where the document lives. `file_url` is that of a local file, whose
    /// contexts lie beside it unless the file is said to live elsewhere.
    pub(crate) fn apply(&self, options: &mut JsonLdOptions, file_url: Option<String>) {
        if let Some(arrival) = &self.arrival {
            options.document_url.get_or_insert_with(|| arrival.url.clone());
            options.context_url.clone_from(&arrival.context_url);
        }
        if options.document_url.is_none() {
            options.context_base = file_url;
        }
        let Some(href) = &self.base_href else { return };
        // The document base URL of the HTML standard, laid over each of the bases.
        let against = |base: &String| iri::resolve(href, base);
        options.base = match options.base.as_ref().or(options.document_url.as_ref()) {
            Some(base) => against(base),
            None => iri::is_iri(href).then(|| href.clone()),
        };
        options.document_url = options.document_url.as_ref().and_then(against);
        options.context_base = options.context_base.as_ref().and_then(against);
    }
}

/// Returns what a folder of parts is called.
pub(crate) fn folder_name(path: &ReplyPath) -> String {
    let folder = Path::new(if path.folder.is_empty() { "." } else { &path.folder });
    // A folder that is named by dots has its name from where it lies.
    let found = || folder.canonicalize().ok()?.file_name().map(|name| shown(Path::new(name)));
    let name = folder.file_name().map(|name| shown(Path::new(name)));
    name.or_else(found).unwrap_or_else(|| "replies".to_owned())
}

/// The name of a file without folder and extensions; `stdin` where there is no file.
pub(crate) fn stem(origin: &Origin) -> String {
    let Some(name) = origin.file_name() else {
        return "stdin".to_owned();
    };
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    match plain.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => plain.to_owned(),
    }
}
