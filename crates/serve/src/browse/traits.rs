//! The traits by which the answers to a question are judged: its own traits, and those of its file.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::node_lookup::NodeLookup;
use super::shown_question::{MOST, ShownQuestion};

use super::rating_tally::RATINGS;
use evalgraph_store::TermId;

/// The properties that point to a rubric.
const RUBRICS: [&str; 2] = ["globalRubric", "rubric"];
/// The lists of a rubric that is an object, each with the kind of its traits. In lists without a kind, each trait has
/// its kind.
const LISTS: [(&str, &str); 8] = [
    ("llm_traits", ""),
    ("traits", ""),
    ("regex_traits", "regex"),
    ("callable_traits", "callable"),
    ("metric_traits", "metric"),
    ("agentic_traits", "agentic"),
    ("dynamic_traits", "dynamic"),
    ("manual_traits", "manual"),
];
/// The kinds that follow from the class of a trait.
const OF_CLASS: [&str; 5] = ["regex", "callable", "metric", "agentic", "dynamic"];
/// The author of a trait that was copied from the file to each question.
const GLOBAL: &str = "Global Rubric";

/// Returns the traits of a question. A trait that occurs several times under one name counts once.
pub(super) fn traits(asked: &ShownQuestion<'_>) -> Value {
    let nodes = asked.nodes;
    let mut found = CollectedTraits { nodes, known: BTreeSet::new(), traits: Vec::new() };
    let owners = asked.roots.iter().map(|root| (*root, true)).chain([(asked.question, false)]);
    for (owner, is_root) in owners {
        for rating in nodes.objects_of(owner, &RATINGS) {
            let Some(name) = nodes.text(rating, "name") else { continue };
            let class = class_of(nodes, rating);
            let is_global = is_root
                || class.starts_with("Global")
                || nodes.text(rating, "author").is_some_and(|author| author == GLOBAL);
            let range = [nodes.value(rating, "worstRating"), nodes.value(rating, "bestRating")];
            let kind = kind_of_rating(nodes, rating, &class, &range);
            found.add(rating, name, &kind, is_global, range);
        }
        for rubric in nodes.objects_of(owner, &RUBRICS) {
            for (list, kind) in LISTS {
                for listed in nodes.objects(rubric, list) {
                    let Some(name) = nodes.text(listed, "name") else { continue };
                    let range = [nodes.value(listed, "min_score"), nodes.value(listed, "max_score")];
                    let kind = kind_of_listed(nodes, listed, kind);
                    found.add(listed, name, &kind, is_root, range);
                }
            }
        }
    }
    found.traits.into()
}

struct CollectedTraits<'f> {
    nodes: NodeLookup<'f>,
    known: BTreeSet<(bool, String)>,
    traits: Vec<Value>,
}

impl CollectedTraits<'_> {
    fn add(&mut self, node: TermId, name: String, kind: &str, is_global: bool, range: [Option<Value>; 2]) {
        let key = (is_global, name);
        if self.traits.len() == MOST || self.known.contains(&key) {
            return;
        }
        let [least, most] = range;
        self.traits.push(json!({
            "name": key.1,
            "description": self.nodes.text(node, "description"),
            "kind": kind,
            "scope": if is_global { "global" } else { "question" },
            "least": least,
            "most": most,
        }));
        self.known.insert(key);
    }
}

/// Returns the name of a trait's class: `GlobalRegexTrait`.
fn class_of(nodes: NodeLookup<'_>, rating: TermId) -> String {
    let class = nodes.objects(rating, "additionalType").into_iter().next();
    let class = class.map(|class| nodes.names.text(class)).unwrap_or_default();
    class.rsplit([':', '/']).next().unwrap_or_default().to_owned()
}

/// Returns the kind of a trait that is a rating. If a model judges it, it is a boolean or a score, depending on its
/// range, unless the trait states its kind.
fn kind_of_rating(nodes: NodeLookup<'_>, rating: TermId, class: &str, range: &[Option<Value>; 2]) -> String {
    let word = ["Global", "QuestionSpecific"].iter().find_map(|scope| class.strip_prefix(scope));
    let word = word.unwrap_or(class);
    let word = word.strip_suffix("RubricTrait").or_else(|| word.strip_suffix("Trait")).unwrap_or(word);
    let word = word.to_ascii_lowercase();
    let property = |wanted: &str| {
        let properties = nodes.objects(rating, "additionalProperty").into_iter();
        let mut named =
            properties.filter(|property| nodes.text(*property, "name").is_some_and(|name| name == wanted));
        named.next()
    };
    if word == "manual" {
        return if property("pattern").is_some() { "regex" } else { "callable" }.to_owned();
    }
    if OF_CLASS.contains(&word.as_str()) {
        return word;
    }
    let said = property("kind").and_then(|property| nodes.text(property, "value")).unwrap_or_default();
    if said.starts_with('{') {
        return "template".to_owned();
    }
    if ["literal", "score", "boolean"].contains(&said.as_str()) {
        return said;
    }
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
    let is_boolean = [number(&range[0]), number(&range[1])] == [Some(0.0), Some(1.0)];
    if is_boolean { "boolean" } else { "score" }.to_owned()
}

/// Returns the kind of a trait in a list.
fn kind_of_listed(nodes: NodeLookup<'_>, listed: TermId, kind: &str) -> String {
    match kind {
        "manual" if nodes.text(listed, "pattern").is_some() => "regex".to_owned(),
        "manual" => "callable".to_owned(),
        "" => {
            let said = nodes.objects(listed, "kind").into_iter().next();
            let said = said.map(|said| nodes.names.lexical(said).unwrap_or_else(|| "template".to_owned()));
            said.unwrap_or_else(|| "boolean".to_owned())
        }
        kind => kind.to_owned(),
    }
}
