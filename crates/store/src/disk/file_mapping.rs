//! Files in memory: the only module of the project with `unsafe`.

#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};

use memmap2::{Advice, Mmap};

/// Shorter files are read, not mapped: the system allows some 65,000 mappings, and a store may have more small files.
const SMALL: u64 = 64 << 10;

/// A file as a slice of bytes. It stays readable after its name is removed.
#[derive(Debug)]
pub(super) enum FileMapping {
    /// A file that is mapped into memory.
    Mapped(Mmap),
    /// A small file that was read, and its length in bytes. The buffer keeps the alignment that numbers have in the
    /// file.
    Read(Box<[u64]>, usize),
}

impl FileMapping {
    /// Maps a file, or reads it if it is small.
    ///
    /// # Errors
    ///
    /// An error of the system; an empty file, which cannot be mapped.
    pub(super) fn from_file(file: &File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        if length == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is empty"));
        }
        if length < SMALL {
            return Self::read(file, usize::try_from(length).map_err(io::Error::other)?);
        }
        // SAFETY: the slice is sound while the file does not change. The files of a store are written once, under a
        // name that is never used again, and afterwards only read. Replacing a file means writing another, and removing
        // its name does not affect the mapping. Bytes are used only as integers, and behind checksums, so a file that
        // something else has changed is found to be damaged. If another program truncates a mapped file, the process
        // ends: a program that maps files cannot prevent that.
        let map = unsafe { Mmap::map(file) }?;
        Ok(Self::Mapped(map))
    }

    fn read(mut file: &File, length: usize) -> io::Result<Self> {
        let mut words = vec![0_u64; length.div_ceil(size_of::<u64>())].into_boxed_slice();
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut words)[..length])?;
        Ok(Self::Read(words, length))
    }

    /// Tells the system to expect lookups at scattered places, for which it should not read ahead.
    pub(super) fn expect_lookups(&self) {
        if let Self::Mapped(map) = self {
            // If the system ignores the advice, only speed is lost.
            let _ = map.advise(Advice::Random);
        }
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(words, length) => &bytemuck::cast_slice(words)[..*length],
        }
    }
}
