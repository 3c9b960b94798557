//! Writes the tree of nodes below a root: the content of the graph in the forms of the context, everything else as the
//! layout specifies.

use super::compaction_forms::{CompactionForms, KeyId};
use super::content::{LONG_HASH, long_hash, short_hash};
use super::key_rules::{KeyRules, UNRANKED};
use super::layout::NodeLayout;
use super::planner::{NodePlanner, PlannedEntry, PlannedValue};
use evalgraph_json::StyledJson;
use evalgraph_rdf::quad_buffer::BufferTermId;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// The number of the root's member `@context`, as a member that is not in the graph.
const CONTEXT: usize = usize::MAX;

/// The number of an array of the root that has lost all its values.
const EMPTY: usize = usize::MAX - 1;

/// The approximate length of the text around a value: its key, indentation, brackets.
const AROUND: usize = 48;

/// Writes a document as text.
pub(crate) struct TreeWriter<'g, 'q> {
    pub planner: NodePlanner<'g, 'q>,
    context: Option<String>,
    planned: Vec<PlannedEntry>,
    json: StyledJson,
}

/// The settings for the members of a node.
struct MemberSettings<'g> {
    place: Rc<KeyRules>,
    layout: Option<&'g NodeLayout>,
    own: OwnKeys<'g>,
}

impl<'g, 'q> TreeWriter<'g, 'q> {
    pub(crate) fn new(planner: NodePlanner<'g, 'q>, context: Option<String>) -> Self {
        let json = StyledJson::new(planner.layout.style.clone());
        Self { planner, context, planned: Vec::new(), json }
    }

    /// Writes the document. Returns its text, and the planner with the findings.
    pub(crate) fn run(mut self, root: BufferTermId) -> (String, NodePlanner<'g, 'q>) {
        // Unused room costs nothing, but moving the text does.
        let quads = self.planner.graph.quads();
        self.json.reserve(quads.text_length() + quads.len() * AROUND);
        let in_array = self.planner.layout.in_array;
        if in_array {
            self.json.open('[');
            self.json.item();
        }
        if self.context.is_some() {
            self.planned.push(PlannedEntry {
                rank: UNRANKED,
                key: KeyId::CONTEXT,
                value: PlannedValue::Raw(CONTEXT),
            });
        }
        self.node(KeyId::CONTEXT, root, 0);
        if in_array {
            self.json.close(']');
        }
        (self.json.finish(), self.planner)
    }

    /// Writes a node under a key; the values planned from `start` on also belong to the node.
    ///
    /// Recurses by level, which the planner limits.
    fn node(&mut self, key: KeyId, node: BufferTermId, start: usize) {
        self.planner.enter(node);
        let layout = self.planner.node_layout(node);
        let own = layout.map(|layout| OwnKeys::new(layout, &mut self.planner.forms)).unwrap_or_default();
        let written = MemberSettings { place: self.planner.place(key, node), layout, own };
        self.planner.plan(node, &mut self.planned);
        self.add_raw(start, written.layout);
        if key == KeyId::CONTEXT {
            self.add_emptied(start, &written);
        }
        self.sort(start, &written);
        self.json.open('{');
        let end = self.planned.len();
        let mut at = start;
        while at < end {
            let key = self.planned[at].key;
            let same = self.planned[at..end].iter().take_while(|planned| planned.key == key).count();
            self.member(at..at + same, &written);
            at += same;
        }
        self.json.close('}');
        self.planned.truncate(start);
        self.planner.leave(node);
    }

    /// Adds the members that were not in the graph, unless the graph has them now.
    fn add_raw(&mut self, start: usize, layout: Option<&NodeLayout>) {
        let Some(layout) = layout.filter(|layout| !layout.raw.is_empty()) else { return };
        let mut known: HashSet<KeyId> = self.planned[start..].iter().map(|planned| planned.key).collect();
        for (number, (key, _)) in layout.raw.iter().enumerate() {
            let key = self.planner.forms.key(key);
            if known.insert(key) {
                self.planned.push(PlannedEntry { rank: UNRANKED, key, value: PlannedValue::Raw(number) });
            }
        }
    }

    /// Adds the arrays of the root that have lost all their values. Without them the file would lose information, and
    /// some programs would refuse it.
    fn add_emptied(&mut self, start: usize, written: &MemberSettings<'_>) {
        let own = written.layout.and_then(|layout| layout.keys.as_ref());
        let own: Option<Vec<KeyId>> =
            own.map(|keys| keys.iter().map(|key| self.planner.forms.key(key)).collect());
        let mut known: HashSet<KeyId> = self.planned[start..].iter().map(|planned| planned.key).collect();
        for key in own.unwrap_or_else(|| written.place.ranks.keys().copied().collect()) {
            if self.planner.forms.is_set(key) && known.insert(key) {
                self.planned.push(PlannedEntry { rank: UNRANKED, key, value: PlannedValue::Raw(EMPTY) });
            }
        }
    }

    fn sort(&mut self, start: usize, written: &MemberSettings<'_>) {
        let Self { planner, planned, .. } = self;
        let forms = &planner.forms;
        for value in &mut planned[start..] {
            value.rank = match written.own.rank(value.key) {
                Some(rank) => rank.unwrap_or(UNRANKED),
                None => written.place.rank(value.key),
            };
        }
        // A key has one rank, so its values end up side by side, as `node` requires. The sort keeps their order.
        planned[start..].sort_by(|left, right| {
            let by_rank = left.rank.cmp(&right.rank);
            by_rank.then_with(|| {
                if left.key == right.key {
                    return std::cmp::Ordering::Equal;
                }
                forms.key_text(left.key).cmp(forms.key_text(right.key))
            })
        });
    }

    fn member(&mut self, values: Range<usize>, written: &MemberSettings<'_>) {
        let key = self.planned[values.start].key;
        let key_text = self.planner.forms.owned_key(key);
        self.json.key(&key_text);
        if let PlannedValue::Raw(number) = self.planned[values.start].value {
            let context = self.context.take().filter(|_| number == CONTEXT);
            if number == EMPTY {
                self.json.open('[');
                self.json.close(']');
                return;
            }
            let raw = written.layout.and_then(|layout| layout.raw.get(number));
            self.raw(context.as_deref().or(raw.map(|(_, raw)| raw.as_str())).unwrap_or("null"));
            return;
        }
        let own = written.own.get(key);
        if let Some((hash, json)) = own.spelled {
            if self.planner.member_hash(&self.planned[values.clone()]) == hash {
                self.planner.has_skipped = true;
                self.raw(json);
                return;
            }
            self.planner.findings.stale.add(|| format!("`{key_text}`"));
        }
        let is_turned = written.place.turned.contains(&key) != own.is_turned;
        let is_decimal = written.place.decimal.contains(&key) != own.is_decimal;
        if values.len() == 1 && own.order.is_none() {
            let planned = self.planned[values.start].clone();
            let in_array = planned.is_in_array() != is_turned;
            if in_array {
                let is_of_scalars = self.is_of_scalars(std::slice::from_ref(&planned));
                self.json.open_array(is_of_scalars);
                self.json.item();
            }
            self.value(&planned, is_decimal);
            if in_array {
                self.json.close(']');
            }
            return;
        }
        self.array(values, is_decimal, own.order);
    }

    fn array(&mut self, values: Range<usize>, is_decimal: bool, order: Option<&[String]>) {
        let key = self.planned[values.start].key;
        let mut values = self.planned[values].to_vec();
        if values.iter().all(|planned| planned.node().is_some()) {
            self.planner.sort_nodes(key, &mut values);
        } else {
            values = self.sort_plain(&values, order);
        }
        let is_of_scalars = self.is_of_scalars(&values);
        self.json.open_array(is_of_scalars);
        for planned in &values {
            self.json.item();
            self.value(planned, is_decimal);
        }
        self.json.close(']');
    }

    /// Returns whether none of the values becomes an object or array. Called only if the answer matters.
    fn is_of_scalars(&mut self, values: &[PlannedEntry]) -> bool {
        let planner = &mut self.planner;
        planner.layout.style.flat_arrays
            && values.iter().all(|planned| {
                planned.node().is_none() && !planner.plain_text(planned).starts_with(['{', '['])
            })
    }

    /// Sorts plain values by their texts. Values whose hash is in `order` come first, in that order and as often as it
    /// contains the hash.
    fn sort_plain(&mut self, values: &[PlannedEntry], order: Option<&[String]>) -> Vec<PlannedEntry> {
        let mut texts: Vec<(String, PlannedEntry)> = values
            .iter()
            .map(|planned| {
                let text = match planned.node() {
                    Some(node) => self.planner.content(node),
                    None => self.planner.plain_text(planned),
                };
                (text, planned.clone())
            })
            .collect();
        texts.sort_by(|left, right| left.0.cmp(&right.0));
        let Some(order) = order else { return texts.into_iter().map(|(_, planned)| planned).collect() };
        let hash = if order.iter().any(|hash| hash.len() == LONG_HASH) { long_hash } else { short_hash };
        // The texts of each hash, in reverse order: two texts may have the same short hash by chance.
        let mut known: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, (text, _)) in texts.iter().enumerate().rev() {
            known.entry(hash(text)).or_default().push(at);
        }
        let mut is_placed = vec![false; texts.len()];
        let mut sorted = Vec::with_capacity(values.len());
        for wanted in order {
            let Some(found) = known.get_mut(wanted) else {
                self.planner.findings.gone_values += 1;
                continue;
            };
            // The last text of a hash is repeated until all occurrences of the hash are used.
            let at = if found.len() > 1 { found.pop() } else { found.last().copied() };
            if let Some(at) = at {
                is_placed[at] = true;
                sorted.push(texts[at].1.clone());
            }
        }
        let others = texts.into_iter().zip(is_placed).filter(|(_, is_placed)| !is_placed);
        sorted.extend(others.map(|((_, planned), _)| planned));
        sorted
    }

    #[inline]
    fn value(&mut self, planned: &PlannedEntry, is_decimal: bool) {
        match planned.node() {
            Some(node) => {
                let start = self.planned.len();
                self.node(planned.key, node, start);
            }
            None => self.planner.write_plain(planned, is_decimal, &mut self.json),
        }
    }

    /// Writes JSON from the layout.
    fn raw(&mut self, json: &str) {
        if !self.json.json_text(json) {
            self.json.scalar("null");
        }
    }
}

/// How a node writes a key, if that differs from its place.
#[derive(Debug, Default, Clone, Copy)]
struct OwnKey<'l> {
    rank: Option<u32>,
    /// The hash of the values, and their spelling as JSON.
    spelled: Option<(&'l str, &'l str)>,
    /// The hashes of plain values, in order.
    order: Option<&'l [String]>,
    is_turned: bool,
    is_decimal: bool,
}

/// How a node writes all its keys.
#[derive(Debug, Default)]
struct OwnKeys<'l> {
    /// `true` if the node has its own order.
    is_ordered: bool,
    keys: HashMap<KeyId, OwnKey<'l>, foldhash::fast::FixedState>,
}

impl<'l> OwnKeys<'l> {
    fn new(layout: &'l NodeLayout, forms: &mut CompactionForms<'_>) -> Self {
        let mut own = Self { is_ordered: layout.keys.is_some(), ..Self::default() };
        let mut key = |text: &str, set: &dyn Fn(&mut OwnKey<'l>)| {
            set(own.keys.entry(forms.key(text)).or_default());
        };
        for (text, rank) in layout.keys.iter().flatten().zip(0..) {
            key(text, &|key| key.rank = key.rank.or(Some(rank)));
        }
        for (text, hash, json) in &layout.spelled {
            key(text, &|key| key.spelled = key.spelled.or(Some((hash, json))));
        }
        for (text, order) in &layout.order {
            key(text, &|key| key.order = key.order.or(Some(order)));
        }
        layout.turned.iter().for_each(|text| key(text, &|key| key.is_turned = true));
        layout.decimal.iter().for_each(|text| key(text, &|key| key.is_decimal = true));
        own
    }

    /// Returns how the node writes a key.
    fn get(&self, key: KeyId) -> OwnKey<'l> {
        self.keys.get(&key).copied().unwrap_or_default()
    }

    /// Returns the rank of a key, or `None` if the node does not have its own order.
    fn rank(&self, key: KeyId) -> Option<Option<u32>> {
        self.is_ordered.then(|| self.get(key).rank)
    }
}
