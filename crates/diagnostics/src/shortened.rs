//! Long texts for people: the beginning, and where it matters how long the whole is.

use std::borrow::Cow;

use super::thousands;

/// The text, or of one with more than `most` characters the first of them.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The text, or of one with more than `most` characters the first of them, and how many it has.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let length = most + text[end..].chars().count();
            Cow::Owned(format!("{}… ({} characters)", &text[..end], thousands(length as u64)))
        }
        None => Cow::Borrowed(text),
    }
}
