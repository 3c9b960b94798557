//! Looks at sixteen bytes at once, to find those at which a parser has to stop.

use wide::u8x16;

/// The number of bytes in a block.
pub(super) const BLOCK: usize = 16;

/// The first byte that must be escaped in a JSON string: a quote, a backslash or a control character.
#[inline]
fn first_special(block: &[u8; BLOCK]) -> Option<usize> {
    let block = u8x16::from(*block);
    let last_control = u8x16::splat(0x1f);
    let controls = block.min(last_control).simd_eq(block);
    first((equal(block, b'"') | equal(block, b'\\') | controls).to_bitmask())
}

/// The first backslash.
#[inline]
pub(super) fn first_backslash(block: &[u8; BLOCK]) -> Option<usize> {
    first(equal(u8x16::from(*block), b'\\').to_bitmask())
}

/// Returns how many blanks the block begins with.
#[inline]
pub(super) fn leading_blanks(block: &[u8; BLOCK]) -> usize {
    (!equal(u8x16::from(*block), b' ').to_bitmask()).trailing_zeros() as usize
}

/// Returns the position of the first byte from `at` that is not white space, or the end of the text.
#[inline]
pub(super) fn after_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
        while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let blanks = leading_blanks(block);
            at += blanks;
            if blanks < BLOCK {
                break;
            }
        }
    }
    at
}

/// Returns the position of the first byte from `at` that must be escaped in a JSON string, or the end of the text.
#[inline]
pub(super) fn next_special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        if let Some(found) = first_special(block) {
            return at + found;
        }
        at += BLOCK;
    }
    while at < bytes.len() && bytes[at] >= 0x20 && bytes[at] != b'"' && bytes[at] != b'\\' {
        at += 1;
    }
    at
}

#[inline]
fn equal(block: u8x16, byte: u8) -> u8x16 {
    block.simd_eq(u8x16::splat(byte))
}

#[inline]
fn first(marks: u32) -> Option<usize> {
    (marks != 0).then(|| marks.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_answer_as_byte_by_byte() {
        for byte in 0..=u8::MAX {
            for (at, other) in (0..BLOCK).flat_map(|at| [(at, b'"'), (at, 0x7f), (at, 0x80), (at, b' ')]) {
                let mut block = [other; BLOCK];
                block[at] = byte;
                let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
                assert_eq!(first_special(&block), block.iter().position(special), "{block:?}");
                assert_eq!(
                    first_backslash(&block),
                    block.iter().position(|byte| *byte == b'\\'),
                    "{block:?}"
                );
                let blanks = block.iter().take_while(|byte| **byte == b' ').count();
                assert_eq!(leading_blanks(&block), blanks, "{block:?}");
            }
        }
    }
}
