//! The text that a document was read from, kept beside its graphs: what RDF does not hold of it, the
//! order of its members and how it is laid out, can be found again at any time, whether or not the file is
//! still where it was. A tenth of its size, where a sidecar made at loading would double the time.

use std::io::{self, Write};

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

/// A text that is written piece by piece.
pub(super) struct SourceWriter(zstd::stream::write::Encoder<'static, Section>);

struct Section(SectionsWriter);

impl Write for Section {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.bytes(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SourceWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// What the system says, here as in the other functions.
    pub(super) fn create(medium: &dyn Medium, name: &str) -> io::Result<Self> {
        let mut file = SectionsWriter::create(medium, name, FileKind::Source)?;
        file.section()?;
        zstd::stream::write::Encoder::new(Section(file), LEVEL).map(Self)
    }

    /// Appends to the text.
    pub(super) fn text(&mut self, text: &[u8]) -> io::Result<()> {
        self.0.write_all(text)
    }

    /// Ends the file.
    pub(super) fn finish(self) -> io::Result<FileFacts> {
        self.0.finish()?.0.finish()
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
    let mut text = Vec::new();
    copy_source(medium, facts, &mut text)?;
    Ok(text)
}

/// Reads a text, and keeps nothing of it.
///
/// # Errors
///
/// As [`read_source`].
pub(super) fn check_source(medium: &dyn Medium, facts: &FileFacts) -> Result<(), Box<Diagnostic>> {
    copy_source(medium, facts, &mut io::sink())
}

fn copy_source(medium: &dyn Medium, facts: &FileFacts, out: &mut dyn Write) -> Result<(), Box<Diagnostic>> {
    let damage = Damage::default();
    let file = Sections::open(medium, facts, FileKind::Source, &damage)?;
    let frame = file.bytes(0, 0..file.length(0)).unwrap_or_default();
    if zstd::stream::read::Decoder::new(frame).and_then(|mut decoder| io::copy(&mut decoder, out)).is_err() {
        file.report("the text cannot be decompressed");
    }
    damage.get().map_or(Ok(()), |fault| Err(Box::new(fault.clone())))
}
