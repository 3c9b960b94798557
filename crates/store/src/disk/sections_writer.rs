//! Writes a file of a store, front to back, with its checksums.

use std::io;

use super::blocks::checksums;
use super::medium::{MediumFile, StoreMedium};
use super::sections::{FileFacts, HEAD, MAGIC, StoreFileKind, VERSION};

/// How many bytes are written at once: a multiple of the block size.
const BUFFER: usize = 64 << 10;

/// A file that is being written. The next change removes it if it is never finished.
pub(super) struct SectionsWriter {
    file: Box<dyn MediumFile>,
    name: String,
    /// The blocks that are being filled.
    buffer: Vec<u8>,
    checksums: Vec<u8>,
    written: usize,
    sections: Vec<(usize, usize)>,
}

impl SectionsWriter {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// An error of the system, here as in the other functions.
    pub(super) fn create(medium: &dyn StoreMedium, name: &str, kind: StoreFileKind) -> io::Result<Self> {
        let file = medium.create(name)?;
        let mut writer = Self {
            file,
            name: name.to_owned(),
            buffer: Vec::with_capacity(BUFFER),
            checksums: Vec::new(),
            written: 0,
            sections: Vec::new(),
        };
        writer.write(MAGIC)?;
        writer.write(&VERSION.to_le_bytes())?;
        writer.write(&(kind as u32).to_le_bytes())?;
        debug_assert_eq!(writer.place(), HEAD);
        Ok(writer)
    }

    /// Begins the next section.
    pub(super) fn section(&mut self) -> io::Result<()> {
        let padding = self.place().next_multiple_of(8) - self.place();
        self.write(&[0; 8][..padding])?;
        self.sections.push((self.place(), 0));
        Ok(())
    }

    /// Writes a section that consists of one piece.
    pub(super) fn whole_section(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.section()?;
        self.bytes(bytes)
    }

    /// Appends to the section.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes)?;
        if let Some((_, length)) = self.sections.last_mut() {
            *length += bytes.len();
        }
        Ok(())
    }

    /// Appends to the section, aligned to a multiple of 8 bytes.
    pub(super) fn aligned(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Sections begin at multiples of 8, too.
        let padding = self.place().next_multiple_of(8) - self.place();
        self.bytes(&[0; 8][..padding])?;
        self.bytes(bytes)
    }

    /// How many bytes the section has so far, rounded up to a multiple of 8 for the next aligned content.
    pub(super) fn section_length(&self) -> u64 {
        self.sections.last().map_or(0, |(_, length)| length.next_multiple_of(8) as u64)
    }

    /// Writes the end and waits until the file is safe against a loss of power.
    pub(super) fn finish(mut self) -> io::Result<FileFacts> {
        let body = self.place();
        self.end_blocks()?;
        let mut end: Vec<u8> = checksums(&self.checksums).flatten().collect();
        for (start, length) in &self.sections {
            end.extend_from_slice(&(*start as u64).to_le_bytes());
            end.extend_from_slice(&(*length as u64).to_le_bytes());
        }
        end.extend_from_slice(&(body as u64).to_le_bytes());
        // A file has a few sections, or a few for each of its graphs.
        end.extend_from_slice(&u32::try_from(self.sections.len()).map_err(io::Error::other)?.to_le_bytes());
        let checksum = crc32fast::hash(&end);
        end.extend_from_slice(&checksum.to_le_bytes());
        end.extend_from_slice(MAGIC);
        self.checksums.append(&mut end);
        self.file.write_all(&self.checksums)?;
        self.file.flush()?;
        self.file.sync()?;
        Ok(FileFacts { name: self.name, length: (body + self.checksums.len()) as u64, checksum })
    }

    fn place(&self) -> usize {
        self.written + self.buffer.len()
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = BUFFER - self.buffer.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() == BUFFER {
                self.end_blocks()?;
            }
        }
        Ok(())
    }

    fn end_blocks(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.checksums.extend(checksums(&self.buffer).flatten());
            self.file.write_all(&self.buffer)?;
            self.written += self.buffer.len();
            self.buffer.clear();
        }
        Ok(())
    }
}
