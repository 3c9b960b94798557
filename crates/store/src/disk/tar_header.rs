//! The headers of a tar archive (ustar), as backups have them: regular files with plain names and fixed dates, so equal
//! stores have equal backups. Reading accepts only the bytes that writing makes.

/// Headers and contents fill blocks of this size.
pub(super) const TAR_BLOCK: usize = 512;

/// The bytes at the end of an archive: two empty blocks.
pub(super) const TAR_END: usize = 2 * TAR_BLOCK;

/// Where the fields are that differ from file to file.
const NAME: std::ops::Range<usize> = 0..100;
const SIZE: std::ops::Range<usize> = 124..136;
const CHECKSUM: std::ops::Range<usize> = 148..156;

/// The largest size that fits into the field as an octal number.
const MOST_OCTAL: u64 = 0o777_7777_7777;

/// The header of a file; none if the name is too long.
pub(super) fn header(name: &str, size: u64) -> Option<[u8; TAR_BLOCK]> {
    let mut header = [0; TAR_BLOCK];
    let mut put = |at: usize, field: &[u8]| header[at..at + field.len()].copy_from_slice(field);
    (name.len() < NAME.len()).then_some(())?;
    put(NAME.start, name.as_bytes());
    for (at, field) in [(100, "0000644"), (108, "0000000"), (116, "0000000"), (136, "00000000000")] {
        put(at, field.as_bytes());
    }
    if size <= MOST_OCTAL {
        put(SIZE.start, format!("{size:011o}").as_bytes());
    } else {
        // The extension of GNU tar for large files: the highest bit is set, and a big-endian number follows.
        put(SIZE.start, &[0x80]);
        put(SIZE.end - 8, &size.to_be_bytes());
    }
    put(156, b"0");
    put(257, b"ustar\x0000");
    // The checksum is computed as if its own field had spaces.
    put(CHECKSUM.start, b"        ");
    let sum: u32 = header.iter().copied().map(u32::from).sum();
    header[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Some(header)
}

/// The name and the size of a file; none for a header that [`header`] does not make.
pub(super) fn read(block: &[u8; TAR_BLOCK]) -> Option<(String, u64)> {
    let name = block[NAME].split(|byte| *byte == 0).next()?;
    let name = std::str::from_utf8(name).ok()?.to_owned();
    let field = &block[SIZE];
    let size = if field[0] == 0x80 {
        u64::from_be_bytes(*field.last_chunk()?)
    } else {
        let digits = field.strip_suffix(&[0])?;
        digits.iter().try_fold(0_u64, |size, digit| {
            (b'0'..=b'7').contains(digit).then(|| 8 * size + u64::from(digit - b'0'))
        })?
    };
    (header(&name, size).as_ref() == Some(block)).then_some((name, size))
}

/// How many zeros follow a content of that size.
pub(super) fn padding(size: u64) -> usize {
    let block = TAR_BLOCK as u64;
    usize::try_from((block - size % block) % block).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_are_written_and_nothing_else_is() {
        for (name, size) in [("manifest", 0), ("terms-12", 511), ("graphs-3", 1 << 40), ("a", u64::MAX)] {
            let written = header(name, size).expect("the name is short");
            assert_eq!(read(&written), Some((name.to_owned(), size)));
            for at in 0..TAR_BLOCK {
                let mut changed = written;
                changed[at] ^= 1;
                assert_eq!(read(&changed), None, "byte {at} of {name}");
            }
        }
        assert_eq!(header(&"x".repeat(100), 1), None);
        assert_eq!([0, 1, 511, 512, 513].map(padding), [0, 511, 1, 0, 511]);
    }
}
