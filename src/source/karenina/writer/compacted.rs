//! Writes the compacted document of a form in JSON-LD, node by node, laid out as Karenina's programs
//! do: two spaces a level, characters as they are, no line end at the end.
//!
//! Keys, arrays, classes and ids are those of the Compaction Algorithm ([`Forms`]). What the Karenina
//! context cannot say is the unwrapping, and nothing else: the template of a question is one object
//! although `hasPart` is a set, JSON literals are plain values, and `@type` stands before `@id`.

use super::forms::{Forms, KeyedKind};
use crate::diagnostic::Diagnostic;
use crate::json::{Style, StyledJson};
use crate::source::karenina::checkpoint::Value;
use std::rc::Rc;

/// The text so far.
pub(super) struct Compacted {
    json: StyledJson,
    forms: Forms,
    /// Of the properties that are open, whether their values stand in an array.
    open: Vec<bool>,
    /// What the algorithm refuses.
    faults: Vec<Diagnostic>,
}

impl Compacted {
    pub(super) fn new(forms: Forms) -> Self {
        Self { json: StyledJson::new(Style::default()), forms, open: Vec::new(), faults: Vec::new() }
    }

    /// A text of its own for items of the list that is open, which [`append`](Self::append) puts
    /// in.
    pub(super) fn part(forms: Forms, is_first: bool) -> Self {
        // The list stands in the root.
        let json = StyledJson::inside(Style::default(), 2, is_first);
        Self { json, open: vec![true], ..Self::new(forms) }
    }

    /// Puts the items of a part into the list that is open.
    pub(super) fn append(&mut self, items: &str) {
        self.json.append(items);
    }

    /// The text, and what the algorithm refuses.
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

    /// Begins a node as a value of the property that is open.
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

    /// Writes the key of a property; whether its values stand in an array.
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

    /// Begins a property with its nodes: one where the context has no array for it.
    pub(super) fn open_property(&mut self, name: &str) {
        let in_array = self.key(name, KeyedKind::Node);
        self.open_array(in_array);
    }

    /// Begins a property with one node, which is unwrapped where the context has an array for it.
    pub(super) fn open_unwrapped(&mut self, name: &str) {
        self.key(name, KeyedKind::Node);
        self.open_array(false);
    }

    /// Begins a property with any number of values that are no nodes.
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

    /// A value of the property that is open: a scalar, or an array or object that stays JSON. `null`
    /// says nothing.
    pub(super) fn value(&mut self, json: &str) {
        if KeyedKind::of(json).is_some() {
            self.json.item();
            self.plain(json);
        }
    }

    fn plain(&mut self, json: &str) {
        if KeyedKind::of(json) == Some(KeyedKind::Json) {
            self.json.json_text(json);
        } else {
            self.json.scalar(json);
        }
    }

    /// A property with one value.
    pub(super) fn property(&mut self, name: &str, json: &str) {
        if let Some(shape) = KeyedKind::of(json) {
            self.single(name, shape, |out| out.plain(json));
        }
    }

    /// A property with one text.
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

    /// A property with the text of a value; numbers and booleans are spelled out.
    pub(super) fn value_text(&mut self, name: &str, value: &Value<'_>) {
        // A string is written as it stands.
        match KeyedKind::of(value.as_json()) {
            Some(KeyedKind::String) => self.property(name, value.as_json()),
            _ => self.text(name, value.as_json()),
        }
    }

    /// The same, where there is one.
    pub(super) fn maybe_text(&mut self, name: &str, value: Option<&Value<'_>>) {
        if let Some(value) = value {
            self.value_text(name, value);
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
}
