//! Turns the records of a native file into JSON-LD documents whose values keep their places in the file.

use super::misplaced_value::{MisplacedValue, PlaceExpectation};
use super::record_object::{RecordObject, RecordSurroundings};
use super::record_plan::{
    EntryValue, FilePlan, KeyPlan, NodeIdentity, NodePlan, NodePlanEntry, RecordPlan, RecordSlot,
};
use super::shape::{FileShape, MemberCondition, MemberForm, ObjectIdentity, RecordPlacement, is_date_time};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::number::is_integer;
use evalgraph_json::{
    ComposedConstant, ComposedKey, DocumentComposer, JsonArrayItems, JsonDocument, JsonKind, TokenId,
};
use evalgraph_rdf::iri::percent_encode_into;
use evalgraph_rdf::vocabulary::{CROISSANT, EVALGRAPH, SCHEMA_ORG, xsd};
use foldhash::quality::FixedState;
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::BuildHasher as _;
use std::sync::Arc;

/// The number of records per document: few enough that the JSON-LD processor has little to remember at a time, and
/// enough that the context costs almost nothing.
const RECORDS_AT_ONCE: usize = 1024;

/// A native file, or some of its records, as a JSON-LD document.
#[derive(Debug)]
pub struct ComposedDocument {
    /// The document. Its values have the places that they have in the file.
    pub document: Arc<JsonDocument>,
    /// Values that become JSON literals, see [`LoadMode::json_values`](evalgraph_jsonld::LoadMode::json_values).
    pub json_values: HashSet<TokenId>,
}

/// The findings on a composed file.
#[derive(Debug, Clone, Default)]
pub struct CompositionFindings {
    /// Unknown keys: how often each occurs, and its first place in the file.
    pub unknown: BTreeMap<String, (u64, TokenId)>,
    /// Values of a kind that does not fit their place.
    pub misplaced: Vec<MisplacedValue>,
    /// The number of records.
    pub records: u64,
}

/// The hashes of the IRIs of all records so far. A collision would merely append an index to an IRI.
#[derive(Debug, Clone, Default)]
pub struct TakenRecordIris {
    hashes: HashSet<u64>,
    /// The number of records in different lists with the same id and index, by the hash of the IRI with the index.
    at_one_index: HashMap<u64, u64>,
}

impl TakenRecordIris {
    /// Makes an IRI distinct from those of all earlier records.
    fn make_distinct(&mut self, iri: &mut String, part: &str, index: usize) {
        let hash = |iri: &str| FixedState::default().hash_one(iri);
        if self.hashes.insert(hash(iri)) {
            return;
        }
        // `~` is allowed in IRIs, but encoded ids never contain it. So it marks the index.
        let _ = write!(iri, "~~{part}{index}");
        let count = self.at_one_index.entry(hash(iri)).or_default();
        if *count > 0 {
            let _ = write!(iri, "~{count}");
        }
        *count += 1;
    }
}

/// The keys and values that every record needs and that are not in the file.
pub(super) struct RecordConstants {
    id: ComposedKey,
    classes: ComposedKey,
    value: ComposedKey,
    pub(super) decimal: ComposedConstant,
    pub(super) double: ComposedConstant,
    pub(super) integer: ComposedConstant,
    date_time: ComposedConstant,
    pub(super) boolean: ComposedConstant,
    /// The names of the plans as keys, and as values.
    keys: Vec<ComposedKey>,
    names: Vec<ComposedConstant>,
    constants: HashMap<&'static str, ComposedConstant>,
}

/// The target of a key without a slot.
const NOWHERE: u32 = u32::MAX;

/// The state that is kept across all documents of a file.
pub(super) struct CompositionState<'d> {
    file: &'d JsonDocument,
    /// `urn:evalgraph:{system}:{dataset}:`
    base: &'d str,
    /// The prefix of indexes in a dataset of several files: the encoded name of the part, and a `~`.
    part: String,
    /// The number of each key's target, by key plan and symbol.
    targets: Vec<Vec<u32>>,
    taken: TakenRecordIris,
    /// The index of the first item in the file's lists; above 0 if the file continues a longer one.
    first: usize,
    /// The next index and the remaining items of each array of the file's node, by slot. The last slot is the file
    /// itself.
    arrays: HashMap<usize, (usize, JsonArrayItems<'d>)>,
    account: CompositionFindings,
}

/// A document while it is composed.
///
/// Other methods are in `record_entries.rs`.
pub(super) struct DocumentComposition<'k, 'd> {
    known: &'k mut CompositionState<'d>,
    pub(super) file: &'d JsonDocument,
    pub(super) composer: DocumentComposer,
    pub(super) words: RecordConstants,
    json_values: HashSet<TokenId>,
    /// The number of records for which the document still has room.
    room: usize,
}

/// Turns a file into JSON-LD documents, each with some of its records.
pub struct RecordComposer<'d> {
    plans: FilePlan,
    records: RecordPlacement,
    known: CompositionState<'d>,
    is_begun: bool,
}

impl<'d> RecordComposer<'d> {
    /// Creates a composer for a file. `base` is `urn:evalgraph:{system}:{dataset}:`, with the name of the dataset
    /// encoded for IRIs.
    pub fn new(file: &'d JsonDocument, shape: &FileShape, base: &'d str) -> Self {
        let plans = FilePlan::from_shape(shape);
        let mut targets = vec![vec![NOWHERE; file.symbol_count()]; plans.key_plans];
        plans.each(&mut |plan| note_targets(&plan.keys, file, &mut targets));
        let known = CompositionState {
            file,
            base,
            part: String::new(),
            targets,
            taken: TakenRecordIris::default(),
            first: 0,
            arrays: HashMap::new(),
            account: CompositionFindings::default(),
        };
        Self { plans, records: shape.records, known, is_begun: false }
    }

    /// Declares the file as a part of a dataset in several files. The IRIs of records without an id then contain the
    /// name of the part, so they differ from those of other parts.
    pub fn of_part(mut self, part: &str) -> Self {
        percent_encode_into(part, &mut self.known.part);
        self.known.part.push('~');
        self
    }

    /// Returns the document of the next records, or `None` after the last.
    ///
    /// # Errors
    /// `json::size` if the document would exceed the size limit of documents.
    pub fn next_document(&mut self) -> Option<Result<ComposedDocument, Box<Diagnostic>>> {
        self.part(RECORDS_AT_ONCE)
    }

    fn part(&mut self, room: usize) -> Option<Result<ComposedDocument, Box<Diagnostic>>> {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if !is_first && self.known.arrays.is_empty() {
            return None;
        }
        let mut composing = DocumentComposition::new(&mut self.known, &self.plans, room);
        composing.root(&self.plans, self.records, is_first);
        let DocumentComposition { composer, json_values, .. } = composing;
        Some(composer.finish().map(|document| ComposedDocument { document: Arc::new(document), json_values }))
    }

    /// Declares that the file continues a longer one: `taken` are the ids before it, `first` is the index of the first
    /// item in its lists.
    #[must_use]
    pub fn after(mut self, taken: TakenRecordIris, first: u64) -> Self {
        self.known.taken = taken;
        self.known.first = usize::try_from(first).unwrap_or(usize::MAX);
        self
    }

    /// Returns the findings on the records so far, and the ids that the next part of a longer file needs.
    pub fn finish(self) -> (CompositionFindings, TakenRecordIris) {
        (self.known.account, self.known.taken)
    }
}

/// Turns a file into one JSON-LD document, where [`RecordComposer`] makes several.
///
/// # Errors
/// `json::size` if the document would exceed the size limit of documents.
pub fn compose(
    file: &JsonDocument,
    shape: &FileShape,
    base: &str,
) -> Result<(ComposedDocument, CompositionFindings), Box<Diagnostic>> {
    let mut composer = RecordComposer::new(file, shape, base);
    let composed = composer.part(usize::MAX).expect("a file makes one document at least")?;
    Ok((composed, composer.finish().0))
}

impl<'k, 'd> DocumentComposition<'k, 'd> {
    fn new(known: &'k mut CompositionState<'d>, plans: &FilePlan, room: usize) -> Self {
        let file = known.file;
        let mut composer = DocumentComposer::over(file);
        let words = RecordConstants {
            id: composer.key("@id"),
            classes: composer.key("@type"),
            value: composer.key("@value"),
            decimal: composer.constant(xsd::DECIMAL),
            double: composer.constant(xsd::DOUBLE),
            integer: composer.constant(xsd::INTEGER),
            date_time: composer.constant(xsd::DATE_TIME),
            boolean: composer.constant(xsd::BOOLEAN),
            keys: plans.names.iter().map(|name| composer.key(name)).collect(),
            names: plans.names.iter().map(|name| composer.constant(name)).collect(),
            constants: HashMap::new(),
        };
        Self { known, file, composer, words, json_values: HashSet::new(), room }
    }

    /// Writes the node of the file: its own members only in the first document, and the records for which the document
    /// has room.
    fn root(&mut self, plans: &FilePlan, records: RecordPlacement, is_first: bool) {
        let root = self.file.root();
        let at = self.file.start(root);
        let iri = self.known.base.trim_end_matches(':').to_owned();
        let mut object =
            RecordObject { is_root: true, iri, ..RecordObject::new(self.file, &plans.root, root, 0) };
        if matches!(records, RecordPlacement::InRoot) && is_first {
            self.fill(&mut object, root);
        } else {
            // A later document continues the unfinished arrays. `records` has their items, and ignores this value.
            for (slot, value) in object.values.iter_mut().enumerate() {
                *value = self.known.arrays.contains_key(&slot).then_some(root);
            }
        }
        self.composer.begin_object(at);
        let context = self.composer.key("@context");
        self.composer.member(context);
        self.composer.begin_object(at);
        for (prefix, namespace) in [("@vocab", SCHEMA_ORG), ("eg", EVALGRAPH), ("cr", CROISSANT)] {
            let (prefix, namespace) = (self.composer.key(prefix), self.composer.constant(namespace));
            self.composer.member(prefix);
            self.composer.string(namespace);
        }
        self.composer.end();
        self.head(&plans.root.node, Some(&object.iri));
        self.entries(&plans.root.node, &object);
        if let Some((property, plan)) = &plans.items {
            self.composer.member(self.words.keys[property.0]);
            if matches!(records, RecordPlacement::Items(..)) {
                self.records(plan, root, object.values.len(), "");
            } else {
                // This is an array because a value that is not a record writes no item.
                self.composer.begin_array(at);
                self.record(plan, root, 0, "", RecordSurroundings::default());
                self.composer.end();
            }
        }
        self.composer.end();
    }

    /// Writes the objects in an array of the file's node until the document is full. The rest goes into the next
    /// document.
    fn records(&mut self, plan: &RecordPlan, array: TokenId, slot: usize, parent: &str) {
        let file = self.file;
        let (mut index, mut items) =
            self.known.arrays.remove(&slot).unwrap_or_else(|| (self.known.first, file.items(array)));
        self.composer.begin_array(file.start(array));
        // The room is checked first: an item that was taken without room would be lost.
        while self.room > 0 {
            let Some(item) = items.next() else { break };
            let parent = if parent.is_empty() { String::new() } else { format!("{parent}/{index}") };
            self.record(plan, item, index, &parent, RecordSurroundings::default());
            index += 1;
            self.room -= 1;
        }
        self.composer.end();
        // Each array that is kept makes another document, so a finished one is dropped.
        if items.clone().next().is_some() {
            self.known.arrays.insert(slot, (index, items));
        }
    }

    /// Writes the node of an object, or of a scalar in place of one. For an inner object, `parent` is the IRI of the
    /// enclosing object with the key.
    pub(super) fn record(
        &mut self,
        plan: &RecordPlan,
        value: TokenId,
        index: usize,
        parent: &str,
        around: RecordSurroundings,
    ) {
        let kind = self.file.kind(value);
        let is_alone = |slot: &RecordSlot| match kind {
            JsonKind::Null => false,
            JsonKind::Array | JsonKind::Object => slot.is_alone && matches!(slot.form, MemberForm::Any),
            _ => slot.is_alone,
        };
        let alone = plan.slots.iter().position(is_alone);
        if !self.file.is_object(value) && alone.is_none() {
            self.misplaced(value, PlaceExpectation::Object(plan.shape.name));
            return;
        }
        let mut object = RecordObject { around, ..RecordObject::new(self.file, plan, value, index) };
        match alone {
            Some(alone) => {
                object.values[alone] = Some(value);
                self.fill_without_keys(&mut object);
            }
            None => self.fill(&mut object, value),
        }
        object.iri = self.identity(&object, parent);
        self.known.account.records += u64::from(plan.is_of_records());
        self.composer.begin_object(object.at);
        let iri = Some(object.iri.as_str()).filter(|iri| !iri.is_empty());
        self.head(&plan.node, iri);
        self.entries(&plan.node, &object);
        self.composer.end();
    }

    /// Fills the slots of an object with the values of its members.
    fn fill(&mut self, object: &mut RecordObject<'_>, value: TokenId) {
        let plan = object.plan;
        self.fill_keys(&plan.keys, object, value, false);
        self.fill_without_keys(object);
        // Conditions look at the values of other slots, so they come after all of them.
        if plan.slots.iter().any(RecordSlot::is_conditional) {
            self.apply_conditions(object);
        }
    }

    /// Keeps a value only in the first row of its key whose conditions are met.
    fn apply_conditions(&self, object: &mut RecordObject<'_>) {
        let slots = &object.plan.slots;
        let text = |key: &str| {
            let slot = slots.iter().position(|slot| slot.key == key)?;
            object.values[slot].map(|value| match self.file.kind(value) {
                JsonKind::True => Cow::Borrowed("true"),
                JsonKind::False => Cow::Borrowed("false"),
                _ => self.scalar_text(value).unwrap_or(Cow::Borrowed("{}")),
            })
        };
        let holds =
            |condition: &MemberCondition| text(condition.key).is_some_and(|text| (condition.admits)(&text));
        // All conditions are evaluated first, because they look at values that are removed below.
        let is_list = |slot: &RecordSlot| {
            let first = slots.iter().position(|known| known.key == slot.key);
            first.and_then(|first| object.values[first]).is_some_and(|value| self.is_list_of_scalars(value))
        };
        let holds =
            |slot: &RecordSlot| slot.conditions.iter().all(holds) && (!slot.is_of_list || is_list(slot));
        let holds: Vec<bool> = slots.iter().map(holds).collect();
        for (number, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.is_conditional()) {
            if holds[number] {
                let others = (number + 1..slots.len()).filter(|&other| slots[other].key == slot.key);
                others.for_each(|other| object.values[other] = None);
            } else {
                object.values[number] = None;
            }
        }
    }

    fn is_list_of_scalars(&self, value: TokenId) -> bool {
        let is_plain = |item: TokenId| self.file.is_scalar(item) && self.file.kind(item) != JsonKind::Null;
        self.file.is_array(value) && self.file.items(value).all(is_plain)
    }

    /// Fills the slots of keys. If `is_whole`, the object itself is kept as JSON, so no key is unknown.
    fn fill_keys(&mut self, keys: &KeyPlan, object: &mut RecordObject<'_>, value: TokenId, is_whole: bool) {
        let file = self.file;
        for member in file.members(value) {
            let target = self.known.targets[keys.id][member.symbol.index()];
            let Some(target) = keys.keys.get(target as usize) else {
                if is_whole {
                    continue;
                }
                let key = file.symbol_text(member.symbol);
                if keys.id == object.plan.keys.id && object.plan.chooses(file, value, key) {
                    continue;
                }
                match self.known.account.unknown.get_mut(key) {
                    Some((count, _)) => *count += 1,
                    None => drop(self.known.account.unknown.insert(key.to_owned(), (1, member.key))),
                }
                continue;
            };
            if file.kind(member.value) == JsonKind::Null {
                continue;
            }
            let is_empty = match file.kind(member.value) {
                JsonKind::Array => file.items(member.value).next().is_none(),
                JsonKind::Object => file.members(member.value).next().is_none(),
                _ => false,
            };
            for &slot in &target.slots {
                // An empty list makes no triple, and no nodes on its path.
                let is_list = match object.plan.slots[slot].form {
                    MemberForm::Values | MemberForm::Nodes(_) => file.is_array(member.value),
                    MemberForm::Entries(_) => file.is_object(member.value),
                    _ => false,
                };
                object.values[slot] = Some(member.value).filter(|_| !(is_empty && is_list));
            }
            let Some(group) = target.group else { continue };
            if file.is_object(member.value) {
                self.fill_keys(&keys.groups[group], object, member.value, !target.slots.is_empty());
            } else if target.slots.is_empty() {
                self.misplaced(member.value, PlaceExpectation::Member(target.key));
            }
        }
    }

    /// Records that the kind of a value does not fit its place.
    fn misplaced(&mut self, value: TokenId, expected: PlaceExpectation) {
        self.known.account.misplaced.push(MisplacedValue { value, expected });
    }

    fn identity(&mut self, object: &RecordObject<'_>, parent: &str) -> String {
        let (kind, key) = match object.plan.shape.identity {
            ObjectIdentity::Blank => return String::new(),
            ObjectIdentity::Inner => return parent.to_owned(),
            ObjectIdentity::Record { kind, key } => (kind, key),
        };
        let mut iri = self.known.base.to_owned();
        if !kind.is_empty() {
            iri.push_str(kind);
            iri.push('/');
        }
        let id = object.plan.slots.iter().position(|slot| slot.key == key);
        let id = id.and_then(|slot| object.values[slot]).and_then(|value| self.scalar_text(value));
        match id.filter(|id| !id.is_empty()) {
            Some(id) => percent_encode_into(&id, &mut iri),
            // `~` distinguishes an index from every id, as in `make_distinct`.
            None => drop(write!(iri, "~{}{}", self.known.part, object.index)),
        }
        let CompositionState { taken, part, .. } = &mut *self.known;
        taken.make_distinct(&mut iri, part, object.index);
        iri
    }

    fn scalar_text(&self, value: TokenId) -> Option<Cow<'d, str>> {
        self.file.string(value).or_else(|| self.file.number(value).map(Into::into))
    }

    /// Writes the IRI, classes and constants of a node.
    fn head(&mut self, node: &NodePlan, iri: Option<&str>) {
        if let Some(iri) = iri {
            let iri = self.composer.constant(iri);
            self.composer.member(self.words.id);
            self.composer.string(iri);
        }
        match node.classes.as_slice() {
            [] => {}
            [class] => {
                self.composer.member(self.words.classes);
                self.composer.string(self.words.names[class.0]);
            }
            classes => {
                self.composer.member(self.words.classes);
                self.composer.begin_array(0);
                for class in classes {
                    self.composer.string(self.words.names[class.0]);
                }
                self.composer.end();
            }
        }
        for &(property, value) in &node.constants {
            let constant = match self.words.constants.get(value) {
                Some(&constant) => constant,
                None => {
                    let constant = self.composer.constant(value);
                    self.words.constants.insert(value, constant);
                    constant
                }
            };
            self.composer.member(self.words.keys[property.0]);
            if is_integer(value) {
                self.composer.digits(constant);
            } else {
                self.composer.string(constant);
            }
        }
    }

    fn entries(&mut self, node: &NodePlan, object: &RecordObject<'_>) {
        for NodePlanEntry { property, values } in &node.entries {
            let is_there = |value: &&EntryValue| match value {
                EntryValue::Slot(slot) => object.values[*slot].is_some(),
                EntryValue::Node(node) => node.below.iter().any(|&slot| object.values[slot].is_some()),
            };
            let count = values.iter().filter(is_there).count();
            if count == 0 {
                continue;
            }
            self.composer.member(self.words.keys[property.0]);
            if count > 1 {
                self.composer.begin_array(object.at);
            }
            for value in values.iter().filter(is_there) {
                match value {
                    EntryValue::Slot(slot) => self.slot(*slot, object),
                    EntryValue::Node(node) => {
                        let iri = self.node_iri(node, object);
                        self.composer.begin_object(object.at);
                        self.head(node, iri.as_deref());
                        self.entries(node, object);
                        self.composer.end();
                    }
                }
            }
            if count > 1 {
                self.composer.end();
            }
        }
    }

    fn node_iri(&self, node: &NodePlan, object: &RecordObject<'_>) -> Option<String> {
        match node.identity {
            NodeIdentity::Object | NodeIdentity::Blank => None,
            NodeIdentity::Suffix(suffix) => {
                Some(object.iri.as_str()).filter(|iri| !iri.is_empty()).map(|iri| format!("{iri}/{suffix}"))
            }
            NodeIdentity::Named(kind, keys) => {
                let text = |key: &str| {
                    let slot = object.plan.slots.iter().position(|slot| slot.key == key)?;
                    self.scalar_text(object.values[slot]?)
                };
                let Some((sets, key)) = keys.rsplit_once(',') else {
                    return Some(self.named(kind, &text(keys)?));
                };
                let mut kind = kind.to_owned();
                for set in sets.split(',').filter_map(text) {
                    kind.push('/');
                    percent_encode_into(&set, &mut kind);
                }
                Some(self.named(&kind, &text(key)?))
            }
        }
    }

    /// Returns the IRI of a node with a kind and an id.
    fn named(&self, kind: &str, id: &str) -> String {
        let mut iri = format!("{}{kind}/", self.known.base);
        percent_encode_into(id, &mut iri);
        iri
    }

    fn slot(&mut self, number: usize, object: &RecordObject<'_>) {
        let RecordSlot { form, inner, key, .. } = &object.plan.slots[number];
        let value = object.values[number].expect("a slot is written where it has a value");
        let is_array = self.file.is_array(value);
        let plan = || inner.as_deref().expect("objects have a plan");
        match form {
            MemberForm::Json => self.json(value),
            MemberForm::Position => {
                let index = self.composer.constant(&object.index.to_string());
                self.composer.digits(index);
            }
            MemberForm::EntryKey => self.entry_key(object),
            MemberForm::Computed(_) | MemberForm::OfFile(_) => self.computed(*form, value, object),
            MemberForm::Entries(_) if self.file.is_object(value) => {
                self.record_entries(plan(), value, &object.plan.slots[number], object);
            }
            MemberForm::OtherMembers(..) => {
                self.record_entries(plan(), value, &object.plan.slots[number], object);
            }
            MemberForm::Excerpt(find) => {
                let (text, found_in) = find(self.file, value).unwrap_or_else(|| (String::new(), value));
                let text = self.composer.made_of(self.file.bytes(found_in), &text);
                self.composer.string(text);
            }
            MemberForm::Values if is_array => self.array(value, |composing, item, _| {
                if composing.file.kind(item) == JsonKind::Null {
                    composing.misplaced(item, PlaceExpectation::Item(key));
                } else {
                    composing.scalar(item);
                }
            }),
            MemberForm::Nodes(_)
                if object.is_root && (is_array || self.known.arrays.contains_key(&number)) =>
            {
                self.records(plan(), value, number, &format!("{}/{key}", object.iri));
            }
            MemberForm::Nodes(_) if is_array => self.array(value, |composing, item, index| {
                composing.record(
                    plan(),
                    item,
                    index,
                    &format!("{}/{key}/{index}", object.iri),
                    object.inside(),
                );
            }),
            MemberForm::Nodes(_) | MemberForm::Node(_) if self.file.is_object(value) => {
                self.record(plan(), value, 0, &format!("{}/{key}", object.iri), object.inside());
            }
            MemberForm::Nodes(_) | MemberForm::Node(_) | MemberForm::Entries(_) => {
                let many = matches!(form, MemberForm::Nodes(_));
                self.misplaced(
                    value,
                    if many { PlaceExpectation::List(key) } else { PlaceExpectation::Member(key) },
                );
                self.scalar(value);
            }
            MemberForm::DateTime if self.file.string(value).is_some_and(|text| is_date_time(&text)) => {
                let file = self.file;
                self.typed(self.words.date_time, |composer| {
                    composer.value(file, value);
                });
            }
            MemberForm::Text if self.file.kind(value) == JsonKind::Number => {
                self.composer.text(self.file.bytes(value));
            }
            MemberForm::Reference(kind) if self.scalar_text(value).is_some() => {
                let iri = self.named(kind, &self.scalar_text(value).unwrap_or_default());
                let iri = self.composer.constant(&iri);
                self.composer.begin_object(object.at);
                self.composer.member(self.words.id);
                self.composer.string(iri);
                self.composer.end();
            }
            MemberForm::Value if !self.file.is_scalar(value) => {
                self.misplaced(value, PlaceExpectation::Scalar(key));
                self.scalar(value);
            }
            _ => self.scalar(value),
        }
    }

    fn array(&mut self, array: TokenId, mut item: impl FnMut(&mut Self, TokenId, usize)) {
        let file = self.file;
        self.composer.begin_array(file.start(array));
        for (index, value) in file.items(array).enumerate() {
            item(self, value, index);
        }
        self.composer.end();
    }

    pub(super) fn scalar(&mut self, value: TokenId) {
        match self.file.kind(value) {
            JsonKind::Number => self.number(value),
            JsonKind::Array | JsonKind::Object => self.json(value),
            _ => drop(self.composer.value(self.file, value)),
        }
    }

    /// Writes a number with the digits of the file, which the conversion in the JSON-LD specification would change.
    fn number(&mut self, value: TokenId) {
        let text = self.file.number(value).unwrap_or_default();
        let datatype = match text {
            // As a double, an integer keeps up to 15 digits, and `-0` loses its sign.
            text if text.len() < 16 && is_integer(text) && text != "-0" => {
                self.composer.value(self.file, value);
                return;
            }
            text if is_integer(text) => self.words.integer,
            text if text.contains(['e', 'E']) => self.words.double,
            _ => self.words.decimal,
        };
        let bytes = self.file.bytes(value);
        self.typed(datatype, |composer| composer.text(bytes));
    }

    fn json(&mut self, value: TokenId) {
        let token = self.composer.value(self.file, value);
        self.json_values.insert(token);
    }

    pub(super) fn typed(&mut self, datatype: ComposedConstant, value: impl FnOnce(&mut DocumentComposer)) {
        self.composer.begin_object(0);
        self.composer.member(self.words.classes);
        self.composer.string(datatype);
        self.composer.member(self.words.value);
        value(&mut self.composer);
        self.composer.end();
    }
}

fn note_targets(keys: &KeyPlan, file: &JsonDocument, targets: &mut [Vec<u32>]) {
    for (number, target) in keys.keys.iter().enumerate() {
        // Rows without a key are not about a member, not even about one whose key is empty.
        if let Some(symbol) = file.find_symbol(target.key).filter(|_| !target.key.is_empty()) {
            targets[keys.id][symbol.index()] = number as u32;
        }
    }
    for group in &keys.groups {
        note_targets(group, file, targets);
    }
}
