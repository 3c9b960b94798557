//! The documents in the directory of a dataset, with their names byte for byte, and their kinds by extension and by
//! first bytes.
//!
//! A document is identified by its basename, whatever its folder. The caller walks the directory.

use evalgraph_rdf::detect::is_html_page;
use std::collections::BTreeMap;

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusFile {
    /// Its path as messages show it.
    pub path: String,
    /// The bytes of its basename, which need not be UTF-8.
    pub name: Vec<u8>,
    /// Its number of bytes.
    pub size: u64,
    /// Its first bytes, at most [`CorpusFile::HEAD`].
    pub head: Vec<u8>,
}

/// The documents of a dataset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corpus {
    files: Vec<CorpusFile>,
    by_name: BTreeMap<Vec<u8>, Vec<usize>>,
}

/// The kind of a file, by its first bytes or by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorpusFileKind {
    /// PDF.
    Pdf,
    /// A web page.
    Html,
    /// A zip archive. Office documents are also zip archives.
    Zip,
    /// An Office document in the old binary format.
    Ole,
    /// An image.
    Image,
    /// Any other file that is not text.
    Binary,
    /// Text.
    Text,
}

impl CorpusFileKind {
    /// Returns the name of the kind in a message.
    pub fn description(self) -> &'static str {
        match self {
            Self::Pdf => "a PDF document",
            Self::Html => "an HTML page",
            Self::Zip => "a zip archive",
            Self::Ole => "an old Office document",
            Self::Image => "an image",
            Self::Binary => "binary data",
            Self::Text => "text",
        }
    }

    /// Returns the kind of a file by its first bytes.
    pub fn of_head(head: &[u8]) -> Self {
        match head {
            [b'%', b'P', b'D', b'F', b'-', ..] => Self::Pdf,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Self::Zip,
            [0xD0, 0xCF, 0x11, 0xE0, ..] => Self::Ole,
            [0x89, b'P', b'N', b'G', ..] | [0xFF, 0xD8, 0xFF, ..] | [b'G', b'I', b'F', b'8', ..] => {
                Self::Image
            }
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Self::Text,
            _ if is_html_page("", head) => Self::Html,
            _ if head.contains(&0) => Self::Binary,
            _ => Self::Text,
        }
    }

    /// Returns the kind that an extension promises, or `None` for an unknown extension.
    fn of_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "pdf" => Self::Pdf,
            "html" | "htm" | "xhtml" => Self::Html,
            "docx" | "pptx" | "xlsx" | "odt" | "ods" | "odp" | "epub" | "zip" => Self::Zip,
            "doc" | "ppt" | "xls" => Self::Ole,
            "png" | "jpg" | "jpeg" | "gif" => Self::Image,
            "txt" | "md" | "rst" | "csv" | "tsv" | "json" | "jsonl" | "xml" | "yaml" | "yml" | "tex" => {
                Self::Text
            }
            _ => return None,
        })
    }
}

impl CorpusFile {
    /// The number of bytes that are read from the beginning of a file.
    pub const HEAD: usize = 1024;

    /// Returns the extension in lower case, or an empty string if there is none.
    pub fn extension(&self) -> String {
        let name = String::from_utf8_lossy(&self.name);
        match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
            _ => String::new(),
        }
    }

    /// Returns the kind of the content if the name promises another kind.
    pub fn contradiction(&self) -> Option<CorpusFileKind> {
        let extension = self.extension();
        let (named, found) = (CorpusFileKind::of_extension(&extension)?, CorpusFileKind::of_head(&self.head));
        let agrees = match (named, found) {
            // A web page may lack its first tags, and a text file may contain HTML.
            (CorpusFileKind::Html, CorpusFileKind::Text) => true,
            (CorpusFileKind::Text, CorpusFileKind::Html) => extension != "txt",
            // A file with an old extension may have the new format.
            (CorpusFileKind::Ole, CorpusFileKind::Zip) => true,
            (named, found) => named == found,
        };
        (!agrees && !self.head.is_empty()).then_some(found)
    }
}

impl Corpus {
    /// Creates a corpus from its documents, which are sorted by path.
    pub fn new(mut files: Vec<CorpusFile>) -> Self {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let mut by_name: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for (at, file) in files.iter().enumerate() {
            by_name.entry(file.name.clone()).or_default().push(at);
        }
        Self { files, by_name }
    }

    /// Returns all files, sorted by path.
    pub fn files(&self) -> &[CorpusFile] {
        &self.files
    }

    /// Returns whether there is a file with this name, byte for byte.
    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name.as_bytes())
    }

    /// Returns the files of each name that several files share.
    pub fn repeated(&self) -> impl Iterator<Item = Vec<&CorpusFile>> {
        let groups = self.by_name.values().filter(|group| group.len() > 1);
        groups.map(|group| group.iter().map(|&at| &self.files[at]).collect())
    }

    /// Returns a file that a name may mean: the names differ only in case, or in percent-encoding on either side.
    pub fn similar(&self, name: &str) -> Option<&CorpusFile> {
        use evalgraph_rdf::iri::percent_decode;
        let wanted = percent_decode(name).to_lowercase();
        self.files
            .iter()
            .find(|file| percent_decode(&String::from_utf8_lossy(&file.name)).to_lowercase() == wanted)
    }

    /// Returns the number of files with each extension, the commonest first.
    pub fn extensions(&self) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for file in &self.files {
            *counts.entry(file.extension()).or_default() += 1;
        }
        let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts
    }

    /// Returns the file type to pass to the evaluator: the commonest extension.
    pub fn file_type(&self) -> Option<String> {
        self.extensions().into_iter().map(|(extension, _)| extension).find(|extension| !extension.is_empty())
    }
}
