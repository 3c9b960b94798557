//! jsonld.js as oracle of framing, on generated documents and frames.

use crate::oracle_documents::Choices;
use crate::peers::{Script, ask_jsonld_js, differ, drawn};
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, Layout, NoLoader};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

/// How many cases jsonld.js is asked.
const CASES: u64 = 400;

const SCRIPT: &str = r"
const fs = require('fs');
const jsonld = require('jsonld');
(async () => {
  const answers = [];
  for(const {document, frame} of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
    try {
      answers.push(await jsonld.frame(document, frame, {ordered: true}));
    } catch(error) {
      answers.push(String(error.details && error.details.code || error));
    }
  }
  console.log(JSON.stringify(answers));
})();
";

#[test]
#[ignore = "needs Node.js and jsonld.js from its registry"]
fn jsonld_js_frames_generated_documents_alike() {
    let cases: Vec<(Value, Value)> = (1..=CASES).map(case).collect();
    let asked = cases.iter().map(|(document, frame)| json!({"document": document, "frame": frame}));
    let script = Script { name: "frame-cases.js", text: SCRIPT };
    let answers = ask_jsonld_js(script, asked.collect()).expect("jsonld.js answers");
    let mut features: BTreeMap<&str, usize> = BTreeMap::new();
    let mut with_result = 0;
    for ((document, frame), theirs) in cases.iter().zip(&answers) {
        let ours = framed(document, frame);
        let mut found = Vec::new();
        differ("", &ours, theirs, &mut found);
        let first = found.first().map_or("", |first| first.as_str());
        assert!(found.is_empty(), "{first}\ndocument {document}\nframe {frame}");
        with_result += usize::from(ours.as_object().is_some_and(|result| result.len() > 1));
        let text = frame.to_string();
        for feature in FEATURES {
            *features.entry(feature).or_default() += usize::from(text.contains(feature));
        }
    }
    let _ = writeln!(std::io::stderr(), "{with_result} of {CASES} frames found something; with {features:?}");
    assert!(with_result > CASES as usize / 2, "most frames find nothing");
    assert!(features.values().all(|&count| count > 10), "{features:?}");
}

/// What frames have, as it stands in their text.
const FEATURES: [&str; 11] = [
    "\"@always\"",
    "\"@never\"",
    "\"@once\"",
    "\"@explicit\"",
    "\"@requireAll\"",
    "\"@omitDefault\"",
    "\"@default\"",
    "\"@id\":[",
    "\"@type\":[",
    "\"@type\":{}",
    ":[]",
];

fn framed(document: &Value, frame: &Value) -> Value {
    let parse = |value: &Value| {
        Arc::new(json::parse("generated", value.to_string(), Limits::default()).expect("it is JSON"))
    };
    let options = JsonLdOptions { ordered: true, ..JsonLdOptions::default() };
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    let (document, frame) = (parse(document), parse(frame));
    let framed = processor.frame(&document, &frame).expect("generated frames are valid");
    serde_json::from_str(&framed.to_json(Layout::Compact)).expect("it is JSON")
}

const NODES: usize = 5;
/// How many levels of patterns a frame has at most.
const DEEPEST: usize = 2;
const TYPES: [&str; 3] = ["A", "B", "C"];
const PROPERTIES: [&str; 4] = ["p", "q", "r", "s"];

fn case(number: u64) -> (Value, Value) {
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
