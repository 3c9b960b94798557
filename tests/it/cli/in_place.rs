//! Files that are read and written back: what somebody else writes meanwhile is not lost.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::cli::input::run;

const ROWS: usize = 12;

fn rows() -> String {
    let row = |number| {
        format!(
            "{{\"id\": \"Q{number}\", \"question\": \"How much is {number}?\", \"answer\": \"old\", \"is_impossible\": false}}"
        )
    };
    format!("[\n{}\n]\n", (0..ROWS).map(row).collect::<Vec<_>>().join(",\n"))
}

fn start(folder: &Path, arguments: &[&str], stdin: Stdio) -> Child {
    let mut command = crate::program::program();
    let command = command.current_dir(folder).args(arguments).stdin(stdin);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

#[test]
fn parallel_edits_arrive_or_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for _ in 0..4 {
        fs::write(folder.path().join("train.json"), rows()).expect("the folder is ours");
        let edits: Vec<Child> = (0..ROWS)
            .map(|number| {
                let (id, answer) = (format!("Q{number}"), format!("new-{number}"));
                start(folder.path(), &["set", &id, "train.json", "--answer", &answer], Stdio::null())
            })
            .collect();
        let ends: Vec<_> = edits.into_iter().map(|edit| edit.wait_with_output().expect("it ends")).collect();
        let text = fs::read_to_string(folder.path().join("train.json")).expect("it is there");
        for (number, end) in ends.iter().enumerate() {
            let stderr = String::from_utf8_lossy(&end.stderr);
            let has_arrived = text.contains(&format!("\"new-{number}\""));
            assert_eq!(end.status.success(), has_arrived, "{number}: {stderr}\n{text}");
            if !has_arrived {
                assert_eq!(end.status.code(), Some(2), "{stderr}");
                assert!(stderr.contains("error[output::changed]"), "{stderr}");
            }
        }
        assert!(text.contains("new-"), "{text}");
    }
}

/// Runs a command that has read a file when it begins to read stdin, changes that file then, and lets the command end.
fn end_after_a_change(
    folder: &Path,
    arguments: &[&str],
    file: &str,
    text: &str,
    rest: &str,
) -> (i32, String) {
    let mut child = start(folder, arguments, Stdio::piped());
    let mut stdin = child.stdin.take().expect("it is piped");
    // More than a pipe holds: when it is written, somebody has begun to read it.
    stdin.write_all(" ".repeat(4 << 20).as_bytes()).expect("it is read");
    fs::write(folder.join(file), text).expect("the folder is ours");
    stdin.write_all(rest.as_bytes()).expect("it is read");
    drop(stdin);
    let end = child.wait_with_output().expect("it ends");
    (end.status.code().unwrap_or(-1), String::from_utf8_lossy(&end.stderr).into_owned())
}

#[test]
fn a_file_that_was_changed_since_it_was_read_stays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    let cases: [(&[&str], &str); 2] = [
        (&["fmt", "a.json", "-"], "{}"),
        (&["convert", "a.json", "-", "--to", "nq", "-o", "a.json"], "{\"@id\": \"urn:b\"}"),
    ];
    for (arguments, rest) in cases {
        fs::write(path.join("a.json"), "{\"@id\":\"urn:a\",\"http://e/p\":1}").expect("the folder is ours");
        let (status, stderr) = end_after_a_change(path, arguments, "a.json", "mine", rest);
        assert_eq!(status, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains("error[output::changed]"), "{arguments:?}: {stderr}");
        assert_eq!(fs::read_to_string(path.join("a.json")).expect("it is there"), "mine", "{arguments:?}");
        assert_eq!(fs::read_dir(path).expect("ours").count(), 1, "{arguments:?}");
    }
}

#[test]
fn a_file_under_two_names_is_laid_out_once_and_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.json"), "{\"a\":1}").expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["fmt", "a.json", "./a.json"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(folder.path().join("a.json")).expect("it is there"), "{\n  \"a\": 1\n}\n");
}
