//! Text that is cut or broken to fit into a width of a terminal.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Breaks a string into lines of at most `room` characters, between words if possible.
pub(crate) fn lines(text: &str, room: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.width() > room {
        let mut width = 0;
        let fitting = rest.char_indices().find(|(_, c)| {
            width += c.width().unwrap_or(0);
            width > room
        });
        // A character that is wider than the room would never be taken off.
        let Some((end, _)) = fitting.filter(|(end, _)| *end > 0) else { break };
        let (head, _) = rest.split_at(end);
        let end = head.rfind(' ').filter(|at| *at > end / 2).map_or(end, |at| at + 1);
        let (line, behind) = rest.split_at(end);
        lines.push(line.trim_end());
        rest = behind.trim_start_matches(' ');
    }
    lines.push(rest);
    lines
}

/// The end of a string that fits, with an ellipsis if something is left out.
pub fn clipped_front(text: &str, limit: usize) -> Cow<'_, str> {
    if text.width() <= limit {
        return Cow::Borrowed(text);
    }
    let mut width = 1;
    let too_much = text.char_indices().rev().find(|(_, c)| {
        width += c.width().unwrap_or(0);
        width > limit
    });
    let from = too_much.map_or(0, |(at, c)| at + c.len_utf8());
    Cow::Owned(format!("…{}", text.get(from..).unwrap_or_default()))
}

/// The beginning of a string that fits, with an ellipsis if something is left out.
pub(crate) fn clipped(text: &str, limit: usize) -> Cow<'_, str> {
    if text.width() <= limit {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut width = 1;
    for c in text.chars() {
        width += c.width().unwrap_or(0);
        if width > limit {
            break;
        }
        out.push(c);
    }
    out.push('…');
    Cow::Owned(out)
}
