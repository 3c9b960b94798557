//! What two checkpoints do not share, as paths in the model. Knows nothing of the writers.
//!
//! The order of properties of different names says nothing and is not compared; that of properties
//! of one name is. Numbers of a range are compared as numbers, texts that hold JSON as JSON.

use evalgraph::json::{Limits, parse};
use evalgraph::source::checkpoint::identifiers::{interface_question_id, interface_rating_id};
use evalgraph::source::checkpoint::model::{
    Checkpoint, CheckpointItem, CheckpointQuestion, PlacedValue, PropertyValue, RubricTrait, UnknownMember,
    write_value,
};
use evalgraph::source::checkpoint::template::{interface_name, python_name};
use evalgraph::source::checkpoint::{CheckpointDialect, TraitKind};
use std::collections::{BTreeMap, BTreeSet};

/// The paths of the parts that differ, where the second was made of the first. Version 2.0 has no
/// ids, and needs none that are made by the rules.
pub(crate) fn differences(one: &Checkpoint<'_>, other: &Checkpoint<'_>) -> BTreeSet<String> {
    let ignores_made_ids = is_version_2(other) && !is_version_2(one);
    let mut comparison = Comparison { one, other, ignores_made_ids, found: BTreeSet::new() };
    comparison.run();
    comparison.found
}

/// As [`differences`], where an id that is made by the rules and none are the same.
pub(crate) fn differences_but_for_made_ids(one: &Checkpoint<'_>, other: &Checkpoint<'_>) -> BTreeSet<String> {
    let mut comparison = Comparison { one, other, ignores_made_ids: true, found: BTreeSet::new() };
    comparison.run();
    comparison.found
}

struct Comparison<'c, 'd> {
    one: &'c Checkpoint<'d>,
    other: &'c Checkpoint<'d>,
    ignores_made_ids: bool,
    found: BTreeSet<String>,
}

fn shown(value: Option<&PlacedValue<'_>>) -> Option<String> {
    value.map(|value| value.shown().into_owned())
}

/// A creator of whom only the name is known is the name.
fn creator(checkpoint: &Checkpoint<'_>) -> Option<String> {
    let creator = checkpoint.creator.as_ref()?;
    let json: serde_json::Value = serde_json::from_str(creator.as_json()).expect("values are JSON");
    match json.as_object() {
        Some(members)
            if members.len() == 2 && members.get("@type").is_some_and(|class| class == "Person") =>
        {
            members.get("name").and_then(|name| name.as_str()).map(str::to_owned)
        }
        _ => Some(creator.shown().into_owned()),
    }
}

fn is_version_2(checkpoint: &Checkpoint<'_>) -> bool {
    checkpoint.dialect.is_version_2()
}

fn has_copies(checkpoint: &Checkpoint<'_>) -> bool {
    matches!(checkpoint.dialect, CheckpointDialect::S0 | CheckpointDialect::S0b | CheckpointDialect::S0c)
}

impl Comparison<'_, '_> {
    fn run(&mut self) {
        let (one, other) = (self.one, self.other);
        let heads = |checkpoint: &Checkpoint<'_>| {
            [
                ("/id", shown(checkpoint.id.as_ref())),
                ("/name", shown(checkpoint.name.as_ref())),
                ("/description", shown(checkpoint.description.as_ref())),
                ("/version", shown(checkpoint.version.as_ref())),
                ("/creator", creator(checkpoint)),
                ("/date_created", shown(checkpoint.date_created.as_ref())),
                ("/date_modified", shown(checkpoint.date_modified.as_ref())),
            ]
        };
        for ((path, left), (_, right)) in heads(one).into_iter().zip(heads(other)) {
            self.check(left == right, path);
        }
        self.traits(&one.global_traits, &other.global_traits, "/global_traits");
        self.properties(&one.properties, &other.properties, "", |_| false);
        self.others(&one.others, &other.others, "");
        for at in 0..one.scenarios.len().max(other.scenarios.len()) {
            self.check(one.scenarios.get(at) == other.scenarios.get(at), &format!("/scenarios/{at}"));
        }
        for at in 0..one.items.len().max(other.items.len()) {
            let path = format!("/items/{at}");
            match (one.items.get(at), other.items.get(at)) {
                (Some(one), Some(other)) => self.item(one, other, &path),
                _ => self.check(false, &path),
            }
        }
    }

    fn check(&mut self, same: bool, path: &str) {
        if !same {
            self.found.insert(path.to_owned());
        }
    }

    /// Two ids, of which `made` may count as none.
    fn id(&mut self, one: Option<&PlacedValue<'_>>, other: Option<&PlacedValue<'_>>, made: &str, path: &str) {
        let of = |id: Option<&PlacedValue<'_>>| shown(id).filter(|id| !self.ignores_made_ids || id != made);
        let same = of(one) == of(other);
        self.check(same, path);
    }

    fn item(&mut self, one: &CheckpointItem<'_>, other: &CheckpointItem<'_>, path: &str) {
        self.check(shown(one.id.as_ref()) == shown(other.id.as_ref()), &format!("{path}/id"));
        for (field, left, right) in [
            ("date_created", &one.date_created, &other.date_created),
            ("date_modified", &one.date_modified, &other.date_modified),
        ] {
            self.check(shown(left.as_ref()) == shown(right.as_ref()), &format!("{path}/{field}"));
        }
        self.others(&one.others, &other.others, path);
        let id = shown(one.id.as_ref()).or(shown(other.id.as_ref())).unwrap_or_default();
        let key = id.strip_prefix("urn:uuid:").unwrap_or(&id).to_owned();
        self.question(&one.question, &other.question, &key, &format!("{path}/question"));
    }

    fn question(
        &mut self,
        one: &CheckpointQuestion<'_>,
        other: &CheckpointQuestion<'_>,
        key: &str,
        path: &str,
    ) {
        let text = one.text.shown().into_owned();
        self.check(one.text == other.text, &format!("{path}/text"));
        self.id(one.id.as_ref(), other.id.as_ref(), &interface_question_id(&text), &format!("{path}/id"));
        match (&one.answer, &other.answer) {
            (Some(left), Some(right)) => {
                let path = format!("{path}/answer");
                self.check(left.text.shown() == right.text.shown(), &format!("{path}/text"));
                let made = format!("urn:uuid:answer-{key}");
                self.id(left.id.as_ref(), right.id.as_ref(), &made, &format!("{path}/id"));
                self.others(&left.others, &right.others, &path);
            }
            (left, right) => self.check(left.is_none() && right.is_none(), &format!("{path}/answer")),
        }
        self.template(one, other, key, path);
        self.traits(&one.traits, &other.traits, &format!("{path}/traits"));
        self.copies(one, other, path);
        let keywords = |question: &CheckpointQuestion<'_>| -> Option<Vec<String>> {
            let values = &question.keywords.as_ref()?.values;
            Some(values.iter().map(|value| value.as_json().to_owned()).collect())
        };
        self.check(keywords(one) == keywords(other), &format!("{path}/keywords"));
        self.properties(&one.properties, &other.properties, path, |_| false);
        self.others(&one.others, &other.others, path);
    }

    fn template(
        &mut self,
        one: &CheckpointQuestion<'_>,
        other: &CheckpointQuestion<'_>,
        key: &str,
        path: &str,
    ) {
        let path = format!("{path}/template");
        let text = one.text.shown().into_owned();
        let made_id = format!("urn:uuid:template-{key}");
        let parts = |question: &CheckpointQuestion<'_>, made: &dyn Fn(&str) -> String| {
            let template = question.template.as_ref();
            let field = |value: Option<&PlacedValue<'_>>| shown(value);
            let language = field(template.and_then(|template| template.programming_language.as_ref()));
            [
                ("text", field(template.map(|template| &template.text))),
                ("name", field(template.and_then(|template| template.name.as_ref()))),
                ("programming_language", Some(language.unwrap_or_else(|| made("language")))),
                ("code_repository", field(template.and_then(|template| template.code_repository.as_ref()))),
            ]
        };
        let python = |_: &str| "Python".to_owned();
        let names = [python_name(&text), interface_name(&text)];
        for ((field, left), (_, right)) in parts(one, &python).into_iter().zip(parts(other, &python)) {
            let is_made = |name: &Option<String>| name.as_ref().is_none_or(|name| names.contains(name));
            let has_no_names = is_version_2(self.one) || is_version_2(self.other);
            let same =
                left == right || (field == "name" && has_no_names && is_made(&left) && is_made(&right));
            // From version 2.0 a name is made, and said to be.
            let same = same && !(field == "name" && is_version_2(self.one) && left != right);
            self.check(same, &format!("{path}/{field}"));
        }
        let id = |question: &'_ CheckpointQuestion<'_>| {
            let template = question.template.as_ref();
            let id = template.and_then(|template| shown(template.id.as_ref()));
            id.filter(|id| !self.ignores_made_ids || *id != made_id)
        };
        let same = id(one) == id(other);
        self.check(same, &format!("{path}/id"));
        let others = |question: &CheckpointQuestion<'_>| -> Vec<String> {
            let template = question.template.as_ref();
            template.map_or_else(Vec::new, |template| {
                template.others.iter().map(|other| other.key.clone()).collect()
            })
        };
        for key in others(one).into_iter().filter(|key| !others(other).contains(key)) {
            self.check(false, &format!("{path}/others/{key}"));
        }
    }

    fn traits(&mut self, one: &[RubricTrait<'_>], other: &[RubricTrait<'_>], path: &str) {
        let named = |traits: &'_ [RubricTrait<'_>]| -> Vec<String> {
            traits.iter().map(|read| read.name.shown().into_owned()).collect()
        };
        let (left, right) = (named(one), named(other));
        let both: Vec<&String> = left.iter().filter(|name| right.contains(name)).collect();
        let order: Vec<&String> = right.iter().filter(|name| left.contains(name)).collect();
        self.check(both == order, &format!("{path}#order"));
        for name in left.iter().chain(&right).collect::<BTreeSet<_>>() {
            let of = |traits: &'_ [RubricTrait<'_>]| -> Vec<usize> {
                (0..traits.len()).filter(|&at| traits[at].name.shown() == *name).collect()
            };
            let (left, right) = (of(one), of(other));
            let path = format!("{path}/{name}");
            self.check(left.len() == right.len(), &path);
            for (&left, &right) in left.iter().zip(&right) {
                self.one_trait(&one[left], &other[right], &path);
            }
        }
    }

    fn one_trait(&mut self, one: &RubricTrait<'_>, other: &RubricTrait<'_>, path: &str) {
        self.check(one.kind == other.kind, &format!("{path}/kind"));
        self.check(one.scope == other.scope, &format!("{path}/scope"));
        let description = |read: &RubricTrait<'_>| shown(read.description.as_ref());
        self.check(description(one) == description(other), &format!("{path}/description"));
        let numbers = |read: &RubricTrait<'_>| {
            let (worst, best) = read.range();
            [worst, best].map(|text| match text.as_ref() {
                "true" => 1.0,
                "false" => 0.0,
                text => text.trim().parse::<f64>().expect("a number"),
            })
        };
        let is_score = one.rated_kind() == TraitKind::Score;
        for (at, field, left, right) in
            [(0, "worst", &one.worst, &other.worst), (1, "best", &one.best, &other.best)]
        {
            let same = numbers(one)[at] == numbers(other)[at];
            let given = left.is_some() == right.is_some() || !is_score;
            self.check(same && given, &format!("{path}/{field}"));
        }
        // In the first specification ids and values stand on the copies.
        let on_copies = path.starts_with("/global") && has_copies(self.other);
        if !on_copies {
            let made = interface_rating_id(&one.name.shown());
            self.id(one.id.as_ref(), other.id.as_ref(), &made, &format!("{path}/id"));
            self.values(one, other, path);
        }
        let ends = numbers(one);
        let says_the_same = |property: &PropertyValue<'_>| {
            let number = property.value.as_ref().and_then(PlacedValue::as_f64);
            match property.name.as_str() {
                _ if property.is_implied => true,
                "kind" => matches!(one.kind, TraitKind::Boolean | TraitKind::Score),
                "min_score" if one.kind == TraitKind::Score => number.is_none_or(|number| number == ends[0]),
                "max_score" if one.kind == TraitKind::Score => number.is_none_or(|number| number == ends[1]),
                _ => false,
            }
        };
        self.properties(&one.properties, &other.properties, path, says_the_same);
        self.others(&one.others, &other.others, path);
    }

    fn values(&mut self, one: &RubricTrait<'_>, other: &RubricTrait<'_>, path: &str) {
        let number = |value: &Option<PlacedValue<'_>>| value.as_ref().and_then(PlacedValue::as_f64);
        self.check(number(&one.rating_value) == number(&other.rating_value), &format!("{path}/rating_value"));
        let explanation = |read: &RubricTrait<'_>| shown(read.rating_explanation.as_ref());
        self.check(explanation(one) == explanation(other), &format!("{path}/rating_explanation"));
    }

    /// The copies of global traits. Where a side has none, the trait itself speaks for them.
    fn copies(&mut self, one: &CheckpointQuestion<'_>, other: &CheckpointQuestion<'_>, path: &str) {
        let names = one.copies.iter().chain(&other.copies).map(|copy| copy.name.shown().into_owned());
        for name in names.collect::<BTreeSet<_>>() {
            let parts = |checkpoint: &Checkpoint<'_>, question: &CheckpointQuestion<'_>| {
                let copy = question.copies.iter().find(|copy| copy.name.shown() == name);
                let own = checkpoint.global_traits.iter().find(|read| read.name.shown() == name);
                let own_value = own.and_then(|read| read.rating_value.as_ref());
                let own_explanation = own.and_then(|read| read.rating_explanation.as_ref());
                let id = copy.and_then(|copy| copy.id.as_ref()).or(own.and_then(|read| read.id.as_ref()));
                let made = interface_rating_id(&name);
                (
                    shown(id).filter(|id| !self.ignores_made_ids || *id != made),
                    copy.and_then(|copy| copy.rating_value.as_ref())
                        .or(own_value)
                        .and_then(PlacedValue::as_f64),
                    shown(copy.and_then(|copy| copy.rating_explanation.as_ref()).or(own_explanation)),
                )
            };
            let (left, right) = (parts(self.one, one), parts(self.other, other));
            let path = format!("{path}/copies/{name}");
            self.check(left.0 == right.0, &format!("{path}/id"));
            self.check(left.1 == right.1, &format!("{path}/rating_value"));
            self.check(left.2 == right.2, &format!("{path}/rating_explanation"));
        }
    }

    fn properties(
        &mut self,
        one: &[PropertyValue<'_>],
        other: &[PropertyValue<'_>],
        path: &str,
        says_nothing: impl Fn(&PropertyValue<'_>) -> bool,
    ) {
        let by_name = |properties: &[PropertyValue<'_>]| {
            let mut values: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
            for property in properties.iter().filter(|property| !says_nothing(property)) {
                let value = property.value.as_ref().map(|value| meaning(&property.name, value));
                values.entry(property.name.clone()).or_default().push(value);
            }
            values
        };
        let (left, right) = (by_name(one), by_name(other));
        for name in left.keys().chain(right.keys()).collect::<BTreeSet<_>>() {
            self.check(left.get(name) == right.get(name), &format!("{path}/properties/{name}"));
        }
        for property in one.iter().filter(|property| property.id.is_some()) {
            self.check(false, &format!("{path}/properties/{}/id", property.name));
        }
        for property in one {
            for key in &property.others {
                self.check(false, &format!("{path}/properties/{}/others/{}", property.name, key.key));
            }
        }
    }

    fn others(&mut self, one: &[UnknownMember<'_>], other: &[UnknownMember<'_>], path: &str) {
        for left in one {
            let same = other.iter().any(|right| right.key == left.key && right.value == left.value);
            self.check(same, &format!("{path}/others/{}", left.key));
        }
    }
}

/// What a property says: of a text that holds an object or a list, that.
fn meaning(name: &str, value: &PlacedValue<'_>) -> String {
    let holds_json = ["author", "sources", "few_shot_examples", "license", "keywords", "publisher"];
    let text = value.as_str().filter(|_| holds_json.contains(&name));
    let Some(text) = text.filter(|text| text.starts_with(['[', '{'])) else {
        return value.as_json().to_owned();
    };
    let Ok(document) = parse("value", text.into_owned(), Limits::default()) else {
        return value.as_json().to_owned();
    };
    let mut json = String::new();
    write_value(&document, document.root(), &mut json);
    json
}
