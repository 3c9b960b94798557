//! Prepares the tables of [`RecordShape`]s: splits paths into steps, and puts rows whose paths begin with the same
//! steps under the same node.

use super::shape::{
    FileShape, MemberCondition, MemberForm, ObjectIdentity, RecordMember, RecordShape, own_namespace,
};

/// The plan of a shape, with the plans of the shapes inside it.
#[derive(Debug)]
pub(super) struct RecordPlan {
    pub(super) shape: &'static RecordShape,
    /// The rows of the table, including those of groups.
    pub(super) slots: Vec<RecordSlot>,
    /// The keys of the object, with the slots that they lead to.
    pub(super) keys: KeyPlan,
    /// The node of the object, with everything below it.
    pub(super) node: NodePlan,
}

/// A row of a table.
#[derive(Debug)]
pub(super) struct RecordSlot {
    pub(super) key: &'static str,
    pub(super) path: &'static str,
    pub(super) form: MemberForm,
    /// `true` if the row is only written to the graph, never read back.
    pub(super) is_derived: bool,
    /// The conditions under which the row counts; empty if it always counts.
    pub(super) conditions: &'static [MemberCondition],
    /// `true` if the row counts only for a list of scalars.
    pub(super) is_of_list: bool,
    /// `true` if a scalar in place of the object is the value of this row.
    pub(super) is_alone: bool,
    /// The plan of the objects in the value.
    pub(super) inner: Option<Box<RecordPlan>>,
}

impl RecordSlot {
    /// Returns whether a file gets the value of the row back from a graph.
    pub(super) fn is_read_back(&self) -> bool {
        !self.is_derived && !matches!(self.form, MemberForm::Position | MemberForm::EntryKey)
    }

    /// Returns whether the row counts for some values only.
    pub(super) fn is_conditional(&self) -> bool {
        self.is_of_list || !self.conditions.is_empty()
    }
}

/// The keys of an object.
#[derive(Debug)]
pub(super) struct KeyPlan {
    /// The number of this object among all objects and groups of the [`FilePlan`].
    pub(super) id: usize,
    pub(super) keys: Vec<KeyTarget>,
    pub(super) groups: Vec<KeyPlan>,
}

/// The target of a key's value: slots, or a group.
#[derive(Debug)]
pub(super) struct KeyTarget {
    pub(super) key: &'static str,
    pub(super) slots: Vec<usize>,
    pub(super) group: Option<usize>,
}

/// A node on the paths of a table, with its properties.
#[derive(Debug)]
pub(super) struct NodePlan {
    pub(super) classes: Vec<PlanTermNumber>,
    pub(super) constants: Vec<(PlanTermNumber, &'static str)>,
    pub(super) identity: NodeIdentity,
    /// The slots below this node. The node exists only if one of them has a value.
    pub(super) below: Vec<usize>,
    pub(super) entries: Vec<NodePlanEntry>,
}

/// The identity of a node on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeIdentity {
    /// The object's own node.
    Object,
    Blank,
    Suffix(&'static str),
    /// The values of members identify the node: the kind of the node, and the keys of the members, between commas.
    Named(&'static str, &'static str),
}

/// A property of a node.
#[derive(Debug)]
pub(super) struct NodePlanEntry {
    pub(super) property: PlanTermNumber,
    pub(super) values: Vec<EntryValue>,
}

#[derive(Debug)]
pub(super) enum EntryValue {
    Slot(usize),
    Node(NodePlan),
}

/// A distinct name: a property, or a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlanTermNumber(pub(super) usize);

/// The plan of a file, with the names that it uses.
#[derive(Debug)]
pub(super) struct FilePlan {
    pub(super) root: RecordPlan,
    pub(super) items: Option<(PlanTermNumber, RecordPlan)>,
    /// The distinct names, as paths spell them.
    pub(super) names: Vec<&'static str>,
    /// The number of [`KeyPlan`]s.
    pub(super) key_plans: usize,
}

impl FilePlan {
    pub(super) fn from_shape(shape: &FileShape) -> Self {
        let mut maker = RecordPlanner::default();
        let root = maker.plan(shape.root);
        let items = shape.records.beside_root();
        let items = items.map(|(property, shape)| (maker.name(property), maker.plan(shape)));
        Self { root, items, names: maker.names, key_plans: maker.key_plans }
    }

    /// Visits each plan: the plan of an object before those of the objects in it.
    pub(super) fn each<'p>(&'p self, visit: &mut impl FnMut(&'p RecordPlan)) {
        self.root.each(visit);
        if let Some((_, items)) = &self.items {
            items.each(visit);
        }
    }
}

/// Returns the kinds of nodes that several records of a file share: those that a value identifies.
pub fn shared_kinds(shape: &FileShape) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    FilePlan::from_shape(shape).each(&mut |plan| shared_of_node(&plan.node, &mut kinds));
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn shared_of_node(node: &NodePlan, kinds: &mut Vec<&'static str>) {
    if let NodeIdentity::Named(kind, _) = node.identity {
        kinds.push(kind);
    }
    for value in node.entries.iter().flat_map(|entry| &entry.values) {
        if let EntryValue::Node(node) = value {
            shared_of_node(node, kinds);
        }
    }
}

#[derive(Default)]
struct RecordPlanner {
    names: Vec<&'static str>,
    key_plans: usize,
}

impl RecordPlanner {
    fn name(&mut self, name: &'static str) -> PlanTermNumber {
        let known = self.names.iter().position(|known| *known == name);
        PlanTermNumber(known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }))
    }

    fn plan(&mut self, shape: &'static RecordShape) -> RecordPlan {
        let mut slots = Vec::new();
        let mut node = self.node(shape.node, NodeIdentity::Object);
        let keys = self.keys(shape.members, &mut slots, &mut node);
        RecordPlan { shape, slots, keys, node }
    }

    fn keys(
        &mut self,
        members: &'static [RecordMember],
        slots: &mut Vec<RecordSlot>,
        node: &mut NodePlan,
    ) -> KeyPlan {
        let mut plan = KeyPlan { id: self.key_plans, keys: Vec::new(), groups: Vec::new() };
        self.key_plans += 1;
        for member in members {
            let mut target = KeyTarget { key: member.key, slots: Vec::new(), group: None };
            // A group has no node: its rows belong to the node of the object. Only its keys are separate.
            if let MemberForm::Group(members) = member.form {
                plan.groups.push(self.keys(members, slots, node));
                target.group = Some(plan.groups.len() - 1);
            } else {
                let slot = self.slot(member);
                slots.push(slot);
                self.insert(node, member.path, slots.len() - 1);
                target.slots.push(slots.len() - 1);
            }
            // A key may have several rows, such as derived and conditional ones. Each gets the value.
            match plan.keys.iter_mut().find(|known| known.key == member.key) {
                Some(known) => {
                    known.slots.append(&mut target.slots);
                    known.group = known.group.or(target.group);
                }
                None => plan.keys.push(target),
            }
        }
        plan
    }

    fn slot(&mut self, member: &RecordMember) -> RecordSlot {
        let (mut form, mut is_derived, mut conditions) = (member.form, false, &[][..]);
        let (mut is_of_list, mut is_alone) = (false, false);
        // The wrappers of a form may be nested in any order. Each sets its flag in the slot. The inner form remains.
        loop {
            form = match form {
                MemberForm::Derived(form) => {
                    is_derived = true;
                    *form
                }
                MemberForm::Where(known, form) => {
                    conditions = known;
                    *form
                }
                MemberForm::OfList(form) => {
                    is_of_list = true;
                    *form
                }
                MemberForm::Alone(form) => {
                    is_alone = true;
                    *form
                }
                _ => break,
            };
        }
        let inner = match form {
            MemberForm::Node(shape)
            | MemberForm::Nodes(shape)
            | MemberForm::Entries(shape)
            | MemberForm::OtherMembers(_, shape) => Some(Box::new(self.plan(shape))),
            _ => None,
        };
        is_derived |= matches!(form, MemberForm::Computed(_) | MemberForm::OfFile(_));
        let (key, path) = (member.key, member.path);
        RecordSlot { key, path, form, is_derived, conditions, is_of_list, is_alone, inner }
    }

    fn insert(&mut self, node: &mut NodePlan, path: &'static str, slot: usize) {
        // This value keeps every node on its path alive.
        node.below.push(slot);
        let (step, rest) = match split_step(path) {
            (step, Some(rest)) => (step, rest),
            (property, None) => {
                let property = self.name(property);
                entry(node, property).values.push(EntryValue::Slot(slot));
                return;
            }
        };
        let (property, description) = match property_length(step) {
            Some(length) => (&step[..length], &step[length + 1..]),
            None => (step, ""),
        };
        let (property, made) = (self.name(property), self.node(description, NodeIdentity::Blank));
        let values = &mut entry(node, property).values;
        // Rows whose steps describe the same node share it. A step with another class, constant or identity is another
        // node under the same property.
        let is_same = |known: &NodePlan| {
            known.classes == made.classes
                && known.constants == made.constants
                && known.identity == made.identity
        };
        let known = values
            .iter()
            .position(|value| matches!(value, EntryValue::Node(known) if is_same(known)))
            .unwrap_or_else(|| {
                values.push(EntryValue::Node(made));
                values.len() - 1
            });
        if let EntryValue::Node(inner) = &mut values[known] {
            self.insert(inner, rest, slot);
        }
    }

    /// Reads a node from its description: classes, constants, identity.
    fn node(&mut self, description: &'static str, default: NodeIdentity) -> NodePlan {
        let identity_at = description.find(['#', '@']).unwrap_or(description.len());
        let identity = match &description[identity_at..] {
            "" => default,
            text => match text.strip_prefix('#') {
                Some(suffix) => NodeIdentity::Suffix(suffix),
                None => {
                    let (kind, key) = text[1..].split_once('(').expect("an identity is `@kind(key)`");
                    NodeIdentity::Named(kind, key.trim_end_matches(')'))
                }
            },
        };
        let description = &description[..identity_at];
        let (classes, constants) = description.split_once('{').unwrap_or((description, ""));
        let constants = constants.trim_end_matches('}').split(',').filter(|constant| !constant.is_empty());
        let constants = constants.map(|constant| {
            let (property, value) = constant.split_once('=').expect("a constant is `property=value`");
            (self.name(property), value)
        });
        let constants = constants.collect();
        let classes = classes.split('+').filter(|class| !class.is_empty());
        let classes = classes.map(|class| self.name(class)).collect();
        NodePlan { classes, constants, identity, below: Vec::new(), entries: Vec::new() }
    }
}

/// Returns the length of the property in a step that describes a node after it. The `:` of a prefix is part of the name.
fn property_length(step: &str) -> Option<usize> {
    let from = own_namespace(step).map_or(0, |(_, local)| step.len() - local.len());
    step[from..].find(':').map(|at| from + at)
}

/// Splits a path into its first step and the rest. A `/` in braces or in an identity is not a separator.
fn split_step(path: &'static str) -> (&'static str, Option<&'static str>) {
    let mut is_inside = false;
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'{' | b'(' => is_inside = true,
            b'}' | b')' => is_inside = false,
            b'/' if !is_inside => return (&path[..at], Some(&path[at + 1..])),
            _ => {}
        }
    }
    (path, None)
}

fn entry(node: &mut NodePlan, property: PlanTermNumber) -> &mut NodePlanEntry {
    let known = node.entries.iter().position(|entry| entry.property == property);
    let at = known.unwrap_or_else(|| {
        node.entries.push(NodePlanEntry { property, values: Vec::new() });
        node.entries.len() - 1
    });
    &mut node.entries[at]
}

impl RecordPlan {
    /// Returns whether a key has no row in the table of the object.
    pub(super) fn has_no_row(&self, key: &str) -> bool {
        self.keys.keys.iter().all(|target| target.key != key)
    }

    /// Returns whether the objects are records.
    pub(super) fn is_of_records(&self) -> bool {
        matches!(self.shape.identity, ObjectIdentity::Record { .. })
    }

    fn each<'p>(&'p self, visit: &mut impl FnMut(&'p RecordPlan)) {
        visit(self);
        for inner in self.slots.iter().filter_map(|slot| slot.inner.as_deref()) {
            inner.each(visit);
        }
    }
}
