//! jsonld.js as oracle of framing, on generated documents and frames.

use crate::generated::frames::case;
use crate::jsonld::peers::{Script, ask_jsonld_js, differ};
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use serde_json::{Value, json};
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
    serde_json::from_str(&framed.to_json(JsonLdLayout::Compact)).expect("it is JSON")
}
