//! Text on its way to a terminal. Control characters are made visible, wherever the text comes from. Text that goes
//! elsewhere stays unchanged.

use std::io::{self, Write};

use super::visible::{is_obeyed, push_visible};

/// Text whose last character may be incomplete.
#[derive(Debug, Default)]
pub(super) struct HarmlessText {
    pending: Vec<u8>,
}

impl HarmlessText {
    /// Writes further bytes, up to the last complete character.
    pub(super) fn write(&mut self, bytes: &[u8], output: &mut impl Write) -> io::Result<()> {
        self.pending.extend_from_slice(bytes);
        let mut whole = whole_characters(&self.pending);
        // The next byte decides whether it is part of a line end.
        if self.pending[..whole].ends_with(b"\r") {
            whole -= 1;
        }
        let rest = self.pending.split_off(whole);
        let text = std::mem::replace(&mut self.pending, rest);
        output.write_all(shown(&String::from_utf8_lossy(&text)).as_bytes())
    }

    /// Writes the remaining bytes.
    pub(super) fn finish(&mut self, output: &mut impl Write) -> io::Result<()> {
        let text = std::mem::take(&mut self.pending);
        output.write_all(shown(&String::from_utf8_lossy(&text)).as_bytes())
    }
}

/// Makes a text of whole lines safe for a terminal.
pub(super) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => shown.push(character),
            '\r' if characters.peek() == Some(&'\n') => shown.push(character),
            _ if is_obeyed(character) => push_visible(character, &mut shown),
            _ => shown.push(character),
        }
    }
    shown
}

/// The length of bytes without an incomplete last character.
fn whole_characters(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let needed = match bytes[at] {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xFF => 4,
            0x80..=0xBF => continue,
            _ => 1,
        };
        return if needed > back { at } else { bytes.len() };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_however_it_comes() {
        let text = "a\tß\u{1b}]0;t\u{7}\r\nb\rc \u{9b}2J \u{202e}d \u{1f600}\n";
        let expected = "a\tß␛]0;t␇\r\nb␍c \\u{9b}2J \\u{202e}d \u{1f600}\n";
        for size in 1..=text.len() {
            let (mut harmless, mut output) = (HarmlessText::default(), Vec::new());
            for piece in text.as_bytes().chunks(size) {
                harmless.write(piece, &mut output).expect("memory takes all");
            }
            harmless.finish(&mut output).expect("memory takes all");
            assert_eq!(String::from_utf8(output).expect("it is UTF-8"), expected, "{size}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_not_obeyed() {
        let (mut harmless, mut output) = (HarmlessText::default(), Vec::new());
        harmless.write(b"a\x9b2J\xf0\x9f", &mut output).expect("memory takes all");
        harmless.finish(&mut output).expect("memory takes all");
        assert_eq!(String::from_utf8(output).expect("it is UTF-8"), "a\u{fffd}2J\u{fffd}");
    }
}
