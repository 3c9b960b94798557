//! The form of an export into files.

use super::choice::GraphChoice;
use crate::input::compression::FileCompression;
use evalgraph_rdf::RdfFormat;

/// The formats that are written quad by quad.
pub const FORMATS: [RdfFormat; 4] =
    [RdfFormat::NQuads, RdfFormat::TriG, RdfFormat::NTriples, RdfFormat::Turtle];

/// An export into files.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FilesExport {
    /// The graphs.
    pub graphs: GraphChoice,
    /// N-Quads or TriG; or N-Triples or Turtle, with a file for each graph.
    pub format: RdfFormat,
    /// The compression of the files.
    pub compression: Option<FileCompression>,
    /// The bytes of text, before compression, after which a file ends and the next one begins. Quads with blank nodes stand
    /// in a file of their own then, since a blank node of one file is another one in the next.
    pub split: Option<u64>,
    /// `true` if an earlier export in the folder is replaced.
    pub replaces: bool,
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportedFile {
    /// Its name in the folder.
    pub name: String,
    /// The graph of its triples, in a format without graph names.
    pub graph: Option<String>,
    /// How many quads it has.
    pub quads: u64,
    /// Its size.
    pub bytes: u64,
}

/// The result of an export.
#[derive(Debug, Default)]
pub struct FilesExportResult {
    /// The files.
    pub files: Vec<ExportedFile>,
    /// How many graphs the files have.
    pub graphs: usize,
}

impl From<RdfFormat> for FilesExport {
    /// All graphs of documents, in files as large as it takes.
    fn from(format: RdfFormat) -> Self {
        Self { graphs: GraphChoice::default(), format, compression: None, split: None, replaces: false }
    }
}

impl FilesExport {
    /// The end of the names of the files.
    pub fn extensions(&self) -> String {
        let compression = self.compression.map(|compression| format!(".{}", compression.extension()));
        format!(".{}{}", self.format.name(), compression.unwrap_or_default())
    }
}
