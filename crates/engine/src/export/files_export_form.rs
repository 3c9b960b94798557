//! The options of an export into files.

use super::choice::GraphChoice;
use crate::input::compression::FileCompression;
use evalgraph_rdf::RdfFormat;

/// The formats that can be written quad by quad.
pub const FORMATS: [RdfFormat; 4] =
    [RdfFormat::NQuads, RdfFormat::TriG, RdfFormat::NTriples, RdfFormat::Turtle];

/// An export into files.
///
/// Other methods are in `files_export_run.rs`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FilesExport {
    /// The graphs.
    pub graphs: GraphChoice,
    /// N-Quads or TriG; or N-Triples or Turtle, with one file per graph.
    pub format: RdfFormat,
    /// The compression of the files.
    pub compression: Option<FileCompression>,
    /// How many bytes of text, before compression, a file has before the next one begins. Quads with blank nodes then
    /// go into their own file, since a blank node label means a different node in each file.
    pub split: Option<u64>,
    /// `true` to replace an earlier export in the folder.
    pub replaces: bool,
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportedFile {
    /// Its name in the folder.
    pub name: String,
    /// The graph of its triples, if the format has no graph names.
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
    /// The tables that were wanted, but have no rows and no file.
    pub empty_tables: Vec<&'static str>,
}

impl From<RdfFormat> for FilesExport {
    /// All graphs of documents, in files of unlimited size.
    fn from(format: RdfFormat) -> Self {
        Self { graphs: GraphChoice::default(), format, compression: None, split: None, replaces: false }
    }
}

impl FilesExport {
    /// The extensions of the file names.
    pub fn extensions(&self) -> String {
        let compression = self.compression.map(|compression| format!(".{}", compression.extension()));
        format!(".{}{}", self.format.name(), compression.unwrap_or_default())
    }
}
