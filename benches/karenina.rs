//! A checkpoint read into a graph with its sidecar and written back, beside Python's `json` module
//! that reads and writes the same file; and how large the sidecar is.
//!
//! `cargo bench --profile dist --bench karenina` prints the tables; `EVALGRAPH_BENCH_QUESTIONS` sets the size (10,000
//! questions).

mod support;

use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{BuiltIn, JsonLdOptions, JsonLdProcessor};
use evalgraph::rdf::{InGraph, QuadBuffer, RdfFormat, write};
use evalgraph::source::checkpoint::CheckpointSurvey;
use evalgraph::source::checkpoint::model::Checkpoint;
use evalgraph::source::checkpoint::writer::{
    CheckpointForm, CheckpointWriteOptions, WritePurpose, write as write_form,
};
use evalgraph::source::registry::checkpoint_programs;
use evalgraph::source::rewriting::{IndexedGraph, checkpoint as checkpoint_of};
use evalgraph::source::sidecar::{DocumentSidecars, TracedDocument, difference, encode};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::table::{Bar, Table};
use support::{checkpoint, clock};

const RUNS: usize = 5;

/// The document graph.
const GRAPH: &str = "urn:evalgraph:graph:bench";

/// What the specification of the format allows for generating a checkpoint of 1,000 questions.
const SPECIFICATION: Duration = Duration::from_millis(200);

/// Reads and writes a file, and prints the CPU time of the process.
const PYTHON: &str = "import json, sys, time
with open(sys.argv[1], encoding='utf-8') as file:
    data = json.load(file)
with open(sys.argv[2], 'w', encoding='utf-8') as file:
    json.dump(data, file, indent=2)
print(time.process_time())";

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|n| n.parse().ok());
    let questions = questions.unwrap_or(10_000);
    let folder = tempfile::tempdir().expect("a folder for the files");
    let (file, copy) = (folder.path().join("large.jsonld"), folder.path().join("copy.jsonld"));
    let text = checkpoint::text(questions);
    std::fs::write(&file, &text).expect("the corpus can be written");
    println!("checkpoint: {questions} questions, {:.1} MB", text.len() as f64 / 1e6);
    sidecar_size(&file);

    let mut table = Table::default();
    let mut python = None;
    let ours = clock::in_turns(
        RUNS,
        || (),
        |()| std::fs::write(&copy, written(&read(&file))).expect("the copy can be written"),
        || python = python.into_iter().chain(python_time(&file, folder.path())).min(),
    )
    .0;
    assert_eq!(std::fs::read_to_string(&copy).expect("the copy is there"), text, "it comes back as it was");
    match python {
        Some(python) => table.row("read and write", "Python json", (ours, python), Bar::AtMost(0.5)),
        None => println!("left out: Python is not here ({:.1} ms)", ours.as_secs_f64() * 1e3),
    }
    let thousand = folder.path().join("thousand.jsonld");
    std::fs::write(&thousand, checkpoint::text(1000)).expect("the corpus can be written");
    let quads = read(&thousand);
    for (what, ours) in [
        ("1,000 questions from the graph, as they were (wall)", wall(|| written(&quads))),
        ("1,000 questions from the graph, as karenina (wall)", wall(|| in_another_form(&quads))),
    ] {
        table.row(what, "the format's 200 ms", (ours, SPECIFICATION), Bar::AtMost(0.1));
    }
    if !table.print() {
        std::process::exit(1);
    }
}

/// A file as a document graph with its sidecar.
fn read(file: &Path) -> QuadBuffer {
    let bytes = std::fs::read(file).expect("the file is there");
    let text = json::decode("corpus.jsonld", bytes).expect("the corpus is UTF-8");
    let document =
        Arc::new(json::parse("corpus.jsonld", text, Limits::default()).expect("the corpus is JSON"));
    let adaptation = CheckpointSurvey::from_document(&document).adapt(&document, "bench");
    let replaced_ids = adaptation.load_mode.replaced_ids.clone();
    let mut quads = QuadBuffer::new();
    quads.keep_node_tokens();
    JsonLdProcessor::new(JsonLdOptions::default(), &BuiltIn)
        .with_load_mode(adaptation.load_mode)
        .to_rdf(&document, &mut InGraph::new(&mut quads, GRAPH))
        .expect("the corpus is JSON-LD");
    let nodes = quads.take_node_tokens().expect("they were to be kept");
    let source = TracedDocument {
        document: &document,
        nodes: &nodes,
        replaced_ids: &replaced_ids,
        loader: &BuiltIn,
        base: None,
    };
    let graph = IndexedGraph::new(&quads, quads.find_iri(GRAPH));
    let (root, layout) = difference(&graph, source).expect("the corpus is a tree");
    encode(&layout, root, GRAPH, adaptation.detection.dialect.id(), &mut quads);
    quads
}

/// The file that a document graph with its sidecar was.
fn written(quads: &QuadBuffer) -> String {
    DocumentSidecars::new(quads).restore(GRAPH).expect("it has a sidecar").text
}

/// The document graph as today's Python library loads it, without the sidecar.
fn in_another_form(quads: &QuadBuffer) -> String {
    let graph = IndexedGraph::new(quads, quads.find_iri(GRAPH));
    let document = checkpoint_of(&graph).expect("it is a checkpoint").into_document("graph");
    let document = document.expect("it is JSON");
    let checkpoint = Checkpoint::read(&document).expect("it is a checkpoint").checkpoint;
    let options = CheckpointWriteOptions {
        dataset: "bench",
        now: chrono::DateTime::UNIX_EPOCH,
        touch: false,
        purpose: WritePurpose::File(checkpoint_programs()),
    };
    write_form(&checkpoint, CheckpointForm::Library, &options).expect("it can be written").text
}

/// Bytes of N-Quads, sidecar against document graph.
fn sidecar_size(file: &Path) {
    let mut n_quads = Vec::new();
    write(&read(file), RdfFormat::NQuads, &mut n_quads).expect("memory takes all");
    let n_quads = String::from_utf8(n_quads).expect("N-Quads are UTF-8");
    let is_sidecar = |line: &&str| line.ends_with("<urn:evalgraph:graph:sidecar:bench> .");
    let (sidecar, document): (Vec<&str>, Vec<&str>) = n_quads.lines().partition(is_sidecar);
    let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>() as f64;
    println!(
        "sidecar: {} quads beside {}, {:.1} % of the bytes",
        sidecar.len(),
        document.len(),
        100.0 * bytes(&sidecar) / bytes(&document)
    );
}

/// The CPU time of one run of Python; none where it is not there.
fn python_time(file: &Path, folder: &Path) -> Option<Duration> {
    let copy = folder.join("python.json");
    let output = Command::new("python3").args(["-c", PYTHON]).arg(file).arg(copy).output().ok()?;
    let seconds = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The shortest of several runs.
fn wall<R>(mut work: impl FnMut() -> R) -> Duration {
    let times = (0..4 * RUNS).map(|_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    });
    times.min().expect("there are runs")
}
