//! Finds the names of secrets in texts, however they are spelled: `api` and `key` in upper or lower case, with signs
//! between them, and with any part as an escape of JSON, YAML, Python, XML or a URL.

use std::borrow::Cow;
use std::ops::Range;

/// Returns the end positions of the names of secrets in a text without escapes.
pub(super) fn name_ends(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    keys(bytes).filter_map(move |at| {
        // If blanks were separators, sentences about keys would contain names.
        let is_separator = |sign: char| {
            "_-.".contains(sign) || !sign.is_ascii() && !sign.is_alphanumeric() && !sign.is_whitespace()
        };
        let is_plural = matches!(bytes.get(at + 3), Some(b's' | b'S'))
            && bytes.get(at + 4).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let before = text[..at].trim_end_matches(is_separator);
        ends_with_api(before.as_bytes()).then_some(at + 3 + usize::from(is_plural))
    })
}

/// Returns whether a key is the name of a secret: `api_key` in any spelling, with anything before it. Only its letters
/// and digits matter.
pub fn is_name(key: &[u8]) -> bool {
    let mut letters =
        key.iter().rev().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).peekable();
    letters.next_if_eq(&b's');
    letters.take(6).eq(b"apikey".iter().rev().copied())
}

/// Returns whether the name of a column contains more than the name of a secret.
pub fn is_more_than_a_name(column: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let text = UnescapedText::new(column).text;
    name_ends(&text).next().is_some_and(|end| !text.as_bytes()[end..].iter().all(|&byte| is_of_name(byte)))
}

/// Returns whether a text contains the name of a secret.
pub(super) fn has_name(text: &str) -> bool {
    name_ends(&UnescapedText::new(text).text).next().is_some()
}

/// Returns whether bytes may contain the name of a secret, with any signs between its two words, or in escapes.
pub(super) fn may_have_name(bytes: &[u8]) -> bool {
    // Ordinary text does not escape letters, so an escaped letter of a name may hide one.
    let is_letter =
        |at: usize| escape_at(&bytes[at..]).is_some_and(|(character, _)| "apikeyAPIKEY".contains(character));
    keys(bytes).any(|at| ends_with_api(without_separators(&bytes[..at])))
        || memchr::memchr3_iter(b'\\', b'%', b'&', bytes).any(is_letter)
}

/// Returns where each `key` begins, in upper or lower case.
fn keys(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let is_key = |at: &usize| bytes.get(*at..at + 3).is_some_and(|key| key.eq_ignore_ascii_case(b"key"));
    memchr::memchr2_iter(b'k', b'K', bytes).filter(is_key)
}

fn ends_with_api(bytes: &[u8]) -> bool {
    bytes.last_chunk::<3>().is_some_and(|last| last.eq_ignore_ascii_case(b"api"))
}

/// Returns bytes without the signs and escapes at their end. Bytes that only look like an escape do no harm: the search
/// just covers more.
fn without_separators(mut bytes: &[u8]) -> &[u8] {
    while let Some(before) = without_escape(bytes).or_else(|| match bytes {
        [before @ .., sign] if !sign.is_ascii_alphanumeric() => Some(before),
        _ => None,
    }) {
        bytes = before;
    }
    bytes
}

/// Returns bytes without the escape at their end, if there is one.
fn without_escape(bytes: &[u8]) -> Option<&[u8]> {
    let numbered = [("\\u", 4), ("\\x", 2), ("%", 2), ("\\U", 8)].iter().find_map(|(mark, digits)| {
        let (before, number) = bytes.split_at(bytes.len().checked_sub(*digits)?);
        before.strip_suffix(mark.as_bytes()).filter(|_| number.iter().all(u8::is_ascii_hexdigit))
    });
    numbered.or_else(|| match bytes {
        [before @ .., b'\\', letter] if letter.is_ascii_alphabetic() => Some(before),
        [.., b';'] => {
            let start = bytes.len() - bytes.len().min(LONGEST_REFERENCE);
            memchr::memmem::rfind(&bytes[start..], b"&#").map(|at| &bytes[..start + at])
        }
        _ => None,
    })
}

/// The maximum number of backslashes in one escape: JSON in JSON doubles them at every level.
const MOST_BACKSLASHES: usize = 64;

/// The maximum length of a reference to an ASCII character, `&#x0000005f;`.
const LONGEST_REFERENCE: usize = 12;

/// A text with its escapes resolved, except those of quotes and backslashes: an escaped quote does not act as a quote.
pub(super) struct UnescapedText<'t> {
    pub(super) text: Cow<'t, str>,
    /// The start of each byte's source in the original, and the end; empty if there were no escapes.
    places: Vec<usize>,
}

impl<'t> UnescapedText<'t> {
    pub(super) fn new(original: &'t str) -> Self {
        let (mut text, mut places) = (String::new(), Vec::new());
        let mut from = 0;
        for at in memchr::memchr3_iter(b'\\', b'%', b'&', original.as_bytes()) {
            let escape = if at < from { None } else { escape_at(&original.as_bytes()[at..]) };
            let Some((character, length)) = escape.filter(|(character, _)| !"\"'\\".contains(*character))
            else {
                continue;
            };
            text.push_str(&original[from..at]);
            places.extend(from..at);
            text.push(character);
            places.resize(text.len(), at);
            from = at + length;
        }
        if from == 0 {
            return Self { text: Cow::Borrowed(original), places };
        }
        text.push_str(&original[from..]);
        places.extend(from..=original.len());
        Self { text: Cow::Owned(text), places }
    }

    /// Returns the bytes of the original for a range of the text.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize| self.places.get(at).copied().unwrap_or(at);
        place(range.start)..place(range.end)
    }
}

/// Returns the escape of a quote that a text begins with.
pub(super) fn escaped_quote(text: &str) -> Option<&str> {
    let (_, length) = escape_at(text.as_bytes()).filter(|(character, _)| matches!(character, '"' | '\''))?;
    Some(&text[..length])
}

/// Returns the character of an escape, and the length of the escape: `\u005f`, `\x5f`, `\U0000005f`, each with any
/// number of backslashes (as in JSON within JSON), `%5f`, `&#95;`, `&lt;`.
fn escape_at(bytes: &[u8]) -> Option<(char, usize)> {
    let number = |digits: Option<&[u8]>, base: u32| {
        let digits = std::str::from_utf8(digits?).ok()?;
        char::from_u32(u32::from_str_radix(digits, base).ok()?)
    };
    match bytes {
        [b'%', ..] => Some((number(bytes.get(1..3), 16).filter(char::is_ascii)?, 3)),
        [b'&', rest @ ..] => {
            let length = memchr::memchr(b';', &rest[..rest.len().min(LONGEST_REFERENCE)])?;
            let character = match &rest[..length] {
                b"lt" => '<',
                b"gt" => '>',
                b"amp" => '&',
                b"quot" => '"',
                b"apos" => '\'',
                [b'#', b'x' | b'X', digits @ ..] => number(Some(digits), 16)?,
                [b'#', digits @ ..] => number(Some(digits), 10)?,
                _ => return None,
            };
            Some((character, 1 + length + 1))
        }
        [b'\\', ..] => {
            let slashes = bytes.iter().take(MOST_BACKSLASHES + 1).take_while(|&&byte| byte == b'\\').count();
            let digits = match bytes.get(slashes)? {
                b'u' => 4,
                b'x' => 2,
                b'U' => 8,
                _ => return None,
            };
            let end = slashes + 1 + digits;
            Some((number(bytes.get(slashes + 1..end), 16)?, end))
        }
        _ => None,
    }
}
