//! Loading a checkpoint that is larger than what should be held of it: the most anonymous memory that the process
//! has (Linux, `proc(5)`, `RssAnon`), and the time that a million quads take beside a checkpoint of 100,000
//! questions.
//!
//! `EVALGRAPH_BENCH_QUESTIONS` sets the size, 1,000,000 where it is not set: 4 GB of text, as much again of
//! store and runs, and some minutes. `cargo bench --profile dist --bench disk -- scale` prints the figures.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::checkpoint;
use crate::support::children::{evalgraph, peak_memory, run};

/// The questions of the checkpoint that the large one is checked against.
const COMPARED: usize = 100_000;

/// The most memory.
const MOST_MEMORY: u64 = 3_000_000_000;

/// How many times as long a quad may take.
const MOST_TIME: f64 = 1.3;

pub(crate) fn main() {
    let questions = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|text| text.parse().ok());
    let compared = load(COMPARED);
    let large = load(questions.unwrap_or(1_000_000));
    let ratio = large.per_million.as_secs_f64() / compared.per_million.as_secs_f64();
    let judged = |holds: bool| if holds { "ok" } else { "MISSED" };
    println!(
        "time of a million quads: {ratio:.2} times as long (bar {MOST_TIME}) {}",
        judged(ratio <= MOST_TIME)
    );
    let is_small = large.memory.is_none_or(|memory| memory <= MOST_MEMORY);
    println!("memory: bar {:.1} GB {}", MOST_MEMORY as f64 / 1e9, judged(is_small));
    if ratio > MOST_TIME || !is_small {
        std::process::exit(1);
    }
}

/// What a load takes.
struct Taken {
    per_million: Duration,
    memory: Option<u64>,
}

fn load(questions: usize) -> Taken {
    let folder = tempfile::tempdir().expect("a folder for the corpus");
    let file = checkpoint::write_into(folder.path(), questions);
    run(evalgraph(folder.path()).arg("init")).expect("the store is made");
    let mut command = evalgraph(folder.path());
    command.arg("load").arg(&file).args(["--max-size", "1MiB"]);
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let memory = peak_memory(&mut child, "RssAnon");
    let time = start.elapsed();
    assert!(child.wait().expect("the program ends").success(), "the file is loaded");
    let quads = checkpoint::quads(questions);
    let per_million = time.mul_f64(1e6 / quads as f64);
    println!(
        "{questions} questions, {quads} quads: {:.1} s, {:.2} s a million quads, {} of memory",
        time.as_secs_f64(),
        per_million.as_secs_f64(),
        memory.map_or_else(
            || "nobody knows how much".to_owned(),
            |memory| format!("{:.0} MB", memory as f64 / 1e6)
        )
    );
    Taken { per_million, memory }
}
