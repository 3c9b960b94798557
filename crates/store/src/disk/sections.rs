//! A file of a store: sections of numbers or bytes, cut into blocks with a checksum each.
//!
//! ```text
//! magic, version, kind                 16 bytes
//! sections                             each from a place that is a multiple of 8
//! a CRC-32 for each block of 4 KiB     4 bytes a block, over all bytes before
//! a CRC-32 for each 4 KiB of those     4 bytes each
//! start and length of each section     16 bytes a section
//! body, sections, CRC-32, magic        8 + 4 + 4 + 8 bytes: the length of the part that blocks cover, the number
//!                                      of sections, the checksum of all bytes behind the checksums of blocks
//! ```
//!
//! All numbers are little-endian. Opening a file checks its end and the first block. Every other block is checked when
//! it is first read, and so are the checksums of some thousand blocks, so the time to open a file does not depend on
//! its size. In files of version 1 a block has 64 KiB, and the end itself covers the checksums of blocks.

use std::fs::File;
use std::ops::Range;
use std::path::PathBuf;

use super::blocks::{BLOCK, BLOCK_OF_VERSION_1, ChecksummedBlocks};
use super::damage::{StoreDamage, damaged};
use super::file_mapping::FileMapping;
use super::medium::StoreMedium;
use evalgraph_diagnostics::Diagnostic;

/// The first bytes of every file of a store.
pub(super) const MAGIC: &[u8; 8] = b"evalgrph";

/// The version of the files that are written. Earlier versions can be read; a store with files of a later version has a
/// later version itself.
pub(super) const VERSION: u32 = 3;

/// Where the version and the kind are.
const VERSION_AT: usize = 8;
const KIND_AT: usize = 12;

/// Where the first section begins.
pub(super) const HEAD: usize = 16;

/// The fixed part at the end.
pub(super) const TAIL: usize = 24;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum StoreFileKind {
    /// Terms.
    Terms = 1,
    /// Graphs.
    Segment = 2,
    /// The text that a document was read from, or those of several.
    Source = 3,
    /// Graphs of several documents.
    Pack = 4,
    /// The documents that do not fit into the manifest.
    Documents = 5,
}

/// The facts in the manifest that identify a file among others with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileFacts {
    pub(super) name: String,
    pub(super) length: u64,
    /// The checksum of its end, which contains the checksums of all blocks.
    pub(super) checksum: u32,
}

/// A file of a store that is open.
#[derive(Debug)]
pub(crate) struct SectionedFile {
    mapping: FileMapping,
    folder: PathBuf,
    name: String,
    sections: Vec<Range<usize>>,
    /// The head and the sections.
    body: ChecksummedBlocks,
    /// The checksums of the body; none if the end covers them.
    checksums: Option<ChecksummedBlocks>,
    damage: StoreDamage,
}

impl SectionedFile {
    /// Opens a file as the manifest describes it.
    ///
    /// # Errors
    ///
    /// A file that is missing or not readable, has another length or kind, or has a damaged end.
    pub(super) fn open(
        medium: &dyn StoreMedium,
        facts: &FileFacts,
        kind: StoreFileKind,
        damage: &StoreDamage,
    ) -> Result<Self, Box<Diagnostic>> {
        let wrong = |what: &str| Box::new(damaged(medium.folder(), &facts.name, what));
        let unreadable = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => wrong("it is missing"),
            _ => Box::new(super::fault(&error, &medium.folder().join(&facts.name), "read")),
        };
        let file: File = medium.open(&facts.name).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        if length != facts.length {
            return Err(wrong(&format!("it has {length} bytes instead of {}", facts.length)));
        }
        let mapping = FileMapping::from_file(&file).map_err(unreadable)?;
        mapping.expect_lookups();
        // The manifest has the checksum of the end, so an older file of the same name and length is refused.
        let end = SectionsTrailer::read(mapping.bytes(), facts.checksum)
            .ok_or_else(|| wrong("its end is not what was written"))?;
        let SectionsTrailer { sections, body, checksums } = end;
        let (folder, name) = (medium.folder().to_owned(), facts.name.clone());
        let file = Self { mapping, folder, name, sections, body, checksums, damage: damage.clone() };
        if !file.is_whole(0) {
            return Err(wrong("its first block is not what was written"));
        }
        let number = |at: usize| number(file.mapping.bytes(), at).unwrap_or_default();
        let (version, found) = (number(VERSION_AT), number(KIND_AT));
        let is_known = (1..=VERSION).contains(&version);
        if &file.mapping.bytes()[..8] != MAGIC || found != kind as u32 || !is_known {
            return Err(wrong("it is another kind of file"));
        }
        Ok(file)
    }

    /// The bytes of a part of a section; none if the section has no such part or a block is damaged. In both cases the
    /// dataset records the fault.
    #[inline]
    pub(crate) fn bytes(&self, section: usize, part: Range<usize>) -> Option<&[u8]> {
        let whole = self.sections.get(section)?;
        let (start, end) = (whole.start + part.start, whole.start.checked_add(part.end)?);
        if start > end || end > whole.end {
            self.report("a part of it is not where it should be");
            return None;
        }
        if start == end {
            return Some(&[]);
        }
        // All blocks between `start` and `unknown` are intact.
        let mut unknown = start;
        while unknown < end
            && let Some(block) = self.body.first_unknown(unknown..end)
        {
            if !self.is_whole(block) {
                self.report(&format!("the checksum of block {block} is wrong"));
                return None;
            }
            unknown = self.body.end_of(block);
        }
        Some(&self.mapping.bytes()[start..end])
    }

    /// The bytes of a part of a section whose blocks were all checked before.
    #[inline]
    pub(crate) fn checked_bytes(&self, section: usize, part: Range<usize>) -> Option<&[u8]> {
        let section = self.sections.get(section)?;
        self.mapping.bytes().get(section.start + part.start..section.start + part.end)
    }

    /// Returns how many bytes a section has.
    pub(crate) fn length(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, ExactSizeIterator::len)
    }

    /// Returns how many sections there are.
    pub(super) fn count(&self) -> usize {
        self.sections.len()
    }

    /// Records a fault of this file.
    #[cold]
    pub(super) fn report(&self, what: &str) {
        self.damage.add(damaged(&self.folder, &self.name, what));
    }

    /// All bytes of the file, whether they are damaged or not.
    pub(super) fn all_bytes(&self) -> &[u8] {
        self.mapping.bytes()
    }

    /// How many blocks are damaged.
    pub(super) fn damaged_blocks(&self) -> usize {
        (0..self.body.count()).filter(|block| !self.is_whole(*block)).count()
    }

    /// Checks whether a block is intact, and remembers a success.
    #[cold]
    fn is_whole(&self, block: usize) -> bool {
        let bytes = self.mapping.bytes();
        let has_checksum = self.checksums.as_ref().is_none_or(|checksums| {
            let block = ChecksummedBlocks::checksum_block(block);
            checksums.is_known(block) || checksums.is_whole(bytes, block)
        });
        has_checksum && self.body.is_whole(bytes, block)
    }
}

/// The content of the end of a file.
struct SectionsTrailer {
    sections: Vec<Range<usize>>,
    body: ChecksummedBlocks,
    checksums: Option<ChecksummedBlocks>,
}

impl SectionsTrailer {
    /// Reads the end of a file; none if the end is damaged or belongs to another file.
    fn read(bytes: &[u8], checksum: u32) -> Option<Self> {
        let tail = bytes.len().checked_sub(TAIL)?;
        let long = |at: usize| usize::try_from(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok();
        let (body, count) = (long(tail)?, number(bytes, tail + 8)? as usize);
        let is_ours = bytes.ends_with(MAGIC) && number(bytes, tail + 12)? == checksum && body >= HEAD;
        if !is_ours || body > tail {
            return None;
        }
        // A version that was altered does not fit the lengths or the first block.
        let (body, checksums) = if number(bytes, VERSION_AT)? == 1 {
            (ChecksummedBlocks::new(0..body, BLOCK_OF_VERSION_1), None)
        } else {
            let body = ChecksummedBlocks::new(0..body, BLOCK);
            let checksums = ChecksummedBlocks::new(body.checksums(), BLOCK);
            (body, Some(checksums))
        };
        let last = checksums.as_ref().unwrap_or(&body).checksums();
        let table = tail.checked_sub(count.checked_mul(16)?)?;
        if table != last.end || crc32fast::hash(&bytes[last.start..tail + 12]) != checksum {
            return None;
        }
        let sections = (0..count).map(|section| {
            let (start, length) = (long(table + 16 * section)?, long(table + 16 * section + 8)?);
            let end = start.checked_add(length)?;
            // Numbers are read where they are in the mapping, so they must be aligned.
            (start % 8 == 0 && start >= HEAD && end <= body.end()).then_some(start..end)
        });
        Some(Self { sections: sections.collect::<Option<_>>()?, body, checksums })
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
