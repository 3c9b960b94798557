//! Makes text from data harmless on a terminal. Escape sequences, control characters and marks that change the
//! direction of text are shown, not obeyed.

use std::borrow::Cow;

/// Returns the text with every character that a terminal would obey replaced by a visible one.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, push_visible)
}

/// Returns the text itself, or a copy made by calling `push` with each character if a terminal would obey one of them.
fn replaced(text: &str, push: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push(c, &mut shown));
    Cow::Owned(shown)
}

/// Appends one character, or a visible substitute.
pub fn push_visible(c: char, shown: &mut String) {
    match c {
        // Unicode's control pictures are in the order of the control characters.
        '\0'..='\x1F' => shown.extend(char::from_u32(0x2400 + c as u32)),
        '\x7F' => shown.push('\u{2421}'),
        _ if is_obeyed(c) => shown.extend(c.escape_unicode()),
        _ => shown.push(c),
    }
}

/// Returns a line of N-Quads with escapes in place of the characters that a terminal would obey. N-Quads allows escapes
/// for any character.
pub fn escaped(line: &str) -> Cow<'_, str> {
    replaced(line, |c, text| match is_obeyed(c) {
        true => text.push_str(&format!("\\u{:04X}", u32::from(c))),
        false => text.push(c),
    })
}

/// Returns whether a terminal would obey a character or change the direction of the text after it.
pub fn is_obeyed(c: char) -> bool {
    // Line and paragraph separators, directional marks and overrides, the byte order mark.
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}
