//! Finds the lines of a text, and counts the characters of a line before a byte.

use std::sync::OnceLock;

use super::{byte_order_mark, count_characters};

/// The most bytes of a line in which characters are counted for each place. The characters of all blocks before are
/// counted once.
const BLOCK: usize = 4096;

/// The lines of one text. They are counted once, when the first place in the text is needed.
///
/// Callers pass the text to each function; it must always be the same.
#[derive(Debug, Default)]
pub struct LineIndex {
    starts: OnceLock<Vec<usize>>,
    /// How many characters come before each block; counted only for texts with long lines.
    characters: OnceLock<Vec<usize>>,
}

impl LineIndex {
    /// Returns where lines begin. Old tables may have carriage returns instead of line feeds.
    fn starts(&self, text: &[u8]) -> &[usize] {
        self.starts.get_or_init(|| {
            let end = if memchr::memchr(b'\n', text).is_some() { b'\n' } else { b'\r' };
            let after = memchr::memchr_iter(end, text).map(|at| at + 1);
            std::iter::once(byte_order_mark(text)).chain(after).collect()
        })
    }

    /// Returns the line of a byte, from 0, the start of the line, and its end before the line break.
    pub(super) fn line(&self, text: &[u8], at: usize) -> (usize, usize, usize) {
        let starts = self.starts(text);
        // The byte order mark comes before the first line.
        let line = starts.partition_point(|&start| start <= at).saturating_sub(1);
        let end = starts.get(line + 1).map_or(text.len(), |next| next - 1);
        (line, starts[line], end)
    }

    /// Counts the characters between the start of a line and a byte of it.
    pub(super) fn characters(&self, text: &[u8], start: usize, at: usize) -> usize {
        if at - start <= BLOCK {
            return count_characters(&text[start..at]);
        }
        self.characters_before(text, at) - self.characters_before(text, start)
    }

    fn characters_before(&self, text: &[u8], at: usize) -> usize {
        let before_blocks = self.characters.get_or_init(|| {
            let counted = text.chunks(BLOCK).scan(0, |before, block| {
                let here = *before;
                *before += count_characters(block);
                Some(here)
            });
            counted.collect()
        });
        let block = at / BLOCK;
        // The end of the text may be the start of a block that does not exist.
        let (block, before) = match before_blocks.get(block) {
            Some(before) => (block, *before),
            None => (block - 1, before_blocks[block - 1]),
        };
        before + count_characters(&text[block * BLOCK..at])
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, LineIndex};

    #[test]
    fn characters_of_a_long_line_are_those_that_stand_there() {
        let text = format!("a\n{}\nz", "aé€𝄞".repeat(BLOCK / 5));
        let index = LineIndex::default();
        for (characters, (at, _)) in text[2..].char_indices().enumerate() {
            let (_, start, _) = index.line(text.as_bytes(), 2 + at);
            if start == 2 {
                assert_eq!(index.characters(text.as_bytes(), 2, 2 + at), characters);
            }
        }
    }

    #[test]
    fn a_text_may_end_with_a_block() {
        let text = vec![b'a'; 2 * BLOCK];
        let index = LineIndex::default();
        assert_eq!(index.characters(&text, 0, text.len()), text.len());
        assert_eq!(index.line(&text, text.len()), (0, 0, text.len()));
    }
}
