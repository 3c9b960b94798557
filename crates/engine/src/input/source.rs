//! Reads the inputs of a run: files, stdin and text in a store. URLs are read by [`url_sources`](super::url_sources).
//!
//! Every fault is a finding with its own code. [`rdf::detect`](evalgraph_rdf::detect()) determines the format of the
//! bytes.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::archive::archive;
#[cfg(feature = "tables")]
use super::archive::{is_log, is_workbook};
use super::compression::{DecompressedStream, ReadFailure, open};
use super::files_read::FilesRead;
use super::guard::SecretGuard;
use super::origin::{DocumentOrigin, StoredName};
use super::path_text::{plain, shown};
use super::syntax::RecordSyntax;
use evalgraph_diagnostics::help::{help, raising, setting};
use evalgraph_diagnostics::{Diagnostic, TableCells, codes, thousands};
#[cfg(feature = "tables")]
use evalgraph_formats::evaluation_log::{LoggedRun, logged_run};
#[cfg(feature = "parquet")]
use evalgraph_formats::parquet::{is_parquet, json_lines};
use evalgraph_formats::records::ReplyPath;
use evalgraph_formats::rows::RowOptions;
#[cfg(feature = "tables")]
use evalgraph_formats::workbook::{SheetChoice, SheetText, read_sheet};
#[cfg(feature = "tables")]
use evalgraph_json::Limits;
use evalgraph_json::{TextEncoding, decode_as};
use evalgraph_rdf::iri::without_userinfo;

/// Where an input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputSource {
    /// A file.
    File(PathBuf),
    /// A file that is a part of one dataset with other files.
    Part(PathBuf, ReplyPath),
    /// Standard input.
    Stdin,
    /// The document of a URL.
    Url(String),
    /// A document of a store or a server.
    Stored(StoredText),
}

/// The text of a document of a store or a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredText {
    /// The file that it was read from, as messages name it.
    pub name: String,
    /// The text. It may be compressed, like that of a file.
    pub bytes: Arc<[u8]>,
    /// The dataset that the text belongs to.
    pub dataset: Option<StoredName>,
    /// `true` if this is only the graph, not text that was loaded or would be written.
    pub is_graph: bool,
    /// `true` if it comes from a server, which may give a file any name.
    pub is_elsewhere: bool,
}

/// An input that was read.
#[derive(Debug)]
pub struct RawInput {
    /// Where the bytes come from.
    pub origin: DocumentOrigin,
    /// The content, decompressed.
    pub bytes: Vec<u8>,
    /// The encoding of the input.
    pub encoding: TextEncoding,
    /// The maximum size of one record in bytes, if the whole input may be larger.
    pub most_of_record: Option<u64>,
    /// The cells that the content was written from, if the input is a workbook.
    pub cells: Option<Arc<TableCells>>,
    /// What was found in a workbook.
    pub findings: Vec<Diagnostic>,
}

impl RawInput {
    /// Makes an input from bytes in UTF-8.
    pub fn from_bytes(origin: DocumentOrigin, bytes: Vec<u8>) -> Self {
        let encoding = TextEncoding::Utf8;
        Self { origin, bytes, encoding, most_of_record: None, cells: None, findings: Vec::new() }
    }

    /// Returns the input as UTF-8, converted if an encoding was named, or if the byte order mark of a table or of
    /// records says UTF-16.
    ///
    /// # Errors
    ///
    /// `json::encoding` if the bytes are not in that encoding.
    pub fn decoded(mut self, encoding: Option<TextEncoding>) -> Result<Self, Box<Diagnostic>> {
        // The text of a workbook was written here.
        if self.cells.is_some() {
            return Ok(self);
        }
        let is_utf_16 = matches!(self.bytes.as_slice(), [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
        // JSON-LD and RDF have to be UTF-8. Tables and records may be UTF-16, as spreadsheet programs write it.
        let by_mark =
            (is_utf_16 && RecordSyntax::is_of_records(&self.origin.name)).then_some(TextEncoding::Auto);
        let Some(named) = encoding.or(by_mark) else { return Ok(self) };
        self.encoding = if named == TextEncoding::Auto && is_utf_16 { TextEncoding::Utf16 } else { named };
        let guard = SecretGuard::from_bytes(&self.bytes);
        self.bytes = guard.checked(decode_as(&self.origin.name, self.bytes, named))?.into_bytes();
        Ok(self)
    }
}

impl InputSource {
    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) | Self::Part(path, _) => shown(path),
            Self::Stdin => "-".to_owned(),
            Self::Url(url) => without_userinfo(url).into_owned(),
            Self::Stored(stored) => stored.name.clone(),
        }
    }

    /// The path of a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Part(path, _) => Some(path),
            Self::Stdin | Self::Url(_) | Self::Stored(_) => None,
        }
    }

    /// Returns the size on disk, or 0 if it is unknown.
    pub fn size(&self) -> u64 {
        match self {
            Self::File(path) | Self::Part(path, _) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            Self::Stdin | Self::Url(_) => 0,
            Self::Stored(stored) => stored.bytes.len() as u64,
        }
    }

    /// Reads the source and decompresses it.
    ///
    /// # Errors
    ///
    /// `input::unreadable`; `input::damaged` for a broken compressed stream; `input::too-large` if the source has more
    /// than `max_size` bytes; `input::url` for a URL, which [`url_sources`](super::url_sources) reads.
    pub fn read(&self, max_size: u64, files_read: &FilesRead) -> Result<RawInput, Box<Diagnostic>> {
        self.begin(files_read)?.read(max_size, &RowOptions::default())
    }

    /// Reads the beginning of the source.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::read`], except for the size limit.
    pub fn begin(&self, files_read: &FilesRead) -> Result<BegunInput, Box<Diagnostic>> {
        let mut origin = DocumentOrigin { name: self.name(), ..DocumentOrigin::default() };
        match self {
            Self::File(path) | Self::Part(path, _) => {
                let file = File::open(path).map_err(|error| Box::new(unreadable(&origin.name, &error)))?;
                files_read.note(path, &file);
                origin.path = Some(path.clone());
                if let Self::Part(_, part) = self {
                    origin.part = Some(part.clone());
                }
                BegunInput::from_source(origin, file)
            }
            Self::Stdin => BegunInput::from_source(origin, io::stdin()),
            Self::Url(url) => Err(Box::new(network_is_off(url))),
            Self::Stored(stored) => {
                origin.path = Some(PathBuf::from(&stored.name));
                origin.stored.clone_from(&stored.dataset);
                origin.is_elsewhere = stored.is_elsewhere;
                let begun = BegunInput::from_source(origin, io::Cursor::new(stored.bytes.clone()))?;
                // The compression that a store uses for its texts is not a property of the file.
                Ok(BegunInput { inside: None, ..begun })
            }
        }
    }
}

/// An input whose beginning was read.
pub struct BegunInput {
    pub(crate) origin: DocumentOrigin,
    /// Its first bytes, decompressed.
    pub head: Vec<u8>,
    /// The stream of the remaining bytes. `None` if the beginning is the whole input.
    rest: Option<DecompressedStream>,
    /// The name of its compression.
    inside: Option<&'static str>,
}

impl BegunInput {
    /// Begins to read a source.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::begin`].
    pub fn from_source(
        origin: DocumentOrigin,
        source: impl io::Read + Send + 'static,
    ) -> Result<Self, Box<Diagnostic>> {
        let fault = |failure| Box::new(read_fault(&origin.name, failure, 0));
        let (mut opened, inside) = open(source).map_err(fault)?;
        let mut head = Vec::new();
        // One more byte shows whether there is a rest.
        let read = opened.by_ref().take(HEAD + 1).read_to_end(&mut head);
        read.map_err(|error| fault(ReadFailure::from_error(error, inside)))?;
        let rest = (head.len() as u64 > HEAD).then_some(opened);
        Ok(Self { origin, head, rest, inside })
    }

    /// Returns whether the input has more bytes than were read so far.
    pub fn has_more(&self) -> bool {
        self.rest.is_some()
    }

    /// Returns whether the input has more bytes than a limit. Continues to read as far as needed.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::read`].
    pub fn is_beyond(&mut self, limit: u64) -> Result<bool, Box<Diagnostic>> {
        let length = self.head.len() as u64;
        if length <= limit
            && let Some(rest) = &mut self.rest
        {
            // One byte more than the limit shows that there are more.
            let wanted = limit.saturating_add(1) - length;
            let read = rest.take(wanted).read_to_end(&mut self.head);
            let fault = |error| {
                Box::new(read_fault(&self.origin.name, ReadFailure::from_error(error, self.inside), limit))
            };
            if (read.map_err(fault)? as u64) < wanted {
                self.rest = None;
            }
        }
        Ok(self.head.len() as u64 > limit)
    }

    /// Returns a stream of all bytes.
    pub fn into_bytes(self) -> DecompressedStream {
        let head = io::Cursor::new(self.head);
        match self.rest {
            Some(rest) => Box::new(head.chain(rest)),
            None => Box::new(head),
        }
    }

    /// Reads the rest. Rows of a Parquet file or of a workbook become text.
    ///
    /// # Errors
    ///
    /// The errors of [`InputSource::read`].
    pub fn read(mut self, max_size: u64, rows: &RowOptions) -> Result<RawInput, Box<Diagnostic>> {
        let is_beyond = self.is_beyond(max_size)?;
        let Self { origin, head: bytes, inside, .. } = self;
        let too_large =
            |inside| Box::new(read_fault(&origin.name, ReadFailure::TooLarge { inside }, max_size));
        if is_beyond {
            return Err(too_large(inside));
        }
        #[cfg(feature = "parquet")]
        if is_parquet(&bytes) {
            let lines = json_lines(&origin.name, bytes, max_size)?;
            let bytes = lines.ok_or_else(|| too_large(Some("Parquet")))?.into_bytes();
            let origin = DocumentOrigin { syntax: RecordSyntax::JsonLines, ..origin };
            return Ok(RawInput::from_bytes(origin, bytes));
        }
        #[cfg(feature = "tables")]
        if is_workbook(&origin.name, &bytes) {
            let choice = SheetChoice { sheet: rows.sheet.as_deref(), wanted: rows.wanted_columns() };
            let read = read_sheet(&origin.name, &bytes, &choice, max_size)?;
            let SheetText { text, cells, findings } = read.ok_or_else(|| too_large(Some("xlsx")))?;
            let origin = DocumentOrigin { syntax: RecordSyntax::Csv, ..origin };
            let cells = Some(Arc::new(cells));
            return Ok(RawInput { cells, findings, ..RawInput::from_bytes(origin, text.into_bytes()) });
        }
        #[cfg(feature = "tables")]
        if is_log(&bytes) {
            let limits = Limits { size: max_size, ..Limits::default() };
            let read = logged_run(&origin.name, &bytes, limits)?;
            let LoggedRun { json, note } = read.ok_or_else(|| too_large(Some("zip")))?;
            let origin = DocumentOrigin { syntax: RecordSyntax::Json, ..origin };
            let findings = note.into_iter().collect();
            return Ok(RawInput { findings, ..RawInput::from_bytes(origin, json.into_bytes()) });
        }
        #[cfg(not(feature = "tables"))]
        let _ = rows;
        if let Some(fault) = archive(&origin.name, &bytes) {
            return Err(Box::new(fault));
        }
        Ok(RawInput::from_bytes(origin, bytes))
    }
}

/// How many bytes are read to recognise an input: enough to find the longest list of a file, and small compared with
/// the quads that are made from it.
const HEAD: u64 = 32 << 20;

fn read_fault(name: &str, failure: ReadFailure, max_size: u64) -> Diagnostic {
    match failure {
        ReadFailure::Unreadable(error) => unreadable(name, &error),
        ReadFailure::Damaged { inside, cause } => {
            let message = format!("the {inside} stream in `{name}` is damaged or cut off: {}", plain(&cause));
            Diagnostic::error("input::damaged", message)
        }
        ReadFailure::TooLarge { inside } => {
            let what = match inside {
                Some(compression) => format!("`{name}` decompresses ({compression}) to"),
                None => format!("`{name}` contains"),
            };
            let message = format!("{what} more than {} bytes", thousands(max_size));
            Diagnostic::error(codes::INPUT_TOO_LARGE, message).with_help(raising("max-size", "4GiB"))
        }
    }
}

fn network_is_off(url: &str) -> Diagnostic {
    Diagnostic::error("input::url", format!("`{}` is a URL, and the network is off", without_userinfo(url)))
        .with_help(help!["read it with ", setting("net"), ", or download it first and give the file"])
}

/// Returns the fault that a file cannot be read.
pub fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error(codes::INPUT_UNREADABLE, format!("`{name}` cannot be read: {}", plain(error)))
}
