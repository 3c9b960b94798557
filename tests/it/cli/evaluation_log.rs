//! Logs of Inspect as inputs: the questions of their samples, each once, and logs that are damaged, bombs or not begun.

use super::input::run_at;
use evalgraph::json::Limits;
use evalgraph::source::evaluation_log::logged_questions;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const HEADER: &str =
    r#"{"version": 2, "status": "success", "eval": {"task": "boats", "model": "example/small"}}"#;

/// A log with these parts.
fn log(parts: &[(&str, &str)], method: CompressionMethod) -> Vec<u8> {
    let mut log = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        log.start_file(*name, SimpleFileOptions::default().compression_method(method))
            .expect("memory takes it");
        log.write_all(text.as_bytes()).expect("memory takes it");
    }
    log.finish().expect("memory takes it").into_inner()
}

/// Five samples: a string, choices, messages, several targets, and a second epoch of the first.
const PARTS: [(&str, &str); 7] = [
    ("_journal/start.json", HEADER),
    (
        "samples/1_epoch_2.json",
        r#"{"id": 1, "epoch": 2, "input": "Which boat is oldest?", "target": "Otter"}"#,
    ),
    (
        "samples/1_epoch_1.json",
        r#"{"id": 1, "epoch": 1, "input": "Which boat is oldest?", "target": "Otter",
        "messages": [], "scores": {"match": {"value": "C"}}}"#,
    ),
    (
        "samples/b_epoch_1.json",
        r#"{"id": "b", "input": "Which bay is smallest?", "choices": ["Pebble Bay", "Sand Bay"],
        "target": "A"}"#,
    ),
    (
        "samples/c_epoch_1.json",
        r#"{"id": "c", "input": [{"role": "system", "content": "Be short."},
        {"role": "user", "content": [{"type": "text", "text": "How \"deep\"?"}, {"type": "image", "image": "x"}]},
        {"role": "assistant", "content": "Where?"}, {"role": "user", "content": "At the pier."}], "target": ""}"#,
    ),
    ("samples/d_epoch_1.json", r#"{"id": "d", "input": "A shade of blue?", "target": ["navy", "azure"]}"#),
    ("header.json", HEADER),
];

fn questions(bytes: &[u8]) -> (String, String) {
    let read = logged_questions("a.eval", bytes, Limits::default());
    let read = read.expect("it is a log").expect("it is small");
    (read.lines, read.note.to_string())
}

#[test]
fn each_sample_is_a_question_whatever_compresses_it() {
    let read = questions(&log(&PARTS, CompressionMethod::Deflated));
    insta::assert_snapshot!(read.0, @r#"
    {"id": "1", "question": "Which boat is oldest?", "answer": "Otter"}
    {"id": "b", "question": "Which bay is smallest?\nA) Pebble Bay\nB) Sand Bay", "answer": "A"}
    {"id": "c", "question": "How \"deep\"?\n\nAt the pier.", "answer": ""}
    {"id": "d", "question": "A shade of blue?", "answer": "navy; azure"}
    "#);
    insta::assert_snapshot!(read.1, @"a.eval: log::questions: the log of the task `boats` by `example/small` gives 4 questions from 5 samples; what models answered is not read; 1 question has several targets, which are joined by `; `");
    for method in [CompressionMethod::Stored, CompressionMethod::Zstd] {
        assert_eq!(questions(&log(&PARTS, method)), read, "{method}");
    }
}

#[test]
fn a_log_is_read_wherever_rows_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = log(&PARTS, CompressionMethod::Zstd);
    fs::write(folder.path().join("a.eval"), &bytes).expect("the folder is ours");
    fs::write(folder.path().join("a.jsonl"), questions(&bytes).0).expect("the folder is ours");
    let commands: [&[&str]; 6] = [
        &["stats"],
        &["convert", "--to", "nt"],
        &["convert", "--to", "karenina"],
        &["query", "-n", "question-cards"],
        &["filter", "--text", "bay"],
        &["new"],
    ];
    for command in commands {
        let of = |file: &str| {
            let (status, stdout, _) = run_at(0, folder.path(), &[command, &[file]].concat());
            (status, stdout.replace(file, "FILE"))
        };
        assert_eq!(of("a.eval"), of("a.jsonl"), "{command:?}");
    }
}

#[test]
fn a_log_that_is_damaged_empty_or_a_bomb_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = |bytes: &[u8], options: &[&str]| {
        fs::write(folder.path().join("a.eval"), bytes).expect("the folder is ours");
        let (status, _, stderr) = run_at(0, folder.path(), &[&["stats", "a.eval"], options].concat());
        assert_eq!(status, 2, "{stderr}");
        stderr
    };
    let of = |parts: &[(&str, &str)]| log(parts, CompressionMethod::Deflated);
    insta::assert_snapshot!(said(&of(&[("header.json", HEADER)]), &[]), @r"
    a.eval: error[log::empty]: the log of the task `boats` by `example/small` has no samples
     = help: wait until the evaluation has run, or name another log
    ");
    let without_input = ("samples/1_epoch_1.json", r#"{"id": 1}"#);
    insta::assert_snapshot!(said(&of(&[("header.json", HEADER), without_input]), &[]), @r#"
    a.eval/samples/1_epoch_1.json:1:1: error[log::damaged]: the sample has no `input`, so it is not known what was asked
    1 | {"id": 1}
      | ^
      = help: copy the log again, or open it in Inspect: `inspect log dump FILE`
    "#);
    let broken = ("samples/1_epoch_1.json", "{\"id\": 1,\n \"input\": tru}");
    insta::assert_snapshot!(said(&of(&[("header.json", HEADER), broken]), &[]), @r#"
    a.eval/samples/1_epoch_1.json:2:11: error[json::bare-word]: `tru` is neither a string in double quotes nor `true`, `false` or `null`
    2 |  "input": tru}
      |           ^^^
    "#);
    let long = format!(r#"{{"id": 1, "input": "{}"}}"#, "x".repeat(100_000));
    let bomb = of(&[("header.json", HEADER), ("samples/1_epoch_1.json", &long)]);
    insta::assert_snapshot!(said(&bomb, &["--max-size", "10KiB"]), @r"
    error[input::too-large]: `a.eval` decompresses (zip) to more than 10,240 bytes
     = help: raise the limit with `--max-size`, for example `--max-size 4GiB`
    ");
    let good = of(&PARTS);
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x55;
        // Anything but a panic: a byte of a text may change without a fault.
        let _ = logged_questions("a.eval", &bad, Limits::default());
        if let Err(fault) = logged_questions("a.eval", &good[..at], Limits::default()) {
            assert_eq!(fault.code, "log::damaged", "{at}");
        }
    }
}

#[test]
fn a_log_of_others_becomes_a_checkpoint() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (status, stdout, stderr) = run_at(0, folder, &["new", "fixtures/foreign/inspect-log.eval"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("\"text\": \"Which boat is oldest?\""), "{stdout}");
    insta::assert_snapshot!(stderr, @r"
    fixtures/foreign/inspect-log.eval: note[log::questions]: the log of the task `boats` by `example/small-model` gives 1 question; what models answered is not read
    note[new::questions]: 1 question
    ");
}
