//! Makes the value of a file from the value written from its graph and from differences.

use super::named_entries::{self, NamedEntry};
use super::parts::{DifferencePart, DifferenceParts};
use super::value_digest::ValueDigests;
use crate::rewriting::StaleEntries;
use evalgraph_json::{JsonDocument, JsonStyle, StyledJson, TokenId};
use hashbrown::{HashMap, HashSet};

/// A value with its differences applied.
#[derive(Debug)]
pub struct AppliedDifference {
    /// Its text.
    pub text: String,
    /// Entries of the differences that no longer fit the written value.
    pub stale: StaleEntries,
    /// How many entries are about members and items that are gone.
    pub gone: u64,
}

/// Applies a difference to a written value. If the difference was made for that value, the result is the file's value;
/// if the value has changed since, the change is kept.
///
/// ```
/// use evalgraph_json::{Limits, JsonStyle, parse};
/// use evalgraph_formats::sidecar::json_difference::apply;
///
/// let parsed = |text: &str| parse("any", text.to_owned(), Limits::default());
/// let difference = parsed(r#"{"first":{"note":null},"in":{"score":["c4ca4238",1.0]}}"#)?;
/// let written = parsed(r#"{"name": "edited", "score": 1}"#)?;
/// let applied = apply(&written, written.root(), &difference, JsonStyle::compact());
/// assert_eq!(applied.text, r#"{"note":null,"name":"edited","score":1.0}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn apply(
    written: &JsonDocument,
    value: TokenId,
    difference: &JsonDocument,
    style: JsonStyle,
) -> AppliedDifference {
    let mut application = DifferenceApplication::new(written);
    application.add(value, difference);
    application.write(value, style)
}

/// A written document with the differences of values in it: one for the root, or one for each record.
pub struct DifferenceApplication<'d> {
    written: ValueDigests<'d>,
    differences: HashMap<TokenId, &'d JsonDocument>,
    json: StyledJson,
    stale: StaleEntries,
    gone: u64,
}

impl<'d> DifferenceApplication<'d> {
    /// Starts without differences.
    pub fn new(written: &'d JsonDocument) -> Self {
        let (json, stale) = (StyledJson::new(JsonStyle::default()), StaleEntries::default());
        Self { written: ValueDigests::new(written), differences: HashMap::new(), json, stale, gone: 0 }
    }

    /// Adds the difference of a value of the document. It is ignored if the difference of an outer value covers the
    /// value.
    pub fn add(&mut self, value: TokenId, difference: &'d JsonDocument) {
        self.differences.insert(value, difference);
    }

    /// Writes a value with its own difference and those of the values inside it.
    pub fn write(mut self, value: TokenId, style: JsonStyle) -> AppliedDifference {
        self.json = StyledJson::new(style);
        self.value(value, None, "the document");
        AppliedDifference { text: self.json.finish(), stale: self.stale, gone: self.gone }
    }

    /// Writes a value with a part of an outer difference, or else with its own difference. `name` is for messages.
    ///
    /// Recurses by level; the parser limits the depth.
    fn value(&mut self, value: TokenId, part: Option<DifferencePart<'d>>, name: &str) {
        let own = || {
            self.differences
                .get(&value)
                .map(|&difference| DifferencePart { difference, token: difference.root() })
        };
        let Some(DifferencePart { difference, token }) = part.or_else(own) else {
            return self.written(value, name);
        };
        let document = self.written.document;
        let mut items = difference.items(token);
        // The number of items distinguishes the forms: an object has none, `[{…}]` one, `[hash, value]` two.
        match (items.next(), items.next()) {
            (None, _) if difference.is_object(token) && document.is_object(value) => {
                self.object(value, &DifferenceParts::new(difference, token));
            }
            (Some(parts), None) if difference.is_object(parts) && document.is_array(value) => {
                self.array(value, &DifferenceParts::new(difference, parts));
            }
            (Some(hash), Some(text)) if difference.string(hash) == Some(self.written.hash(value).into()) => {
                self.json.json(difference, text);
            }
            _ => {
                self.stale.add(|| name.to_owned());
                self.written(value, name);
            }
        }
    }

    /// Writes a value that has no difference itself, with the differences of values inside it.
    fn written(&mut self, value: TokenId, name: &str) {
        let document = self.written.document;
        if document.is_object(value) {
            self.json.open('{');
            for member in document.members(value) {
                let key = document.symbol_text(member.symbol);
                self.json.key(key);
                self.value(member.value, None, key);
            }
            self.json.close('}');
        } else if document.is_array(value) {
            self.json.open_array(document.items(value).all(|item| document.is_scalar(item)));
            for item in document.items(value) {
                self.json.item();
                self.value(item, None, name);
            }
            self.json.close(']');
        } else if let Some(text) = document.string(value) {
            self.json.string(&text);
        } else {
            self.json.scalar(document.raw(value));
        }
    }

    fn object(&mut self, object: TokenId, parts: &DifferenceParts<'d>) {
        let entries = named_entries::members(self.written.document, object);
        let kept = self.without_absent(entries, parts);
        // A name that the graph now has takes precedence over one in the difference.
        let mut taken: HashSet<String> = kept.iter().map(|entry| entry.name.to_string()).collect();
        self.json.open('{');
        self.own_members(parts.first, parts, &mut taken);
        for entry in &kept {
            self.json.key(&entry.name);
            self.value(entry.value, parts.within(&entry.name), &entry.name);
            self.own_members(parts.after.get(&*entry.name).copied(), parts, &mut taken);
        }
        for group in parts.left(&kept) {
            self.own_members(Some(group), parts, &mut taken);
        }
        self.json.close('}');
        self.count_gone(parts, &kept);
    }

    fn own_members(
        &mut self,
        group: Option<TokenId>,
        parts: &DifferenceParts<'d>,
        taken: &mut HashSet<String>,
    ) {
        let difference = parts.difference;
        for member in group.into_iter().flat_map(|group| difference.members(group)) {
            let key = difference.symbol_text(member.symbol);
            if !taken.insert(key.to_owned()) {
                self.stale.add(|| key.to_owned());
                continue;
            }
            self.json.key(key);
            self.json.json(difference, member.value);
        }
    }

    fn array(&mut self, array: TokenId, parts: &DifferenceParts<'d>) {
        let items: Vec<TokenId> = self.written.document.items(array).collect();
        let digests = named_entries::digests(&mut self.written, &items, parts.by.as_deref());
        let kept = self.without_absent(named_entries::items(&items, &digests), parts);
        let left = parts.left(&kept);
        self.json.open_array(self.is_of_scalars(&kept, parts, &left));
        self.own_items(parts.first, parts.difference);
        for entry in &kept {
            self.json.item();
            self.value(entry.value, parts.within(&entry.name), "an item");
            self.own_items(parts.after.get(&*entry.name).copied(), parts.difference);
        }
        for group in left {
            self.own_items(Some(group), parts.difference);
        }
        self.json.close(']');
        self.count_gone(parts, &kept);
    }

    fn own_items(&mut self, group: Option<TokenId>, difference: &JsonDocument) {
        for item in group.into_iter().flat_map(|group| difference.items(group)) {
            self.json.item();
            self.json.json(difference, item);
        }
    }

    fn is_of_scalars(&self, kept: &[NamedEntry<'d>], parts: &DifferenceParts<'d>, left: &[TokenId]) -> bool {
        let (document, difference) = (self.written.document, parts.difference);
        let groups = parts.first.iter().chain(left).chain(parts.after.values());
        let mut own = groups.flat_map(|&group| difference.items(group));
        own.all(|item| difference.is_scalar(item))
            && kept.iter().all(|entry| {
                let replaced = parts.within.get(&*entry.name).and_then(|&part| difference.items(part).nth(1));
                document.is_scalar(entry.value)
                    && replaced.is_none_or(|replaced| difference.is_scalar(replaced))
            })
    }

    /// Returns the entries without those that the file lacks and whose values have not changed since.
    fn without_absent(
        &mut self,
        entries: Vec<NamedEntry<'d>>,
        parts: &DifferenceParts<'d>,
    ) -> Vec<NamedEntry<'d>> {
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            match parts.absent.get(&*entry.name).map(|&hash| parts.difference.string(hash)) {
                Some(hash) if hash == Some(self.written.hash(entry.value).into()) => {}
                Some(_) => {
                    self.stale.add(|| entry.name.to_string());
                    kept.push(entry);
                }
                None => kept.push(entry),
            }
        }
        parts.in_order(kept)
    }

    fn count_gone(&mut self, parts: &DifferenceParts<'d>, kept: &[NamedEntry<'d>]) {
        let there = kept.iter().filter(|entry| parts.within.contains_key(&*entry.name)).count();
        self.gone += (parts.within.len() - there) as u64;
    }
}
