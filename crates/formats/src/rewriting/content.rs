//! The contents of values as text. They order values that have no other order, and they are hashed to check entries of
//! a sidecar.
//!
//! `NodePlanner` is defined in `planner.rs`.

use super::compaction_forms::{CompactionKind, KeyId, ValueForm};
use super::planner::{NodePlanner, PlannedEntry, PlannedValue};
use evalgraph_json::number::ecmascript;
use evalgraph_json::{JsonStyle, StyledJson};
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use evalgraph_text_keys::hexadecimal;
use md5::{Digest, Md5};
use std::collections::HashSet;

/// How many levels of a node's content are compared with other nodes.
const DEEPEST: usize = 16;

/// The maximum size of the blank nodes below a node, in bytes, for their content to be spelled out. Above it, digests
/// are used: if nodes share nodes that share nodes again, their content would not fit into memory.
const MOST_BYTES: usize = 16 << 10;

/// The bytes of a statement in addition to its object: predicate, brackets, comma.
const MEMBER_BYTES: usize = 16;

/// How many digits a long hash has.
pub(super) const LONG_HASH: usize = 32;

/// Returns a short hash of a text.
pub(crate) fn short_hash(text: &str) -> String {
    hexadecimal(&Md5::digest(text)[..4])
}

/// Returns a hash of a text that no other text shares.
pub(crate) fn long_hash(text: &str) -> String {
    hexadecimal(&Md5::digest(text))
}

/// Returns the hashes of texts in the order of an array: short hashes if these are distinct, otherwise long ones.
pub fn order_hashes(texts: &[String]) -> Vec<String> {
    let distinct: HashSet<&String> = texts.iter().collect();
    let hashes: HashSet<String> = distinct.iter().map(|text| short_hash(text)).collect();
    let hash = if hashes.len() == distinct.len() { short_hash } else { long_hash };
    texts.iter().map(|text| hash(text)).collect()
}

/// Returns a double as JSON writes it: the shortest form, with a fraction for a whole number.
pub fn double_text(lexical: &str) -> String {
    let mut text = ecmascript(lexical.parse().unwrap_or(0.0));
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        text.push_str(".0");
    }
    text
}

impl NodePlanner<'_, '_> {
    /// Returns the content of a node on one line, without ids of blank nodes.
    pub(crate) fn content(&mut self, node: BufferTermId) -> String {
        let graph = self.graph;
        let objects = graph.statements(node).iter().map(|&(_, object)| object);
        let below = objects.filter(|&object| matches!(graph.quads().term(object), TermRef::BlankNode));
        let bytes = below
            .fold(0, |bytes: usize, object| bytes.saturating_add(self.content_bytes(object, DEEPEST - 1)));
        if bytes > MOST_BYTES {
            return self.content_digest(node, DEEPEST);
        }
        self.content_within(node, &mut Vec::new())
    }

    fn content_within(&mut self, node: BufferTermId, path: &mut Vec<BufferTermId>) -> String {
        // Blank nodes may form cycles. Those that differ only below `DEEPEST` levels have equal contents.
        if path.len() >= DEEPEST || path.contains(&node) {
            return format!("{{{}}}", self.own_id(node).unwrap_or_default());
        }
        path.push(node);
        let said = self.said(node, |planner, object| planner.content_within(object, path));
        path.pop();
        format!("{{{said}}}")
    }

    /// Returns an upper bound for the size of a node's content down to a depth, in bytes.
    fn content_bytes(&mut self, node: BufferTermId, depth: usize) -> usize {
        // The bound depends on the depth. With one entry for each node and depth, each statement is visited at most
        // `DEEPEST` times, even if nodes share nodes that share nodes again.
        if let Some(known) = self.content_sizes.get(&(node, depth)) {
            return *known;
        }
        let graph = self.graph;
        let mut bytes: usize = 0;
        for &(_, object) in graph.statements(node) {
            let of_object = match graph.quads().term(object) {
                TermRef::BlankNode if depth == 0 => 0,
                TermRef::BlankNode => self.content_bytes(object, depth - 1),
                TermRef::Iri(iri) => iri.len(),
                TermRef::Literal { lexical, .. } => lexical.len(),
            };
            bytes = bytes.saturating_add(of_object).saturating_add(MEMBER_BYTES);
        }
        self.content_sizes.insert((node, depth), bytes);
        bytes
    }

    /// Returns a digest of a node's statements and of the digests of its blank nodes, down to a depth. Nodes with equal
    /// content have equal digests.
    fn content_digest(&mut self, node: BufferTermId, depth: usize) -> String {
        if let Some(known) = self.content_digests.get(&(node, depth)) {
            return known.clone();
        }
        let said = self.said(node, |planner, object| match depth {
            0 => String::new(),
            _ => planner.content_digest(object, depth - 1),
        });
        let digest = long_hash(&said);
        self.content_digests.insert((node, depth), digest.clone());
        digest
    }

    /// Returns the id of a node and its statements, sorted; `of_blank` gives the text of each blank node.
    fn said(
        &mut self,
        node: BufferTermId,
        mut of_blank: impl FnMut(&mut Self, BufferTermId) -> String,
    ) -> String {
        let graph = self.graph;
        let mut members: Vec<String> = self.own_id(node).into_iter().collect();
        for &(predicate, object) in graph.statements(node) {
            let value = match graph.quads().term(object) {
                TermRef::BlankNode => of_blank(self, object),
                _ => self.leaf_content(object),
            };
            members.push(format!("{} {value}", self.forms.iri_text(predicate)));
        }
        // The order of statements in memory must not change the content.
        members.sort_unstable();
        members.join(",")
    }

    fn own_id(&self, node: BufferTermId) -> Option<String> {
        self.graph.iri(node).map(|iri| format!("@id {iri}"))
    }

    fn leaf_content(&self, term: BufferTermId) -> String {
        match self.graph.quads().term(term) {
            TermRef::Iri(iri) => iri.to_owned(),
            TermRef::BlankNode => String::new(),
            TermRef::Literal { lexical, kind } => match kind {
                BufferLiteralKind::String => format!("{lexical:?}"),
                BufferLiteralKind::Language(language) => format!("{lexical:?}@{language}"),
                BufferLiteralKind::Datatype(_, datatype) => format!("{lexical:?}^^{datatype}"),
            },
        }
    }

    /// Returns the hash of the values of a member, independent of their order. The hash of a single node is computed
    /// only once: many members may have the node as their value, and its content may be as long as the content of all
    /// of them together.
    pub(crate) fn member_hash(&mut self, values: &[PlannedEntry]) -> String {
        let [PlannedEntry { value: PlannedValue::Object { object, .. }, .. }] = *values else {
            return self.hash_of(values);
        };
        if !self.graph.is_subject(object) {
            return self.hash_of(values);
        }
        if let Some(hash) = self.node_hashes.get(&object) {
            return hash.clone();
        }
        let hash = self.hash_of(values);
        self.node_hashes.insert(object, hash.clone());
        hash
    }

    fn hash_of(&mut self, values: &[PlannedEntry]) -> String {
        let mut texts: Vec<String> = values.iter().map(|planned| self.value_content(planned)).collect();
        texts.sort_unstable();
        short_hash(&texts.join(","))
    }

    fn value_content(&mut self, planned: &PlannedEntry) -> String {
        match planned.value {
            // The label depends on the nodes that were written before, so it must not change the hash.
            PlannedValue::Id(node) if matches!(self.graph.quads().term(node), TermRef::BlankNode) => {
                "_:".to_owned()
            }
            PlannedValue::Id(node) | PlannedValue::Type(node) => self.forms.iri_text(node),
            PlannedValue::Object { object, .. } => match self.graph.quads().term(object) {
                TermRef::Literal { .. } => self.leaf_content(object),
                _ => self.whole_content(object),
            },
            PlannedValue::Raw(_) => String::new(),
        }
    }

    /// Returns the content of a node together with the contents of the nodes below it.
    fn whole_content(&mut self, node: BufferTermId) -> String {
        let mut nodes = vec![node];
        let mut texts = Vec::new();
        let mut at = 0;
        while at < nodes.len() {
            texts.push(self.content(nodes[at]));
            let graph = self.graph;
            for &(_, object) in graph.statements(nodes[at]) {
                // Each search starts at the first node, so the nodes are limited. Changes beyond go unnoticed.
                if graph.is_subject(object) && !nodes.contains(&object) && nodes.len() < 1000 {
                    nodes.push(object);
                }
            }
            at += 1;
        }
        texts.sort_unstable();
        texts.join(",")
    }

    /// Returns a value as JSON on one line, unless it is a node written out here.
    pub(crate) fn plain_text(&mut self, planned: &PlannedEntry) -> String {
        let mut json = StyledJson::new(JsonStyle::compact());
        self.write_plain(planned, false, &mut json);
        json.finish()
    }

    /// Writes a value, unless it is a node written out here.
    #[inline]
    pub(crate) fn write_plain(&mut self, planned: &PlannedEntry, is_decimal: bool, json: &mut StyledJson) {
        match &planned.value {
            PlannedValue::Id(node) => json.string(&self.id_text(*node)),
            PlannedValue::Type(class) => json.string(&self.forms.type_text(*class)),
            PlannedValue::Object { predicate, object, shape, form } => {
                let graph = self.graph;
                if let TermRef::Literal { lexical, .. } = graph.quads().term(*object) {
                    self.write_literal(lexical, *shape, &form.value, is_decimal, json);
                } else {
                    self.write_reference(*predicate, *object, &form.value, json);
                }
            }
            PlannedValue::Raw(_) => {}
        }
    }

    fn write_reference(
        &mut self,
        predicate: BufferTermId,
        node: BufferTermId,
        form: &ValueForm,
        json: &mut StyledJson,
    ) {
        if *form == ValueForm::Plain {
            let text = self.reference_text(predicate, node);
            json.string(&text);
            return;
        }
        let id = self.id_text(node);
        json.open('{');
        json.key(&self.forms.owned_key(KeyId::ID));
        json.string(&id);
        json.close('}');
    }

    #[inline]
    fn write_literal(
        &mut self,
        lexical: &str,
        shape: CompactionKind,
        form: &ValueForm,
        is_decimal: bool,
        json: &mut StyledJson,
    ) {
        let is_object = *form != ValueForm::Plain;
        if is_object {
            json.open('{');
            if let ValueForm::Tagged(key, tag) = form {
                json.key(key);
                json.string(tag);
            }
            json.key("@value");
        }
        match shape {
            CompactionKind::Integer => {
                json.scalar(lexical);
                // In RDF `1.0` from JSON is the integer 1, so only the sidecar has the fraction.
                if is_decimal {
                    json.scalar(".0");
                }
            }
            CompactionKind::Boolean => json.scalar(lexical),
            CompactionKind::Double => json.scalar(&double_text(lexical)),
            CompactionKind::Json | CompactionKind::InlineJson => {
                json.json_text(lexical);
            }
            _ => json.string(lexical),
        }
        if is_object {
            json.close('}');
        }
    }
}
