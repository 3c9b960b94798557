//! Frames over a small graph, matched and nested in every way that a frame can say.

use super::choices::{Choices, drawn};
use serde_json::{Map, Value, json};

const NODES: usize = 5;
/// How many levels of patterns a frame has at most.
const DEEPEST: usize = 2;
const TYPES: [&str; 3] = ["A", "B", "C"];
const PROPERTIES: [&str; 4] = ["p", "q", "r", "s"];

/// A document and a frame.
pub(crate) fn case(number: u64) -> (Value, Value) {
    let drawn = drawn(number, 200);
    let choices = &mut Choices::new(&drawn);
    let nodes: Vec<Value> = (0..NODES).map(|node| self::node(choices, node)).collect();
    let context = json!({"@vocab": "http://example.org/"});
    let mut frame = pattern(choices, 0);
    frame.insert("@context".to_owned(), context.clone());
    (json!({"@context": context, "@graph": nodes}), frame.into())
}

fn id(number: usize) -> String {
    format!("urn:node:{number}")
}

fn node(choices: &mut Choices<'_>, number: usize) -> Value {
    let mut node = Map::new();
    node.insert("@id".to_owned(), id(number).into());
    if !choices.once_in(4) {
        node.insert("@type".to_owned(), choices.pick(&TYPES).into());
    }
    for property in PROPERTIES {
        let count = choices.below(3);
        let values: Vec<Value> = (0..count).map(|_| value(choices)).collect();
        if count > 0 {
            node.insert(property.to_owned(), values.into());
        }
    }
    node.into()
}

fn value(choices: &mut Choices<'_>) -> Value {
    match choices.below(5) {
        0 => choices.pick(&["one", "two"]).into(),
        // jsonld.js drops 0.
        1 => (1 + choices.below(3)).into(),
        // Lists are framed item by item.
        2 if choices.once_in(3) => json!({"@list": [{"@id": id(choices.below(NODES))}, "item"]}),
        _ => json!({"@id": id(choices.below(NODES))}),
    }
}

/// A frame, or a part of one.
fn pattern(choices: &mut Choices<'_>, level: usize) -> Map<String, Value> {
    let mut pattern = Map::new();
    match choices.below(6) {
        0 => drop(pattern.insert("@type".to_owned(), json!({}))),
        1 => drop(pattern.insert("@type".to_owned(), json!([choices.pick(&TYPES), choices.pick(&TYPES)]))),
        2 => drop(
            pattern.insert("@id".to_owned(), json!([id(choices.below(NODES)), id(choices.below(NODES))])),
        ),
        3 => {}
        _ => drop(pattern.insert("@type".to_owned(), choices.pick(&TYPES).into())),
    }
    if choices.once_in(2) {
        pattern.insert("@embed".to_owned(), choices.pick(&["@once", "@always", "@never"]).into());
    }
    for flag in ["@explicit", "@requireAll", "@omitDefault"] {
        if choices.once_in(4) {
            pattern.insert(flag.to_owned(), choices.once_in(2).into());
        }
    }
    // Frame Matching 2.8: node patterns are matched to their depth. jsonld.js looks no deeper than
    // whether there is a value, so that they stand where something else has matched before.
    let is_matched = pattern.contains_key("@type") || pattern.contains_key("@id");
    let is_all = pattern.get("@requireAll") == Some(&json!(true));
    let level = if is_matched && !is_all { level } else { DEEPEST };
    for property in PROPERTIES {
        if choices.once_in(3) {
            pattern.insert(property.to_owned(), property_pattern(choices, level));
        }
    }
    // Frame Matching 2.5: match none decides. jsonld.js does not come to it where another property
    // matches first.
    if !is_all {
        pattern.retain(|_, value| *value != json!([]));
    }
    pattern
}

fn property_pattern(choices: &mut Choices<'_>, level: usize) -> Value {
    match choices.below(6) {
        0 => json!([]),
        1 => json!({"@default": choices.pick(&["none", "@null"])}),
        2 => json!({"@id": id(choices.below(NODES))}),
        3 => json!({"@value": choices.pick(&["one", "two"])}),
        4 if level < DEEPEST => pattern(choices, level + 1).into(),
        _ => json!({}),
    }
}
