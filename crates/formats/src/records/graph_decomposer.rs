//! Turns a graph back into a native file, with the same tables that turn files into graphs.

use super::natural_order::natural_order;
use super::record_plan::{EntryValue, FilePlan, KeyPlan, NodePlan, PlanTermNumber, RecordPlan, RecordSlot};
use super::shape::{FileShape, MemberForm, RecordPlacement, RecordShape, own_namespace};
use super::tracked_graph::{TrackedGraph, UnreadStatements};
use crate::rewriting::IndexedGraph;
use evalgraph_json::{Limits, parse, write_string};
use evalgraph_rdf::iri::percent_decode;
use evalgraph_rdf::quad_buffer::{BufferLiteralKind, BufferTermId, TermRef};
use evalgraph_rdf::vocabulary::{rdf, xsd};
use std::cmp::Ordering;
use std::collections::HashSet;

/// A graph as a native file.
#[derive(Debug)]
pub struct DecomposedFile {
    /// The JSON text, on one line.
    pub json: String,
    /// The nodes of the records, in the order of `json`.
    pub records: Vec<BufferTermId>,
    /// Statements of the graph that the format has no place for.
    pub unread: Vec<UnreadStatements>,
}

pub(super) struct GraphDecomposer<'g> {
    pub(super) graph: &'g IndexedGraph<'g>,
    /// The terms of the plan's names; empty for a name that the graph lacks.
    terms: Vec<Vec<BufferTermId>>,
    rdf_type: Option<BufferTermId>,
    reading: TrackedGraph<'g>,
    json: String,
    records: Vec<BufferTermId>,
}

/// The values of an object by slot.
pub(super) type SlotValues = Vec<Vec<BufferTermId>>;

/// Makes the file whose node is `root`. Values are in the order of the tables, objects in the order of their
/// positions and IRIs.
pub fn decompose(graph: &IndexedGraph<'_>, root: BufferTermId, shape: &FileShape) -> DecomposedFile {
    let plans = FilePlan::from_shape(shape);
    let mut decomposing = GraphDecomposer::new(graph, &plans);
    match &plans.items {
        None => decomposing.object(&plans.root, root),
        Some((property, plan)) => {
            // The node of the file has members only if the file is an object.
            let mut values = vec![Vec::new(); plans.root.slots.len()];
            decomposing.collect(&plans.root, &plans.root.node, root, &mut values);
            let nodes = decomposing.nodes(plan, root, *property);
            if matches!(shape.records, RecordPlacement::One(..)) && nodes.len() == 1 {
                decomposing.object(plan, nodes[0]);
            } else {
                decomposing.objects(plan, &nodes);
            }
        }
    }
    decomposing.finish()
}

/// Makes an array of the given nodes with one table, in the given order, wherever the nodes are in the graph.
pub fn decompose_nodes(
    graph: &IndexedGraph<'_>,
    nodes: &[BufferTermId],
    shape: &'static RecordShape,
) -> DecomposedFile {
    let plans = FilePlan::from_shape(&FileShape { root: shape, records: RecordPlacement::InRoot });
    let mut decomposing = GraphDecomposer::new(graph, &plans);
    decomposing.objects(&plans.root, nodes);
    decomposing.finish()
}

/// Nodes of a shape under a key.
#[derive(Debug)]
pub struct NodeList {
    /// The key.
    pub key: &'static str,
    /// The nodes.
    pub nodes: Vec<BufferTermId>,
    /// Their table.
    pub shape: &'static RecordShape,
    /// `true` if they are an array; otherwise the first node is the value itself.
    pub is_array: bool,
}

/// Makes an object with nodes under its keys, in the order of positions and IRIs, wherever the nodes are in the graph.
pub fn decompose_lists(graph: &IndexedGraph<'_>, lists: Vec<NodeList>) -> DecomposedFile {
    let (mut json, mut records, mut reading) = ("{".to_owned(), Vec::new(), TrackedGraph::new(graph));
    for (at, NodeList { key, mut nodes, shape, is_array }) in lists.into_iter().enumerate() {
        let plans = FilePlan::from_shape(&FileShape { root: shape, records: RecordPlacement::InRoot });
        let mut decomposing =
            GraphDecomposer { json, records, reading, ..GraphDecomposer::new(graph, &plans) };
        decomposing.json.push_str(if at > 0 { "," } else { "" });
        write_string(key, &mut decomposing.json);
        decomposing.json.push(':');
        decomposing.sort(&plans.root, &mut nodes);
        match nodes.as_slice() {
            [node, ..] if !is_array => decomposing.object(&plans.root, *node),
            nodes => decomposing.objects(&plans.root, nodes),
        }
        GraphDecomposer { json, records, reading, .. } = decomposing;
    }
    json.push('}');
    DecomposedFile { json, records, unread: reading.unread() }
}

impl<'g> GraphDecomposer<'g> {
    pub(super) fn new(graph: &'g IndexedGraph<'g>, plans: &FilePlan) -> Self {
        let terms = plans.names.iter().map(|name| match own_namespace(name) {
            Some((namespace, name)) => {
                graph.quads().find_iri(&format!("{namespace}{name}")).into_iter().collect()
            }
            None => graph.schema_org(name),
        });
        Self {
            graph,
            terms: terms.collect(),
            rdf_type: graph.rdf_type(),
            reading: TrackedGraph::new(graph),
            json: String::new(),
            records: Vec::new(),
        }
    }

    fn finish(self) -> DecomposedFile {
        DecomposedFile { json: self.json, records: self.records, unread: self.reading.unread() }
    }

    fn is_one_of(&self, term: BufferTermId, name: PlanTermNumber) -> bool {
        self.terms[name.0].contains(&term)
    }

    /// Returns the objects of a property that are nodes of a shape, in their order.
    fn nodes(
        &mut self,
        plan: &RecordPlan,
        subject: BufferTermId,
        property: PlanTermNumber,
    ) -> Vec<BufferTermId> {
        let graph = self.graph;
        let mut nodes = Vec::new();
        for at in graph.statement_numbers(subject) {
            let (predicate, object) = graph.statement(at);
            if self.is_one_of(predicate, property) && self.is_a(object, &plan.node) {
                self.reading.read(at);
                nodes.push(object);
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        self.sort(plan, &mut nodes);
        nodes
    }

    fn sort(&self, plan: &RecordPlan, nodes: &mut [BufferTermId]) {
        if nodes.len() < 2 {
            return;
        }
        let position_slot = plan.slots.iter().position(|slot| matches!(slot.form, MemberForm::Position));
        let position = |node: BufferTermId| {
            let value = position_slot.and_then(|slot| self.find(&plan.node, node, slot));
            let text = value.and_then(|value| self.graph.lexical(value));
            text.and_then(|text| text.parse::<u64>().ok()).unwrap_or(u64::MAX)
        };
        let quads = self.graph.quads();
        let by_name = |a: BufferTermId, b: BufferTermId| match (quads.term(a), quads.term(b)) {
            (TermRef::Iri(a), TermRef::Iri(b)) => natural_order(a, b),
            (TermRef::Iri(_), _) => Ordering::Less,
            (_, TermRef::Iri(_)) => Ordering::Greater,
            _ => self.graph.statements(a).len().cmp(&self.graph.statements(b).len()),
        };
        nodes.sort_by_cached_key(|&node| position(node));
        // Nodes with the same position, or without one, are ordered by name.
        for run in nodes.chunk_by_mut(|&a, &b| position(a) == position(b)) {
            run.sort_by(|&a, &b| by_name(a, b));
        }
    }

    /// Finds the value of a slot below a node.
    fn find(&self, plan: &NodePlan, node: BufferTermId, slot: usize) -> Option<BufferTermId> {
        for entry in plan.entries.iter() {
            for value in &entry.values {
                let statements = self.graph.statements(node).iter();
                let mut objects =
                    statements.filter(|(predicate, _)| self.is_one_of(*predicate, entry.property));
                match value {
                    EntryValue::Slot(number) if *number == slot => {
                        return objects.next().map(|found| found.1);
                    }
                    EntryValue::Node(inner) if inner.below.contains(&slot) => {
                        let (_, object) = objects.find(|(_, object)| self.is_a(*object, inner))?;
                        return self.find(inner, *object, slot);
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// Returns whether a node has the classes and constants of a plan.
    pub(super) fn is_a(&self, node: BufferTermId, plan: &NodePlan) -> bool {
        if self.graph.lexical(node).is_some() {
            return false;
        }
        let Some(rdf_type) = self.rdf_type else { return plan.classes.is_empty() };
        // The last class identifies the shape.
        let mut classes = self.graph.objects(node, rdf_type);
        plan.classes.last().is_none_or(|&class| classes.any(|found| self.is_one_of(found, class)))
            && plan.constants.iter().all(|&(property, value)| {
                let mut statements = self.graph.statements(node).iter();
                statements.any(|&(predicate, object)| self.is_constant(predicate, object, property, value))
            })
    }

    fn is_constant(
        &self,
        predicate: BufferTermId,
        object: BufferTermId,
        property: PlanTermNumber,
        value: &str,
    ) -> bool {
        self.is_one_of(predicate, property) && self.graph.lexical(object) == Some(value)
    }

    /// Collects the values of a node, and of the nodes on the paths to its slots.
    pub(super) fn collect(
        &mut self,
        plan: &RecordPlan,
        node_plan: &NodePlan,
        node: BufferTermId,
        values: &mut SlotValues,
    ) {
        let graph = self.graph;
        for at in graph.statement_numbers(node) {
            let (predicate, object) = graph.statement(at);
            let is_said = match Some(predicate) == self.rdf_type {
                true => node_plan.classes.iter().any(|&class| self.is_one_of(object, class)),
                false => {
                    let mut constants = node_plan.constants.iter();
                    constants.any(|&(property, value)| self.is_constant(predicate, object, property, value))
                }
            };
            if is_said {
                self.reading.read(at);
            }
        }
        for entry in &node_plan.entries {
            let statements = graph.statement_numbers(node);
            let found: Vec<usize> =
                statements.filter(|&at| self.is_one_of(graph.statement(at).0, entry.property)).collect();
            for value in &entry.values {
                match value {
                    EntryValue::Slot(slot) => self.collect_slot(plan, *slot, &found, values),
                    EntryValue::Node(inner) => {
                        let mut nodes =
                            found.iter().copied().filter(|&at| self.is_a(graph.statement(at).1, inner));
                        // The file has one place for the path, so only the first node counts as read.
                        let Some(at) = nodes.next() else { continue };
                        self.reading.read(at);
                        self.collect(plan, inner, graph.statement(at).1, values);
                    }
                }
            }
        }
    }

    fn collect_slot(&mut self, plan: &RecordPlan, number: usize, found: &[usize], values: &mut SlotValues) {
        let slot = &plan.slots[number];
        // A form for a single value takes the first of several values. The others are reported as unread.
        let is_list = matches!(
            slot.form,
            MemberForm::Values | MemberForm::Nodes(_) | MemberForm::Entries(_) | MemberForm::OtherMembers(..)
        );
        let takes_all = is_list || slot.is_derived;
        for &at in found {
            let object = self.graph.statement(at).1;
            let fits = self.graph.lexical(object).is_some()
                || match &slot.inner {
                    Some(inner) => self.is_a(object, &inner.node),
                    None => matches!(slot.form, MemberForm::Reference(_)),
                };
            if fits {
                values[number].push(object);
                if takes_all {
                    self.reading.read(at);
                }
            }
        }
        // Two paths may have read the same statement.
        values[number].sort_unstable();
        values[number].dedup();
        if !takes_all {
            let quads = self.graph.quads();
            let text = |term: BufferTermId| match quads.term(term) {
                TermRef::Literal { lexical, .. } | TermRef::Iri(lexical) => lexical,
                TermRef::BlankNode => "",
            };
            values[number].sort_by(|&a, &b| text(a).cmp(text(b)));
            values[number].truncate(1);
            let taken = values[number].first();
            for &at in found.iter().filter(|&&at| taken == Some(&self.graph.statement(at).1)) {
                self.reading.read(at);
            }
        }
    }

    fn objects(&mut self, plan: &RecordPlan, nodes: &[BufferTermId]) {
        self.array(nodes, |decomposing, node| decomposing.object(plan, node));
    }

    fn array(&mut self, terms: &[BufferTermId], mut write: impl FnMut(&mut Self, BufferTermId)) {
        self.json.push('[');
        for (at, &term) in terms.iter().enumerate() {
            if at > 0 {
                self.json.push(',');
            }
            write(self, term);
        }
        self.json.push(']');
    }

    fn object(&mut self, plan: &RecordPlan, node: BufferTermId) {
        if plan.is_of_records() {
            self.records.push(node);
        }
        let mut values = vec![Vec::new(); plan.slots.len()];
        self.collect(plan, &plan.node, node, &mut values);
        if let Some(alone) = self.alone(plan, &values) {
            self.slot(plan, alone, &values[alone]);
            return;
        }
        self.json.push('{');
        self.members(plan, &plan.keys, &values);
        self.json.push('}');
    }

    /// Returns the row whose value replaces the object, if the object has no other value.
    fn alone(&self, plan: &RecordPlan, values: &SlotValues) -> Option<usize> {
        let alone = plan.slots.iter().position(|slot| slot.is_alone)?;
        let is_other = |(number, slot): (usize, &RecordSlot)| number != alone && slot.is_read_back();
        let mut others = plan.slots.iter().enumerate().filter(|&slot| is_other(slot));
        let is_alone = others.all(|(number, _)| values[number].is_empty());
        let is_scalar = |&value: &BufferTermId| match self.graph.quads().term(value) {
            TermRef::Literal { kind: BufferLiteralKind::Datatype(_, datatype), .. } => datatype != rdf::JSON,
            term => matches!(term, TermRef::Literal { .. }),
        };
        let takes_any = matches!(plan.slots[alone].form, MemberForm::Any);
        values[alone].first().filter(|value| is_alone && (takes_any || is_scalar(value))).map(|_| alone)
    }

    fn members(&mut self, plan: &RecordPlan, keys: &KeyPlan, values: &SlotValues) {
        let begin = self.json.len();
        for target in &keys.keys {
            let before = self.json.len();
            if before > begin {
                self.json.push(',');
            }
            if target.key.is_empty() {
                for &slot in &target.slots {
                    if let (MemberForm::OtherMembers(..), Some(inner)) =
                        (plan.slots[slot].form, &plan.slots[slot].inner)
                    {
                        self.map_entries(inner, &values[slot], Some(plan));
                    }
                }
                if self.json.len() <= before + 1 {
                    self.json.truncate(before);
                }
                continue;
            }
            write_string(target.key, &mut self.json);
            self.json.push(':');
            let is_read_back = |slot: &usize| plan.slots[*slot].is_read_back() && !values[*slot].is_empty();
            let slot = target.slots.iter().copied().find(|slot| is_read_back(slot));
            match (slot, target.group) {
                (Some(slot), _) => self.slot(plan, slot, &values[slot]),
                (None, Some(group)) => {
                    let open = self.json.len();
                    self.json.push('{');
                    self.members(plan, &keys.groups[group], values);
                    // A group without members must not become an empty object. The comma is removed with it.
                    if self.json.len() == open + 1 {
                        self.json.truncate(before);
                    } else {
                        self.json.push('}');
                    }
                }
                (None, None) => self.json.truncate(before),
            }
        }
    }

    fn slot(&mut self, plan: &RecordPlan, number: usize, values: &[BufferTermId]) {
        let slot = &plan.slots[number];
        let graph = self.graph;
        match (&slot.form, &slot.inner) {
            (MemberForm::Nodes(_), Some(inner)) => {
                let is_literal = |value: &BufferTermId| graph.lexical(*value).is_some();
                let (literals, mut nodes): (Vec<BufferTermId>, Vec<BufferTermId>) =
                    values.iter().partition(|value| is_literal(value));
                self.sort(inner, &mut nodes);
                match literals.first() {
                    // A scalar in place of a list was loaded as a literal, and returns to its place as a scalar.
                    Some(&literal) if nodes.is_empty() => self.literal(literal, false),
                    _ => self.objects(inner, &nodes),
                }
            }
            (MemberForm::Entries(_), Some(inner)) => {
                match values.iter().find(|&&value| graph.lexical(value).is_some()) {
                    Some(&literal) if values.len() == 1 => self.literal(literal, false),
                    _ => {
                        self.json.push('{');
                        self.map_entries(inner, values, None);
                        self.json.push('}');
                    }
                }
            }
            (MemberForm::Values, _) => {
                let mut values = values.to_vec();
                let text = |&term: &BufferTermId| graph.lexical(term).unwrap_or_default();
                values.sort_by(|a, b| natural_order(text(a), text(b)));
                self.array(&values, |decomposing, value| decomposing.literal(value, false));
            }
            (form, inner) => {
                let value = values[0];
                match (graph.quads().term(value), inner, form) {
                    (TermRef::Iri(iri), None, MemberForm::Reference(kind)) => self.reference(iri, kind),
                    (TermRef::Literal { .. }, ..) => self.literal(value, matches!(form, MemberForm::Text)),
                    (_, Some(inner), _) => self.object(inner, value),
                    _ => self.json.push_str("null"),
                }
            }
        }
    }

    /// Writes the entries of a map, without its braces. With `owner`, these are the members of the object `owner` that
    /// have no row of their own. If two entries have the same key, the first is written. An entry is left out if it has no
    /// key, or the key of a row of `owner`. The statements of entries that are left out stay unread.
    fn map_entries(&mut self, plan: &RecordPlan, nodes: &[BufferTermId], owner: Option<&RecordPlan>) {
        let key_slot = plan.slots.iter().position(|slot| matches!(slot.form, MemberForm::EntryKey));
        let mut nodes: Vec<BufferTermId> = nodes.to_vec();
        nodes.retain(|&node| self.graph.lexical(node).is_none());
        self.sort(plan, &mut nodes);
        let mut known = HashSet::new();
        for node in nodes {
            let key = key_slot.and_then(|slot| self.find(&plan.node, node, slot));
            let Some(key) = key.and_then(|key| self.graph.lexical(key)) else { continue };
            if owner.is_some_and(|owner| !owner.has_no_row(key)) || !known.insert(key) {
                continue;
            }
            if known.len() > 1 {
                self.json.push(',');
            }
            write_string(key, &mut self.json);
            self.json.push(':');
            self.object(plan, node);
        }
    }

    /// Writes the id of a record, given its IRI: as a number if it has the form of one.
    fn reference(&mut self, iri: &str, kind: &str) {
        let id = iri.rsplit_once(&format!(":{kind}/")).map_or(iri, |(_, id)| id);
        self.number_or_string(&percent_decode(id));
    }

    fn number_or_string(&mut self, text: &str) {
        let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
            && parse("", text.to_owned(), Limits::default()).is_ok();
        if is_number {
            self.json.push_str(text);
        } else {
            write_string(text, &mut self.json);
        }
    }

    fn literal(&mut self, value: BufferTermId, may_be_number: bool) {
        let quads = self.graph.quads();
        let TermRef::Literal { lexical, kind } = quads.term(value) else {
            write_string(&self.graph.shown(value), &mut self.json);
            return;
        };
        let datatype = match kind {
            BufferLiteralKind::Datatype(_, datatype) => datatype,
            BufferLiteralKind::String | BufferLiteralKind::Language(_) => "",
        };
        match datatype {
            xsd::INTEGER | xsd::DECIMAL | xsd::DOUBLE | xsd::FLOAT => self.number_or_string(lexical),
            xsd::BOOLEAN if matches!(lexical, "true" | "false") => self.json.push_str(lexical),
            rdf::JSON if parse("", lexical.to_owned(), Limits::default()).is_ok() => {
                self.json.push_str(lexical);
            }
            _ if may_be_number => self.number_or_string(lexical),
            _ => write_string(lexical, &mut self.json),
        }
    }
}
