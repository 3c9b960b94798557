//! Compares the bytes of two files without reading either completely into memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How many bytes are compared at a time.
const BLOCK: u64 = 64 << 10;

/// Returns whether two files have the same bytes.
///
/// # Errors
///
/// If one of them cannot be read.
pub fn have_same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    loop {
        let (mut here, mut there) = (Vec::new(), Vec::new());
        one.by_ref().take(BLOCK).read_to_end(&mut here)?;
        other.by_ref().take(BLOCK).read_to_end(&mut there)?;
        if here != there || here.is_empty() {
            return Ok(here == there);
        }
    }
}
