//! `evalgraph fmt`: files in place, `--check`, stdin, and what is left alone.

use crate::cli::input::{evalgraph, run};
use std::fs;

const UNTIDY: &str = r#"{"@type":"DataFeed","@context":{"@vocab":"https://schema.org/"}}"#;
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("the folder is ours");
    }
    folder
}

fn read(folder: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("the file is there")
}

/// A text that is known to be a checkpoint, whose keys have an order.
fn checkpoint(text: &str) -> String {
    text.replace("\"@type\"", "\"dataFeedElement\":[],\"@type\"")
}

#[test]
fn files_are_changed_in_place() {
    let folder = folder(&[("a.json", "{\"a\":1}"), ("b.json", "{\n  \"b\": 1\n}\n")]);
    let before = fs::metadata(folder.path().join("b.json")).and_then(|file| file.modified());
    let (status, stdout, stderr) = run(folder.path(), &["fmt", "a.json", "b.json"]);
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, "", ""));
    assert_eq!(read(&folder, "a.json"), "{\n  \"a\": 1\n}\n");
    let after = fs::metadata(folder.path().join("b.json")).and_then(|file| file.modified());
    assert_eq!(before.ok(), after.ok(), "what does not change is not written");
}

#[test]
fn a_check_lists_the_files_and_changes_none() {
    let folder =
        folder(&[("a.jsonld", UNTIDY), ("b.jsonld", "{\n  \"b\": 1\n}\n"), ("c.ttl", "<x:s> <x:p> 1 .")]);
    let (status, stdout, stderr) = run(folder.path(), &["fmt", ".", "--check"]);
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (1, "./a.jsonld\n", ""));
    assert_eq!(read(&folder, "a.jsonld"), UNTIDY);
    assert_eq!(run(folder.path(), &["fmt", "b.jsonld", "--check"]).0, 0);
}

#[test]
fn stdin_goes_to_stdout_or_to_a_file() {
    let folder = folder(&[]);
    let text =
        checkpoint(UNTIDY).replace("{\"@vocab\"", "{\"rating\":{\"@id\":\"contentRating\"},\"@vocab\"");
    let output =
        evalgraph(folder.path()).args(["fmt", "-"]).write_stdin(text.clone()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.starts_with("{\n  \"@context\": {\n    \"rating\""), "{stdout}");
    let status = evalgraph(folder.path()).args(["fmt", "-", "-o", "b.json"]).write_stdin(text).status_of();
    assert_eq!(status, Some(0));
    assert_eq!(read(&folder, "b.json"), stdout);
}

trait StatusOf {
    fn status_of(&mut self) -> Option<i32>;
}

impl StatusOf for assert_cmd::Command {
    fn status_of(&mut self) -> Option<i32> {
        self.output().expect("it runs").status.code()
    }
}

#[test]
fn one_bad_file_stops_all() {
    let folder = folder(&[("a.json", "{\"a\":1}"), ("b.json", "{\"b\":1,\n\"b\":2}"), ("c.json", "{")]);
    let (status, stdout, stderr) = run(folder.path(), &["fmt", "a.json", "b.json", "c.json"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(stderr.contains("error[fmt::duplicate-key]"), "{stderr}");
    assert!(stderr.contains("in lines 1 and 2"), "{stderr}");
    assert!(stderr.contains("c.json:1:"), "{stderr}");
    assert_eq!(read(&folder, "a.json"), "{\"a\":1}");
    assert_eq!(run(folder.path(), &["fmt", "a.json", "b.json", "-o", "x.json"]).0, 2);
}

#[test]
fn compression_stays() {
    let folder = folder(&[]);
    let packed = zstd::encode_all("{\"a\":1}".as_bytes(), 1).expect("a vector takes everything");
    fs::write(folder.path().join("a.json.zst"), &packed).expect("the folder is ours");
    fs::write(folder.path().join("b.json"), &packed).expect("the folder is ours");
    assert_eq!(run(folder.path(), &["fmt", "a.json.zst"]).0, 0);
    let bytes = fs::read(folder.path().join("a.json.zst")).expect("the file is there");
    assert_eq!(zstd::decode_all(bytes.as_slice()).expect("zstd"), b"{\n  \"a\": 1\n}\n");
    let (status, _, stderr) = run(folder.path(), &["fmt", "b.json"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[fmt::compressed]"), "{stderr}");
}
