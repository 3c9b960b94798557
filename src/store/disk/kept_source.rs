//! The text that a document was read from, kept beside its graphs: what RDF does not hold of it, the
//! order of its members and how it is laid out, can be found again at any time, whether or not the file is
//! still where it was. A tenth of its size, where a sidecar made at loading would double the time.

use std::io::{self, Read};
use std::sync::Arc;

use super::damage::Damage;
use super::medium::Medium;
use super::sections::{FileFacts, FileKind, Sections};
use super::sections_writer::SectionsWriter;
use crate::diagnostic::Diagnostic;

/// The quickest level.
const LEVEL: i32 = 1;

/// A text on its way into a store.
#[derive(Debug)]
pub struct CompressedText(Vec<u8>);

impl CompressedText {
    /// Compresses a text.
    ///
    /// # Errors
    ///
    /// What the library for it says, which has no reason to refuse a text.
    pub fn of(text: &[u8]) -> io::Result<Self> {
        zstd::bulk::compress(text, LEVEL).map(Self)
    }
}

/// Writes a text as one section.
///
/// # Errors
///
/// What the system says.
pub(super) fn write_source(medium: &dyn Medium, name: &str, text: &CompressedText) -> io::Result<FileFacts> {
    let mut file = SectionsWriter::create(medium, name, FileKind::Source)?;
    file.whole_section(&text.0)?;
    file.finish()
}

/// Reads a text.
///
/// # Errors
///
/// A file that is damaged or not there.
pub(super) fn read_source(medium: &dyn Medium, facts: &FileFacts) -> Result<Vec<u8>, Box<Diagnostic>> {
    let damage = Damage::default();
    let file = Arc::new(Sections::open(medium, facts, FileKind::Source, &damage)?);
    let mut text = Vec::new();
    let frame = file.bytes(0, 0..file.length(0)).unwrap_or_default();
    let read = zstd::stream::read::Decoder::new(frame).and_then(|mut decoder| decoder.read_to_end(&mut text));
    if read.is_err() {
        file.report("the text cannot be decompressed");
    }
    match damage.get() {
        Some(fault) => Err(Box::new(fault.clone())),
        None => Ok(text),
    }
}
