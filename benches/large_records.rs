//! `stats` over files of records of any size: the most memory that the program has had, and the time.
//!
//! `cargo bench --profile dist --bench large_records` makes a file of each form of 200 MB, one after the other;
//! `EVALGRAPH_BENCH_BYTES=2000000000` makes larger ones. Memory is what the system says of the process
//! (Linux, `proc(5)`, `VmHWM`), looked at while it runs.

mod support;

use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use support::children::peak_memory;
use support::records;

/// The most memory that is allowed, whatever the size of the file.
const MOST_MEMORY: u64 = 500_000_000;

fn main() {
    let bytes = std::env::var("EVALGRAPH_BENCH_BYTES").ok().and_then(|bytes| bytes.parse().ok());
    let bytes: u64 = bytes.unwrap_or(200_000_000);
    let folder = tempfile::tempdir().expect("a folder for the files");
    let known = records::samples_of_each_category();
    let samples = known["samples"].as_array().expect("it has samples");
    let row = |number| records::row(number, 1 << 24);
    let feedback = |number| records::feedback(number, 1 << 24);
    let sample = |number| records::sample(number, samples).to_string();
    let (open, close) = around(&known);
    let mut is_within = true;
    let mut measure = |name: &str, what: &str, write: &dyn Fn(&Path)| {
        let file = folder.path().join(name);
        write(&file);
        is_within &= stats(&file, what);
        std::fs::remove_file(file).expect("the file is ours");
    };
    measure("rows.jsonl", "train.json rows, one a line", &|file| lines(file, bytes, &row));
    measure("rows.json", "train.json rows, an array", &|file| list(file, bytes, ("[", "]"), &row));
    measure("feedback.jsonl", "RLCF feedback, one a line", &|file| lines(file, bytes, &feedback));
    measure("samples.json", "Kwanzaa samples, in an object", &|file| {
        list(file, bytes, (&open, &close), &sample);
    });
    if !is_within {
        std::process::exit(1);
    }
}

/// The text of a dataset of Kwanzaa before its samples, and behind them.
fn around(dataset: &Value) -> (String, String) {
    let mut dataset = dataset.clone();
    dataset["samples"] = Value::Array(Vec::new());
    let text = dataset.to_string();
    let (open, close) = text.split_once("\"samples\":[").expect("it has samples");
    (format!("{open}\"samples\":["), close.to_owned())
}

fn writer(file: &Path) -> BufWriter<File> {
    BufWriter::new(File::create(file).expect("the file can be made"))
}

/// Writes records one a line until there are that many bytes.
fn lines(file: &Path, bytes: u64, record: &dyn Fn(usize) -> String) {
    let (mut written, mut number, mut out) = (0, 0, writer(file));
    while written < bytes {
        let line = record(number).replace("\n    ", "").replace('\n', "");
        writeln!(out, "{line}").expect("there is room");
        written += line.len() as u64 + 1;
        number += 1;
    }
}

/// Writes a list of records of that many bytes, with something around it.
fn list(file: &Path, bytes: u64, (open, close): (&str, &str), record: &dyn Fn(usize) -> String) {
    let (mut written, mut number, mut out) = (0, 0, writer(file));
    out.write_all(open.as_bytes()).expect("there is room");
    while written < bytes {
        let record = record(number);
        write!(out, "{}\n  {record}", if number > 0 { "," } else { "" }).expect("there is room");
        written += record.len() as u64 + 4;
        number += 1;
    }
    write!(out, "\n{close}").expect("there is room");
}

/// Runs `stats`, and prints what it took; false where that is too much.
fn stats(file: &Path, what: &str) -> bool {
    let size = std::fs::metadata(file).expect("the file is there").len();
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalgraph"));
    let child = command.arg("stats").arg(file).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = child.spawn().expect("the program starts");
    let peak = peak_memory(&mut child, "VmHWM");
    let time = start.elapsed();
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "`stats` has read {}", file.display());
    let text = String::from_utf8(output.stdout).expect("the program speaks UTF-8");
    println!("{}", text.lines().skip(1).collect::<Vec<_>>().join("\n"));
    let Some(peak) = peak else {
        println!(
            "{what}: {:.2} GB, {:.1} s; nobody tells how much memory",
            gigabytes(size),
            time.as_secs_f64()
        );
        return true;
    };
    let verdict = if peak <= MOST_MEMORY { "within" } else { "MORE THAN" };
    println!(
        "{what}: {:.2} GB, {:.1} s, at most {:.0} MB of memory: {verdict} {:.0} MB\n",
        gigabytes(size),
        time.as_secs_f64(),
        peak as f64 / 1e6,
        MOST_MEMORY as f64 / 1e6
    );
    peak <= MOST_MEMORY
}

fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}
