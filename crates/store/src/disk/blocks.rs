//! A part of a file, cut into blocks that each have a checksum, and a record of which blocks are known to be intact.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes a checksum covers: one page, since a lookup reads a few bytes here and there.
pub(super) const BLOCK: usize = 4 << 10;

/// How many bytes a checksum covered in files of version 1.
pub(super) const BLOCK_OF_VERSION_1: usize = 64 << 10;

/// How many bytes a checksum has.
const CHECKSUM: usize = 4;

/// A part of a file. The checksums of its blocks follow it.
#[derive(Debug)]
pub(super) struct ChecksummedBlocks {
    part: Range<usize>,
    /// How many bits of an offset in the part are the offset in its block.
    bits: u32,
    /// A bit for each block that is known to be intact.
    whole: Box<[AtomicU64]>,
}

impl ChecksummedBlocks {
    /// A part in blocks of that many bytes, which must be a power of two.
    pub(super) fn new(part: Range<usize>, block: usize) -> Self {
        let whole = (0..part.len().div_ceil(block).div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Self { part, bits: block.ilog2(), whole }
    }

    /// Where the part ends.
    pub(super) fn end(&self) -> usize {
        self.part.end
    }

    /// How many blocks there are.
    pub(super) fn count(&self) -> usize {
        self.part.len().div_ceil(1 << self.bits)
    }

    /// The place of the checksums.
    pub(super) fn checksums(&self) -> Range<usize> {
        self.part.end..self.part.end + CHECKSUM * self.count()
    }

    /// The checksums are cut into blocks too: returns the one with the checksum of a block.
    pub(super) fn checksum_block(block: usize) -> usize {
        block * CHECKSUM / BLOCK
    }

    /// The first block not yet known to be intact, among those that cover a range of bytes. The part must be at the
    /// beginning of the file.
    #[inline]
    pub(super) fn first_unknown(&self, bytes: Range<usize>) -> Option<usize> {
        let (first, last) = (bytes.start >> self.bits, bytes.end.checked_sub(1)? >> self.bits);
        (first / 64..=last / 64).find_map(|word| {
            let from = if word == first / 64 { u64::MAX << (first % 64) } else { u64::MAX };
            let to = if word == last / 64 { u64::MAX >> (63 - last % 64) } else { u64::MAX };
            let unknown = !self.whole[word].load(Ordering::Relaxed) & from & to;
            (unknown != 0).then(|| 64 * word + unknown.trailing_zeros() as usize)
        })
    }

    /// Where a block ends.
    pub(super) fn end_of(&self, block: usize) -> usize {
        (block + 1) << self.bits
    }

    /// Returns whether a block is known to be intact.
    pub(super) fn is_known(&self, block: usize) -> bool {
        self.whole[block / 64].load(Ordering::Relaxed) & 1 << (block % 64) != 0
    }

    /// Checks whether a block is intact, and remembers a success.
    pub(super) fn is_whole(&self, file: &[u8], block: usize) -> bool {
        let start = self.part.start + (block << self.bits);
        let covered = start..(start + (1 << self.bits)).min(self.part.end);
        let checksum = file.get(self.part.end + CHECKSUM * block..).and_then(|rest| rest.first_chunk());
        let is_whole = checksum == Some(&crc32fast::hash(&file[covered]).to_le_bytes());
        if is_whole {
            // Relaxed, since the bytes never change: a thread that misses the bit only checks the block again.
            self.whole[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        is_whole
    }
}

/// The checksums of the blocks of a part.
pub(super) fn checksums(part: &[u8]) -> impl Iterator<Item = [u8; CHECKSUM]> {
    part.chunks(BLOCK).map(|block| crc32fast::hash(block).to_le_bytes())
}
