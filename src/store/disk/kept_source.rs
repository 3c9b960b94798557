//! The text that a document was read from, kept beside its graphs: what RDF does not hold of it, the
//! order of its members and how it is laid out, can be found again at any time, whether or not the file is
//! still where it was. A tenth of its size, where a sidecar made at loading would double the time.

use std::io::{self, Read, Write};

use super::damage::Damage;
use super::medium::Medium;
use super::place::{Location, PartOfFile};
use super::sections::{FileFacts, FileKind, Sections};
use super::sections_writer::SectionsWriter;
use crate::diagnostic::help::{help, setting};
use crate::diagnostic::{Diagnostic, codes};

/// The quickest level.
const LEVEL: i32 = 1;

/// A text on its way into a store.
#[derive(Debug)]
pub struct CompressedText(pub(super) Vec<u8>);

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

/// The texts of several documents, one behind the other, that are being written.
pub(super) struct TextsWriter(SectionsWriter);

impl TextsWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// What the system says, here as in the other functions.
    pub(super) fn create(medium: &dyn Medium, name: &str) -> io::Result<Self> {
        let mut file = SectionsWriter::create(medium, name, FileKind::Source)?;
        file.section()?;
        Ok(Self(file))
    }

    /// Tells how many bytes there are so far.
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

/// Reads a text of so many bytes at most: a store from elsewhere may keep one that opens to any size.
///
/// # Errors
///
/// A file that is damaged or not there; `input::too-large`.
pub(super) fn read_source(
    medium: &dyn Medium,
    place: &Location,
    most: u64,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    let damage = Damage::default();
    let facts = place.file.facts();
    let file = Sections::open(medium, &facts, FileKind::Source, &damage)?;
    let mut text = Vec::new();
    // One byte more than the limit tells that there are more.
    copy_source(&file, place, most.saturating_add(1), &mut text);
    if text.len() as u64 > most {
        let message =
            format!("the text that the store keeps in `{}` opens to more than {most} bytes", facts.name);
        let help = help![
            "raise the limit with ",
            setting("max-size"),
            ", for example ",
            setting("max-size").to("4GiB")
        ];
        return Err(Box::new(Diagnostic::error(codes::INPUT_TOO_LARGE, message).with_help(help)));
    }
    damage.check().map(|()| text)
}

/// Reads a text, and keeps nothing of it, however much it opens to.
///
/// # Errors
///
/// A file that is damaged or not there.
pub(super) fn check_source(medium: &dyn Medium, place: &Location) -> Result<(), Box<Diagnostic>> {
    let damage = Damage::default();
    let file = Sections::open(medium, &place.file.facts(), FileKind::Source, &damage)?;
    copy_source(&file, place, u64::MAX, &mut io::sink());
    damage.check()
}

/// The compressed text of a place, as it stands in its file; nothing where it cannot be read, which the file's damage
/// knows.
pub(super) fn frame_of<'f>(file: &'f Sections, place: &Location) -> &'f [u8] {
    let all = 0..file.length(0);
    let end = |part: PartOfFile| part.first.saturating_add(part.count);
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let part = place.part.map_or(all, |part| number(part.first)..number(end(part)));
    file.bytes(0, part).unwrap_or_default()
}

/// Reads so many bytes of a text at most, and says with the file's damage what is wrong with it.
pub(super) fn copy_source(file: &Sections, place: &Location, most: u64, out: &mut dyn Write) {
    let decoder = zstd::stream::read::Decoder::new(frame_of(file, place));
    if decoder.and_then(|decoder| io::copy(&mut decoder.take(most), out)).is_err() {
        file.report("the text cannot be decompressed");
    }
}
