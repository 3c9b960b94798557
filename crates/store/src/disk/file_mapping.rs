//! Files in memory: the one place of the project with `unsafe`.

#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};

use memmap2::{Advice, Mmap};

/// Shorter files are read, not mapped: the system allows some 65,000 mappings, and a store may have more small files.
const SMALL: u64 = 64 << 10;

/// A file as a slice of bytes. It stays readable when its name is removed.
#[derive(Debug)]
pub(super) enum FileMapping {
    /// A file that the system has mapped.
    Mapped(Mmap),
    /// A small file that was read, and its length in bytes. Its numbers are aligned as in the file.
    Read(Box<[u64]>, usize),
}

impl FileMapping {
    /// Maps a file whole, or reads a small one.
    ///
    /// # Errors
    ///
    /// An error of the system, and an empty file, which no system maps.
    pub(super) fn from_file(file: &File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        if length == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is empty"));
        }
        if length < SMALL {
            return Self::read(file, usize::try_from(length).map_err(io::Error::other)?);
        }
        // SAFETY: the slice is sound as long as the file does not change. The files of a store are
        // written once, under a name of their own that is never given again, and only read
        // afterwards; replacing one is writing another, and removing a name leaves the mapping whole.
        // Bytes are looked at as integers only, behind checksums, so that a file changed by something
        // else is found to be damaged. One that another program cuts short while it is mapped ends the
        // process: nothing that maps files can help that.
        let map = unsafe { Mmap::map(file) }?;
        Ok(Self::Mapped(map))
    }

    fn read(mut file: &File, length: usize) -> io::Result<Self> {
        let mut words = vec![0_u64; length.div_ceil(size_of::<u64>())].into_boxed_slice();
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut words)[..length])?;
        Ok(Self::Read(words, length))
    }

    /// Announces lookups at scattered places, so that the system reads nothing ahead.
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
