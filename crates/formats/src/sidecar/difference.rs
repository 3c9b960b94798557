//! Determines what a file has beyond the plan by which its graph is written back. One walk over the file along the plan
//! collects the differences; then they are summarised by place.

use super::decode::question_ids;
use super::encode::QUESTION;
use super::learn::{self, LearnedPlaces, MemberTraits};
use super::positions::{self, NodeArrays};
use super::signatures::{SignatureTable, ValueTraits};
use crate::rewriting::{
    CompactionForms, CompactionKind, DocumentLayout, IndexedGraph, KeyId, NodeLayout, NodePlanner,
    PlaceLayout, PlannedEntry, PlannedValue, RewritingContext, ValueForm, double_text, minified,
    order_hashes, place_name, remote_contexts,
};
use evalgraph_json::{JsonDocument, JsonKind, JsonStyle, TokenId, write_string};
use evalgraph_jsonld::{DocumentLoader, ReplacedIds};
use evalgraph_rdf::quad_buffer::{BufferTermId, NodeTokens};
use hashbrown::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// A file, and the graph nodes that its tokens became.
#[derive(Clone, Copy)]
pub struct TracedDocument<'s> {
    /// The file.
    pub document: &'s JsonDocument,
    /// The nodes that its tokens became.
    pub nodes: &'s NodeTokens,
    /// The ids that replaced ids of the file on loading, by the token of the original id.
    pub replaced_ids: &'s ReplacedIds,
    /// Loads the contexts that the file names.
    pub loader: &'s dyn DocumentLoader,
    /// The base IRI for relative references to contexts.
    pub base: Option<&'s str>,
}

/// Up to this many values, a linear search is used to find the planned value of an item.
const FEW: usize = 16;

/// The error that a value differs from the plan, in which case the sidecar keeps the text of the value.
struct PlanMismatch;

/// Returns what a file has beyond its graph, and the root node of the file. Returns `None` if the file is not a tree of
/// nodes, has several items at the top, or describes its root in several places.
pub fn difference(
    graph: &IndexedGraph<'_>,
    source: TracedDocument<'_>,
) -> Option<(BufferTermId, DocumentLayout)> {
    let document = source.document;
    let in_array = document.is_array(document.root());
    let root_token = if in_array { document.items(document.root()).next()? } else { document.root() };
    let root = source.nodes.get(root_token)?;
    if in_array && document.items(document.root()).count() > 1 {
        return None;
    }
    let mut layout = frame(source, root_token);
    layout.in_array = in_array;
    layout.renames_all_questions = renames_all_questions(graph, &layout);
    let context = RewritingContext::new(layout.context.clone(), &layout.remote);
    let mut forms = CompactionForms::new(graph.quads(), Rc::new(context));
    (layout.id_key, layout.type_key) = keyword_keys(document, root_token, &mut forms);
    forms.set_keywords(layout.id_key.as_deref(), layout.type_key.as_deref());
    forms.prepare(graph);
    let mut observer = DifferenceObserver {
        source,
        document,
        planner: NodePlanner::new(graph, root, forms, &layout),
        keys: vec![None; document.symbol_count()],
        planned: Vec::new(),
        seen: Vec::new(),
        objects: SignatureTable::new(),
        written: Vec::new(),
        arrays: NodeArrays::new(),
        extras: Vec::new(),
        buffer: String::new(),
    };
    // No key leads to the root, so its place has the key `@context`, which no other node can have.
    observer.object(KeyId::CONTEXT, root_token, root).ok()?;
    // The rules can be learned only now, because they depend on all objects of a place.
    let DifferenceObserver { planner, objects, written, arrays, extras, .. } = observer;
    let apart = if planner.has_unwritten() { apart(graph, root) } else { Vec::new() };
    let mut forms = planner.forms;
    let mut places = learn::keys(&objects);
    learn::names(&arrays.names, &mut places);
    layout.places = place_layouts(graph, &places, &mut forms);
    let exceptions: Vec<NodeLayout> = objects
        .all()
        .iter()
        .map(|signature| learn::exceptions(signature, &places, |key| forms.key_text(key).to_string()))
        .collect();
    let mut nodes: HashMap<BufferTermId, NodeLayout> = extras.into_iter().collect();
    for (node, number) in written {
        let exception = &exceptions[number as usize];
        if *exception != NodeLayout::default() {
            let node = nodes.entry(node).or_default();
            node.keys.clone_from(&exception.keys);
            node.turned.clone_from(&exception.turned);
            node.decimal.clone_from(&exception.decimal);
        }
    }
    // Names determine the order of most arrays. A fresh planner whose layout has the learned rules sorts as the writer
    // will, so only nodes that end up elsewhere in this order need a position.
    for (node, position) in positions::needed(NodePlanner::new(graph, root, forms, &layout), &arrays) {
        nodes.entry(node).or_default().position = Some(position);
    }
    for node in apart {
        nodes.entry(node).or_default().is_raw = true;
    }
    layout.nodes = nodes;
    Some((root, layout))
}

/// Returns the roots of trees that are not connected to the main root: their nodes are in members that mean nothing in
/// RDF.
fn apart(graph: &IndexedGraph<'_>, root: BufferTermId) -> Vec<BufferTermId> {
    let mut is_reached = vec![false; graph.slot_count()];
    graph.reach(root, &mut is_reached);
    let subjects = graph.subjects().iter().copied();
    // Nodes that nothing points to are tried first. All nodes that they do not reach are in or below cycles.
    let (heads, others): (Vec<BufferTermId>, Vec<BufferTermId>) =
        subjects.partition(|&node| graph.mentions(node) == 0);
    let mut apart = Vec::new();
    for node in heads.into_iter().chain(others) {
        if !graph.slot(node).is_some_and(|slot| is_reached[slot]) {
            graph.reach(node, &mut is_reached);
            apart.push(node);
        }
    }
    apart
}

/// Returns a layout with the facts about the whole document.
fn frame(source: TracedDocument<'_>, root: TokenId) -> DocumentLayout {
    let document = source.document;
    let mut layout =
        DocumentLayout { style: JsonStyle::from_document(document), ..DocumentLayout::default() };
    if let Some(context) = document.get(root, "@context") {
        layout.context = Some(minified(document, context));
        layout.remote = remote_contexts(document, context, source.base, source.loader);
    }
    for (token, new) in source.replaced_ids {
        if let Some(original) = document.string(*token) {
            layout.renamed.insert(new.clone(), original.into_owned());
        }
    }
    layout
}

/// Returns whether the questions that loading renamed are exactly the nodes that [`question_ids`] finds. If so, the
/// sidecar keeps a flag instead of a list.
fn renames_all_questions(graph: &IndexedGraph<'_>, layout: &DocumentLayout) -> bool {
    let own =
        layout.renamed.iter().filter(|(new, original)| new.strip_prefix(original.as_str()) == Some(QUESTION));
    let own = own.count();
    own > 1 && {
        let found = question_ids(graph);
        found.len() == own && found.iter().all(|(new, original)| layout.renamed.get(new) == Some(original))
    }
}

/// Returns the keys for `@id` and `@type`, if the root or the whole document uses aliases.
fn keyword_keys(
    document: &JsonDocument,
    root: TokenId,
    forms: &mut CompactionForms<'_>,
) -> (Option<String>, Option<String>) {
    let (id, class) = forms.keyword_aliases();
    let wanted = |keyword: &str, alias: Option<String>| {
        alias.filter(|alias| {
            let is_at_root = document.get(root, alias).is_some();
            let is_only = document.find_symbol(keyword).is_none() && document.find_symbol(alias).is_some();
            is_at_root || is_only
        })
    };
    (wanted("@id", id), wanted("@type", class))
}

fn place_layouts(
    graph: &IndexedGraph<'_>,
    places: &LearnedPlaces,
    forms: &mut CompactionForms<'_>,
) -> HashMap<String, PlaceLayout> {
    let mut layouts = HashMap::new();
    for (&(key, class), learned) in places {
        let class = class.map(|class| forms.type_text(class));
        let texts = |keys: &[KeyId]| keys.iter().map(|&key| forms.key_text(key).to_string()).collect();
        let names = learned.names.iter().filter_map(|&name| graph.lexical(name)).map(str::to_owned).collect();
        let layout = PlaceLayout {
            keys: texts(&learned.keys),
            turned: texts(&learned.keys_with(|key| key.turned)),
            decimal: texts(&learned.keys_with(|key| key.decimal)),
            names,
        };
        layouts.insert(place_name(forms.key_text(key), class.as_deref()), layout);
    }
    layouts
}

/// Walks over a file along the plan, and collects the differences.
struct DifferenceObserver<'g, 'q, 's> {
    source: TracedDocument<'s>,
    document: &'s JsonDocument,
    planner: NodePlanner<'g, 'q>,
    /// The numbers of keys, by the symbol of the key.
    keys: Vec<Option<KeyId>>,
    planned: Vec<PlannedEntry>,
    /// The members seen so far in the objects that are open.
    seen: Vec<MemberTraits>,
    objects: SignatureTable<MemberTraits>,
    /// The nodes in the order in which their objects end, each with the number of its signature.
    written: Vec<(BufferTermId, u32)>,
    arrays: NodeArrays,
    extras: Vec<(BufferTermId, NodeLayout)>,
    buffer: String,
}

impl DifferenceObserver<'_, '_, '_> {
    /// Compares an object with the plan of its node. It is a mismatch if the node is already written out elsewhere, or
    /// if the graph has more statements about the node than the object.
    fn object(&mut self, key: KeyId, object: TokenId, node: BufferTermId) -> Result<(), PlanMismatch> {
        if !self.planner.is_new(node) {
            return Err(PlanMismatch);
        }
        let class = self.planner.class(node);
        self.planner.enter(node);
        let (start, seen) = (self.planned.len(), self.seen.len());
        self.planner.plan(node, &mut self.planned);
        // The plans of outer objects are below `start`. After sorting by key, the values of a member are one range.
        self.planned[start..].sort_by_key(|planned| planned.key);
        let end = self.planned.len();
        let mut extra = NodeLayout::default();
        let mut fitting = 0;
        for member in self.document.members(object) {
            let key = self.key(member.symbol.index(), member.key);
            let values = self.values(key, start..end);
            let member_seen = if !values.is_empty() {
                fitting += values.len();
                self.member(values, member.value, &mut extra)
            } else {
                // The context of the root is kept once, in [`DocumentLayout::context`].
                if key != KeyId::CONTEXT || start > 0 {
                    extra.raw.push((self.key_text(key), minified(self.document, member.value)));
                }
                ValueTraits::default()
            };
            self.seen.push((key, member_seen));
        }
        self.planned.truncate(start);
        // Planned values without a member would be written, although the object does not have them.
        if fitting != end - start {
            self.seen.truncate(seen);
            self.planner.give_up(node);
            return Err(PlanMismatch);
        }
        let number = self.objects.add((key, class), &self.seen[seen..]);
        self.seen.truncate(seen);
        self.written.push((node, number));
        if extra != NodeLayout::default() {
            self.extras.push((node, extra));
        }
        self.planner.leave(node);
        Ok(())
    }

    fn key(&mut self, symbol: usize, key: TokenId) -> KeyId {
        if let Some(known) = self.keys[symbol] {
            return known;
        }
        let text = self.document.symbol_text(self.document.symbol(key));
        let number = self.planner.forms.key(text);
        self.keys[symbol] = Some(number);
        number
    }

    fn key_text(&self, key: KeyId) -> String {
        self.planner.forms.key_text(key).to_string()
    }

    fn values(&self, key: KeyId, of: Range<usize>) -> Range<usize> {
        let values = &self.planned[of.clone()];
        let first = values.partition_point(|planned| planned.key < key);
        let end = values.partition_point(|planned| planned.key <= key);
        of.start + first..of.start + end
    }

    /// Compares a member with its planned values. If they do not fit, the sidecar keeps the text of the member, and the
    /// hash of the planned values, which shows later whether the graph has changed.
    fn member(&mut self, values: Range<usize>, value: TokenId, extra: &mut NodeLayout) -> ValueTraits {
        // A mismatch may occur deep inside the value, after nodes in it have been marked as written. The marks are used
        // to undo all of that, so that the nodes count as new if the file has them again.
        let (nodes, planned, written) =
            (self.planner.written_count(), self.planned.len(), self.written.len());
        let (arrays, extras) = (self.arrays.mark(), self.extras.len());
        let (order, references) = (extra.order.len(), extra.references.len());
        if let Ok(seen) = self.fitting_member(values.clone(), value, extra) {
            return seen;
        }
        extra.order.truncate(order);
        extra.references.truncate(references);
        self.planner.take_back(nodes);
        self.planned.truncate(planned);
        self.written.truncate(written);
        self.arrays.take_back(arrays);
        self.extras.truncate(extras);
        let key = self.key_text(self.planned[values.start].key);
        let values = self.planned[values].to_vec();
        let hash = self.planner.member_hash(&values);
        extra.spelled.push((key, hash, minified(self.document, value)));
        ValueTraits::default()
    }

    fn fitting_member(
        &mut self,
        values: Range<usize>,
        value: TokenId,
        extra: &mut NodeLayout,
    ) -> Result<ValueTraits, PlanMismatch> {
        let document = self.document;
        let is_array = document.is_array(value);
        if is_array && self.is_json_array(values.clone(), value) {
            return Ok(ValueTraits { turned: Some(false), decimal: None });
        }
        let mut items = document.items(value);
        let single = if is_array { items.next() } else { Some(value) };
        let is_single = single.is_some() && (!is_array || items.next().is_none());
        let (Some(item), true, 1) = (single, is_single, values.len()) else {
            return self.fitting_array(values, value, extra);
        };
        let turned = Some(is_array != self.planned[values.start].is_in_array());
        if let Some(node) = self.planned[values.start].node() {
            if self.is_reference(item, node) {
                self.fitting_reference(values.start, item, extra)?;
            } else {
                self.fitting_node(values.start, item, node)?;
            }
            return Ok(ValueTraits { turned, decimal: None });
        }
        let decimal = self.fitting_scalar(values.start, item)?;
        Ok(ValueTraits { turned, decimal })
    }

    /// Returns whether an array is a single planned JSON literal, not an array of values.
    fn is_json_array(&self, values: Range<usize>, array: TokenId) -> bool {
        let [planned] = &self.planned[values] else { return false };
        match &planned.value {
            PlannedValue::Object {
                object,
                shape: CompactionKind::Json | CompactionKind::InlineJson,
                form,
                ..
            } => {
                form.value == ValueForm::Plain
                    && !planned.is_in_array()
                    && self.planner.graph.lexical(*object) == Some(minified(self.document, array).as_str())
            }
            _ => false,
        }
    }

    fn fitting_node(
        &mut self,
        planned: usize,
        item: TokenId,
        node: BufferTermId,
    ) -> Result<(), PlanMismatch> {
        if self.source.nodes.get(item) != Some(node) || !self.document.is_object(item) {
            return Err(PlanMismatch);
        }
        self.object(self.planned[planned].key, item, node)
    }

    /// Returns whether an item is only a reference to a node that the graph describes elsewhere.
    fn is_reference(&self, item: TokenId, node: BufferTermId) -> bool {
        if self.document.is_string(item) {
            return true;
        }
        let mut members = self.document.members(item);
        let only = members.next().filter(|_| members.next().is_none());
        let is_id = only.is_some_and(|member| {
            let key = self.document.symbol_text(member.symbol);
            key == "@id" || *key == **self.planner.forms.key_text(KeyId::ID)
        });
        is_id && self.planner.graph.is_subject(node)
    }

    /// Returns the text of a reference, if the plan writes the node out instead.
    fn fitting_reference(
        &mut self,
        at: usize,
        item: TokenId,
        extra: &mut NodeLayout,
    ) -> Result<String, PlanMismatch> {
        let planned = &self.planned[at];
        let PlannedValue::Object { predicate, object, .. } = planned.value else { return Err(PlanMismatch) };
        let form = self.planner.forms.form(predicate, CompactionKind::Reference);
        let key = planned.key;
        if form.key != key || form.in_array != planned.is_in_array() {
            return Err(PlanMismatch);
        }
        let reference = PlannedEntry {
            rank: 0,
            key,
            value: PlannedValue::Object { predicate, object, shape: CompactionKind::Reference, form },
        };
        let text = self.planner.plain_text(&reference);
        if text != self.item_text(item, false) {
            return Err(PlanMismatch);
        }
        let key = self.key_text(key);
        if !extra.references.contains(&key) {
            extra.references.push(key);
        }
        Ok(text)
    }

    /// Compares a scalar with its planned value. For a whole number, returns whether it is written with `.0`.
    fn fitting_scalar(&mut self, at: usize, item: TokenId) -> Result<Option<bool>, PlanMismatch> {
        let Self { document, planner, buffer, planned, .. } = self;
        let is_equal = |text: &str, buffer: &mut String| {
            document.is_string(item) && document.string_with(item, buffer) == text
        };
        let fits = |does: bool| if does { Ok(None) } else { Err(PlanMismatch) };
        match &planned[at].value {
            PlannedValue::Id(node) => {
                let text = planner.id_text(*node);
                fits(is_equal(&text, buffer))
            }
            PlannedValue::Type(class) => {
                let text = planner.forms.type_text(*class);
                fits(is_equal(&text, buffer))
            }
            PlannedValue::Object { object, shape, form, .. } => {
                let lexical = planner.graph.lexical(*object).filter(|_| form.value == ValueForm::Plain);
                let Some(lexical) = lexical else {
                    let (planned, text) = (planned[at].clone(), self.item_text(item, false));
                    return fits(self.planner.plain_text(&planned) == text);
                };
                match shape {
                    CompactionKind::Integer => match document.number(item) {
                        Some(number) if number == lexical => Ok(Some(false)),
                        Some(number) if number.strip_suffix(".0") == Some(lexical) => Ok(Some(true)),
                        _ => Err(PlanMismatch),
                    },
                    CompactionKind::Double => {
                        fits(document.number(item) == Some(double_text(lexical).as_str()))
                    }
                    CompactionKind::Boolean => match document.kind(item) {
                        JsonKind::True => fits(lexical == "true"),
                        JsonKind::False => fits(lexical == "false"),
                        _ => Err(PlanMismatch),
                    },
                    CompactionKind::Json | CompactionKind::InlineJson => {
                        fits(minified(self.document, item) == lexical)
                    }
                    _ => fits(is_equal(lexical, buffer)),
                }
            }
            PlannedValue::Raw(_) => Err(PlanMismatch),
        }
    }

    /// Returns an item in the form of planned values, on one line; `is_decimal` drops the `.0` of whole numbers.
    fn item_text(&self, item: TokenId, is_decimal: bool) -> String {
        let mut text = String::new();
        match self.document.string(item) {
            Some(string) => write_string(&string, &mut text),
            None => {
                text = minified(self.document, item);
                if let Some(whole) = text.strip_suffix(".0").filter(|_| is_decimal) {
                    text.truncate(whole.len());
                }
            }
        }
        text
    }

    fn fitting_array(
        &mut self,
        values: Range<usize>,
        array: TokenId,
        extra: &mut NodeLayout,
    ) -> Result<ValueTraits, PlanMismatch> {
        if !self.document.is_array(array) {
            return Err(PlanMismatch);
        }
        let written_out =
            self.planned[values.clone()].iter().filter(|planned| planned.node().is_some()).count();
        if written_out == 0 {
            let items: Vec<TokenId> = self.document.items(array).collect();
            return self.fitting_plain(values, &items, extra);
        }
        if written_out != values.len() || self.document.items(array).count() != values.len() {
            return Err(PlanMismatch);
        }
        let key = self.planned[values.start].key;
        // Each node of the plan must be found exactly once: `by_node` removes it, and `found` is searched in a short
        // array.
        let mut by_node: HashMap<BufferTermId, usize> = HashMap::new();
        if values.len() > FEW {
            by_node.extend(values.clone().filter_map(|at| Some((self.planned[at].node()?, at))));
        }
        let mut found: Vec<(usize, BufferTermId)> = Vec::with_capacity(values.len());
        // The texts of items that are references although the plan writes their nodes out.
        let mut texts: Vec<String> = Vec::new();
        for item in self.document.items(array) {
            let node = self.source.nodes.get(item).ok_or(PlanMismatch)?;
            let at = match values.len() > FEW {
                true => by_node.remove(&node),
                false => values.clone().find(|&at| self.planned[at].node() == Some(node)),
            };
            let at = at.filter(|&at| values.len() > FEW || found.iter().all(|&(known, _)| known != at));
            let at = at.ok_or(PlanMismatch)?;
            let is_reference = self.is_reference(item, node);
            // The layout keeps references by key, so either all items of an array are references or none is.
            if !found.is_empty() && texts.is_empty() == is_reference {
                return Err(PlanMismatch);
            }
            match is_reference {
                true => texts.push(self.fitting_reference(at, item, extra)?),
                false => self.fitting_node(at, item, node)?,
            }
            found.push((at, node));
        }
        if texts.is_empty() {
            let nodes: Vec<BufferTermId> = found.into_iter().map(|(_, node)| node).collect();
            self.arrays.add(&mut self.planner, key, &nodes);
        } else {
            self.keep_order(key, &texts, extra);
        }
        Ok(ValueTraits::default())
    }

    /// Compares an array of plain values with the plan: the distinct values must be the same, in any order.
    fn fitting_plain(
        &mut self,
        values: Range<usize>,
        items: &[TokenId],
        extra: &mut NodeLayout,
    ) -> Result<ValueTraits, PlanMismatch> {
        let whole = |item: &&TokenId| self.document.number(**item).is_some();
        let mut decimals = items
            .iter()
            .filter(whole)
            .map(|&item| self.document.number(item).is_some_and(|number| number.ends_with(".0")));
        let decimal = decimals.next();
        if decimals.any(|other| Some(other) != decimal) {
            return Err(PlanMismatch);
        }
        let key = self.planned[values.start].key;
        let planned = self.planned[values].to_vec();
        let mut wanted: Vec<String> =
            planned.iter().map(|planned| self.planner.plain_text(planned)).collect();
        let texts: Vec<String> =
            items.iter().map(|&item| self.item_text(item, decimal == Some(true))).collect();
        let mut distinct = texts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        wanted.sort_unstable();
        if distinct != wanted {
            return Err(PlanMismatch);
        }
        self.keep_order(key, &texts, extra);
        // In an array of integers and other values, only the integers show whether `.0` is written.
        let has_integers = planned.iter().any(|planned| {
            matches!(planned.value, PlannedValue::Object { shape: CompactionKind::Integer, .. })
        });
        if decimal == Some(true) && !has_integers {
            return Err(PlanMismatch);
        }
        Ok(ValueTraits { turned: None, decimal: decimal.filter(|_| has_integers) })
    }

    /// Keeps the order of plain values, unless they are sorted by text, which is the order of the plan.
    fn keep_order(&mut self, key: KeyId, texts: &[String], extra: &mut NodeLayout) {
        if texts.len() > 1 && texts.windows(2).all(|pair| pair[0] < pair[1]) {
            return;
        }
        extra.order.push((self.key_text(key), order_hashes(texts)));
    }
}
