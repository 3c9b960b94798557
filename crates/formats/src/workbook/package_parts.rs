//! Checks the sizes of the parts of a workbook, which is a zip archive, before anything is read from them. The sizes
//! that an archive states may be wrong, so each part is unpacked once, and nothing of it is kept.

use std::io::{self, Cursor, Read, Write};

use zip::ZipArchive;
use zip::result::ZipError;

use super::workbook_faults::{SheetFailure, damaged};

/// The largest part with styles in bytes. They take many times as much memory as text.
const MOST_STYLES: u64 = 16 << 20;

/// Checks that the parts of a workbook are whole, and that they take at most this many bytes together.
pub(super) fn check_parts(name: &str, bytes: &[u8], most: u64) -> Result<(), SheetFailure> {
    let unreadable = |error: ZipError| damaged(name, error);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    let mut left = most;
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(unreadable)?;
        let part_name = part.name().map_err(unreadable)?.to_lowercase();
        let most = if part_name.ends_with("styles.xml") { left.min(MOST_STYLES) } else { left };
        if part.size() > most {
            return Err(SheetFailure::TooLarge);
        }
        let mut seen = UnpackedPart { bytes: 0, texts: None };
        if part_name.ends_with("sharedstrings.xml") {
            seen.texts = Some(Vec::new());
        }
        let read = io::copy(&mut part.by_ref().take(most.saturating_add(1)), &mut seen);
        read.map_err(|error| damaged(name, error))?;
        if seen.bytes > most {
            return Err(SheetFailure::TooLarge);
        }
        if seen.texts.is_some_and(|texts| promises_too_much(&texts)) {
            return Err(damaged(name, "it has fewer texts than it says").into());
        }
        left -= seen.bytes;
    }
    Ok(())
}

/// The bytes of a part, which are only counted unless the part has the texts of the workbook.
struct UnpackedPart {
    bytes: u64,
    texts: Option<Vec<u8>>,
}

impl Write for UnpackedPart {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        if let Some(texts) = &mut self.texts {
            texts.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether the part with the texts says that it has more of them than it has bytes. The library reserves memory
/// for as many.
fn promises_too_much(part: &[u8]) -> bool {
    const COUNT: &[u8] = b"uniqueCount";
    // The text may be UTF-16.
    let part: Vec<u8> = part.iter().copied().filter(|byte| *byte != 0).collect();
    memchr::memmem::find_iter(&part, COUNT).any(|at| {
        let after = part[at + COUNT.len()..].iter().skip_while(|byte| !byte.is_ascii_digit());
        let digits = after.take_while(|byte| byte.is_ascii_digit());
        let count = digits
            .fold(0u64, |count, digit| count.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        let is_beside = part[at + COUNT.len()..].iter().take(64).any(u8::is_ascii_digit);
        is_beside && count > part.len() as u64
    })
}

#[cfg(test)]
mod tests {
    use super::promises_too_much;

    #[test]
    fn a_part_cannot_have_more_texts_than_bytes() {
        assert!(!promises_too_much(
            br#"<sst count="9" uniqueCount="2"><si><t>a</t></si><si><t>b</t></si></sst>"#
        ));
        assert!(promises_too_much(
            br#"<sst uniqueCount = '99999999999999999999999'><si><t>a</t></si></sst>"#
        ));
        assert!(!promises_too_much(b"<sst><si><t>uniqueCount</t></si></sst>"));
    }
}
