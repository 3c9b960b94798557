//! RDF to expanded JSON-LD text: `fromRdf` beside the serializer of `oxjsonld` and jsonld.js, from
//! quads in memory on every side; and RDFC-1.0 beside `sophia_c14n` and `oxrdf`, for information.
//!
//! `cargo bench --bench from_rdf`; `EVALGRAPH_BENCH_QUESTIONS` sets the size (10,000 questions, 550,000
//! quads). jsonld.js is installed by npm into a temporary folder, and left out where that cannot be.

mod support;

use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, Layout, NoLoader};
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use oxjsonld::{JsonLdParser, JsonLdSerializer};
use oxrdf::Quad;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use support::table::{Bar, Table};
use support::{checkpoint, clock, products};

/// Ours and the peers' alike; the shortest counts.
const RUNS: usize = 5;

/// Reads N-Quads, converts the dataset five times, and prints the least CPU time in microseconds.
const JSONLD_JS: &str = "
const fs = require('fs'), jsonld = require('jsonld');
const text = fs.readFileSync(process.argv[2], 'utf8');
(async () => {
  const dataset = await jsonld.toRDF(await jsonld.fromRDF(text, {format: 'application/n-quads'}));
  let least = Infinity, json = '';
  for (let run = 0; run < 5; run++) {
    const start = process.cpuUsage();
    json = JSON.stringify(await jsonld.fromRDF(dataset));
    const used = process.cpuUsage(start);
    least = Math.min(least, used.user + used.system);
  }
  fs.writeFileSync(process.argv[3], json);
  console.log(least);
})();";

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|n| n.parse().ok());
    let questions = questions.unwrap_or(10_000);
    let folder = tempfile::tempdir().expect("a folder for the corpora");
    let node = install_jsonld_js(folder.path());
    let mut table = Table::default();
    for (name, text) in [("checkpoint", checkpoint::text(questions)), ("products", products::text(questions))]
    {
        let corpus = Corpus::of(&text);
        println!(
            "{name}: {} quads, {:.1} MB of expanded JSON",
            corpus.buffer.len(),
            corpus.json.len() as f64 / 1e6
        );
        // The bar is for the checkpoint; the other corpus has lists and is shown beside it.
        let least = if name == "checkpoint" { 4.0 } else { 1.0 };
        let ours = corpus.ours();
        table.row(
            &format!("{name} from quads to text"),
            "oxjsonld",
            (ours, corpus.oxjsonld()),
            Bar::TimesLess(least),
        );
        if let Some(node) = &node {
            let theirs = corpus.jsonld_js(node, folder.path());
            table.row(
                &format!("{name} from quads to text"),
                "jsonld.js",
                (ours, theirs),
                Bar::TimesLess(least),
            );
        }
    }
    table.print();
}

/// The same quads for every side.
struct Corpus {
    buffer: QuadBuffer,
    n_quads: Vec<u8>,
    quads: Vec<Quad>,
    json: Vec<u8>,
}

impl Corpus {
    fn of(text: &str) -> Self {
        let document = json::parse("corpus", text.to_owned(), Limits::default()).expect("the corpus is JSON");
        let mut converted = QuadBuffer::new();
        let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
        processor.to_rdf(&Arc::new(document), &mut converted).expect("the corpus is JSON-LD");
        let mut n_quads = Vec::new();
        rdf::write(&converted, RdfFormat::NQuads, &mut n_quads).expect("memory takes all");
        // Read again, so that blank nodes have the same labels on every side.
        let mut buffer = QuadBuffer::new();
        let options = ReadOptions { format: RdfFormat::NQuads, base: None };
        rdf::read("corpus.nq", &n_quads, options, &mut buffer).expect("what was written can be read");
        let quads = oxttl::NQuadsParser::new().for_slice(&n_quads);
        let quads = quads.collect::<Result<_, _>>().expect("what was written can be read");
        let json = from_rdf(&buffer);
        Self { buffer, n_quads, quads, json }
    }

    fn ours(&self) -> Duration {
        clock::cpu_time(RUNS, || (), |()| from_rdf(&self.buffer))
    }

    fn oxjsonld(&self) -> Duration {
        let serialize = || {
            let mut serializer = JsonLdSerializer::new().for_writer(Vec::new());
            for quad in &self.quads {
                serializer.serialize_quad(quad).expect("memory takes all");
            }
            serializer.finish().expect("memory takes all")
        };
        assert!(triples(&serialize()) == triples(&self.json), "oxjsonld says the same quads");
        clock::cpu_time(RUNS, || (), |()| serialize())
    }

    fn jsonld_js(&self, modules: &Path, folder: &Path) -> Duration {
        let (input, output) = (folder.join("corpus.nq"), folder.join("corpus.json"));
        std::fs::write(&input, &self.n_quads).expect("the folder is ours");
        std::fs::write(modules.join("from_rdf.js"), JSONLD_JS).expect("the folder is ours");
        let mut command = Command::new("node");
        command.arg("--max-old-space-size=8192").arg(modules.join("from_rdf.js")).args([&input, &output]);
        let answer = command.output().expect("node is here");
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
        let theirs = std::fs::read(&output).expect("jsonld.js has written it");
        assert!(in_order(&theirs) == in_order(&self.json), "jsonld.js writes the same document");
        let microseconds = String::from_utf8_lossy(&answer.stdout).trim().parse().expect("a number");
        Duration::from_micros(microseconds)
    }
}

fn from_rdf(buffer: &QuadBuffer) -> Vec<u8> {
    let mut json = Vec::new();
    let processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    processor.from_rdf(buffer, Layout::Compact, &mut json).expect("the corpus is RDF");
    json
}

/// The quads of a document, lists as they were: their nodes get new labels, so they are counted.
fn triples(json: &[u8]) -> (usize, Vec<String>) {
    let quads: Vec<String> =
        JsonLdParser::new().for_slice(json).map(|quad| quad.expect("it is JSON-LD").to_string()).collect();
    let count = quads.len();
    let mut named: Vec<String> = quads.into_iter().filter(|quad| !quad.contains("_:")).collect();
    named.sort_unstable();
    (count, named)
}

/// A document with nodes and values in one order, to compare what may come in any.
fn in_order(json: &[u8]) -> Value {
    fn sort(value: &mut Value, is_list: bool) {
        match value {
            Value::Array(items) => {
                items.iter_mut().for_each(|item| sort(item, false));
                if !is_list {
                    items.sort_by_cached_key(Value::to_string);
                }
            }
            Value::Object(members) => {
                members.iter_mut().for_each(|(key, value)| sort(value, key == "@list"));
                members.sort_keys();
            }
            _ => {}
        }
    }
    let mut value = serde_json::from_slice(json).expect("it is JSON");
    sort(&mut value, false);
    value
}

/// A folder that has jsonld.js; none where node or npm is missing, or cannot fetch it.
fn install_jsonld_js(folder: &Path) -> Option<PathBuf> {
    let modules = folder.join("jsonld");
    std::fs::create_dir(&modules).expect("the folder is ours");
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--silent", "jsonld@8"]).current_dir(&modules);
    if npm.output().is_ok_and(|answer| answer.status.success())
        && modules.join("node_modules/jsonld").is_dir()
    {
        return Some(modules);
    }
    println!("SKIPPED: jsonld.js cannot be installed by npm");
    None
}
