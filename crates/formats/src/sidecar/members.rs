//! Writes the members of JSON objects in a sidecar, and reads them by key. Empty members are left out.

use evalgraph_json::{JsonDocument, JsonStyle, Limits, StyledJson, TokenId};

/// Limits for texts that this module has written. They may be longer than inputs and nest deeper: a difference is twice
/// as deep as its file. Walks over them recurse by level, so the depth needs a bound.
pub(super) const LIMITS: Limits = Limits { size: u64::MAX, depth: 2048 };

/// Writes the members of an object.
pub(super) struct MemberWriter {
    pub(super) json: StyledJson,
}

impl MemberWriter {
    /// Returns the text of an object whose members a function writes.
    pub(super) fn text(write: impl FnOnce(&mut Self)) -> String {
        let mut members = Self { json: StyledJson::new(JsonStyle::compact()) };
        members.object(write);
        members.json.finish()
    }

    pub(super) fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.json.open('{');
        write(self);
        self.json.close('}');
    }

    pub(super) fn string(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.json.key(key);
            self.json.string(value);
        }
    }

    pub(super) fn flag(&mut self, key: &str, is_set: bool) {
        if is_set {
            self.json.key(key);
            self.json.scalar("true");
        }
    }

    pub(super) fn strings(&mut self, key: &str, values: &[String]) {
        if !values.is_empty() {
            self.json.key(key);
            self.string_array(values);
        }
    }

    pub(super) fn string_array(&mut self, values: &[String]) {
        self.array(values, |members, value| members.json.string(value));
    }

    /// Writes an array; a function writes each item.
    pub(super) fn array<V>(&mut self, values: impl IntoIterator<Item = V>, write: impl Fn(&mut Self, V)) {
        self.json.open('[');
        for value in values {
            self.json.item();
            write(self, value);
        }
        self.json.close(']');
    }

    /// Writes a map; a function writes each value.
    pub(super) fn map<K: AsRef<str>, V>(
        &mut self,
        key: &str,
        entries: impl IntoIterator<Item = (K, V)>,
        write: impl Fn(&mut Self, V),
    ) {
        let mut entries = entries.into_iter().peekable();
        if entries.peek().is_none() {
            return;
        }
        self.json.key(key);
        self.object(|members| {
            for (key, value) in entries {
                members.json.key(key.as_ref());
                write(members, value);
            }
        });
    }
}

/// Reads the members of an object.
#[derive(Clone, Copy)]
pub(super) struct MemberReader<'j> {
    pub(super) json: &'j JsonDocument,
    pub(super) object: TokenId,
}

impl<'j> MemberReader<'j> {
    /// Returns a reader for the outermost object.
    pub(super) fn new(json: &'j JsonDocument) -> Self {
        Self { json, object: json.root() }
    }

    pub(super) fn get(self, key: &str) -> Option<TokenId> {
        self.json.get(self.object, key)
    }

    pub(super) fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn string(self, key: &str) -> Option<String> {
        self.json.string(self.get(key)?).map(|text| text.into_owned())
    }

    pub(super) fn strings(self, key: &str) -> Vec<String> {
        self.get(key).map(|array| self.strings_in(array)).unwrap_or_default()
    }

    pub(super) fn strings_in(self, array: TokenId) -> Vec<String> {
        let items = self.json.items(array);
        items.filter_map(|item| self.json.string(item)).map(|text| text.into_owned()).collect()
    }

    /// Returns the members of the object under a key.
    pub(super) fn map(self, key: &str) -> impl Iterator<Item = (&'j str, TokenId)> {
        let members = self.get(key).into_iter().flat_map(move |object| self.json.members(object));
        members.map(move |member| (self.json.symbol_text(member.symbol), member.value))
    }

    /// Like [`Self::map`], but returns the values as they are written.
    pub(super) fn raw_map(self, key: &str) -> impl Iterator<Item = (String, String)> {
        self.map(key).map(move |(key, value)| (key.to_owned(), self.json.raw(value).to_owned()))
    }
}
