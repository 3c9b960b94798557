//! Finds secrets in texts of which nobody says what they are: JSON or YAML in a string, a URL.

use std::ops::Range;

/// Where the next name of a secret ends, from a byte on.
pub(super) fn names_end(bytes: &[u8], from: usize) -> Option<usize> {
    // The last letters are the rarest; what stands before them decides.
    let mut finder = [b"key", b"Key", b"KEY"].map(|word| memchr::memmem::find_iter(&bytes[from..], word));
    let ends = finder.iter_mut().filter_map(|found| {
        found.map(|at| from + at).find(|&at| {
            let before = &bytes[..at];
            let before = before.strip_suffix(b"_").or_else(|| before.strip_suffix(b"-")).unwrap_or(before);
            before.len() >= 3 && before[before.len() - 3..].eq_ignore_ascii_case(b"api")
        })
    });
    ends.min().map(|at| at + 3)
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
    let rest = rest.trim_start();
    let (sign, value) = (rest.chars().next()?, rest.get(1..)?);
    if !matches!(sign, ':' | '=') {
        return None;
    }
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
