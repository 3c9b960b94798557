//! Whole processes: what a person waits for, beside what people run today for the same answer.
//!
//! CPU is what the system counts for finished children (Linux, `proc(5)`), in hundredths of a
//! second, so that several runs are added up. A peer that is not installed is left out, and said.

#[path = "support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::checkpoint;
use support::children::{cpu, wall};
use support::table::{Bar, Table};

const RUNS: u32 = 5;

const RATING_DISTRIBUTION: &str = "SELECT ?name ?value (COUNT(*) AS ?n) \
     WHERE { ?r a s:Rating ; s:name ?name ; s:ratingValue ?value } GROUP BY ?name ?value";

const PYTHON: &str = "import collections, json, sys
data = json.load(open(sys.argv[1], encoding='utf-8'))
count = collections.Counter((r['name'], r['ratingValue']) for i in data['hasPart'] for r in i['item']['rating'])
for (name, value), n in sorted(count.items()):
    print(name, value, n)";

const JQ: &str = "[.hasPart[].item.rating[] | [.name, .ratingValue]] | group_by(.) | map([.[0][], length])";

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the corpora");
    let large = folder.path().join("large.jsonld");
    let small = folder.path().join("small.jsonld");
    std::fs::write(&large, checkpoint::text(10_000)).expect("the corpus can be written");
    std::fs::write(&small, checkpoint::text(1_000)).expect("the corpus can be written");
    rating_distribution(&large);
    waiting(&small);
    eight_files(&large, folder.path());
    near_duplicates(folder.path());
}

/// Wall time of finding 400 questions that were changed in one letter among 20,000, beside what a person waits for
/// without wondering: 2 s.
fn near_duplicates(folder: &Path) {
    let text = |number: u32| {
        let words =
            (0..12).map(|word| format!("{:x}", number.wrapping_mul(2_654_435_761).rotate_left(word * 5)));
        words.collect::<Vec<_>>().join(" ")
    };
    let line =
        |id: u32, text: &str| format!("{{\"id\": {id}, \"question\": \"{text}?\", \"answer\": \"a\"}}\n");
    let questions = (0..20_000).map(|number| line(number, &text(number)));
    let planted = (0..400).map(|number| line(20_000 + number, &text(number * 49).replacen('a', "z", 1)));
    let file = folder.join("near.jsonl");
    std::fs::write(&file, questions.chain(planted).collect::<String>()).expect("the corpus can be written");
    let dedupe = wall(RUNS, || {
        let mut command = evalgraph();
        command
            .arg("dedupe")
            .arg(&file)
            .args(["--near", "0.9", "--quiet", "-o"])
            .arg(folder.join("clean.jsonl"));
        command
    });
    let kept = std::fs::read_to_string(folder.join("clean.jsonl")).expect("it was written").lines().count();
    let mut table = Table::default();
    let what = format!("dedupe --near 0.9, 20,400 questions, {kept} kept (wall)");
    table.row(&what, "2 s", (dedupe, Duration::from_secs(2)), Bar::AtMost(1.0));
    table.print();
}

fn evalgraph() -> Command {
    Command::new(env!("CARGO_BIN_EXE_evalgraph"))
}

/// CPU of the whole process over 10,000 questions.
fn rating_distribution(file: &Path) {
    let ours = cpu(RUNS, || {
        let mut command = evalgraph();
        command.arg("query").arg(file).args(["-q", RATING_DISTRIBUTION]);
        command
    });
    let Some(ours) = ours else { panic!("the query runs") };
    let mut table = Table::default();
    let jq = cpu(RUNS, || {
        let mut command = Command::new("jq");
        command.arg("-c").arg(JQ).arg(file);
        command
    });
    let python = cpu(RUNS, || {
        let mut command = Command::new("python3");
        command.args(["-c", PYTHON]).arg(file);
        command
    });
    for (peer, theirs, most) in [("jq", jq, 0.4), ("Python json", python, 0.7)] {
        match theirs {
            Some(theirs) => {
                table.row("rating distribution, 10,000 questions", peer, (ours, theirs), Bar::AtMost(most));
            }
            None => println!("left out: {peer} is not here"),
        }
    }
    table.print();
}

/// Wall time of small runs, beside the 100 ms that the specification of the format gives a parser.
fn waiting(file: &Path) {
    let specification = Duration::from_millis(100);
    let mut table = Table::default();
    let stats = wall(RUNS, || {
        let mut command = evalgraph();
        command.arg("stats").arg(file);
        command
    });
    table.row(
        "stats, 1,000 questions (wall)",
        "the format's 100 ms",
        (stats, specification),
        Bar::AtMost(0.4),
    );
    let query = wall(RUNS, || {
        let mut command = evalgraph();
        command.arg("query").arg(file).args(["-q", RATING_DISTRIBUTION]);
        command
    });
    table.row(
        "a query, 1,000 questions (wall)",
        "the format's 100 ms",
        (query, specification),
        Bar::AtMost(0.4),
    );
    table.print();
}

/// Wall time of loading eight equal files with two threads and with one.
fn eight_files(file: &Path, folder: &Path) {
    let copies: Vec<_> = (0..8)
        .map(|number| {
            let copy = folder.join(format!("copy{number}.jsonld"));
            std::fs::copy(file, &copy).expect("the corpus can be copied");
            copy
        })
        .collect();
    let load = |threads: &str| {
        wall(RUNS, || {
            let mut command = evalgraph();
            command.env("RAYON_NUM_THREADS", threads).arg("query").args(&copies).args(["-q", "ASK {}"]);
            command
        })
    };
    let mut table = Table::default();
    table.row("8 equal files, two threads (wall)", "one thread", (load("2"), load("1")), Bar::AtMost(0.65));
    table.print();
}
