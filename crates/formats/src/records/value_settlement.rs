//! Keeps values consistent that a graph states twice: as a JSON literal, and in part also as plain literals for
//! queries. An update may change one and not the other, but the file has a single place for both.
//!
//! A changed literal goes into the JSON. If the JSON is known to be new, the literals follow it instead.

use super::graph_decomposer::GraphDecomposer;
use super::record_plan::{EntryValue, FilePlan, KeyPlan, NodeIdentity, RecordPlan};
use super::shape::{FileShape, MemberForm, own_namespace};
use crate::rewriting::IndexedGraph;
use evalgraph_json::number::is_integer;
use evalgraph_json::{JsonDocument, JsonKind, Limits, TokenId, parse, write_string};
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferQuad, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::{SCHEMA_ORG, rdf, xsd};
use evalgraph_rdf::{QuadBuffer, QuadSink};
use std::collections::{BTreeMap, BTreeSet};

/// The changes that make both statements of each value agree, as triples without blank nodes.
#[derive(Debug, Default)]
pub struct ValueSettlement {
    /// The triples to remove.
    pub removed: QuadBuffer,
    /// The triples to add.
    pub added: QuadBuffer,
}

impl ValueSettlement {
    /// Returns whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }

    /// Returns the graph with these changes.
    pub fn apply(&self, graph: &IndexedGraph<'_>) -> QuadBuffer {
        let mut whole = QuadBuffer::new();
        graph.copy_into(|_, _| true, &mut whole);
        let removed = self.removed.quads().iter().map(|quad| texts(&self.removed, quad));
        let removed: BTreeSet<[String; 3]> = removed.collect();
        let mut settled = QuadBuffer::new();
        let kept = whole.quads().iter().filter(|quad| !removed.contains(&texts(&whole, quad)));
        whole.copy_some_into(kept.copied(), &mut settled);
        self.added.copy_into(&mut settled);
        settled
    }
}

/// Returns the terms of a triple as text, in a notation that distinguishes literals from IRIs.
fn texts(quads: &QuadBuffer, quad: &BufferQuad) -> [String; 3] {
    [quad.subject, quad.predicate, quad.object].map(|term| match quads.term(term) {
        TermRef::Iri(iri) => format!("<{iri}>"),
        TermRef::BlankNode => String::new(),
        TermRef::Literal { lexical, kind } => match kind {
            BufferLiteralKind::String => format!("\"{lexical}"),
            BufferLiteralKind::Language(kind) | BufferLiteralKind::Datatype(_, kind) => {
                format!("{kind} \"{lexical}")
            }
        },
    })
}

/// A literal.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct StatedLiteral {
    text: String,
    datatype: &'static str,
}

/// Finds the changes that the graph of a file of records needs. `new` are the statements that are known to be new; it
/// is empty if none are known.
pub fn settlement(graph: &IndexedGraph<'_>, shape: &FileShape, new: &QuadBuffer) -> ValueSettlement {
    let plans = FilePlan::from_shape(shape);
    let mut settling = ValueSettler {
        records: GraphDecomposer::new(graph, &plans),
        names: &plans.names,
        new: new.quads().iter().map(|quad| texts(new, quad)).collect(),
        settlement: ValueSettlement::default(),
    };
    plans.each(&mut |plan| settling.plan(plan));
    settling.settlement
}

struct ValueSettler<'s> {
    records: GraphDecomposer<'s>,
    names: &'s [&'static str],
    new: BTreeSet<[String; 3]>,
    settlement: ValueSettlement,
}

/// A value that the graph has as a JSON literal.
struct WholeJsonValue<'w> {
    /// The record.
    iri: &'w str,
    plan: &'w RecordPlan,
    /// The keys whose values are also plain literals.
    group: &'w KeyPlan,
    document: JsonDocument,
}

impl ValueSettler<'_> {
    /// Makes all nodes of a shape consistent.
    fn plan(&mut self, plan: &RecordPlan) {
        let graph = self.records.graph;
        let targets: Vec<(usize, &KeyPlan)> = plan
            .keys
            .keys
            .iter()
            .filter_map(|target| {
                let whole =
                    target.slots.iter().find(|&&slot| matches!(plan.slots[slot].form, MemberForm::Json))?;
                Some((*whole, &plan.keys.groups[target.group?]))
            })
            .collect();
        if targets.is_empty() {
            return;
        }
        for &node in graph.subjects() {
            let Some(iri) = graph.iri(node).filter(|_| self.records.is_a(node, &plan.node)) else { continue };
            for &(slot, group) in &targets {
                self.value(plan, group, node, iri, slot);
            }
        }
    }

    /// Makes one JSON value of a node consistent with its literals.
    fn value(&mut self, plan: &RecordPlan, group: &KeyPlan, node: BufferTermId, iri: &str, slot: usize) {
        let graph = self.records.graph;
        let mut values = vec![Vec::new(); plan.slots.len()];
        self.records.collect(plan, &plan.node, node, &mut values);
        let Some(&value) = values[slot].first() else { return };
        let Some(lexical) = graph.lexical(value) else { return };
        let Ok(document) = parse("value", lexical.to_owned(), Limits::default()) else { return };
        if !document.is_object(document.root()) {
            return;
        }
        let whole = WholeJsonValue { iri, plan, group, document };
        let mut statements = graph.statements(node).iter();
        let Some(&(predicate, _)) = statements.find(|(_, object)| *object == value) else { return };
        if self.is_new([node, predicate, value]) {
            self.follow(&whole, &values);
            return;
        }
        let changes = self.changes(&whole, &values);
        if let Some(predicate) = graph.iri(predicate).filter(|_| !changes.is_empty()) {
            let ValueSettlement { removed, added } = &mut self.settlement;
            literal(removed, iri, predicate, lexical, rdf::JSON);
            literal(added, iri, predicate, &whole.with(&changes), rdf::JSON);
        }
    }

    fn is_new(&self, [subject, predicate, object]: [BufferTermId; 3]) -> bool {
        let quad = BufferQuad { subject, predicate, object, graph: None };
        !self.new.is_empty() && self.new.contains(&texts(self.records.graph.quads(), &quad))
    }

    /// Returns the literals that the graph has for a row of the table.
    fn words(&self, terms: &[BufferTermId]) -> BTreeSet<StatedLiteral> {
        terms.iter().filter_map(|&term| word(self.records.graph.quads(), term)).collect()
    }

    /// Returns the keys whose literals in the graph differ from the JSON, with the new values as JSON, or `None` for a
    /// removed key.
    fn changes(
        &self,
        whole: &WholeJsonValue<'_>,
        values: &[Vec<BufferTermId>],
    ) -> BTreeMap<String, Option<String>> {
        let mut changes = BTreeMap::new();
        for (slot, said) in whole.said() {
            let words = self.words(&values[slot]);
            let expected: BTreeSet<&StatedLiteral> = said.iter().map(|(_, word)| word).collect();
            let gone: BTreeSet<&StatedLiteral> =
                expected.iter().copied().filter(|word| !words.contains(*word)).collect();
            let new: Vec<&StatedLiteral> = words.iter().filter(|word| !expected.contains(word)).collect();
            let new = match (gone.len(), new.as_slice()) {
                // An additional literal has no key in the JSON, so it changes nothing there.
                (0, _) => continue,
                (_, []) => None,
                (1, [word]) => Some(json(word)),
                // With several changes, there is no way to know which literal replaces which.
                _ => continue,
            };
            let keys = said.iter().filter(|(_, word)| gone.contains(word)).map(|(key, _)| key.clone());
            changes.extend(keys.map(|key| (key, new.clone())));
        }
        changes
    }

    /// Changes the literals to match a new JSON value, unless some of them are new themselves.
    fn follow(&mut self, whole: &WholeJsonValue<'_>, values: &[Vec<BufferTermId>]) {
        for (slot, said) in whole.said() {
            let expected: BTreeSet<StatedLiteral> = said.into_iter().map(|(_, word)| word).collect();
            let words = self.words(&values[slot]);
            let Some((owner, property, way)) = whole.way(slot, self.names) else { continue };
            let quads = self.records.graph.quads();
            let stated = |word: &StatedLiteral| -> Option<[BufferTermId; 3]> {
                let subject = quads.find_iri(&owner)?;
                let statements = self.records.graph.statements(subject).iter();
                let found =
                    statements.copied().find(|(_, object)| self::word(quads, *object).as_ref() == Some(word));
                found.map(|(predicate, object)| [subject, predicate, object])
            };
            let gone: Vec<&StatedLiteral> = words.difference(&expected).collect();
            if gone.iter().any(|word| stated(word).is_some_and(|statement| self.is_new(statement))) {
                continue;
            }
            let ValueSettlement { removed, added } = &mut self.settlement;
            for StatedLiteral { text, datatype } in gone {
                literal(removed, &owner, &property, text, datatype);
            }
            for StatedLiteral { text, datatype } in expected.difference(&words) {
                literal(added, &owner, &property, text, datatype);
                way.copy_into(added);
            }
            if expected.is_empty() && !words.is_empty() && whole.is_alone(slot) {
                way.copy_into(removed);
            }
        }
    }
}

impl WholeJsonValue<'_> {
    /// Returns the literals that follow from the JSON value, with their keys, by the first row with the same path.
    fn said(&self) -> BTreeMap<usize, Vec<(String, StatedLiteral)>> {
        let slots = &self.plan.slots;
        let mut said: BTreeMap<usize, Vec<(String, StatedLiteral)>> = BTreeMap::new();
        for target in &self.group.keys {
            let Some(&slot) = target.slots.first() else { continue };
            // Rows with the same path share one set of literals.
            let first = self.group.keys.iter().filter_map(|target| target.slots.first());
            let first = first.copied().find(|&other| slots[other].path == slots[slot].path).unwrap_or(slot);
            let value = self.document.get(self.document.root(), target.key);
            let word = value.and_then(|value| word_of(&self.document, value));
            said.entry(first).or_default().extend(word.map(|word| (target.key.to_owned(), word)));
        }
        said
    }

    /// Returns the JSON value with changed members.
    fn with(&self, changes: &BTreeMap<String, Option<String>>) -> String {
        let mut json = String::from("{");
        for member in self.document.members(self.document.root()) {
            let key = self.document.symbol_text(member.symbol);
            let value = match changes.get(key) {
                // The other members keep their spelling, so the new literal differs only where the graph does.
                None => self.document.raw(member.value),
                Some(Some(value)) => value.as_str(),
                Some(None) => continue,
            };
            if json.len() > 1 {
                json.push(',');
            }
            write_string(key, &mut json);
            json.push(':');
            json.push_str(value);
        }
        json.push('}');
        json
    }

    /// Returns the node that has the literals of a row, their property, and the triples from the record to that node.
    fn way(&self, slot: usize, names: &[&'static str]) -> Option<(String, String, QuadBuffer)> {
        let mut way = QuadBuffer::new();
        let (mut node, mut iri) = (&self.plan.node, self.iri.to_owned());
        loop {
            let (entry, inner) = node.entries.iter().find_map(|entry| {
                entry.values.iter().find_map(|value| match value {
                    EntryValue::Slot(found) if *found == slot => Some((entry, None)),
                    EntryValue::Node(inner) if inner.below.contains(&slot) => Some((entry, Some(inner))),
                    _ => None,
                })
            })?;
            let property = full(names[entry.property.0]);
            let Some(inner) = inner else { return Some((iri, property, way)) };
            // The other nodes have no IRI that follows from the record, so no triple can name them.
            let NodeIdentity::Suffix(suffix) = inner.identity else { return None };
            // The suffix follows the IRI of the record at any depth, as when the record was loaded.
            let next = format!("{}/{suffix}", self.iri);
            // The triple to the next node, and the classes of that node.
            let [subject, property, object, rdf_type] =
                [&iri, &property, &next, rdf::TYPE].map(|iri| way.iri(iri));
            way.quad(subject, property, object, None);
            for class in &inner.classes {
                let class = way.iri(&full(names[class.0]));
                way.quad(object, rdf_type, class, None);
            }
            (node, iri) = (inner, next);
        }
    }

    /// Returns whether no literals from this JSON value belong to the node that has the literals of a row.
    fn is_alone(&self, slot: usize) -> bool {
        let mut inner = self.plan.node.entries.iter().flat_map(|entry| &entry.values);
        let owner = inner.find_map(|value| match value {
            EntryValue::Node(inner) if inner.below.contains(&slot) => Some(inner),
            _ => None,
        });
        let said = self.said();
        let has_words = |slot: &usize| said.get(slot).is_some_and(|words| !words.is_empty());
        owner.is_some_and(|node| !node.below.iter().any(has_words))
    }
}

/// Returns the IRI of a name in a path.
fn full(name: &str) -> String {
    match own_namespace(name) {
        Some((namespace, name)) => format!("{namespace}{name}"),
        None => format!("{SCHEMA_ORG}{name}"),
    }
}

fn literal(buffer: &mut QuadBuffer, subject: &str, property: &str, text: &str, datatype: &str) {
    let [subject, property] = [subject, property].map(|iri| buffer.iri(iri));
    let object = match datatype {
        xsd::STRING => buffer.string(text),
        datatype => {
            let datatype = buffer.iri(datatype);
            buffer.typed_literal(text, datatype)
        }
    };
    buffer.quad(subject, property, object, None);
}

/// Returns a term that is a literal with a datatype that JSON values can have.
fn word(quads: &QuadBuffer, term: BufferTermId) -> Option<StatedLiteral> {
    let TermRef::Literal { lexical, kind } = quads.term(term) else { return None };
    let datatypes = [xsd::BOOLEAN, xsd::INTEGER, xsd::DECIMAL, xsd::DOUBLE, rdf::JSON];
    let datatype = match kind {
        BufferLiteralKind::String => xsd::STRING,
        BufferLiteralKind::Datatype(_, datatype) => datatypes.into_iter().find(|known| *known == datatype)?,
        BufferLiteralKind::Language(_) => return None,
    };
    Some(StatedLiteral { text: lexical.to_owned(), datatype })
}

/// Returns the literal that a value becomes in a record, or `None` for null.
fn word_of(document: &JsonDocument, value: TokenId) -> Option<StatedLiteral> {
    let raw = document.raw(value).to_owned();
    let (text, datatype) = match document.kind(value) {
        JsonKind::Null => return None,
        JsonKind::True | JsonKind::False => (raw, xsd::BOOLEAN),
        JsonKind::Object | JsonKind::Array => (raw, rdf::JSON),
        JsonKind::Number if is_integer(&raw) => (raw, xsd::INTEGER),
        JsonKind::Number if raw.contains(['e', 'E']) => (raw, xsd::DOUBLE),
        JsonKind::Number => (raw, xsd::DECIMAL),
        _ => (document.string(value)?.into_owned(), xsd::STRING),
    };
    Some(StatedLiteral { text, datatype })
}

/// Returns the JSON value that becomes this literal.
fn json(StatedLiteral { text, datatype }: &StatedLiteral) -> String {
    if *datatype != xsd::STRING && parse("value", text.clone(), Limits::default()).is_ok() {
        return text.clone();
    }
    let mut json = String::new();
    write_string(text, &mut json);
    json
}
