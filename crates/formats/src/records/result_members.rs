//! Finds, in the table of a file, the members that say what results of models are: the same rows say where these members
//! go in the graph.
//!
//! An object is a result if its node has one of [`RESULT_CLASSES`]; a member is a fact about it if its path has the
//! properties of a row of [`FACTS`]. So a system whose table has these names needs no further code to be compared.

use std::borrow::Cow;

use super::computed_value::{ComputedContent, ComputedValue};
use super::record_object::{RecordSurroundings, value_context};
use super::record_plan::{EntryValue, KeyPlan, NodePlan, RecordPlan};
use super::shape::{MemberChoice, MemberCondition, MemberForm};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The classes of results.
pub(super) const RESULT_CLASSES: &[&str] =
    &["eg:SampleResult", "eg:VerificationResult", "eg:VerificationRow"];

/// The class of what a run says about one of its metrics.
pub(super) const METRIC_CLASSES: &[&str] = &["eg:RunResult"];

/// A fact about a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultFact {
    Sample,
    Question,
    Keywords,
    Task,
    Model,
    Run,
    Repeat,
    Group,
    /// A boolean, whose key is the name of the metric.
    Verdict,
}

/// The properties on the way to each fact.
const FACTS: [(&[&str], ResultFact); 9] = [
    (&["itemReviewed", "parentItem", "identifier"], ResultFact::Sample),
    (&["itemReviewed", "parentItem", "text"], ResultFact::Question),
    (&["itemReviewed", "parentItem", "keywords"], ResultFact::Keywords),
    (&["eg:task"], ResultFact::Task),
    (&["eg:answeringModel"], ResultFact::Model),
    (&["eg:runName"], ResultFact::Run),
    (&["eg:replicate"], ResultFact::Repeat),
    (&["eg:sampleGroup"], ResultFact::Group),
    (&["eg:verifyResult"], ResultFact::Verdict),
];

/// An object of a file, or a value in place of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObjectAt<'d> {
    pub(super) document: &'d JsonDocument,
    pub(super) value: TokenId,
    pub(super) around: RecordSurroundings,
}

/// Where a value is: the keys that lead to it from an object, and how it is found there.
#[derive(Debug, Clone)]
pub(super) struct MemberPlace {
    /// The keys, each below the one before.
    pub(super) keys: Vec<&'static str>,
    pub(super) form: MemberForm,
    /// The conditions on members beside it.
    conditions: &'static [MemberCondition],
    /// `true` if a value in place of the object is the value.
    is_alone: bool,
}

/// A value as it was found: in the file, or computed.
pub(super) enum FoundMember<'d> {
    Value(TokenId),
    Text(Cow<'d, str>),
}

/// Where the parts of a score are.
#[derive(Debug, Clone, Default)]
pub(super) struct ScorePlaces {
    /// The metric and the ends of the scale, if they are constants of the table.
    pub(super) metric: Option<&'static str>,
    pub(super) constant_worst: Option<&'static str>,
    pub(super) constant_best: Option<&'static str>,
    pub(super) value: Vec<MemberPlace>,
    pub(super) aspect: Vec<MemberPlace>,
    pub(super) worst: Vec<MemberPlace>,
    pub(super) best: Vec<MemberPlace>,
}

/// Objects inside an object: items of a list, entries of a map, or members without a row.
#[derive(Debug, Clone)]
pub(super) struct InnerObjects {
    place: MemberPlace,
    /// The members that are the objects, and the keys that have rows of their own.
    others: Option<(MemberChoice, Vec<&'static str>)>,
}

/// Where the facts about a result are.
#[derive(Debug, Default)]
pub(super) struct ResultPlaces {
    pub(super) facts: Vec<(ResultFact, MemberPlace)>,
    /// Scores whose members are those of the result.
    pub(super) scores: Vec<ScorePlaces>,
    /// Objects that are scores.
    pub(super) ratings: Vec<(InnerObjects, ScorePlaces)>,
}

/// Where the facts about a metric of a run are.
#[derive(Debug, Default)]
pub(super) struct MetricPlaces {
    pub(super) metric: Vec<MemberPlace>,
    /// The id by which results refer to it.
    pub(super) result: Vec<MemberPlace>,
    pub(super) task: Vec<MemberPlace>,
    pub(super) lower_is_better: Vec<MemberPlace>,
    pub(super) worst: Vec<MemberPlace>,
    pub(super) best: Vec<MemberPlace>,
}

impl<'d> ObjectAt<'d> {
    /// The root of a file.
    pub(super) fn root(document: &'d JsonDocument) -> Self {
        Self { document, value: document.root(), around: RecordSurroundings::default() }
    }

    fn inside(&self, value: TokenId, key: Option<TokenId>) -> Self {
        let around = RecordSurroundings { key, outer: Some(self.value), outer_key: self.around.key };
        Self { document: self.document, value, around }
    }
}

impl MemberPlace {
    /// Returns the value, if it is there and meets the conditions.
    pub(super) fn found<'d>(&self, at: &ObjectAt<'d>) -> Option<FoundMember<'d>> {
        let document = at.document;
        match self.form {
            MemberForm::OfFile(find) => return find(document).map(FoundMember::from),
            MemberForm::EntryKey => {
                let key = document.symbol(at.around.key?);
                return Some(FoundMember::Text(document.symbol_text(key).into()));
            }
            _ => {}
        }
        let value = self.token(at)?;
        match self.form {
            MemberForm::Computed(compute) => {
                compute(&value_context(document, at.around, at.value, value)).map(FoundMember::from)
            }
            MemberForm::Excerpt(find) => {
                find(document, value).map(|(text, _)| FoundMember::Text(text.into()))
            }
            _ => Some(FoundMember::Value(value)),
        }
    }

    /// Returns the value of the key, whatever is made of it.
    pub(super) fn token(&self, at: &ObjectAt<'_>) -> Option<TokenId> {
        let document = at.document;
        if self.is_alone && !document.is_object(at.value) {
            return Some(at.value);
        }
        let (last, before) = self.keys.split_last()?;
        let mut holder = at.value;
        for key in before {
            holder = member(document, holder, key)?;
        }
        let admits = |condition: &MemberCondition| {
            let value = member(document, holder, condition.key);
            value.is_some_and(|value| (condition.admits)(&condition_text(document, value)))
        };
        // A row without a key is about the object.
        let value = if last.is_empty() { Some(holder) } else { member(document, holder, last) };
        value.filter(|value| document.kind(*value) != JsonKind::Null && self.conditions.iter().all(admits))
    }

    /// Returns a text, or a number or boolean as it is written.
    pub(super) fn text<'d>(&self, at: &ObjectAt<'d>) -> Option<Cow<'d, str>> {
        match self.found(at)? {
            FoundMember::Text(text) => Some(text),
            FoundMember::Value(value) => scalar_text(at.document, value),
        }
    }

    /// Returns a number; 1 for true and 0 for false.
    pub(super) fn number(&self, at: &ObjectAt<'_>) -> Option<f64> {
        let number = match self.found(at)? {
            FoundMember::Text(text) => number_of_text(&text),
            FoundMember::Value(value) => match at.document.number(value) {
                Some(number) => number.parse().ok(),
                None => number_of_text(&scalar_text(at.document, value)?),
            },
        };
        number.filter(|number| number.is_finite())
    }
}

impl From<ComputedValue> for FoundMember<'_> {
    fn from(computed: ComputedValue) -> Self {
        Self::Text(match computed.content {
            ComputedContent::Text(text) | ComputedContent::Number(text) => text.into(),
            ComputedContent::Truth(truth) => (if truth { "true" } else { "false" }).into(),
        })
    }
}

/// Returns the number of the first place that has one.
pub(super) fn first_number(places: &[MemberPlace], at: &ObjectAt<'_>) -> Option<f64> {
    places.iter().find_map(|place| place.number(at))
}

/// Returns the text of the first place that has one.
pub(super) fn first_text<'d>(places: &[MemberPlace], at: &ObjectAt<'d>) -> Option<Cow<'d, str>> {
    places.iter().find_map(|place| place.text(at))
}

/// Returns a number, also where a table has a number or a boolean as text.
pub(super) fn number_of_text(text: &str) -> Option<f64> {
    match text.trim() {
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        number => number.parse().ok(),
    }
}

/// Returns a string as it is, and a number or a boolean as written.
fn scalar_text(document: &JsonDocument, value: TokenId) -> Option<Cow<'_, str>> {
    let text = document.string(value);
    text.or_else(|| document.is_scalar(value).then(|| Cow::Borrowed(document.raw(value))))
}

/// Returns a value as conditions see it: see [`MemberCondition`].
fn condition_text(document: &JsonDocument, value: TokenId) -> Cow<'_, str> {
    scalar_text(document, value).unwrap_or(Cow::Borrowed("{}"))
}

fn member(document: &JsonDocument, object: TokenId, key: &str) -> Option<TokenId> {
    document.is_object(object).then(|| document.get(object, key)).flatten()
}

impl InnerObjects {
    /// Creates the place of the objects of a row, or `None` if its value has no objects with nodes.
    pub(super) fn from_slot(plan: &RecordPlan, slot: usize, keys: &SlotKeys) -> Option<Self> {
        plan.slots[slot].inner.as_ref()?;
        let place = keys.place(plan, slot);
        let others = match place.form {
            MemberForm::OtherMembers(choose, _) => {
                Some((choose, plan.keys.keys.iter().map(|target| target.key).collect()))
            }
            _ => None,
        };
        Some(Self { place, others })
    }

    /// Passes each object to `visit`.
    pub(super) fn each<'d>(&self, at: &ObjectAt<'d>, visit: &mut dyn FnMut(ObjectAt<'d>)) {
        let document = at.document;
        let is_value = |value: TokenId| document.kind(value) != JsonKind::Null;
        if let Some((choose, known)) = &self.others {
            for other in document.members(at.value).filter(|other| is_value(other.value)) {
                let key = document.symbol_text(other.symbol);
                if !known.contains(&key) && choose(document, at.value, key) {
                    visit(at.inside(other.value, Some(other.key)));
                }
            }
            return;
        }
        let Some(value) = self.place.token(at) else { return };
        match self.place.form {
            MemberForm::Entries(_) => {
                for entry in document.members(value).filter(|entry| is_value(entry.value)) {
                    visit(at.inside(entry.value, Some(entry.key)));
                }
            }
            _ if document.is_array(value) => {
                document.items(value).for_each(|item| visit(at.inside(item, None)));
            }
            _ => visit(at.inside(value, None)),
        }
    }
}

/// The keys that lead to the values of the rows of an object.
pub(super) struct SlotKeys(Vec<Vec<&'static str>>);

impl SlotKeys {
    pub(super) fn new(plan: &RecordPlan) -> Self {
        fn add(plan: &KeyPlan, around: &mut Vec<&'static str>, keys: &mut [Vec<&'static str>]) {
            for target in &plan.keys {
                around.push(target.key);
                for &slot in &target.slots {
                    keys[slot].clone_from(around);
                }
                if let Some(group) = target.group {
                    add(&plan.groups[group], around, keys);
                }
                around.pop();
            }
        }
        let mut keys = vec![Vec::new(); plan.slots.len()];
        add(&plan.keys, &mut Vec::new(), &mut keys);
        Self(keys)
    }

    fn place(&self, plan: &RecordPlan, slot: usize) -> MemberPlace {
        let row = &plan.slots[slot];
        let keys = self.0[slot].clone();
        MemberPlace { keys, form: row.form, conditions: row.conditions, is_alone: row.is_alone }
    }
}

/// Finds places in the plan of a file, whose nodes have numbers for names.
pub(super) struct ResultPlaceFinder<'p> {
    pub(super) names: &'p [&'static str],
}

impl ResultPlaceFinder<'_> {
    /// Returns whether a node has one of the classes.
    pub(super) fn has_class(&self, node: &NodePlan, classes: &[&str]) -> bool {
        node.classes.iter().any(|class| classes.contains(&self.names[class.0]))
    }

    /// Finds the facts about an object.
    pub(super) fn result_places(&self, plan: &RecordPlan) -> ResultPlaces {
        let mut places = ResultPlaces::default();
        self.collect(plan, &plan.node, &mut Vec::new(), &mut places);
        places
    }

    fn collect(
        &self,
        plan: &RecordPlan,
        node: &NodePlan,
        path: &mut Vec<&'static str>,
        places: &mut ResultPlaces,
    ) {
        let keys = SlotKeys::new(plan);
        for entry in &node.entries {
            path.push(self.names[entry.property.0]);
            let is_rating = path.as_slice() == ["reviewRating"];
            for value in &entry.values {
                match value {
                    EntryValue::Node(inner) if is_rating => {
                        places.scores.extend(self.score(plan, inner, &keys));
                    }
                    EntryValue::Node(inner) => self.collect(plan, inner, path, places),
                    EntryValue::Slot(slot) if is_rating => {
                        let objects = InnerObjects::from_slot(plan, *slot, &keys);
                        let score = plan.slots[*slot]
                            .inner
                            .as_deref()
                            .and_then(|inner| self.score(inner, &inner.node, &SlotKeys::new(inner)));
                        places.ratings.extend(objects.zip(score));
                    }
                    EntryValue::Slot(slot) => {
                        let found = FACTS.iter().find(|(properties, _)| *properties == path.as_slice());
                        places.facts.extend(found.map(|(_, fact)| (*fact, keys.place(plan, *slot))));
                    }
                }
            }
            path.pop();
        }
    }

    /// Returns where a rating has its parts, or `None` if it has no value.
    fn score(&self, plan: &RecordPlan, node: &NodePlan, keys: &SlotKeys) -> Option<ScorePlaces> {
        let mut score = ScorePlaces::default();
        for (property, value) in &node.constants {
            match self.names[property.0] {
                "reviewAspect" => score.metric = Some(value),
                "worstRating" => score.constant_worst = Some(value),
                "bestRating" => score.constant_best = Some(value),
                _ => {}
            }
        }
        self.each_slot(node, &mut |property, slot| {
            let place = keys.place(plan, slot);
            match property {
                "ratingValue" => score.value.push(place),
                "reviewAspect" => score.aspect.push(place),
                "worstRating" => score.worst.push(place),
                "bestRating" => score.best.push(place),
                _ => {}
            }
        });
        (!score.value.is_empty()).then_some(score)
    }

    /// Returns where an object has the facts about a metric.
    pub(super) fn metric_places(&self, plan: &RecordPlan) -> MetricPlaces {
        let mut places = MetricPlaces::default();
        let keys = SlotKeys::new(plan);
        self.each_slot(&plan.node, &mut |property, slot| {
            let place = keys.place(plan, slot);
            match property {
                "cr:metric" => places.metric.push(place),
                "eg:evaluationResultId" => places.result.push(place),
                "eg:task" => places.task.push(place),
                "eg:lowerIsBetter" => places.lower_is_better.push(place),
                "worstRating" => places.worst.push(place),
                "bestRating" => places.best.push(place),
                _ => {}
            }
        });
        places
    }

    /// Passes each row directly at a node to `visit`, with its property.
    fn each_slot(&self, node: &NodePlan, visit: &mut dyn FnMut(&'static str, usize)) {
        for entry in &node.entries {
            for value in &entry.values {
                if let EntryValue::Slot(slot) = value {
                    visit(self.names[entry.property.0], *slot);
                }
            }
        }
    }
}
