//! Changes to the text of a document that leave every other byte as it is.

use evalgraph_json::{JsonDocument, TokenId, quoted};
use std::ops::Range;

/// Replacements of parts of a document's text.
#[derive(Debug)]
pub struct TextEdits<'d> {
    document: &'d JsonDocument,
    edits: Vec<(Range<usize>, String)>,
}

impl<'d> TextEdits<'d> {
    /// Starts without changes.
    pub fn new(document: &'d JsonDocument) -> Self {
        Self { document, edits: Vec::new() }
    }

    /// Replaces a value with JSON. The replaced parts must not overlap.
    pub fn replace(&mut self, value: TokenId, json: impl Into<String>) {
        self.edits.push((self.document.bytes(value), json.into()));
    }

    /// Replaces a value with a string.
    pub fn replace_by_string(&mut self, value: TokenId, text: &str) {
        self.replace(value, quoted(text));
    }

    /// Appends JSON values to an array, or members to an object, with the same white space as the existing items.
    pub fn append(&mut self, container: TokenId, items: &[impl AsRef<str>]) {
        if items.is_empty() {
            return;
        }
        let spacing = ContainerSpacing::from_container(self.document, container);
        let bytes = self.document.bytes(container);
        let text = spacing.joined(items);
        if spacing.is_empty {
            // There is only white space between the brackets.
            self.edits.push((bytes.start + 1..bytes.end - 1, text));
        } else {
            let last = bytes.end - 1 - spacing.end.len();
            self.edits.push((last..last, format!(",{text}")));
        }
    }

    /// Returns how many parts are replaced.
    pub fn count(&self) -> usize {
        self.edits.len()
    }

    /// Returns the text with the changes.
    pub fn apply(self) -> String {
        with_replaced(self.document.text(), self.edits)
    }
}

/// Returns a text in which some parts are replaced. The parts must not overlap.
pub fn with_replaced(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let added: usize = edits.iter().map(|(_, text)| text.len()).sum();
    let mut new = String::with_capacity(text.len() + added);
    let mut copied = 0;
    for (range, replacement) in &edits {
        new.push_str(&text[copied..range.start]);
        new.push_str(replacement);
        copied = range.end;
    }
    new.push_str(&text[copied..]);
    new
}

/// The white space in a container.
#[derive(Debug, Clone, Copy)]
pub struct ContainerSpacing<'d> {
    /// The white space before the first item.
    pub before: &'d str,
    /// The white space after the last item.
    pub end: &'d str,
    /// `true` if there is no item.
    pub is_empty: bool,
}

impl<'d> ContainerSpacing<'d> {
    /// Measures an array or object.
    pub fn from_container(document: &'d JsonDocument, container: TokenId) -> Self {
        let bytes = document.bytes(container);
        let inner = &document.text()[bytes.start + 1..bytes.end - 1];
        let first = inner.len() - inner.trim_start().len();
        let last = inner.trim_end().len();
        if first == inner.len() {
            return Self { before: "", end: "", is_empty: true };
        }
        Self { before: &inner[..first], end: &inner[last..], is_empty: false }
    }

    /// Joins items, each with a comma if it needs one and the white space before it.
    pub(crate) fn joined(&self, items: &[impl AsRef<str>]) -> String {
        let mut text = String::new();
        for (at, item) in items.iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            text.push_str(self.before);
            text.push_str(item.as_ref());
        }
        text
    }
}
