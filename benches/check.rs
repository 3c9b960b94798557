//! The check against schema.org beside loading, in CPU and in memory, and a whole process beside `stats`.
//!
//! `cargo bench --profile dist --bench check` prints the figures; `EVALGRAPH_BENCH_N` sets the number of questions, 100,000
//! where it is not set.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{JsonLdOptions, JsonLdProcessor, NoLoader};
use evalgraph::schema_org::{CheckOptions, DocumentLosses, LossCollector, check};
use evalgraph::store::{Dataset, NamedDocument};
use support::children::{cpu_to_any_end, evalgraph, peak_memory};
use support::table::{Bar, Table};
use support::{checkpoint, clock};

/// How many findings few are.
const FEW: usize = 10;

/// How many times as much memory as loading a check may have.
const MOST_MEMORY: f64 = 1.5;

/// How often a small process runs: the system counts hundredths of a second.
const RUNS: u32 = 200;

/// The rules that find something in each question besides the one that is counted.
const SILENT: [&str; 8] = [
    "--level",
    "domain=off",
    "--level",
    "range=off",
    "--level",
    "datatype=off",
    "--level",
    "text-for-object=off",
];

const PAGE: &str = r#"<html><head><script type="application/ld+json">
{
  "@context": "https://schema.org",
  "@type": "Dataset",
  "name": "Questions on cells",
  "description": "Questions on cells and their parts, each with an answer and a source.",
  "url": "https://example.org/cells",
  "license": "https://creativecommons.org/licenses/by/4.0/",
  "creator": { "@type": "Person", "name": "Ann Example", "url": "https://example.org/ann" },
  "dateCreated": "2026-01-05",
  "keywords": ["biology", "cells"],
  "distribution": {
    "@type": "DataDownload",
    "contentUrl": "https://example.org/cells.jsonl",
    "encodingFormat": "application/jsonl"
  },
  "hasPart": { "@type": "Question", "text": "What is the powerhouse of the cell?",
    "acceptedAnswer": { "@type": "Answer", "text": "The mitochondrion." } }
}
</script></head><body><p>A page about questions on cells, with a text for people.</p></body></html>
"#;

fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_N").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let mut table = Table::default();
    let many = checkpoint::text(questions);
    let few = with_few_findings(&many);
    for (what, text) in [("all rules", &many), ("few findings", &few)] {
        let (dataset, losses) = loaded(text);
        let found = checked(&dataset, &losses);
        let times = clock::in_turns(3, || (), |()| checked(&dataset, &losses), || loaded(text));
        let what = format!("check, {questions} questions, {what}: {found}");
        table.row(&what, "loading", times, Bar::AtMost(1.0));
    }
    let folder = tempfile::tempdir().expect("a folder for the corpora");
    std::fs::write(folder.path().join("many.jsonld"), many).expect("there is room");
    std::fs::write(folder.path().join("few.jsonld"), few).expect("there is room");
    std::fs::write(folder.path().join("page.html"), PAGE).expect("there is room");
    let of = |command: &str| {
        cpu_to_any_end(RUNS, || {
            let mut program = evalgraph(folder.path());
            program.args([command, "page.html"]);
            program
        })
    };
    let times = (of("check"), of("stats"));
    let times = times.0.zip(times.1).expect("the program runs");
    table.row("a page of 1 KB, whole process", "stats", times, Bar::AtMost(3.0));
    let holds = table.print();
    if !memory_holds(folder.path()) || !holds {
        std::process::exit(1);
    }
}

/// The text with a property that schema.org has in the place of one that it does not have, but for the first ones.
fn with_few_findings(text: &str) -> String {
    let unknown = "\"rating\": [";
    let end = text.match_indices(unknown).nth(FEW).map_or(text.len(), |(at, _)| at);
    format!("{}{}", &text[..end], text[end..].replace(unknown, "\"contentRating\": ["))
}

fn loaded(text: &str) -> (Dataset, DocumentLosses) {
    let document = parse("checkpoint", text.to_owned(), Limits::default()).map(Arc::new).expect("it is JSON");
    let mut collector = LossCollector::new();
    let mut processor = JsonLdProcessor::new(JsonLdOptions::default(), &NoLoader);
    processor.to_rdf(&document, &mut collector).expect("it is JSON-LD");
    let (builder, losses) = collector.into_parts();
    let document = NamedDocument { graph: "urn:checkpoint".to_owned(), builder };
    (Dataset::from_documents(vec![document]), losses)
}

fn checked(dataset: &Dataset, losses: &DocumentLosses) -> u64 {
    let mut found = 0;
    check(dataset, Some(losses), &CheckOptions::default(), |_| found += 1).expect("nothing cancels it");
    found
}

/// Prints the most memory of checks with few and many findings beside that of loading; tells whether the bar holds.
fn memory_holds(folder: &Path) -> bool {
    let loading = memory(evalgraph(folder).args(["query", "many.jsonld", "--plain", "-q", "ASK {}"]));
    let mut holds = true;
    for file in ["few.jsonld", "many.jsonld"] {
        let arguments = ["check", file, "--format", "jsonl"];
        let taken = memory(evalgraph(folder).args(arguments).args(SILENT));
        let ratio = taken as f64 / loading as f64;
        holds &= ratio < MOST_MEMORY;
        let judged = if ratio < MOST_MEMORY { "ok" } else { "MISSED" };
        let (taken, loading) = (taken as f64 / 1e6, loading as f64 / 1e6);
        println!("{file}: {taken:.0} MB, loading {loading:.0} MB: {ratio:.2} (bar {MOST_MEMORY}) {judged}");
    }
    holds
}

fn memory(command: &mut Command) -> u64 {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    peak_memory(&mut child, "VmHWM").expect("the system tells the memory of processes")
}
