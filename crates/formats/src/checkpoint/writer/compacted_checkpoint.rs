//! Writes the compacted document of a JSON-LD form, node by node, laid out as Karenina's programs do: two spaces per
//! level, characters not escaped, no line end at the end.
//!
//! Keys, arrays, classes and ids are those of the Compaction Algorithm ([`PropertyForms`]). Only the unwrapping goes
//! beyond the Karenina context: the template of a question is a single object although `hasPart` is a set, JSON
//! literals are plain values, and `@type` comes before `@id`.

use super::property_forms::{KeyedKind, PropertyForms};
use crate::checkpoint::model::PlacedValue;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonStyle, StyledJson};
use std::rc::Rc;

/// The text so far.
pub(super) struct CompactedCheckpoint {
    json: StyledJson,
    forms: PropertyForms,
    /// `true` if the values of each open property are in an array.
    open: Vec<bool>,
    /// The errors of the algorithm.
    faults: Vec<Diagnostic>,
}

impl CompactedCheckpoint {
    pub(super) fn new(forms: PropertyForms) -> Self {
        Self { json: StyledJson::new(JsonStyle::default()), forms, open: Vec::new(), faults: Vec::new() }
    }

    /// Starts a separate text for items of the open list. [`append`](Self::append) adds it to the list.
    pub(super) fn part(forms: PropertyForms, is_first: bool) -> Self {
        // The list is a member of the root, so its items are at level 2.
        let json = StyledJson::inside(JsonStyle::default(), 2, is_first);
        Self { json, open: vec![true], ..Self::new(forms) }
    }

    /// Appends the items of a part to the open list.
    pub(super) fn append(&mut self, items: &str) {
        self.json.append(items);
    }

    /// Returns the text, and the errors of the algorithm.
    pub(super) fn finish(self) -> (String, Vec<Diagnostic>) {
        (self.json.finish(), self.faults)
    }

    /// Makes room for a text of about that length.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.json.reserve(bytes);
    }

    /// Begins the checkpoint.
    pub(super) fn open_root(&mut self, class: &str, id: Option<&str>) {
        self.json.open('{');
        self.json.key("@context");
        let (context, value) = self.forms.context();
        self.json.json(&context, value);
        self.class_and_id(class, id);
    }

    /// Begins a node as a value of the open property.
    pub(super) fn open(&mut self, class: &str, id: Option<&str>) {
        if self.open.last() == Some(&true) {
            self.json.item();
        }
        self.json.open('{');
        self.class_and_id(class, id);
    }

    fn class_and_id(&mut self, class: &str, id: Option<&str>) {
        self.json.key("@type");
        let class = self.forms.class(class).unwrap_or_else(|fault| {
            self.faults.push(*fault);
            Rc::from(class)
        });
        self.json.string(&class);
        if let Some(id) = id {
            self.json.key("@id");
            let shortened = self.forms.id(id).unwrap_or_else(|fault| {
                self.faults.push(*fault);
                None
            });
            self.json.string(shortened.as_deref().unwrap_or(id));
        }
    }

    /// Ends a node.
    pub(super) fn close(&mut self) {
        self.json.close('}');
    }

    /// Writes the key of a property, and returns whether its values are in an array.
    fn key(&mut self, name: &str, shape: KeyedKind) -> bool {
        match self.forms.property(name, shape) {
            Ok(form) => {
                self.json.quoted_key(&form.key);
                form.in_array
            }
            Err(fault) => {
                self.faults.push(*fault);
                self.json.key(name);
                false
            }
        }
    }

    /// Begins a property with nodes. It may have only one node if the context has no array for it.
    pub(super) fn open_property(&mut self, name: &str) {
        let in_array = self.key(name, KeyedKind::Node);
        self.open_array(in_array);
    }

    /// Begins a property with one node, which is unwrapped even if the context has an array for it.
    pub(super) fn open_unwrapped(&mut self, name: &str) {
        self.key(name, KeyedKind::Node);
        self.open_array(false);
    }

    /// Begins a property with any number of values that are not nodes.
    pub(super) fn open_values(&mut self, name: &str) {
        self.key(name, KeyedKind::String);
        self.open_array(true);
    }

    fn open_array(&mut self, in_array: bool) {
        self.open.push(in_array);
        if in_array {
            self.json.open('[');
        }
    }

    /// Ends a property.
    pub(super) fn close_property(&mut self) {
        if self.open.pop() == Some(true) {
            self.json.close(']');
        }
    }

    /// Writes a value of the open property: a scalar, or an array or object that stays JSON. `null`
    /// is left out.
    pub(super) fn value(&mut self, json: &str) {
        if KeyedKind::from_json(json).is_some() {
            self.json.item();
            self.plain(json);
        }
    }

    fn plain(&mut self, json: &str) {
        if KeyedKind::from_json(json) == Some(KeyedKind::Json) {
            self.json.json_text(json);
        } else {
            self.json.scalar(json);
        }
    }

    /// Writes a property with one value.
    pub(super) fn property(&mut self, name: &str, json: &str) {
        if let Some(shape) = KeyedKind::from_json(json) {
            self.single(name, shape, |out| out.plain(json));
        }
    }

    /// Writes a property whose value is a string.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.single(name, KeyedKind::String, |out| out.json.string(text));
    }

    fn single(&mut self, name: &str, shape: KeyedKind, write: impl FnOnce(&mut Self)) {
        let in_array = self.key(name, shape);
        self.open_array(in_array);
        if in_array {
            self.json.item();
        }
        write(self);
        self.close_property();
    }

    /// Writes a property with the text of a value; numbers and booleans become strings.
    pub(super) fn value_text(&mut self, name: &str, value: &PlacedValue<'_>) {
        // A string is written as it is in the file.
        match KeyedKind::from_json(value.as_json()) {
            Some(KeyedKind::String) => self.property(name, value.as_json()),
            _ => self.text(name, value.as_json()),
        }
    }

    /// Writes a property with the text of a value, if there is one.
    pub(super) fn maybe_text(&mut self, name: &str, value: Option<&PlacedValue<'_>>) {
        if let Some(value) = value {
            self.value_text(name, value);
        }
    }

    /// Writes a property value; one without a value means `null`.
    pub(super) fn property_value(&mut self, name: &str, json: Option<&str>) {
        self.open("PropertyValue", None);
        self.text("name", name);
        if let Some(json) = json {
            self.property("value", json);
        }
        self.close();
    }
}
