//! Where a document comes from, as far as the meaning of what stands in it depends on that.

use std::path::{Path, PathBuf};

use super::arrival::Arrival;
use super::path_text::shown;
use super::source::{Begun, Input, StoredName};
use super::syntax::Syntax;
use crate::jsonld::{JsonLdOptions, MediaType};
use crate::rdf::iri;
use crate::source::rlcf::ReplyPath;

/// Tells where a document comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origin {
    path: Option<PathBuf>,
    part: Option<ReplyPath>,
    stored: Option<StoredName>,
    arrival: Option<Arrival>,
    /// What the `base` element says, where the document is a page.
    base_href: Option<String>,
    /// Whether it is a table, or JSON with one value a line.
    is_of_lines: bool,
}

impl Origin {
    /// The origin of a file.
    pub(crate) fn of_file(path: &Path) -> Self {
        Self { path: Some(path.to_owned()), ..Self::default() }
    }

    /// The origin of an input.
    pub(crate) fn of(input: &Input) -> Self {
        let (path, part, stored) = (input.path.clone(), input.part.clone(), input.stored.clone());
        let is_of_lines = matches!(input.syntax, Syntax::Csv | Syntax::JsonLines);
        Self { path, part, stored, arrival: input.arrival.clone(), base_href: None, is_of_lines }
    }

    /// Tells whether it is a table, or JSON with one value a line: records, unless they say that they are
    /// JSON-LD.
    pub(crate) fn is_of_lines(&self) -> bool {
        self.is_of_lines
    }

    /// Tells where the file lies among others as the parts of one dataset do.
    pub(crate) fn part(&self) -> Option<&ReplyPath> {
        self.part.as_ref()
    }

    /// Returns what the dataset is called, where the document comes from the store.
    pub(crate) fn stored(&self) -> Option<&StoredName> {
        self.stored.as_ref()
    }

    /// The origin of an input of which the beginning was read.
    pub(crate) fn of_begun(begun: &Begun) -> Self {
        let (path, part, stored) = (begun.path.clone(), begun.part.clone(), begun.stored.clone());
        let arrival = begun.arrival.clone();
        Self { path, part, stored, arrival, base_href: None, is_of_lines: false }
    }

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

    /// Notes the `base` element of a page.
    pub(crate) fn set_base_href(&mut self, base_href: Option<String>) {
        self.base_href = base_href;
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
