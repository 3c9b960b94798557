//! RDF to expanded JSON-LD text: `fromRdf` beside the serializer of `oxjsonld` and jsonld.js, from
//! quads in memory on every side; and RDFC-1.0 beside `sophia_c14n` and `oxrdf`, for information.
//!
//! `cargo bench --profile dist --bench from_rdf`; `EVALGRAPH_BENCH_QUESTIONS` sets the size (10,000 questions, 550,000
//! quads). jsonld.js is installed by npm into a temporary folder, and left out where that cannot be.

#[path = "../tests/it/rdf/sophia.rs"]
mod rdf_of_sophia;
mod support;

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph::rdf::canonicalization::{self, CanonicalizationOptions};
use evalgraph::rdf::{self, QuadBuffer, RdfFormat, ReadOptions};
use oxjsonld::{JsonLdParser, JsonLdSerializer};
use oxrdf::{GraphName, Quad, Term};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use support::table::{Bar, Table};
use support::{checkpoint, clock, products};

/// Ours and the peers' alike; the shortest counts.
const RUNS: usize = 5;

/// Builds the dataset of jsonld.js (its own reader of N-Quads takes quadratic time), converts it a few
/// times, and prints the least CPU time in microseconds.
const JSONLD_JS: &str = "
const fs = require('fs'), jsonld = require('jsonld');
const term = ([termType, value, language, datatype]) => termType !== 'Literal' ? {termType, value} :
  {termType, value, language, datatype: {termType: 'NamedNode', value: datatype}};
const dataset = fs.readFileSync(process.argv[2], 'utf8').trimEnd().split('\\n').map(line => {
  const [subject, predicate, object, graph] = JSON.parse(line).map(term);
  return {subject, predicate, object, graph};
});
(async () => {
  let least = Infinity, json = '';
  for (let run = 0; run < 3; run++) {
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
        corpus.canonicalization();
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
    quads: Vec<Quad>,
    json: Vec<u8>,
}

impl Corpus {
    fn of(text: &str) -> Self {
        let document = parse("corpus", text.to_owned(), Limits::default()).expect("the corpus is JSON");
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
        let mut json = Vec::new();
        from_rdf(&buffer, &mut json);
        Self { buffer, quads, json }
    }

    /// The text goes where one has been before, as it does for the peer: what the system needs to
    /// hand out memory is none of either's.
    fn ours(&self) -> Duration {
        let mut text = self.json.clone();
        clock::cpu_time(RUNS, || (), |()| from_rdf(&self.buffer, &mut text))
    }

    fn oxjsonld(&self) -> Duration {
        let mut text = self.json.clone();
        let mut serialize = || {
            text.clear();
            let mut serializer = JsonLdSerializer::new().for_writer(&mut text);
            for quad in &self.quads {
                serializer.serialize_quad(quad).expect("memory takes all");
            }
            serializer.finish().map(|_| ()).expect("memory takes all");
        };
        serialize();
        let time = clock::cpu_time(RUNS, || (), |()| serialize());
        assert!(triples(&text) == triples(&self.json), "oxjsonld says the same quads");
        time
    }

    /// For information: the canonical form beside that of `sophia`.
    fn canonicalization(&self) {
        let canonicalize = || {
            let mut text = Vec::new();
            let canonical = canonicalization::canonicalize(&self.buffer, CanonicalizationOptions::default());
            canonical.expect("the corpus is ordinary").write(&mut text).expect("memory takes all");
            text
        };
        let dataset: HashSet<_> = rdf_of_sophia::to_sophia(&self.buffer).into_iter().collect();
        let normalize = || {
            let mut text = Vec::new();
            sophia::c14n::rdfc10::normalize(&dataset, &mut text).expect("the corpus is ordinary");
            text
        };
        assert!(canonicalize() == normalize(), "sophia has the same canonical form");
        let ours = clock::cpu_time(1, || (), |()| canonicalize());
        let theirs = clock::cpu_time(1, || (), |()| normalize());
        println!(
            "  canonical form: ours {:.0} ms, sophia's {:.0} ms",
            ours.as_secs_f64() * 1e3,
            theirs.as_secs_f64() * 1e3
        );
    }

    fn jsonld_js(&self, modules: &Path, folder: &Path) -> Duration {
        let (input, output) = (folder.join("quads.jsonl"), folder.join("corpus.json"));
        let lines: String = self.quads.iter().map(|quad| format!("{}\n", terms(quad))).collect();
        std::fs::write(&input, lines).expect("the folder is ours");
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

/// The terms of a quad as jsonld.js has them.
fn terms(quad: &Quad) -> Value {
    let graph = match &quad.graph_name {
        GraphName::NamedNode(iri) => json!(["NamedNode", iri.as_str()]),
        GraphName::BlankNode(node) => json!(["BlankNode", node.to_string()]),
        GraphName::DefaultGraph => json!(["DefaultGraph", ""]),
    };
    let term = |term: &Term| match term {
        Term::NamedNode(iri) => json!(["NamedNode", iri.as_str()]),
        Term::BlankNode(node) => json!(["BlankNode", node.to_string()]),
        Term::Literal(literal) => {
            json!(["Literal", literal.value(), literal.language().unwrap_or(""), literal.datatype().as_str()])
        }
    };
    json!([
        term(&quad.subject.clone().into()),
        ["NamedNode", quad.predicate.as_str()],
        term(&quad.object),
        graph
    ])
}

fn from_rdf(buffer: &QuadBuffer, json: &mut Vec<u8>) {
    json.clear();
    let processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    processor.from_rdf(buffer, JsonLdLayout::Compact, json).expect("the corpus is RDF");
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
