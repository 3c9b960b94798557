//! JSON text that is written as it is made, so that a result never lies in memory whole.

use std::io::{self, Write};

use super::write::Layout;
use crate::json::write_string;

/// How much text is gathered before it is handed on.
const BATCH: usize = 1 << 16;

/// Writes JSON, laid out like the other results of the processor.
pub(super) struct JsonStream<W> {
    out: W,
    layout: Layout,
    level: usize,
    text: String,
}

impl<W: Write> JsonStream<W> {
    pub(super) fn new(layout: Layout, out: W) -> Self {
        Self { out, layout, level: 0, text: String::with_capacity(2 * BATCH) }
    }

    /// Hands on what was gathered, where that is enough to be worth it.
    #[inline]
    pub(super) fn pass_on(&mut self) -> io::Result<()> {
        if self.text.len() < BATCH {
            return Ok(());
        }
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    /// Ends the text with a line end.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.text.push('\n');
        self.out.write_all(self.text.as_bytes())?;
        self.out.flush()
    }

    #[inline]
    fn line(&mut self) {
        if self.layout == Layout::Indented {
            self.text.push('\n');
            for _ in 0..self.level {
                self.text.push_str("  ");
            }
        }
    }

    #[inline]
    pub(super) fn open(&mut self, bracket: char) {
        self.text.push(bracket);
        self.level += 1;
    }

    /// Closes an array or object; `is_empty` where nothing was written in it.
    #[inline]
    pub(super) fn close(&mut self, bracket: char, is_empty: bool) {
        self.level -= 1;
        if !is_empty {
            self.line();
        }
        self.text.push(bracket);
    }

    /// Begins an item or member: a comma after the one before, and a new line.
    #[inline]
    pub(super) fn next(&mut self, is_first: &mut bool) {
        if !std::mem::take(is_first) {
            self.text.push(',');
        }
        self.line();
    }

    /// Begins a member with a key that may hold anything.
    #[inline]
    pub(super) fn key(&mut self, is_first: &mut bool, key: &str) {
        self.next(is_first);
        write_string(key, &mut self.text);
        self.colon();
    }

    /// Begins a member with a keyword.
    #[inline]
    pub(super) fn keyword(&mut self, is_first: &mut bool, keyword: &str) {
        self.next(is_first);
        self.text.push('"');
        self.text.push_str(keyword);
        self.text.push('"');
        self.colon();
    }

    #[inline]
    fn colon(&mut self) {
        self.text.push_str(if self.layout == Layout::Indented { ": " } else { ":" });
    }

    #[inline]
    pub(super) fn string(&mut self, text: &str) {
        write_string(text, &mut self.text);
    }

    /// Writes JSON as it stands.
    #[inline]
    pub(super) fn raw(&mut self, json: &str) {
        self.text.push_str(json);
    }

    /// The text so far, for what knows that it needs no escapes.
    #[inline]
    pub(super) fn text(&mut self) -> &mut String {
        &mut self.text
    }
}
