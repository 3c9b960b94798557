//! Two checkpoints of 10,000 questions of which ten differ: `diff` as a whole process, beside loading
//! one of them (`stats`).

#[path = "support/mod.rs"]
mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::checkpoint;
use support::table::{Bar, Table};

const RUNS: u32 = 5;
const QUESTIONS: usize = 10_000;
const CHANGED: usize = 10;

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the corpora");
    let (old, new) = (folder.path().join("old.jsonld"), folder.path().join("new.jsonld"));
    let text = checkpoint::text(QUESTIONS);
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("the corpus is JSON");
    let items = json["hasPart"].as_array_mut().expect("the corpus has items");
    for item in items.iter_mut().step_by(QUESTIONS / CHANGED) {
        item["item"]["acceptedAnswer"]["text"] = "another answer".into();
    }
    let json = serde_json::to_string_pretty(&json).expect("it was JSON");
    std::fs::write(&old, text).expect("the corpus can be written");
    std::fs::write(&new, json).expect("the corpus can be written");
    let load = wall(&["stats"], &[&old]);
    let mut table = Table::default();
    for format in ["text", "json"] {
        let diff = wall(&["diff", "--format", format], &[&old, &new]);
        let what = format!("diff, 2 × {QUESTIONS} questions, {CHANGED} differ, {format} (wall)");
        table.row(&what, "loading one", (diff, load), Bar::AtMost(3.0));
    }
    table.print();
}

/// The shortest of several runs.
fn wall(arguments: &[&str], files: &[&Path]) -> Duration {
    let run = || {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_evalgraph"));
        command.args(arguments).args(files).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().expect("the program starts");
        start.elapsed()
    };
    (0..RUNS).map(|_| run()).min().expect("there are runs")
}
