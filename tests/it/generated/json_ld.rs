//! Cases of JSON-LD: an operation, a document, a context or frame, options, and the contexts that lie elsewhere.
//! Contexts are drawn, too: terms with containers, coercions and contexts of their own, in arrays with remote ones.

use super::choices::{Choices, drawn_for};
use super::{compaction, documents, frames};
use crate::jsonld::compaction_peers::without_known_differences;
use serde_json::{Map, Value, json};

const BASE: &str = "http://example.org/base/document";

/// Contexts that lie elsewhere.
fn remote() -> Value {
    json!({
        "http://remote.example/plain": {"@context": {"plain": "http://example.org/remote/plain", "tag": {"@id": "ex:tag", "@language": "en"}, "ex": "http://example.org/ns#"}},
        "http://remote.example/vocab": {"@context": [{"@vocab": "http://example.org/remote/", "t1": {"@id": "t1", "@type": "@id"}}]},
        "http://remote.example/chain": {"@context": ["http://remote.example/plain", {"@base": "http://not.used/", "chained": {"@id": "http://example.org/remote/chained", "@container": "@set"}}]},
    })
}

/// The case of a number.
pub(crate) fn case(number: u64) -> Value {
    let drawn = drawn_for("json-ld", number, 500);
    let choices = &mut Choices::new(&drawn);
    let options = json!({"base": BASE});
    match number % 12 {
        0 | 1 => plain("expand", fixed(choices), options),
        2..5 => plain("expand", document(choices), options),
        5 => plain("to-rdf", document(choices), options),
        6 => plain("to-rdf", fixed(choices), options),
        7 => plain("flatten", if choices.once_in(2) { fixed(choices) } else { document(choices) }, options),
        8 | 9 => {
            let case = without_known_differences(compaction::case(choices));
            let options = json!({"base": compaction::BASE, "compactArrays": case.compact_arrays});
            let mut asked = plain("compact", value(&case.document), options);
            asked["context"] = value(&case.context);
            asked
        }
        10 => {
            let (document, frame) = frames::case(number / 12);
            let mut asked = plain("frame", document, options);
            asked["context"] = frame;
            asked
        }
        _ => {
            let options = json!({"useNativeTypes": choices.once_in(2), "useRdfType": choices.once_in(4)});
            plain("from-rdf", Value::from(quads(choices)), options)
        }
    }
}

fn plain(operation: &str, document: Value, options: Value) -> Value {
    let mut asked = json!({"operation": operation, "context": null, "remote": remote()});
    asked["document"] = document;
    asked["options"] = options;
    asked
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

fn fixed(choices: &mut Choices<'_>) -> Value {
    value(&documents::document(choices))
}

/// A document with contexts of its own.
fn document(choices: &mut Choices<'_>) -> Value {
    let mut terms = Terms::default();
    let mut context = Map::from_iter([("ex".to_owned(), json!("http://example.org/ns#"))]);
    context.extend(terms.context(choices, 0));
    let mut context = Value::Object(context);
    if choices.once_in(3) {
        let url = choices.pick(&["plain", "vocab", "chain"]);
        let url = Value::from(format!("http://remote.example/{url}"));
        context = if choices.once_in(4) { json!([context, url]) } else { json!([url, context]) };
    }
    let mut node = Map::from_iter([("@context".to_owned(), context)]);
    node.extend(terms.node(choices, 0));
    if choices.once_in(5) {
        let nodes: Vec<_> =
            (0..1 + choices.below(2)).map(|_| Value::Object(terms.node(choices, 1))).collect();
        node.insert("@graph".to_owned(), nodes.into());
    }
    node.into()
}

/// The terms that a document has, each with the container that its values have to fit.
#[derive(Debug, Default)]
struct Terms {
    defined: Vec<(String, String)>,
}

const NAMES: [&str; 8] = ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"];
const TYPES: [&str; 3] = ["Kind", "ex:Other", "Third"];
const LEVELS: usize = 3;

impl Terms {
    fn context(&mut self, choices: &mut Choices<'_>, level: usize) -> Map<String, Value> {
        let mut context = Map::new();
        let mut set = |key: &str, value: Value| drop(context.insert(key.to_owned(), value));
        if choices.once_in(if level == 0 { 2 } else { 5 }) {
            set(
                "@vocab",
                json!(choices.pick(&["http://vocab.example/", "http://vocab.example/#", "ex:", ""])),
            );
        }
        if choices.once_in(4) {
            set("@base", json!(choices.pick(&["http://other.example/dir/", "sub/", "../up", "?query"])));
        }
        if choices.once_in(5) {
            set("@language", choices.pick(&["en", "de-at"]).into());
        }
        if choices.once_in(10) {
            set("@direction", choices.pick(&["ltr", "rtl"]).into());
        }
        if level > 0 && choices.once_in(5) {
            set("@propagate", choices.once_in(2).into());
        }
        if level == 0 && choices.once_in(6) {
            set("id", json!("@id"));
            set("type", json!("@type"));
        }
        for name in NAMES {
            if choices.once_in(if level == 0 { 2 } else { 5 }) {
                let (definition, container) = self.definition(choices, name, level);
                context.insert(name.to_owned(), definition);
                if level == 0 {
                    self.defined.push((name.to_owned(), container));
                }
            }
        }
        if level == 0 && choices.once_in(3) {
            let kind = json!({"@id": "ex:Kind", "@context": self.context(choices, 1)});
            context.insert("Kind".to_owned(), kind);
        }
        context
    }

    fn definition(&mut self, choices: &mut Choices<'_>, name: &str, level: usize) -> (Value, String) {
        let id = format!("ex:{}", choices.pick(&["p", "q", name, name, name]));
        if choices.once_in(6) {
            return (json!(id), String::new());
        }
        if choices.once_in(14) {
            return (json!({"@reverse": id}), "reverse".to_owned());
        }
        if choices.once_in(16) {
            return (json!("@nest"), "nest".to_owned());
        }
        let mut definition = Map::from_iter([("@id".to_owned(), json!(id))]);
        let mut container = String::new();
        if choices.once_in(2) {
            let drawn: &[&str] = choices.pick(&[
                &["@list"],
                &["@set"],
                &["@language"],
                &["@index"],
                &["@id"],
                &["@type"],
                &["@graph"],
                &["@graph", "@id"],
                &["@graph", "@index"],
                &["@language", "@set"],
                &["@index", "@set"],
                &["@graph", "@id", "@set"],
                &["@type", "@set"],
                &["@list"],
                &["@set"],
            ]);
            container = drawn.join(" ");
            definition.insert(
                "@container".to_owned(),
                if drawn.len() == 1 { json!(drawn[0]) } else { json!(drawn) },
            );
        }
        if !container.contains("@language") && choices.once_in(3) {
            let kinds = ["@id", "@vocab", "http://www.w3.org/2001/XMLSchema#date", "@none", "@json"];
            let kinds = if container.contains("@type") { &kinds[..2] } else { &kinds[..] };
            definition.insert("@type".to_owned(), json!(choices.pick(kinds)));
        } else if choices.once_in(5) {
            definition.insert("@language".to_owned(), json!(choices.pick(&[Some("fr"), None])));
        }
        if !container.contains("@language") && choices.once_in(10) {
            definition.insert("@direction".to_owned(), json!(choices.pick(&[Some("rtl"), None])));
        }
        if level < 2 && choices.once_in(6) {
            definition.insert("@context".to_owned(), self.context(choices, level + 1).into());
        }
        if container.starts_with("@index") && choices.once_in(4) {
            definition.insert("@index".to_owned(), json!("ex:key"));
        }
        if choices.once_in(12) {
            definition.insert("@protected".to_owned(), json!(true));
        }
        (definition.into(), container)
    }

    fn node(&mut self, choices: &mut Choices<'_>, level: usize) -> Map<String, Value> {
        let mut node = Map::new();
        if choices.once_in(2) {
            node.insert("@id".to_owned(), json!(id(choices)));
        }
        if choices.once_in(3) {
            let one = json!(choices.pick(&TYPES));
            node.insert("@type".to_owned(), if choices.once_in(3) { json!([one, "ex:More"]) } else { one });
        }
        let most = if level == 0 { 6 } else { 3 };
        for _ in 0..choices.below(most) + usize::from(level == 0) {
            let (key, value) = self.property(choices, level);
            node.insert(key, value);
        }
        if level > 0 && choices.once_in(14) {
            let context = Value::Object(self.context(choices, 1));
            node.insert("@context".to_owned(), if choices.once_in(5) { json!(null) } else { context });
        }
        node
    }

    fn property(&mut self, choices: &mut Choices<'_>, level: usize) -> (String, Value) {
        if self.defined.is_empty() || choices.once_in(4) {
            return match choices.below(8) {
                0 => ("@reverse".to_owned(), json!({"ex:back": self.node(choices, level + 1)})),
                1 => ("@included".to_owned(), json!([self.node(choices, level + 1)])),
                2 => ("@index".to_owned(), json!("i")),
                3 => ("plain".to_owned(), self.values(choices, level)),
                _ => (choices.pick(&["ex:p", "ex:q", "unknown"]).to_owned(), self.values(choices, level)),
            };
        }
        let (name, container) = self.defined[choices.below(self.defined.len())].clone();
        let value = match container.as_str() {
            "@language" | "@language @set" => {
                json!({choices.pick(&["en", "de", "@none"]): choices.pick(&["a", "b"])})
            }
            "@list" if choices.once_in(2) => json!([self.value(choices, level), self.value(choices, level)]),
            "@graph" | "reverse" if level < LEVELS => self.node(choices, level + 1).into(),
            "nest" => json!({"ex:nested": self.values(choices, level)}),
            map if (map.contains("@id") || map.contains("@index") || map.contains("@type"))
                && level < LEVELS =>
            {
                let key = match choices.below(4) {
                    0 => "@none".to_owned(),
                    1 => "ex:Other".to_owned(),
                    2 => "Kind".to_owned(),
                    _ => id(choices),
                };
                let mut node = self.node(choices, level + 1);
                node.shift_remove("@id");
                json!({key: node})
            }
            map if map.contains("@id") || map.contains("@index") || map.contains("@type") => json!({}),
            _ => self.values(choices, level),
        };
        (name, value)
    }

    fn values(&mut self, choices: &mut Choices<'_>, level: usize) -> Value {
        match choices.below(5) {
            0 => (0..choices.below(3)).map(|_| self.value(choices, level)).collect::<Vec<_>>().into(),
            _ => self.value(choices, level),
        }
    }

    fn value(&mut self, choices: &mut Choices<'_>, level: usize) -> Value {
        match choices.below(if level < LEVELS { 14 } else { 10 }) {
            0 | 1 => json!(choices.pick(&["a", "b", "ex:c", "http://example.org/d", "Kind", "t0", ""])),
            2 => json!(choices.pick(&[1, 2, -5])),
            3 => json!(choices.pick(&[1.5, 0.25])),
            4 => json!(choices.once_in(2)),
            5 => json!({"@id": id(choices)}),
            6 => json!({"@value": "v", "@language": choices.pick(&["en", "fr"])}),
            7 => {
                json!({"@value": choices.pick(&["v", "w"]), "@type": choices.pick(&["ex:datatype", "Third"])})
            }
            8 => json!({"@value": {"b": [1, null], "a": "x"}, "@type": "@json"}),
            9 => json!({"@value": true}),
            10 => json!({"@list": [self.value(choices, level + 1), self.value(choices, level + 1)]}),
            11 => json!({"@set": [self.value(choices, level + 1)]}),
            _ => self.node(choices, level + 1).into(),
        }
    }
}

fn id(choices: &mut Choices<'_>) -> String {
    let form =
        choices.pick(&["http://example.org/node/", "ex:node", "relative", "_:blank", "../up/", "#part"]);
    format!("{form}{}", choices.below(3))
}

/// Lines of N-Quads with lists, broken lists and literals of all kinds.
fn quads(choices: &mut Choices<'_>) -> String {
    let xsd = "http://www.w3.org/2001/XMLSchema#";
    let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    let mut text = String::new();
    for _ in 0..1 + choices.below(8) {
        let subject = choices.pick(&["<http://e/a>", "<http://e/b>", "_:x", "<http://e/l>"]);
        let object = match choices.below(12) {
            0 => format!("\"{}\"^^<{xsd}integer>", choices.pick(&["1", "01", "x"])),
            1 => format!("\"{}\"^^<{xsd}double>", choices.pick(&["1.5E0", "1", "INF"])),
            2 => format!("\"{}\"^^<{xsd}boolean>", choices.pick(&["true", "1", "no"])),
            3 => "\"a\"@en".to_owned(),
            4 => format!("\"[1,{{\\\"a\\\":null}}]\"^^<{rdf}JSON>"),
            5 => "\"text\"".to_owned(),
            6 => format!("<{rdf}nil>"),
            7 | 8 => choices.pick(&["_:l0", "_:l1"]).to_owned(),
            _ => choices.pick(&["<http://e/a>", "_:x", "<http://e/c>"]).to_owned(),
        };
        let predicate = choices.pick(&["<http://e/p>", "<http://e/q>", "<http://e/p>", "type"]);
        let predicate = if predicate == "type" { format!("<{rdf}type>") } else { predicate.to_owned() };
        // Lists lie in one graph: the letter folds them into another that mentions them.
        let graph =
            if object.starts_with("_:l") { "" } else { choices.pick(&["", "", "", "<http://e/g>", "_:x"]) };
        text += &format!("{subject} {predicate} {object} {graph} .\n");
    }
    for list in 0..choices.below(3) {
        let length = 1 + choices.below(3);
        for cell in 0..length {
            let label = if cell == 0 { format!("_:l{list}") } else { format!("_:l{list}c{cell}") };
            let next =
                if cell + 1 == length { format!("<{rdf}nil>") } else { format!("_:l{list}c{}", cell + 1) };
            let item = choices.pick(&["\"i\"", "<http://e/a>", "\"1\"@en", "_:x"]);
            text += &format!("{label} <{rdf}first> {item} .\n{label} <{rdf}rest> {next} .\n");
        }
    }
    text
}
