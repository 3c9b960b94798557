//! Files of the systems that are no JSON-LD read into a queryable graph, beside Python's `json.load` of the
//! same file.
//!
//! `cargo bench --bench records` prints the table; `EVALGRAPH_BENCH_SHARE` takes a hundredth of the records
//! for each 1 (100).

mod support;

use evalgraph::json::{self, Limits};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, LoadMode, NoLoader};
use evalgraph::source::records::RecordComposer;
use evalgraph::source::system::recognise;
use evalgraph::store::{Dataset, DocumentBuilder, NamedDocument};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::clock;
use support::table::{Bar, Table};

const RUNS: usize = 5;

/// Reads a file, and prints the CPU time of that.
const PYTHON: &str = "import json, sys, time
start = time.process_time()
with open(sys.argv[1], encoding='utf-8') as file:
    json.load(file)
print(time.process_time() - start)";

/// Words for texts.
const WORDS: [&str; 24] = [
    "river", "mountain", "number", "year", "process", "library", "people", "answer", "question", "data",
    "station", "light", "energy", "music", "water", "forest", "history", "science", "measure", "result",
    "method", "paper", "system", "the",
];

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
    let found = recognise(&document, None).expect("it is of one system").expect("it is of a system");
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

/// Some words, always the same for the same number.
fn words(number: usize, count: usize) -> String {
    let mut state = number as u64 + 1;
    let mut text = String::new();
    for at in 0..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if at > 0 {
            text.push(' ');
        }
        text.push_str(WORDS[(state >> 33) as usize % WORDS.len()]);
    }
    text
}

fn rows(count: usize) -> String {
    let mut json = String::from("[\n");
    for row in 0..count {
        let is_impossible = row % 7 == 0;
        let (question, answer) = (words(row, 12), words(row + count, 15));
        let answer = if is_impossible { "-" } else { &answer };
        let context =
            format!("{{\"filename\": \"doc_{}.txt\", \"text\": \"{}\"}}", row % 5000, words(row * 2, 30));
        let contexts = if is_impossible { "" } else { &context };
        let comma = if row + 1 < count { "," } else { "" };
        let _ = writeln!(
            json,
            "  {{\n    \"id\": {row},\n    \"question\": \"{question} {row}?\",\n    \"answer\": \"{answer}\",\n    \
             \"is_impossible\": {is_impossible},\n    \"contexts\": [{contexts}]\n  }}{comma}"
        );
    }
    json.push(']');
    json
}

/// Samples of the fixtures with ids and texts of their own.
fn samples(count: usize) -> String {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kwanzaa/each-category.json");
    let text = std::fs::read_to_string(fixture).expect("the fixture is there");
    let mut dataset: serde_json::Value = serde_json::from_str(&text).expect("the fixture is JSON");
    let known = dataset["samples"].as_array().expect("it has samples").clone();
    let samples = (0..count).map(|number| {
        let mut sample = known[number % known.len()].clone();
        sample["sample_id"] = format!("sample_{number}").into();
        sample["user_query"] = format!("{} {number}?", words(number, 10)).into();
        for context in sample["retrieved_context"].as_array_mut().into_iter().flatten() {
            context["content"] = words(number * 3, 40).into();
        }
        sample
    });
    dataset["samples"] = samples.collect::<Vec<_>>().into();
    serde_json::to_string_pretty(&dataset).expect("it is JSON")
}

fn feedback(count: usize) -> String {
    let mut json = String::from("[\n");
    for record in 0..count {
        let comma = if record + 1 < count { "," } else { "" };
        let position = ["correct", "incorrect", "partially_correct"][record % 3];
        let _ = writeln!(
            json,
            "  {{\n    \"id\": {},\n    \"user_id\": {},\n    \"response_id\": {},\n    \"is_blind_phase\": true,\n    \
             \"accuracy_score\": {}.5,\n    \"utility_score\": {}.0,\n    \"transparency_score\": {}.5,\n    \
             \"feedback_data\": {{\n      \"validated_answer\": \"{}\",\n      \"position\": \"{position}\",\n      \
             \"reasoning\": \"{}\",\n      \"source_accuracy\": {},\n      \"completeness\": {}\n    }},\n    \
             \"community_helpfulness_rating\": {},\n    \"consistency_score\": null,\n    \
             \"correctness_score\": null,\n    \"submitted_at\": \"2026-03-0{}T10:{:02}:00\"\n  }}{comma}",
            record + 1,
            record % 300 + 1,
            record % 20_000 + 1,
            record % 10,
            record % 10,
            record % 7,
            words(record, 8),
            words(record + count, 20),
            record % 5 + 1,
            record % 4 + 1,
            record % 6,
            record % 9 + 1,
            record % 60
        );
    }
    json.push(']');
    json
}
