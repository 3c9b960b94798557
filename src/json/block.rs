//! Eight bytes looked at together: which of them a parser has to stop at.
//!
//! Each answer has the high bit set of every byte that is meant. The lowest such bit is exact; a
//! borrow in the arithmetic may set wrong ones behind it.

/// How many bytes a block has.
pub(super) const BLOCK: usize = 8;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

#[inline]
fn word(block: &[u8; BLOCK]) -> u64 {
    u64::from_le_bytes(*block)
}

#[inline]
fn below(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(byte)) & !word
}

/// The first byte that a JSON string cannot hold as it is: a quote, a backslash or a control
/// character.
#[inline]
pub(super) fn first_special(block: &[u8; BLOCK]) -> Option<usize> {
    let word = word(block);
    let quotes = below(word ^ (ONES * u64::from(b'"')), 1);
    let backslashes = below(word ^ (ONES * u64::from(b'\\')), 1);
    first((quotes | backslashes | below(word, 0x20)) & HIGH)
}

/// The first backslash.
#[inline]
pub(super) fn first_backslash(block: &[u8; BLOCK]) -> Option<usize> {
    first(below(word(block) ^ (ONES * u64::from(b'\\')), 1) & HIGH)
}

/// How many blanks the block begins with.
#[inline]
pub(super) fn leading_blanks(block: &[u8; BLOCK]) -> usize {
    (word(block) ^ (ONES * u64::from(b' '))).trailing_zeros() as usize / 8
}

#[inline]
fn first(marks: u64) -> Option<usize> {
    (marks != 0).then(|| marks.trailing_zeros() as usize / 8)
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
