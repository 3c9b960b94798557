//! Limits mean what they say in every phase of every command: time and memory from the first byte on.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::cli::input::run;

/// Commands that read stdin, which does not end.
const READERS: &[&[&str]] = &[
    &["stats", "-"],
    &["query", "-", "-q", "ASK { ?s ?p ?o }"],
    &["query", "a.ttl"],
    &["update", "a.ttl"],
    &["update", "-", "-q", "CLEAR ALL"],
    &["load", "-"],
    &["convert", "-", "--to", "nq", "-o", "out.nq"],
    &["convert", "a.ttl", "-", "--to", "nq", "-o", "out.nq"],
    &["expand", "-"],
    &["to-rdf", "-"],
    &["from-rdf", "-"],
    &["canon", "-"],
    &["diff", "-", "a.ttl"],
    &["validate", "-"],
];

/// A folder with a file and a store that has it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.ttl"), "<urn:a> <urn:p> 1 .").expect("the folder is ours");
    for arguments in [["init", "."], ["load", "a.ttl"]] {
        let (status, _, stderr) = run(folder.path(), &arguments);
        assert_eq!(status, 0, "{stderr}");
    }
    folder
}

/// What a command says whose stdin stays open, and has nothing.
fn waiting(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = crate::program::program()
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    drop(stdin);
    output
}

/// All files below a folder with their contents, the store's lock aside, which says who had it last.
fn state(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files.extend(state(&path));
        } else if path.file_name().is_some_and(|name| name != "lock") {
            let content = fs::read(&path).expect("it can be read");
            files.push((path.display().to_string(), content));
        }
    }
    files.sort();
    files
}

#[test]
fn the_time_of_a_command_counts_while_it_reads() {
    let folder = folder();
    let before = state(folder.path());
    for arguments in READERS {
        let output = waiting(folder.path(), &[arguments, &["--timeout", "200ms"][..]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(
            stderr.contains("error[limit::timeout]") && stderr.contains("200ms"),
            "{arguments:?}: {stderr}"
        );
        assert!(stderr.contains("`--timeout`") && output.stdout.is_empty(), "{arguments:?}: {stderr}");
        assert!(state(folder.path()) == before, "{arguments:?}");
    }
    assert_eq!(run(folder.path(), &["doctor"]).0, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_command_counts_while_it_reads() {
    let folder = folder();
    let before = state(folder.path());
    for arguments in READERS {
        let output = waiting(folder.path(), &[arguments, &["--max-memory", "1kB"][..]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains("error[limit::memory]"), "{arguments:?}: {stderr}");
        assert!(stderr.contains("`--max-memory`") && output.stdout.is_empty(), "{arguments:?}: {stderr}");
        assert!(state(folder.path()) == before, "{arguments:?}");
    }
}

#[test]
fn the_last_word_of_a_limit_has_the_form_that_was_asked_for() {
    let folder = folder();
    let output = waiting(folder.path(), &["stats", "-", "--timeout", "100ms", "--diagnostics", "json"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<serde_json::Value> =
        stderr.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    assert_eq!(lines[0]["code"], "limit::timeout", "{stderr}");
    assert_eq!(lines[1]["summary"][0]["count"], 1, "{stderr}");
}

#[test]
fn the_time_of_a_query_counts_while_it_is_read_and_rewritten() {
    let folder = folder();
    // Each key is an expression of its own, which takes long to plan and nothing to evaluate.
    let keys: Vec<String> = (0..400).map(|key| format!("(STRLEN(STR(?s)) AS ?g{key})")).collect();
    let query = format!("SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o }} GROUP BY {}", keys.join(" "));
    fs::write(folder.path().join("long.rq"), query).expect("the folder is ours");
    let arguments = ["query", "a.ttl", "-f", "long.rq", "--timeout", "1ms", "-o", "out.csv"];
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("error[limit::timeout]"), "{stderr}");
    assert!(!folder.path().join("out.csv").exists());
}

#[test]
fn blanks_before_a_line_do_not_grow_with_the_square_of_the_depth() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let depth = 2_000;
    let (open, close) = ("{\"urn:p\":".repeat(depth), "}".repeat(depth));
    fs::write(folder.path().join("deep.jsonld"), format!("{open}1{close}")).expect("the folder is ours");
    let (status, stdout, stderr) = run(folder.path(), &["expand", "deep.jsonld", "--max-depth", "10000"]);
    assert_eq!(status, 0, "{stderr}");
    let blanks = |line: &str| line.len() - line.trim_start().len();
    assert_eq!(stdout.lines().map(blanks).max(), Some(128));
}
