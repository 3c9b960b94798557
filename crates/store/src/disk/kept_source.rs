//! The text that a document was read from, kept beside its graphs. It preserves what RDF does not represent, such as
//! the order of members and the layout, even after the file is gone. Compressed, it has a tenth of its size. A sidecar
//! made at loading would double the time of a load.

use std::io::{self, Write};

use super::damage::StoreDamage;
use super::medium::StoreMedium;
use super::sections::{FileFacts, SectionedFile, StoreFileKind};
use super::sections_writer::SectionsWriter;
use super::store_location::{PartOfFile, StoreLocation};
use evalgraph_diagnostics::Diagnostic;

/// The quickest level of compression.
const LEVEL: i32 = 1;

/// A text on its way into a store or out of it.
#[derive(Debug)]
pub struct CompressedText(pub(super) Vec<u8>);

impl CompressedText {
    /// Compresses a text.
    ///
    /// # Errors
    ///
    /// An error of the compression library, which has no reason to reject a text.
    pub fn from_text(text: &[u8]) -> io::Result<Self> {
        zstd::bulk::compress(text, LEVEL).map(Self)
    }

    /// The text as frames of zstd (RFC 8878).
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// A text that is written piece by piece.
pub(super) struct SourceWriter(zstd::stream::write::Encoder<'static, SectionOutput>);

struct SectionOutput(SectionsWriter);

impl Write for SectionOutput {
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
    /// An error of the system, here as in the other functions.
    pub(super) fn create(medium: &dyn StoreMedium, name: &str) -> io::Result<Self> {
        let mut file = SectionsWriter::create(medium, name, StoreFileKind::Source)?;
        file.section()?;
        zstd::stream::write::Encoder::new(SectionOutput(file), LEVEL).map(Self)
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
/// An error of the system.
pub(super) fn write_source(
    medium: &dyn StoreMedium,
    name: &str,
    text: &CompressedText,
) -> io::Result<FileFacts> {
    let mut file = SectionsWriter::create(medium, name, StoreFileKind::Source)?;
    file.whole_section(&text.0)?;
    file.finish()
}

/// A file of the texts of several documents, one after the other, that is being written.
pub(super) struct TextsWriter(SectionsWriter);

impl TextsWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn create(medium: &dyn StoreMedium, name: &str) -> io::Result<Self> {
        let mut file = SectionsWriter::create(medium, name, StoreFileKind::Source)?;
        file.section()?;
        Ok(Self(file))
    }

    /// Returns how many bytes there are so far.
    pub(super) fn bytes(&self) -> u64 {
        self.0.section_length()
    }

    /// Appends a compressed text.
    pub(super) fn frame(&mut self, frame: &[u8]) -> io::Result<PartOfFile> {
        self.0.aligned(&[])?;
        let (first, bytes) = (self.bytes(), frame.len() as u64);
        self.0.bytes(frame)?;
        Ok(PartOfFile { first, count: bytes, bytes })
    }

    /// Ends the file.
    pub(super) fn finish(self) -> io::Result<FileFacts> {
        self.0.finish()
    }
}

/// Reads a text.
///
/// # Errors
///
/// A file that is damaged or missing.
pub(super) fn read_source(
    medium: &dyn StoreMedium,
    place: &StoreLocation,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let damage = StoreDamage::default();
    let file = SectionedFile::open(medium, &place.file.facts(), StoreFileKind::Source, &damage)?;
    let mut text = Vec::new();
    copy_source(&file, place, &mut text);
    damage.check().map(|()| text)
}

/// Reads a text without decompressing it: a text in an untrusted store could decompress to any size.
///
/// # Errors
///
/// A file that is damaged or missing.
pub(super) fn read_compressed(
    medium: &dyn StoreMedium,
    place: &StoreLocation,
) -> Result<CompressedText, Box<Diagnostic>> {
    let damage = StoreDamage::default();
    let file = SectionedFile::open(medium, &place.file.facts(), StoreFileKind::Source, &damage)?;
    let text = frame_of(&file, place).to_vec();
    damage.check().map(|()| CompressedText(text))
}

/// Checks a text by decompressing it, whatever its size, without keeping it.
///
/// # Errors
///
/// A file that is damaged or missing.
pub(super) fn check_source(medium: &dyn StoreMedium, place: &StoreLocation) -> Result<(), Box<Diagnostic>> {
    let damage = StoreDamage::default();
    let file = SectionedFile::open(medium, &place.file.facts(), StoreFileKind::Source, &damage)?;
    copy_source(&file, place, &mut io::sink());
    damage.check()
}

/// The compressed text at a place in its file. If it cannot be read, it is empty, and the fault is recorded for the
/// file.
pub(super) fn frame_of<'f>(file: &'f SectionedFile, place: &StoreLocation) -> &'f [u8] {
    let all = 0..file.length(0);
    let end = |part: PartOfFile| part.first.saturating_add(part.count);
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let part = place.part.map_or(all, |part| number(part.first)..number(end(part)));
    file.bytes(0, part).unwrap_or_default()
}

/// Writes a text to `out`. Faults are recorded for the file.
pub(super) fn copy_source(file: &SectionedFile, place: &StoreLocation, out: &mut dyn Write) {
    let decoder = zstd::stream::read::Decoder::new(frame_of(file, place));
    if decoder.and_then(|mut decoder| io::copy(&mut decoder, out)).is_err() {
        file.report("the text cannot be decompressed");
    }
}
