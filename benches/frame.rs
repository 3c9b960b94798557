//! Flattening and framing from text to text: ours beside jsonld.js and, where it can, the `json-ld`
//! crate; and how our time grows with the document.
//!
//! `cargo bench --profile dist --bench frame` prints one table; `EVALGRAPH_BENCH_QUESTIONS` sets the size (10,000
//! questions, and ten times as many for the growth). That the results are equal is asserted first,
//! on 1,000 questions. jsonld.js is run once, it takes a minute; ours and the crate's least time of
//! a few runs counts. Growth is measured in processes of their own, so that the small document does
//! not find memory that is warm already.

mod support;

use evalgraph::json::{self, JsonDocument, Limits};
use evalgraph::jsonld::{JsonLdLayout, JsonLdOptions, JsonLdProcessor, NoLoader};
use json_ld::JsonLdProcessor as _;
use json_ld::syntax::{Parse as _, Print as _};
use serde_json::{Value, json};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use support::jsonld_js::JsonLdJs;
use support::table::{Bar, Table};
use support::{checkpoint, clock};

const RUNS: usize = 5;

/// How many questions the results are compared on.
const COMPARED: usize = 1_000;

/// Set for a process that frames once: which frame, and the file of the corpus.
const ONE_RUN: &str = "EVALGRAPH_BENCH_ONE_FRAME";

/// A frame over a corpus.
struct Framing {
    what: &'static str,
    frame: String,
    corpus: fn(usize) -> String,
    bar: Bar,
}

fn main() {
    if let Ok(run) = std::env::var(ONE_RUN) {
        return one_run(&run);
    }
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|n| n.parse().ok());
    let questions = questions.unwrap_or(10_000);
    let peer = JsonLdJs::install();
    let mut table = Table::default();
    flattening(&mut table, peer.as_ref(), questions);
    for (number, framing) in framings().into_iter().enumerate() {
        if let Some(peer) = &peer {
            let text = (framing.corpus)(COMPARED);
            let theirs = peer.run("frame", &text, Some(&framing.frame)).0;
            let ours = frame(text.into_bytes(), &framing.frame);
            assert_eq!(
                canonical(&ours),
                canonical(&theirs),
                "{}: jsonld.js has another result",
                framing.what
            );
        }
        let text = (framing.corpus)(questions);
        let ours = our_frame(&text, &framing.frame);
        if let Some(peer) = &peer {
            let theirs = peer.run("frame", &text, Some(&framing.frame)).1;
            table.row(framing.what, "jsonld.js", (ours, theirs), framing.bar);
        }
        let grown = |times: usize| fresh(number, &(framing.corpus)(times * questions));
        let (small, large) = (grown(1), grown(10));
        let what = format!("{}, ten times as many", framing.what);
        table.row(&what, "ours, once as many", (large, small), Bar::AtMost(12.0));
    }
    println!("{questions} questions; results equal on {COMPARED}");
    table.print();
}

/// The least CPU time of a frame in processes of their own, which get the corpus as a file: making
/// it would leave a heap behind that is larger for the larger one.
fn fresh(number: usize, corpus: &str) -> Duration {
    let file = tempfile::NamedTempFile::new().expect("a file for the corpus");
    std::fs::write(file.path(), corpus).expect("the corpus can be written");
    let run = || {
        let program = std::env::current_exe().expect("a process knows its file");
        let asked = format!("{number} {}", file.path().display());
        let output = Command::new(program).env(ONE_RUN, asked).output();
        let output = output.expect("this program starts again").stdout;
        let micros = String::from_utf8_lossy(&output).trim().parse().expect("it prints a number");
        Duration::from_micros(micros)
    };
    (0..RUNS).map(|_| run()).min().unwrap_or_default()
}

/// Frames a file once and prints the CPU time in microseconds.
fn one_run(run: &str) {
    let Some((number, path)) = run.split_once(' ') else { return };
    let framing = number.parse().ok().and_then(|number| framings().into_iter().nth(number));
    let (Some(framing), Ok(text)) = (framing, std::fs::read(path)) else { return };
    let start = cpu_time::ProcessTime::now();
    let result = frame(text, &framing.frame);
    println!("{}", start.elapsed().as_micros());
    drop(result);
}

fn framings() -> [Framing; 3] {
    let context = checkpoint::context();
    [
        Framing {
            what: "frame by type",
            frame: json!({"@context": context, "@type": "Question"}).to_string(),
            corpus: checkpoint::text,
            bar: Bar::TimesLess(60.0),
        },
        Framing {
            what: "frame by pattern, @always, @requireAll",
            frame: json!({
                "@context": context, "@embed": "@always", "@requireAll": true,
                "@type": "DataFeedItem",
                "dateCreated": {},
                "item": {
                    "@type": "Question", "@embed": "@always", "@requireAll": true,
                    "text": {},
                    "acceptedAnswer": {"@type": "Answer", "@embed": "@always"},
                    "rating": {"@type": "Rating", "@requireAll": true, "name": "Quality", "ratingValue": {}},
                },
            })
            .to_string(),
            corpus: checkpoint::text,
            bar: Bar::TimesLess(20.0),
        },
        Framing {
            what: "frame of named graphs",
            frame: json!({
                "@context": context,
                "@graph": {"@type": "DataCatalog", "@graph": {"@type": "DataFeedItem"}},
            })
            .to_string(),
            corpus: named_graphs,
            bar: Bar::TimesLess(20.0),
        },
    ]
}

/// The checkpoint with a graph for each of its items.
fn named_graphs(questions: usize) -> String {
    let mut checkpoint: Value = serde_json::from_str(&checkpoint::text(questions)).expect("it is JSON");
    let items = checkpoint["hasPart"].take();
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    let graphs: Vec<Value> = (0..)
        .zip(items)
        .map(|(number, item)| json!({"@id": format!("urn:graph:{number}"), "@type": "DataCatalog", "@graph": [item]}))
        .collect();
    json!({"@context": checkpoint::context(), "@graph": graphs}).to_string()
}

fn flattening(table: &mut Table, peer: Option<&JsonLdJs>, questions: usize) {
    let text = checkpoint::text(COMPARED);
    let ours = unlabelled(&flatten(text.clone().into_bytes()));
    assert_eq!(ours, unlabelled(&json_ld_flatten(&text)), "json-ld has another result");
    if let Some(peer) = peer {
        assert_eq!(ours, unlabelled(&peer.run("flatten", &text, None).0), "jsonld.js has another result");
    }
    let text = checkpoint::text(questions);
    println!("checkpoint: {:.1} MB", text.len() as f64 / 1e6);
    let ours = clock::cpu_time(RUNS, || text.clone().into_bytes(), flatten);
    if let Some(peer) = peer {
        let theirs = peer.run("flatten", &text, None).1;
        table.row("flatten", "jsonld.js", (ours, theirs), Bar::TimesLess(10.0));
    }
    let theirs = clock::cpu_time(RUNS, || (), |()| json_ld_flatten(&text));
    table.row("flatten", "json-ld", (ours, theirs), Bar::TimesLess(4.0));
}

fn parse(name: &str, bytes: Vec<u8>) -> Arc<JsonDocument> {
    let text = json::decode(name, bytes).expect("it is UTF-8");
    Arc::new(json::parse(name, text, Limits::default()).expect("it is JSON"))
}

fn flatten(bytes: Vec<u8>) -> String {
    let document = parse("corpus.jsonld", bytes);
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    processor.flatten(&document, None).expect("the corpus is JSON-LD").to_json(JsonLdLayout::Compact)
}

fn frame(bytes: Vec<u8>, frame: &str) -> String {
    let document = parse("corpus.jsonld", bytes);
    let frame = parse("frame.jsonld", frame.as_bytes().to_vec());
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    processor.frame(&document, &frame).expect("the corpus is JSON-LD").to_json(JsonLdLayout::Compact)
}

fn our_frame(text: &str, pattern: &str) -> Duration {
    clock::cpu_time(RUNS, || text.as_bytes().to_vec(), |bytes| frame(bytes, pattern))
}

fn json_ld_flatten(text: &str) -> String {
    let (value, _) = json_ld::syntax::Value::parse_str(text).expect("the corpus is JSON");
    let document = json_ld::RemoteDocument::new(None, None, value);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime without drivers");
    let mut generator = json_ld::rdf_types::generator::Blank::new();
    let flattened = runtime
        .block_on(document.flatten(&mut generator, &json_ld::NoLoader))
        .expect("the corpus is JSON-LD");
    flattened.compact_print().to_string()
}

/// A JSON text in one form, whatever the order of keys and of arrays; there are no lists in it.
fn canonical(text: &str) -> String {
    canonical_value(&serde_json::from_str(text).expect("results are JSON"))
}

/// As `canonical`, all blank nodes with one label.
fn unlabelled(text: &str) -> String {
    let mut json: Value = serde_json::from_str(text).expect("results are JSON");
    remove_labels(&mut json);
    canonical_value(&json)
}

fn remove_labels(json: &mut Value) {
    match json {
        Value::Array(items) => items.iter_mut().for_each(remove_labels),
        Value::Object(members) => members.values_mut().for_each(remove_labels),
        Value::String(text) if text.starts_with("_:") => *text = "_:".to_owned(),
        _ => {}
    }
}

fn canonical_value(json: &Value) -> String {
    match json {
        Value::Array(items) => {
            let mut items: Vec<String> = items.iter().map(canonical_value).collect();
            items.sort_unstable();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let mut members: Vec<String> =
                members.iter().map(|(key, value)| format!("{key:?}:{}", canonical_value(value))).collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        Value::Number(number) => format!("{:?}", number.as_f64()),
        other => other.to_string(),
    }
}
