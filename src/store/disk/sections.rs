//! A file of a store: sections of numbers or bytes, cut into blocks with a checksum each.
//!
//! ```text
//! magic, version, kind                 16 bytes
//! sections                             each from a place that is a multiple of 8
//! a CRC-32 for each block of 64 KiB    4 bytes a block, over all bytes before
//! start and length of each section     16 bytes a section
//! body, sections, CRC-32, magic        8 + 4 + 4 + 8 bytes: the length of the part that blocks cover, the number
//!                                      of sections, the checksum of all bytes after the body
//! ```
//!
//! All numbers are little-endian. Opening checks the end and the first block; every other block is
//! checked when it is first looked at, so that opening takes the same time whatever the size.

use std::fs::File;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use super::damage::{Damage, damaged};
use super::mapping::Mapping;
use super::medium::Medium;
use crate::diagnostic::Diagnostic;
use std::path::Path;

/// The first bytes of every file of a store.
pub(super) const MAGIC: &[u8; 8] = b"evalgrph";

/// The version of the files. A program reads the versions that it knows.
pub(super) const VERSION: u32 = 1;

/// How many bytes a checksum covers.
pub(super) const BLOCK: usize = 64 << 10;

/// Where the first section begins.
pub(super) const HEAD: usize = 16;

/// The fixed part at the end.
pub(super) const TAIL: usize = 24;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum FileKind {
    /// Terms.
    Terms = 1,
    /// Graphs.
    Segment = 2,
    /// The text that a document was read from, or those of several.
    Source = 3,
    /// Graphs of several documents.
    Pack = 4,
    /// The documents that have no room in the manifest.
    Documents = 5,
}

/// The facts in the manifest that distinguish a file from others of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileFacts {
    pub(super) name: String,
    pub(super) length: u64,
    /// The checksum of its end, which contains the checksums of all blocks.
    pub(super) checksum: u32,
}

/// A file of a store that is open.
#[derive(Debug)]
pub(in crate::store) struct Sections {
    mapping: Mapping,
    folder: PathBuf,
    name: String,
    /// Where the sections end and the checksums begin.
    body: usize,
    sections: Vec<Range<usize>>,
    /// A bit for each block that was found to be whole.
    whole: Box<[AtomicU64]>,
    damage: Damage,
}

impl Sections {
    /// Opens a file as the manifest describes it.
    ///
    /// # Errors
    ///
    /// A file that is not there or not readable, of another length, kind or version, or whose end is
    /// damaged.
    pub(super) fn open(
        medium: &dyn Medium,
        facts: &FileFacts,
        kind: FileKind,
        damage: &Damage,
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
        let mapping = Mapping::of(&file).map_err(unreadable)?;
        mapping.expect_lookups();
        let end = End::read(mapping.bytes(), facts.checksum)
            .ok_or_else(|| wrong("its end is not what was written"))?;
        let blocks = end.body.div_ceil(BLOCK);
        let whole = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let (folder, name) = (medium.folder().to_owned(), facts.name.clone());
        let file = Self {
            mapping,
            folder,
            name,
            body: end.body,
            sections: end.sections,
            whole,
            damage: damage.clone(),
        };
        if !file.is_whole(0) {
            return Err(wrong("its first block is not what was written"));
        }
        let (version, found) = (file.number(8), file.number(12));
        if &file.mapping.bytes()[..8] != MAGIC || found != kind as u32 {
            return Err(wrong("it is another kind of file"));
        }
        if version != VERSION {
            return Err(Box::new(newer(&medium.folder().join(&facts.name), version)));
        }
        Ok(file)
    }

    /// The bytes of a part of a section; none if the section has no such part or a block is damaged: then the
    /// dataset keeps the fault.
    #[inline]
    pub(in crate::store) fn bytes(&self, section: usize, part: Range<usize>) -> Option<&[u8]> {
        let whole = self.sections.get(section)?;
        let (start, end) = (whole.start + part.start, whole.start.checked_add(part.end)?);
        if start > end || end > whole.end {
            self.report("a part of it is not where it should be");
            return None;
        }
        if start == end {
            return Some(&[]);
        }
        for block in start / BLOCK..=(end - 1) / BLOCK {
            let bit = 1 << (block % 64);
            if self.whole[block / 64].load(Ordering::Relaxed) & bit == 0 && !self.is_whole(block) {
                self.report(&format!("the checksum of block {block} is wrong"));
                return None;
            }
        }
        Some(&self.mapping.bytes()[start..end])
    }

    /// The bytes of a part of a section whose blocks were all checked before.
    #[inline]
    pub(in crate::store) fn checked_bytes(&self, section: usize, part: Range<usize>) -> Option<&[u8]> {
        let section = self.sections.get(section)?;
        self.mapping.bytes().get(section.start + part.start..section.start + part.end)
    }

    /// Tells how many bytes a section has.
    pub(in crate::store) fn length(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, ExactSizeIterator::len)
    }

    /// Tells how many sections there are.
    pub(super) fn count(&self) -> usize {
        self.sections.len()
    }

    /// Keeps a fault of this file.
    #[cold]
    pub(super) fn report(&self, what: &str) {
        self.damage.add(damaged(&self.folder, &self.name, what));
    }

    /// How many blocks are damaged.
    pub(super) fn damaged_blocks(&self) -> usize {
        (0..self.body.div_ceil(BLOCK)).filter(|block| !self.is_whole(*block)).count()
    }

    /// Checks whether a block is whole, and remembers a success.
    #[cold]
    fn is_whole(&self, block: usize) -> bool {
        let bytes = self.mapping.bytes();
        let covered = block * BLOCK..((block + 1) * BLOCK).min(self.body);
        let is_whole = crc32fast::hash(&bytes[covered]) == self.number(self.body + 4 * block);
        if is_whole {
            self.whole[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        is_whole
    }

    fn number(&self, at: usize) -> u32 {
        let bytes = self.mapping.bytes().get(at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }
}

/// The content of the end of a file.
struct End {
    body: usize,
    sections: Vec<Range<usize>>,
}

impl End {
    /// Reads the end of a file; none if the end is damaged or belongs to another file.
    fn read(bytes: &[u8], checksum: u32) -> Option<Self> {
        let tail = bytes.len().checked_sub(TAIL)?;
        let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let long = |at: usize| usize::try_from(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok();
        let (body, count) = (long(tail)?, number(tail + 8)? as usize);
        let is_ours = bytes.ends_with(MAGIC) && number(tail + 12)? == checksum && body >= HEAD;
        let table = tail.checked_sub(count.checked_mul(16)?)?;
        if !is_ours || table != body.checked_add(4 * body.div_ceil(BLOCK))? {
            return None;
        }
        let mut covered = crc32fast::Hasher::new();
        covered.update(&bytes[body..tail + 12]);
        if covered.finalize() != checksum {
            return None;
        }
        let sections = (0..count).map(|section| {
            let (start, length) = (long(table + 16 * section)?, long(table + 16 * section + 8)?);
            let end = start.checked_add(length)?;
            (start % 8 == 0 && start >= HEAD && end <= body).then_some(start..end)
        });
        Some(Self { body, sections: sections.collect::<Option<_>>()? })
    }
}

pub(super) fn newer(path: &Path, version: u32) -> Diagnostic {
    let message = format!(
        "`{}` has version {version} of the store's files, and this program knows version {}",
        path.display(),
        VERSION
    );
    Diagnostic::error("store::version", message).with_help("use a newer evalgraph")
}
