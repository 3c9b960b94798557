//! Text to compacted text of a checkpoint, beside the `json-ld` crate and jsonld.js, in one run.
//! CPU time; every side has to give the same document first.
//!
//! jsonld.js needs `node` and `npm`, which fetches the package into `target/`; where it cannot be
//! had, that is said and the row is left out. `EVALGRAPH_BENCH_QUESTIONS` sets the size.

mod support;

use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use json_ld::syntax::{Parse as _, Print as _};
use json_ld::{ExtractContext as _, JsonLdProcessor as _};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use support::table::{Bar, Table};
use support::{checkpoint, clock};

/// Ours and the peers' alike; the shortest counts.
const RUNS: usize = 5;

/// The peer and its version.
const JSONLD_JS: &str = "jsonld@9.0.0";

/// Compacts with jsonld.js as often as asked; prints the least CPU time in seconds.
const SCRIPT: &str = r#"
const fs = require('fs');
const jsonld = require('jsonld');
const [input, context, output, runs] = process.argv.slice(2);
(async () => {
  const text = fs.readFileSync(input, 'utf8');
  const ctx = JSON.parse(fs.readFileSync(context, 'utf8'));
  let least = Infinity;
  for(let run = 0; run < Number(runs); ++run) {
    const start = process.cpuUsage();
    const compacted = JSON.stringify(await jsonld.compact(JSON.parse(text), ctx), null, 2);
    const {user, system} = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1e6);
    fs.writeFileSync(output, compacted);
  }
  console.log(least);
})();
"#;

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|n| n.parse().ok());
    let text = checkpoint::text(questions.unwrap_or(10_000));
    let context = context_of(&text);
    println!("checkpoint: {:.1} MB", text.len() as f64 / 1e6);
    let ours = value(&compact(text.clone().into_bytes(), &context));
    assert_same(&ours, &value(&json_ld(&text, &context)), "json-ld");

    let mut table = Table::default();
    let what = "checkpoint to compacted text";
    let time = clock::cpu_time(RUNS, || text.clone().into_bytes(), |bytes| compact(bytes, &context));
    let theirs = clock::cpu_time(RUNS, || (), |()| json_ld(&text, &context).len());
    table.row(what, "json-ld", (time, theirs), Bar::TimesLess(10.0));
    match jsonld_js(&text, &context) {
        Ok((compacted, theirs)) => {
            assert_same(&ours, &value(&compacted), "jsonld.js");
            table.row(what, "jsonld.js", (time, theirs), Bar::TimesLess(10.0));
        }
        Err(reason) => println!("SKIPPED jsonld.js: {reason}"),
    }
    table.print();
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("compacted text is JSON")
}

fn context_of(text: &str) -> String {
    serde_json::json!({"@context": value(text)["@context"]}).to_string()
}

/// Bytes to compacted text.
fn compact(bytes: Vec<u8>, context: &str) -> String {
    let text = json::decode("corpus.jsonld", bytes).expect("the corpus is UTF-8");
    let document = Arc::new(json::parse("corpus.jsonld", text, Limits::default()).expect("it is JSON"));
    let context = json::parse("context.jsonld", context.to_owned(), Limits::default());
    let context = Arc::new(context.expect("the context is JSON"));
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    let compacted = processor.compact(&document, &context).expect("the corpus is JSON-LD");
    assert!(compacted.warnings.is_empty(), "the corpus loses nothing");
    compacted.to_json(JsonLdLayout::Indented)
}

fn json_ld(text: &str, context: &str) -> String {
    let (document, _) = json_ld::syntax::Value::parse_str(text).expect("the corpus is JSON");
    let document = json_ld::RemoteDocument::new(None, None, document);
    let (context, _) = json_ld::syntax::Value::parse_str(context).expect("the context is JSON");
    let context = context.into_ld_context().expect("the context is one");
    let context = json_ld::RemoteContextReference::Loaded(json_ld::RemoteDocument::new(None, None, context));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime without drivers");
    let compacted =
        runtime.block_on(document.compact(context, &json_ld::NoLoader)).expect("the corpus is JSON-LD");
    compacted.pretty_print().to_string()
}

/// The compacted text of jsonld.js and its CPU time, or why there is none.
fn jsonld_js(text: &str, context: &str) -> Result<(String, Duration), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/jsonld-js");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    if !folder.join("node_modules/jsonld").is_dir() {
        let install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", ".", JSONLD_JS];
        run(Command::new("npm").args(install).current_dir(&folder))?;
    }
    let write = |name: &str, text: &str| -> Result<PathBuf, String> {
        let path = folder.join(name);
        std::fs::write(&path, text).map(|()| path).map_err(|error| error.to_string())
    };
    let output = folder.join("compacted.jsonld");
    let arguments = [write("corpus.jsonld", text)?, write("context.jsonld", context)?, output.clone()];
    write("compact.js", SCRIPT)?;
    let mut node = Command::new("node");
    node.arg("compact.js").args(arguments).arg(RUNS.to_string()).current_dir(&folder);
    let seconds = run(&mut node)?.trim().parse().map_err(|_| "node printed no time".to_owned())?;
    let compacted = std::fs::read_to_string(output).map_err(|error| error.to_string())?;
    Ok((compacted, Duration::from_secs_f64(seconds)))
}

fn run(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("`{program}` does not start: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("`{program}` ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Equal as JSON; numbers as numbers.
fn assert_same(ours: &Value, theirs: &Value, peer: &str) {
    fn same(left: &Value, right: &Value) -> bool {
        match (left, right) {
            (Value::Object(left), Value::Object(right)) => {
                left.len() == right.len()
                    && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
            }
            (Value::Array(left), Value::Array(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
            }
            (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
            _ => left == right,
        }
    }
    assert!(same(ours, theirs), "{peer} compacts otherwise");
}
