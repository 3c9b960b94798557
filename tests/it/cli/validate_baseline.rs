//! `validate --baseline`: a saved report leaves only what is new.

use std::fs;
use std::path::Path;

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use serde_json::Value;

const FILE: &str = "a.jsonld";

/// A folder with a checkpoint that has violations and warnings, and reports of it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = fs::read_to_string(path("karenina/s0-cell-biology.jsonld")).expect("the fixture is there");
    write(&folder, FILE, &text);
    for report in ["old.json", "old.sarif"] {
        let (status, _, stderr) = run(folder.path(), &["validate", FILE, "-o", report]);
        assert_eq!((status, stderr.as_str()), (1, ""));
    }
    folder
}

fn write(folder: &tempfile::TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).expect("the folder is ours");
}

fn change(folder: &tempfile::TempDir, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(folder.path().join(FILE)).expect("the file is there");
    let changed = change(&text);
    assert_ne!(text, changed);
    write(folder, FILE, &changed);
}

#[test]
fn what_a_saved_report_has_is_left_out_wherever_its_lines_are() {
    let folder = folder();
    change(&folder, |text| format!("\n\n{}", text.replacen(": ", ":\n  ", 3)));
    for report in ["old.json", "old.sarif"] {
        // A file is the same however it is named.
        for file in [FILE, "./a.jsonld", &folder.path().join(FILE).display().to_string()] {
            let (status, stdout, stderr) = run(folder.path(), &["validate", file, "--baseline", report]);
            assert_eq!(status, 0, "{stdout}{stderr}");
            let left =
                "11 results are in the baseline and left out, 0 of the baseline have not been found again";
            assert!(stderr.contains(left), "{stderr}");
            let line = stdout.lines().next().unwrap_or_default();
            assert!(line.starts_with(&format!("{file}: has no new violation of karenina-spec ")), "{line}");
            assert!(line.ends_with(": 0 violations, 0 warnings, 0 info; known from the baseline: 3 violations, 8 warnings, 0 info"), "{line}");
        }
    }
}

#[test]
fn reports_in_the_folder_of_the_data_are_no_inputs() {
    let folder = folder();
    for command in [&["validate", "."][..], &["check", "."], &["validate", "*.*"]] {
        fs::remove_file(folder.path().join("old.json")).ok();
        let arguments = [command, &["-o", "old.json", "--baseline", "old.sarif"]].concat();
        let (first, _, _) = run(folder.path(), &arguments);
        let report = fs::read(folder.path().join("old.json")).expect("there is a report");
        let (again, _, stderr) = run(folder.path(), &arguments);
        assert!(first != 2 && first == again, "{stderr}");
        assert!(fs::read(folder.path().join("old.json")).is_ok_and(|again| again == report), "{stderr}");
        assert!(stderr.contains("old.json: note[input::beside]"), "{stderr}");
    }
    // A file that is named is meant.
    let (status, _, stderr) = run(folder.path(), &["validate", "a.jsonld", "old.json", "-o", "old.json"]);
    assert!(status == 2 && stderr.contains("error[input::unknown]"), "{stderr}");
}

#[test]
fn only_what_is_new_is_reported_and_decides() {
    let folder = folder();
    // One value is repaired, and another breaks the same rule.
    change(&folder, |text| text.replacen("\"ratingValue\": 6", "\"ratingValue\": 7", 1));
    for report in ["old.json", "old.sarif"] {
        let arguments = ["validate", FILE, "--baseline", report, "--format"];
        let (status, stdout, stderr) = run(folder.path(), &[&arguments[..], &["jsonl"]].concat());
        assert_eq!((status, stdout.lines().count()), (1, 1), "{stdout}");
        let line: Value = serde_json::from_str(&stdout).expect("it is JSON");
        assert_eq!((&line["sourceShape"], &line["value"]), (&"K-S7".into(), &"7".into()));
        let left = "note[validate::left-out]: 10 results are in the baseline and left out, 1 of the baseline has not been found again";
        assert!(stderr.contains(left), "{stderr}");
        let (_, stdout, _) = run(folder.path(), &[&arguments[..], &["json"]].concat());
        let files: Value = serde_json::from_str(&stdout).expect("it is JSON");
        assert_eq!(files[0]["violations"], 1);
        assert_eq!(files[0]["known"], serde_json::json!({"violations": 2, "warnings": 8, "infos": 0}));
        let (_, stdout, _) = run(folder.path(), &[&arguments[..], &["sarif"]].concat());
        let log: Value = serde_json::from_str(&stdout).expect("it is JSON");
        assert_eq!(log["runs"][0]["results"][0]["baselineState"], "new");
        for format in ["markdown", "html"] {
            let (_, stdout, _) = run(folder.path(), &[&arguments[..], &[format]].concat());
            assert!(stdout.contains("2 violations, 8 warnings, 0 info"), "{stdout}");
        }
    }
}

#[test]
fn a_result_that_is_there_once_more_is_new() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("old.json")).expect("the report is there");
    let mut files: Value = serde_json::from_str(&text).expect("it is JSON");
    let results = files[0]["results"].as_array_mut().expect("an array");
    let one = results[0].clone();
    results.push(one);
    write(&folder, "twice.json", &files.to_string());
    let (_, _, stderr) = run(folder.path(), &["validate", FILE, "--baseline", "twice.json"]);
    assert!(
        stderr.contains("11 results are in the baseline and left out, 1 of the baseline has not"),
        "{stderr}"
    );
    files[0]["results"].as_array_mut().expect("an array").drain(..1);
    let results = files[0]["results"].as_array_mut().expect("an array");
    results.pop();
    write(&folder, "less.json", &files.to_string());
    let (_, stdout, _) =
        run(folder.path(), &["validate", FILE, "--baseline", "less.json", "--format", "jsonl"]);
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
}

#[test]
fn what_is_said_of_all_files_is_compared_too() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["validate", "fixtures/kwanzaa/citation.json", "fixtures/kwanzaa/refusal.json"];
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["old.json", "old.sarif"] {
        let report = folder.path().join(name).display().to_string();
        let (_, _, stderr) = run(root, &[&files[..], &["-o", &report]].concat());
        assert_eq!(stderr, "");
        let (status, stdout, stderr) =
            run(root, &[&files[..], &["--baseline", &report, "--format", "jsonl"]].concat());
        assert_eq!((status, stdout.as_str()), (0, ""), "{stderr}");
        assert!(stderr.contains("left out, 0 of the baseline have not been found again"), "{stderr}");
    }
}

#[test]
fn what_is_no_report_is_refused_at_its_place() {
    let folder = folder();
    for (text, place) in [
        ("{}", "1:1"),
        (" 7", "1:2"),
        ("[{\"file\": \"a\"}]", "1:2"),
        ("[{\"file\": \"a\", \"results\": [\n{\"rule\": 1}]}]", "2:1"),
        ("{\"version\": \"2.1.0\", \"runs\": [{\"results\": [{\"message\": {\"text\": \"x\"}}]}]}", "1:44"),
    ] {
        write(&folder, "no.json", text);
        let (status, stdout, stderr) = run(folder.path(), &["validate", FILE, "--baseline", "no.json"]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.starts_with(&format!("no.json:{place}: error[validate::baseline]: ")), "{stderr}");
    }
    let (status, _, stderr) = run(folder.path(), &["validate", FILE, "--baseline", "nowhere.json"]);
    assert_eq!(status, 2, "{stderr}");
}
