//! Shortens long texts for people: shows the beginning, and the whole length where it matters.

use std::borrow::Cow;

use super::thousands;

/// Returns the text, or its first characters if it has more than `most`.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Returns the text, or its first characters and its length if it has more than `most`.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let length = most + text[end..].chars().count();
            Cow::Owned(format!("{}… ({} characters)", &text[..end], thousands(length as u64)))
        }
        None => Cow::Borrowed(text),
    }
}
