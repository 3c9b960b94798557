//! Where a document comes from, as far as it affects the meaning of its content.

use std::path::{Path, PathBuf};

use super::path_text::shown;
use super::syntax::RecordSyntax;
use evalgraph_formats::records::ReplyPath;
use evalgraph_formats::system_name::SystemName;
use evalgraph_jsonld::{JsonLdOptions, MediaType};
use evalgraph_rdf::iri;

/// Where a document comes from.
#[derive(Debug, Clone, Default)]
pub struct DocumentOrigin {
    /// The name in messages: the path as given, the URL, or `-`.
    pub name: String,
    /// The path. `None` for stdin.
    pub path: Option<PathBuf>,
    /// `true` if the path is on another machine. It then serves only as a name, and there are no files beside it.
    pub is_elsewhere: bool,
    /// The path of the file among the parts of one dataset.
    pub part: Option<ReplyPath>,
    /// The name of the dataset, if the document comes from the store.
    pub stored: Option<StoredName>,
    /// The answer of the server. `None` for a document without a URL.
    pub arrival: Option<UrlOrigin>,
    /// The `href` of the `base` element, if the document is a page.
    pub base_href: Option<String>,
    /// The base of relative IRIs, if the document has no other.
    pub stand_in_base: Option<String>,
    /// The syntax of the values, if the document is not RDF.
    pub syntax: RecordSyntax,
}

/// The name of a document's dataset in the store. It overrides the name that loading would give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredName {
    /// The name of the dataset.
    pub dataset: String,
    /// The part of the dataset that the document is, if the dataset has several.
    pub part: Option<String>,
    /// The system of its records, as recognised or as named by the user.
    pub system: Option<SystemName>,
}

/// The URL of a document, and the header fields of the response.
#[derive(Debug, Clone)]
pub struct UrlOrigin {
    /// The final URL, with the requested fragment.
    pub url: String,
    /// The context that the server names for plain JSON.
    pub context_url: Option<String>,
    /// The media type. `None` if a file is mapped to the URL.
    pub media_type: Option<MediaType>,
}

impl DocumentOrigin {
    /// Returns the path of a document that is a file on this machine.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| !self.is_elsewhere)
    }

    /// Returns the path of a document that is a file on any machine.
    pub fn named_path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the URL of a document that has one.
    pub fn url(&self) -> Option<&str> {
        self.arrival.as_ref().map(|arrival| arrival.url.as_str())
    }

    /// Returns the media type that its server gave.
    pub fn media_type(&self) -> Option<&MediaType> {
        self.arrival.as_ref()?.media_type.as_ref()
    }

    /// Returns the file name, or the last segment of the URL's path.
    pub fn file_name(&self) -> Option<String> {
        if let Some(url) = self.url() {
            let path = url.split(['?', '#']).next().unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or_default();
            return (!name.is_empty()).then(|| iri::percent_decode(name));
        }
        Some(shown(Path::new(self.named_path()?.file_name()?)))
    }

    /// Sets the URLs of the document in the options. `file_url` is the URL of a local file. Its relative contexts are
    /// read from beside the file, unless the user sets another URL for it.
    pub fn apply(&self, options: &mut JsonLdOptions, file_url: Option<String>) {
        if let Some(arrival) = &self.arrival {
            options.document_url.get_or_insert_with(|| arrival.url.clone());
            options.context_url.clone_from(&arrival.context_url);
        }
        if options.document_url.is_none() {
            options.context_base = file_url;
        }
        if let Some(base) = &self.stand_in_base
            && options.document_url.is_none()
        {
            options.base.get_or_insert_with(|| base.clone());
        }
        let Some(href) = &self.base_href else { return };
        // The document base URL of the HTML standard, resolved against each of the bases.
        let against = |base: &String| iri::resolve(href, base);
        options.base = match options.base.as_ref().or(options.document_url.as_ref()) {
            Some(base) => against(base),
            None => iri::is_iri(href).then(|| href.clone()),
        };
        options.document_url = options.document_url.as_ref().and_then(against);
        options.context_base = options.context_base.as_ref().and_then(against);
    }
}

/// Returns the name of a folder of parts.
pub fn folder_name(path: &ReplyPath) -> String {
    let folder = Path::new(if path.folder.is_empty() { "." } else { &path.folder });
    // A folder given as dots is named by its absolute path.
    let found = || folder.canonicalize().ok()?.file_name().map(|name| shown(Path::new(name)));
    let name = folder.file_name().map(|name| shown(Path::new(name)));
    name.or_else(found).unwrap_or_else(|| "replies".to_owned())
}

/// Returns the file name without folder and extensions, or `stdin` if there is no file.
pub fn stem(origin: &DocumentOrigin) -> String {
    let Some(name) = origin.file_name() else {
        return "stdin".to_owned();
    };
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    match plain.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => plain.to_owned(),
    }
}
