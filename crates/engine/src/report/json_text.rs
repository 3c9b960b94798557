//! A JSON writer: values are written one after the other, with commas and line ends where needed.

use std::io::{self, Write};

use evalgraph_json::write_string;

/// How many bytes are buffered before they are written out.
const GATHERED: usize = 1 << 15;

/// The layout of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportJsonLayout {
    /// Each member and item is on its own line, with two spaces per level.
    Indented,
    /// No white space.
    Compact,
}

/// The token before the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PrecedingToken {
    /// The start of an array, an object or the text.
    Start,
    /// A value.
    Value,
    /// The key of the value.
    Key,
}

/// JSON of which a first part may have been written out already.
pub(super) struct JsonText {
    text: String,
    layout: ReportJsonLayout,
    depth: usize,
    before: PrecedingToken,
}

/// A value without parts.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReportScalar<'s> {
    Text(&'s str),
    Number(u64),
    Boolean(bool),
    Null,
}

impl<'s> From<&'s str> for ReportScalar<'s> {
    fn from(text: &'s str) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for ReportScalar<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for ReportScalar<'_> {
    fn from(boolean: bool) -> Self {
        Self::Boolean(boolean)
    }
}

impl<'s, T: Into<ReportScalar<'s>>> From<Option<T>> for ReportScalar<'s> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, T::into)
    }
}

impl JsonText {
    pub(super) fn new(layout: ReportJsonLayout) -> Self {
        Self { text: String::new(), layout, depth: 0, before: PrecedingToken::Start }
    }

    pub(super) fn begin_object(&mut self) {
        self.begin('{');
    }

    pub(super) fn end_object(&mut self) {
        self.end('}');
    }

    pub(super) fn begin_array(&mut self) {
        self.begin('[');
    }

    pub(super) fn end_array(&mut self) {
        self.end(']');
    }

    pub(super) fn key(&mut self, key: &str) {
        self.separate();
        write_string(key, &mut self.text);
        self.text.push_str(if self.layout == ReportJsonLayout::Indented { ": " } else { ":" });
        self.before = PrecedingToken::Key;
    }

    pub(super) fn scalar<'s>(&mut self, value: impl Into<ReportScalar<'s>>) {
        self.separate();
        match value.into() {
            ReportScalar::Text(text) => write_string(text, &mut self.text),
            ReportScalar::Number(number) => self.text.push_str(&number.to_string()),
            ReportScalar::Boolean(boolean) => self.text.push_str(if boolean { "true" } else { "false" }),
            ReportScalar::Null => self.text.push_str("null"),
        }
        self.before = PrecedingToken::Value;
    }

    pub(super) fn member<'s>(&mut self, key: &str, value: impl Into<ReportScalar<'s>>) {
        self.key(key);
        self.scalar(value);
    }

    /// Writes a member if it has a value.
    pub(super) fn member_if<'s, T: Into<ReportScalar<'s>>>(&mut self, key: &str, value: Option<T>) {
        if let Some(value) = value {
            self.member(key, value);
        }
    }

    /// Starts a new line before the next item of an array in compact layout.
    pub(super) fn break_before_item(&mut self) {
        self.text.push_str(if self.before == PrecedingToken::Value { ",\n" } else { "\n" });
        self.before = PrecedingToken::Start;
    }

    /// Starts a new line before the end of an array in compact layout.
    pub(super) fn break_before_end(&mut self) {
        self.text.push('\n');
    }

    /// Writes out the buffer if it is large enough to be worth a call.
    pub(super) fn pass_on(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.text.len() < GATHERED {
            return Ok(());
        }
        output.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    /// Ends the last line, if there is one, and writes it out.
    pub(super) fn finish(mut self, output: &mut impl Write) -> io::Result<()> {
        if self.before == PrecedingToken::Value {
            self.text.push('\n');
        }
        output.write_all(self.text.as_bytes())
    }

    fn begin(&mut self, sign: char) {
        self.separate();
        self.text.push(sign);
        self.depth += 1;
        self.before = PrecedingToken::Start;
    }

    fn end(&mut self, sign: char) {
        self.depth = self.depth.saturating_sub(1);
        if self.before != PrecedingToken::Start {
            self.indent();
        }
        self.text.push(sign);
        self.before = PrecedingToken::Value;
    }

    /// Writes what belongs before a key, or before a value without a key.
    fn separate(&mut self) {
        match self.before {
            PrecedingToken::Key => return,
            PrecedingToken::Value if self.depth == 0 => self.text.push('\n'),
            PrecedingToken::Value => self.text.push(','),
            PrecedingToken::Start => {}
        }
        if self.depth > 0 {
            self.indent();
        }
    }

    fn indent(&mut self) {
        if self.layout == ReportJsonLayout::Indented {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n("  ", self.depth));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{JsonText, ReportJsonLayout};

    fn written(text: JsonText) -> String {
        let mut written = Vec::new();
        text.finish(&mut written).expect("memory takes all");
        String::from_utf8(written).expect("it is text")
    }

    #[test]
    fn the_indented_layout_is_the_usual_one() {
        let value = json!([{"a": "\u{1}\"\n\u{7f}é", "b": [], "c": [1, {"d": null}], "e": {}}, true]);
        let mut text = JsonText::new(ReportJsonLayout::Indented);
        text.begin_array();
        text.begin_object();
        text.member("a", "\u{1}\"\n\u{7f}é");
        text.key("b");
        text.begin_array();
        text.end_array();
        text.key("c");
        text.begin_array();
        text.scalar(1);
        text.begin_object();
        text.member("d", None::<bool>);
        text.end_object();
        text.end_array();
        text.key("e");
        text.begin_object();
        text.end_object();
        text.end_object();
        text.scalar(true);
        text.end_array();
        let usual = serde_json::to_string_pretty(&value).expect("it is JSON");
        assert_eq!(written(text), format!("{usual}\n"));
    }

    #[test]
    fn values_of_a_compact_text_stand_on_lines() {
        let mut text = JsonText::new(ReportJsonLayout::Compact);
        text.begin_object();
        text.member_if("a", None::<u64>);
        text.key("b");
        text.begin_array();
        for number in [1, 2] {
            text.break_before_item();
            text.scalar(number);
        }
        text.break_before_end();
        text.end_array();
        text.end_object();
        text.begin_array();
        text.end_array();
        assert_eq!(written(text), "{\"b\":[\n1,\n2\n]}\n[]\n");
        assert_eq!(written(JsonText::new(ReportJsonLayout::Compact)), "");
    }
}
