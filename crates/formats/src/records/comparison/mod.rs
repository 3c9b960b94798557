//! Compares two files of records: lists each value that differs or that only one file has, with its places in both.
//! Values are compared as they are written, so null differs from a missing value, and `1` from `1.0`. The order of
//! keys makes no difference.

mod item_partners;

pub(crate) use item_partners::{ItemPartners, sort};

use super::shape::{FileShape, ObjectIdentity, RecordPlacement, RecordShape};
use crate::checkpoint::comparison::{self, ChangeSide, ChangedEntry, FieldChange, MatchedBy};
use crate::checkpoint::model::{PlacedValue, TokenOrigin};
use evalgraph_json::{JsonDocument, JsonMember, TokenId};
use item_partners::{ComparedItems, id_of, text_of};
use std::collections::BTreeSet;

/// Names in the path of a change, for the order of items and for the form of the file around its records.
const ORDER: &str = "order";
const FORM: &str = "form";

/// A file whose records are compared.
#[derive(Debug, Clone, Copy)]
pub struct ComparedRecordFile<'d> {
    /// The file.
    pub document: &'d JsonDocument,
    /// Where its records are.
    pub shape: FileShape,
}

impl<'d> ComparedRecordFile<'d> {
    /// Creates a file of no known shape: each list in its outermost object counts as a list of records.
    pub fn plain(document: &'d JsonDocument) -> Self {
        Self { document, shape: FileShape { root: &PLAIN, records: RecordPlacement::InRoot } }
    }
}

/// Returns the names that a comparison can ignore: the keys of both files, `order` and `form`.
pub fn fields<'d>(before: ComparedRecordFile<'d>, after: ComparedRecordFile<'d>) -> BTreeSet<&'d str> {
    let keys =
        |file: ComparedRecordFile<'d>| file.document.symbols().map(|key| file.document.symbol_text(key));
    keys(before).chain(keys(after)).chain([ORDER, FORM]).collect()
}

const PLAIN: RecordShape =
    RecordShape { name: "file", node: "", identity: ObjectIdentity::Blank, members: &[] };

/// The differences between two files.
pub type RecordComparison<'d> = comparison::FileComparison<'d, ComparedRecord<'d>>;

/// A record of a file.
#[derive(Debug, Clone)]
pub struct ComparedRecord<'d> {
    /// The list that contains it: a key, or else the name of such records.
    pub list: String,
    /// Its place in the list, from 0.
    pub index: usize,
    /// Its id, if it has one.
    pub id: Option<PlacedValue<'d>>,
    /// Its text for messages, if it has one.
    pub text: Option<PlacedValue<'d>>,
    /// Its place in the file.
    pub origin: TokenOrigin<'d>,
}

/// Compares two files. Records are paired by id, then by text, then by common members, then by position; results of
/// models only by their sample. Changes of a
/// key in `ignored` are left out.
pub fn compare<'d>(
    before: ComparedRecordFile<'d>,
    after: ComparedRecordFile<'d>,
    ignored: &[String],
) -> RecordComparison<'d> {
    let comparer = RecordComparer { before: before.document, after: after.document, ignored };
    let mut found = RecordComparison::default();
    comparer.files(before.shape, after.shape, &mut found);
    found
}

/// A list of records: its key (`None` for the root) and its array.
type RecordArray = (Option<String>, TokenId);

/// Values of the two files that belong together.
#[derive(Debug, Clone, Copy)]
struct ComparedPair<T> {
    before: T,
    after: T,
}

impl<T> ComparedPair<Option<T>> {
    /// A value that only the first file has.
    fn only_before(value: T) -> Self {
        Self { before: Some(value), after: None }
    }

    /// A value that only the second file has.
    fn only_after(value: T) -> Self {
        Self { before: None, after: Some(value) }
    }
}

struct RecordComparer<'c, 'd> {
    before: &'d JsonDocument,
    after: &'d JsonDocument,
    ignored: &'c [String],
}

impl<'d> RecordComparer<'_, 'd> {
    fn files(&self, before: FileShape, after: FileShape, found: &mut RecordComparison<'d>) {
        let (left, right) = (lists(self.before, before), lists(self.after, after));
        let mut pairs: Vec<(RecordArray, RecordArray)> = Vec::new();
        for list in &left {
            pairs.extend(
                right.iter().find(|other| other.0 == list.0).map(|other| (list.clone(), other.clone())),
            );
        }
        // The same records may be the outermost array of one file and a list inside the other.
        if let ([one], [other]) = (left.as_slice(), right.as_slice())
            && pairs.is_empty()
            && (one.0.is_none() || other.0.is_none())
        {
            self.form(one, other, found);
            pairs.push((one.clone(), other.clone()));
        }
        let roots = self.roots();
        match (self.before.is_object(roots.before), self.after.is_object(roots.after)) {
            (true, true) => {
                // These lists are compared record by record elsewhere.
                let is_skipped = |left: Option<TokenId>, right: Option<TokenId>| {
                    pairs.iter().any(|(one, other)| left == Some(one.1) || right == Some(other.1))
                };
                self.members(&[], roots, &is_skipped, &mut found.whole);
            }
            (false, false) if pairs.is_empty() => self.values(&[], roots, &mut found.whole),
            (false, false) => {}
            (is_before, _) => {
                let lists: &[RecordArray] = if is_before { &left } else { &right };
                self.lone_members(is_before, lists, &mut found.whole);
                if pairs.is_empty() {
                    found.removed.extend(left.iter().flat_map(|list| records(self.before, list, before)));
                    found.added.extend(right.iter().flat_map(|list| records(self.after, list, after)));
                }
            }
        }
        for (one, other) in pairs {
            self.records(&one, before, &other, after, found);
        }
    }

    fn roots(&self) -> ComparedPair<TokenId> {
        ComparedPair { before: self.before.root(), after: self.after.root() }
    }

    /// Where one file is an object and the other an array, reports the object's members, except its lists of records.
    fn lone_members(&self, is_before: bool, lists: &[RecordArray], found: &mut Vec<FieldChange<'d>>) {
        let document = if is_before { self.before } else { self.after };
        let roots = self.roots();
        for JsonMember { symbol, value, .. } in document.members(document.root()) {
            let is_empty = document.is_array(value) && document.items(value).next().is_none();
            if lists.iter().any(|list| list.1 == value) && !is_empty {
                continue;
            }
            let values =
                if is_before { ComparedPair::only_before(value) } else { ComparedPair::only_after(value) };
            self.push(&[document.symbol_text(symbol).to_owned()], roots, values, found);
        }
    }

    fn form(&self, one: &RecordArray, other: &RecordArray, found: &mut RecordComparison<'d>) {
        if self.ignored.iter().any(|key| key == FORM) {
            return;
        }
        let side = |document: &'d JsonDocument, list: &RecordArray| {
            let form = match &list.0 {
                Some(key) => format!("an object with the records in `{key}`"),
                None => "an array of records".to_owned(),
            };
            side(document, document.root(), |origin| PlacedValue::text(&form, origin))
        };
        let (before, after) = (side(self.before, one), side(self.after, other));
        found.whole.push(FieldChange { path: vec![FORM.to_owned()], before, after });
    }

    fn records(
        &self,
        one: &RecordArray,
        before: FileShape,
        other: &RecordArray,
        after: FileShape,
        found: &mut RecordComparison<'d>,
    ) {
        let left: Vec<TokenId> = self.before.items(one.1).collect();
        let right: Vec<TokenId> = self.after.items(other.1).collect();
        let pairs = ItemPartners::from_items(
            &ComparedItems::new(self.before, &left).with_samples(&before),
            &ComparedItems::new(self.after, &right).with_samples(&after),
        );
        let path: Vec<String> = one.0.clone().into_iter().collect();
        self.order(&path, ComparedPair { before: one.1, after: other.1 }, &pairs, &mut found.whole);
        let of_left = |index: usize| record(self.before, one, before, index, left[index]);
        let of_right = |index: usize| record(self.after, other, after, index, right[index]);
        for (at, partner) in pairs.partners.iter().enumerate() {
            let Some((partner, matched_by)) = *partner else {
                found.removed.push(of_left(at));
                continue;
            };
            let mut changes = Vec::new();
            self.values(&[], ComparedPair { before: left[at], after: right[partner] }, &mut changes);
            if changes.is_empty() {
                found.same += 1;
            } else {
                let (before, after) = (of_left(at), of_right(partner));
                found.changed.push(ChangedEntry { before, after, matched_by, changes });
            }
        }
        found.added.extend(pairs.free().map(of_right));
    }

    /// Reports the differences between two values. Recurses by level; the parser limits the depth.
    fn values(&self, path: &[String], values: ComparedPair<TokenId>, found: &mut Vec<FieldChange<'d>>) {
        let ComparedPair { before, after } = values;
        if self.before.is_object(before) && self.after.is_object(after) {
            self.members(path, values, &|_, _| false, found);
        } else if self.before.is_array(before) && self.after.is_array(after) {
            self.items(path, values, found);
        } else if !is_same_scalar(self.before, before, self.after, after) {
            self.push(path, values, ComparedPair { before: Some(before), after: Some(after) }, found);
        }
    }

    fn members(
        &self,
        path: &[String],
        objects: ComparedPair<TokenId>,
        is_skipped: &dyn Fn(Option<TokenId>, Option<TokenId>) -> bool,
        found: &mut Vec<FieldChange<'d>>,
    ) {
        let step = |key: &str| [path, &[key.to_owned()]].concat();
        for JsonMember { symbol, value, .. } in self.before.members(objects.before) {
            let key = self.before.symbol_text(symbol);
            let other = self.after.get(objects.after, key);
            if is_skipped(Some(value), other) {
                continue;
            }
            match other {
                Some(other) => self.values(&step(key), ComparedPair { before: value, after: other }, found),
                None => self.push(&step(key), objects, ComparedPair::only_before(value), found),
            }
        }
        for JsonMember { symbol, value, .. } in self.after.members(objects.after) {
            let key = self.after.symbol_text(symbol);
            if self.before.get(objects.before, key).is_none() && !is_skipped(None, Some(value)) {
                self.push(&step(key), objects, ComparedPair::only_after(value), found);
            }
        }
    }

    fn items(&self, path: &[String], arrays: ComparedPair<TokenId>, found: &mut Vec<FieldChange<'d>>) {
        let left: Vec<TokenId> = self.before.items(arrays.before).collect();
        let right: Vec<TokenId> = self.after.items(arrays.after).collect();
        let pairs = ItemPartners::from_items(
            &ComparedItems::new(self.before, &left),
            &ComparedItems::new(self.after, &right),
        );
        let step = |index: usize| [path, &[index.to_string()]].concat();
        for (at, partner) in pairs.partners.iter().enumerate() {
            match *partner {
                Some((partner, _)) => {
                    self.values(&step(at), ComparedPair { before: left[at], after: right[partner] }, found);
                }
                None => self.push(&step(at), arrays, ComparedPair::only_before(left[at]), found),
            }
        }
        for at in pairs.free() {
            self.push(&step(at), arrays, ComparedPair::only_after(right[at]), found);
        }
        self.order(path, arrays, &pairs, found);
    }

    /// Reports that the shared items of two arrays differ in order: lists their indices in the first array, in both
    /// orders.
    fn order(
        &self,
        path: &[String],
        arrays: ComparedPair<TokenId>,
        pairs: &ItemPartners<MatchedBy>,
        found: &mut Vec<FieldChange<'d>>,
    ) {
        let mut shared: Vec<(usize, usize)> = pairs.both().map(|(left, right, _)| (right, left)).collect();
        let path = [path, &[ORDER.to_owned()]].concat();
        if shared.is_sorted() || self.is_ignored(&path) {
            return;
        }
        let shown = |places: &[(usize, usize)]| {
            let places: Vec<String> = places.iter().map(|(_, left)| left.to_string()).collect();
            format!("[{}]", places.join(","))
        };
        let before = side(self.before, arrays.before, |origin| PlacedValue::json(shown(&shared), origin));
        shared.sort_unstable();
        let after = side(self.after, arrays.after, |origin| PlacedValue::json(shown(&shared), origin));
        found.push(FieldChange { path, before, after });
    }

    /// Reports a value that differs, with the values around it in both files.
    fn push(
        &self,
        path: &[String],
        within: ComparedPair<TokenId>,
        values: ComparedPair<Option<TokenId>>,
        found: &mut Vec<FieldChange<'d>>,
    ) {
        if self.is_ignored(path) {
            return;
        }
        let side = |document: &'d JsonDocument, value: Option<TokenId>, within| ChangeSide {
            value: value.map(|value| PlacedValue::at(document, value)),
            origin: TokenOrigin { document, token: value.unwrap_or(within) },
        };
        let before = side(self.before, values.before, within.before);
        let after = side(self.after, values.after, within.after);
        found.push(FieldChange { path: path.to_vec(), before, after });
    }

    fn is_ignored(&self, path: &[String]) -> bool {
        path.iter().any(|key| self.ignored.contains(key))
    }
}

/// Returns one side of a difference, with a value that neither file contains.
fn side<'d>(
    document: &'d JsonDocument,
    token: TokenId,
    value: impl FnOnce(TokenOrigin<'d>) -> PlacedValue<'d>,
) -> ChangeSide<'d> {
    let origin = TokenOrigin { document, token };
    ChangeSide { value: Some(value(origin)), origin }
}

/// Returns the lists of records of a file. A file that is one record has none.
fn lists(document: &JsonDocument, shape: FileShape) -> Vec<RecordArray> {
    let root = document.root();
    let is_list = |value: TokenId| {
        document.is_array(value) && document.items(value).all(|item| document.is_object(item))
    };
    match shape.records {
        RecordPlacement::One(..) => Vec::new(),
        _ if document.is_array(root) => vec![(None, root)],
        _ => {
            let members = document.members(root).filter(|member| is_list(member.value));
            members
                .map(|member| (Some(document.symbol_text(member.symbol).to_owned()), member.value))
                .collect()
        }
    }
}

fn records<'d>(
    document: &'d JsonDocument,
    list: &RecordArray,
    shape: FileShape,
) -> impl Iterator<Item = ComparedRecord<'d>> {
    let items = document.items(list.1).enumerate();
    items.map(move |(index, item)| record(document, list, shape, index, item))
}

fn record<'d>(
    document: &'d JsonDocument,
    list: &RecordArray,
    shape: FileShape,
    index: usize,
    token: TokenId,
) -> ComparedRecord<'d> {
    let name = match (&list.0, shape.records) {
        (Some(key), _) => key.clone(),
        (None, RecordPlacement::Items(_, shape)) => shape.name.to_owned(),
        (None, _) => "record".to_owned(),
    };
    ComparedRecord {
        list: name,
        index,
        id: id_of(document, token).map(|id| PlacedValue::at(document, id)),
        text: text_of(document, token).map(|text| PlacedValue::at(document, text)),
        origin: TokenOrigin { document, token },
    }
}

/// Returns whether two values are equal scalars. Numbers are compared as they are spelled.
pub(crate) fn is_same_scalar(
    before: &JsonDocument,
    left: TokenId,
    after: &JsonDocument,
    right: TokenId,
) -> bool {
    match (before.string(left), after.string(right)) {
        (Some(left), Some(right)) => left == right,
        (None, None) => {
            before.kind(left) == after.kind(right)
                && before.is_scalar(left)
                && before.raw(left) == after.raw(right)
        }
        _ => false,
    }
}
