//! The start of the program, which decides what a small query costs: CPU of whole processes, beside that of a
//! program in C that does nothing.
//!
//! `cargo bench --profile dist --bench start` prints medians of runs in turn over a store of 10,000 questions;
//! `EVALGRAPH_BENCH_RUNS` sets how many (300). It needs `cc`. The program is copied first, as an installation does: of a
//! file that a linker has just written the system has single pages, each of which it maps on its own, and `ASK {}` takes
//! a third more.

#[path = "support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

use support::checkpoint;
use support::children::{evalgraph, run};

/// How many questions the store has.
const QUESTIONS: usize = 10_000;

/// A program that does nothing.
const EMPTY: &str = "int main(void) { return 0; }\n";

/// A program that tells the CPU of another: the standard library gives no way to ask for that of one process.
const STOPWATCH: &str = include_str!("support/stopwatch.c");

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the store");
    let folder = folder.path();
    let (Some(stopwatch), Some(empty)) =
        (compiled(folder, "stopwatch", STOPWATCH), compiled(folder, "empty", EMPTY))
    else {
        eprintln!("NOTHING IS MEASURED: there is no `cc`, which the program to compare with is made by");
        exit(2);
    };
    let point = store(folder);
    let program = folder.join("evalgraph");
    std::fs::copy(env!("CARGO_BIN_EXE_evalgraph"), &program).expect("there is room");
    let runs: [(&str, &Path, Vec<&str>); 4] = [
        ("an empty program in C", &empty, vec![]),
        ("--version", &program, vec!["--version"]),
        ("query -q 'ASK {}'", &program, vec!["query", "-q", "ASK {}"]),
        ("a point query", &program, vec!["query", "-q", &point]),
    ];
    let count =
        std::env::var("EVALGRAPH_BENCH_RUNS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    let mut times = vec![Vec::new(); runs.len()];
    for _ in 0..count {
        for ((_, program, arguments), times) in runs.iter().zip(&mut times) {
            times.push(cpu(&stopwatch, folder, program, arguments));
        }
    }
    println!("{:<24} {:>11} {:>11} {:>6}", "what (CPU time)", "median", "least", "ratio");
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    for (((what, ..), times), median) in runs.iter().zip(&times).zip(&medians) {
        let least = times[0] / 1e3;
        println!("{what:<24} {:>8.3} ms {least:>8.3} ms {:>6.2}", median / 1e3, median / medians[0]);
    }
}

/// Compiles a program in C; none where there is no compiler.
fn compiled(folder: &Path, name: &str, text: &str) -> Option<PathBuf> {
    let (source, program) = (folder.join(name).with_extension("c"), folder.join(name));
    std::fs::write(&source, text).expect("there is room");
    run(Command::new("cc").arg("-O2").arg(&source).arg("-o").arg(&program))?;
    Some(program)
}

/// Makes the store in a folder, and returns a query of one of its questions.
fn store(folder: &Path) -> String {
    let file = checkpoint::write_into(folder, QUESTIONS);
    run(evalgraph(folder).arg("init")).expect("the store can be made");
    run(evalgraph(folder).arg("load").arg(&file)).expect("the file can be loaded");
    let text = std::fs::read_to_string(&file).expect("the file is there");
    let mut questions = text.match_indices("urn:uuid:question-");
    let (start, _) = questions.nth(QUESTIONS / 2).expect("there are questions");
    let (question, _) = text[start..].split_once('"').expect("the IRI has an end");
    format!("SELECT ?p ?o {{ <{question}> ?p ?o }}")
}

/// Microseconds of CPU that a run takes.
fn cpu(stopwatch: &Path, folder: &Path, program: &Path, arguments: &[&str]) -> f64 {
    let output = Command::new(stopwatch).arg(program).args(arguments).current_dir(folder).output();
    let output = output.expect("the stopwatch runs");
    assert!(output.status.success(), "{} {arguments:?} runs", program.display());
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("the stopwatch prints a number")
}

/// The median of times, which are sorted for it.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
