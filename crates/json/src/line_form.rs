//! The layout of values in a JSON Lines file. Files with that name may also hold one array, or values over several
//! lines, so the content decides, not the name.

use std::ops::Range;

/// The layout of the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineForm {
    /// One value per line.
    Lines,
    /// One array of the values.
    Array,
    /// Values one after another, without regard to lines.
    Values,
}

impl LineForm {
    /// Looks at the first value of a text, or of its beginning. Cost: one pass over that value.
    pub fn from_text(text: &[u8]) -> Self {
        let mark = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let Some(start) = next_value(text, mark) else { return Self::Lines };
        let is_array = text[start] == b'[';
        let Some(end) = value_end(text, start) else {
            return if is_array { Self::Array } else { Self::Lines };
        };
        let is_over_lines = memchr::memchr(b'\n', &text[start..end]).is_some();
        let rest = &text[end..];
        if rest.trim_ascii().is_empty() {
            return if is_array {
                Self::Array
            } else if is_over_lines {
                Self::Values
            } else {
                Self::Lines
            };
        }
        let behind = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        match behind {
            _ if is_over_lines => Self::Values,
            Some(b'{' | b'[') => Self::Values,
            _ => Self::Lines,
        }
    }
}

/// Returns the bytes of the values in a text of [`LineForm::Values`]. Anything else becomes a part as well, and the
/// parser reports it at its place.
pub(super) fn values_of(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while let Some(start) = next_value(bytes, at) {
        let end = value_end(bytes, start).unwrap_or(text.len());
        parts.push(start..end);
        at = end;
    }
    parts
}

/// Returns the position of the next byte that is not white space.
fn next_value(text: &[u8], from: usize) -> Option<usize> {
    text[from..].iter().position(|byte| !byte.is_ascii_whitespace()).map(|at| from + at)
}

/// Returns the end of the value that begins at a byte: after its last bracket, or the end of its line if it has no
/// brackets; `None` if its brackets do not close.
fn value_end(text: &[u8], start: usize) -> Option<usize> {
    if !matches!(text[start], b'{' | b'[') {
        return Some(memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at));
    }
    let (mut depth, mut at) = (0_usize, start);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' => at = string_end(text, at)?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the position of the closing quote of the string that begins at a byte.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{LineForm, values_of};

    #[test]
    fn the_first_value_shows_the_form() {
        for (text, form) in [
            ("{\"a\":1}\n{\"a\":2}\n", LineForm::Lines),
            ("{\"a\":1}", LineForm::Lines),
            ("{\"a\":1},\n{\"a\":2}", LineForm::Lines),
            ("{\"a\": \n", LineForm::Lines),
            ("[1]\n[2]\n", LineForm::Lines),
            ("1\n2\n", LineForm::Lines),
            ("", LineForm::Lines),
            ("\u{feff} [{\"a\":\"]\"}]\n", LineForm::Array),
            ("[\n{}\n]\n", LineForm::Array),
            ("[\n{}\n", LineForm::Array),
            ("{\n \"a\": \"}\"\n}\n{\n}\n", LineForm::Values),
            ("{\n}\n", LineForm::Values),
            ("{} {}\n{}", LineForm::Values),
            ("{\"a\":\"\\\"}\"}{}", LineForm::Values),
        ] {
            assert_eq!(LineForm::from_text(text.as_bytes()), form, "{text:?}");
        }
    }

    #[test]
    fn values_are_cut_where_their_brackets_close() {
        let text = "{\"a\": \"}{\"}\n{\n}[1] x\n{";
        let parts: Vec<&str> = values_of(text).into_iter().map(|part| &text[part]).collect();
        assert_eq!(parts, ["{\"a\": \"}{\"}", "{\n}", "[1]", "x", "{"]);
    }
}
