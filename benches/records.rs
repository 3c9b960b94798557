//! Files of the systems that are not JSON-LD read into a queryable graph, beside Python's `json.load` of the
//! same file.
//!
//! `cargo bench --profile dist --bench records` prints the table; `EVALGRAPH_BENCH_SHARE` takes a hundredth of the records
//! for each 1 (100).

mod support;

use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph::source::records::RecordComposer;
use evalgraph::source::registry::recognise;
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::clock;
use support::records;
use support::table::{Bar, Table};

const RUNS: usize = 5;

/// Reads a file, and prints the CPU time of that.
const PYTHON: &str = "import json, sys, time
start = time.process_time()
with open(sys.argv[1], encoding='utf-8') as file:
    json.load(file)
print(time.process_time() - start)";

fn main() {
    let share = std::env::var("EVALGRAPH_BENCH_SHARE").ok().and_then(|share| share.parse().ok());
    let share: usize = share.unwrap_or(100);
    let folder = tempfile::tempdir().expect("a folder for the files");
    let mut table = Table::default();
    let corpora = [
        ("train.json rows", rows(share * 1000)),
        ("Kwanzaa samples", samples(share * 200)),
        ("RLCF feedback", feedback(share * 1000)),
    ];
    for (what, text) in corpora {
        let file = folder.path().join("records.json");
        std::fs::write(&file, &text).expect("the corpus can be written");
        let quads = quads(&file);
        println!("{what}: {:.1} MB, {quads} quads", text.len() as f64 / 1e6);
        let mut python = None;
        let ours = clock::in_turns(
            RUNS,
            || (),
            |()| dataset(&file),
            || python = python.into_iter().chain(python_time(&file)).min(),
        )
        .0;
        match python {
            Some(python) => table.row(what, "Python json.load", (ours, python), Bar::AtMost(2.0)),
            None => println!("left out: Python is not here ({:.1} ms)", ours.as_secs_f64() * 1e3),
        }
    }
    if !table.print() {
        std::process::exit(1);
    }
}

fn dataset(file: &Path) -> Dataset {
    let builder = read(file);
    Dataset::from_documents(vec![NamedDocument { graph: "urn:evalgraph:graph:bench".to_owned(), builder }])
}

fn quads(file: &Path) -> usize {
    read(file).finish()
}

/// A file as a graph, as loading makes it.
fn read(file: &Path) -> DocumentBuilder {
    let bytes = std::fs::read(file).expect("the file is there");
    let text = json::decode("records.json", bytes).expect("the corpus is UTF-8");
    let document = json::parse("records.json", text, Limits::default()).expect("the corpus is JSON");
    let found = recognise(&document, None, None).expect("it is of one system").expect("it is of a system");
    let base = format!("urn:evalgraph:{}:bench:", found.system);
    let mut composer = RecordComposer::new(&document, &found.shape, &base);
    let mut builder = DocumentBuilder::new();
    while let Some(composed) = composer.next_document() {
        let composed = composed.expect("the corpus is not too large");
        let mode = LoadMode { json_values: composed.json_values, ..LoadMode::default() };
        let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader).with_load_mode(mode);
        processor.to_rdf(&composed.document, &mut builder).expect("what was composed is JSON-LD");
    }
    builder
}

fn python_time(file: &Path) -> Option<Duration> {
    let output = Command::new("python3").args(["-c", PYTHON]).arg(file).output().ok()?;
    let seconds = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn rows(count: usize) -> String {
    array((0..count).map(|row| records::row(row, count)))
}

/// Samples of the fixtures with ids and texts of their own.
fn samples(count: usize) -> String {
    let mut dataset = records::samples_of_each_category();
    let known = dataset["samples"].as_array().expect("it has samples").clone();
    let samples = (0..count).map(|number| records::sample(number, &known));
    dataset["samples"] = samples.collect::<Vec<_>>().into();
    serde_json::to_string_pretty(&dataset).expect("it is JSON")
}

fn feedback(count: usize) -> String {
    array((0..count).map(|record| records::feedback(record, count)))
}

fn array(records: impl Iterator<Item = String>) -> String {
    let records: Vec<String> = records.map(|record| format!("  {record}")).collect();
    format!("[\n{}\n]", records.join(",\n"))
}
