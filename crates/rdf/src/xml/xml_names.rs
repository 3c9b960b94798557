//! The characters that XML allows, and the texts that are names (XML 1.0, 2.2 and 2.3; Namespaces in XML, 3).

use std::borrow::Cow;

/// White space of XML.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns whether XML allows a character.
pub(super) fn is_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Returns whether a text is a name without a colon.
pub(crate) fn is_nc_name(text: &str) -> bool {
    !text.contains(':') && is_name(text)
}

/// Returns whether a text is a name.
pub(super) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_name_start) && characters.all(is_name_character)
}

fn is_name_start(character: char) -> bool {
    matches!(character,
        ':' | '_' | 'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}' | '\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}'
        | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

fn is_name_character(character: char) -> bool {
    is_name_start(character)
        || matches!(character, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}' | '\u{2040}')
}

/// The text with each line end as one line feed (2.11).
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}
