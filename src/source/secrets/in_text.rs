//! Finds secrets in texts of which nobody says what they are: JSON or YAML in a string, a URL.

use std::ops::Range;

/// Where the next name of a secret ends in a text, from a byte on.
pub(super) fn names_end(bytes: &[u8], from: usize) -> Option<usize> {
    // A blank would make a name of what a sentence says of keys.
    next_name(bytes, from, |byte| b"_-.".contains(&byte))
}

/// Whether bytes have the letters of such a name, whatever signs stand between its two words.
pub(super) fn has_letters(bytes: &[u8]) -> bool {
    next_name(bytes, 0, |byte| !byte.is_ascii_alphanumeric()).is_some()
}

/// How many signs may stand between the two words of a name.
const MOST_SEPARATORS: usize = 8;

/// Where the next `api` and `key` end, in letters of any size, with only such signs between them.
fn next_name(bytes: &[u8], from: usize, is_separator: impl Fn(u8) -> bool) -> Option<usize> {
    memchr::memchr2_iter(b'k', b'K', &bytes[from..]).map(|at| from + at).find_map(|at| {
        let is_key = bytes.get(at..at + 3)?.eq_ignore_ascii_case(b"key");
        let before = without_separators(&bytes[..if is_key { at } else { 0 }], &is_separator);
        let is_of_api = before.len() >= 3 && before[before.len() - 3..].eq_ignore_ascii_case(b"api");
        let is_plural = matches!(bytes.get(at + 3), Some(b's' | b'S'))
            && bytes.get(at + 4).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        is_of_api.then_some(at + 3 + usize::from(is_plural))
    })
}

/// Bytes without the signs that they end with; `%5F` is the `_` of a URL.
fn without_separators(mut bytes: &[u8], is_separator: impl Fn(u8) -> bool) -> &[u8] {
    for _ in 0..MOST_SEPARATORS {
        bytes = match bytes {
            [before @ .., b'%', b'5', b'F' | b'f'] => before,
            [before @ .., sign] if is_separator(*sign) => before,
            _ => break,
        };
    }
    bytes
}

/// The bytes of the secrets of a text, and what they are to be overwritten with: stars between quotes,
/// else letters or digits, for a star is something else in YAML.
pub(super) fn secrets_in_text(text: &str) -> Vec<(Range<usize>, u8)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(end) = names_end(text.as_bytes(), at) {
        at = end;
        let Some((range, cover)) = value_after(text, end) else { continue };
        at = range.end.max(end);
        found.push((range, cover));
    }
    found
}

/// The value that belongs to a name which ends at a byte.
fn value_after(text: &str, name_end: usize) -> Option<(Range<usize>, u8)> {
    let after_name = &text[name_end..];
    let quote = quote_at(after_name);
    let rest = &after_name[quote.map_or(0, str::len)..];
    if let Some(range) = value_of_element(text, name_end).or_else(|| value_of_option(text, name_end)) {
        return Some((range, b'x'));
    }
    let rest = rest.trim_start();
    let (sign, value) = (rest.chars().next()?, rest.get(1..)?);
    if !matches!(sign, ':' | '=') {
        return None;
    }
    let value = if sign == '=' { value.strip_prefix('>').unwrap_or(value) } else { value };
    let value = value.trim_start();
    let start = text.len() - value.len();
    if let Some(quote) = quote_at(value) {
        let inside = start + quote.len();
        return Some((inside..inside + quoted_length(&text[inside..], quote), b'*'));
    }
    let cover =
        if value.starts_with(|first: char| first.is_ascii_digit() || first == '-') { b'1' } else { b'x' };
    if sign == '=' {
        let length = value.find(|end: char| end.is_whitespace() || "&\"'<>,;)}]".contains(end));
        return Some((start..start + length.unwrap_or(value.len()), cover));
    }
    if value.starts_with(['|', '>']) {
        let first_line = value.find('\n').map_or(value.len(), |end| end + 1);
        return Some((start + first_line..start + deeper_length(text, name_end, start, first_line), b'x'));
    }
    if value.starts_with(['{', '[']) {
        return Some((start + 1..start + bracketed_length(value), b'x'));
    }
    let line = &text[text[..name_end].rfind('\n').map_or(0, |at| at + 1)..name_end];
    if line.matches('{').count() > line.matches('}').count() {
        let length = value.find([',', '}', ']', '\n']).unwrap_or(value.len());
        return Some((start..start + length, cover));
    }
    let first_line = value.find('\n').map_or(value.len(), |end| end + 1);
    Some((start..start + deeper_length(text, name_end, start, first_line), cover))
}

/// The value of an element of XML with that name: `<api_key>…</api_key>`.
fn value_of_element(text: &str, name_end: usize) -> Option<Range<usize>> {
    let name = &text[text[..name_end].rfind('<')? + 1..name_end];
    let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.:".contains(letter));
    let value = text[name_end..].strip_prefix('>').filter(|_| is_name)?;
    let start = text.len() - value.len();
    Some(start..start + value.find('<').unwrap_or(value.len()))
}

/// The value of an option of a command line with that name: `--api-key …`.
fn value_of_option(text: &str, name_end: usize) -> Option<Range<usize>> {
    let option = text[..name_end].rsplit(char::is_whitespace).next()?;
    let rest = text[name_end..].strip_prefix(' ').filter(|_| option.starts_with("--"))?;
    let value = rest.trim_start_matches([' ', '"', '\'']);
    let start = text.len() - value.len();
    let length = value.find(|end: char| end.is_whitespace() || "\"'".contains(end)).unwrap_or(value.len());
    (length > 0).then(|| start..start + length)
}

/// A quote that a text begins with, with the backslashes that escape it.
fn quote_at(text: &str) -> Option<&str> {
    let escapes = text.len() - text.trim_start_matches('\\').len();
    let is_quote = text[escapes..].starts_with(['"', '\'']);
    is_quote.then(|| &text[..=escapes])
}

/// How long a text is up to the quote that ends it: one that is escaped no more than the first.
fn quoted_length(text: &str, quote: &str) -> usize {
    let (escapes, mark) = (quote.len() - 1, &quote[quote.len() - 1..]);
    let mut from = 0;
    while let Some(at) = text[from..].find(mark).map(|at| from + at) {
        let before = text[..at].len() - text[..at].trim_end_matches('\\').len();
        // YAML doubles a single quote that is meant.
        if mark == "'" && text[at + 1..].starts_with('\'') {
            from = at + 2;
            continue;
        }
        // An even number of them escapes each other.
        if before <= escapes || (escapes == 0 && (before.is_multiple_of(2) || mark == "'")) {
            return at - before.min(escapes);
        }
        from = at + 1;
    }
    text.len()
}

/// How long a value is with the lines below it that stand deeper than the line of its name.
fn deeper_length(text: &str, name_end: usize, start: usize, first_line: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
    let line_start = text[..name_end].rfind('\n').map_or(0, |at| at + 1);
    let own = indent(&text[line_start..]);
    let mut length = first_line;
    for line in text[start + first_line..].split_inclusive('\n') {
        let is_deeper = line.len() - line.trim_start_matches(' ').len() > own;
        if !line.trim().is_empty() && !is_deeper {
            break;
        }
        length += line.len();
    }
    length
}

/// How long a value in brackets is.
fn bracketed_length(value: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in value.char_indices() {
        match character {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    value.len()
}
