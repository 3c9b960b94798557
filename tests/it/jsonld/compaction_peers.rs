//! jsonld.js and PyLD as oracles of compaction, on generated documents and contexts.

use crate::generated::choices::{Choices, drawn};
use crate::generated::compaction::{BASE, Case, case};
use crate::jsonld::peers::{Script, ask_jsonld_js, ask_pyld, differ};
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use serde_json::{Value, json};
use std::io::Write as _;
use std::sync::Arc;

/// How many cases the peers are asked.
const CASES: usize = 200;

/// What is taken from generated cases or replaced there, because a peer does otherwise than the
/// specification (of IRI Compaction, Value Compaction and Compaction in turn).
const REPLACED: [(&str, &str); 15] = [
    // Value Compaction 10: a value without a direction is not a match where there is a default one.
    (", \"@direction\": \"rtl\"", ""),
    (", \"@direction\": \"ltr\"", ""),
    (", \"@direction\": null", ""),
    // IRI Compaction 4.18: terms with `@none` are preferred to none.
    (", \"@type\": \"@none\"", ""),
    // Inverse Context Creation 3: of equal terms the shortest counts. PyLD takes the least.
    (", \"plainUndirected\": {\"@id\": \"ex:plain\"}", ""),
    (", \"plainRtl\": {\"@id\": \"ex:plain\"}", ""),
    ("listInFrench", "listWithFrench"),
    // Compaction 12.8.9.4: the value in a language map is a string, whatever `@value` is called.
    (", \"val\": \"@value\"", ""),
    // Compaction 12.8.5: `@list` has an array, its alias need not. The peers look at the keyword.
    (", \"items\": \"@list\"", ""),
    // Arrays in a JSON literal stay arrays here, so that it is read back.
    ("\"@value\": [1]", "\"@value\": [1, 2]"),
    ("\"@value\": [[1], {}", "\"@value\": [{}"),
    // A relative IRI with a colon in its first segment would be read as an absolute one.
    ("http://a.example/b/d:", "http://a.example/b/d"),
    // Compaction 12.8.9.6.1: the key of a property index is expanded before it is compacted.
    (", \"@index\": \"ex:key\"", ""),
    // The peers write languages in lower case.
    ("\"FR\"", "\"fr\""),
    ("zh-Hant", "zh-hant"),
];

/// Compaction 12.8.8.1.2 and 12.8.8.4.2: the ids of graphs are compacted. The peers leave them, so
/// that documents with such graphs are not asked.
const GRAPH_WITH_ID: &str = "}], \"@id\"";

/// PyLD finds no terms inside a property with a context of its own, where it should (Compaction 6).
const PROPERTY_SCOPED: &str = "\"scoped\": {";

/// Answers all cases of a file, one JSON value each; an error is a string.
const NODE_SCRIPT: &str = r"
const fs = require('fs');
const jsonld = require('jsonld');
(async () => {
  const answers = [];
  for(const {document, context, options} of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
    try {
      answers.push(await jsonld.compact(document, context, options));
    } catch(error) {
      answers.push(String(error.details && error.details.code || error));
    }
  }
  console.log(JSON.stringify(answers));
})();
";

const PYTHON_SCRIPT: &str = r"
import json, sys
from pyld import jsonld
answers = []
for case in json.load(open(sys.argv[1], encoding='utf-8')):
    try:
        answers.append(jsonld.compact(case['document'], case['context'], case['options']))
    except Exception as error:
        answers.append(str(error))
print(json.dumps(answers))
";

#[test]
#[ignore = "needs Node.js and jsonld.js from its registry"]
fn jsonld_js_compacts_generated_documents_alike() {
    let script = Script { name: "compact-cases.js", text: NODE_SCRIPT };
    compare("jsonld.js", ask_jsonld_js(script, asked()), |_| true);
}

#[test]
#[ignore = "needs Python and PyLD from its registry"]
fn pyld_compacts_generated_documents_alike() {
    let script = Script { name: "compact_cases.py", text: PYTHON_SCRIPT };
    compare("PyLD", ask_pyld(script, asked()), |case| !case.context.contains(PROPERTY_SCOPED));
}

/// A case without what a peer does otherwise.
pub(crate) fn without_known_differences(mut case: Case) -> Case {
    for text in [&mut case.document, &mut case.context] {
        for (part, replacement) in REPLACED {
            *text = text.replace(part, replacement);
        }
    }
    case
}

/// The cases, always the same.
fn cases() -> impl Iterator<Item = Case> {
    let cases = (1_u64..).map(|number| {
        let drawn = drawn(number, 400);
        without_known_differences(case(&mut Choices::new(&drawn)))
    });
    cases.filter(|case| !case.document.contains(GRAPH_WITH_ID)).take(CASES)
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

fn asked() -> Vec<Value> {
    let options = json!({"base": BASE, "compactArrays": true});
    cases()
        .map(|case| {
            json!({"document": value(&case.document), "context": value(&case.context), "options": options})
        })
        .collect()
}

fn ours(case: &Case) -> Value {
    let options = JsonLdOptions { base: Some(BASE.to_owned()), ordered: true, ..JsonLdOptions::default() };
    let parse = |text: &str| {
        Arc::new(json::parse("generated", text.to_owned(), Limits::default()).expect("it is JSON"))
    };
    let (document, context) = (parse(&case.document), parse(&case.context));
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    let compacted = processor.compact(&document, &context).expect("generated cases are compacted");
    value(&compacted.to_json(JsonLdLayout::Compact))
}

fn compare(peer: &str, answers: Result<Vec<Value>, String>, is_known: impl Fn(&Case) -> bool) {
    let answers = answers.unwrap_or_else(|reason| panic!("{peer} does not answer: {reason}"));
    let mut compared = 0;
    for (case, theirs) in cases().zip(&answers).filter(|(case, _)| is_known(case)) {
        let mut found = Vec::new();
        differ("", &ours(&case), theirs, &mut found);
        let Case { document, context, .. } = case;
        assert!(found.is_empty(), "{peer}:\n{}\ndocument {document}\ncontext {context}", found.join("\n"));
        compared += 1;
    }
    let _ = writeln!(std::io::stderr(), "{peer}: {compared} of {CASES} generated cases compared");
    assert!(compared > CASES / 3, "{peer} was asked too little");
}
