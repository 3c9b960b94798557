//! Several datasets as one: `convert --to kwanzaa` into a file.

use crate::cli::input::run;
use crate::karenina::fixtures::path;
use serde_json::{Value, json};
use std::fs;

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn samples_stand_one_behind_the_other_and_are_counted_anew() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("all.json").display().to_string();
    let files = ["citation.json", "refusal.json", "format-compliance.json"];
    let arguments = [&["convert"], &files[..], &["--to", "kwanzaa", "-o", &output]].concat();
    let (status, _, stderr) = run(&path("kwanzaa"), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let all = json_of(&fs::read_to_string(&output).expect("it was written"));
    let mut samples = Vec::new();
    for file in files {
        let text = fs::read_to_string(path("kwanzaa").join(file)).expect("the fixture is there");
        samples.extend(json_of(&text)["samples"].as_array().expect("an array").clone());
    }
    assert_eq!(all["samples"], json!(samples));
    assert_eq!(all["statistics"]["total_samples"], 23);
    assert_eq!(
        all["statistics"]["by_category"],
        json!({"citation": 10, "refusal": 7, "format_compliance": 6})
    );
    let losses = stderr.lines().filter(|line| line.contains("kwanzaa cannot hold another `description`"));
    assert_eq!(losses.count(), 1, "{stderr}");
    let (status, text, stderr) = run(folder.path(), &["validate", "all.json"]);
    assert_eq!(status, 0, "{text}{stderr}");
    assert!(text.contains("0 violations, "), "{text}");
}

#[test]
fn a_clash_of_ids_names_both_places() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["a.json", "b.json"] {
        fs::copy(path("kwanzaa/each-category.json"), folder.path().join(name)).expect("the fixture is there");
    }
    let (status, text, stderr) = run(folder.path(), &["convert", "a.json", "b.json", "--to", "kwanzaa"]);
    assert_eq!((status, text.as_str()), (2, ""));
    let line = fs::read_to_string(path("kwanzaa/each-category.json")).expect("the fixture is there");
    let line = line.lines().position(|line| line.contains("sample_id")).expect("there is one") + 1;
    let message =
        format!("error[kwanzaa::clash]: `citation_educator_101` is also the id of a sample in a.json:{line}");
    assert!(stderr.starts_with(&format!("b.json:{line}:")), "{stderr}");
    assert!(stderr.contains(&message), "{stderr}");
    // In a folder each is a file of its own.
    let (status, _, stderr) =
        run(folder.path(), &["convert", "a.json", "b.json", "--to", "kwanzaa", "-o", "each/"]);
    assert_eq!(status, 0, "{stderr}");
}

#[test]
fn ids_that_are_made_give_way() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rows = json!([{"id": 1, "question": "What is two plus two?", "answer": "4"}]).to_string();
    for name in ["a.json", "b.json"] {
        fs::write(folder.path().join(name), &rows).expect("the folder is ours");
    }
    let arguments =
        ["convert", "a.json", "b.json", "--from", "train", "--to", "kwanzaa", "-o", "all/../all.json"];
    fs::create_dir(folder.path().join("all")).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &arguments);
    assert_eq!(status, 0, "{stderr}");
    let all = json_of(&fs::read_to_string(folder.path().join("all.json")).expect("it was written"));
    let ids: Vec<&str> = all["samples"]
        .as_array()
        .expect("an array")
        .iter()
        .filter_map(|one| one["sample_id"].as_str())
        .collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[1], format!("{}_2", ids[0]));
    let (status, text, _) = run(folder.path(), &["validate", "all.json"]);
    assert_eq!(status, 0, "{text}");
}
