//! Files in memory: the one place of the project with `unsafe`.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Advice, Mmap};

/// A file as a slice of bytes. It stays readable when its name is removed.
#[derive(Debug)]
pub(super) struct Mapping(Mmap);

impl Mapping {
    /// Maps a file whole.
    ///
    /// # Errors
    ///
    /// What the system says, and a file without content, which no system maps.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        if file.metadata()?.len() == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is empty"));
        }
        // SAFETY: the slice is sound as long as nobody changes the file. The files of a store are
        // written once, under a name of their own that is never given again, and only read
        // afterwards; replacing one is writing another, and removing a name leaves the mapping whole.
        // Bytes are looked at as integers only, behind checksums, so that a file changed by something
        // else is found to be damaged. One that another program cuts short while it is mapped ends the
        // process: nothing that maps files can help that.
        let map = unsafe { Mmap::map(file) }?;
        Ok(Self(map))
    }

    /// Says that places are looked up here and there, so that nothing is read ahead.
    pub(super) fn expect_lookups(&self) {
        // Advice that the system does not take costs speed alone.
        let _ = self.0.advise(Advice::Random);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
