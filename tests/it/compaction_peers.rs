//! jsonld.js and PyLD as oracles of compaction, on generated documents and contexts.
//!
//! Both come from their registries into `target/`; where one cannot be had, that is said loudly.

use crate::compaction_documents::{BASE, Case, case};
use crate::conformance_suite::skipped;
use crate::oracle_documents::Choices;
use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, Layout, NoLoader};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// How many cases the peers are asked.
const CASES: usize = 200;

/// What is taken from generated cases or replaced there, because a peer does otherwise than the
/// specification (of IRI Compaction, Value Compaction and Compaction in turn).
const REPLACED: [(&str, &str); 15] = [
    // Value Compaction 10: a value without a direction is no match where there is a default one.
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
fn jsonld_js_compacts_generated_documents_alike() {
    let folder = folder("jsonld-js");
    let install = || {
        let install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries", "0"];
        run(Command::new("npm").args(install).args(["--prefix", ".", "jsonld@9.0.0"]).current_dir(&folder))
    };
    let answers = (|| {
        if !folder.join("node_modules/jsonld").is_dir() {
            install()?;
        }
        ask(&folder, "node", "compact-cases.js", NODE_SCRIPT)
    })();
    compare("jsonld.js", answers, |_| true);
}

#[test]
fn pyld_compacts_generated_documents_alike() {
    let folder = folder("pyld");
    let answers = (|| {
        if !folder.join("pyld").is_dir() {
            let install =
                ["-m", "pip", "install", "--quiet", "--retries", "0", "--target", ".", "PyLD==2.0.4"];
            run(Command::new("python3").args(install).current_dir(&folder))?;
        }
        ask(&folder, "python3", "compact_cases.py", PYTHON_SCRIPT)
    })();
    compare("PyLD", answers, |case| !case.context.contains(PROPERTY_SCOPED));
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(name);
    std::fs::create_dir_all(&folder).expect("target is ours");
    folder
}

fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("`{program}` does not start: {error}"))?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(|error| error.to_string());
    }
    Err(format!("`{program}` ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// The cases, always the same.
fn cases() -> impl Iterator<Item = Case> {
    let cases = (1_u64..).map(|number| {
        let mut state = number;
        let drawn: Vec<u16> = (0..400)
            .map(|_| {
                // The generator of Knuth's MMIX; its upper bits are the good ones.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 48) as u16
            })
            .collect();
        let mut case = case(&mut Choices::new(&drawn));
        for text in [&mut case.document, &mut case.context] {
            for (part, replacement) in REPLACED {
                *text = text.replace(part, replacement);
            }
        }
        case
    });
    cases.filter(|case| !case.document.contains(GRAPH_WITH_ID)).take(CASES)
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

fn ask(folder: &Path, program: &str, name: &str, script: &str) -> Result<Vec<Value>, String> {
    let asked: Vec<Value> = cases()
        .map(|case| {
            let options = json!({"base": BASE, "compactArrays": true});
            json!({"document": value(&case.document), "context": value(&case.context), "options": options})
        })
        .collect();
    let path = folder.join("cases.json");
    std::fs::write(&path, Value::from(asked).to_string()).map_err(|error| error.to_string())?;
    std::fs::write(folder.join(name), script).map_err(|error| error.to_string())?;
    let answers = run(Command::new(program).arg(name).arg(&path).current_dir(folder))?;
    serde_json::from_str(&answers).map_err(|error| error.to_string())
}

fn ours(case: &Case) -> Value {
    let options = JsonLdOptions { base: Some(BASE.to_owned()), ordered: true, ..JsonLdOptions::default() };
    let parse = |text: &str| {
        Arc::new(json::parse("generated", text.to_owned(), Limits::default()).expect("it is JSON"))
    };
    let (document, context) = (parse(&case.document), parse(&case.context));
    let mut processor = JsonLdProcessor::new(options, &NoLoader);
    let compacted = processor.compact(&document, &context).expect("generated cases are compacted");
    value(&compacted.to_json(Layout::Compact))
}

fn compare(peer: &str, answers: Result<Vec<Value>, String>, is_known: impl Fn(&Case) -> bool) {
    let answers = match answers {
        Ok(answers) => answers,
        Err(reason) => return skipped(&format!("comparison with {peer}"), &reason),
    };
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

/// Where two values differ.
fn differ(path: &str, ours: &Value, theirs: &Value, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(left), Value::Object(right)) => {
            for key in left.keys().chain(right.keys().filter(|key| !left.contains_key(*key))) {
                match (left.get(key), right.get(key)) {
                    (Some(left), Some(right)) => differ(&format!("{path}/{key}"), left, right, found),
                    (left, right) => found.push(format!("{path}/{key}: {left:?} <> {right:?}")),
                }
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (left, right) in left.iter().zip(right) {
                differ(&format!("{path}[]"), left, right, found);
            }
        }
        (Value::Number(left), Value::Number(right)) if left.as_f64() == right.as_f64() => {}
        _ if ours == theirs => {}
        _ => found.push(format!("{path}: {ours} <> {theirs}")),
    }
}
