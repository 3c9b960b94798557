//! The text that a document was read from, kept beside its graphs: what RDF does not hold of it, the
//! order of its members and how it is laid out, can be found again at any time, whether or not the file is
//! still where it was. A tenth of its size, where a sidecar made at loading would double the time.

use std::io::{self, Read, Write};
use std::sync::Arc;

use super::damage::Damage;
use super::medium::Medium;
use super::sections::{FileFacts, FileKind, Sections};
use super::sections_writer::SectionsWriter;
use crate::diagnostic::Diagnostic;

/// The quickest level.
const LEVEL: i32 = 1;

/// Writes a text, compressed as one section.
///
/// # Errors
///
/// What the system says.
pub(super) fn write_source(medium: &dyn Medium, name: &str, text: &[u8]) -> io::Result<FileFacts> {
    let mut file = SectionsWriter::create(medium, name, FileKind::Source)?;
    file.section()?;
    let mut encoder = zstd::stream::write::Encoder::new(Appending(&mut file), LEVEL)?;
    encoder.write_all(text)?;
    encoder.finish()?;
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

/// Appends to the section of a file.
struct Appending<'f>(&'f mut SectionsWriter);

impl Write for Appending<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.bytes(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
