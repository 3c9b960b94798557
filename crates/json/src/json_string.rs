//! The escapes of JSON strings (RFC 8259, section 7), read and written.

use super::block::{self, BLOCK};
use std::fmt::Write as _;

/// Appends the unescaped content of a string.
///
/// `content` is the text between the quotes. The parser has checked its escapes.
pub fn unescape_into(content: &str, text: &mut String) {
    let bytes = content.as_bytes();
    text.reserve(content.len());
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = backslash(bytes, at) {
        text.push_str(&content[copied..found]);
        let length = match bytes.get(found + 1) {
            // By far the most common escape.
            Some(b'n') => {
                text.push('\n');
                2
            }
            Some(b'"') => {
                text.push('"');
                2
            }
            _ => {
                let (character, length) =
                    escape(&content[found..]).unwrap_or((char::REPLACEMENT_CHARACTER, 2));
                text.push(character);
                length
            }
        };
        at = (found + length).min(bytes.len());
        copied = at;
    }
    text.push_str(&content[copied..]);
}

/// Returns the position of the next backslash. Escapes are often close together, like the line ends of program code. So
/// a block is searched inline before a function is called.
#[inline]
fn backslash(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        if let Some(found) = block::first_backslash(block) {
            return Some(at + found);
        }
        at += BLOCK;
    }
    bytes[at.min(bytes.len())..].iter().position(|&byte| byte == b'\\').map(|offset| at + offset)
}

/// The fault of an escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EscapeFault {
    /// The letter after the backslash has no meaning, or four hex digits are missing.
    Unknown,
    /// Half of a surrogate pair.
    LoneSurrogate,
}

/// Returns the character of the escape that a text begins with, and the length of the escape.
pub(super) fn escape(text: &str) -> Result<(char, usize), EscapeFault> {
    let simple = match text.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'u') => return unicode_escape(text),
        _ => return Err(EscapeFault::Unknown),
    };
    Ok((simple, 2))
}

fn unicode_escape(text: &str) -> Result<(char, usize), EscapeFault> {
    let first = four_digits(text).ok_or(EscapeFault::Unknown)?;
    match first {
        0xD800..0xDC00 => {
            let second = text.get(6..).and_then(four_digits).filter(|unit| (0xDC00..0xE000).contains(unit));
            let second = second.ok_or(EscapeFault::LoneSurrogate)?;
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            Ok((char::from_u32(code).ok_or(EscapeFault::LoneSurrogate)?, 12))
        }
        _ => Ok((char::from_u32(first).ok_or(EscapeFault::LoneSurrogate)?, 6)),
    }
}

/// Returns the code unit of `\uXXXX` at the beginning of a text.
fn four_digits(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.as_bytes().get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)?))
}

/// Returns a text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    write_string(text, &mut json);
    json
}

/// Appends a string with its quotes, escaping only what must be: quotes, backslashes and control
/// characters, with the short escapes (the form of RFC 8785, section 3.2.2.2).
pub fn write_string(text: &str, json: &mut String) {
    json.reserve(text.len() + 2);
    json.push('"');
    let bytes = text.as_bytes();
    let mut copied = 0;
    loop {
        let at = block::next_special(bytes, copied);
        json.push_str(&text[copied..at]);
        let Some(&byte) = bytes.get(at) else { break };
        write_escape(byte, json);
        copied = at + 1;
    }
    json.push('"');
}

fn write_escape(byte: u8, json: &mut String) {
    match byte {
        b'"' => json.push_str("\\\""),
        b'\\' => json.push_str("\\\\"),
        b'\n' => json.push_str("\\n"),
        b'\r' => json.push_str("\\r"),
        b'\t' => json.push_str("\\t"),
        8 => json.push_str("\\b"),
        12 => json.push_str("\\f"),
        _ => {
            let _ = write!(json, "\\u{byte:04x}");
        }
    }
}

/// Returns the length in bytes of the string that a text begins with, including the quotes.
pub(super) fn string_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        at = block::next_special(bytes, at);
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') | None => return (at + 1).min(bytes.len()),
            Some(_) => at += 1,
        }
    }
}
