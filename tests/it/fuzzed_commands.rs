//! Whole commands over files that nobody would write: mutants of the fixtures in every syntax, and small files made of
//! the signs and words of a syntax. Each command has to end by itself within bounds of time and memory, with an exit
//! status that means something, and to say why where it refuses.
//!
//! A case is drawn from a seed and its number alone. A few hundred are tried; `EVALGRAPH_FUZZ_SECONDS` goes on for as
//! long as it says, `EVALGRAPH_FUZZ_SEED` draws others, and `EVALGRAPH_FUZZ_CASE` tries one, and keeps its files.

mod commands;
mod files;
mod json_mutants;
mod made_up;
mod mutants;
mod words;

use commands::Steps;
use files::{Case, Role};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Cases between two looks at the clock.
const ROUND: u64 = 64;

/// Cases where no time is given.
const FEW: u64 = 4 * ROUND;

/// The most time on a processor that a command may take over a small file, in seconds.
const SECONDS: u32 = 10;

/// The most address space that a command may ask for, in KiB: stacks of threads and maps of files included.
const ROOM: u32 = 3_000_000;

/// A request may ask for a product that nothing finishes or holds: it ends within the limits of the program.
const PRODUCTS: [&str; 4] = ["--timeout", "5", "--max-memory", "500M"];

/// A number that the environment says.
fn said(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number, and `{value}` is none")))
}

/// A case: its files in a folder, and the commands over them.
fn drawn(seed: u64, number: u64, folder: &Path) -> (Case, &'static Steps) {
    let mut random = StdRng::seed_from_u64(seed.wrapping_mul(1 << 32).wrapping_add(number));
    let case = files::drawn(&mut random);
    let steps = commands::drawn(&mut random, case.role);
    std::fs::write(folder.join(&case.name), &case.bytes).expect("the folder is ours");
    std::fs::write(folder.join(files::base(case.extension())), &case.base).expect("the folder is ours");
    (case, steps)
}

/// The arguments of a step over the files of a case.
fn arguments<'c>(case: &'c Case, step: &[&'c str]) -> Vec<&'c str> {
    let limits = if matches!(case.role, Role::Query | Role::Update) { &PRODUCTS[..] } else { &[] };
    step.iter().map(|word| case.filled(word)).chain(limits.iter().copied()).collect()
}

/// Runs a command under limits that the system keeps.
fn ended(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -c 0 && ulimit -t {SECONDS} && ulimit -v {ROOM} && exec \"$0\" \"$@\""))
        .arg(crate::program::PATH)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

/// The fault of what a command did, if there is one.
fn fault(output: &Output) -> Option<String> {
    let Ok(stderr) = std::str::from_utf8(&output.stderr) else {
        return Some("stderr is not UTF-8".to_owned());
    };
    if stderr.contains("panicked at") {
        return Some("it panicked".to_owned());
    }
    match output.status.code() {
        None => return Some(format!("it did not end by itself: {}", output.status)),
        Some(0 | 1) => {}
        Some(2) if stderr.contains("error") => {}
        Some(2) => return Some("it refuses, and does not say why".to_owned()),
        Some(other) => return Some(format!("the exit status {other} means nothing")),
    }
    let is_raw = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    stderr.chars().find(|letter| is_raw(*letter)).map(|letter| format!("{letter:?} goes to the terminal"))
}

/// A word of a file that `--to same` has lost without saying anything.
///
/// Files that RDF is written in come back as the same statements, not the same words.
fn lost(case: &Case, step: &[&str], output: &Output) -> Option<String> {
    let is_told = output.status.code() != Some(0) || !output.stderr.is_empty();
    let is_of_records = ["json", "jsonl", "yaml", "csv"].contains(&case.extension());
    if is_told || !is_of_records || !step.ends_with(&["FILE", "--to", "same"]) {
        return None;
    }
    let is_letter = |letter: char| letter.is_ascii_alphabetic();
    let words = |text: &[u8]| -> BTreeSet<String> {
        let text = String::from_utf8_lossy(text);
        text.split(|letter| !is_letter(letter)).filter(|word| word.len() > 5).map(str::to_owned).collect()
    };
    let missing: Vec<String> = words(&case.bytes).difference(&words(&output.stdout)).cloned().collect();
    (!missing.is_empty()).then(|| format!("{missing:?} is lost without a word"))
}

/// Every fault of a case, told with the command.
fn faults(seed: u64, number: u64) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (case, steps) = drawn(seed, number, folder.path());
    let mut found = Vec::new();
    for step in *steps {
        let arguments = arguments(&case, step);
        let output = ended(folder.path(), &arguments);
        if let Some(fault) = fault(&output).or_else(|| lost(&case, step, &output)) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let first: String = stderr.chars().take(600).collect();
            found.push(format!("EVALGRAPH_FUZZ_SEED={seed} EVALGRAPH_FUZZ_CASE={number}: evalgraph {arguments:?}: {fault}\n{first}"));
        }
    }
    found
}

/// Puts the files of one case where they can be looked at, and says what each command did.
fn looked_at(seed: u64, number: u64) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzzed-{seed}-{number}"));
    std::fs::create_dir_all(&folder).expect("the folder is ours");
    let (case, steps) = drawn(seed, number, &folder);
    println!("{}: {} from {}", folder.display(), case.name, case.origin);
    for step in *steps {
        let line = arguments(&case, step);
        let output = ended(&folder, &line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        println!(
            "evalgraph {}: {}: {}",
            line.join(" "),
            output.status,
            stderr.lines().next().unwrap_or_default()
        );
    }
    faults(seed, number)
}

#[cfg(unix)]
#[test]
fn commands_end_by_themselves_over_any_file() {
    let seed = said("EVALGRAPH_FUZZ_SEED").unwrap_or(1);
    let found = match (said("EVALGRAPH_FUZZ_CASE"), said("EVALGRAPH_FUZZ_SECONDS")) {
        (Some(number), _) => looked_at(seed, number),
        (None, None) => (0..FEW).into_par_iter().flat_map(|number| faults(seed, number)).collect(),
        (None, Some(seconds)) => {
            let end = Instant::now() + Duration::from_secs(seconds);
            let rounds = (0..).step_by(ROUND as usize).take_while(|_| Instant::now() < end);
            let mut found = Vec::new();
            let mut tried = 0;
            for begin in rounds {
                let round = (begin..begin + ROUND).into_par_iter();
                found.extend(round.flat_map(|number| faults(seed, number)).collect::<Vec<_>>());
                tried = begin + ROUND;
            }
            println!("{tried} cases, {} faults", found.len());
            found
        }
    };
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}
