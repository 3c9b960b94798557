//! JSON-LD documents under one context that has a term of every kind, for the quads that they mean.

use super::choices::Choices;
use std::fmt::Write as _;

/// JSON as it is to be written: numbers keep their spelling, objects their order.
#[derive(Debug, Clone)]
pub(crate) enum Json {
    /// A number, `true`, `false`, `null`, or anything else as it stands.
    Raw(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn raw(text: impl Into<String>) -> Self {
        Self::Raw(text.into())
    }

    pub(crate) fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(members.map(|(key, value)| (key.to_owned(), value)).into())
    }

    /// As JSON text.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Raw(text) => out.push_str(text),
            Self::Text(text) => {
                let _ = write!(out, "{}", serde_json::Value::from(text.as_str()));
            }
            Self::Array(items) => {
                out.push('[');
                for (number, item) in items.iter().enumerate() {
                    out.push_str(if number > 0 { ", " } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (number, (key, value)) in members.iter().enumerate() {
                    out.push_str(if number > 0 { ", " } else { "" });
                    let _ = write!(out, "{}: ", serde_json::Value::from(key.as_str()));
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// How deep nodes nest at most.
const MOST_LEVELS: usize = 4;

/// The context of the generated documents; the terms are those that [`document`] uses.
const TERMS: &str = r#"
    "ex": "http://example.org/ns#", "xsd": "http://www.w3.org/2001/XMLSchema#",
    "id": "@id", "type": "@type", "plain": "ex:plain", "absolute": "http://example.org/absolute",
    "reference": {"@id": "ex:reference", "@type": "@id"},
    "symbol": {"@id": "ex:symbol", "@type": "@vocab"},
    "date": {"@id": "ex:date", "@type": "xsd:date"},
    "double": {"@id": "ex:double", "@type": "xsd:double"},
    "untyped": {"@id": "ex:untyped", "@type": "@none"},
    "json": {"@id": "ex:json", "@type": "@json"},
    "french": {"@id": "ex:french", "@language": "fr"},
    "neutral": {"@id": "ex:neutral", "@language": null},
    "set": {"@id": "ex:set", "@container": "@set"},
    "list": {"@id": "ex:list", "@container": "@list"},
    "referenceList": {"@id": "ex:referenceList", "@container": "@list", "@type": "@id"},
    "language": {"@id": "ex:language", "@container": "@language"},
    "languageSet": {"@id": "ex:languageSet", "@container": ["@language", "@set"]},
    "index": {"@id": "ex:index", "@container": "@index"},
    "propertyIndex": {"@id": "ex:propertyIndex", "@container": "@index", "@index": "ex:key"},
    "byId": {"@id": "ex:byId", "@container": "@id"},
    "byType": {"@id": "ex:byType", "@container": "@type"},
    "graph": {"@id": "ex:graph", "@container": "@graph"},
    "graphById": {"@id": "ex:graphById", "@container": ["@graph", "@id"]},
    "graphByIndex": {"@id": "ex:graphByIndex", "@container": ["@graph", "@index", "@set"]},
    "isPlainOf": {"@reverse": "ex:plain"},
    "nested": "@nest",
    "property": {"@id": "ex:property", "@context": {"plain": "ex:scopedPlain", "own": "ex:own"}},
    "unpropagated": {"@id": "ex:unpropagated",
        "@context": {"@propagate": false, "plain": "ex:hereOnly"}},
    "Kind": "ex:Kind",
    "Scoped": {"@id": "ex:Scoped", "@context": {"plain": "ex:typedPlain", "set": null,
        "date": {"@id": "ex:date", "@type": "xsd:dateTime"}}}"#;

/// The text of a document.
pub(crate) fn document(choices: &mut Choices<'_>) -> String {
    let mut context = format!("{{\"@version\": 1.1,{TERMS}");
    if choices.once_in(3) {
        context.push_str(", \"@vocab\": \"http://example.org/vocab/\"");
    }
    if choices.once_in(3) {
        context.push_str(", \"@language\": \"en-GB\"");
    }
    context.push_str(", \"@base\": \"http://example.org/base/\"}");
    let mut root = node(choices, 0);
    let Json::Object(members) = &mut root else { unreachable!("a node is an object") };
    members.insert(0, ("@context".to_owned(), Json::Raw(context)));
    if choices.once_in(4) {
        let graph = (0..choices.below(3)).map(|_| distinct_node(choices, 1)).collect();
        members.push(("@graph".to_owned(), Json::Array(graph)));
    }
    let mut text = String::new();
    root.write(&mut text);
    text
}

fn node(choices: &mut Choices<'_>, level: usize) -> Json {
    let mut members = Vec::new();
    if choices.below(3) > 0 {
        members.push((choices.pick(&["@id", "id"]).to_owned(), Json::text(identifier(choices))));
    }
    if choices.once_in(3) {
        members.push((choices.pick(&["@type", "type"]).to_owned(), types(choices)));
    }
    for _ in 0..choices.below(if level == 0 { 9 } else { 4 }) {
        let (key, value) = property(choices, level);
        // A key stands once in an object.
        if members.iter().all(|(other, _)| *other != key) {
            members.push((key, value));
        }
    }
    Json::Object(members)
}

fn identifier(choices: &mut Choices<'_>) -> String {
    let number = choices.below(4);
    let form = choices.pick(&["http://example.org/node/", "ex:node", "relative", "_:blank", "../up/"]);
    format!("{form}{number}")
}

fn types(choices: &mut Choices<'_>) -> Json {
    let one =
        |choices: &mut Choices<'_>| Json::text(choices.pick(&["Kind", "ex:Other", "Scoped", "ex:Third"]));
    if choices.once_in(3) { Json::Array(vec![one(choices), one(choices)]) } else { one(choices) }
}

fn property(choices: &mut Choices<'_>, level: usize) -> (String, Json) {
    const KEYS: [&str; 32] = [
        "plain",
        "absolute",
        "ex:compact",
        "reference",
        "symbol",
        "date",
        "double",
        "untyped",
        "json",
        "french",
        "neutral",
        "set",
        "list",
        "referenceList",
        "language",
        "languageSet",
        "index",
        "propertyIndex",
        "byId",
        "byType",
        "graph",
        "graphById",
        "graphByIndex",
        "isPlainOf",
        "nested",
        "property",
        "unpropagated",
        "@reverse",
        "@included",
        "unmapped",
        "plain",
        "plain",
    ];
    let key = choices.pick(&KEYS);
    let value = match key {
        "double" => Json::raw(number(choices)),
        "json" => literal(choices, 0),
        "list" => list(choices, level, 0),
        "referenceList" => {
            Json::Array((0..choices.below(4)).map(|_| Json::text(identifier(choices))).collect())
        }
        "language" | "languageSet" => map(choices, |choices| {
            let language = choices.pick(&["en", "de", "zh-Hant", "@none"]);
            (language.to_owned(), strings(choices))
        }),
        "index" | "graphByIndex" => map(choices, |choices| {
            let index = choices.pick(&["a", "b", "@none"]);
            (index.to_owned(), node(choices, level + 2))
        }),
        "propertyIndex" => {
            map(choices, |choices| (choices.pick(&["a", "b", "@none"]).to_owned(), node(choices, level + 2)))
        }
        "byId" | "graphById" => map(choices, |choices| {
            let id = if choices.once_in(4) { "@none".to_owned() } else { identifier(choices) };
            (id, without_id(node(choices, level + 2)))
        }),
        "byType" => map(choices, |choices| {
            let kind = choices.pick(&["Kind", "ex:Other", "Scoped", "@none"]);
            (kind.to_owned(), node(choices, level + 2))
        }),
        "isPlainOf" | "@included" => nodes(choices, level),
        "@reverse" => Json::object([("ex:reversed", nodes(choices, level))]),
        "nested" => Json::Object(properties_to_nest(choices, level)),
        "property" | "unpropagated" | "graph" => node(choices, level + 1),
        _ => values(choices, level),
    };
    (key.to_owned(), value)
}

fn properties_to_nest(choices: &mut Choices<'_>, level: usize) -> Vec<(String, Json)> {
    vec![("ex:nestedOne".to_owned(), values(choices, level + 1)), ("date".to_owned(), strings(choices))]
}

fn nodes(choices: &mut Choices<'_>, level: usize) -> Json {
    if choices.once_in(3) {
        Json::Array((0..choices.below(3)).map(|_| distinct_node(choices, level + 1)).collect())
    } else {
        node(choices, level + 1)
    }
}

/// A node unlike all others: json-ld takes two equal nodes of `@graph` for one. (Node Map
/// Generation, step 6.3: each node without `@id` gets `a newly issued blank node identifier`.)
fn distinct_node(choices: &mut Choices<'_>, level: usize) -> Json {
    let mut node = node(choices, level);
    let Json::Object(members) = &mut node else { unreachable!("a node is an object") };
    members.push(("ex:serial".to_owned(), Json::raw(choices.fresh().to_string())));
    node
}

fn without_id(node: Json) -> Json {
    let Json::Object(mut members) = node else { unreachable!("a node is an object") };
    members.retain(|(key, _)| key != "@id" && key != "id");
    Json::Object(members)
}

fn map(choices: &mut Choices<'_>, mut entry: impl FnMut(&mut Choices<'_>) -> (String, Json)) -> Json {
    let mut members: Vec<(String, Json)> = Vec::new();
    for _ in 0..choices.below(3) {
        let (key, value) = entry(choices);
        if members.iter().all(|(other, _)| *other != key) {
            members.push((key, value));
        }
    }
    Json::Object(members)
}

fn strings(choices: &mut Choices<'_>) -> Json {
    if choices.once_in(3) {
        Json::Array((0..choices.below(3)).map(|_| Json::text(string(choices))).collect())
    } else {
        Json::text(string(choices))
    }
}

fn values(choices: &mut Choices<'_>, level: usize) -> Json {
    match choices.below(5) {
        4 => Json::Array((0..choices.below(4)).map(|_| value(choices, level)).collect()),
        _ => value(choices, level),
    }
}

fn list(choices: &mut Choices<'_>, level: usize, lists: usize) -> Json {
    let items = (0..choices.below(4))
        .map(|_| {
            if lists < 3 && choices.once_in(4) {
                list(choices, level, lists + 1)
            } else {
                value(choices, level)
            }
        })
        .collect();
    Json::Array(items)
}

fn value(choices: &mut Choices<'_>, level: usize) -> Json {
    let kinds = if level < MOST_LEVELS { 12 } else { 9 };
    match choices.below(kinds) {
        0 | 1 => Json::text(string(choices)),
        2 => Json::raw(number(choices)),
        3 => Json::raw(choices.pick(&["true", "false"])),
        4 => Json::object([("@value", Json::text(string(choices))), ("@language", Json::text("de"))]),
        5 => Json::object([("@value", Json::text(string(choices))), ("@type", Json::text("xsd:token"))]),
        6 => Json::object([("@value", Json::raw(number(choices)))]),
        7 => Json::object([("@id", Json::text(identifier(choices)))]),
        8 => Json::object([("@value", literal(choices, 0)), ("@type", Json::text("@json"))]),
        9 => Json::object([("@list", list(choices, level + 1, 1))]),
        10 => {
            Json::object([("@set", Json::Array(vec![value(choices, level + 1), value(choices, level + 1)]))])
        }
        _ => node(choices, level + 1),
    }
}

fn string(choices: &mut Choices<'_>) -> String {
    choices
        .pick(&[
            "a",
            "b",
            "",
            "ex:c",
            "http://example.org/d",
            "é \"quoted\" \\ \n\t\u{1}",
            "😀",
            "@",
            "2020-01-01",
            "_:x",
        ])
        .to_owned()
}

fn number(choices: &mut Choices<'_>) -> String {
    choices
        .pick(&[
            "0",
            "1",
            "-1",
            "-0",
            "1.0",
            "0.1",
            "5.5e0",
            "1e3",
            "100.00",
            "1e20",
            "1e21",
            "1e22",
            "123456789012345678",
            "12345678901234567890",
            "0.30000000000000004",
            "1.7976931348623157e308",
            "2.5e-7",
            "-12.50",
            "9.95",
        ])
        .to_owned()
}

/// JSON for a JSON literal.
fn literal(choices: &mut Choices<'_>, level: usize) -> Json {
    match choices.below(if level < 2 { 7 } else { 5 }) {
        0 => Json::text(string(choices)),
        1 => Json::raw(choices.pick(&["0", "1", "1.50", "1e21", "1e-7", "-0", "333333333.33333329"])),
        2 => Json::raw("true"),
        3 => Json::raw("null"),
        4 => Json::text("\u{20ac}$\u{f}\nA'B\"\\\\\"/"),
        5 => Json::Array((0..choices.below(3)).map(|_| literal(choices, level + 1)).collect()),
        _ => map(choices, |choices| {
            (choices.pick(&["b", "a", "é", "\u{1f600}", "\u{fb33}"]).to_owned(), literal(choices, level + 1))
        }),
    }
}
