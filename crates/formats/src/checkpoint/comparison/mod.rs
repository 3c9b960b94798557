//! Compares two checkpoints question by question: every difference has the values and the places of
//! both files.
//!
//! Files are compared by meaning, so they may be of different dialects. The order of questions, keywords and properties
//! makes no difference; the order of classes does, because it sets their scores.

mod question_pairs;
mod sameness;
mod trait_changes;

pub use question_pairs::MatchedBy;

use super::checkpoint_profile::CheckpointProfile;
use super::model::{
    Checkpoint, CheckpointItem, CheckpointQuestion, KeywordValues, PlacedValue, PropertyValue, RubricTrait,
    TokenOrigin, UnknownMember,
};
use hashbrown::HashMap;
use question_pairs::QuestionPairs;
use sameness::{same_json, same_properties};
use std::collections::{BTreeSet, VecDeque};
use std::hash::Hash;

/// The differences between two files, whose entries are questions or records.
#[derive(Debug, Clone)]
pub struct FileComparison<'d, E = CheckpointItem<'d>> {
    /// Differences outside the entries: name, dates, global traits and so on of a checkpoint, or the order of a list.
    pub whole: Vec<FieldChange<'d>>,
    /// Entries that are in both files and differ.
    pub changed: Vec<ChangedEntry<'d, E>>,
    /// Entries that are only in the first file.
    pub removed: Vec<E>,
    /// Entries that are only in the second file.
    pub added: Vec<E>,
    /// How many entries are the same in both files.
    pub same: usize,
}

/// A question or record that both files have.
#[derive(Debug, Clone)]
pub struct ChangedEntry<'d, E> {
    /// The entry in the first file.
    pub before: E,
    /// The entry in the second file.
    pub after: E,
    /// Why the two are taken as the same entry.
    pub matched_by: MatchedBy,
    /// The values that differ.
    pub changes: Vec<FieldChange<'d>>,
}

/// A value that differs.
#[derive(Debug, Clone)]
pub struct FieldChange<'d> {
    /// The path to the value: field names, and the name of a trait after `traits`.
    pub path: Vec<String>,
    /// The value in the first file, if it has one.
    pub before: ChangeSide<'d>,
    /// The value in the second file, if it has one.
    pub after: ChangeSide<'d>,
}

/// One side of a difference: a value, or the place where it is missing.
#[derive(Debug, Clone)]
pub struct ChangeSide<'d> {
    /// The value.
    pub value: Option<PlacedValue<'d>>,
    /// The place of the value; for a missing value, the place of the object that lacks it.
    pub origin: TokenOrigin<'d>,
}

impl<'d> ChangeSide<'d> {
    /// Makes a side from a value that may be missing; `within` is the object that has or lacks it.
    pub(crate) fn new(value: Option<PlacedValue<'d>>, within: TokenOrigin<'d>) -> Self {
        Self { origin: value.as_ref().map_or(within, |value| value.origin), value }
    }
}

impl<E> Default for FileComparison<'_, E> {
    fn default() -> Self {
        let (whole, changed, removed, added) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { whole, changed, removed, added, same: 0 }
    }
}

impl<E> FileComparison<'_, E> {
    /// Returns whether the files have no differences.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }
}

/// Compares two checkpoints. Changes of a field or property named in `ignored` are left out.
pub fn compare<'d>(
    before: &Checkpoint<'d>,
    after: &Checkpoint<'d>,
    ignored: &[String],
) -> FileComparison<'d> {
    let worst = |own: &RubricTrait<'_>| (own.name.shown().into_owned(), own.range().0.into_owned());
    let comparer = CheckpointComparer {
        ignored,
        is_across: CheckpointProfile::from_dialect(before.dialect)
            != CheckpointProfile::from_dialect(after.dialect),
        worst: before.global_traits.iter().chain(&after.global_traits).map(worst).collect(),
    };
    let pairs = QuestionPairs::new(before, after);
    let mut comparison = FileComparison {
        whole: comparer.roots(before, after),
        removed: pairs.only_before.iter().map(|&at| before.items[at].clone()).collect(),
        added: pairs.only_after.iter().map(|&at| after.items[at].clone()).collect(),
        ..FileComparison::default()
    };
    for (left, right, matched_by) in pairs.both {
        let (left, right) = (&before.items[left], &after.items[right]);
        let changes = comparer.items(left, right);
        if changes.is_empty() {
            comparison.same += 1;
        } else {
            let (before, after) = (left.clone(), right.clone());
            comparison.changed.push(ChangedEntry { before, after, matched_by, changes });
        }
    }
    comparison
}

/// The fields that are compared for every checkpoint.
const FIELDS: [&str; 25] = [
    "@context",
    "@type",
    "@id",
    "name",
    "description",
    "version",
    "creator",
    "dateCreated",
    "dateModified",
    "text",
    "answer",
    "template",
    "traits",
    "properties",
    "keywords",
    "scenarios",
    "question",
    "kind",
    "ratingValue",
    "ratingExplanation",
    "worstRating",
    "bestRating",
    "programmingLanguage",
    "codeRepository",
    "rating",
];

/// Returns the fields that can be ignored: the fields of every checkpoint, and the properties and unknown keys of these
/// two.
pub fn fields<'c>(before: &'c Checkpoint<'_>, after: &'c Checkpoint<'_>) -> BTreeSet<&'c str> {
    let mut fields: BTreeSet<&str> = FIELDS.into();
    for checkpoint in [before, after] {
        let questions = || checkpoint.items.iter().map(|item| &item.question);
        let traits = checkpoint.global_traits.iter().chain(questions().flat_map(|question| &question.traits));
        let properties =
            checkpoint.properties.iter().chain(questions().flat_map(|question| &question.properties));
        let properties = properties.chain(traits.flat_map(|own| &own.properties));
        fields.extend(properties.map(|property| property.name.as_str()));
        let templates = questions().filter_map(|question| question.template.as_ref());
        let answers = questions().filter_map(|question| question.answer.as_ref());
        let others = checkpoint.others.iter().chain(checkpoint.items.iter().flat_map(|item| &item.others));
        let others = others.chain(questions().flat_map(|question| &question.others));
        let others = others.chain(templates.flat_map(|template| &template.others));
        let others = others.chain(answers.flat_map(|answer| &answer.others));
        fields.extend(others.map(|other| other.key.as_str()));
    }
    fields
}

/// Returns the differences between two versions of a question, in files of one form.
pub fn compare_items<'d>(before: &CheckpointItem<'d>, after: &CheckpointItem<'d>) -> Vec<FieldChange<'d>> {
    CheckpointComparer::within().items(before, after)
}

/// Returns the differences between two traits of the same name, in files of one form.
pub fn compare_traits<'d>(before: &RubricTrait<'d>, after: &RubricTrait<'d>) -> Vec<FieldChange<'d>> {
    let comparer = CheckpointComparer::within();
    let mut changes = comparer.changes([before.origin, after.origin]);
    changes.trait_pair(before, after);
    changes.found
}

/// Two values of the same field.
type ValuePair<'v, 'd> = [Option<&'v PlacedValue<'d>>; 2];

struct CheckpointComparer<'c> {
    ignored: &'c [String],
    /// `true` if different programs wrote the two files. Then it is not a difference if only one of them writes a
    /// default or an id.
    is_across: bool,
    /// The lower ends of the ranges of global traits.
    worst: HashMap<String, String>,
}

/// The changes found between an object of each file.
///
/// Other methods are in `trait_changes.rs`.
struct ObjectChanges<'c, 'd> {
    comparer: &'c CheckpointComparer<'c>,
    origins: [TokenOrigin<'d>; 2],
    found: Vec<FieldChange<'d>>,
}

impl<'c> CheckpointComparer<'c> {
    /// Makes a comparer for files of one form, with nothing ignored.
    fn within() -> Self {
        Self { ignored: &[], is_across: false, worst: HashMap::new() }
    }

    fn changes<'d>(&'c self, origins: [TokenOrigin<'d>; 2]) -> ObjectChanges<'c, 'd> {
        ObjectChanges { comparer: self, origins, found: Vec::new() }
    }

    fn is_ignored(&self, field: &str) -> bool {
        self.ignored.iter().any(|ignored| ignored == field)
    }

    fn roots<'d>(&self, before: &Checkpoint<'d>, after: &Checkpoint<'d>) -> Vec<FieldChange<'d>> {
        let mut changes = self.changes([before.origin, after.origin]);
        let both = [before, after];
        // In files of one dialect a name always has the same meaning; different dialects have different contexts.
        if before.dialect == after.dialect {
            changes.field("@context", both.map(|own| own.context.as_ref()));
        }
        changes.id(both.map(|own| own.id.as_ref()));
        changes.field("name", both.map(|own| own.name.as_ref()));
        changes.field("description", both.map(|own| own.description.as_ref()));
        changes.field("version", both.map(|own| own.version.as_ref()));
        changes.field("creator", both.map(|own| own.creator.as_ref()));
        changes.field("dateCreated", both.map(|own| own.date_created.as_ref()));
        changes.field("dateModified", both.map(|own| own.date_modified.as_ref()));
        changes.traits(&before.global_traits, &after.global_traits);
        changes.properties(&before.properties, &after.properties);
        changes.scenarios(&before.scenarios, &after.scenarios);
        changes.others(&before.others, &after.others);
        changes.found
    }

    fn items<'d>(&self, before: &CheckpointItem<'d>, after: &CheckpointItem<'d>) -> Vec<FieldChange<'d>> {
        let mut changes = self.changes([before.origin, after.origin]);
        let both = [before, after];
        changes.id(both.map(|own| own.id.as_ref()));
        changes.field("dateCreated", both.map(|own| own.date_created.as_ref()));
        changes.field("dateModified", both.map(|own| own.date_modified.as_ref()));
        changes.others(&before.others, &after.others);
        let mut found = changes.found;
        found.extend(self.questions(&before.question, &after.question));
        found
    }

    fn questions<'d>(
        &self,
        before: &CheckpointQuestion<'d>,
        after: &CheckpointQuestion<'d>,
    ) -> Vec<FieldChange<'d>> {
        let mut changes = self.changes([before.origin, after.origin]);
        let both = [before, after];
        let answers = both.map(|own| own.answer.as_ref());
        changes.field("@type", both.map(|own| own.class.as_ref()));
        changes.field("text", both.map(|own| Some(&own.text)));
        changes.field("answer", answers.map(|answer| Some(&answer?.text)));
        changes.template(before, after);
        changes.traits(&before.traits, &after.traits);
        changes.copies(before, after);
        changes.properties(&before.properties, &after.properties);
        changes.keywords(before.keywords.as_ref(), after.keywords.as_ref());
        if !self.is_across {
            changes.at(&["question", "@id"], both.map(|own| own.id.as_ref()));
            changes.at(&["answer", "@id"], answers.map(|answer| answer?.id.as_ref()));
        }
        changes.others(&before.others, &after.others);
        if let [Some(before), Some(after)] = answers {
            changes.at(&["answer", "@type"], [before, after].map(|own| own.class.as_ref()));
            changes.others(&before.others, &after.others);
        }
        changes.found
    }
}

impl<'d> ObjectChanges<'_, 'd> {
    fn push(&mut self, path: &[&str], [before, after]: ValuePair<'_, 'd>) {
        // The second part of a trait's path is the name of the trait, not the name of a field.
        let is_name = |at: usize| at == 1 && path[0] == "traits";
        let ignored =
            path.iter().enumerate().any(|(at, part)| !is_name(at) && self.comparer.is_ignored(part));
        if ignored {
            return;
        }
        self.found.push(FieldChange {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            before: ChangeSide::new(before.cloned(), self.origins[0]),
            after: ChangeSide::new(after.cloned(), self.origins[1]),
        });
    }

    fn field(&mut self, field: &str, values: ValuePair<'_, 'd>) {
        self.at(&[field], values);
    }

    fn at(&mut self, path: &[&str], values: ValuePair<'_, 'd>) {
        let is_same = match values {
            [Some(before), Some(after)] => same_json(before, after),
            [before, after] => before.is_none() && after.is_none(),
        };
        if !is_same {
            self.push(path, values);
        }
    }

    /// Compares an `@id`, which not every program writes.
    fn id(&mut self, values: ValuePair<'_, 'd>) {
        if !self.comparer.is_across || values.iter().all(Option::is_some) {
            self.field("@id", values);
        }
    }

    fn template(&mut self, before: &CheckpointQuestion<'d>, after: &CheckpointQuestion<'d>) {
        let templates = [before, after].map(|own| own.template.as_ref());
        self.field("template", templates.map(|own| Some(&own?.text)));
        let [Some(left), Some(right)] = templates else { return };
        self.others(&left.others, &right.others);
        if !self.comparer.is_across {
            let both = [left, right];
            self.at(&["template", "@id"], both.map(|own| own.id.as_ref()));
            self.at(&["template", "name"], both.map(|own| own.name.as_ref()));
            self.at(&["template", "programmingLanguage"], both.map(|own| own.programming_language.as_ref()));
            self.at(&["template", "codeRepository"], both.map(|own| own.code_repository.as_ref()));
        }
    }

    /// Compares the values of the copies of global traits on a question.
    fn copies(&mut self, before: &CheckpointQuestion<'d>, after: &CheckpointQuestion<'d>) {
        for (left, right) in paired(&before.copies, &after.copies, |copy| copy.name.as_json()) {
            let name = left.or(right).map(|copy| copy.name.shown()).unwrap_or_default();
            let worst = self.comparer.worst.get(name.as_ref());
            let both = [left, right];
            self.rating_value(&name, both.map(|copy| copy?.rating_value.as_ref()), worst);
            let explanations = both.map(|copy| copy?.rating_explanation.as_ref());
            self.at(&["traits", &name, "ratingExplanation"], explanations);
        }
    }

    /// Compares a value of a rating. If one program must give a value and the other never does, the lower end of the
    /// range is treated as no value.
    fn rating_value(&mut self, name: &str, values: ValuePair<'_, 'd>, worst: Option<&String>) {
        let number = |value: &PlacedValue<'_>| value.as_f64();
        let is_filled = match values {
            [Some(value), None] | [None, Some(value)] => {
                self.comparer.is_across && number(value) == worst.and_then(|worst| worst.parse().ok())
            }
            _ => false,
        };
        if !is_filled {
            self.at(&["traits", name, "ratingValue"], values);
        }
    }

    fn properties(&mut self, before: &[PropertyValue<'d>], after: &[PropertyValue<'d>]) {
        for (left, right) in paired(before, after, |property| &property.name) {
            if !same_properties(left, right, self.comparer.is_across) {
                let name = left.or(right).map_or("", |property| property.name.as_str());
                self.push(&["properties", name], [shown(left).as_ref(), shown(right).as_ref()]);
            }
        }
    }

    fn keywords(&mut self, before: Option<&KeywordValues<'d>>, after: Option<&KeywordValues<'d>>) {
        let sorted = |keywords: Option<&KeywordValues<'d>>| {
            let mut values: Vec<String> = keywords
                .iter()
                .flat_map(|keywords| &keywords.values)
                .map(|value| value.as_json().to_owned())
                .collect();
            values.sort();
            values
        };
        let (left, right) = (sorted(before), sorted(after));
        // An empty list counts as present, unless the other program would leave it out.
        let is_there = |keywords: Option<&KeywordValues<'d>>| !self.comparer.is_across && keywords.is_some();
        if left != right || is_there(before) != is_there(after) {
            let list = |keywords: Option<&KeywordValues<'d>>| {
                let keywords = keywords?;
                let values: Vec<&str> = keywords.values.iter().map(PlacedValue::as_json).collect();
                Some(PlacedValue::json(format!("[{}]", values.join(",")), keywords.origin))
            };
            self.push(&["keywords"], [list(before).as_ref(), list(after).as_ref()]);
        }
    }

    fn scenarios(&mut self, before: &[PlacedValue<'d>], after: &[PlacedValue<'d>]) {
        for at in 0..before.len().max(after.len()) {
            self.at(&["scenarios", &at.to_string()], [before.get(at), after.get(at)]);
        }
    }

    fn others(&mut self, before: &[UnknownMember<'d>], after: &[UnknownMember<'d>]) {
        for (left, right) in paired(before, after, |other| &other.key) {
            let key = left.or(right).map_or("", |other| other.key.as_str());
            self.field(key, [left, right].map(|other| Some(&other?.value)));
        }
    }
}

/// Pairs the members of two lists by name. If a name is repeated, its occurrences are paired in order. At least one
/// member of each pair is present.
fn paired<'p, T, N: Eq + Hash>(
    before: &'p [T],
    after: &'p [T],
    name: impl Fn(&'p T) -> N,
) -> Vec<(Option<&'p T>, Option<&'p T>)> {
    let mut taken = vec![false; after.len()];
    let mut positions: HashMap<N, VecDeque<usize>> = HashMap::new();
    for (at, right) in after.iter().enumerate() {
        positions.entry(name(right)).or_default().push_back(at);
    }
    let mut pairs = Vec::with_capacity(before.len());
    for left in before {
        let partner = positions.get_mut(&name(left)).and_then(VecDeque::pop_front);
        pairs.push((Some(left), partner.map(|at| &after[at])));
        if let Some(at) = partner {
            taken[at] = true;
        }
    }
    let left_over = after.iter().zip(taken).filter(|(_, taken)| !taken);
    pairs.extend(left_over.map(|(right, _)| (None, Some(right))));
    pairs
}

/// Returns the value of a property; a property without a value means `null`.
fn shown<'d>(property: Option<&PropertyValue<'d>>) -> Option<PlacedValue<'d>> {
    let property = property?;
    Some(property.value.clone().unwrap_or_else(|| PlacedValue::json("null", property.origin)))
}
