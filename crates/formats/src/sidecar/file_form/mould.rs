//! Keeps a YAML text without its values: comments, keys, indentation, quotes, anchors. A placeholder for each value
//! shows how the value was spelled, and values are filled in again one by one.
//!
//! Spellings that no placeholder can represent (folded lines, `~` for null, escapes) are kept with the hash of their
//! value. If a member is gone, the text before it is also removed; new members come last, spelled as JSON.

use super::spelled_value::{SpelledValue, is_same};
use crate::secrets::is_overwritten;
use crate::sidecar::members::{LIMITS, MemberReader, MemberWriter};
use crate::yaml::read_yaml;
use crate::yaml::scalar::{ScalarStyle, bare, double_quoted};
use crate::yaml::yaml_nodes::{NodeKind, YamlNode, YamlNodes};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

const NAME: &str = "mould";

/// A text of YAML without values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlMould {
    text: String,
    /// Spellings that are kept unchanged, by the number of the value.
    spelled: BTreeMap<usize, SpelledValue>,
}

impl YamlMould {
    /// Makes the mould of a YAML file.
    pub(super) fn from_document(file: &JsonDocument) -> Option<Self> {
        let (source, scalars) = (file.written_text(), scalars(file));
        let mut text = String::with_capacity(source.len());
        let mut raw = Vec::with_capacity(scalars.len());
        let mut at = 0;
        for (range, token) in scalars {
            let range = bare(source, &range);
            text.push_str(source.get(at..range.start)?);
            text.push_str(&ScalarStyle::from_scalar(&source[range.clone()]).placeholder());
            at = range.end;
            raw.push((&source[range], token));
        }
        text.push_str(&source[at..]);
        let nodes = YamlNodes::read(NAME, &text, LIMITS.depth).ok()?;
        let values = values(&nodes);
        if nodes.roots.is_empty() {
            // The null that represents an empty file has no text.
            raw.clear();
        }
        // Values are found again by their numbers, so the mould must have exactly as many scalars as the file.
        if values.len() != raw.len() {
            return None;
        }
        let mut spelled = BTreeMap::new();
        for (number, (&node, (raw, token))) in values.iter().zip(raw).enumerate() {
            let written = scalar(raw, file, token, nodes.nodes[node].is_in_flow);
            if written != raw && !is_overwritten(raw) {
                spelled.insert(number, SpelledValue::new(file, token, raw));
            }
        }
        Some(Self { text, spelled })
    }

    /// Fills values into the mould. Returns the text and the values read from it.
    pub(super) fn write(&self, values: &JsonDocument) -> Option<(String, JsonDocument)> {
        let nodes = YamlNodes::read(NAME, &self.text, LIMITS.depth).ok()?;
        let mut filling = MouldFiller {
            mould: self,
            nodes: &nodes,
            values,
            numbers: self::values(&nodes).into_iter().zip(0..).collect(),
            filled: HashMap::new(),
            out: String::new(),
            at: 0,
        };
        let root = values.root();
        match nodes.roots.as_slice() {
            [] => {}
            [one] => filling.node(*one, root),
            several => {
                let items: Vec<TokenId> = values.items(root).collect();
                if items.len() != several.len() {
                    return None;
                }
                several.iter().zip(items).for_each(|(&node, item)| filling.node(node, item));
            }
        }
        filling.copy_to(self.text.len());
        let text = filling.out;
        let read = read_yaml(NAME, &text, LIMITS).ok()?;
        Some((text, read))
    }

    pub(super) fn encode(&self, members: &mut MemberWriter) {
        members.string("yaml", Some(&self.text));
        let spelled = self.spelled.iter().map(|(number, spelled)| (number.to_string(), spelled));
        members.map("spelled", spelled, |members, spelled| spelled.encode(members));
    }

    pub(super) fn decode(members: MemberReader<'_>) -> Option<Self> {
        let text = members.string("yaml")?;
        let spelled = members
            .map("spelled")
            .map(|(number, pair)| Some((number.parse().ok()?, SpelledValue::decode(members.json, pair)?)));
        Some(Self { text, spelled: spelled.collect::<Option<_>>()? })
    }
}

/// Returns the bytes of all scalars that are values, in order, each with the first value made from the scalar.
fn scalars(file: &JsonDocument) -> Vec<(Range<usize>, TokenId)> {
    let (mut found, mut keys) = (Vec::new(), HashSet::new());
    for token in (0..file.token_count()).map(TokenId::from_index) {
        let Some(origin) = file.origin(token) else { continue };
        match file.kind(token) {
            JsonKind::Key | JsonKind::ReplacedKey => {
                keys.insert(origin.start);
            }
            JsonKind::Array | JsonKind::Object => {}
            _ => found.push((origin, token)),
        }
    }
    // A key may have an anchor and be the value of an alias elsewhere.
    found.retain(|(origin, _)| !keys.contains(&origin.start));
    found.sort_by_key(|(origin, token)| (origin.start, *token));
    found.dedup_by_key(|(origin, _)| origin.start);
    found
}

/// Returns the scalars that are values.
fn values(nodes: &YamlNodes<'_>) -> Vec<usize> {
    let mut keys = HashSet::new();
    for (number, node) in nodes.nodes.iter().enumerate() {
        if matches!(node.kind, NodeKind::Mapping) {
            keys.extend(nodes.inner(number).step_by(2));
        }
    }
    let is_value = |number: &usize| {
        matches!(nodes.nodes[*number].kind, NodeKind::Scalar { .. }) && !keys.contains(number)
    };
    (0..nodes.nodes.len()).filter(is_value).collect()
}

/// Spells a value like the scalar that it replaces.
fn scalar(place: &str, document: &JsonDocument, value: TokenId, is_in_flow: bool) -> String {
    match document.string(value) {
        Some(text) => ScalarStyle::from_scalar(place).write(&text, is_in_flow),
        None if place.is_empty() && document.kind(value) == JsonKind::Null => String::new(),
        None if document.is_scalar(value) => document.raw(value).to_owned(),
        None => {
            let mut text = String::new();
            inline(document, value, &mut text);
            text
        }
    }
}

/// Writes a value on one line, in brackets.
///
/// Recurses by level; the parser limits the depth.
fn inline(document: &JsonDocument, value: TokenId, out: &mut String) {
    let separate = |out: &mut String, is_first: bool| out.push_str(if is_first { "" } else { ", " });
    match document.kind(value) {
        JsonKind::Object => {
            out.push('{');
            for (number, member) in document.members(value).enumerate() {
                separate(out, number == 0);
                out.push_str(&double_quoted(document.symbol_text(member.symbol)));
                out.push_str(": ");
                inline(document, member.value, out);
            }
            out.push('}');
        }
        JsonKind::Array => {
            out.push('[');
            for (number, item) in document.items(value).enumerate() {
                separate(out, number == 0);
                inline(document, item, out);
            }
            out.push(']');
        }
        _ => match document.string(value) {
            Some(text) => out.push_str(&double_quoted(&text)),
            None => out.push_str(document.raw(value)),
        },
    }
}

/// Fills values into a mould.
struct MouldFiller<'m> {
    mould: &'m YamlMould,
    nodes: &'m YamlNodes<'m>,
    values: &'m JsonDocument,
    /// The numbers of the scalars that are values.
    numbers: HashMap<usize, usize>,
    /// The value that was filled into each node, for aliases.
    filled: HashMap<usize, TokenId>,
    out: String,
    /// The byte of the mould up to which it has been copied.
    at: usize,
}

/// A member or an item: its first node, and the node of its value.
type MouldEntry = (usize, usize);

impl<'m> MouldFiller<'m> {
    fn copy_to(&mut self, end: usize) {
        // The bytes given in a mould may be wrong, if someone has edited it.
        if let Some(text) = self.mould.text.get(self.at..end) {
            self.out.push_str(text);
            self.at = end;
        }
    }

    /// Fills a value into the place of a node.
    ///
    /// Recurses by level; the parser limits the depth.
    fn node(&mut self, number: usize, value: TokenId) {
        let (nodes, values) = (self.nodes, self.values);
        let node = &nodes.nodes[number];
        self.filled.insert(number, value);
        match node.kind {
            NodeKind::Alias(target) => {
                let is_same = match self.filled.get(&target) {
                    Some(&meant) => is_same(values, meant, values, value),
                    // The anchor is on a key.
                    None => values.string(value).is_some_and(|text| text == self.key(target)),
                };
                if is_same { self.copy_to(node.end) } else { self.instead(node, value) }
            }
            NodeKind::Scalar { .. } => self.scalar(number, value),
            NodeKind::Sequence if values.is_array(value) => {
                let entries: Vec<MouldEntry> = nodes.inner(number).map(|item| (item, item)).collect();
                let items: Vec<TokenId> = values.items(value).collect();
                let old = entries.iter().enumerate().map(|(at, _)| items.get(at).copied()).collect();
                let new = items.iter().skip(entries.len()).map(|&item| (None, item)).collect();
                self.entries(node, value, &entries, old, new);
            }
            NodeKind::Mapping if values.is_object(value) => {
                let inner: Vec<usize> = nodes.inner(number).collect();
                let entries: Vec<MouldEntry> = inner.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
                let keys: Vec<&str> = entries.iter().map(|&(key, _)| self.key(key)).collect();
                let old = keys.iter().map(|key| values.get(value, key)).collect();
                let known: HashSet<&str> = keys.iter().copied().collect();
                let members = values.members(value);
                let members = members.map(|member| (values.symbol_text(member.symbol), member.value));
                let new = members.filter(|(key, _)| !known.contains(key));
                let new = new.map(|(key, value)| (Some(key), value)).collect();
                self.entries(node, value, &entries, old, new);
            }
            _ => self.instead(node, value),
        }
    }

    fn key(&self, node: usize) -> &'m str {
        match &self.nodes.nodes[node].kind {
            NodeKind::Scalar { value, .. } => value,
            NodeKind::Alias(target) => self.key(*target),
            _ => "",
        }
    }

    fn scalar(&mut self, number: usize, value: TokenId) {
        let node = &self.nodes.nodes[number];
        let place = bare(&self.mould.text, &node.bytes);
        self.copy_to(place.start);
        self.at = place.end;
        let kept = self.numbers.get(&number).and_then(|number| self.mould.spelled.get(number));
        let kept = kept.and_then(|spelled| spelled.text_of(self.values, value));
        match kept {
            Some(text) => self.out.push_str(text),
            None => {
                let text = scalar(&self.mould.text[place.clone()], self.values, value, node.is_in_flow);
                if place.is_empty() { self.push(&text) } else { self.out.push_str(&text) }
            }
        }
    }

    /// Appends a text that is not from the mould, after a blank if the text before it needs one.
    fn push(&mut self, text: &str) {
        if self.out.ends_with([':', '-', '?', ',']) && !text.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    /// Writes a value in the place of a node of another kind.
    fn instead(&mut self, node: &YamlNode, value: TokenId) {
        let place = bare(&self.mould.text, &node.bytes);
        self.copy_to(place.start);
        self.at = node.end;
        self.inline(value);
    }

    fn inline(&mut self, value: TokenId) {
        let mut text = String::new();
        inline(self.values, value, &mut text);
        self.push(&text);
    }

    /// Fills a container: each old entry gets its value or is removed, and new entries come last.
    fn entries(
        &mut self,
        node: &YamlNode,
        value: TokenId,
        entries: &[MouldEntry],
        old: Vec<Option<TokenId>>,
        new: Vec<(Option<&str>, TokenId)>,
    ) {
        let Some(&(first, _)) = entries.first().filter(|_| !old.iter().all(Option::is_none)) else {
            let is_as_it_was = entries.is_empty() && new.is_empty();
            return if is_as_it_was { self.copy_to(node.end) } else { self.instead(node, value) };
        };
        let is_sequence = matches!(node.kind, NodeKind::Sequence);
        self.copy_to(self.nodes.nodes[first].bytes.start);
        let start = self.out.len();
        let mut has_any = false;
        for (&(begin, inner), value) in entries.iter().zip(old) {
            let Some(value) = value else {
                self.at = self.nodes.nodes[inner].end;
                continue;
            };
            if has_any {
                self.copy_to(self.nodes.nodes[begin].bytes.start);
            }
            self.at = self.nodes.nodes[begin].bytes.start;
            has_any = true;
            if begin != inner {
                self.copy_to(self.nodes.nodes[begin].end);
            }
            self.node(inner, value);
        }
        // In brackets the column does not matter, because entries may be on the same line.
        let is_asked = !node.is_flow && !new.is_empty();
        let column = if is_asked { start - self.out[..start].rfind('\n').map_or(0, |at| at + 1) } else { 0 };
        for (key, value) in new {
            self.separate(node.is_flow, column, is_sequence);
            if let Some(key) = key {
                self.out.push_str(&ScalarStyle::Plain.write(key, node.is_flow));
                self.out.push(':');
            }
            self.inline(value);
        }
        self.copy_to(node.end);
    }

    /// Writes the separator or indentation before a new member or item.
    fn separate(&mut self, is_flow: bool, column: usize, is_item: bool) {
        if is_flow {
            return self.out.push_str(", ");
        }
        self.out.push_str(if self.mould.text.contains("\r\n") { "\r\n" } else { "\n" });
        // `start` is at the first value, and the `-` of an item is two characters before its value.
        let column = if is_item { column.saturating_sub(2) } else { column };
        self.out.extend(std::iter::repeat_n(' ', column));
        self.out.push_str(if is_item { "-" } else { "" });
    }
}
