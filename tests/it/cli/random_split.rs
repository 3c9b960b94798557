//! `split --train`: records drawn at random, the same on every machine.

use crate::cli::input::run;
use crate::karenina::fixtures::{document, path};
use evalgraph::source::kwanzaa::KwanzaaSettings;
use evalgraph::source::kwanzaa::rules::{KwanzaaProfile, validate};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn split(folder: &Path, name: &str, more: &[&str]) -> (i32, String, String) {
    let source = path("kwanzaa").join(name).display().to_string();
    run(folder, &[&["split", &source, "-o", "parts"], more].concat())
}

fn ids(folder: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join("parts").join(name)).expect("it was written");
    let dataset: Value = serde_json::from_str(&text).expect("it is JSON");
    let samples = dataset["samples"].as_array().expect("an array").clone();
    samples.iter().map(|sample| sample["sample_id"].as_str().expect("a string").to_owned()).collect()
}

#[test]
fn a_dataset_is_split_the_same_way_everywhere() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (status, names, stderr) = split(folder.path(), "citation.json", &["--train", "0.7", "--seed", "42"]);
    assert_eq!(
        (status, names.as_str()),
        (0, "parts/citation-train.json\nparts/citation-test.json\n"),
        "{stderr}"
    );
    assert!(stderr.contains("`statistics` of each part are counted anew"), "{stderr}");
    let test = ids(folder.path(), "citation-test.json");
    assert_eq!(test, TEST_OF_SEED_42);
    assert_eq!(ids(folder.path(), "citation-train.json").len(), 7);
    for name in ["citation-train.json", "citation-test.json"] {
        let text = fs::read_to_string(folder.path().join("parts").join(name)).expect("it was written");
        assert!(text.starts_with("{\n  \"dataset_version\": \"1.0.0\",") && text.ends_with("}\n"));
        let report = validate(&document(&text), KwanzaaProfile::Seed, &KwanzaaSettings::default());
        assert!(report.conforms() && report.results_of("W-20").count() == 0, "{:#?}", report.results);
    }
    let (_, _, _) = split(folder.path(), "citation.json", &["--train", "0.7", "--seed", "43", "--force"]);
    assert_ne!(ids(folder.path(), "citation-test.json"), test);
}

const TEST_OF_SEED_42: [&str; 3] =
    ["citation_researcher_001", "citation_creator_001", "citation_builder_001"];

#[test]
fn lines_are_dealt_out_as_they_stand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (status, _, stderr) = split(folder.path(), "chat.jsonl", &["--train", "0.8"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let read =
        |name: &str| fs::read_to_string(folder.path().join("parts").join(name)).expect("it was written");
    let (train, test) = (read("chat-train.jsonl"), read("chat-test.jsonl"));
    assert_eq!((train.lines().count(), test.lines().count()), (4, 1));
    let file = fs::read_to_string(path("kwanzaa/chat.jsonl")).expect("the fixture is there");
    let mut lines: Vec<&str> = train.lines().chain(test.lines()).collect();
    let mut all: Vec<&str> = file.lines().collect();
    lines.sort_unstable();
    all.sort_unstable();
    assert_eq!(lines, all);
}

#[test]
fn what_cannot_be_split_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("one.json"), "{\"a\": 1}").expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["split", "one.json", "--train", "0.5", "-o", "parts"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[split::records]: not records"), "{stderr}");
    for share in ["0", "1", "80", "x"] {
        let (status, _, stderr) = run(folder.path(), &["split", "one.json", "--train", share, "-o", "parts"]);
        assert_eq!(status, 2);
        assert!(stderr.contains("expected a share between 0 and 1, such as 0.8"), "{stderr}");
    }
    let (status, _, _) = run(folder.path(), &["split", "one.json", "-o", "parts"]);
    assert_eq!(status, 2);
}

#[test]
fn nothing_is_split_into_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("rows.json", "[]"), ("lines.jsonl", "")] {
        fs::write(folder.path().join(name), text).expect("the folder is ours");
        let (status, _, stderr) = run(folder.path(), &["split", name, "-o", "parts", "--train", "0.5"]);
        assert_eq!(status, 1, "{name}: {stderr}");
        assert!(stderr.contains("split::nothing"), "{name}: {stderr}");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1, "{name}");
        fs::remove_file(folder.path().join(name)).expect("the folder is ours");
    }
}
