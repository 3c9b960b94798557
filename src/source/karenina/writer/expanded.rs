//! Writes an expanded JSON-LD document as text, node by node.

use crate::json::write_string;
use crate::source::karenina::checkpoint::Value;
use std::ops::Range;

/// The vocabulary of the library's context, which alone has a prefix.
pub(super) const LIBRARY: &str = "https://schema.org/";
const PREFIX: &str = "karenina:";
const PREFIX_IRI: &str = "urn:karenina:vocab:";

/// The text so far.
pub(super) struct Expanded {
    json: String,
    /// The namespace of classes and properties.
    vocabulary: &'static str,
    list: List,
}

/// The list of the checkpoint: its property, and where its items stand.
#[derive(Default)]
struct List {
    property: &'static str,
    start: usize,
    ends: Vec<usize>,
}

impl List {
    /// The bytes of some of the items, with the commas between them.
    fn bytes(&self, items: Range<usize>) -> Range<usize> {
        let start = match items.start {
            0 => self.start,
            first => self.ends[first - 1] + 1,
        };
        start..self.ends[items.end - 1]
    }
}

impl Expanded {
    pub(super) fn new(vocabulary: &'static str) -> Self {
        Self { json: "[".to_owned(), vocabulary, list: List::default() }
    }

    /// Ends the document.
    pub(super) fn finish(&mut self) {
        self.json.push(']');
    }

    /// Begins the list of the checkpoint.
    pub(super) fn open_list(&mut self, property: &'static str) {
        self.open_property(property);
        self.list = List { property, start: self.json.len(), ends: Vec::new() };
    }

    /// Says that an item of the list has ended.
    pub(super) fn end_item(&mut self) {
        self.list.ends.push(self.json.len());
    }

    /// The property of the list.
    pub(super) fn list_property(&self) -> &'static str {
        self.list.property
    }

    /// The whole document.
    pub(super) fn into_whole(self) -> String {
        self.json
    }

    /// Documents that each have a part of the list, `most` items or fewer, and at least half as
    /// many: the first with all that stands around the list, the others with nothing else. None where
    /// the list is short.
    pub(super) fn parts(&self, most: usize) -> Vec<String> {
        let items = self.list.ends.len();
        let count = items.div_ceil(most).max(1);
        let part = |number: usize| {
            let bytes = self.list.bytes(items * number / count..items * (number + 1) / count);
            if number > 0 {
                let Self { vocabulary, list, .. } = self;
                let (property, part) = (list.property, &self.json[bytes]);
                return format!("[{{\"{vocabulary}{property}\":[{part}]}}]");
            }
            let rest = &self.json[self.list.bytes(0..items).end..];
            format!("{}{rest}", &self.json[..bytes.end])
        };
        if count == 1 { Vec::new() } else { (0..count).map(part).collect() }
    }

    /// Begins a node.
    pub(super) fn open(&mut self, class: &str, id: Option<&str>) {
        self.separate();
        self.json.push_str("{\"@type\":[\"");
        self.json.push_str(self.vocabulary);
        self.json.push_str(class);
        self.json.push_str("\"]");
        if let Some(id) = id {
            self.json.push_str(",\"@id\":");
            match id.strip_prefix(PREFIX) {
                // A compact IRI in the library's context, which compaction makes of it again.
                Some(local) if self.vocabulary == LIBRARY && !local.starts_with("//") => {
                    write_string(&format!("{PREFIX_IRI}{local}"), &mut self.json);
                }
                _ => write_string(id, &mut self.json),
            }
        }
    }

    /// Ends a node.
    pub(super) fn close(&mut self) {
        self.json.push('}');
    }

    /// Begins a property with its values.
    pub(super) fn open_property(&mut self, name: &str) {
        self.json.push_str(",\"");
        self.json.push_str(self.vocabulary);
        self.json.push_str(name);
        self.json.push_str("\":[");
    }

    /// Ends a property.
    pub(super) fn close_property(&mut self) {
        self.json.push(']');
    }

    /// A value of a property: a scalar, or an array or object that stays JSON.
    pub(super) fn value(&mut self, json: &str) {
        self.separate();
        let is_structured = json.starts_with(['[', '{']);
        self.json.push_str(if is_structured { "{\"@type\":\"@json\",\"@value\":" } else { "{\"@value\":" });
        self.json.push_str(json);
        self.json.push('}');
    }

    /// A property with one value.
    pub(super) fn property(&mut self, name: &str, json: &str) {
        self.open_property(name);
        self.value(json);
        self.close_property();
    }

    /// A property with one text.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        let mut json = String::with_capacity(text.len() + 2);
        write_string(text, &mut json);
        self.property(name, &json);
    }

    /// A property with one text, where there is one; numbers and booleans are spelled out.
    pub(super) fn maybe_text(&mut self, name: &str, value: Option<&Value<'_>>) {
        if let Some(value) = value {
            self.text(name, &value.shown());
        }
    }

    /// A property value; without a value it means `null`.
    pub(super) fn property_value(&mut self, name: &str, json: Option<&str>) {
        self.open("PropertyValue", None);
        self.text("name", name);
        if let Some(json) = json {
            self.property("value", json);
        }
        self.close();
    }

    fn separate(&mut self) {
        if self.json.ends_with('}') {
            self.json.push(',');
        }
    }
}
