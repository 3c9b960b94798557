//! Logs of Inspect as inputs: the document that an archive becomes, and logs that are damaged, bombs or not begun.

use super::input::run_at;
use evalgraph::json::Limits;
use evalgraph::source::evaluation_log::logged_run;
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

fn document(bytes: &[u8]) -> String {
    let read = logged_run("a.eval", bytes, Limits::default());
    let read = read.expect("it is a log").expect("it is small");
    assert!(read.note.is_none(), "{:?}", read.note);
    read.json
}

#[test]
fn a_log_is_one_document_whatever_compresses_it() {
    let read = document(&log(&PARTS, CompressionMethod::Deflated));
    insta::assert_snapshot!(read, @r#"
    {"version": 2,
    "status": "success",
    "eval": {"task":"boats","model":"example/small"},
    "samples": [
    {"id":1,"epoch":1,"input":"Which boat is oldest?","target":"Otter","messages":[],"scores":{"match":{"value":"C"}}},
    {"id":1,"epoch":2,"input":"Which boat is oldest?","target":"Otter"},
    {"id":"b","input":"Which bay is smallest?","choices":["Pebble Bay","Sand Bay"],"target":"A"},
    {"id":"c","input":[{"role":"system","content":"Be short."},{"role":"user","content":[{"type":"text","text":"How \"deep\"?"},{"type":"image","image":"x"}]},{"role":"assistant","content":"Where?"},{"role":"user","content":"At the pier."}],"target":""},
    {"id":"d","input":"A shade of blue?","target":["navy","azure"]}]}
    "#);
    for method in [CompressionMethod::Stored, CompressionMethod::Zstd] {
        assert_eq!(document(&log(&PARTS, method)), read, "{method}");
    }
}

/// Samples are in the order of the dataset, then by number or text.
#[test]
fn samples_are_in_the_order_of_the_run() {
    let header = r#"{"eval": {"task": "boats", "model": "m", "dataset": {"sample_ids": ["z", 2]}}}"#;
    let names = ["10_epoch_1", "9_epoch_1", "2_epoch_2", "z_epoch_1", "a_epoch_1", "2_epoch_1"];
    let parts: Vec<(String, String)> = names
        .iter()
        .map(|name| (format!("samples/{name}.json"), format!("\"{name}\"")))
        .chain([("header.json".to_owned(), header.to_owned())])
        .collect();
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let read = document(&log(&parts, CompressionMethod::Stored));
    let order: Vec<&str> =
        read.lines().filter_map(|line| line.strip_prefix('"')?.split('"').next()).collect();
    let expected = ["samples", "z_epoch_1", "2_epoch_1", "2_epoch_2", "9_epoch_1", "10_epoch_1", "a_epoch_1"];
    assert_eq!(order, expected);
}

#[test]
fn a_log_says_the_same_as_its_document() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = log(&PARTS, CompressionMethod::Zstd);
    fs::write(folder.path().join("a.eval"), &bytes).expect("the folder is ours");
    fs::write(folder.path().join("a.json"), document(&bytes)).expect("the folder is ours");
    let commands: [&[&str]; 6] = [
        &["stats"],
        &["convert", "--to", "nt"],
        &["convert", "--to", "karenina"],
        &["query", "-n", "results"],
        &["query", "-n", "question-cards"],
        &["validate"],
    ];
    for command in commands {
        let of = |file: &str| {
            let (status, stdout, _) = run_at(0, folder.path(), &[command, &[file]].concat());
            (status, stdout.replace(file, "FILE"))
        };
        assert_eq!(of("a.eval"), of("a.json"), "{command:?}");
    }
}

/// A run that did not end has what it began with, and the samples that were finished.
#[test]
fn a_run_that_broke_off_is_read_and_a_note_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = log(&PARTS[..3], CompressionMethod::Deflated);
    fs::write(folder.path().join("a.eval"), bytes).expect("the folder is ours");
    let (status, stdout, stderr) = run_at(0, folder.path(), &["query", "-n", "results", "a.eval"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(stdout.lines().count(), 3, "{stdout}");
    insta::assert_snapshot!(stderr, @"a.eval: note[log::interrupted]: the run has not ended: the log has 2 finished samples, and no results of scorers");
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
    insta::assert_snapshot!(said(&of(&[("_journal/start.json", HEADER)]), &[]), @r"
    a.eval: error[log::empty]: the run has not ended, and the log has no samples
     = help: wait until the evaluation has run, or name another log
    ");
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
        let _ = logged_run("a.eval", &bad, Limits::default());
        if let Err(fault) = logged_run("a.eval", &good[..at], Limits::default()) {
            assert_eq!(fault.code, "log::damaged", "{at}");
        }
    }
}

#[test]
fn a_log_of_others_becomes_a_checkpoint() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (status, stdout, stderr) =
        run_at(0, folder, &["convert", "fixtures/foreign/inspect-log.eval", "--to", "karenina"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("\"text\": \"Which boat is oldest?\""), "{stdout}");
    let (status, _, stderr) = run_at(0, folder, &["new", "fixtures/foreign/inspect-log.eval"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r#"
    fixtures/foreign/inspect-log.eval:1:1: error[new::column]: the file is not a table: it is `inspect/log`
    1 | {"version": 2,
      | ^
      = help: make a checkpoint of its questions: `evalgraph convert FILE --to karenina`
    "#);
}
