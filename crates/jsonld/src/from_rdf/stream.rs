//! Writes JSON text while it is made, so a result is never in memory as a whole.

use std::io::{self, Write};

use crate::expanded_writer::{DEEPEST_INDENT, JsonLdLayout};
use evalgraph_json::write_string;

/// How much text is collected before it is passed on.
const BATCH: usize = 1 << 16;

/// Writes JSON, laid out like the other results of the processor.
pub(crate) struct JsonStream<W> {
    out: W,
    layout: JsonLdLayout,
    level: usize,
    text: String,
}

impl<W: Write> JsonStream<W> {
    pub(crate) fn new(layout: JsonLdLayout, out: W) -> Self {
        Self { out, layout, level: 0, text: String::with_capacity(2 * BATCH) }
    }

    /// Passes on the collected text if there is enough of it.
    #[inline]
    pub(crate) fn pass_on(&mut self) -> io::Result<()> {
        if self.text.len() < BATCH {
            return Ok(());
        }
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    /// Ends the text with a line end.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.text.push('\n');
        self.out.write_all(self.text.as_bytes())?;
        self.out.flush()
    }

    #[inline]
    fn line(&mut self) {
        if self.layout == JsonLdLayout::Indented {
            self.indent();
        }
    }

    #[cold]
    fn indent(&mut self) {
        self.text.push('\n');
        for _ in 0..self.level.min(DEEPEST_INDENT) {
            self.text.push_str("  ");
        }
    }

    #[inline]
    pub(crate) fn open(&mut self, bracket: &'static str) {
        self.text.push_str(bracket);
        self.level += 1;
    }

    /// Closes an array or object; `is_empty` says whether it has no contents.
    #[inline]
    pub(crate) fn close(&mut self, bracket: &'static str, is_empty: bool) {
        self.level -= 1;
        if !is_empty {
            self.line();
        }
        self.text.push_str(bracket);
    }

    /// Begins an item or member: writes the comma after the previous one, and a new line.
    #[inline]
    pub(crate) fn next(&mut self, is_first: &mut bool) {
        if !std::mem::take(is_first) {
            self.text.push(',');
        }
        self.line();
    }

    /// Returns a key in the escaped form that [`JsonStream::key`] takes.
    pub(crate) fn escaped_key(&self, key: &str) -> String {
        let mut text = String::new();
        write_string(key, &mut text);
        text.push_str(self.colon());
        text
    }

    /// Begins a member that is not the first, with a key that is already escaped.
    #[inline]
    pub(crate) fn key(&mut self, escaped: &str) {
        self.text.push(',');
        self.line();
        self.text.push_str(escaped);
    }

    /// Begins an object and its first member.
    #[inline(always)]
    pub(crate) fn open_member(&mut self, keyword: KeywordKey) {
        self.level += 1;
        if self.layout == JsonLdLayout::Compact {
            self.text.push_str(keyword.opening);
            return;
        }
        self.text.push('{');
        self.indent();
        self.text.push_str(keyword.key);
        self.text.push_str(self.colon());
    }

    /// Begins a member that is not the first.
    #[inline]
    pub(crate) fn member(&mut self, keyword: KeywordKey) {
        self.text.push(',');
        self.line();
        self.text.push_str(keyword.key);
        self.text.push_str(self.colon());
    }

    #[inline]
    fn colon(&self) -> &'static str {
        if self.layout == JsonLdLayout::Indented { ": " } else { ":" }
    }

    #[inline]
    pub(crate) fn string(&mut self, text: &str) {
        write_string(text, &mut self.text);
    }

    /// Writes JSON as it is.
    #[inline]
    pub(crate) fn raw(&mut self, json: &str) {
        self.text.push_str(json);
    }

    /// Returns the text so far, for callers whose text needs no escapes.
    #[inline]
    pub(crate) fn text(&mut self) -> &mut String {
        &mut self.text
    }
}

/// A keyword as a key, in quotes, with the characters before and after it in an object that it opens without white
/// space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeywordKey {
    key: &'static str,
    opening: &'static str,
}

impl KeywordKey {
    pub(crate) const ID: Self = Self { key: "\"@id\"", opening: "{\"@id\":" };
    pub(crate) const TYPE: Self = Self { key: "\"@type\"", opening: "{\"@type\":" };
    pub(crate) const VALUE: Self = Self { key: "\"@value\"", opening: "{\"@value\":" };
    pub(crate) const LIST: Self = Self { key: "\"@list\"", opening: "{\"@list\":" };
    pub(crate) const GRAPH: Self = Self { key: "\"@graph\"", opening: "{\"@graph\":" };
    pub(crate) const LANGUAGE: Self = Self { key: "\"@language\"", opening: "{\"@language\":" };
    pub(crate) const DIRECTION: Self = Self { key: "\"@direction\"", opening: "{\"@direction\":" };
}
